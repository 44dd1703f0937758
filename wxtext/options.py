"""How to convert: the options of `convert`, and the values that they may have."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from wxtext import lazy
from wxtext.errors import OptionError
from wxtext.i18n import _
from wxtext.paragraphs import Paragraphs
from wxtext.semantics import Space, Target

BlankLines = Literal["keep", "one", "none"]
Per = Literal["paragraph", "line", "file"]
Indent: TypeAlias = "Literal['keep', 'none'] | int"

_CLASS_NAMES: Final = lazy.pattern(r"-?[^\W\d][\w-]*(?: +-?[^\W\d][\w-]*)*")
_WIDEST_TAB: Final = 16
_WIDEST_INDENT: Final = 20


class _Options(NamedTuple):
    space: Space = "auto"
    target: Target = "webview"
    tab_width: int = 4
    indent: Indent = "keep"
    paragraphs: Paragraphs = "auto"
    blank_lines: BlankLines = "keep"
    per: Per = "paragraph"
    view: bool = False
    user_select: bool = False
    class_: str = ""
    bindings: bool = False
    strip_invisible: bool = False


#: Options whose values are names, in lower case here, and those that are or may be numbers.
_NAMES: Final = frozenset(("space", "target", "indent", "paragraphs", "blank_lines", "per"))
_NUMBERS: Final = frozenset(("tab_width", "indent"))


def _plain(option: str, value: Any) -> Any:
    """Return the value that is meant: names in any case, and numbers as text."""
    if not isinstance(value, str):
        return value
    if option in _NUMBERS and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value.lower() if option in _NAMES else value


class Options(_Options):
    """How to convert: one field an option, named alike in the library and on the command line.

    Raises `OptionError` for a value that an option cannot have.
    """

    __slots__ = ()

    def __new__(cls, **options: Any) -> Options:
        """Take options, with names in any case (`Skyline`), and numbers also as text (`"2"`)."""
        return super().__new__(cls, **{name: _plain(name, value) for name, value in options.items()})

    def __init__(self, *_values: object, **_options: object) -> None:
        OptionError.unless_one_of("space", self.space, get_args(Space))
        OptionError.unless_one_of("target", self.target, get_args(Target))
        OptionError.unless_one_of("paragraphs", self.paragraphs, get_args(Paragraphs))
        OptionError.unless_one_of("blank_lines", self.blank_lines, get_args(BlankLines))
        OptionError.unless_one_of("per", self.per, get_args(Per))
        OptionError.unless_whole("tab_width", self.tab_width, 1, _WIDEST_TAB)
        if self.indent not in ("keep", "none"):
            OptionError.unless_whole("indent", self.indent, 0, _WIDEST_INDENT, _(", keep or none"))
        if self.class_ and not _CLASS_NAMES.fullmatch(self.class_):
            begins = _CLASS_NAMES.match(self.class_)
            message = _(
                "class: {name!r} is no class name that a style sheet can spell, because of {character!r}; "
                "use letters, digits, - and _, and a letter or _ first"
            )
            character = self.class_[begins.end() if begins else 0]
            raise OptionError(message.format(name=self.class_, character=character))

    @property
    def in_views(self) -> bool:
        """Whether each block is in a `<view>` of its own.

        `user-select` makes a `<text>` an inline-block, whose last line break separates it from nothing.
        Skyline has no inline layout.
        """
        return self.view or self.user_select or self.target == "skyline"

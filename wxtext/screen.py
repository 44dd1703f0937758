"""What is seen of WXML on the phone: `show`, and what it cannot tell without data.

Before `layout` makes rows of a page, what is certainly not seen is left out: conditions that are constant and
false and the branches after one that is true, `hidden`, `display: none` in `style`, loops over nothing. The
`nodes` of `<rich-text>` are read if they are a constant text. What depends on data is neither guessed nor
left out in silence: `look` counts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from wxtext import javascript
from wxtext.errors import OptionError
from wxtext.i18n import _
from wxtext.layout import accepted, laid_out, template_name, with_all_templates
from wxtext.semantics import (
    COMPILERS,
    EMPTY_ROW,
    LOOPS,
    TRANSPARENT_ELEMENTS,
    Target,
    inline_display,
    space_mode,
)
from wxtext.wrapping import MOST_COLUMNS, wrapped
from wxtext.wxml import Attribute, Event, Tag, position

#: What depends on data, or on other files.
_Kind: TypeAlias = Literal["condition", "loop", "nodes", "template"]


class Screen(NamedTuple):
    """What is seen of a page."""

    #: Its rows, joined by LF.
    text: str
    #: What is not evaluated, in the order of its first places: how often, and the offset of the first.
    unknown: dict[_Kind, tuple[int, int]]

    def told(self, file: str, wxml: str) -> str | None:
        """Return what the user is told of what is not evaluated in a file; None if all is."""
        if not self.unknown:
            return None
        messages: dict[_Kind, str] = {
            "condition": _("conditions (every branch is shown): {n}"),
            "loop": _("loops (shown once): {n}"),
            "nodes": _("nodes of <rich-text> (not shown): {n}"),
            "template": _("templates and files from elsewhere (not shown): {n}"),
        }
        parts = [messages[kind].format(n=times) for kind, (times, _first) in self.unknown.items()]
        line, column = position(wxml, min(first for _times, first in self.unknown.values()))
        return _("{file}: not evaluated, from here on: {what}").format(
            file=f"{file}:{line}:{column}", what=_("; ").join(parts)
        )


def show(wxml: str, target: Target = "webview", *, width: int | None = None) -> str:
    """Predict what the phone shows of WXML: rows joined by LF, without line breaks at the very end.

    `target` is `webview` unless it is given, whatever the .json of a project say: the WXML has no place here.
    Only the command knows `auto`. `width` is in columns, of which a Chinese character takes two: rows that
    are longer are broken as the phone does, as far as a first look can tell; without it none is.

    Bindings that use data stand as they are written. Constant conditions are evaluated, of all others every
    branch is shown; loops are shown once, and not at all over a constant that is empty.

    Raises WxmlError, with line and column of the first fault, if the compiler of the target refuses it, and
    OptionError if there is no such target, or no such width.
    """
    return look(wxml, target, width=width).text


def look(wxml: str, target: Target, *, width: int | None = None) -> Screen:
    """Return what `show` does, and what is not evaluated. Raises what `show` does."""
    if width is not None:
        OptionError.unless_whole("width", width, 1, MOST_COLUMNS)
    seen = _Seen(wxml, accepted(wxml, target), target)
    text = laid_out(with_all_templates(list(seen.events()), target), target)
    if target == "skyline":
        text = "\n".join(["" if row == EMPTY_ROW else row for row in text.split("\n")]).rstrip("\n")
    if width is not None:
        text = wrapped(text, width)
    return Screen(text, seen.unknown)


#: A chain of `wx:if` and what follows it, of which one is there: whether one of those so far is, whatever the
#: data are; None outside a chain.
_Chain: TypeAlias = "bool | None"

_ELSE: Final = ("wx:elif", "wx:else")


class _Seen:
    """Goes through the events of a page, and leaves out what is not seen."""

    def __init__(self, wxml: str, events: list[Event], target: Target) -> None:
        self._wxml = wxml
        self._events = events
        self._compiler = COMPILERS[target]
        self._web = target != "skyline"
        self.unknown: dict[_Kind, tuple[int, int]] = {}
        self._templates = {
            template_name(tag, "name")
            for kind, _start, _end, tag, _text in events
            if kind == "open" and tag is not None and tag.role == "define"
        } - {""}

    def _note(self, kind: _Kind, offset: int) -> None:
        times, first = self.unknown.get(kind, (0, offset))
        self.unknown[kind] = times + 1, first

    def events(self) -> Iterator[Event]:
        """Yield the events of what is seen."""
        chain: _Chain = None
        outer: list[_Chain] = []
        hidden = 0  # how many elements are open, from the first that is not seen on
        for event in self._events:
            kind, start, end, tag, _text = event
            if hidden:
                if kind == "close":
                    hidden -= 1
                elif kind == "open" and tag is not None:
                    hidden += not tag.self_closing
                continue
            if kind == "text":
                chain = None
            elif kind == "open":
                assert tag is not None
                is_there, chain = self._is_there(tag, start, chain)
                if not is_there or self._is_hidden(tag, start):
                    hidden = not tag.self_closing
                    continue
                if not tag.self_closing:
                    outer.append(chain)
                    chain = None
            elif kind == "close":
                chain = outer.pop()
            yield event
            if kind == "open" and tag is not None:
                yield from self._brought(tag, start, end)

    def _is_there(self, tag: Tag, start: int, chain: _Chain) -> tuple[bool, _Chain]:
        """Tell whether an element is there, or may be, and what `wx:else` after it belongs to."""
        if tag.role in {"define", "import"}:  # which are not there themselves, whatever their conditions
            return True, chain
        if tag.has(*LOOPS):
            return self._may_repeat(tag, start) and self._holds(tag, "wx:if", start) is not False, None
        if tag.has("wx:if"):
            holds = self._holds(tag, "wx:if", start)
            return holds is not False, holds is True
        if chain is None or not tag.has(*_ELSE):
            return True, None  # `wx:else` after no `wx:if` is nothing to glass-easel
        if chain:
            return False, chain
        if not tag.has("wx:elif"):
            return True, True
        holds = self._holds(tag, "wx:elif", start)
        return holds is not False, holds is True

    def _holds(self, tag: Tag, name: str, start: int) -> bool | None:
        """Tell whether the condition in an attribute holds; None if data decide. Without one it does."""
        if name not in tag.names:
            return True
        attribute = tag.attributes[name]
        if attribute.dynamic:
            self._note("condition", start)
            return None
        return attribute.span is not None and javascript.boolean(attribute.value)

    def _may_repeat(self, tag: Tag, start: int) -> bool:
        """Tell whether a loop goes through anything, or may."""
        attributes = [tag.attributes[name] for name in LOOPS if name in tag.names]
        # Which of several counts is up to the compiler.
        if len(attributes) == 1 and not attributes[0].dynamic and self._is_empty(attributes[0]):
            return False
        self._note("loop", start)
        return True

    def _is_empty(self, attribute: Attribute) -> bool:
        """Tell whether a loop over a constant goes through nothing."""
        value = attribute.value
        if attribute.span is None or isinstance(value, bool) or not javascript.boolean(value):
            return True
        if isinstance(value, float):
            return value <= 0 or (self._compiler == "glass-easel" and value % 1 > 0)
        return not value

    def _is_hidden(self, tag: Tag, start: int) -> bool:
        """Tell whether an element that is there is not seen."""
        if tag.name in TRANSPARENT_ELEMENTS or tag.role != "element":
            return False
        attributes = [tag.attributes[name] for name in ("hidden", "style") if name in tag.names]
        for attribute in attributes:
            if attribute.name == "hidden":
                if attribute.dynamic:
                    self._note("condition", start)
                elif javascript.boolean(attribute.value):
                    return True
            elif attribute.span is not None:
                style = javascript.string(attribute.value)
                if attribute.dynamic:
                    style = self._wxml[start + attribute.span[0] : start + attribute.span[1]]
                display = inline_display(style)
                if display == "none":
                    return True
                if display is None:
                    self._note("condition", start)
        return False

    def _brought(self, tag: Tag, start: int, end: int) -> Iterator[Event]:
        """Yield the events of what an element shows that is not written in it."""
        if tag.role == "include" or (tag.role == "use" and template_name(tag, "is") not in self._templates):
            self._note("template", start)
        nodes = tag.attributes["nodes"] if tag.name == "rich-text" and "nodes" in tag.names else None
        if nodes is None:
            return
        events = None
        if not nodes.dynamic and isinstance(nodes.value, str):
            from wxtext.rich_text import rich_text

            mode = space_mode(tag.constant("space")) if self._web else None
            events = rich_text(nodes.value, mode, self._compiler, start, end)
        if events is None:
            self._note("nodes", start)
        else:
            yield from events

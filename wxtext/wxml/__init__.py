"""WXML source to elements and text with exact offsets, read the way the compiler of the target reads it.

`read` never raises and never recurses, and its time is linear in the size of the source. What it yields is
flat: one Event a tag, text, comment or script, in the order of the source, and the Refusals of the compiler.
Offsets count code points from the start of the source; those in a Tag count from the start of the tag, so
that tags written alike share one Tag.

How wcc (miniprogram-compiler 0.2.3) and glass-easel (glass-easel-template-compiler 1.1.0) read was measured.
Of what they refuse, only faults in the JavaScript of `<wxs>` and in files that others refer to are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from wxtext import lazy
from wxtext.expressions import Binding, Message
from wxtext.javascript import Value
from wxtext.semantics import Compiler, encode

#: Space is text of white space alone, which the compilers drop.
Kind = Literal["open", "close", "text", "space", "comment", "script"]

#: What an element is to its compiler; `use` is `<template is>`, `define` any other `<template>`.
Role = Literal["element", "block", "define", "use", "import", "include", "script"]

_ROLES: Final[dict[str, Role]] = {
    "block": "block",
    "template": "define",
    "import": "import",
    "include": "include",
    "wxs": "script",
}


class Refusal(NamedTuple):
    """Something that the compiler refuses, and where."""

    offset: int
    message: Message


class Attribute(NamedTuple):
    """An attribute of a tag; all offsets count from the start of the tag."""

    name: str
    start: int
    end: int
    #: What stands between the quotes: its offsets, or None without a value.
    span: tuple[int, int] | None
    #: Its value if that is constant: true without one, text, or the value of its only binding.
    value: Value
    #: Whether the value depends on data.
    dynamic: bool = False
    #: Whether there is an expression in it.
    bound: bool = False
    #: What wcc says of the expressions in it, if it looks at them.
    refusal: Refusal | None = None


class Shape(NamedTuple):
    """What a tag is without the values of its attributes: what `Tag` says of it."""

    name: str
    names: frozenset[str]
    role: Role
    self_closing: bool
    plain: bool


class Tag:
    """What a tag says, and what the compiler refuses in it. Not to be changed: many places share it.

    Of attributes with one name wcc keeps the last, glass-easel the first.
    """

    __slots__ = (
        *("_attributes", "_reader", "_text", "dropped", "name", "names"),
        *("plain", "refusals", "role", "self_closing"),
    )

    def __init__(
        self, name: str, attributes: Sequence[Attribute], self_closing: bool, compiler: Compiler
    ) -> None:
        self.name = name
        self.self_closing = self_closing
        self._attributes = {attribute.name: attribute for attribute in attributes}
        self._reader: Callable[[str], Collection[Attribute]] | None = None
        self._text = ""
        #: The attributes that have the same name as one that counts.
        self.dropped: Sequence[Attribute] = ()
        if len(attributes) > len(self._attributes):
            if compiler == "glass-easel":
                for attribute in reversed(attributes):
                    self._attributes[attribute.name] = attribute
            kept = self._attributes.values()
            self.dropped = [attribute for attribute in attributes if attribute not in kept]
        #: The names of its attributes.
        self.names: frozenset[str] = frozenset(self._attributes)
        self.role: Role = _ROLES.get(name, "element")
        if self.role == "define" and "is" in self.names and "name" not in self.names:
            self.role = "use"
        #: Their offsets count from the start of the tag.
        self.refusals: Sequence[Refusal] = ()
        #: Whether nothing of it needs a look at what is around it.
        self.plain = False

    @classmethod
    def unread(cls, text: str, shape: Shape, reader: Callable[[str], Collection[Attribute]]) -> Tag:
        """Make a tag of which nothing is refused or dropped; its attributes are read when first asked for."""
        tag = object.__new__(cls)
        tag._text, tag._reader = text, reader
        tag.name, tag.names, tag.role, tag.self_closing, tag.plain = shape
        tag.dropped = tag.refusals = ()
        return tag

    @property
    def attributes(self) -> dict[str, Attribute]:
        """Those that count, by name."""
        if self._reader is not None:
            self._attributes = {attribute.name: attribute for attribute in self._reader(self._text)}
            self._reader = None
        return self._attributes

    def constant(self, name: str, otherwise: Value = None) -> Value:
        """Give the value of an attribute: None if there is none of this name, `otherwise` if data decide."""
        if name not in self.names:
            return None
        attribute = self.attributes[name]
        return otherwise if attribute.dynamic else attribute.value

    def has(self, *names: str) -> bool:
        """Tell whether the tag has one of these attributes."""
        return not self.names.isdisjoint(names)


#: Kind, start, end, the tag, the text. An element that no tag of its own closes gets an empty close event. A
#: text is the characters that the compiler makes of it, with bindings that use data as written, but sealed.
Event: TypeAlias = "tuple[Kind, int, int, Tag | None, str]"


class Document(NamedTuple):
    """What `read` gives."""

    events: list[Event]
    refusals: list[Refusal]


def read(source: str, compiler: Compiler) -> Document:
    """Read WXML as this compiler does. Nothing after what makes it give up is read."""
    # Each reader is loaded when it is first needed: its patterns take a while to compile.
    if compiler == "wcc":
        from wxtext.wxml.wcc import read_wcc

        return _without_nul(source, read_wcc) if "\0" in source else read_wcc(source)
    from wxtext.wxml.glass_easel import read_glass_easel

    return read_glass_easel(source)


def _without_nul(source: str, reader: Callable[[str], Document]) -> Document:
    """Read each line up to a NUL, as wcc does with its C strings; offsets still count in the whole source."""
    kept = _NUL.sub("", source)
    dropped = [(match.start(), len(match[0])) for match in _NUL.finditer(source)]
    starts: list[int] = []  # offsets in `kept` from which on so much more has been dropped
    amounts = [0]
    for start, length in dropped:
        starts.append(start - amounts[-1])
        amounts.append(amounts[-1] + length)

    def whole(offset: int) -> int:
        return offset + amounts[bisect_right(starts, offset)]

    document = reader(kept)
    return Document(
        [(kind, whole(start), whole(end), tag, text) for kind, start, end, tag, text in document.events],
        [Refusal(whole(offset), message) for offset, message in document.refusals],
    )


def explained(source: str, refusal: Refusal, compiler: Compiler) -> Refusal:
    """Point at the `<` that begins no whole tag, if that is what is refused: it is likely meant as text."""
    offset = refusal.offset
    start = offset if source.startswith("<", offset) else offset - 1
    while start > 0 and source[start] in " \t\r\n":
        start -= 1
    if not source.startswith("<", start):
        return refusal
    if not _NO_TAG.match(source, start):
        # A tag begins, where another has not ended.
        start = source.rfind("<", 0, start)
        if start < 0 or ">" in source[start:offset]:
            return refusal
    escape = encode("<", compiler)[0]
    return Refusal(
        start, Message("`<` begins a tag that is not closed; in text, write {escape}", escape=escape)
    )


def position(source: str, offset: int) -> tuple[int, int]:
    """Turn an offset into a line and a column, both from 1, the column in code points."""
    line_start = source.rfind("\n", 0, offset) + 1
    return source.count("\n", 0, offset) + 1, offset - line_start + 1


_NUL: Final = lazy.pattern("\0[^\n]*\n?")
_NO_TAG: Final = lazy.pattern(r"<[^A-Za-z_:/!-]")

# What later steps must not take for text stands in a binding that data decide: it is sealed till all is done.
_SEALS: Final = [(character, chr(0xDC00 + ord(character))) for character in " \t\r\n&"]


def seal(binding: str) -> str:
    """Protect the source of a binding from all that is done to text."""
    for character, sealed in _SEALS:
        binding = binding.replace(character, sealed)
    return binding


def unseal(text: str) -> str:
    """Give the bindings in a text their characters back."""
    for character, sealed in _SEALS:
        text = text.replace(sealed, character)
    return text


def printed(binding: Binding, source: str, start: int) -> str:
    """Give what a binding prints: itself, sealed, if data decide."""
    return seal(source[start : binding.end]) if binding.text is None else binding.text


class GivesUp(Exception):  # noqa: N818 - it ends the reading, which is no error here
    """The compiler stops here: the rest cannot be read."""

    def __init__(self, offset: int, message: Message) -> None:
        super().__init__(offset, message)
        self.refusal = Refusal(offset, message)


NOT_CLOSED: Final = Message("a tag is not closed")
SCRIPT_HOLDS: Final = Message("`<wxs>` with `src` may hold nothing")


def apart(tag: str) -> tuple[str, list[str]]:
    """Take the values out of a tag that has one kind of quotes: it with one `"` for each, and the values."""
    pieces = tag.split('"' if '"' in tag else "'")
    return '"'.join(pieces[::2]), pieces[1::2]


def names_in(tag: str) -> list[str]:
    """Give the names in a tag without its values: its own, and those of its attributes."""
    return tag[1:].rstrip("/>").replace('"', " ").replace("=", " ").split()


#: Elements that are no elements at run time, and need a closer look.
SPECIAL: Final = frozenset(("template", "import", "include", "wxs"))


def end_of_comment(source: str, start: int) -> int:
    """Say where the comment at `start` ends; one that is not closed swallows the rest."""
    end = source.find("-->", start + 4)
    return len(source) if end < 0 else end + 3


def end_of_match(pattern: re.Pattern[str], source: str, position: int) -> int:
    """Say where what the pattern matches ends; here, if it does not match."""
    match = pattern.match(source, position)
    return match.end() if match else position

"""How glass-easel, the compiler of the new framework and of Skyline, reads WXML."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from wxtext import lazy
from wxtext.caches import LONG, cached
from wxtext.expressions import Binding, ExpressionError, Message, accepts_bindings, read_binding
from wxtext.javascript import Value
from wxtext.semantics import EntityError, glass_easel_text
from wxtext.wxml import (
    NOT_CLOSED,
    SCRIPT_HOLDS,
    SPECIAL,
    Attribute,
    Document,
    Event,
    Refusal,
    Role,
    Shape,
    Tag,
    apart,
    end_of_comment,
    end_of_match,
    names_in,
    printed,
)

_BLANKS: Final = " \t\n\v\f\r"
_BLANK: Final = lazy.pattern(f"[{_BLANKS}]+")
_IDENTIFIER: Final = lazy.pattern(r"[A-Za-z_][-.:\w]*", re.ASCII)
_MARKUP: Final = frozenset("/!_" + string.ascii_letters)
_UNQUOTED: Final = lazy.pattern(r"[-.\w]+", re.ASCII)
_SCRIPT_END: Final = lazy.pattern(r"</wxs(?![-.\w])", re.ASCII)

# Where text may end, or a binding begin; likewise the value of an attribute.
_LANDMARK: Final = lazy.pattern(r"<(?=[/!A-Za-z_])|\{\{")
_VALUE_END: Final = {quote: re.compile(rf"{quote}|\{{\{{") for quote in "\"'"}
_NO_BINDING: Final = lazy.pattern(
    r"wx:(?:else|for-index|for-item|key)|(?:worklet|generic|extra-attr|slot):[^:]+"
)

# Tags as people write them.
_TAG: Final = (
    rf"<([A-Za-z_][-.:\w]*)(?:(?:[{_BLANKS}]+|(?<=[\"']))[A-Za-z_][-.:\w]*(?:[{_BLANKS}]*=[{_BLANKS}]*%s)?)*"
    rf"[{_BLANKS}]*(/?)>"
)
_OPEN: Final = lazy.pattern(_TAG % """(?:"[^"]*"|'[^']*')""", re.ASCII)
_VALUELESS: Final = lazy.pattern(_TAG % '"', re.ASCII)
# What may be refused in a tag, by itself or beside others.
_MAYBE_ENTITY: Final = lazy.pattern("&[A-Za-z0-9#]")
_RELATED: Final = lazy.pattern(r"(?:slot|let|class|style):")

# What glass-easel passes over in a tag, and in `<!...>`. Only ASCII is white space to it there, but any white
# space ends what it passes over, so that it hangs on others.
_UNICODE_SPACE: Final = "\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_JUNK: Final = lazy.pattern(rf"[^/>A-Za-z_\t-\r {_UNICODE_SPACE}]+")
_META_JUNK: Final = lazy.pattern(rf"[^>A-Za-z_\t-\r {_UNICODE_SPACE}]+")

_CONTROL: Final = frozenset(("wx:if", "wx:elif", "wx:else", "wx:for", "wx:for-items"))
_CSS_NAME: Final = lazy.pattern(r"[A-Za-z_-][-\w]*", re.ASCII)

#: What glass-easel calls an element with a colon in its name.
_PREFIXED: Final = "wx-x"


def read_glass_easel(source: str) -> Document:
    """Read as glass-easel does: what is not closed is closed, most of what is odd is passed over."""
    events: list[Event] = []
    reader = _Reader(source)
    refusals = reader.refusals
    outer: list[Tag] = []
    modules: set[str] = set()
    add, find = events.append, source.find
    size, position = len(source), 0
    while position < size:
        start = find("<", position)
        following = source[start + 1 : start + 2]
        if start != position or following not in _MARKUP:
            text = source[position:start]
            bound = False
            if start < 0 or following not in _MARKUP or "{{" in text:
                start, text, _, bound, _ = reader.content(position, _LANDMARK)
                following = source[start + 1 : start + 2]
            elif "&" in text or "\0" in text:
                text = reader.static(position, start)
            if start > position:
                if bound or text[:1] not in _BLANKS or text.strip(_BLANKS):
                    add(("text", position, start, None, text))
                    _want_no_child(outer, position, refusals)
                else:
                    add(("space", position, start, None, text))
                if start == size:
                    break
        if following == "/":
            name = outer[-1].name if outer else ""
            if name and source.startswith(name, start + 2) and source.startswith(">", start + 2 + len(name)):
                position = start + len(name) + 3
                add(("close", start, position, outer.pop(), ""))
                continue
            match = _IDENTIFIER.match(source, start + 2)
            name = match[0].lower() if match else ""
            name = _PREFIXED if ":" in name else name
            while outer and name and outer[-1].name.lower() != name:
                add(("close", start, start, outer.pop(), ""))
            if outer:
                position = reader.end_of_close_tag(match.end() if match else start + 2)
                add(("close", start, position, outer.pop(), ""))
            else:
                position = find(">", start) + 1 or size
        elif following == "!":
            if source.startswith("<!--", start):
                position = end_of_comment(source, start)
            elif _IDENTIFIER.match(source, start + 2):
                position = reader.tag(start, start + 2, meta=True)[1]
            else:
                position = start + 2  # glass-easel passes over `<!`
                continue
            add(("comment", start, position, None, ""))
            _want_no_child(outer, start, refusals)
        else:
            end = find(">", start) + 1
            text = source[start:end]
            if text.count('"') % 2 and (match := _OPEN.match(source, start)):  # `>` in a value
                text = match[0]
            tag = _usual_tag(text)
            if tag is not None:
                position = start + len(text)
            else:
                tag, position = reader.tag(start, start + 1)
            if tag.refusals:
                refusals += [Refusal(start + offset, message) for offset, message in tag.refusals]
            if tag.role == "script":
                position = reader.end_of_script(tag, position, modules)
                add(("script", start, position, tag, ""))
                continue
            add(("open", start, position, tag, ""))
            if tag.role not in {"define", "import"}:
                _want_no_child(outer, start, refusals)
            if not tag.self_closing:
                outer.append(tag)
    while outer:
        add(("close", size, size, outer.pop(), ""))
    return Document(events, refusals)


def _want_no_child(outer: list[Tag], offset: int, refusals: list[Refusal]) -> None:
    """Look at whether the innermost element may have the child that is at `offset`."""
    if (
        outer
        and not outer[-1].plain
        and (outer[-1].role in {"use", "include", "import"} or outer[-1].name == "slot")
    ):
        refusals.append(Refusal(offset, Message("`<{name}>` may have no children", name=outer[-1].name)))


class _Content(NamedTuple):
    """Text, or the value of an attribute, as glass-easel reads it."""

    end: int
    #: What it prints; bindings that use data as written, but sealed.
    text: str
    #: The value of an attribute, which keeps its type if it is one binding alone.
    value: Value
    #: Whether there is a binding with an expression in it.
    bound: bool
    #: Whether it depends on data.
    dynamic: bool


class _Reader:
    """Reads the parts of a source, and gathers what is refused in them."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.refusals: list[Refusal] = []

    def content(self, position: int, landmark: re.Pattern[str]) -> _Content:
        """Read text, or the value of an attribute, up to the landmark."""
        source = self._source
        parts: list[str] = []
        value: Value = ""
        bound = dynamic = False
        while True:
            match = landmark.search(source, position)
            end = match.start() if match else len(source)
            if end > position:
                value = self.static(position, end)
                parts.append(value)
            if match is None or match[0] != "{{":
                break
            binding, position = self._binding(end)
            if binding is None:
                end = position
                if position == len(source):
                    break
            elif not binding.empty:
                bound = True
                dynamic = dynamic or binding.text is None
                value = binding.value
                parts.append(printed(binding, source, end))
        text = "".join(parts)
        return _Content(end, text, value if len(parts) == 1 else text, bound, dynamic)

    def _binding(self, start: int) -> tuple[Binding | None, int]:
        """Read the binding at `start`, None if it is refused; say where to go on."""
        try:
            binding = read_binding(self._source, start, "glass-easel")
        except ExpressionError as error:
            self.refusals.append(Refusal(error.offset, error.message))
            end = self._source.find("}}", max(error.offset, start + 2))
            return None, len(self._source) if end < 0 else end + 2
        return binding, binding.end

    def static(self, start: int, end: int) -> str:
        """Read text without bindings."""
        text = self._source[start:end]
        try:
            return glass_easel_text(text)
        except EntityError as error:
            if not (end == len(self._source) and text.endswith("&#") and error.offset == len(text) - 2):
                self.refusals.append(
                    Refusal(start + error.offset, Message("`{entity}` is no entity", entity=error.entity))
                )
            return text

    def end_of_close_tag(self, position: int) -> int:
        """Say where a closing tag ends whose name ends at `position`."""
        end = self._source.find(">", position)
        if end < 0:
            return len(self._source)
        if self._source[position:end].strip(_BLANKS):
            self.refusals.append(Refusal(position, Message("a closing tag holds its name alone")))
        return end + 1

    def end_of_script(self, tag: Tag, body: int, modules: set[str]) -> int:
        """Say where a `<wxs>` ends whose tag ends at `body`."""
        match = None if tag.self_closing else _SCRIPT_END.search(self._source, body)
        end = body if tag.self_closing else len(self._source)
        content = self._source[body : match.start() if match else end]
        path, module = tag.attributes.get("src"), tag.attributes.get("module")
        if module and str(module.value) not in modules:
            modules.add(str(module.value))
            if path and path.value not in {"", ".wxs"} and content.strip(_BLANKS):
                self.refusals.append(Refusal(body, SCRIPT_HOLDS))
        return self.end_of_close_tag(match.end()) if match else end

    def tag(self, start: int, position: int, *, meta: bool = False) -> tuple[Tag, int]:
        """Read the tag at `start` whose name is at `position`, and say where it ends."""
        source = self._source
        name_end = end_of_match(_IDENTIFIER, source, position)
        name = source[position:name_end]
        name = _PREFIXED if ":" in name else name
        position = name_end
        attributes: list[Attribute] = []
        while True:
            position = end_of_match(_BLANK, source, position)
            character = source[position : position + 1]
            if not character or character == ">":
                if not character:
                    self.refusals.append(Refusal(start, NOT_CLOSED))
                return _tag(name, attributes, not character), position + len(character)
            if character == "/" and not meta:
                if source.startswith("/>", position):
                    return _tag(name, attributes, True), position + 2
                self.refusals.append(Refusal(position, Message("unexpected `{text}` in a tag", text="/")))
                position += 1
                continue
            match = _IDENTIFIER.match(source, position)
            if match:
                attribute = self._attribute(start, name, match)
                attributes.append(attribute)
                position = start + attribute.end
                continue
            junk = (_META_JUNK if meta else _JUNK).match(source, position)
            if junk is None:
                self.refusals.append(Refusal(position, Message("white space in a tag that is not of ASCII")))
            position = junk.end() if junk else position + 1

    def _attribute(self, tag: int, element: str, match: re.Match[str]) -> Attribute:
        """Read an attribute from its name on, in the tag at `tag`."""
        source, name = self._source, match[0]
        start, end = match.start() - tag, match.end() - tag
        equals = end_of_match(_BLANK, source, match.end())
        if not source.startswith("=", equals):
            return Attribute(name, start, end, None, True)
        first = end_of_match(_BLANK, source, equals + 1)
        quote = source[first : first + 1]
        if quote in _VALUE_END:
            last = source.find(quote, first + 1)
            if last >= 0 and (source.find("{{", first, last) < 0 or _holds_no_binding(element, name)):
                text = self.static(first + 1, last)
                return Attribute(name, start, last + 1 - tag, (first + 1 - tag, last - tag), text)
            content = self.content(first + 1, _VALUE_END[quote])
            span = (first + 1 - tag, content.end - tag)
            end = min(content.end + 1, len(source)) - tag
            return Attribute(name, start, end, span, content.value, content.dynamic, content.bound)
        if source.startswith("{{", first):
            binding, after = self._binding(first)
            dynamic = binding is None or binding.text is None
            value = "" if binding is None else binding.value
            return Attribute(name, start, after - tag, (first - tag, after - tag), value, dynamic, True)
        unquoted = _UNQUOTED.match(source, first) if first == equals + 1 else None
        if unquoted:
            span = (first - tag, unquoted.end() - tag)
            return Attribute(name, start, span[1], span, unquoted[0])
        return Attribute(name, start, first - tag, None, True)


@cached()
def _usual_tag(text: str) -> Tag | None:
    """Read a tag of which this is the whole text; None if it goes on."""
    accepted = _accepted_tag(text)
    if accepted is not None:
        return accepted
    reader = _Reader(text)
    tag, end = reader.tag(0, 1)
    if end < len(text) or (reader.refusals and reader.refusals[-1].message is NOT_CLOSED):
        return None
    tag.refusals = [*tag.refusals, *reader.refusals]
    return tag


def _accepted_tag(text: str) -> Tag | None:
    """Read a tag written as most are, of which glass-easel surely refuses nothing; None if it is not."""
    outside, values = apart(text)
    shape = _shape(outside)
    if shape is None or ("&" in text and _MAYBE_ENTITY.search(text)):
        return None
    if not all(accepts_bindings(value, "glass-easel") for value in values if "{{" in value):
        return None
    return Tag.unread(text, shape, _attributes)


@cached()
def _shape(text: str) -> Shape | None:
    """Read a tag that has one `"` in place of each value: None if it needs a closer look."""
    match = _VALUELESS.fullmatch(text) if len(text) < LONG else None
    if match is None:
        return None
    name, *all_names = names_in(text)
    names = frozenset(all_names)
    if len(names) < len(all_names) or ":" in name or name in SPECIAL or _RELATED.search(text):
        return None
    role: Role = "block" if name == "block" else "element"
    return Shape(name, names, role, match[2] == "/", plain=role == "element" and name != "slot")


def _attributes(text: str) -> Collection[Attribute]:
    """Read the attributes of a tag of which this is the whole text."""
    return _Reader(text).tag(0, 1)[0].attributes.values()


def _holds_no_binding(element: str, attribute: str) -> bool:
    """Tell whether glass-easel takes the value of an attribute for plain text."""
    return (
        _NO_BINDING.fullmatch(attribute) is not None
        or (attribute == "name" and element == "template")
        or (attribute == "src" and element in {"import", "include", "wxs"})
        or (attribute == "module" and element == "wxs")
    )


def _tag(name: str, attributes: Sequence[Attribute], self_closing: bool) -> Tag:
    """Make a tag of its attributes, and see what glass-easel refuses in it."""
    tag = Tag(name, attributes, self_closing, "glass-easel")
    tag.plain = tag.role == "element" and name != "slot"
    if not tag.attributes and tag.plain:
        return tag
    refusals: list[Refusal] = []
    tag.refusals = refusals
    refuse = refusals.append
    path = tag.attributes.get("src")
    if tag.role == "define" and not tag.has("name"):
        refuse(Refusal(0, Message("`<template>` has neither `name` nor `is`")))
    elif tag.role == "script" and not tag.has("module"):
        refuse(Refusal(0, Message("`<{name}>` has no `{attribute}`", name="wxs", attribute="module")))
    elif tag.role in {"include", "import"} and (path is None or path.value in {"", ".wxml", True}):
        refuse(Refusal(0, Message("`<{name}>` has no `{attribute}`", name=name, attribute="src")))
    prefixed = [name for name in tag.attributes if ":" in name]
    if tag.role in {"element", "block"} and not _CONTROL.isdisjoint(prefixed):
        for scope in prefixed:
            if scope.startswith("slot:") or (scope.startswith("let:") and name != "slot"):
                message = Message("`{name}` beside `wx:if` or `wx:for`", name=scope)
                refuse(Refusal(tag.attributes[scope].start, message))
    for whole in ("class", "style") if tag.plain else ():
        parts = [part[len(whole) + 1 :] for part in prefixed if part.startswith(f"{whole}:")]
        together = tag.attributes.get(whole)
        if parts and together and not _apart(whole, together, parts):
            other = f"{whole}:{parts[0]}"
            message = Message("`{one}` and `{other}` in one tag", one=whole, other=other)
            refuse(Refusal(together.start, message))
    return tag


def _apart(whole: str, attribute: Attribute, parts: list[str]) -> bool:
    """Tell whether `class` or `style` is static, well-formed, and apart from `class:…` or `style:…`."""
    if attribute.bound:
        return False
    text = str(attribute.value) if attribute.span else ""
    names = text.split() if whole == "class" else [rule.partition(":")[0].strip() for rule in text.split(";")]
    if whole == "style" and not names[-1]:
        names.pop()
    return all(map(_CSS_NAME.fullmatch, names)) and len({*names, *parts}) == len(names) + len(parts)

"""WXML source to elements and text with exact offsets, read the way the compiler of the target reads it.

`read` never raises and never recurses, and its time is linear in the size of the source. What it yields is
flat: one Event a tag, text, comment or script, in the order of the source, and the Refusals of the compiler.
Offsets count code points from the start of the source; those in a Tag count from the start of the tag, so
that tags written alike share one Tag.

How wcc (miniprogram-compiler 0.2.3) and glass-easel (glass-easel-template-compiler 1.1.0) read was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from wxtext.expressions import Binding, ExpressionError, read_binding
from wxtext.javascript import Value
from wxtext.semantics import Compiler, EntityError, glass_easel_text, wcc_attribute, wcc_text

#: Space is text of white space alone, which the compilers drop.
Kind = Literal["open", "close", "text", "space", "comment", "script"]

# What `text` must not take for text stands in a binding that data decide: it is sealed until all is laid out.
_SEALED: Final = {ord(character): 0xDC00 + ord(character) for character in " \t\r\n&"}
_SEALS: Final = {seal: character for character, seal in _SEALED.items()}


def seal(binding: str) -> str:
    """Protect the source of a binding from what is done to text."""
    return binding.translate(_SEALED)


def unseal(text: str) -> str:
    """Undo `seal` in a text that holds sealed bindings."""
    return text.translate(_SEALS)


class Refusal(NamedTuple):
    """Something that the compiler refuses, and where."""

    offset: int
    message: str


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
    #: Whether there is an expression in it (glass-easel).
    bound: bool = False
    #: What wcc says of the expressions in it.
    refusal: Refusal | None = None


#: What an element is to its compiler; `use` is `<template is>`, `define` any other `<template>`.
Role = Literal["element", "block", "define", "use", "import", "include", "script"]

_ROLES: Final[dict[str, Role]] = {
    "block": "block",
    "template": "define",
    "import": "import",
    "include": "include",
    "wxs": "script",
}


class Tag:
    """What a tag says, and what the compiler refuses in it."""

    __slots__ = ("attributes", "name", "refusals", "role", "self_closing")

    def __init__(self, name: str, attributes: Iterable[Attribute] = (), self_closing: bool = False) -> None:
        self.name = name
        self.attributes = {attribute.name: attribute for attribute in attributes}
        self.self_closing = self_closing
        self.role: Role = _ROLES.get(name, "element")
        if self.role == "define" and "is" in self.attributes and "name" not in self.attributes:
            self.role = "use"
        #: These count from the start of the tag.
        self.refusals: list[Refusal] = []

    def has(self, *names: str) -> bool:
        """Tell whether the tag has one of these attributes."""
        return not self.attributes.keys().isdisjoint(names)


class Event(NamedTuple):
    """One thing in the source, from `start` to `end`."""

    kind: Kind
    start: int
    end: int
    #: Of a tag; an element that is closed by no tag of its own gets an empty close event.
    tag: Tag | None = None
    #: Of text: the characters that the compiler makes of it; bindings that use data as written, but sealed.
    text: str = ""


class Document(NamedTuple):
    """What `read` gives."""

    events: list[Event]
    refusals: list[Refusal]


def read(source: str, compiler: Compiler) -> Document:
    """Read WXML as this compiler does. Nothing after what makes it give up is read."""
    return _WccReader(source).read() if compiler == "wcc" else _GlassEaselReader(source).read()


def position(source: str, offset: int) -> tuple[int, int]:
    """Turn an offset into a line and a column, both from 1, the column in code points."""
    line_start = source.rfind("\n", 0, offset) + 1
    return source.count("\n", 0, offset) + 1, offset - line_start + 1


class _Content(NamedTuple):
    """Text, or the value of an attribute, as the compiler reads it."""

    end: int
    #: What it prints; bindings that use data as written, but sealed.
    text: str
    #: The value of an attribute, which keeps its type if it is one binding alone.
    value: Value = ""
    #: Whether there is a binding with an expression in it.
    bound: bool = False
    #: Whether it depends on data.
    dynamic: bool = False


class _GivesUp(Exception):  # noqa: N818 - it ends the reading, which is no error here
    """The compiler stops here: the rest cannot be read."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(offset, message)
        self.refusal = Refusal(offset, message)


# --- wcc -------------------------------------------------------------------------------------------

_SPACE: Final = r"[ \t\r\n]"
_STRING: Final = r"""(?:"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*')"""

# Tags as people write them; all others go the slow way, token by token.
_WCC_ATTRIBUTE: Final = re.compile(rf"([-:\w]+)(?:{_SPACE}*={_SPACE}*({_STRING}))?", re.ASCII)
_WCC_OPEN: Final = re.compile(
    rf"<([A-Za-z_:-][-:\w]*)((?:(?:{_SPACE}+|(?<=[\"']))[A-Za-z_:-][-:\w]*(?:{_SPACE}*={_SPACE}*{_STRING})?)*)"
    rf"{_SPACE}*(/?)>",
    re.ASCII,
)
_WCC_CLOSE: Final = re.compile(rf"</{_SPACE}*([A-Za-z_:-][-:\w]*){_SPACE}*>", re.ASCII)
_WCC_SCRIPT: Final = re.compile(rf"<wxs(?={_SPACE}|>)")
_WCC_SCRIPT_END: Final = re.compile(rf"</wxs{_SPACE}*")
_WCC_MODULE: Final = re.compile(r"(?!\d)\w*", re.ASCII)

# In text, `{` takes the next character with it, even a `<`.
_WCC_BRACE: Final = re.compile(r"\{\{|\{.?|<", re.DOTALL)

_WCC_NUL: Final = re.compile("\0[^\n]*\n?")
_WCC_NAME: Final = re.compile(r"[-:\w]+", re.ASCII)
_WCC_NAME_START: Final = re.compile(r"[-:A-Za-z_]")
_WCC_BLANK: Final = re.compile(rf"{_SPACE}+")
_WCC_STRING: Final = re.compile(_STRING)
_WCC_UNQUOTED: Final = re.compile(r'[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"')


class _Element:
    """An element that is open, or the root: what wcc goes on to ask of its children."""

    __slots__ = ("checked", "conditional", "start", "tag")

    def __init__(self, tag: Tag, start: int, checked: bool) -> None:
        self.tag = tag
        self.start = start
        #: Whether expressions and conditions inside it are looked at.
        self.checked = checked
        #: Whether `wx:else` may follow the last child.
        self.conditional = False


class _WccReader:
    """Reads as wcc does: tokens first, then tags that must balance, then conditions and expressions."""

    def __init__(self, source: str) -> None:
        # wcc reads lines as C strings. (Offsets behind a NUL are therefore too small.)
        self._source = _WCC_NUL.sub("", source) if "\0" in source else source
        self._events: list[Event] = []
        self._refusals: list[Refusal] = []
        self._element = _Element(Tag("root"), 0, True)
        self._outer: list[_Element] = []
        self._tags: dict[str, Tag] = {}

    def read(self) -> Document:
        try:
            self._read()
            if self._outer:
                raise _GivesUp(self._element.start, f"`<{self._element.tag.name}>` is never closed")
        except _GivesUp as end:
            self._refusals.append(end.refusal)
        return Document(self._events, self._refusals)

    def _read(self) -> None:
        source, events = self._source, self._events
        size, position = len(source), 0
        while position < size:
            end = source.find("<", position)
            if end < 0:
                end = size
            if end > position:
                if source.find("{", position, end) >= 0:
                    end, text = self._braces(position)
                else:
                    text = self._static(position, end)
                if source[position:end].strip(" \t\r\n"):
                    events.append(Event("text", position, end, None, text))
                    self._element.conditional = False
                else:
                    events.append(Event("space", position, end, None, text))
                position = end
                if position == size:
                    break
            position = self._markup(position)

    def _static(self, start: int, end: int) -> str:
        text = self._source[start:end]
        return wcc_text(text.replace("\r\n", "\n") if "\r" in text else text)

    def _braces(self, position: int) -> tuple[int, str]:
        """Read text with `{` in it: where it ends, and what it is."""
        source = self._source
        parts: list[str] = []
        start = position
        while match := _WCC_BRACE.search(source, position):
            position = match.end()
            if match[0] == "<":
                position = match.start()
                break
            if match[0] != "{{":
                continue
            parts.append(self._static(start, match.start()))
            try:
                binding = read_binding(source, match.start(), "wcc")
            except ExpressionError as error:
                if error.end is None:
                    raise _GivesUp(error.offset, error.message) from None
                if self._element.checked:
                    self._refusals.append(Refusal(error.offset, error.message))
                position = start = error.end
                continue
            parts.append(seal(source[match.start() : binding.end]) if binding.text is None else binding.text)
            position = start = binding.end
        else:
            position = len(source)
        parts.append(self._static(start, position))
        return position, "".join(parts)

    def _markup(self, start: int) -> int:
        """Read the tag, comment or script at `start`; give the offset after it."""
        source = self._source
        following = source[start + 1 : start + 2]
        if following == "/":
            return self._close_tag(start)
        if following == "!":
            if not source.startswith("<!--", start):
                raise _GivesUp(start, "`<!` begins no comment")
            end = source.find("-->", start + 4) + 3
            end = len(source) if end < 3 else end
            self._events.append(Event("comment", start, end))
            return end
        if following == "w" and _WCC_SCRIPT.match(source, start):
            return self._script(start)
        match = _WCC_OPEN.match(source, start)
        if match:
            end = match.end()
            tag = self._tags.get(match[0])
            if tag is None:
                tag = self._tags[match[0]] = _usual_tag(match)
        else:
            tag, end = self._odd_tag(start)
        self._open_tag(tag, start)
        self._events.append(Event("open", start, end, tag))
        return end

    def _open_tag(self, tag: Tag, start: int) -> None:
        parent = self._element
        if tag.name.startswith("wx-"):
            raise _GivesUp(start + 1, "names that begin with `wx-` are WeChat's own")
        if parent.checked:
            for offset, message in tag.refusals:
                self._refusals.append(Refusal(start + offset, message))
            loops = _loops(tag)
            if tag.has("wx:elif", "wx:else") and (loops or not parent.conditional):
                self._refusals.append(Refusal(start, "`wx:elif` or `wx:else` without `wx:if` before it"))
            parent.conditional = not loops and tag.has("wx:if", "wx-if", "wx:elif")
        if not tag.self_closing:
            self._outer.append(parent)
            checked = tag.role == "define" or (parent.checked and tag.role in {"element", "block", "script"})
            self._element = _Element(tag, start, checked)

    def _close_tag(self, start: int) -> int:
        if not self._outer:
            raise _GivesUp(start, "a closing tag without an opening one")
        opened = self._element.tag
        match = _WCC_CLOSE.match(self._source, start)
        if match:
            name, end, bare = match[1], match.end(), True
        else:
            tokens = self._tokens(start + 2, start + 2)
            end = tokens[-1][1]
            name = self._source[slice(*tokens[0])]
            bare = len(tokens) == 2 and self._source[slice(*tokens[1])] == ">"
        if name != opened.name:
            raise _GivesUp(start, f"`</{opened.name}>` is due here")
        if not bare:
            raise _GivesUp(start, "a closing tag holds its name alone")
        self._element = self._outer.pop()
        self._events.append(Event("close", start, end, opened))
        return end

    def _script(self, start: int) -> int:
        source = self._source
        body = source.find(">", start) + 1
        end = body
        if body and source[body - 2] != "/":
            match = _WCC_SCRIPT_END.search(source, body)
            if match and not source.startswith(">", match.end()):
                raise _GivesUp(match.end(), "unexpected character in `</wxs>`")
            end = match.end() + 1 if match else 0
        if not end:  # what is not closed swallows the rest, and is not looked at
            self._events.append(Event("script", start, len(source)))
            return len(source)
        tag, tag_end = self._odd_tag(start)
        if tag_end != body:
            raise _GivesUp(start, "`>` in an attribute of `<wxs>`")
        module = tag.attributes.get("module")
        if module is None:
            self._refusals.append(Refusal(start, "`<wxs>` has no `module`"))
        elif module.span and not _WCC_MODULE.fullmatch(source, *(start + offset for offset in module.span)):
            self._refusals.append(Refusal(start + module.start, "this is no name for a module"))
        self._events.append(Event("script", start, end, tag))
        return end

    def _odd_tag(self, start: int) -> tuple[Tag, int]:
        """Read a tag that is written in no usual way, or is refused."""
        source = self._source
        following = source[start + 1 : start + 2]
        if following and following in " \t\r\n":
            tokens = self._tokens(start + 2, start + 2)
        elif _WCC_NAME_START.match(following):
            tokens = self._tokens(start + 1, start + 1)
        else:
            raise _GivesUp(start, "`<` begins no tag")
        words = [source[first:last] for first, last in tokens]
        if words[-1] not in {">", "/>"} or len(words) < 2:
            raise _GivesUp(tokens[-1][0], f"unexpected `{words[-1]}` in a tag")
        attributes: dict[str, Attribute] = {}
        index = 1
        while index < len(words) - 1:
            name, (first, last) = words[index], tokens[index]
            if not _WCC_NAME.fullmatch(name):
                raise _GivesUp(first, f"`{name}` is not the name of an attribute")
            index += 1
            if words[index] != "=":
                attributes[name] = Attribute(name, first - start, last - start, None, True)
                continue
            index += 1
            if words[index][-1] in "\"'":
                value = source[slice(*tokens[index])]
                value_start = tokens[index][0] - start
                attributes[name] = _wcc_attribute(words[0], name, first - start, value_start, value)
                index += 1
        return _wcc_tag(words[0], attributes.values(), words[-1] == "/>"), tokens[-1][1]

    def _tokens(self, start: int, position: int) -> list[tuple[int, int]]:
        """Split the rest of a tag as wcc does, `start` being where the first token begins.

        After a name wcc takes any one character into the next token, and drops it if white space follows.
        """
        source, tokens = self._source, []
        in_name = False
        while True:
            character = source[position : position + 1]
            if in_name:
                position = _WCC_NAME.match(source, position).end()  # type: ignore[union-attr]
                character = source[position : position + 1]
                tokens.append((start, position))
                start = position
                in_name = False
                if character == '"' or not character.isascii():
                    raise _GivesUp(position, f"unexpected `{character}` in a tag")
                if character and character not in " \t\r\n/=>":
                    position += 1
                    character = source[position : position + 1]
            if not character:
                raise _GivesUp(len(source), "a tag is not closed")
            if character in " \t\r\n":
                position = start = _WCC_BLANK.match(source, position).end()  # type: ignore[union-attr]
            elif character in "\"'":
                match = _WCC_STRING.match(source, position)
                if match is None:
                    raise _GivesUp(position, "the value of an attribute is not closed, or holds a line break")
                tokens.append((start, match.end()))
                start = position = match.end()
            elif character == ">" or source.startswith("/>", position):
                tokens.append((start, position + (1 if character == ">" else 2)))
                return tokens
            elif character == "=":
                position += 1
                tokens.append((start, position))
                start = position
                character = source[position : position + 1]
                if _WCC_NAME_START.match(character):
                    match = _WCC_UNQUOTED.match(source, position)
                    if match is None:
                        raise _GivesUp(position, "the value of an attribute has no quotes")
                    tokens.append((start, match.end()))
                    start = position = match.end()
                elif not character or character not in "\"' \t\r\n":
                    raise _GivesUp(position, "the value of an attribute is missing")
            elif _WCC_NAME_START.match(character):
                in_name = True
            else:
                raise _GivesUp(position, f"unexpected `{character}` in a tag")


def _usual_tag(match: re.Match[str]) -> Tag:
    """Read a tag that _WCC_OPEN matches."""
    attributes: list[Attribute] = []
    start = match.start()
    for found in _WCC_ATTRIBUTE.finditer(match.string, *match.span(2)):
        name, value = found.groups()
        if value is None:
            attributes.append(Attribute(name, found.start() - start, found.end() - start, None, True))
        else:
            value_start = found.start(2) - start
            attributes.append(_wcc_attribute(match[1], name, found.start() - start, value_start, value))
    return _wcc_tag(match[1], attributes, bool(match[3]))


def _wcc_tag(name: str, attributes: Iterable[Attribute], self_closing: bool) -> Tag:
    """Make the tag of these attributes, of which wcc keeps the last of a name; see what wcc refuses in it."""
    tag = Tag(name, attributes, self_closing)
    loops = _loops(tag)
    for attribute in tag.attributes.values():
        control = attribute.name in _CONDITIONS or (loops and attribute.name in _LOOP)
        if attribute.span is None and control and attribute.name in _NEED_VALUE:
            tag.refusals.append(Refusal(attribute.start, f"`{attribute.name}` needs a value"))
        elif attribute.refusal and (
            control
            or (tag.role == "element" and not (loops and attribute.name == "wx:for-item"))
            or (tag.role == "use" and attribute.name in {"is", "data"})
        ):
            tag.refusals.append(attribute.refusal)
    conditions = [name for name in ("wx:if", "wx:elif", "wx:else") if tag.has(name)]
    if len(conditions) > 1:
        tag.refusals.append(Refusal(0, f"`{conditions[0]}` and `{conditions[1]}` in one tag"))
    return tag


_CONDITIONS: Final = frozenset(("wx:if", "wx-if", "wx:elif", "wx:else"))
_LOOP: Final = frozenset(("wx:for", "wx:for-items", "wx:for-index", "wx:key"))
_NEED_VALUE: Final = frozenset(("wx:if", "wx-if", "wx:elif", "wx:for", "wx:for-items"))


def _loops(tag: Tag) -> bool:
    """Tell whether wcc repeats the element, within which a condition is then alone."""
    return tag.role not in {"define", "import"} and tag.has("wx:for", "wx:for-items")


def _wcc_attribute(element: str, name: str, start: int, value_start: int, value: str) -> Attribute:
    """Read an attribute from its name, at `start`, and its value with quotes, at `value_start`."""
    opened = value[0] in "\"'"
    span = (value_start + opened, value_start + len(value) - 1)
    text = wcc_attribute(value[opened:-1])
    refusal = None
    constant: Value = text
    dynamic = False
    data = element == "template" and name == "data" and text != ""
    if data or "{{" in text:
        try:
            constant, dynamic = _wcc_value(text, data)
        except ExpressionError as error:
            if name != "is" or element != "template" or error.end is None:
                refusal = Refusal(min(span[0] + error.offset, span[1]), error.message)
            dynamic = True
    return Attribute(name, start, span[1] + 1, span, constant, dynamic, refusal=refusal)


def _wcc_value(text: str, data: bool) -> tuple[Value, bool]:
    """Read the value of an attribute with bindings: its constant value, and whether it depends on data.

    Raises ExpressionError, also if `data` of a `<template is>` is not one expression.
    """
    values: list[Value] = []
    prints: list[str] = []
    expressions = position = 0
    dynamic = False
    while True:
        start = text.find("{{", position)
        static = wcc_text(text[position : start if start >= 0 else len(text)])
        if static:
            values.append(static)
            prints.append(static)
        if start < 0:
            break
        binding = read_binding(text, start, "wcc", data=data)
        position = binding.end
        expressions += text[start + 2 : position - 2].strip(" \t") != ""
        if binding.text is None:
            dynamic = True
        elif not binding.empty:
            values.append(binding.value)
            prints.append(binding.text)
    if data and expressions != 1:
        raise ExpressionError("`data` must hold one binding", 0, len(text))
    return (values[0] if len(values) == 1 else "".join(prints)), dynamic


# --- glass-easel -----------------------------------------------------------------------------------

_BLANKS: Final = " \t\n\v\f\r"
_BLANK: Final = re.compile(f"[{_BLANKS}]*")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][-.:\w]*", re.ASCII)

# Where text may end, or a binding begin.
_LANDMARK: Final = re.compile(r"<(?=[/!A-Za-z_])|\{\{")
_TO_QUOTE: Final = {quote: re.compile(rf"{quote}|\{{\{{") for quote in "\"'"}
_QUOTES: Final = {quote: re.compile(quote) for quote in "\"'"}
_UNQUOTED: Final = re.compile(r"[-.\w]+", re.ASCII)

# What glass-easel passes over in a tag, in `<!...>` also a `/`. It takes only ASCII for white space there, but
# white space of Unicode for the end of what it passes over, so that it hangs on it.
_UNICODE_SPACE: Final = "\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_NO_NAME: Final = re.compile(rf"[^/>A-Za-z_\t-\r {_UNICODE_SPACE}]+")
_NO_NAME_META: Final = re.compile(rf"[^>A-Za-z_\t-\r {_UNICODE_SPACE}]+")

_SCRIPT_END: Final = re.compile(r"</wxs(?![-.\w])", re.ASCII)

# Tags without anything that must be looked into; all others are read attribute by attribute.
_PLAIN_TAG: Final = re.compile(
    r"""<(?P<name>[A-Za-z_][-.\w]*)"""
    r"""(?:[ \t\n\v\f\r]+[A-Za-z_][-.:\w]*(?:=(?:"(?:[^"{&]|\{(?!\{))*"|'(?:[^'{&]|\{(?!\{))*'))?)*"""
    r"""[ \t\n\v\f\r]*/?>""",
    re.ASCII,
)


class _GlassEaselReader:
    """Reads as glass-easel does: what is not closed is closed, most of what is odd is passed over."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._events: list[Event] = []
        self._refusals: list[Refusal] = []
        self._open: list[Tag] = []
        self._tags: dict[str, Tag] = {}
        self._modules: set[str] = set()

    def read(self) -> Document:
        source, events = self._source, self._events
        size, position = len(source), 0
        while position < size:
            end, text, _, bound, _ = self._content(position, _LANDMARK)
            if bound or text.strip(_BLANKS):
                self._child(position)
                events.append(Event("text", position, end, None, text))
            elif end > position:
                events.append(Event("space", position, end, None, text))
            position = end
            if position < size:
                position = self._markup(position)
        while self._open:
            self._end_element(size)
        return Document(events, self._refusals)

    def _end_element(self, offset: int) -> None:
        """End the innermost element, which no tag of its own closes."""
        self._events.append(Event("close", offset, offset, self._open.pop()))

    def _child(self, offset: int) -> None:
        """Look at whether the innermost element may have the child that is at `offset`."""
        if self._open:
            parent = self._open[-1]
            if parent.role in {"use", "include", "import"} or parent.name == "slot":
                self._refusals.append(Refusal(offset, f"`<{parent.name}>` may have no children"))

    def _content(self, position: int, landmark: re.Pattern[str]) -> _Content:
        """Read text, or the value of an attribute, up to the landmark."""
        source = self._source
        parts: list[str] = []
        value: Value = ""
        bound = dynamic = False
        while True:
            match = landmark.search(source, position)
            end = match.start() if match else len(source)
            if end > position:
                value = self._static(position, end)
                parts.append(value)
            if match is None or match[0] != "{{":
                break
            binding, position = self._binding(end)
            if binding is None:
                end = position
                if position == len(source):
                    break
                continue
            if not binding.empty:
                bound = True
                dynamic = dynamic or binding.text is None
                value = binding.value
                parts.append(seal(source[end:position]) if binding.text is None else binding.text)
        text = "".join(parts)
        return _Content(end, text, value if len(parts) == 1 else text, bound, dynamic)

    def _binding(self, start: int) -> tuple[Binding | None, int]:
        """Read the binding at `start`, None if it is refused; give the offset where to go on."""
        try:
            binding = read_binding(self._source, start, "glass-easel")
        except ExpressionError as error:
            self._refusals.append(Refusal(error.offset, error.message))
            end = self._source.find("}}", max(error.offset, start + 2))
            return None, len(self._source) if end < 0 else end + 2
        return binding, binding.end

    def _static(self, start: int, end: int) -> str:
        text = self._source[start:end]
        try:
            return glass_easel_text(text)
        except EntityError as error:
            if end == len(self._source) and text.endswith("&#") and error.offset == len(text) - 2:
                return text
            self._refusals.append(Refusal(start + error.offset, f"`{error.entity}` is no entity"))
            return text

    def _markup(self, start: int) -> int:
        source = self._source
        following = source[start + 1]
        if following == "/":
            return self._close_tag(start)
        if following == "!":
            if source.startswith("<!--", start):
                end = source.find("-->", start + 4) + 3
                end = len(source) if end < 3 else end
            elif _IDENTIFIER.match(source, start + 2):
                _, end = self._tag(start, start + 2, meta=True)
            else:
                return start + 2  # glass-easel passes over `<!`
            self._child(start)
            self._events.append(Event("comment", start, end))
            return end
        match = _PLAIN_TAG.match(source, start)
        if match is None:
            tag, end = self._tag(start, start + 1)
        else:
            end = match.end()
            found = self._tags.get(match[0])
            if found is None:
                found = self._tags[match[0]] = self._tag(start, start + 1)[0]
            tag = found
        for offset, message in tag.refusals:
            self._refusals.append(Refusal(start + offset, message))
        if tag.role == "script":
            return self._script(tag, start, end)
        if tag.role not in {"define", "import"}:
            self._child(start)
        self._events.append(Event("open", start, end, tag))
        if not tag.self_closing:
            self._open.append(tag)
        return end

    def _script(self, tag: Tag, start: int, body: int) -> int:
        source = self._source
        end = body
        if not tag.self_closing:
            match = _SCRIPT_END.search(source, body)
            end = self._after_closing(match.end()) if match else len(source)
            module, path = tag.attributes.get("module"), tag.attributes.get("src")
            content = source[body : match.start() if match else end]
            new = module is not None and module.value not in self._modules
            if new and path and path.value not in {"", ".wxs"} and content.strip(_BLANKS):
                self._refusals.append(Refusal(body, "`<wxs>` with `src` may hold nothing"))
        if "module" in tag.attributes:
            self._modules.add(str(tag.attributes["module"].value))
        self._events.append(Event("script", start, end, tag))
        return end

    def _after_closing(self, position: int) -> int:
        """Say where a closing tag ends whose name ends at `position`."""
        end = self._source.find(">", position)
        if end < 0:
            return len(self._source)
        if self._source[position:end].strip(_BLANKS):
            self._refusals.append(Refusal(position, "a closing tag holds its name alone"))
        return end + 1

    def _close_tag(self, start: int) -> int:
        match = _IDENTIFIER.match(self._source, start + 2)
        name = match[0].lower() if match else ""
        if ":" in name:
            name = _PREFIXED
        while self._open:
            innermost = self._open[-1]
            if not name or innermost.name.lower() == name:
                end = self._after_closing(match.end() if match else start + 2)
                self._events.append(Event("close", start, end, self._open.pop()))
                return end
            self._end_element(start)
        end = self._source.find(">", start) + 1
        return end or len(self._source)

    def _tag(self, start: int, position: int, *, meta: bool = False) -> tuple[Tag, int]:
        """Read the tag at `start` whose name is at `position`: the tag, and the offset after it."""
        source = self._source
        match = _IDENTIFIER.match(source, position)
        assert match is not None
        name = _PREFIXED if ":" in match[0] else match[0]
        position = match.end()
        attributes: dict[str, Attribute] = {}
        while True:
            position = _BLANK.match(source, position).end()  # type: ignore[union-attr]
            if position == len(source):
                self._refusals.append(Refusal(start, "a tag is not closed"))
                return _glass_easel_tag(name, attributes.values(), True), position
            if source[position] == ">":
                return _glass_easel_tag(name, attributes.values(), False), position + 1
            if source[position] == "/" and not meta:
                if source.startswith("/>", position):
                    return _glass_easel_tag(name, attributes.values(), True), position + 2
                self._refusals.append(Refusal(position, "unexpected `/` in a tag"))
                position += 1
                continue
            match = _IDENTIFIER.match(source, position)
            if match is None:
                junk = (_NO_NAME_META if meta else _NO_NAME).match(source, position)
                if junk is None:
                    self._refusals.append(
                        Refusal(position, "white space that the compiler hangs on, in a tag")
                    )
                    position += 1
                else:
                    position = junk.end()
                continue
            attribute = self._attribute(start, name, match)
            attributes.setdefault(attribute.name, attribute)
            position = start + attribute.end

    def _attribute(self, tag: int, element: str, match: re.Match[str]) -> Attribute:
        source, name = self._source, match[0]
        start, position = match.span()
        equals = _BLANK.match(source, position).end()  # type: ignore[union-attr]
        if not source.startswith("=", equals):
            return Attribute(name, start - tag, position - tag, None, True)
        first = _BLANK.match(source, equals + 1).end()  # type: ignore[union-attr]
        quote = source[first : first + 1]
        if quote in _TO_QUOTE:
            landmark = _QUOTES[quote] if _holds_no_binding(element, name) else _TO_QUOTE[quote]
            content = self._content(first + 1, landmark)
            span = (first + 1 - tag, content.end - tag)
            end = min(content.end + 1, len(source)) - tag
            return Attribute(name, start - tag, end, span, content.value, content.dynamic, content.bound)
        if source.startswith("{{", first):
            binding, end = self._binding(first)
            span = (first - tag, end - tag)
            if binding is None or binding.text is None:
                return Attribute(name, start - tag, end - tag, span, None, True, True)
            return Attribute(name, start - tag, end - tag, span, binding.value)
        unquoted = _UNQUOTED.match(source, equals + 1) if first == equals + 1 else None
        if unquoted:
            span = (unquoted.start() - tag, unquoted.end() - tag)
            return Attribute(name, start - tag, unquoted.end() - tag, span, unquoted[0])
        return Attribute(name, start - tag, first - tag, None, "")


def _glass_easel_tag(name: str, attributes: Iterable[Attribute], self_closing: bool) -> Tag:
    """Make the tag of these attributes, of which glass-easel keeps the first of a name; see what is refused."""
    tag = Tag(name, attributes, self_closing)
    refuse = tag.refusals.append
    path = tag.attributes.get("src")
    if tag.role == "define" and not tag.has("name"):
        refuse(Refusal(0, "`<template>` has neither `name` nor `is`"))
    elif tag.role == "script" and not tag.has("module"):
        refuse(Refusal(0, "`<wxs>` has no `module`"))
    elif tag.role in {"include", "import"} and (path is None or path.value in {"", ".wxml", True}):
        refuse(Refusal(0, f"`<{name}>` has no `src`"))
    if tag.has("wx:if", "wx:elif", "wx:else", "wx:for", "wx:for-items"):
        for attribute in tag.attributes.values():
            scope = _SCOPE.fullmatch(attribute.name)
            if scope and tag.role in ({"element", "block"}) and (name != "slot" or scope[1] == "slot"):
                refuse(Refusal(attribute.start, f"`{attribute.name}` beside `wx:if` or `wx:for`"))
    if tag.role == "element" and name != "slot":
        for whole in ("class", "style"):
            parts = [part[len(whole) + 1 :] for part in tag.attributes if _PART[whole].fullmatch(part)]
            together = tag.attributes.get(whole)
            if parts and together and not _apart(whole, together, parts):
                refuse(Refusal(together.start, f"`{whole}` does not go with `{whole}:{parts[0]}`"))
    return tag


_SCOPE: Final = re.compile("(slot|let):[^:]+")
_PART: Final = {whole: re.compile(f"{whole}:[^:]+") for whole in ("class", "style")}
_CSS_NAME: Final = re.compile(r"[A-Za-z_-][-\w]*", re.ASCII)


def _apart(whole: str, attribute: Attribute, parts: list[str]) -> bool:
    """Tell whether `class` or `style` is static, well-formed, and apart from `class:…` or `style:…`."""
    if attribute.bound:
        return False
    text = str(attribute.value) if attribute.span else ""
    names = text.split() if whole == "class" else [rule.partition(":")[0].strip() for rule in text.split(";")]
    if whole == "style" and not names[-1]:
        names.pop()
    return all(map(_CSS_NAME.fullmatch, names)) and len({*names, *parts}) == len(names) + len(parts)


def _holds_no_binding(element: str, attribute: str) -> bool:
    """Tell whether glass-easel takes the value of an attribute for plain text."""
    return (
        _NO_BINDING.fullmatch(attribute) is not None
        or (attribute == "name" and element == "template")
        or (attribute == "src" and element in {"import", "include", "wxs"})
        or (attribute == "module" and element == "wxs")
    )


_NO_BINDING: Final = re.compile(
    r"wx:(?:else|for-index|for-item|key)|(?:worklet|generic|extra-attr|slot):[^:]+"
)

#: What glass-easel calls an element with a colon in its name.
_PREFIXED: Final = "wx-x"

"""WXML source to elements and text with exact offsets, read the way the compiler of the target reads it.

`read` never raises and never recurses, and its time is linear in the size of the source. What it yields is
flat: one Event a tag, text, comment or script, in the order of the source, and the Refusals of the compiler.
Offsets count code points from the start of the source; those in a Tag count from the start of the tag, so
that tags written alike share one Tag.

How wcc (miniprogram-compiler 0.2.3) and glass-easel (glass-easel-template-compiler 1.1.0) read was measured.
Of what they refuse, only faults in the JavaScript of `<wxs>` and in files that others refer to are left out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from wxtext.expressions import Binding, ExpressionError, Message, read_binding
from wxtext.javascript import Value
from wxtext.semantics import Compiler, EntityError, glass_easel_text, wcc_attribute, wcc_text

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


class Tag:
    """What a tag says, and what the compiler refuses in it. Not to be changed: many places share it.

    Of attributes with one name wcc keeps the last, glass-easel the first.
    """

    __slots__ = ("attributes", "dropped", "name", "plain", "refusals", "role", "self_closing")

    def __init__(
        self, name: str, attributes: Sequence[Attribute], self_closing: bool, compiler: Compiler
    ) -> None:
        self.name = name
        self.self_closing = self_closing
        #: By name.
        self.attributes = {attribute.name: attribute for attribute in attributes}
        #: The others with the same names.
        self.dropped: list[Attribute] = []
        if len(attributes) > len(self.attributes):
            if compiler == "glass-easel":
                for attribute in reversed(attributes):
                    self.attributes[attribute.name] = attribute
            kept = self.attributes.values()
            self.dropped = [attribute for attribute in attributes if attribute not in kept]
        self.role: Role = _ROLES.get(name, "element")
        if self.role == "define" and "is" in self.attributes and "name" not in self.attributes:
            self.role = "use"
        #: Their offsets count from the start of the tag.
        self.refusals: list[Refusal] = []
        #: Whether nothing of it needs a look at what is around it.
        self.plain = False

    def has(self, *names: str) -> bool:
        """Tell whether the tag has one of these attributes."""
        return not self.attributes.keys().isdisjoint(names)


#: Kind, start, end, the tag, the text. An element that no tag of its own closes gets an empty close event. A
#: text is the characters that the compiler makes of it, with bindings that use data as written, but sealed.
Event: TypeAlias = "tuple[Kind, int, int, Tag | None, str]"


class Document(NamedTuple):
    """What `read` gives."""

    events: list[Event]
    refusals: list[Refusal]


def read(source: str, compiler: Compiler) -> Document:
    """Read WXML as this compiler does. Nothing after what makes it give up is read."""
    return _read_wcc(source) if compiler == "wcc" else _read_glass_easel(source)


def position(source: str, offset: int) -> tuple[int, int]:
    """Turn an offset into a line and a column, both from 1, the column in code points."""
    line_start = source.rfind("\n", 0, offset) + 1
    return source.count("\n", 0, offset) + 1, offset - line_start + 1


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


def _printed(binding: Binding, source: str, start: int) -> str:
    """Give what a binding prints: itself, sealed, if data decide."""
    return seal(source[start : binding.end]) if binding.text is None else binding.text


class _GivesUp(Exception):  # noqa: N818 - it ends the reading, which is no error here
    """The compiler stops here: the rest cannot be read."""

    def __init__(self, offset: int, message: Message) -> None:
        super().__init__(offset, message)
        self.refusal = Refusal(offset, message)


_NOT_CLOSED: Final = Message("a tag is not closed")

# Longer tags are not kept for the next time.
_LONG: Final = 500


# --- wcc -------------------------------------------------------------------------------------------

_WCC_BLANKS: Final = " \t\r\n"
_SPACE: Final = rf"[{_WCC_BLANKS}]"
_STRING: Final = r"""(?:"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*')"""

# Tags as people write them; all others go the slow way, token by token.
_WCC_OPEN: Final = re.compile(
    rf"<([A-Za-z_:-][-:\w]*)((?:(?:{_SPACE}+|(?<=[\"']))[A-Za-z_:-][-:\w]*(?:{_SPACE}*={_SPACE}*{_STRING})?)*)"
    rf"{_SPACE}*(/?)>",
    re.ASCII,
)
_WCC_ATTRIBUTE: Final = re.compile(rf"([-:\w]+)(?:{_SPACE}*={_SPACE}*({_STRING}))?", re.ASCII)
_WCC_CLOSE: Final = re.compile(rf"</{_SPACE}*([A-Za-z_:-][-:\w]*){_SPACE}*>", re.ASCII)
_WCC_SCRIPT: Final = re.compile(rf"<wxs(?={_SPACE}|>)")
_WCC_SCRIPT_END: Final = re.compile(rf"</wxs{_SPACE}*")
_WCC_MODULE: Final = re.compile(r"(?!\d)\w*", re.ASCII)

# In text, `{` takes the next character with it, even a `<`.
_WCC_BRACE: Final = re.compile(r"\{\{|\{.?|<", re.DOTALL)

_WCC_NUL: Final = re.compile("\0[^\n]*\n?")
_WCC_NAME: Final = re.compile(r"[-:\w]+", re.ASCII)
_WCC_NAME_START: Final = re.compile(r"[-:A-Za-z_]")
_WCC_SPACE: Final = re.compile(rf"{_SPACE}+")
_WCC_STRING: Final = re.compile(_STRING)
_WCC_UNQUOTED: Final = re.compile(r'[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"')

_CONDITIONS: Final = frozenset(("wx:if", "wx-if", "wx:elif", "wx:else"))
_LOOP: Final = frozenset(("wx:for", "wx:for-items", "wx:for-index", "wx:key"))
_NEED_VALUE: Final = frozenset(("wx:if", "wx-if", "wx:elif", "wx:for", "wx:for-items"))

# wcc copies these into a JavaScript string as they are.
_COPIED: Final = frozenset(("wx:for-item", "wx:for-index", "wx:key"))
_BREAKS_STRING: Final = re.compile(r"['\n\r]|\\\Z")
_BROKEN: Final = Message("with this the compiler writes broken code")


def _read_wcc(source: str) -> Document:
    """Read as wcc does: tokens first, then tags that must balance, then conditions and expressions."""
    if "\0" in source:  # wcc reads each line as a C string; offsets behind it are therefore too small
        source = _WCC_NUL.sub("", source)
    events: list[Event] = []
    refusals: list[Refusal] = []
    element, element_start = Tag("", (), False, "wcc"), 0  # the innermost that is open
    checked = True  # whether wcc looks at conditions and expressions in it
    conditional = False  # whether `wx:else` may follow its last child
    outer: list[tuple[Tag, int, bool, bool]] = []
    size, position = len(source), 0
    try:
        while position < size:
            start = source.find("<", position)
            if start < 0:
                start = size
            if start > position:
                if source.find("{", position, start) >= 0:
                    start, text, wrong = _wcc_braces(source, position)
                    if checked and wrong:
                        refusals += wrong
                else:
                    text = source[position:start]
                    if "\\" in text or "\r" in text:
                        text = _wcc_static(text)
                if source[position] in _WCC_BLANKS and not source[position:start].strip(_WCC_BLANKS):
                    events.append(("space", position, start, None, text))
                else:
                    events.append(("text", position, start, None, text))
                    conditional = False
                if start == size:
                    break
            following = source[start + 1 : start + 2]
            if following == "/":
                if not outer:
                    raise _GivesUp(start, Message("a closing tag without an opening one"))
                position = _wcc_close_tag(source, start, element.name)
                events.append(("close", start, position, element, ""))
                element, element_start, checked, conditional = outer.pop()
            elif following == "!":
                position = _wcc_comment(source, start)
                events.append(("comment", start, position, None, ""))
            elif following == "w" and _WCC_SCRIPT.match(source, start):
                script, position = _wcc_script(source, start)
                events.append(("script", start, position, script, ""))
                if script:
                    refusals += [Refusal(start + offset, message) for offset, message in script.refusals]
            else:
                tag, position = _wcc_open_tag(source, start)
                events.append(("open", start, position, tag, ""))
                if tag.plain:
                    conditional = False
                    inside = checked
                else:
                    if tag.name.startswith("wx-"):
                        raise _GivesUp(start, Message("names that begin with `wx-` are WeChat's own"))
                    if checked:
                        refusals += [Refusal(start + offset, message) for offset, message in tag.refusals]
                        if tag.has("wx:elif", "wx:else") and (_loops(tag) or not conditional):
                            message = Message("`wx:elif` or `wx:else` without `wx:if` before it")
                            refusals.append(Refusal(start, message))
                    conditional = tag.has("wx:if", "wx-if", "wx:elif") and not _loops(tag)
                    inside = tag.role == "define" or (checked and tag.role in {"element", "block", "script"})
                if not tag.self_closing:
                    outer.append((element, element_start, checked, conditional))
                    element, element_start, checked, conditional = tag, start, inside, False
        if outer:
            raise _GivesUp(element_start, Message("`<{name}>` is never closed", name=element.name))
    except _GivesUp as end:
        refusals.append(end.refusal)
    return Document(events, refusals)


def _wcc_static(text: str) -> str:
    return wcc_text(text.replace("\r\n", "\n") if "\r" in text else text)


def _wcc_braces(source: str, position: int) -> tuple[int, str, list[Refusal]]:
    """Read text that has `{` in it: where it ends, what it is, and what is refused in its expressions."""
    parts: list[str] = []
    refusals: list[Refusal] = []
    static = position
    while match := _WCC_BRACE.search(source, position):
        start, position = match.span()
        if match[0] == "<":
            position = start
            break
        if match[0] != "{{":
            continue
        if start > static:
            parts.append(_wcc_static(source[static:start]))
        try:
            binding = read_binding(source, start, "wcc")
        except ExpressionError as error:
            if error.end is None:
                raise _GivesUp(error.offset, error.message) from None
            refusals.append(Refusal(error.offset, error.message))
            position = static = error.end
            continue
        parts.append(_printed(binding, source, start))
        position = static = binding.end
    else:
        position = len(source)
    if position > static:
        parts.append(_wcc_static(source[static:position]))
    return position, "".join(parts), refusals


def _wcc_comment(source: str, start: int) -> int:
    if not source.startswith("<!--", start):
        raise _GivesUp(start, Message("`<!` begins no comment"))
    return _end_of_comment(source, start)


def _end_of_comment(source: str, start: int) -> int:
    """Say where the comment at `start` ends; one that is not closed swallows the rest."""
    end = source.find("-->", start + 4)
    return len(source) if end < 0 else end + 3


def _wcc_script(source: str, start: int) -> tuple[Tag | None, int]:
    """Read a `<wxs>` with its body: its tag, if wcc looks at it, and where it ends."""
    body = source.find(">", start) + 1
    end = body
    if body and source[body - 2] != "/":
        match = _WCC_SCRIPT_END.search(source, body)
        if match and not source.startswith(">", match.end()):
            raise _GivesUp(match.end(), Message("unexpected character in `</wxs>`"))
        end = match.end() + 1 if match else 0
    if not end:  # what is not closed swallows the rest
        return None, len(source)
    tag, tag_end = _wcc_odd_tag(source, start)
    if tag_end != body:
        raise _GivesUp(start, Message("`>` in an attribute of `<wxs>`"))
    tag.refusals.clear()  # nothing else is looked at
    module = tag.attributes.get("module")
    if module is None:
        tag.refusals.append(
            Refusal(0, Message("`<{name}>` has no `{attribute}`", name="wxs", attribute="module"))
        )
    elif module.span and not _WCC_MODULE.fullmatch(source, *(start + offset for offset in module.span)):
        tag.refusals.append(Refusal(module.start, Message("this is no name for a module")))
    return tag, end


def _wcc_close_tag(source: str, start: int, name: str) -> int:
    """Say where a closing tag ends that must be that of the element `name`."""
    end = source.find(">", start) + 1
    if end and source[start + 2 : end - 1] == name:
        return end
    match = _WCC_CLOSE.match(source, start)
    if match:
        words = [match[1], ">"]
        end = match.end()
    else:
        tokens = _wcc_tokens(source, start + 2)
        words = [source[first:last] for first, last in tokens]
        end = tokens[-1][1]
    if words[0] != name:
        raise _GivesUp(start, Message("`</{name}>` is due here", name=name))
    if words[1:] != [">"]:
        raise _GivesUp(start, Message("a closing tag holds its name alone"))
    return end


def _wcc_open_tag(source: str, start: int) -> tuple[Tag, int]:
    """Read a tag, and say where it ends."""
    end = source.find(">", start) + 1
    if start < end < start + _LONG:
        tag = _usual_wcc_tag(source[start:end])
        if tag:
            return tag, end
    match = _WCC_OPEN.match(source, start)
    if match:
        return _wcc_tag_of(match), match.end()
    return _wcc_odd_tag(source, start)


@functools.lru_cache(maxsize=4096)
def _usual_wcc_tag(text: str) -> Tag | None:
    """Read a tag of which this is the whole text; None if it is not, or is written in no usual way."""
    match = _WCC_OPEN.fullmatch(text)
    return _wcc_tag_of(match) if match else None


def _wcc_tag_of(match: re.Match[str]) -> Tag:
    attributes: list[Attribute] = []
    tag = match.start()
    for found in _WCC_ATTRIBUTE.finditer(match.string, *match.span(2)):
        name, value = found.groups()
        start = found.start() - tag
        if value is None:
            attributes.append(Attribute(name, start, found.end() - tag, None, True))
        else:
            attributes.append(_wcc_attribute(match[1], name, start, found.start(2) - tag, value))
    return _wcc_tag(match[1], attributes, bool(match[3]))


def _wcc_odd_tag(source: str, start: int) -> tuple[Tag, int]:
    """Read a tag that is written in no usual way, or is refused."""
    following = source[start + 1 : start + 2]
    if not _WCC_NAME_START.match(following) and (not following or following not in _WCC_BLANKS):
        raise _GivesUp(start, Message("`<` begins no tag"))
    tokens = _wcc_tokens(source, start + 1)
    words = [source[first:last] for first, last in tokens]
    if words[-1] not in {">", "/>"} or len(words) < 2:
        raise _GivesUp(tokens[-1][0], Message("unexpected `{text}` in a tag", text=words[-1]))
    attributes: list[Attribute] = []
    index = 1
    while index < len(words) - 1:
        name, (first, last) = words[index], tokens[index]
        if not _WCC_NAME.fullmatch(name):
            raise _GivesUp(first, Message("`{name}` is not the name of an attribute", name=name))
        index += 1
        if words[index] != "=":
            attributes.append(Attribute(name, first - start, last - start, None, True))
            continue
        index += 1
        if words[index][-1] in "\"'":  # else wcc drops the attribute
            value_start = tokens[index][0] - start
            attributes.append(_wcc_attribute(words[0], name, first - start, value_start, words[index]))
            index += 1
    return _wcc_tag(words[0], attributes, words[-1] == "/>"), tokens[-1][1]


def _wcc_tokens(source: str, position: int) -> list[tuple[int, int]]:
    """Split the rest of a tag as wcc does: names, `=`, values with their quotes, and `>` or `/>` at last.

    After a name wcc takes any one character into the next token, and drops it if white space follows.
    """
    tokens: list[tuple[int, int]] = []
    start = position  # of the next token
    while True:
        character = source[position : position + 1]
        if character and character in _WCC_BLANKS:
            position = start = _end(_WCC_SPACE, source, position)
        elif character == ">" or source.startswith("/>", position):
            tokens.append((start, position + (1 if character == ">" else 2)))
            return tokens
        elif character and character in "\"'":
            match = _WCC_STRING.match(source, position)
            if match is None:
                raise _GivesUp(
                    position, Message("the value of an attribute is not closed, or holds a line break")
                )
            tokens.append((start, match.end()))
            start = position = match.end()
        elif character == "=":
            position += 1
            tokens.append((start, position))
            start = position
            character = source[position : position + 1]
            if _WCC_NAME_START.match(character):
                match = _WCC_UNQUOTED.match(source, position)
                if match is None:
                    raise _GivesUp(position, Message("the value of an attribute has no quotes"))
                tokens.append((start, match.end()))
                start = position = match.end()
            elif not character or character not in "\"'" + _WCC_BLANKS:
                raise _GivesUp(position, Message("the value of an attribute is missing"))
        elif _WCC_NAME_START.match(character):
            position = _end(_WCC_NAME, source, position)
            tokens.append((start, position))
            start = position
            character = source[position : position + 1]
            if character == '"' or not character.isascii():
                raise _GivesUp(position, Message("unexpected `{text}` in a tag", text=character))
            if character and character not in "/=>" + _WCC_BLANKS:
                position += 1
        elif not character:
            raise _GivesUp(position, _NOT_CLOSED)
        else:
            raise _GivesUp(position, Message("unexpected `{text}` in a tag", text=character))


def _end(pattern: re.Pattern[str], source: str, position: int) -> int:
    """Say where what the pattern matches ends; here, if it does not match."""
    match = pattern.match(source, position)
    return match.end() if match else position


def _wcc_tag(name: str, attributes: Sequence[Attribute], self_closing: bool) -> Tag:
    """Make a tag of its attributes, and see what wcc refuses in it."""
    tag = Tag(name, attributes, self_closing, "wcc")
    loops = _loops(tag)
    lost = tag.role == "import" and tag.has("wx:for", "wx:for-items")  # wcc forgets the values of conditions
    for attribute in tag.attributes.values():
        control = attribute.name in _CONDITIONS or (loops and attribute.name in _LOOP)
        if (attribute.span is None or lost) and control and attribute.name in _NEED_VALUE:
            tag.refusals.append(
                Refusal(attribute.start, Message("`{name}` needs a value", name=attribute.name))
            )
        elif attribute.refusal and attribute.refusal.message is _BROKEN:
            tag.refusals += [attribute.refusal] * loops
        elif attribute.refusal and (
            control
            or (tag.role in {"element", "script"} and not (loops and attribute.name == "wx:for-item"))
            or (tag.role == "use" and attribute.name in {"is", "data"})
        ):
            tag.refusals.append(attribute.refusal)
    conditions = [condition for condition in ("wx:if", "wx:elif", "wx:else") if tag.has(condition)]
    if len(conditions) > 1:
        tag.refusals.append(
            Refusal(0, Message("`{one}` and `{other}` in one tag", one=conditions[0], other=conditions[1]))
        )
    tag.plain = not (tag.refusals or tag.has(*_CONDITIONS) or name.startswith("wx-") or tag.role != "element")
    return tag


def _loops(tag: Tag) -> bool:
    """Tell whether wcc repeats the element; a condition is then alone in what is repeated."""
    return tag.role not in {"define", "import"} and tag.has("wx:for", "wx:for-items")


def _wcc_attribute(element: str, name: str, start: int, value_start: int, value: str) -> Attribute:
    """Read an attribute from its name, at `start`, and its value with quotes, at `value_start`."""
    opened = value[0] in "\"'"
    span = (value_start + opened, value_start + len(value) - 1)
    text = wcc_attribute(value[opened:-1])
    refusal = None
    constant: Value = wcc_text(text)
    bound = dynamic = False
    data = element == "template" and name == "data" and text != ""
    if data or "{{" in text:
        bound = True
        try:
            constant, dynamic = _wcc_value(text, data)
        except ExpressionError as error:
            dynamic = True
            if name != "is" or element != "template" or error.end is None:
                refusal = Refusal(min(span[0] + error.offset, span[1]), error.message)
    if not refusal and name in _COPIED and _BREAKS_STRING.search(text):
        refusal = Refusal(span[0], _BROKEN)
    return Attribute(name, start, span[1] + 1, span, constant, dynamic, bound, refusal)


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
        raise ExpressionError(Message("`data` must hold one binding"), 0, len(text))
    return (values[0] if len(values) == 1 else "".join(prints)), dynamic


# --- glass-easel -----------------------------------------------------------------------------------

_BLANKS: Final = " \t\n\v\f\r"
_BLANK: Final = re.compile(f"[{_BLANKS}]+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][-.:\w]*", re.ASCII)
_MARKUP: Final = re.compile("[/!A-Za-z_]")
_UNQUOTED: Final = re.compile(r"[-.\w]+", re.ASCII)
_SCRIPT_END: Final = re.compile(r"</wxs(?![-.\w])", re.ASCII)

# Where text may end, or a binding begin; likewise the value of an attribute.
_LANDMARK: Final = re.compile(r"<(?=[/!A-Za-z_])|\{\{")
_VALUE_END: Final = {quote: re.compile(rf"{quote}|\{{\{{") for quote in "\"'"}
_NO_BINDING: Final = re.compile(
    r"wx:(?:else|for-index|for-item|key)|(?:worklet|generic|extra-attr|slot):[^:]+"
)

# What glass-easel passes over in a tag, and in `<!...>`. Only ASCII is white space to it there, but any white
# space ends what it passes over, so that it hangs on others.
_UNICODE_SPACE: Final = "\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_JUNK: Final = re.compile(rf"[^/>A-Za-z_\t-\r {_UNICODE_SPACE}]+")
_META_JUNK: Final = re.compile(rf"[^>A-Za-z_\t-\r {_UNICODE_SPACE}]+")

_CONTROL: Final = frozenset(("wx:if", "wx:elif", "wx:else", "wx:for", "wx:for-items"))
_CSS_NAME: Final = re.compile(r"[A-Za-z_-][-\w]*", re.ASCII)

#: What glass-easel calls an element with a colon in its name.
_PREFIXED: Final = "wx-x"


def _read_glass_easel(source: str) -> Document:
    """Read as glass-easel does: what is not closed is closed, most of what is odd is passed over."""
    events: list[Event] = []
    reader = _GlassEasel(source)
    refusals = reader.refusals
    outer: list[Tag] = []
    modules: set[str] = set()
    size, position = len(source), 0
    while position < size:
        start = source.find("<", position)
        if start < 0 or not _MARKUP.match(source, start + 1) or source.find("{{", position, start) >= 0:
            start, text, _, bound, _ = reader.content(position, _LANDMARK)
        else:
            text, bound = reader.static(position, start), False
        if start > position:
            if bound or text[:1] not in _BLANKS or text.strip(_BLANKS):
                events.append(("text", position, start, None, text))
                _want_no_child(outer, position, refusals)
            else:
                events.append(("space", position, start, None, text))
            if start == size:
                break
        following = source[start + 1]
        if following == "/":
            match = _IDENTIFIER.match(source, start + 2)
            name = match[0].lower() if match else ""
            name = _PREFIXED if ":" in name else name
            while outer and name and outer[-1].name.lower() != name:
                events.append(("close", start, start, outer.pop(), ""))
            if outer:
                position = reader.end_of_close_tag(match.end() if match else start + 2)
                events.append(("close", start, position, outer.pop(), ""))
            else:
                position = source.find(">", start) + 1 or size
        elif following == "!":
            if source.startswith("<!--", start):
                position = _end_of_comment(source, start)
            elif _IDENTIFIER.match(source, start + 2):
                position = reader.tag(start, start + 2, meta=True)[1]
            else:
                position = start + 2  # glass-easel passes over `<!`
                continue
            events.append(("comment", start, position, None, ""))
            _want_no_child(outer, start, refusals)
        else:
            tag, position = reader.open_tag(start)
            if tag.refusals:
                refusals += [Refusal(start + offset, message) for offset, message in tag.refusals]
            if tag.role == "script":
                position = reader.end_of_script(tag, position, modules)
                events.append(("script", start, position, tag, ""))
                continue
            events.append(("open", start, position, tag, ""))
            if tag.role not in {"define", "import"}:
                _want_no_child(outer, start, refusals)
            if not tag.self_closing:
                outer.append(tag)
    while outer:
        events.append(("close", size, size, outer.pop(), ""))
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


class _GlassEasel:
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
                parts.append(_printed(binding, source, end))
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
                self.refusals.append(Refusal(body, Message("`<wxs>` with `src` may hold nothing")))
        return self.end_of_close_tag(match.end()) if match else end

    def open_tag(self, start: int) -> tuple[Tag, int]:
        """Read the tag at `start`, and say where it ends."""
        end = self._source.find(">", start) + 1
        if start < end < start + _LONG:
            tag = _usual_tag(self._source[start:end])
            if tag:
                return tag, end
        return self.tag(start, start + 1)

    def tag(self, start: int, position: int, *, meta: bool = False) -> tuple[Tag, int]:
        """Read the tag at `start` whose name is at `position`, and say where it ends."""
        source = self._source
        name_end = _end(_IDENTIFIER, source, position)
        name = source[position:name_end]
        name = _PREFIXED if ":" in name else name
        position = name_end
        attributes: list[Attribute] = []
        while True:
            position = _end(_BLANK, source, position)
            character = source[position : position + 1]
            if not character or character == ">":
                if not character:
                    self.refusals.append(Refusal(start, _NOT_CLOSED))
                return _glass_easel_tag(name, attributes, not character), position + len(character)
            if character == "/" and not meta:
                if source.startswith("/>", position):
                    return _glass_easel_tag(name, attributes, True), position + 2
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
        equals = _end(_BLANK, source, match.end())
        if not source.startswith("=", equals):
            return Attribute(name, start, end, None, True)
        first = _end(_BLANK, source, equals + 1)
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


@functools.lru_cache(maxsize=4096)
def _usual_tag(text: str) -> Tag | None:
    """Read a tag of which this is the whole text; None if it goes on."""
    reader = _GlassEasel(text)
    tag, end = reader.tag(0, 1)
    if end < len(text) or (reader.refusals and reader.refusals[-1].message is _NOT_CLOSED):
        return None
    tag.refusals += reader.refusals
    return tag


def _holds_no_binding(element: str, attribute: str) -> bool:
    """Tell whether glass-easel takes the value of an attribute for plain text."""
    return (
        _NO_BINDING.fullmatch(attribute) is not None
        or (attribute == "name" and element == "template")
        or (attribute == "src" and element in {"import", "include", "wxs"})
        or (attribute == "module" and element == "wxs")
    )


def _glass_easel_tag(name: str, attributes: Sequence[Attribute], self_closing: bool) -> Tag:
    """Make a tag of its attributes, and see what glass-easel refuses in it."""
    tag = Tag(name, attributes, self_closing, "glass-easel")
    tag.plain = tag.role == "element" and name != "slot"
    if not tag.attributes and tag.plain:
        return tag
    refuse = tag.refusals.append
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
            message = Message("`{one}` and `{other}` in one tag", one=whole, other=f"{whole}:{parts[0]}")
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

"""How wcc, the compiler of the classic framework, reads WXML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from wxtext import lazy
from wxtext.caches import LONG, cached
from wxtext.expressions import (
    UNCLOSED,
    USUAL_BINDING,
    USUAL_LENGTH,
    ExpressionError,
    Message,
    accepts_bindings,
    read_binding,
    usual_binding,
)
from wxtext.javascript import Value
from wxtext.semantics import wcc_attribute, wcc_text
from wxtext.wxml import (
    NOT_CLOSED,
    SCRIPT_HOLDS,
    SPECIAL,
    Attribute,
    Document,
    Event,
    GivesUp,
    Refusal,
    Role,
    Shape,
    Tag,
    apart,
    end_of_comment,
    end_of_match,
    names_in,
    printed,
    seal,
)

_BLANKS: Final = " \t\r\n"
_SPACE: Final = rf"[{_BLANKS}]"
_STRING: Final = r"""(?:"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*')"""

# Tags as people write them; all others go the slow way, token by token.
_TAG: Final = (
    rf"<([A-Za-z_:-][-:\w]*)(?:(?:{_SPACE}+|(?<=[\"']))[A-Za-z_:-][-:\w]*(?:{_SPACE}*={_SPACE}*%s)?)*"
    rf"{_SPACE}*(/?)>"
)
_OPEN: Final = lazy.pattern(_TAG % _STRING, re.ASCII)
_VALUELESS: Final = lazy.pattern(_TAG % '"', re.ASCII)
_ATTRIBUTE: Final = lazy.pattern(rf"([-:\w]+)(?:{_SPACE}*={_SPACE}*({_STRING}))?", re.ASCII)
_CLOSE: Final = lazy.pattern(rf"</{_SPACE}*([A-Za-z_:-][-:\w]*){_SPACE}*>", re.ASCII)
_SCRIPT: Final = lazy.pattern(rf"<wxs(?={_SPACE}|>)")
_SCRIPT_END: Final = lazy.pattern(rf"</wxs{_SPACE}*")
_MODULE: Final = lazy.pattern(r"(?!\d)\w*", re.ASCII)

# In text, `{` takes the next character with it, even a `<`.
_BRACE: Final = lazy.pattern(r"\{\{|\{.?|<", re.DOTALL)

_NAME: Final = lazy.pattern(r"[-:\w]+", re.ASCII)
_NAME_START: Final = lazy.pattern(r"[-:A-Za-z_]")
_SPACES: Final = lazy.pattern(rf"{_SPACE}+")
_WHOLE_STRING: Final = lazy.pattern(_STRING)
_UNQUOTED: Final = lazy.pattern(r'[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"')

_CONDITIONS: Final = frozenset(("wx:if", "wx-if", "wx:elif", "wx:else"))
_LOOP: Final = frozenset(("wx:for", "wx:for-items", "wx:for-index", "wx:key"))
_NEED_VALUE: Final = frozenset(("wx:if", "wx-if", "wx:elif", "wx:for", "wx:for-items"))
_NO_NAME: Final = str.maketrans('</>="', "     ")
_NO_VALUE: Final = lazy.pattern(rf"\b(?:{'|'.join(_NEED_VALUE)})(?![-:\w]|{_SPACE}*=)", re.ASCII)

# What values of attributes and texts are that need no closer look.
_USUAL_VALUE: Final = lazy.pattern(rf"[^{{\\]*(?:{USUAL_BINDING}[^{{\\]*)*", re.ASCII)

# What makes wcc look at more of a tag than the expressions in it.
_CONTROLS: Final = _CONDITIONS | _LOOP | {"wx:for-item"}

# wcc copies these into a JavaScript string as they are.
_COPIED: Final = frozenset(("wx:for-item", "wx:for-index", "wx:key"))
_BREAKS_STRING: Final = lazy.pattern(r"['\n\r]|\\\Z")
_BROKEN: Final = Message("with this the compiler writes broken code")


_ROOT: Final = Tag("", (), False, "wcc")


def read_wcc(source: str) -> Document:
    """Read as wcc does: tokens first, then tags that must balance, then conditions and expressions."""
    events: list[Event] = []
    refusals: list[Refusal] = []
    element, element_start = _ROOT, 0  # the innermost that is open
    checked = True  # whether wcc looks at conditions and expressions in it
    conditional = False  # whether `wx:else` may follow its last child
    outer: list[tuple[Tag, int, bool, bool]] = []
    add, find = events.append, source.find
    size, position = len(source), 0
    try:
        while position < size:
            start = find("<", position)
            if start < 0:
                start = size
            if start > position:
                text = source[position:start]
                if text.isspace() and not text.strip(_BLANKS):
                    add(("space", position, start, None, _static(text) if "\r" in text else text))
                else:
                    if "{" in text:
                        start, text, wrong = _braces(source, position)
                        if checked and wrong:
                            refusals += wrong
                    elif "\\" in text or "\r" in text:
                        text = _static(text)
                    add(("text", position, start, None, text))
                    conditional = False
                if start == size:
                    break
            following = source[start + 1] if start + 1 < size else ""
            end = find(">", start) + 1
            if following == "/":
                if not outer:
                    raise GivesUp(start, Message("a closing tag without an opening one"))
                if not end or source[start + 2 : end - 1] != element.name:
                    end = _close_tag(source, start, element.name)
                add(("close", start, end, element, ""))
                element, element_start, checked, conditional = outer.pop()
            elif following == "!":
                end = _comment(source, start)
                add(("comment", start, end, None, ""))
            elif following == "w" and _SCRIPT.match(source, start):
                script, body, end = _script(source, start)
                add(("script", start, end, script, ""))
                if script:
                    refusals += _script_refusals(source, start, script, source[body:end])
            else:
                text = source[start:end]
                tag = _tag_of_text(text)
                if tag is None:
                    tag, end = _unusual_tag(source, start)
                add(("open", start, end, tag, ""))
                if tag.plain:
                    conditional = False
                    inside = checked
                else:
                    if tag.name.startswith("wx-"):
                        raise GivesUp(start, Message("names that begin with `wx-` are WeChat's own"))
                    refusals += [
                        Refusal(start + offset, message)
                        for offset, message in tag.refusals
                        if checked or message is UNCLOSED
                    ]
                    if checked and _continues(tag) and (_loops(tag) or not conditional):
                        message = Message("`wx:elif` or `wx:else` without `wx:if` before it")
                        refusals.append(Refusal(start, message))
                    conditional = tag.has("wx:if", "wx-if", "wx:elif") and not _loops(tag)
                    inside = tag.role == "define" or (checked and tag.role in {"element", "block", "script"})
                if not tag.self_closing:
                    outer.append((element, element_start, checked, conditional))
                    element, element_start, checked, conditional = tag, start, inside, False
            position = end
        if outer:
            raise GivesUp(element_start, Message("`<{name}>` is never closed", name=element.name))
    except GivesUp as error:
        refusals.append(error.refusal)
    return Document(events, refusals)


def _static(text: str) -> str:
    return wcc_text(text.replace("\r\n", "\n") if "\r" in text else text)


def _braces(source: str, position: int) -> tuple[int, str, list[Refusal]]:
    """Read text that has `{` in it: where it ends, what it is, and what is refused in its expressions."""
    end = source.find("<", position)
    if 0 <= end < position + USUAL_LENGTH and _USUAL_VALUE.fullmatch(source, position, end):
        text = source[position:end]
        return end, usual_binding().sub(lambda match: seal(match[0]), _static(text)), []
    parts: list[str] = []
    refusals: list[Refusal] = []
    static = position
    while match := _BRACE.search(source, position):
        start, position = match.span()
        if match[0] == "<":
            position = start
            break
        if match[0] != "{{":
            continue
        if start > static:
            parts.append(_static(source[static:start]))
        try:
            binding = read_binding(source, start, "wcc")
        except ExpressionError as error:
            if error.end is None:
                raise GivesUp(error.offset, error.message) from None
            refusals.append(Refusal(error.offset, error.message))
            position = static = error.end
            continue
        parts.append(printed(binding, source, start))
        position = static = binding.end
    else:
        position = len(source)
    if position > static:
        parts.append(_static(source[static:position]))
    return position, "".join(parts), refusals


def _comment(source: str, start: int) -> int:
    if not source.startswith("<!--", start):
        raise GivesUp(start, Message("`<!` begins no comment"))
    return end_of_comment(source, start)


def _script(source: str, start: int) -> tuple[Tag | None, int, int]:
    """Read a `<wxs>` with its body: its tag, if wcc looks at it; where the tag ends, and where all of it."""
    body = source.find(">", start) + 1
    end = body
    if body and source[body - 2] != "/":
        match = _SCRIPT_END.search(source, body)
        if match and not source.startswith(">", match.end()):
            raise GivesUp(match.end(), Message("unexpected character in `</wxs>`"))
        end = match.end() + 1 if match else 0
    if not end:  # what is not closed swallows the rest
        return None, body, len(source)
    tag, tag_end = _unusual_tag(source, start)
    if tag_end != body:
        raise GivesUp(start, Message("`>` in an attribute of `<wxs>`"))
    return tag, body, end


def _script_refusals(source: str, start: int, tag: Tag, body: str) -> Iterator[Refusal]:
    """Yield what wcc refuses in the `<wxs>` at `start`: it looks at nothing but `module`, and `src`.

    `body` is what follows the tag, with the tag that closes it.
    """
    module = tag.attributes.get("module")
    if module is None:
        yield Refusal(start, Message("`<{name}>` has no `{attribute}`", name="wxs", attribute="module"))
    elif module.span:
        first, last = module.span
        if not _MODULE.fullmatch(wcc_attribute(source[start + first : start + last])):
            yield Refusal(start + module.start, Message("this is no name for a module"))
    if tag.has("src") and body[: body.rfind("</")].strip(_BLANKS):
        yield Refusal(start, SCRIPT_HOLDS)


def _close_tag(source: str, start: int, name: str) -> int:
    """Say where a closing tag ends that must be that of the element `name`."""
    match = _CLOSE.match(source, start)
    if match:
        words = [match[1], ">"]
        end = match.end()
    else:
        tokens = _tokens(source, start + 2)
        words = [source[first:last] for first, last in tokens]
        end = tokens[-1][1]
    if words[0] != name:
        raise GivesUp(start, Message("`</{name}>` is due here", name=name))
    if words[1:] != [">"]:
        raise GivesUp(start, Message("a closing tag holds its name alone"))
    return end


def _unusual_tag(source: str, start: int) -> tuple[Tag, int]:
    """Read a tag that does not end with the first `>`, or is written in no usual way; say where it ends."""
    match = _OPEN.match(source, start)
    tag = _tag_of_text(match[0]) if match else None
    return (tag, match.end()) if match and tag else _odd_tag(source, start)


def _tag_of_text(text: str) -> Tag | None:
    """Read a tag of which this is the whole text; None if it is not, or is written in no usual way."""
    return _usual_tag(text)


@cached()
def _usual_tag(text: str) -> Tag | None:
    tag = _accepted_tag(text)
    if tag is None and (match := _OPEN.fullmatch(text)):
        tag = _tag(match[1], _attributes(text), match[2] == "/")
    return tag


def _accepted_tag(text: str) -> Tag | None:
    """Read a tag that is written as most are, of which wcc surely refuses nothing; None if it is not."""
    outside, pieces = apart(text)
    shape, copied = _shape(outside)
    values = '"'.join(pieces)
    if shape is None or "\\" in values or "\n" in values or (copied and ("'" in values or "\r" in values)):
        return None
    if (
        "{{" in values
        and not (len(values) < USUAL_LENGTH and _USUAL_VALUE.fullmatch(values))
        and not all(accepts_bindings(value, "wcc") for value in pieces if "{{" in value)
    ):
        return None
    return Tag.unread(text, shape, _attributes)


@cached()
def _shape(text: str) -> tuple[Shape | None, bool]:
    """Read a tag that has one `"` in place of each value: None if it needs a closer look.

    Also tell whether there are values that wcc copies into JavaScript.
    """
    match = _VALUELESS.fullmatch(text) if len(text) < LONG else None
    if match is None:
        return None, False
    name, *all_names = names_in(text)
    names = frozenset(all_names)
    conditions = len(names & _CONDITIONS)
    if (
        len(names) < len(all_names)
        or conditions > 1
        or name in SPECIAL
        or name[:3] == "wx-"
        or (not names.isdisjoint(_NEED_VALUE) and _NO_VALUE.search(text))
    ):
        return None, False
    role: Role = "block" if name == "block" else "element"
    plain = role == "element" and not conditions
    return Shape(name, names, role, match[2] == "/", plain), not names.isdisjoint(_COPIED)


def _attributes(text: str) -> list[Attribute]:
    """Read the attributes of a tag of which this is the whole text, written in a usual way."""
    match = _NAME.match(text, 1)
    element = match[0] if match else ""
    attributes: list[Attribute] = []
    for found in _ATTRIBUTE.finditer(text, 1 + len(element)):
        name, value = found.groups()
        start = found.start()
        if value is None:
            attributes.append(Attribute(name, start, found.end(), None, True))
        else:
            attributes.append(_attribute(element, name, start, found.start(2), value))
    return attributes


def _odd_tag(source: str, start: int) -> tuple[Tag, int]:
    """Read a tag that is written in no usual way, or is refused."""
    following = source[start + 1 : start + 2]
    if not _NAME_START.match(following) and (not following or following not in _BLANKS):
        raise GivesUp(start, Message("`<` begins no tag"))
    tokens = _tokens(source, start + 1)
    words = [source[first:last] for first, last in tokens]
    if words[-1] not in {">", "/>"} or len(words) < 2:
        raise GivesUp(tokens[-1][0], Message("unexpected `{text}` in a tag", text=words[-1]))
    attributes: list[Attribute] = []
    index = 1
    while index < len(words) - 1:
        name, (first, last) = words[index], tokens[index]
        if not _NAME.fullmatch(name):
            raise GivesUp(first, Message("`{name}` is not the name of an attribute", name=name))
        index += 1
        if words[index] != "=":
            attributes.append(Attribute(name, first - start, last - start, None, True))
            continue
        index += 1
        if words[index][-1] in "\"'":  # else wcc drops the attribute
            value_start = tokens[index][0] - start
            attributes.append(_attribute(words[0], name, first - start, value_start, words[index]))
            index += 1
    return _tag(words[0], attributes, words[-1] == "/>"), tokens[-1][1]


def _tokens(source: str, position: int) -> list[tuple[int, int]]:
    """Split the rest of a tag as wcc does: names, `=`, values with their quotes, and `>` or `/>` at last.

    After a name wcc takes any one character into the next token, and drops it if white space follows.
    """
    tokens: list[tuple[int, int]] = []
    start = position  # of the next token
    while True:
        character = source[position : position + 1]
        if character and character in _BLANKS:
            position = start = end_of_match(_SPACES, source, position)
        elif character == ">" or source.startswith("/>", position):
            tokens.append((start, position + (1 if character == ">" else 2)))
            return tokens
        elif character and character in "\"'":
            match = _WHOLE_STRING.match(source, position)
            if match is None:
                raise GivesUp(
                    position, Message("the value of an attribute is not closed, or holds a line break")
                )
            tokens.append((start, match.end()))
            start = position = match.end()
        elif character == "=":
            position += 1
            tokens.append((start, position))
            start = position
            character = source[position : position + 1]
            if _NAME_START.match(character):
                match = _UNQUOTED.match(source, position)
                if match is None:
                    raise GivesUp(position, Message("the value of an attribute has no quotes"))
                tokens.append((start, match.end()))
                start = position = match.end()
            elif not character or character not in "\"'" + _BLANKS:
                raise GivesUp(position, Message("the value of an attribute is missing"))
        elif _NAME_START.match(character):
            position = end_of_match(_NAME, source, position)
            tokens.append((start, position))
            start = position
            character = source[position : position + 1]
            if character == '"' or not character.isascii():
                raise GivesUp(position, Message("unexpected `{text}` in a tag", text=character))
            if character and character not in "/=>" + _BLANKS:
                position += 1
        elif not character:
            raise GivesUp(position, NOT_CLOSED)
        else:
            raise GivesUp(position, Message("unexpected `{text}` in a tag", text=character))


def _tag(name: str, attributes: Sequence[Attribute], self_closing: bool) -> Tag:
    """Make a tag of its attributes, and see what wcc refuses in it."""
    tag = Tag(name, attributes, self_closing, "wcc")
    if tag.role == "element" and _CONTROLS.isdisjoint(tag.attributes):
        tag.refusals = [attribute.refusal for attribute in tag.attributes.values() if attribute.refusal]
        tag.plain = not (tag.refusals or name.startswith("wx-"))
        return tag
    refusals: list[Refusal] = []
    tag.refusals = refusals
    loops = _loops(tag)
    lost = tag.role == "import" and tag.has("wx:for", "wx:for-items")  # wcc forgets the values of conditions
    for attribute in tag.attributes.values():
        control = attribute.name in _CONDITIONS or (loops and attribute.name in _LOOP)
        if (attribute.span is None or lost) and control and attribute.name in _NEED_VALUE:
            refusals.append(Refusal(attribute.start, Message("`{name}` needs a value", name=attribute.name)))
        elif attribute.refusal and attribute.refusal.message is _BROKEN:
            refusals += [attribute.refusal] * loops
        elif attribute.refusal and (
            control
            or (tag.role in {"element", "script"} and not (loops and attribute.name == "wx:for-item"))
            or (tag.role == "use" and attribute.name in {"is", "data"})
            or (attribute.refusal.message is UNCLOSED and _wants_closed(tag, attribute.name))
        ):
            refusals.append(attribute.refusal)
    first = "wx-if" if tag.has("wx-if") else "wx:if"  # which are one to wcc
    conditions = [condition for condition in (first, "wx:elif", "wx:else") if tag.has(condition)]
    if len(conditions) > 1 and tag.role != "block":  # of which wcc takes the first
        refusals.append(
            Refusal(0, Message("`{one}` and `{other}` in one tag", one=conditions[0], other=conditions[1]))
        )
    tag.plain = not (refusals or tag.has(*_CONDITIONS) or name.startswith("wx-") or tag.role != "element")
    return tag


def _wants_closed(tag: Tag, attribute: str) -> bool:
    """Tell whether wcc refuses a binding that is not closed where it looks at no other fault of it."""
    looped = attribute == "wx:for-item" and _loops(tag)
    return looped or tag.role not in {"import", "include", "script"}


def _continues(tag: Tag) -> bool:
    """Tell whether a condition must stand before the tag."""
    return tag.has("wx:elif", "wx:else") and not (tag.role == "block" and tag.has("wx:if", "wx-if"))


def _loops(tag: Tag) -> bool:
    """Tell whether wcc repeats the element; a condition is then alone in what is repeated."""
    return tag.role not in {"define", "import"} and tag.has("wx:for", "wx:for-items")


def _attribute(element: str, name: str, start: int, value_start: int, value: str) -> Attribute:
    """Read an attribute from its name, at `start`, and its value with quotes, at `value_start`."""
    opened = value[0] in "\"'"
    end = value_start + len(value)
    span = (value_start + opened, end - 1)
    text = value[opened:-1]
    data = element == "template" and name == "data"
    if not data and "{{" not in text and "\\" not in text and name not in _COPIED:
        return Attribute(name, start, end, span, text)
    constant, dynamic, bound, error = _read_value(text, data)
    refusal = None
    if error and (name != "is" or element != "template" or error.end is None):
        refusal = Refusal(min(span[0] + error.offset, span[1]), error.message)
    if not refusal and name in _COPIED and _BREAKS_STRING.search(wcc_attribute(text)):
        refusal = Refusal(span[0], _BROKEN)
    return Attribute(name, start, end, span, constant, dynamic, bound, refusal)


class _Value(NamedTuple):
    constant: Value
    dynamic: bool
    bound: bool
    error: ExpressionError | None


@cached()
def _read_value(text: str, data: bool) -> _Value:
    """Read what stands between the quotes of an attribute; with `data`, of `<template data>`."""
    text = wcc_attribute(text)
    if "{{" not in text and not (data and text):
        return _Value(wcc_text(text), False, False, None)
    try:
        return _Value(*_bound_value(text, data), True, None)
    except ExpressionError as error:
        return _Value(wcc_text(text), True, True, error.with_traceback(None))


def _bound_value(text: str, data: bool) -> tuple[Value, bool]:
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

"""Every fact about how WeChat reads and shows text, and both directions that follow from them.

Writing (characters to WXML source) and reading (WXML text to the characters the run time gets) stand side
by side here, so that they cannot drift apart. No other module spells a code point, an entity or a class of
white space of its own. The facts were measured with the official compilers (miniprogram-compiler 0.2.3,
glass-easel-template-compiler 1.1.0) and base libraries 2.8.2 and 2.30.3.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from typing import Final, Literal

from wxtext import lazy, limits

Target = Literal["webview", "glass-easel", "skyline"]
#: What a command may be asked for; auto means what the project says.
TargetChoice = Literal["auto", "webview", "glass-easel", "skyline"]
Compiler = Literal["wcc", "glass-easel"]
SpaceMode = Literal["ensp", "emsp", "nbsp"]
Space = Literal["auto", "ensp", "emsp", "nbsp"]

#: Which compiler reads the WXML of a target.
COMPILERS: Final[dict[Target, Compiler]] = {
    "webview": "wcc",
    "glass-easel": "glass-easel",
    "skyline": "glass-easel",
}

#: What each value of the attribute `space` turns U+0020 into (WebView only; Skyline ignores it).
SPACE_CHARACTERS: Final[dict[SpaceMode, str]] = {"ensp": "\u2002", "emsp": "\u2003", "nbsp": "\u00a0"}

# --- Plain text ------------------------------------------------------------------------------------

#: What ends a line of plain text.
LINE_BREAK: Final = lazy.pattern("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")

#: White space of plain text: invisible at the end of a line, indentation at its start.
WHITE_SPACE: Final = " \t\u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"

#: A byte order mark; anywhere but at the start of a file, a zero-width no-break space that shows nothing.
BYTE_ORDER_MARK: Final = "\ufeff"

#: Characters that plain text may not hold: they show nothing, or the compilers misread them.
UNSHOWABLE: Final = lazy.pattern("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")

#: Half of a surrogate pair: no character, and no UTF-8.
LONE_SURROGATE: Final = lazy.pattern("[\ud800-\udfff]")
#: What is shown in its place.
REPLACEMENT: Final = "\ufffd"

#: A run inside a line that HTML would collapse: U+0020 twice or more, or any TAB.
WIDE_RUN: Final = lazy.pattern("[ \t]{2,}|\t")

#: White space that is two columns wide; all other white space is one, but TAB, which fills up to a stop.
TWO_COLUMN_SPACES: Final = "\u2001\u2003\u3000"


class _Widths(dict[str, int]):
    """Columns of one character, looked up once: wide and fullwidth 2, marks and format characters 0."""

    def __missing__(self, character: str) -> int:
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):  # some of which count as wide: U+3099
            width = 0
        elif character in TWO_COLUMN_SPACES or unicodedata.east_asian_width(character) in ("W", "F"):
            width = 2
        else:
            width = 1
        self[character] = width
        return width


_widths: Final = _Widths()
#: What most Chinese text is made of, each two columns wide. Texts of so many characters are searched for it.
_WIDE: Final = lazy.pattern("[\u3001-\u3029\u4e00-\u9fff\uff01-\uff60]+")
_LONG: Final = 24


def space_mode(value: object) -> SpaceMode | None:
    """The mode that a value of the attribute `space` is, whatever it is."""
    return next((mode for mode in SPACE_CHARACTERS if mode == value), None)


def columns(text: str, start: int = 0, tab_width: int = 4) -> int:
    """Return the column where `text` ends when it starts at column `start`; columns count from 0.

    TAB goes to the next multiple of `tab_width`.
    """
    if "\t" not in text:
        return start + _width(text)
    head, *rest = text.split("\t")
    end = start + _width(head)
    for part in rest:
        end += tab_width - end % tab_width + _width(part)
    return end


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    if len(text) < _LONG:
        return sum(map(_widths.__getitem__, text))
    others = _WIDE.sub("", text)  # which takes less time than to look at each
    return 2 * (len(text) - len(others)) + sum(map(_widths.__getitem__, others))


@functools.lru_cache(maxsize=1024)
def wide_space(width: int, space: Space) -> tuple[SpaceMode, int]:
    """Say which space character, and how many of it, show `width` columns in this mode.

    An en space and (in most fonts) a no-break space are one column, half a Chinese character; an em space
    is two.
    """
    if space == "auto":
        space = "ensp" if width % 2 else "emsp"
    return space, (width + 1) // 2 if space == "emsp" else width


# --- Writing: characters to WXML source ------------------------------------------------------------

#: An empty row as Skyline shows one: a text of a no-break space.
EMPTY_ROW: Final = "\u00a0"

#: Ends one text node and begins the next, and shows nothing.
NODE_SPLIT: Final = "<!---->"

# Runs of characters that must not stand in static text, on one compiler or the other: `<`; `&` that could
# begin an entity; `{` before another `{`, before a binding or a tag (wcc swallows the tag); and the
# backslash. wcc reads a backslash in a string right only at the string's end, so backslashes close their
# run. On wcc a line break is written statically, so that a `{` before it is harmless.
_STRING_RUN: Final = r"(?:{0}){{1,%d}}\\{{0,%d}}|\\{{1,%d}}" % ((limits.WRITTEN_STRING,) * 3)  # noqa: UP031
_UNSAFE: Final[dict[Compiler, re.Pattern[str]]] = {
    "wcc": lazy.pattern(_STRING_RUN.format(r"<|&(?=[A-Za-z#])|\{(?=[{<\\]|&[A-Za-z#]|\Z)")),
    "glass-easel": lazy.pattern(_STRING_RUN.format(r"[<\n]|&(?=[A-Za-z#])|\{(?=[{<\\\n]|&[A-Za-z#]|\Z)")),
}


def string_binding(text: str) -> str:
    """Write `text` as a constant binding: `{{'<'}}`.

    It must hold no quote, and a backslash only at its end: nothing else is read alike by both compilers.
    """
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    return "{{'" + escaped + "'}}"


def encode(text: str, compiler: Compiler) -> tuple[str, int]:
    """Write `text` as the inside of a `<text>` element, where a tag, a comment or a binding follows it.

    Goes in: characters, LF for a line break, no other control character. Comes out: WXML source that the
    compiler reads as exactly these characters, and the number of bindings in it.
    """
    bindings = 0
    if "<" in text or "{" in text or "\\" in text or "&" in text or (compiler != "wcc" and "\n" in text):
        text, bindings = _UNSAFE[compiler].subn(_bind, text)
    if compiler == "wcc" and "\n" in text:
        text = text.replace("\n", "\\n")
    return text, bindings


#: What `encode` writes as a binding, and nothing else in what it writes.
CONSTANT_BINDING: Final = lazy.pattern(r"\{\{'[^']*'\}\}")


def _bind(match: re.Match[str]) -> str:
    return string_binding(match[0])


def encode_spaces(count: int) -> str:
    """Write `count` U+0020 so that a node of nothing else is not dropped by the compilers: as bindings."""
    most = limits.WRITTEN_STRING * limits.BINDINGS.safe
    if count > most:
        return encode_spaces(most) + NODE_SPLIT + encode_spaces(count - most)
    full, rest = divmod(count, limits.WRITTEN_STRING)
    return string_binding(" " * limits.WRITTEN_STRING) * full + (string_binding(" " * rest) if rest else "")


# --- Reading: what the compilers and the run time make of text ----------------------------------------

#: What the run time decodes in a `<text decode>`, each once; no other entity, and no numeric one.
RUN_TIME_ENTITIES: Final = {
    "&nbsp;": "\u00a0",
    "&ensp;": "\u2002",
    "&emsp;": "\u2003",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&amp;": "&",
}
_RUN_TIME_ENTITY: Final = lazy.pattern("|".join(RUN_TIME_ENTITIES))

_BACKSLASHES: Final = lazy.pattern(r"(\\+)([nrt'\"]?)")
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t"}

# What glass-easel looks at as an entity: `&#` always, a name of letters only with its semicolon.
_ENTITY: Final = lazy.pattern(r"&(?:#(?P<x>x?)(?P<digits>[0-9A-Fa-f]*)(?P<closed>;?)|(?P<name>[A-Za-z]+;))")


class EntityError(ValueError):
    """glass-easel refuses an entity; `offset` counts from the start of the text."""

    def __init__(self, entity: str, offset: int) -> None:
        super().__init__(entity, offset)
        self.entity = entity
        self.offset = offset


def wcc_text(text: str, *, before_quote: bool = False) -> str:
    """Read static text, or with `before_quote` the inside of a string in a binding, as wcc does.

    wcc copies it into a JavaScript string and escapes each backslash there unless one of `\\nrt'"` follows,
    and each quote; two escapes after another spoil each other.
    """
    if "\\" not in text:
        return text
    if "\\\\" not in text and "'" not in text and '"' not in text:  # the usual case, in less time
        return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r")

    def read(match: re.Match[str]) -> str:
        count, follower = len(match[1]), match[2]
        pairs, odd = divmod(count, 2)
        if follower in _CONTROLS:
            return "\\" * pairs + (_CONTROLS[follower] if odd else follower)
        if follower and odd:
            return "\\" * (pairs + 1) + ("x22" if follower == '"' else "x27")
        if follower:
            return "\\" * pairs + follower
        if odd or (before_quote and match.end() == len(text)):
            return "\\" * (pairs + odd)
        return "\\" * pairs + "x5c"

    return _BACKSLASHES.sub(read, text)


def wcc_misprints(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of static text where wcc prints the code of a character, and what it means by them."""
    for match in _BACKSLASHES.finditer(text):
        pairs, odd = divmod(len(match[1]), 2)
        if odd and match[2] and match[2] not in _CONTROLS:
            yield *match.span(), "\\" * pairs + match[2]
        elif not odd and not match[2]:
            yield *match.span(), "\\" * pairs


def wcc_attribute(value: str) -> str:
    """Read what stands between the quotes of an attribute as wcc does, before it looks for bindings."""
    if "\\" not in value:
        return value
    return _ATTRIBUTE_ESCAPE.sub(lambda match: _CONTROLS.get(match[1], match[1]), value)


_ATTRIBUTE_ESCAPE: Final = lazy.pattern(r"\\(.?)", re.DOTALL)


def glass_easel_text(text: str) -> str:
    """Read static text, or the static part of an attribute, as glass-easel does: entities become characters.

    Raises EntityError.
    """
    if "&" in text:
        text = _ENTITY.sub(_decode_entity, text)
    return glass_easel_literal(text)


def glass_easel_literal(text: str) -> str:
    """Read characters as they come out of the JavaScript that glass-easel writes: NUL eats some digits."""
    if "\0" not in text:
        return text
    return _NUL_AND_DIGITS.sub(lambda match: chr(int(match[1], 8)), text)


_NUL_AND_DIGITS: Final = lazy.pattern("\0([0-7]{1,2})")


def _decode_entity(match: re.Match[str]) -> str:
    character = _entity_character(match)
    if character is None:
        raise EntityError(match[0], match.start())
    return character


def _entity_character(match: re.Match[str]) -> str | None:
    if match["name"]:
        from html.entities import html5

        return html5.get(match["name"])
    if match["closed"] and match["digits"] and (match["x"] or match["digits"].isdecimal()):
        digits = match["digits"].lstrip("0") or "0"
        code = int(digits, 16 if match["x"] else 10) if len(digits) < 10 else -1
        if 0 <= code < 0xD800 or 0xE000 <= code < 0x110000:
            return chr(code)
    return None


def glass_easel_faults(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of what glass-easel refuses as entities in static text."""
    for match in _ENTITY.finditer(text):
        if _entity_character(match) is None:
            yield match.span()


def run_time_text(text: str, space: SpaceMode | None, decode: bool) -> str:
    """Give what a `<text>` with these attributes makes of one text node; a LF in it breaks the line."""
    if space:
        text = text.replace(" ", SPACE_CHARACTERS[space])
    if decode and "&" in text:
        text = _RUN_TIME_ENTITY.sub(lambda match: RUN_TIME_ENTITIES[match[0]], text)
    return text


#: The elements that begin and end rows in WebView, by the style sheet of base library 2.30.3 as its own
#: registry gives it; those from `grid-view` on are newer, and not measured. All others, custom ones too, are
#: inline.
BLOCK_ELEMENTS: Final = frozenset(
    """
    ad ad-custom button camera checkbox-group cover-image cover-view editor functional-page-navigator input
    live-pusher map match-media movable-area movable-view navigator picker picker-view progress radio-group
    scroll-view share-element slider swiper swiper-item textarea view voip-room
    grid-view list-view sticky-header sticky-section
    """.split()  # noqa: SIM905 - a list of words
)

#: What stands for nothing itself: what is in it, or what it brings, counts as if written in its place.
TRANSPARENT_ELEMENTS: Final = frozenset(("block", "include", "slot", "template"))

#: What may stand in a `<text>`; it drops all other elements.
IN_TEXT: Final = TRANSPARENT_ELEMENTS | {"text", "import", "wxs"}

#: Attributes by which data decide how often an element is there, and whether it is.
LOOPS: Final = ("wx:for", "wx:for-items")
CONDITIONS: Final = ("wx:if", "wx:elif", "wx:else")
CONTROLS: Final = (*CONDITIONS, *LOOPS)

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BINDING: Final = re.compile(r"\{\{.*?(?:\}\}|\Z)", re.DOTALL)
_DATA: Final = "\x00"


def inline_display(style: str) -> str | None:
    """Return what an attribute `style`, as it is written, says of `display`; None if data may say it.

    Empty if it says nothing. A binding that may hold whole declarations counts as empty.
    """
    if "display" not in style.lower():
        return ""
    found: dict[bool, str] = {}
    for declaration in _BINDING.sub(_DATA, _COMMENT.sub(" ", style)).split(";"):
        name, _colon, value = declaration.lower().partition(":")
        words = value.replace("!", " !").split()
        if name.strip() == "display" and words:
            found[words[-1] == "!important"] = words[0]
    display = found.get(True, found.get(False, ""))
    return None if _DATA in display else display

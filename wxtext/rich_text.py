"""The text in the `nodes` of `<rich-text>`: HTML without its tags.

What of HTML it takes is documented: an element that is not trusted is dropped with all it holds. How it lays
text out was not measured; blocks are taken to be those of HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from wxtext.semantics import (
    REPLACEMENT,
    SPACE_CHARACTERS,
    UNSHOWABLE,
    Compiler,
    SpaceMode,
    inline_display,
)
from wxtext.wxml import Event, Kind, Tag

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_INLINE: Final = frozenset(
    """
    a abbr b bdi bdo big br cite code col colgroup del em font i img ins label mark q rt ruby s small span
    strong sub sup td th tt u
    """.split()  # noqa: SIM905 - a list of words
)
#: The first two are around everything, written or not.
_BLOCKS: Final = frozenset(
    """
    html body address article aside blockquote caption center dd div dl dt fieldset footer h1 h2 h3 h4 h5 h6
    header hr legend li nav ol p pre section table tbody tfoot thead tr ul
    """.split()  # noqa: SIM905 - a list of words
)
_CELLS: Final = frozenset(("td", "th"))
_WHITE: Final = re.compile("[ \t\n\r\f]+")
_PAGE_BREAKS: Final = str.maketrans("\x0b\x0c", "  ")
#: What lxml does not take; UNSHOWABLE has the others.
_NO_XML: Final = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LINE_BREAK: Final = re.compile("\r\n?|\n")


def rich_text(
    html: str, space: SpaceMode | None, compiler: Compiler, start: int, end: int
) -> Iterable[Event] | None:
    """Return the events of elements that show what `<rich-text>` shows of HTML.

    `space` is what its attribute says; `start` and `end` are the offsets of its tag. Control characters are
    left out. None if the HTML is nested so deeply that it cannot be read.
    """
    if not html.strip():
        return ()
    from lxml.html import HTMLParser, document_fromstring

    parser = HTMLParser(huge_tree=True)  # without that, what is nested deeper than 255 elements is lost
    html = _NO_XML.sub(REPLACEMENT, UNSHOWABLE.sub("", html.translate(_PAGE_BREAKS)))
    root = document_fromstring(f"<html><body>{html}", parser=parser)
    if any("depth" in error.message for error in parser.error_log):
        return None
    return _Writer(SPACE_CHARACTERS[space] if space else " ", compiler, start, end).events(root)


class _Writer:
    """Writes elements of HTML as those of WXML: blocks as `<view>`, the text between them as `<text>`."""

    def __init__(self, space: str, compiler: Compiler, start: int, end: int) -> None:
        self._space = space
        self._place = start, end
        self._block = Tag("view", (), False, compiler)
        self._text = Tag("text", (), False, compiler)
        #: The text since the last edge of a block.
        self._pieces: list[str] = []

    def events(self, root: HtmlElement) -> Iterator[Event]:
        """Yield the events of an element, a block, and of all in it."""
        # An element, whether its end is meant, and whether white space around it is kept, as in `<pre>`.
        pending: list[tuple[HtmlElement, bool, bool]] = [(root, False, False)]
        while pending:
            element, is_end, keeps = pending.pop()
            name = element.tag
            is_block = name in _BLOCKS
            if is_end:
                if is_block:
                    yield from self._edge("close")
                elif name in _CELLS:
                    self._pieces.append(" ")
                self._write(element.tail, keeps)
            elif not (is_block or name in _INLINE) or inline_display(element.get("style", "")) == "none":
                self._write(element.tail, keeps)
            else:
                if is_block:
                    yield from self._edge("open")
                elif name == "br":
                    self._pieces.append("\n")
                inside = keeps or name == "pre"
                pending.append((element, True, keeps))
                pending += [(child, False, inside) for child in reversed(element)]
                self._write(element.text, inside)

    def _write(self, text: str | None, keeps: bool) -> None:
        """Add text as it stands in the HTML."""
        if not text:
            return
        if keeps:
            text = _LINE_BREAK.sub("\n", text).replace(" ", SPACE_CHARACTERS["nbsp"])
        elif self._space == " ":
            text = _WHITE.sub(" ", text)
        else:
            text = text.replace(" ", self._space).translate(_TO_SPACES)
        self._pieces.append(text)

    def _edge(self, kind: Kind) -> Iterator[Event]:
        """Yield the events of the text so far, and of the edge of a block."""
        text = "".join(self._pieces)
        self._pieces.clear()
        if text.strip(" "):
            yield ("open", *self._place, self._text, "")
            yield ("text", *self._place, None, text)
            yield ("close", *self._place, self._text, "")
        yield (kind, *self._place, self._block, "")


_TO_SPACES: Final = str.maketrans("\t\n\r\f", "    ")

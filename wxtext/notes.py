"""Plain text as people type it, read into lines: what is indentation, what is blank, what cannot be shown."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from wxtext import semantics

#: Line breaks that need no closer look, and all that is taken off the end of a line with them.
_LINE_BREAKS: Final = frozenset(("", "\n", "\r\n"))
_END_OF_LINE: Final = semantics.WHITE_SPACE + "\r\n"


#: A line of the notes: its number, from 1; how wide its indentation is, in columns; its text, without
#: indentation and white space at the end, which is nothing if the line is blank. (A bare tuple, because there
#: are so many.)
Line: TypeAlias = tuple[int, int, str]


class Removed(NamedTuple):
    """A character that was taken out of the notes, because it cannot be shown."""

    character: str
    #: How often.
    count: int
    #: Where first: line and column from 1, columns in code points.
    line: int
    column: int


class Notes:
    """Reads plain text, once, and remembers what it had to remove."""

    def __init__(self, lines: Iterable[str], tab_width: int) -> None:
        """Take lines, each with or without its line break; TAB goes to the next multiple of `tab_width`."""
        self._source = lines
        self._tab_width = tab_width
        self._removed: dict[str, Removed] = {}

    @property
    def removed(self) -> list[Removed]:
        """The characters removed so far, in the order they were met."""
        return list(self._removed.values())

    def lines(self) -> Iterator[Line]:
        """Yield the lines, without the blank ones at the start and the end of the notes."""
        number = last = 0
        for item in self._source:
            stripped = item.rstrip(_END_OF_LINE)
            text = stripped.lstrip(semantics.WHITE_SPACE)
            if text.isprintable() and item[len(stripped) :] in _LINE_BREAKS:
                texts = [(stripped, text)]
            else:
                texts = self._clean(item, number)
            for stripped, text in texts:
                number += 1
                if text:
                    if last:
                        for blank in range(last + 1, number):
                            yield blank, 0, ""
                    indent = len(stripped) - len(text)
                    yield number, _columns(stripped[:indent], self._tab_width) if indent else 0, text
                    last = number

    def _clean(self, item: str, number: int) -> list[tuple[str, str]]:
        """Take apart lines that need a closer look, after line `number`; return each without white space at
        its end, and without that at its start too.
        """
        if number == 0:
            item = item.removeprefix(semantics.BYTE_ORDER_MARK)
        item = item.removesuffix("\n").removesuffix("\r")
        lines = semantics.LINE_BREAK.split(item)
        for at, line in enumerate(lines, number + 1):
            for match in semantics.UNSHOWABLE.finditer(line):
                character, column = match[0], match.start() + 1
                known = self._removed.get(character, Removed(character, 0, at, column))
                self._removed[character] = known._replace(count=known.count + 1)
        texts = []
        for line in lines:
            clean = semantics.UNSHOWABLE.sub("", line)
            clean = semantics.LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", clean)
            stripped = clean.rstrip(semantics.WHITE_SPACE)
            texts.append((stripped, stripped.lstrip(semantics.WHITE_SPACE)))
        return texts


@functools.lru_cache(maxsize=1024)
def _columns(indentation: str, tab_width: int) -> int:
    return semantics.columns(indentation, 0, tab_width)


def split_lines(text: str) -> Iterator[str]:
    """Split text at LF, CR and CRLF, keeping them; `Notes` splits at all the others."""
    return io.StringIO(text, newline="")

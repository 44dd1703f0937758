"""Plain text as people type it, read into lines: what is indentation, what is blank, what cannot be shown."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wxtext import semantics


class Line(NamedTuple):
    """A line of the notes."""

    #: Its number in the notes, from 1.
    number: int
    #: How wide its indentation is, in columns.
    columns: int
    #: Its text, without indentation and white space at the end; nothing if it is blank.
    text: str


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
        white_space = semantics.WHITE_SPACE
        last = 0
        for number, line in enumerate(self._clean_lines(), 1):
            stripped = line.rstrip(white_space)
            if stripped:
                if last:
                    for blank in range(last + 1, number):
                        yield Line(blank, 0, "")
                last = number
                text = stripped.lstrip(white_space)
                indent = len(stripped) - len(text)
                yield Line(number, _indent_columns(line[:indent], self._tab_width) if indent else 0, text)

    def _clean_lines(self) -> Iterator[str]:
        number = 0
        for item in self._source:
            line = item
            if number == 0:
                line = line.removeprefix(semantics.BYTE_ORDER_MARK)
            if line.endswith("\n"):
                line = line[:-2] if line.endswith("\r\n") else line[:-1]
            # Most lines are printable but for their indentation, and that is quicker to see.
            if line.lstrip(semantics.WHITE_SPACE).isprintable() or not semantics.UNCLEAN.search(line):
                number += 1
                yield line
            else:
                for part in semantics.LINE_BREAK.split(line[:-1] if line.endswith("\r") else line):
                    number += 1
                    yield self._clean(part, number)

    def _clean(self, line: str, number: int) -> str:
        for match in semantics.UNSHOWABLE.finditer(line):
            known = self._removed.get(match[0])
            self._removed[match[0]] = (
                known._replace(count=known.count + 1)
                if known
                else Removed(match[0], 1, number, match.start() + 1)
            )
        line = semantics.UNSHOWABLE.sub("", line)
        return semantics.LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", line)


@functools.lru_cache(maxsize=1024)
def _indent_columns(indentation: str, tab_width: int) -> int:
    return semantics.columns(indentation, 0, tab_width)


def split_lines(text: str) -> Iterator[str]:
    """Split text at LF, CR and CRLF, keeping them; `Notes` splits at all the others."""
    return io.StringIO(text, newline="")

"""Plain text as people type it, read into lines: what is indentation, what is blank, what cannot be shown."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from wxtext import lazy, semantics

#: Line breaks that need no closer look, and all that is taken off the end of a line with them.
_LINE_BREAKS: Final = frozenset(("", "\n", "\r\n"))
#: What is taken out, or replaced.
_CHANGED: Final = lazy.pattern(f"{semantics.UNSHOWABLE.pattern}|{semantics.LONE_SURROGATE.pattern}")
_END_OF_LINE: Final = semantics.WHITE_SPACE + "\r\n"


#: A line of the notes that is not blank: its number, from 1; how many blank lines are before it; how wide its
#: indentation is, in columns; its text, without indentation and white space at the end. (A bare tuple: there
#: are so many.)
Line: TypeAlias = tuple[int, int, int, str]


class Removed(NamedTuple):
    """A character that was taken out of the notes, because it cannot be shown.

    U+FFFD stands for halves of surrogate pairs, in whose place it is shown.
    """

    character: str
    #: How often.
    times: int
    #: Where first: line and column from 1, columns in code points.
    line: int
    column: int


#: Returns the column in the notes, from 1, of the character at an offset of a line as it is read.
Columns: TypeAlias = "Callable[[int], int]"


class Notes:
    """Reads plain text, once, and remembers what it had to remove."""

    def __init__(
        self,
        lines: Iterable[str],
        tab_width: int,
        *,
        look: Callable[[int, str, Columns], None] | None = None,
        unseen: Callable[[str], Iterable[re.Match[str]]] | None = None,
        strip: bool = False,
    ) -> None:
        """Take lines, each with or without its line break; TAB goes to the next multiple of `tab_width`.

        `look` is called with the number and the text of lines with `\\n`, `&`, `<` or `{{` in them, and with
        what tells the columns of its characters; `unseen` finds characters that show nothing and mean
        nothing, which are removed with `strip`.
        """
        self._source = lines
        self._tab_width = tab_width
        self._look, self._unseen, self._strip = look, unseen, strip
        self._removed: dict[str, Removed] = {}
        self._kept: dict[str, Removed] = {}
        self._last = self._blank = 0

    @property
    def removed(self) -> list[Removed]:
        """The characters removed so far, in the order they were met."""
        return list(self._removed.values())

    @property
    def kept(self) -> list[Removed]:
        """The characters kept so far that show nothing and mean nothing."""
        return list(self._kept.values())

    @property
    def blank_at_end(self) -> tuple[int, int]:
        """When all lines are read: the last that is not blank, 0 if all are; how many blank ones follow."""
        return self._last, self._blank

    def lines(self) -> Iterator[Line]:
        """Yield the lines that are not blank."""
        number = last = 0
        look, white_space = self._look, semantics.WHITE_SPACE
        indentation, columns = "", 0  # of the line before: most lines have the same
        texts: Iterable[tuple[int, str, str, Columns]]
        for item in self._source:
            if len(item) <= 2 and item in _LINE_BREAKS:  # every other line of most texts
                number += 1
                continue
            stripped = item.rstrip(_END_OF_LINE)
            text = stripped.lstrip(white_space)
            if text.isprintable() and item[len(stripped) :] in _LINE_BREAKS:
                number += 1
                if not text:
                    continue
                texts = ((number, stripped, text, _plain_column),)
            else:
                texts = self._clean(item, number)
                number += len(texts)
            for at, stripped, text, columns_of in texts:
                if text:
                    if look and ("&" in text or "<" in text or "\\" in text or "{" in text):
                        look(at, stripped, columns_of)
                    if text is stripped:
                        width = 0
                    else:
                        before = stripped[: len(stripped) - len(text)]
                        if before != indentation:
                            indentation, columns = before, semantics.columns(before, 0, self._tab_width)
                        width = columns
                    yield at, at - last - 1, width, text
                    last = at
        self._last, self._blank = last, number - last

    def _clean(self, item: str, number: int) -> list[tuple[int, str, str, Columns]]:
        """Take apart lines that need a closer look, after line `number`.

        Returns of each the number, the text without white space at its end, that without indentation, and
        what tells the columns of the former.
        """
        marked = number == 0 and item.startswith(semantics.BYTE_ORDER_MARK)
        lines = semantics.LINE_BREAK.split(item[marked:])
        if len(lines) > 1 and not lines[-1]:
            lines.pop()  # what follows the item's own line break
        texts: list[tuple[int, str, str, Columns]] = []
        for at, line in enumerate(lines, number + 1):
            first = 1 + (marked and at == 1)
            for match in _CHANGED.finditer(line):
                half = semantics.LONE_SURROGATE.match(match[0])
                _count(self._removed, semantics.REPLACEMENT if half else match[0], at, match.start() + first)
            clean = line
            gone: set[int] = set()
            if self._unseen is not None:
                kept = self._removed if self._strip else self._kept
                for match in self._unseen(line):
                    if not semantics.UNSHOWABLE.match(match[0]):
                        _count(kept, match[0], at, match.start() + first)
                        if self._strip:
                            gone.add(match.start())
                if gone:
                    clean = "".join([c for place, c in enumerate(line) if place not in gone])
            clean = semantics.UNSHOWABLE.sub("", clean)
            clean = semantics.LONE_SURROGATE.sub(semantics.REPLACEMENT, clean)
            stripped = clean.rstrip(semantics.WHITE_SPACE)
            columns = partial(_column, line, gone, first)
            texts.append((at, stripped, stripped.lstrip(semantics.WHITE_SPACE), columns))
        return texts


def _plain_column(offset: int) -> int:
    return offset + 1


def _column(line: str, gone: Container[int], first: int, offset: int) -> int:
    """Return the column of what is at an offset once the unshowable and those at `gone` are removed."""
    left = (
        place
        for place, character in enumerate(line)
        if place not in gone and not semantics.UNSHOWABLE.match(character)
    )
    return next(islice(left, offset, None)) + first


def _count(found: dict[str, Removed], character: str, line: int, column: int) -> None:
    known = found.get(character, Removed(character, 0, line, column))
    found[character] = known._replace(times=known.times + 1)


def split_lines(text: str) -> Iterator[str]:
    """Split text after each LF, and leave what else may end a line to `Notes`."""
    return io.StringIO(text, newline="\n")

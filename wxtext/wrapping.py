"""Where long rows break on a phone, for a first look: by columns, without fonts.

Chinese text breaks between any two characters, but not before punctuation that closes, nor after punctuation
that opens. Latin words break at spaces and after hyphens; one that is too long for a row stays whole and
sticks out, as on the phone. This is a small part of what browsers do (UAX #14).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wxtext.semantics import columns

#: A row of more columns is no phone's.
MOST_COLUMNS: Final = 10_000

_CLOSING: Final = frozenset("、。，．：；？！％‰℃…—～〜’”）》〉」』】〕〗］｝々ー,.:;?!%)]}")
_OPENING: Final = frozenset("‘“（《〈「『【〔〖［｛￥([{")
#: Spaces that a row may break after; it may not at U+00A0, U+2007 and U+202F.
_SPACES: Final = frozenset(" \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000")
#: Shows nothing, and a row may break after it.
_BREAK: Final = "\u200b"
_JOINER: Final = "\u200d"


def wrapped(text: str, width: int) -> str:
    """Break the rows of a text that are longer than `width` columns; a Chinese character takes two.

    Spaces U+0020 where a row is broken are dropped. Nothing else is lost.
    """
    return "\n".join([line for row in text.split("\n") for line in _lines(row, width)])


def _lines(row: str, width: int) -> Iterator[str]:
    if columns(row) <= width:
        yield row
        return
    pieces: list[str] = []
    used = 0
    for unit in _units(row):
        needed = columns(unit.rstrip(" "))
        if pieces and used + needed > width:
            yield "".join(pieces).rstrip(" ")
            pieces, used = [], 0
        pieces.append(unit)
        used += columns(unit)
    yield "".join(pieces)


def _units(row: str) -> Iterator[str]:
    """Take a row apart at all places where it may break."""
    start = 0
    for place in range(1, len(row)):
        before, after = row[place - 1], row[place]
        if before == "-":
            may_break = place > 1 and row[place - 2].isalnum() and after.isalpha()
        else:
            may_break = _may_break(before, after)
        if may_break:
            yield row[start:place]
            start = place
    yield row[start:]


def _may_break(before: str, after: str) -> bool:
    if after in _SPACES or after == _BREAK:
        return False
    if before in _SPACES or before == _BREAK:
        return True
    if after in _CLOSING or before in _OPENING or before == _JOINER:
        return False
    width = columns(after)
    return width == 2 or (width == 1 and columns(before) == 2)

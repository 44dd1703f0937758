"""Rows of text, as CSS lays them out: white space collapses, blocks have rows of their own, boxes several.

What is in an inline-block is laid out first; in the text around it stands one character for it. Its last row
lies in the row that it is in, the others lie above. Each row is put together only once, at the end: boxes
nested in each other would else be copied at every level.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

from wxtext import lazy

# In what is gathered, LF is a line break; these stand for what is no character.
BLOCK: Final = "\r"  # the edge of a block: the row ends, if there is one
BOX: Final = "\udc01"  # an inline-block: spaces beside it stay

_ROW_END: Final = lazy.pattern(f" *[\n{BLOCK}][ \n{BLOCK}]*")
_SPACES: Final = lazy.pattern(" {2,}")

#: A row: its text, or the two parts of it.
_Row: TypeAlias = "str | tuple[_Row, _Row]"
#: Rows from the last one up.
Box: TypeAlias = "deque[_Row]"


def rows(output: list[str], boxes: list[Box]) -> str:
    """Lay out text: its rows, each but the last ended by LF. `boxes` are the boxes in it, in order."""
    text = _collapsed(output)
    if not boxes:
        return text
    return "\n".join([_text(row) for row in reversed(_laid_out(text, boxes))])


def box(output: list[str], boxes: list[Box]) -> Box:
    """Lay out what is in a box. A line break at its very end adds no row."""
    laid_out = _laid_out(_collapsed(output), boxes)
    if len(laid_out) > 1 and laid_out[0] == "":
        laid_out.popleft()
    return laid_out


def _collapsed(output: list[str]) -> str:
    """Collapse white space, and end rows."""
    text = "".join(output).strip(" ")
    if "  " in text:
        text = _SPACES.sub(" ", text)
    if BLOCK in text or " \n" in text or "\n " in text:
        text = _ROW_END.sub(_end_row, text)
    return text


def _end_row(match: re.Match[str]) -> str:
    """Keep each line break; the edge of a block ends a row only if there is one to end."""
    run = match[0].lstrip(" ")
    return "\n" * (run.count("\n") + (run[0] == BLOCK and match.start() > 0))


def _laid_out(text: str, boxes: list[Box]) -> Box:
    following = iter(boxes)
    laid_out: Box = deque()
    for line in text.split("\n"):
        if BOX in line:
            laid_out = _above(laid_out, _with_boxes(line, following))
        else:
            laid_out.appendleft(line)
    return laid_out


def _with_boxes(line: str, boxes: Iterator[Box]) -> Box:
    """Lay out a line that holds boxes."""
    first, *parts = line.split(BOX)
    line_rows: Box = deque([first])
    for part in parts:
        line_rows = _beside(line_rows, next(boxes, deque()))
        if part:
            line_rows[0] = _joined(line_rows[0], part)
    return line_rows


# Both of the following take the longer of two and change it, so that a row is not moved at every level.


def _above(upper: Box, lower: Box) -> Box:
    if len(upper) < len(lower):
        lower.extend(upper)
        return lower
    upper.extendleft(reversed(lower))
    return upper


def _beside(left: Box, right: Box) -> Box:
    """Put two side by side, their last rows in one."""
    longer = left if len(left) >= len(right) else right
    count = min(len(left), len(right))
    joined = [_joined(left.popleft(), right.popleft()) for _ in range(count)]
    longer.extendleft(reversed(joined))
    return longer


def _joined(left: _Row, right: _Row) -> _Row:
    return (left, right) if left and right else left or right


def _text(row: _Row) -> str:
    if isinstance(row, str):
        return row
    pieces: list[str] = []
    pending: list[_Row] = [row]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            pieces.append(part)
        else:
            pending += (part[1], part[0])
    return "".join(pieces)

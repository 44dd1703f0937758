"""Lines of plain text become text blocks: what goes into one `<text>`, already written as WXML.

A block is written in one of three ways. *Attribute*: its wide white space is plain U+0020, widened by the
attribute `space`. *Nested*: where that would widen the single spaces between words too, each wide run is a
`<text space>` of its own inside the block's `<text>`. *Characters*: en, em or no-break spaces as such, which
every target shows alike; for Skyline, which knows no `space`, and where elements run out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import Final, NamedTuple, TypeAlias

from wxtext import limits, semantics
from wxtext.notes import Line
from wxtext.options import Options, Per
from wxtext.paragraphs import Place, Text
from wxtext.pieces import (
    Need,
    Piece,
    Wide,
    as_characters,
    common_need,
    need_of,
    pieces_of,
    stretches_of,
    wide,
    wide_columns,
)
from wxtext.semantics import Compiler, Space, SpaceMode

#: How many rows of a merged block are written at a time.
_MERGED_ROWS: Final = 200

#: How many characters a row may have. A longer one is a block of its own, written so many at a time.
_LONGEST_ROW: Final = 1 << 16

#: How many rows a paragraph may have. Longer ones, such as logs, are split, so that memory stays flat.
_LONGEST_PARAGRAPH: Final = 1_000


class Row(NamedTuple):
    """A row of text to be shown: one line of the notes."""

    #: The number of the line in the notes.
    line: int
    #: Whether a block may begin with it: after blank lines, and where indentation begins or ends.
    starts: bool
    #: The line break before it, with the empty rows that come first; none if it goes on with a long line.
    breaks: str
    pieces: list[Piece]
    need: Need
    #: What to write into an element with that attribute.
    text: str

    @property
    def shown(self) -> str:
        """What the phone shows of it."""
        return "".join([piece if isinstance(piece, str) else piece.shown for piece in self.pieces])


class Part(NamedTuple):
    """Some rows, written: a text block, or a piece of one that is too long to be held whole."""

    #: The content of a `<text>` element, as WXML source.
    source: str
    rows: list[Row]
    #: Line breaks after the last row, of which the last separates and the others show empty rows.
    breaks: str = ""
    #: The value that the element's attribute `space` must have, if any.
    space: SpaceMode | None = None
    #: How many elements the source holds.
    elements: int = 0

    @property
    def shown(self) -> str:
        """What the phone shows of it: rows, joined and followed by line breaks."""
        first, *others = self.rows
        return first.shown + "".join([row.breaks + row.shown for row in others]) + self.breaks

    @property
    def lines(self) -> list[int]:
        """For each row of what is shown, its line in the notes; for an empty one, that of a neighbour."""
        lines = [self.rows[0].line] * (self.rows[0].shown.count("\n") + 1)
        for row in self.rows[1:]:
            lines += [row.line] * row.breaks.count("\n")
        return lines + lines[-1:] * (self.breaks.count("\n") - 1)

    # What a template calls its own: see templates/text.wxml.j2.

    @property
    def line(self) -> int:
        """The line of the notes that it begins at."""
        return self.rows[0].line

    @property
    def text(self) -> str:
        """All of the content, under the name that templates know."""
        return self.source

    @property
    def parts(self) -> tuple[str]:
        """All of the content, in one piece."""
        return (self.source,)


_EMPTY_ROW: Final = Row(0, True, "\n", [semantics.EMPTY_ROW], None, semantics.EMPTY_ROW)


class Streamed(NamedTuple):
    """A text block that is too long to be held whole."""

    #: Made while they are used, which is to be before the next block is asked for.
    parts: Iterator[Part]
    #: Whether it is all that is left, because the elements of a template have run out.
    merged: bool


TextBlock: TypeAlias = "Part | Streamed"


def rows(notes: Text, options: Options) -> Iterator[Row]:
    """Lay out each line of the notes as the options say, and the blank lines before the first."""
    laid_out = _rows(notes, options)
    first = next(laid_out, None)
    if first is None:
        return iter(())
    empty: list[Row] = []
    if options.target == "skyline":
        blank = first.breaks.count(semantics.EMPTY_ROW)
        empty = [_EMPTY_ROW._replace(line=line) for line in range(1, blank + 1)]
        first = first._replace(breaks="\n")
    elif len(first.breaks) > 1:
        before = first.breaks[1:]
        first = first._replace(pieces=[before, *first.pieces], text=before + first.text)
    return chain(empty, (first,), laid_out)


def _rows(notes: Text, options: Options) -> Iterator[Row]:
    # How many characters a paragraph begins with; None if that is as typed.
    own_indent = options.indent if isinstance(options.indent, int) else None
    begins, stays = Place.BEGINS, Place.STAYS
    as_typed = repeat(stays)
    indent, space, bindings = options.indent, options.space, options.bindings
    in_characters = options.target == "skyline"
    empty_row = f"{semantics.EMPTY_ROW}\n" if in_characters else "\n"
    most_blanks = {"keep": sys.maxsize, "one": 1, "none": 0}[options.blank_lines]
    first = True
    hangs = False  # whether the block began with an indentation
    for run in notes.runs():
        if options.space == "auto":
            space = _aligned(run)
        places = as_typed if own_indent is None else notes.places(run)
        for (number, blanks, columns, text), place in zip(run, places, strict=False):
            # Where lines are paragraphs, one without indentation is no part of one with it.
            starts = first or columns > 0 or blanks > 0 or (hangs and notes.reading.kind == "line")
            if starts:
                hangs = columns > 0
            first = False
            breaks = "\n" + empty_row * min(blanks, most_blanks) if blanks else "\n"
            indentation: Wide | None = None
            if own_indent is not None and place is begins:
                if own_indent:
                    columns_align = options.space == "auto" and space == "ensp"
                    indentation = wide("ensp", 2 * own_indent) if columns_align else wide("emsp", own_indent)
            elif columns and indent != "none" and place is stays:
                indentation = wide_columns(columns, space)

            if len(text) > _LONGEST_ROW and options.per != "file":
                yield from _long_rows(
                    number, breaks, indentation, stretches_of(text, columns, space, options, _LONGEST_ROW)
                )
                first = True  # what follows is a block of its own
            elif " " in text or "\t" in text or in_characters or (bindings and "{{" in text):
                pieces = pieces_of(text, columns, space, options)
                if indentation is not None:
                    pieces.insert(0, indentation)
                if in_characters:
                    pieces = as_characters(pieces)
                yield Row(number, starts, breaks, pieces, *need_of(pieces))
            elif indentation is not None:
                row_text = " " * indentation.width + text
                yield Row(number, starts, breaks, [indentation, text], indentation.mode, row_text)
            else:
                yield Row(number, starts, breaks, [text], None, text)


def _long_rows(
    line: int, breaks: str, indentation: Wide | None, stretches: Iterator[list[Piece]]
) -> Iterator[Row]:
    """Lay out a line that is a block of its own, a stretch of its pieces at a time."""
    starts = True
    for pieces in stretches:
        if indentation is not None and starts:
            pieces.insert(0, indentation)
        yield Row(line, starts, breaks, as_characters(pieces), "mixed", "")
        starts, breaks = False, ""


def _aligned(run: Iterable[Line]) -> Space:
    """Say with which spaces the columns of lines without a blank line between them align.

    In a font whose characters are all as wide, an em space is not as wide as two en spaces. Where white space
    follows text, all of it is therefore en spaces.
    """
    for _number, _blanks, _columns, text in run:
        if "\t" in text or (" " in text and "  " in text):  # one character is soon looked for
            return "ensp"
    return "auto"


def text_blocks(rows: Iterable[Row], options: Options) -> Iterator[TextBlock]:
    """Gather rows into blocks.

    When the elements of a template run out, all that is left becomes one merged block.
    """
    limit = limits.WRITTEN_ELEMENTS[options.target]
    own_elements = 2 if options.in_views else 1
    elements = 0
    groups = _groups(rows, options.per)
    group = next(groups, None)
    while group is not None:
        following = next(groups, None)
        long = following is not None and not following[0].breaks
        breaks = following[0].breaks if following is not None else ""
        blocks = [] if long else _blocks(group, breaks, options)
        elements += own_elements * (long or len(blocks)) + sum([block.elements for block in blocks])
        if elements + (own_elements if following is not None else 0) > limit:
            everything = chain(group, following or (), chain.from_iterable(groups))
            yield Streamed(_merged_parts(everything, options), merged=True)
            return
        if long:
            line = _LongLine(group, following, groups, options)
            yield Streamed(line.parts(), merged=False)
            yield from line.empty_rows
            group = line.following
        else:
            yield from blocks
            group = following


class _LongLine:
    """A line that is a block of its own, and is written while it is read."""

    def __init__(
        self, group: list[Row], following: list[Row] | None, groups: Iterator[list[Row]], options: Options
    ) -> None:
        self._first = group
        #: When all is written: the group after it.
        self.following = following
        self._groups = groups
        self._options = options
        #: When all is written: the empty rows after it that are blocks.
        self.empty_rows: list[Part] = []

    def parts(self) -> Iterator[Part]:
        """Write one group after another, until one does not go on with the line."""
        group, goes_on = self._first, True
        node = _Node(semantics.COMPILERS[self._options.target])
        while goes_on:
            breaks = self.following[0].breaks if self.following is not None else ""
            goes_on = self.following is not None and not breaks
            if not goes_on:
                breaks, self.empty_rows = _end(breaks, self._options)
            yield Part(node.write(_joined(group, breaks)), group, breaks)
            if goes_on:
                assert self.following is not None
                group, self.following = self.following, next(self._groups, None)


def _groups(rows: Iterable[Row], per: Per) -> Iterator[list[Row]]:
    """Split rows into those that share a block."""
    group: list[Row] = []
    most = {"line": 1, "paragraph": _LONGEST_PARAGRAPH, "file": sys.maxsize}[per]
    paragraphs = per == "paragraph"
    for row in rows:
        if group and ((paragraphs and row.starts) or len(group) == most or not row.breaks):
            yield group
            group = [row]
        else:
            group.append(row)
    if group:
        yield group


def _blocks(group: list[Row], breaks: str, options: Options) -> list[Part]:
    """Write one group of rows, and what is shown between it and the next."""
    breaks, empty_rows = _end(breaks, options)
    return [_block(group, breaks, options), *empty_rows]


def _end(breaks: str, options: Options) -> tuple[str, list[Part]]:
    """Say what line breaks become at the end of a block: line breaks in it, or blocks after it."""
    if options.target == "skyline":
        # Nothing may depend on a line break at the edge of a text: an empty row is a block of its own.
        return "", [Part(semantics.EMPTY_ROW, [_EMPTY_ROW])] * breaks.count(semantics.EMPTY_ROW)
    if options.in_views and breaks == "\n":
        breaks = ""  # the view separates already
    return breaks, []


def _block(rows: list[Row], breaks: str, options: Options) -> Part:
    first = rows[0]
    if len(rows) == 1:
        need, text = first.need, first.text
    else:
        need = common_need({row.need for row in rows})
        text = first.text + "".join([row.breaks + row.text for row in rows[1:]])
    compiler = semantics.COMPILERS[options.target]
    if need == "mixed":
        node = _Node(compiler)
        return Part(node.write(_joined(rows, breaks)), rows, breaks, elements=node.elements)
    source, bindings = semantics.encode(text + breaks, compiler)
    if bindings > limits.BINDINGS.safe:
        source = _Node(compiler).write_text(text + breaks)
    return Part(source, rows, breaks, None if need == "none" else need)


def _merged_parts(rows: Iterable[Row], options: Options) -> Iterator[Part]:
    """Write all of these rows for one text element, a batch at a time."""
    node = _Node(semantics.COMPILERS[options.target])
    batches = _batches(rows)
    batch = next(batches, None)
    while batch is not None:
        following = next(batches, None)
        breaks = following[0].breaks if following is not None else ""
        yield Part(node.write(as_characters(_joined(batch, breaks))), batch, breaks)
        batch = following


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        if len(batch) == _MERGED_ROWS or not row.breaks or (batch and not batch[-1].breaks):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _joined(rows: list[Row], breaks: str) -> list[Piece]:
    """Join rows by line breaks, with `breaks` at the end."""
    pieces = rows[0].pieces.copy()
    for row in rows[1:]:
        pieces.append(row.breaks)
        pieces += row.pieces
    pieces.append(breaks)
    return pieces


class _Node:
    """Writes text nodes, none of which may hold more bindings than the compilers bear."""

    __slots__ = ("_bindings", "_compiler", "elements")

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._bindings = 0
        #: How many elements were written between the text nodes.
        self.elements = 0

    def write(self, pieces: Iterable[Piece]) -> str:
        """Write pieces, wide white space as elements of its own."""
        source = ""
        text: list[str] = []
        for piece in pieces:
            if isinstance(piece, str):
                text.append(piece)
                continue
            if text:
                source += self.write_text("".join(text))
                text.clear()
            source += self._wide(piece) if isinstance(piece, Wide) else self._bound(piece.source)
        return source + self.write_text("".join(text))

    def write_text(self, text: str) -> str:
        """Write text as it is."""
        source, bindings = semantics.encode(text, self._compiler)
        if self._bindings + bindings > limits.BINDINGS.safe:
            return semantics.CONSTANT_BINDING.sub(lambda match: self._bound(match[0]), source)
        self._bindings += bindings
        return source

    def _bound(self, binding: str) -> str:
        if self._bindings < limits.BINDINGS.safe:
            self._bindings += 1
            return binding
        self._bindings = 1
        return semantics.NODE_SPLIT + binding

    def _wide(self, run: Wide) -> str:
        self._bindings = 0
        self.elements += 1
        return f'<text space="{run.mode}">{semantics.encode_spaces(run.width)}</text>'

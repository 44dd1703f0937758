"""Lines of plain text become text blocks: what goes into one `<text>`, already written as WXML.

A block is written in one of three ways. *Attribute*: its wide white space is plain U+0020, widened by the
attribute `space`. *Nested*: where that would widen the single spaces between words too, each wide run is a
`<text space>` of its own inside the block's `<text>`. *Characters*: en, em or no-break spaces as such, which
every target shows alike; for Skyline, which knows no `space`, and where elements run out.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice, repeat
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from wxtext import limits, semantics
from wxtext.notes import Line
from wxtext.options import Options, Per
from wxtext.paragraphs import Place, Text
from wxtext.semantics import Compiler, Space, SpaceMode

#: How many rows of a merged block are written at a time.
_MERGED_ROWS: Final = 200

#: How many rows a paragraph may have. Longer ones, such as logs, are split, so that memory stays flat.
_LONGEST_PARAGRAPH: Final = 1_000


class Wide(NamedTuple):
    """White space to be shown as `width` space characters of one mode."""

    mode: SpaceMode
    width: int
    #: The space characters themselves.
    shown: str


@functools.lru_cache(maxsize=1024)
def _wide(mode: SpaceMode, width: int) -> Wide:
    return Wide(mode, width, semantics.SPACE_CHARACTERS[mode] * width)


@functools.lru_cache(maxsize=1024)
def _wide_columns(columns: int, space: Space) -> Wide:
    return _wide(*semantics.wide_space(columns, space))


class Binding(NamedTuple):
    """A data binding of the notes that stays one."""

    #: `{{expr}}`, as typed.
    source: str
    #: What `show` makes of it: the source itself, or the value of a constant.
    shown: str


#: What a row of text is made of. A string is text in which every U+0020 is an ordinary single space.
Piece: TypeAlias = "str | Wide | Binding"


#: What text asks of the attribute `space` of its element: one value; none, because it would widen single
#: spaces; "mixed", if no value suits all of it. None: it does not care.
Need: TypeAlias = "SpaceMode | Literal['none', 'mixed'] | None"


class Row(NamedTuple):
    """A row of text to be shown: one line of the notes."""

    #: The number of the line in the notes.
    line: int
    #: Whether a block may begin with it: after blank lines, and where indentation begins or ends.
    starts: bool
    #: The line break before it, with the empty rows that come first.
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

#: A text block; or, at the end of long notes, the parts of a merged one, made while they are used.
TextBlock: TypeAlias = "Part | Iterator[Part]"


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
                    indentation = (
                        _wide("ensp", 2 * own_indent) if columns_align else _wide("emsp", own_indent)
                    )
            elif columns and indent != "none" and place is stays:
                indentation = _wide_columns(columns, space)

            if " " in text or "\t" in text or in_characters or (bindings and "{{" in text):
                pieces = _pieces(text, columns, space, options)
                if indentation is not None:
                    pieces.insert(0, indentation)
                if in_characters:
                    pieces = _as_characters(pieces)
                yield Row(number, starts, breaks, pieces, *_need(pieces))
            elif indentation is not None:
                row_text = " " * indentation.width + text
                yield Row(number, starts, breaks, [indentation, text], indentation.mode, row_text)
            else:
                yield Row(number, starts, breaks, [text], None, text)


def _aligned(run: Iterable[Line]) -> Space:
    """Say with which spaces the columns of lines without a blank line between them align.

    In a font whose characters are all as wide, an em space is not as wide as two en spaces. Where white space
    follows text, all of it is therefore en spaces.
    """
    for _number, _blanks, _columns, text in run:
        if "\t" in text or (" " in text and "  " in text):  # one character is soon looked for
            return "ensp"
    return "auto"


def _need(pieces: Iterable[Piece]) -> tuple[Need, str]:
    """Say which `space` these pieces need, and what to write then."""
    needs: set[Need] = set()
    text: list[str] = []
    for piece in pieces:
        if isinstance(piece, Wide) and piece.width == 1 and text:
            text.append(piece.shown)  # one U+0020 would look as if it were a space between words
        elif isinstance(piece, Wide):
            needs.add(piece.mode)
            text.append(" " * piece.width)
        elif isinstance(piece, Binding):
            needs.add("mixed")
        else:
            needs.add("none" if " " in piece else None)
            text.append(piece)
    return _common(needs), "".join(text)


def _common(needs: set[Need]) -> Need:
    """Combine what parts of a text need."""
    needs.discard(None)
    return "mixed" if len(needs) > 1 else needs.pop() if needs else None


def _pieces(text: str, column: int, space: Space, options: Options) -> list[Piece]:
    """Take apart the text of a line, which starts at this column."""
    pieces: list[Piece] = []
    for segment in _segments(text) if options.bindings else [text]:
        if isinstance(segment, Binding):
            pieces.append(segment)
            continue
        position = 0
        for run in semantics.WIDE_RUN.finditer(segment):
            before = segment[position : run.start()]
            start = semantics.columns(before, column, options.tab_width)
            column = semantics.columns(run[0], start, options.tab_width)
            if before:
                pieces.append(before)
            pieces.append(_wide_columns(column - start, space))
            position = run.end()
        if position < len(segment):
            pieces.append(segment[position:])
            column = semantics.columns(segment[position:], column, options.tab_width)
    return pieces


def _segments(text: str) -> Iterator[str | Binding]:
    """Split a line at the data bindings that stay bindings."""
    done = 0
    last = text.rfind("}}")
    start = text.find("{{")
    while 0 <= start < last:
        # What begins with a third brace is no expression to wcc.
        third = text.startswith("{", start + 2)
        binding = None if third else _live_binding(text[start : start + limits.LONGEST_BINDING])
        if binding is None:
            start += 1
        else:
            if start > done:
                yield text[done:start]
            yield binding
            start = done = start + len(binding.source)
        start = text.find("{{", start)
    if done < len(text):
        yield text[done:]


def refused_bindings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the `{{...}}` of a line that do not stay bindings: their offsets, and their source."""
    offset = 0
    for segment in _segments(text):
        if isinstance(segment, Binding):
            offset += len(segment.source)
            continue
        start = segment.find("{{")
        while start >= 0 and (end := segment.find("}}", start)) >= 0:
            yield offset + start, segment[start : end + 2]
            start = segment.find("{{", end + 2)
        offset += len(segment)


def _live_binding(text: str) -> Binding | None:
    """Read the binding that `text` begins with, if both compilers do and show the same of it.

    A constant that shows nothing, or white space that would collapse, is no use as a binding.
    """
    from wxtext.expressions import accepted_by_both, evaluate, levels

    end = accepted_by_both(text, 0)
    if end is None or "<!--" in text[:end]:  # a comment in a string might be taken for a marker
        return None
    # A level takes a character at least, a bracket two.
    if end > limits.EXPRESSION.safe // limits.BRACKET_LEVELS and any(
        levels(text, 0, compiler) > limits.EXPRESSION.safe for compiler in get_args(Compiler)
    ):
        return None
    source = text[:end]
    shown = evaluate(source[2:-2], "wcc")
    if shown is None:
        return Binding(source, source)
    return Binding(source, shown) if shown and " ".join(shown.split()) == shown else None


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
        blocks = _blocks(group, following[0].breaks if following is not None else "", options)
        for block in blocks:
            elements += own_elements + block.elements
        if elements + (own_elements if following is not None else 0) > limit:
            yield _merged_parts(chain(group, following or (), chain.from_iterable(groups)), options)
            return
        yield from blocks
        group = following


def _groups(rows: Iterable[Row], per: Per) -> Iterator[list[Row]]:
    """Split rows into those that share a block."""
    group: list[Row] = []
    most = {"line": 1, "paragraph": _LONGEST_PARAGRAPH, "file": sys.maxsize}[per]
    paragraphs = per == "paragraph"
    for row in rows:
        if group and ((paragraphs and row.starts) or len(group) == most):
            yield group
            group = [row]
        else:
            group.append(row)
    if group:
        yield group


def _blocks(group: list[Row], breaks: str, options: Options) -> list[Part]:
    """Write one group of rows, and what is shown between it and the next."""
    if options.target == "skyline":
        # Nothing may depend on a line break at the edge of a text: an empty row is a block of its own.
        empty = Part(semantics.EMPTY_ROW, [_EMPTY_ROW])
        return [_block(group, "", options), *[empty] * breaks.count(semantics.EMPTY_ROW)]
    if options.in_views and breaks == "\n":
        breaks = ""  # the view separates already
    return [_block(group, breaks, options)]


def _block(rows: list[Row], breaks: str, options: Options) -> Part:
    first = rows[0]
    if len(rows) == 1:
        need, text = first.need, first.text
    else:
        need = _common({row.need for row in rows})
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
    rows = iter(rows)
    batch = list(islice(rows, _MERGED_ROWS))
    while batch:
        following = list(islice(rows, _MERGED_ROWS))
        breaks = following[0].breaks if following else ""
        yield Part(node.write(_as_characters(_joined(batch, breaks))), batch, breaks)
        batch = following


def _joined(rows: list[Row], breaks: str) -> list[Piece]:
    """Join rows by line breaks, with `breaks` at the end."""
    pieces = rows[0].pieces.copy()
    for row in rows[1:]:
        pieces.append(row.breaks)
        pieces += row.pieces
    pieces.append(breaks)
    return pieces


def _as_characters(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece.shown if isinstance(piece, Wide) else piece for piece in pieces]


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

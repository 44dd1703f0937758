"""Lines of plain text become text blocks: what goes into one `<text>`, already written as WXML.

A block is written in one of three ways. *Attribute*: its wide white space is plain U+0020, widened by the
attribute `space`. *Nested*: where that would widen the single spaces between words too, each wide run is a
`<text space>` of its own inside the block's `<text>`. *Characters*: en, em or no-break spaces as such, which
every target shows alike; for Skyline, which knows no `space`, and where elements run out.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from wxtext import expressions, semantics
from wxtext.errors import OptionError
from wxtext.notes import Line
from wxtext.semantics import Compiler, Space, SpaceMode, Target

BlankLines = Literal["keep", "one", "none"]
Per = Literal["paragraph", "line", "file"]
Indent: TypeAlias = "Literal['keep', 'none'] | int"

#: Lines indented deeper are listings: `indent=N` leaves them alone.
DEEPEST_PARAGRAPH_INDENT: Final = 8

#: How many rows of a merged block are written at a time.
_MERGED_ROWS: Final = 200

_CLASS_NAMES: Final = re.compile(r"-?[^\W\d][\w-]*(?: +-?[^\W\d][\w-]*)*")
_WIDEST_TAB: Final = 16
_WIDEST_INDENT: Final = 20


@dataclass(frozen=True)
class Options:
    """How to convert: one field an option, named alike in the library and on the command line.

    Raises `OptionError` for a value that an option cannot have.
    """

    space: Space = "auto"
    target: Target = "webview"
    tab_width: int = 4
    indent: Indent = "keep"
    blank_lines: BlankLines = "keep"
    per: Per = "paragraph"
    view: bool = False
    user_select: bool = False
    class_: str = ""
    bindings: bool = False

    def __post_init__(self) -> None:
        _one_of("space", self.space, get_args(Space))
        _one_of("target", self.target, get_args(Target))
        _one_of("blank_lines", self.blank_lines, get_args(BlankLines))
        _one_of("per", self.per, get_args(Per))
        _whole_number("tab_width", self.tab_width, 1, _WIDEST_TAB)
        if self.indent not in ("keep", "none"):
            _whole_number("indent", self.indent, 0, _WIDEST_INDENT, ", keep or none")
        if self.class_ and not _CLASS_NAMES.fullmatch(self.class_):
            raise OptionError(
                f"class: {self.class_!r} is no class name; use letters, digits, - and _, "
                "and a letter or _ first"
            )

    @property
    def in_views(self) -> bool:
        """Whether each block is in a `<view>` of its own.

        `user-select` makes a `<text>` an inline-block, whose last line break separates it from nothing.
        Skyline has no inline layout.
        """
        return self.view or self.user_select or self.target == "skyline"


def _one_of(option: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"{option}: {value!r} is not one of {', '.join(choices)}")


def _whole_number(option: str, value: object, least: int, most: int, otherwise: str = "") -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(f"{option}: {value!r} is not a whole number from {least} to {most}{otherwise}")


class Wide(NamedTuple):
    """White space to be shown as `count` space characters of one mode."""

    mode: SpaceMode
    count: int
    #: The space characters themselves.
    shown: str


@functools.lru_cache(maxsize=1024)
def _wide(mode: SpaceMode, count: int) -> Wide:
    return Wide(mode, count, semantics.SPACE_CHARACTERS[mode] * count)


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
    #: Whether it is empty.
    blank: bool
    #: Whether it starts a paragraph.
    starts: bool
    pieces: list[Piece]
    need: Need
    #: What to write into an element with that attribute.
    text: str


class Part(NamedTuple):
    """Some whole rows of a text block."""

    #: WXML source.
    source: str
    rows: list[Row]
    #: The line break after the last row, if the source ends in one.
    ends: str

    @property
    def shown(self) -> str:
        """What the phone shows of it: the rows, joined by LF."""
        return "\n".join([_shown(row.pieces) for row in self.rows])


class TextBlock(NamedTuple):
    """What goes into one `<text>` element."""

    #: The value that the element's attribute `space` must have, if any.
    space: SpaceMode | None
    #: The content. The merged block at the end of long notes has many parts, made while they are used.
    parts: Iterable[Part]
    #: How many elements the content holds.
    elements: int = 0
    #: Whether it is the merged block at the end of long notes.
    merged: bool = False


def rows(lines: Iterable[Line], options: Options) -> Iterator[Row]:
    """Lay out each line of the notes as the options say."""
    indent, space, bindings = options.indent, options.space, options.bindings
    in_characters = options.target == "skyline"
    empty = semantics.EMPTY_ROW if in_characters else ""
    most_blanks = {"keep": sys.maxsize, "one": 1, "none": 0}[options.blank_lines]
    blanks = 0
    starts = True
    for number, columns, text in lines:
        if not text:
            starts = True
            blanks += 1
            if blanks <= most_blanks:
                yield Row(number, True, False, [empty], None, empty)
            continue
        if columns:
            starts = True
        indentation: Wide | None = None
        if indent == "keep" or (indent != "none" and (columns > DEEPEST_PARAGRAPH_INDENT or not starts)):
            if columns:
                indentation = _wide_columns(columns, space)
        elif indent != "none" and indent > 0:
            indentation = _wide("emsp", indent)

        if " " in text or "\t" in text or in_characters or (bindings and "{{" in text):
            pieces = _pieces(text, columns, options)
            if indentation is not None:
                pieces.insert(0, indentation)
            if in_characters:
                pieces = _as_characters(pieces)
            yield Row(number, False, starts, pieces, *_need(pieces))
        elif indentation is not None:
            row_text = " " * indentation.count + text
            yield Row(number, False, starts, [indentation, text], indentation.mode, row_text)
        else:
            yield Row(number, False, starts, [text], None, text)
        starts = False
        blanks = 0


def _need(pieces: Iterable[Piece]) -> tuple[Need, str]:
    """Say which `space` these pieces need, and what to write then."""
    need: Need = None
    text: list[str] = []
    for piece in pieces:
        asks: Need = None
        if isinstance(piece, Wide):
            asks = piece.mode
            text.append(" " * piece.count)
        elif isinstance(piece, Binding):
            asks = "mixed"
        else:
            if " " in piece:
                asks = "none"
            text.append(piece)
        if asks is not None:
            need = asks if need in (None, asks) else "mixed"
    return need, "".join(text)


def _pieces(text: str, column: int, options: Options) -> list[Piece]:
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
            pieces.append(_wide_columns(column - start, options.space))
            position = run.end()
        if position < len(segment):
            pieces.append(segment[position:])
            column = semantics.columns(segment[position:], column, options.tab_width)
    return pieces


def _segments(text: str) -> Iterator[str | Binding]:
    """Split a line at the data bindings that stay bindings."""
    done = 0
    start = text.find("{{")
    while start >= 0:
        binding = _live_binding(text[start : start + semantics.MAX_EXPRESSION])
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


def _live_binding(text: str) -> Binding | None:
    """Read the binding that `text` begins with, if both compilers do and show the same of it.

    A constant that shows nothing, or white space that would collapse, is no use as a binding.
    """
    end = expressions.accepted_by_both(text, 0)
    if end is None:
        return None
    source = text[:end]
    shown = expressions.evaluate(source[2:-2], "wcc")
    if shown is None:
        return Binding(source, source)
    return Binding(source, shown) if shown and " ".join(shown.split()) == shown else None


def text_blocks(rows: Iterable[Row], options: Options) -> Iterator[TextBlock]:
    """Gather rows into blocks.

    When the elements of a template run out, all that is left becomes one merged block.
    """
    limit = semantics.MAX_ELEMENTS[options.target]
    own_elements = 2 if options.in_views else 1
    elements = 0
    groups = _groups(rows, options.per)
    group = next(groups, None)
    while group is not None:
        following = next(groups, None)
        blocks = _blocks(group, following is None, options)
        for block in blocks:
            elements += own_elements + block.elements
        if elements + (own_elements if following is not None else 0) > limit:
            rest = chain(group, following or (), chain.from_iterable(groups))
            yield TextBlock(None, _merged_parts(rest, options), merged=True)
            return
        yield from blocks
        group = following


def _groups(rows: Iterable[Row], per: Per) -> Iterator[list[Row]]:
    """Split rows into those that share a block; empty rows go with the one before."""
    group: list[Row] = []
    for row in rows:
        if (row.starts or (per == "line" and not row.blank)) and per != "file" and group:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _blocks(group: list[Row], last: bool, options: Options) -> list[TextBlock]:
    """Write one group of rows; its first is not empty."""
    if options.target == "skyline":
        # Nothing may depend on a line break at the edge of a text: an empty row is a block of its own.
        blanks = list(takewhile(lambda row: row.blank, reversed(group)))[::-1]
        return [
            _block(group[: len(group) - len(blanks)], "", options),
            *[TextBlock(None, [Part(semantics.EMPTY_ROW, [row], "")]) for row in blanks],
        ]
    if options.in_views:
        # At the end of a view, the break that ends a row makes no other, and only an empty row needs it.
        return [_block(group, "\n" if group[-1].blank else "", options)]
    return [_block(group, "" if last else "\n", options)]


def _block(rows: list[Row], ends: str, options: Options) -> TextBlock:
    compiler = semantics.COMPILERS[options.target]
    needs = {row.need for row in rows}
    needs.discard(None)
    need = needs.pop() if needs else None
    node = _Node(compiler)
    if needs or need == "mixed":
        source = node.write(_joined(rows, ends))
        return TextBlock(None, [Part(source, rows, ends)], node.elements)
    source = node.write_text("\n".join([row.text for row in rows]) + ends)
    return TextBlock(None if need == "none" else need, [Part(source, rows, ends)])


def _merged_parts(rows: Iterable[Row], options: Options) -> Iterator[Part]:
    """Write all of these rows for one text element, a batch at a time."""
    node = _Node(semantics.COMPILERS[options.target])
    rows = iter(rows)
    batch = list(islice(rows, _MERGED_ROWS))
    while batch:
        following = list(islice(rows, _MERGED_ROWS))
        ends = "\n" if following else ""
        yield Part(node.write(_as_characters(_joined(batch, ends))), batch, ends)
        batch = following


def _joined(rows: list[Row], ends: str) -> list[Piece]:
    """Join rows by line breaks, with `ends` at the end."""
    pieces = rows[0].pieces.copy()
    for row in rows[1:]:
        pieces.append("\n")
        pieces += row.pieces
    if ends:
        pieces.append(ends)
    return pieces


def _shown(pieces: Iterable[Piece]) -> str:
    return "".join([piece if isinstance(piece, str) else piece.shown for piece in pieces])


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
        if self._bindings + bindings > semantics.MAX_BINDINGS:
            return semantics.CONSTANT_BINDING.sub(lambda match: self._bound(match[0]), source)
        self._bindings += bindings
        return source

    def _bound(self, binding: str) -> str:
        if self._bindings < semantics.MAX_BINDINGS:
            self._bindings += 1
            return binding
        self._bindings = 1
        return semantics.NODE_SPLIT + binding

    def _wide(self, run: Wide) -> str:
        self._bindings = 0
        self.elements += 1
        return f'<text space="{run.mode}">{semantics.encode_spaces(run.count)}</text>'

"""Lines of plain text become text blocks: what goes into one `<text>`, already written as WXML.

A block is written in one of three ways. *Attribute*: its wide white space is plain U+0020, widened by the
attribute `space`. *Nested*: where that would widen the single spaces between words too, each wide run is a
`<text space>` of its own inside the block's `<text>`. *Characters*: en, em or no-break spaces as such, which
every target shows alike; for Skyline, which knows no `space`, and where elements run out.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
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


class Row(NamedTuple):
    """A row of text to be shown: one line of the notes."""

    #: The number of the line in the notes.
    line: int
    #: How many empty rows are shown before it.
    blanks: int
    #: Whether it starts a paragraph.
    starts: bool
    pieces: list[Piece]


class Part(NamedTuple):
    """Some of a text block, from the beginning of a row to the end of one."""

    #: WXML source.
    source: str
    #: What the phone shows of it: rows joined by LF.
    shown: str
    #: For each of these rows, the number of its line in the notes.
    lines: list[int]


class TextBlock(NamedTuple):
    """What goes into one `<text>` element."""

    #: The value that the element's attribute `space` must have, if any.
    space: SpaceMode | None
    #: The content. The merged block at the end of long notes has many parts, made while they are used.
    parts: Iterable[Part]
    #: How many elements the content holds.
    elements: int
    #: Whether it is the merged block at the end of long notes.
    merged: bool = False


def rows(lines: Iterable[Line], options: Options) -> Iterator[Row]:
    """Lay out each line of the notes as the options say."""
    most_blanks = {"keep": None, "one": 1, "none": 0}[options.blank_lines]
    indent, space, bindings = options.indent, options.space, options.bindings
    starts = True
    for number, columns, text, blanks in lines:
        starts = starts or columns > 0 or blanks > 0
        if "  " in text or "\t" in text or (bindings and "{{" in text):
            pieces = _pieces(text, columns, options)
        else:
            pieces = [text]
        if indent == "keep" or (indent != "none" and (columns > DEEPEST_PARAGRAPH_INDENT or not starts)):
            if columns:
                pieces.insert(0, _wide_columns(columns, space))
        elif indent != "none" and indent > 0:
            pieces.insert(0, _wide("emsp", indent))
        yield Row(number, blanks if most_blanks is None else min(blanks, most_blanks), starts, pieces)
        starts = False


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
        binding = expressions.live_binding(text, start)
        if binding is None:
            start = text.find("{{", start + 1)
            continue
        if start > done:
            yield text[done:start]
        source, shown = binding
        yield Binding(source, shown)
        done = start + len(source)
        start = text.find("{{", done)
    if done < len(text):
        yield text[done:]


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
        blocks = _blocks(group, following, options)
        elements += sum([own_elements + block.elements for block in blocks])
        if elements + (own_elements if following is not None else 0) > limit:
            rest = chain(group, following or (), chain.from_iterable(groups))
            yield TextBlock(None, _merged_parts(rest, options), 0, merged=True)
            return
        yield from blocks
        group = following


def _groups(rows: Iterable[Row], per: Per) -> Iterator[list[Row]]:
    """Split rows into those that share a block."""
    group: list[Row] = []
    for row in rows:
        if group and (per == "line" or (per == "paragraph" and row.starts)):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _blocks(group: list[Row], following: list[Row] | None, options: Options) -> list[TextBlock]:
    """Write one group as a block, and the empty rows between it and the next."""
    blanks = following[0].blanks if following is not None else 0
    lines, pieces = _joined(group, options.target)
    if options.target == "skyline":
        # Nothing may depend on a line break at the edge of a text: an empty row is a block of its own.
        block = _block(_as_characters(pieces), _shown(pieces), lines, options)
        empty = TextBlock(None, [Part(semantics.EMPTY_ROW, semantics.EMPTY_ROW, lines[-1:])], 0)
        return [block, *[empty] * blanks]

    if blanks:
        pieces.append("\n" * blanks)
        lines += lines[-1:] * blanks
    shown = _shown(pieces)
    # The break that ends the last row. At the end of a view it makes no row, and is needed only where that
    # row is empty.
    if blanks or (following is not None and not options.in_views):
        pieces.append("\n")
    return [_block(pieces, shown, lines, options)]


def _block(pieces: list[Piece], shown: str, lines: list[int], options: Options) -> TextBlock:
    compiler = semantics.COMPILERS[options.target]
    space = _common_mode(pieces)
    if space is not None:
        pieces = [" " * piece.count if isinstance(piece, Wide) else piece for piece in pieces]
    node = _Node(compiler)
    return TextBlock(space, [Part(node.write(pieces), shown, lines)], node.elements)


def _merged_parts(rows: Iterable[Row], options: Options) -> Iterator[Part]:
    """Write all of these rows for one text element, a batch at a time."""
    node = _Node(semantics.COMPILERS[options.target])
    rows = iter(rows)
    first = True
    while batch := list(islice(rows, _MERGED_ROWS)):
        lines, pieces = _joined(batch, options.target, breaks_before=not first)
        yield Part(node.write(_as_characters(pieces)), _shown(pieces), lines)
        first = False


def _joined(
    rows: Iterable[Row], target: Target, *, breaks_before: bool = False
) -> tuple[list[int], list[Piece]]:
    """Join rows by line breaks; return the line of the notes at each row of the result, and its pieces."""
    lines: list[int] = []
    pieces: list[Piece] = []
    for row in rows:
        if lines or breaks_before:
            if target == "skyline":
                pieces.append("\n" + (semantics.EMPTY_ROW + "\n") * row.blanks)
            else:
                pieces.append("\n" * (row.blanks + 1))
            lines += [row.line] * (row.blanks if lines else row.blanks + 1)
        pieces += row.pieces
        lines.append(row.line)
    return lines, pieces


def _shown(pieces: Iterable[Piece]) -> str:
    return "".join([piece if isinstance(piece, str) else piece.shown for piece in pieces])


def _as_characters(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece.shown if isinstance(piece, Wide) else piece for piece in pieces]


def _common_mode(pieces: Iterable[Piece]) -> SpaceMode | None:
    """Return the value of `space` that makes all wide white space right and nothing else wrong, if any."""
    mode: SpaceMode | None = None
    for piece in pieces:
        if isinstance(piece, str):
            if " " in piece:
                return None
        elif isinstance(piece, Binding) or mode not in (None, piece.mode):
            return None
        else:
            mode = piece.mode
    return mode


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
                source += self._text("".join(text))
                text.clear()
            source += self._wide(piece) if isinstance(piece, Wide) else self._bound(piece.source)
        return source + self._text("".join(text))

    def _text(self, text: str) -> str:
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

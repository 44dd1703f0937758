"""The text of a line, taken apart: plain text, wide white space, and data bindings that stay bindings."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

from wxtext import limits, semantics
from wxtext.options import Options
from wxtext.semantics import Compiler, Space, SpaceMode


class Wide(NamedTuple):
    """White space to be shown as `width` space characters of one mode."""

    mode: SpaceMode
    width: int
    #: The space characters themselves.
    shown: str


@functools.lru_cache(maxsize=1024)
def wide(mode: SpaceMode, width: int) -> Wide:
    """Return so many space characters of one mode."""
    return Wide(mode, width, semantics.SPACE_CHARACTERS[mode] * width)


@functools.lru_cache(maxsize=1024)
def wide_columns(columns: int, space: Space) -> Wide:
    """Return the space characters that show so many columns in a mode."""
    return wide(*semantics.wide_space(columns, space))


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


def need_of(pieces: Iterable[Piece]) -> tuple[Need, str]:
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
    return common_need(needs), "".join(text)


def common_need(needs: set[Need]) -> Need:
    """Combine what parts of a text need."""
    needs.discard(None)
    return "mixed" if len(needs) > 1 else needs.pop() if needs else None


def pieces_of(text: str, column: int, space: Space, options: Options) -> list[Piece]:
    """Take apart the text of a line, which starts at this column."""
    return list(_pieces(text, column, space, options))


def stretches_of(text: str, column: int, space: Space, options: Options, most: int) -> Iterator[list[Piece]]:
    """Take apart a text that is too long to be taken apart as a whole: yield its pieces, some at a time.

    Each time they are of about `most` characters. What is written for some of them is read as it would be if
    all were written at once.
    """
    stretch: list[Piece] = []
    size = 0
    for piece in _pieces(text, column, space, options):
        for part in _parts(piece, most) if isinstance(piece, str) else (piece,):
            stretch.append(part)
            size += len(part) if isinstance(part, str) else len(part.shown)
            if size >= most:
                yield stretch
                stretch = []
                size = 0
    if stretch:
        yield stretch


def _parts(text: str, most: int) -> Iterator[str]:
    """Cut text into parts of so many characters, but not between an ampersand and what may be an entity."""
    start = 0
    while len(text) - start > most:
        end = start + most
        end += text[end - 1] == "&" and (text[end].isalpha() or text[end] == "#")
        yield text[start:end]
        start = end
    yield text[start:]


def _pieces(text: str, column: int, space: Space, options: Options) -> Iterator[Piece]:
    for segment in _segments(text) if options.bindings else (text,):
        if isinstance(segment, Binding):
            yield segment
            continue
        position = 0
        for run in semantics.WIDE_RUN.finditer(segment):
            before = segment[position : run.start()]
            start = semantics.columns(before, column, options.tab_width)
            column = semantics.columns(run[0], start, options.tab_width)
            if before:
                yield before
            yield wide_columns(column - start, space)
            position = run.end()
        if position < len(segment):
            rest = segment[position:]
            column = semantics.columns(rest, column, options.tab_width)
            yield rest


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


def as_characters(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece.shown if isinstance(piece, Wide) else piece for piece in pieces]

"""What converted notes must show: the law, read a second time and written down as plainly as it goes.

Nothing here is shared with the package but the judgement of single `{{ }}` expressions, which the tests hold
against the official compilers on their own, and of what a paragraph is (tests/test_paragraphs.py).
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator

from wxtext import expressions
from wxtext.paragraphs import Paragraphs, Place, Text
from wxtext.semantics import Compiler

#: CRLF counts once. LF itself needs no mention in the law.
BREAK = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
#: White space: U+0020, TAB, U+00A0, U+1680, U+2000-200A, U+202F, U+205F, U+3000.
WHITE = " \t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
#: What is measured inside a line.
WIDE_RUN = re.compile("[ \t]*\t[ \t]*|  +")
#: Strings and all else up to the first `}}` outside them.
TO_END = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?!\}\})[^'"])*\}\}""")
#: What a constant may not show, so that it can stay a binding.
WHITE_BUT_SINGLE_SPACE = re.compile(r"\A\s|\s\Z|\s\s|[^\S ]")
COMPILERS: tuple[Compiler, ...] = ("wcc", "glass-easel")

#: Gives what a live binding shows, from its source with the braces.
Value = Callable[[str], str]


def lines_of(notes: str, *, strip_invisible: bool = False) -> list[str]:
    """Law 1 and 2: the lines, without what cannot be kept and what cannot be seen."""
    kept = []
    for line in BREAK.sub("\n", notes).split("\n"):
        characters = []
        for character in without_unseen(line) if strip_invisible else line:
            category = unicodedata.category(character)
            if category == "Cs":
                characters.append("\ufffd")
            elif character == "\t" or (category != "Cc" and character != "\ufeff"):
                characters.append(character)
        kept.append("".join(characters).rstrip(WHITE))
    while kept and not kept[-1]:
        del kept[-1]
    return kept


#: Characters that are not seen, and among them those that shape the scripts after them.
UNSEEN = re.compile(
    "[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0001]"
)
SHAPING = re.compile("[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
SHAPED = re.compile("[\u0590-\u10ff\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]")
EMOJI = re.compile("[\xa9\xae\u203c-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff]")


def without_unseen(line: str) -> str:
    """A line without characters that show nothing and mean nothing."""
    kept = ""
    for place, character in enumerate(line):
        joins = character == "\u200d" and place > 0 and place + 1 < len(line)
        joins = joins and bool(EMOJI.match(line[place - 1]) and EMOJI.match(line[place + 1]))
        shapes = bool(SHAPING.match(character)) and (joins or bool(SHAPED.search(line)))
        if shapes or not UNSEEN.match(character):
            kept += character
    return kept


def width(character: str) -> int:
    """The columns of one character that is no TAB."""
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    if character in "\u3000\u2003\u2001" or unicodedata.east_asian_width(character) in {"W", "F"}:
        return 2
    return 1


def column_after(text: str, column: int, tab_width: int) -> int:
    """The column that text ends at when it starts at `column`."""
    for character in text:
        column += tab_width - column % tab_width if character == "\t" else width(character)
    return column


def spaces(columns: int, mode: str) -> str:
    """Law 4: so many columns of white space as they show."""
    if mode == "auto":
        mode = "ensp" if columns % 2 else "emsp"
    if mode == "emsp":
        return "\u2003" * -(-columns // 2)
    return {"ensp": "\u2002", "nbsp": "\u00a0"}[mode] * columns


def ends_of_expression(line: str, start: int) -> int | None:
    """Where the first `}}` outside quotes begins, at or after `start`."""
    match = TO_END.match(line, start)
    return match and match.end() - 2


def pieces(line: str, live: Value | None) -> Iterator[tuple[bool, str]]:
    """Split a line into (False, typed text) and (True, what a live binding shows)."""
    start = position = 0
    while live is not None and (position := line.find("{{", position)) >= 0:
        end = ends_of_expression(line, position + 2)
        shows = None if end is None else binding(line[position : end + 2], live)
        if shows is None:
            position += 1
            continue
        yield False, line[start:position]
        yield True, shows
        assert end is not None
        start = position = end + 2
    yield False, line[start:]


def binding_candidates(notes: str) -> set[str]:
    """Everything in the notes that might be a binding, with its braces."""
    return {
        line[start : end + 2]
        for line in lines_of(notes)
        for start in range(len(line))
        if line.startswith("{{", start) and (end := ends_of_expression(line, start + 2)) is not None
    }


def binding(source: str, live: Value) -> str | None:
    """What a typed `{{expression}}` shows if it stays a binding, None if it is plain text."""
    expression = source[2:-2]
    if "<!--" in source:  # it might be taken for a marker
        return None
    if not all(expressions.accepts(expression, compiler) for compiler in COMPILERS):
        return None
    prints = {expressions.evaluate(expression, compiler) for compiler in COMPILERS}
    if None in prints:
        return live(source)
    text = prints.pop()
    if prints or not text or WHITE_BUT_SINGLE_SPACE.search(text):
        return None
    return live(source)


def printed(source: str) -> str:
    """What `wxtext.show` prints for a live binding: itself, or the value of a constant."""
    value = expressions.evaluate(source[2:-2], "wcc")
    return source if value is None else value


def aligned(lines: list[str]) -> Iterator[str]:
    """What `auto` is for each line: en spaces where one of those around it has white space in its text.

    Lines are around each other if no blank line is between them, at most 200 at a time.
    """
    for blank, group in itertools.groupby(lines, key=lambda line: not line):
        stretch = list(group)
        for start in range(0, len(stretch), 200):
            part = stretch[start : start + 200]
            columns = not blank and any(re.search("  |\t", line.lstrip(WHITE)) for line in part)
            yield from ["ensp" if columns else "auto"] * len(part)


def places(lines: list[str], tab_width: int, what: Paragraphs) -> Iterator[Place]:
    """What each line is that is not blank."""
    seen = []
    blanks = 0
    for number, line in enumerate(lines, 1):
        body = line.lstrip(WHITE)
        if body:
            column = column_after(line[: len(line) - len(body)], 0, tab_width)
            seen.append((number, blanks, column, body))
        blanks = 0 if body else blanks + 1
    text = Text(seen, what)
    return (place for run in text.runs() for place in text.places(run))


def expected(
    notes: str,
    *,
    target: str = "webview",
    space: str = "auto",
    tab_width: int = 4,
    indent: str | int = "keep",
    paragraphs: Paragraphs = "auto",
    blank_lines: str = "keep",
    bindings: bool = False,
    strip_invisible: bool = False,
    value: Value | None = None,
    **_rest: object,
) -> str:
    """The text that converted notes must show; the options are those of `wxtext.convert`.

    Those that may not change what is shown (`per`, `view`, `user_select`, ...) are ignored. `value` tells
    what a live binding shows; without it that is what `wxtext.show` prints.
    """
    live = (value or printed) if bindings else None
    shown: list[str] = []
    wanted = space
    lines = lines_of(notes, strip_invisible=strip_invisible)
    placed = iter(places(lines, tab_width, paragraphs))
    modes = iter(aligned(lines) if space == "auto" else [space] * len(lines))
    for line in lines:
        space = next(modes)
        if not line:
            if blank_lines == "keep" or (blank_lines == "one" and (not shown or shown[-1])):
                shown.append("")
            continue
        body = line.lstrip(WHITE)
        column = column_after(line[: len(line) - len(body)], 0, tab_width)
        place = next(placed)
        if indent == "keep" or (indent != "none" and place is Place.STAYS):
            row = spaces(column, space)
        elif indent != "none" and place is Place.BEGINS:
            row = (
                "\u2002" * int(indent) * 2 if space == "ensp" and wanted == "auto" else "\u2003" * int(indent)
            )
        else:
            row = ""
        for is_live, text in pieces(body, live):
            if is_live:
                row += text
                continue
            start = 0
            for run in WIDE_RUN.finditer(text):
                row += text[start : run.start()]
                column = column_after(text[start : run.start()], column, tab_width)
                after = column_after(run[0], column, tab_width)
                row += spaces(after - column, space)
                column, start = after, run.end()
            row += text[start:]
            column = column_after(text[start:], column, tab_width)
        shown.append(row)
    if target == "skyline":
        shown = [row or "\u00a0" for row in shown]
    return "\n".join(shown)


def seen(rows: str, target: str) -> str:
    """Rows as `wxtext.show` prints them: where Skyline needs a no-break space for an empty one, as empty."""
    if target != "skyline":
        return rows
    return "\n".join("" if row == "\u00a0" else row for row in rows.split("\n")).rstrip("\n")

r"""A backslash is printed as its code.

In static text wcc prints `\x5c` for two backslashes before most characters, and `\x27` or `\x22` for a
quote after a backslash. In a string in `{{ }}` it prints `\x41` and `\u4e2d` as they are typed, too. A quote
needs no backslash in text; a backslash is written `{{'\\'}}`, and any other character as it is.

A path such as `C:\new` has a line break in it, since `\n` is one; `\t` is a TAB, `\r` a carriage return. This
is advice, and its fix is unsafe, because two rows may become one.

Bad:
    <text>it\'s in D:\\Notes\\2024</text>
Good:
    <text>it's in D:{{'\\'}}Notes{{'\\'}}2024</text>

Bad:
    <text>{{ok ? 'it\'s \u2713' : 'D:\\Notes'}}</text>
Good:
    <text>{{ok ? "it's ✓" : ('D:\\' + 'Notes')}}</text>

Bad:
    <text>C:\new</text>
Good:
    <text>C:{{'\\'}}new</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.expressions import ExpressionError, evaluate
from wxtext.i18n import _
from wxtext.page import Page, Text
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("safe", "unsafe")

_ESCAPE = re.compile(r"""\\(?:[\\'"]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})""")
_LITERAL = re.compile(
    r"""/\*(?:.*?\*/|.*)|(?P<string>'[^'\\\n]*(?:\\.[^'\\\n]*)*'|"[^"\\\n]*(?:\\.[^"\\\n]*)*")""", re.DOTALL
)

# Pieces of a string that can be written alike for both compilers: with one kind of quotes, and backslashes at
# the end alone.
_PIECE = re.compile(r"[^\\]+\\*|\\+")
_PIECE_WITH_QUOTES = re.compile(r"""[^'\\]+\\*|[^"\\]+\\*|\\+""")
_UNWRITABLE = re.compile(f"{mistakes.INVISIBLE.pattern}|{semantics.LONE_SURROGATE.pattern}")

# What a fix writes otherwise: escapes, of which `n`, `r` and `t` are left where they are read, quotes, sums.
_SYNTAX = re.compile(r"""[\\nrt'"()+\t\r ]""")
_CODE = re.compile("x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})")
_PASSES = 8


def READS(shown: str) -> str:  # noqa: N802 - one of the names that a rule defines
    """Read codes as what they stand for, also those that codes make; leave out what fixes write otherwise."""
    for _pass in range(_PASSES):
        before = shown
        shown = _CODE.sub(_character, _SYNTAX.sub("", shown))
        if shown == before:
            break
    return shown


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


CHANGES = mistakes.alike(lambda shown: READS(shown.replace("\n", "")))


def check(page: Page) -> Iterator[Finding]:
    if page.compiler != "wcc" or "\\" not in page.source:
        return
    for text in page.texts:
        if page.source.find("\\", text.start, text.end) >= 0:
            yield from _in_static_text(page, text)
            yield from _in_bindings(page, text)


def _in_static_text(page: Page, text: Text) -> Iterator[Finding]:
    for first, last in page.static(text):
        for start, end, meant in semantics.wcc_misprints(page.source[first:last]):
            edit = page.write(first + start, first + end, meant)
            message = _("the compiler prints the code of this; write {fixed}")
            yield Finding(first + start, first + end, message.format(fixed=edit.text), (edit,))
        for start in mistakes.windows_folders(page.source, first, last):
            end = start + 2
            edit = page.write(start, start + 1, "\\")
            message = _("`{escape}` in a path is a control character; write {fixed}")
            escape = page.source[start:end]
            yield Finding(
                start,
                end,
                message.format(escape=escape, fixed=edit.text + escape[1]),
                (edit,),
                Severity.INFO,
                unsafe=True,  # a row goes with the line break
            )


def _in_bindings(page: Page, text: Text) -> Iterator[Finding]:
    for first, last in page.bindings(text):
        for match in _LITERAL.finditer(page.source, first, last):
            literal = match["string"]
            if not literal or not _ESCAPE.search(literal):
                continue
            try:
                meant = evaluate(literal, "glass-easel")
                if meant is None or meant == evaluate(literal, "wcc"):
                    continue
            except ExpressionError:
                continue
            start, end = match.span("string")
            alone = not page.source[first + 2 : start].strip() and not page.source[end : last - 2].strip()
            fixed = _expression(meant, alone)
            message = _("the compiler prints escapes in this string as they are typed")
            yield Finding(start, end, message, (Edit(start, end, fixed),) if fixed else None)


def _expression(text: str, alone: bool) -> str | None:
    """Write a string as both compilers read it, in brackets if it takes several and does not stand alone."""
    if _UNWRITABLE.search(text):
        return None
    pattern = _PIECE_WITH_QUOTES if "'" in text and '"' in text else _PIECE
    pieces = []
    for piece in pattern.findall(text):
        quote = '"' if "'" in piece else "'"
        escaped = piece.replace("\\", r"\\").replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")
        pieces.append(quote + escaped + quote)
    expression = " + ".join(pieces)
    return expression if alone or len(pieces) == 1 else f"({expression})"

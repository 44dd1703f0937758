r"""`\n` is printed as it is typed.

The compiler of this target leaves a backslash in text alone: `\n` shows as two characters. A line break is
written `{{'\n'}}`, which every target understands, and shows only inside a `<text>`.

Target: glass-easel

Bad:
    <text>第一行\n第二行</text>
Good:
    <text>第一行{{'\n'}}第二行</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("safe",)
BREAKS = re.compile(r"(?<!\\)(?:(?:\\r)?\\n)+")
BREAK = r"\n"
#: Spaces beside a line break are not shown.
_SPACES_AT_EDGES = re.compile(" *\n *")


def READS(shown: str) -> str:  # noqa: N802 - one of the names that a rule defines
    r"""Read what is typed for a line break as one: `\n` shows where a row was to end."""
    return _SPACES_AT_EDGES.sub("\n", shown.replace(r"\r\n", "\n").replace(BREAK, "\n"))


def check(page: Page) -> Iterator[Finding]:
    if page.compiler == "wcc" or BREAK not in page.source:
        return
    for text in page.texts:
        if page.source.find(BREAK, text.start, text.end) < 0:
            continue
        for first, last in page.static(text):
            folders = set(mistakes.windows_folders(page.source, first, last))
            for match in BREAKS.finditer(page.source, first, last):
                start, end = match.span()
                if start in folders:
                    continue
                if text.in_text:
                    message = _("`\\n` shows as two characters on this target; write a line break as {fixed}")
                    edit = page.write(start, end, "\n" * match[0].count(BREAK))
                    fixed = semantics.string_binding("\n")
                    yield Finding(start, end, message.format(fixed=fixed), (edit,))
                else:
                    message = _("`\\n` shows as two characters; lines break only inside `<text>`")
                    yield Finding(start, end, message)

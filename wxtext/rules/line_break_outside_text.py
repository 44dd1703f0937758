r"""A line break outside a `<text>` is a space.

Only a `<text>` turns `\n` and `{{'\n'}}` into a line break; in `<view>` and every other element it is white
space and shows as one space. Put the text into a `<text>`, or each line into a `<view>`. The rule is silent
in elements whose style keeps white space, and in components, which may put what they hold into a `<text>`.

Bad:
    <button>第一行\n第二行</button>
Good:
    <button><text>第一行\n第二行</text></button>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import mistakes
from wxtext.expressions import ExpressionError, read_binding
from wxtext.i18n import _
from wxtext.page import Page, Text
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING

_ESCAPE = re.compile(r"(?<!\\)\\+n")


def check(page: Page) -> Iterator[Finding]:
    if "\\n" not in page.source:
        return
    for text in page.texts:
        if page.source.find("\\n", text.start, text.end) < 0 or text.in_text:
            continue
        parent = text.parent and text.parent.itself
        if parent is None or (parent.name in mistakes.BUILT_IN_ELEMENTS and parent.tag.role != "define"):
            span = _line_break(page, text)
            if span is not None and not page.keeps_white_space(text.parent):
                message = _("a line break outside <text> is a space; put the text into a <text>")
                yield Finding(*span, message)


def _line_break(page: Page, text: Text) -> tuple[int, int] | None:
    """The first escaped line break in a text."""
    for start, end in page.static(text) if page.compiler == "wcc" else ():
        for match in _ESCAPE.finditer(page.source, start, end):
            if len(match[0]) % 2 == 0:
                return match.end() - len(r"\n"), match.end()
    for start, end in page.bindings(text):
        try:
            constant = read_binding(page.source, start, page.compiler).text
        except ExpressionError:
            continue
        if constant and "\n" in constant:
            return start, end
    return None

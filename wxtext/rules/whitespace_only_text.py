"""A text of spaces alone is dropped.

The compilers drop what is only white space between two tags or comments, whatever `space` or a style says.
Write such spaces as a binding, which is kept; where several are to be seen, as space characters other than
U+0020. The fix is safe where it writes one space between two texts of a row. Any other is unsafe: white space
appears where there was none, and may push text along or make a row of its own.

Bad:
    <text space="emsp">  </text>
Good:
    <text space="emsp">{{'  '}}</text>
Bad:
    <text>共<text class="number">3</text> <text>条</text></text>
Good:
    <text>共<text class="number">3</text>{{' '}}<text>条</text></text>
Bad:
    <text><text>    </text>段落</text>
Good:
    <text><text>{{'\u2003\u2003'}}</text>段落</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.flow import Dropped, Filled, flow
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("safe", "unsafe")
#: White space may make a row of its own.
CHANGES = mistakes.SHOWN_SPACE_OR_BREAK
READS = mistakes.without_spaces


def check(page: Page) -> Iterator[Finding]:
    for dropped in flow(page).dropped:
        if _is_missed(dropped):
            start, end = dropped.text.start, dropped.text.end
            message = _("white space alone is dropped by the compiler; write it as a binding: {fixed}")
            fixed = _fixed(page, dropped)
            item = dropped.item
            is_gap = item.text == " " and item.filled is Filled.YES and item.followed
            unsafe = not is_gap or dropped.space is not None
            edit = Edit(start, end, fixed)
            yield Finding(start, end, message.format(fixed=fixed), (edit,), unsafe=unsafe)


def _is_missed(dropped: Dropped) -> bool:
    """Tell whether anything would be seen of it, were it kept, or written as it looks."""
    if dropped.space is not None:
        return True
    item, element = dropped.item, dropped.element
    if not item.followed or item.doubled:
        return False
    if item.text != " ":
        return True
    # One space alone in an element with a class stands for an icon, which the style sheet brings.
    is_icon = (element.end, element.close_start) == (item.start, item.end) and element.attribute("class")
    return item.filled is not Filled.NO and not is_icon


def _fixed(page: Page, dropped: Dropped) -> str:
    text = dropped.item.text
    kept = dropped.space is not None or len(text) == 1 or page.keeps_white_space(dropped.element)
    if kept and not text.strip(" "):
        return semantics.encode_spaces(len(text))
    mode, count = semantics.wide_space(semantics.columns(text), "auto")
    return semantics.string_binding(semantics.SPACE_CHARACTERS[mode] * count)

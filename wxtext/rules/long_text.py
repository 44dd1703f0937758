"""This text is long and cannot be selected.

The base library itself advises `user-select` for a `<text>` that is wider than 200 columns (100 Chinese
characters), so that people can copy from it. Bindings count as nothing.

Bad:
    <text>[关于我们， × 25]</text>
Good:
    <text user-select>[关于我们， × 25]</text>
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter

from wxtext import limits, semantics
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.INFO
SUBJECT = "selection"
#: A page of articles has hundreds.
ONCE = True

_SELECTABLE = ("user-select", "selectable")


def check(page: Page) -> Iterator[Finding]:
    most = limits.UNSELECTABLE_COLUMNS
    for element in page.elements:
        if (
            element.name == "text"
            and element.close_start - element.end > most // 2  # no character is wider than two columns
            and not element.in_text
            and not element.tag.has(*_SELECTABLE)
        ):
            width = _columns(page, element)
            if width > most:
                message = _("text of {width} columns that cannot be selected; add user-select")
                yield Finding(element.start, element.end, message.format(width=width))


def _columns(page: Page, element: Element) -> int:
    """How wide the text in an element is that cannot be selected, without bindings and what collapses."""
    width = 0
    for text in page.texts[bisect_left(page.texts, element.end, key=attrgetter("start")) :]:
        if text.start >= element.close_start:
            break
        if text.parent is not None and text.in_text and not text.parent.tag.has(*_SELECTABLE):
            for start, end in page.static(text):
                width += semantics.columns(" ".join(page.source[start:end].split()))
    return width

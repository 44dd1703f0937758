"""A line break at the end of a `user-select` text separates nothing.

`user-select` makes a `<text>` a box in its row. A line break at the very end of a box is lost, so that what
follows goes on in the same row; and a box whose text is too long for what is left of the row begins a new
row, torn from what is before it. Put each text into a `<view>` of its own; or put texts that belong to one
row into one `<text user-select>`. The unsafe fix moves the line break behind the box, so that one row becomes
two.

Bad:
    <text user-select>第一段\\n</text>
    <text user-select>第二段</text>
Good:
    <text user-select>第一段</text><text>\\n</text>
    <text user-select>第二段</text>
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from wxtext import mistakes, semantics
from wxtext.flow import Item, flow
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.WARNING
FIXES = ("unsafe",)
CHANGES = mistakes.alike(mistakes.shown_characters)

#: The columns of a row on a screen of 375 px, in the font size that pages have by default.
_COLUMNS: Final = 46
#: So many texts of a box are looked at: boxes in each other would else be gone through at every level.
_MOST_TEXTS: Final = 100


def check(page: Page) -> Iterator[Finding]:
    for box in flow(page).boxes:
        element = box.element
        if page.keeps_white_space(element):
            continue
        last = box.last_break
        if last is not None and not last.literal and box.followed:
            message = _(
                "a line break at the end of a <text user-select> separates nothing; put each into a <view>"
            )
            fix = _fix(page, element, last)
            yield Finding(last.start, last.end, message, fix, unsafe=fix is not None)
        if box.after is not None and _is_wide(page, element):
            message = _("this <text user-select> breaks apart from the one before it; put both into one")
            yield Finding(element.start, element.end, message)


def _fix(page: Page, element: Element, last: Item) -> tuple[Edit, ...] | None:
    """Write the line break behind the box; not if the box may be shown more than once, or not at all.

    Nor if nothing in the source ends it: what is written behind it would be inside it, or elsewhere.
    """
    if not element.closed or not last.whole or any(name.startswith("wx:") for name in element.tag.names):
        return None
    line_break = semantics.encode("\n", page.compiler)[0]
    end = element.close_end
    return page.write(last.start, last.end, ""), Edit(end, end, f"<text>{line_break}</text>")


def _is_wide(page: Page, element: Element) -> bool:
    """Tell whether the text in a box fills a row, whatever the data."""
    columns = 0
    first = bisect_left(page.texts, element.start, key=attrgetter("start"))
    for text in page.texts[first : first + _MOST_TEXTS]:
        if text.start >= element.close_start or columns > _COLUMNS:
            break
        columns += sum(semantics.columns(page.source[start:end]) for start, end in page.static(text))
    return columns > _COLUMNS

"""Text outside a `<text>` cannot be selected.

Only a `<text user-select>` lets people select and copy what it says, and only a `<text>` breaks lines, keeps
spaces and decodes entities. Put text that people read into a `<text>`. Labels of buttons, links and
components are fine as they are.

Bad:
    <view>关于我们</view>
Good:
    <view><text user-select>关于我们</text></view>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.INFO

#: Elements whose text people touch rather than read.
_TOUCHED = frozenset(
    ("button", "label", "navigator", "functional-page-navigator", "picker", "checkbox", "radio")
)


def check(page: Page) -> Iterator[Finding]:
    touched: dict[Element | None, bool] = {None: False}
    for text in page.texts:
        shower = text.parent and text.parent.itself
        if text.in_text or (shower is not None and shower.name not in mistakes.BUILT_IN_ELEMENTS):
            continue
        if not _is_touched(text.parent, touched):
            source = page.source[text.start : text.end]
            start = text.end - len(source.lstrip())
            end = text.start + len(source.rstrip())
            yield Finding(start, end, _("text outside <text> cannot be selected; put it into a <text>"))


def _is_touched(element: Element | None, known: dict[Element | None, bool]) -> bool:
    """Tell whether an element is in one that people touch, or in a `<text>`, which drops it."""
    inner = []
    while element not in known:
        assert element is not None
        inner.append(element)
        element = element.parent
    touched = known[element]
    for element in reversed(inner):
        touched = known[element] = touched or element.name == "text" or element.name in _TOUCHED
    return touched

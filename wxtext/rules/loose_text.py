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

from wxtext import semantics
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.INFO

#: Elements whose text people touch rather than read.
_TOUCHED = frozenset(
    ("button", "label", "navigator", "functional-page-navigator", "picker", "checkbox", "radio")
)


def check(page: Page) -> Iterator[Finding]:
    for text in page.texts:
        if not text.in_text and _is_read(text.parent):
            source = page.source[text.start : text.end]
            start = text.end - len(source.lstrip())
            end = text.start + len(source.rstrip())
            yield Finding(start, end, _("text outside <text> cannot be selected; put it into a <text>"))


def _is_read(element: Element | None) -> bool:
    """Tell whether text directly in this element is there to be read."""
    inner = True
    while element is not None:
        if (
            element.name == "text"
            or element.name in _TOUCHED
            or (inner and element.name not in semantics.BUILT_IN_ELEMENTS)
        ):
            return False
        inner = inner and element.name in semantics.TRANSPARENT_ELEMENTS
        element = element.parent
    return True

"""Elements are nested deeper than WeChat's audit advises.

The audit advises a depth of less than 30, as deep trees are slow to lay out. Take out elements that only hold
another one. A `<block>` does not count.

Bad:
    [<view> × 30]<text>甲</text>[</view> × 30]
Good:
    [<view> × 29]<text>甲</text>[</view> × 29]
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import limits, semantics
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.INFO
SUBJECT = "depth"


def check(page: Page) -> Iterator[Finding]:
    most = limits.ADVISED_DEPTH
    if len(page.elements) <= most:
        return
    depths: dict[Element | None, int] = {None: 0}
    told: set[Element | None] = set()
    for element in page.elements:
        depth = depths[element.parent]
        if element.tag.role == "define":
            depth = 0
        elif element.name not in semantics.TRANSPARENT_ELEMENTS:
            depth += 1
            if depth == most + 1 and element.parent not in told:
                told.add(element.parent)
                message = _(
                    "{depth} deep; the audit advises at most {most}: take out what only holds another"
                )
                yield Finding(element.start, element.end, message.format(depth=depth, most=most))
        depths[element] = depth

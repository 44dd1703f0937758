"""A node has more children than WeChat's audit advises.

Many siblings make a page slow to build and to change; the audit advises at most 60 children of a node. Group
them, or make them of data with `wx:for`, some at a time. What is in a `<block>` counts as if written in its
place.

Bad:
    <view>[<text>甲</text> × 61]</view>
Good:
    <view>[<text>甲</text> × 60]</view>
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wxtext import limits
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.INFO
SUBJECT = "children"


def check(page: Page) -> Iterator[Finding]:
    most = limits.ADVISED_CHILDREN
    if len(page.elements) + len(page.texts) <= most:
        return
    children = Counter[Element | None]()
    for element in page.elements:
        if not element.stands_for_nothing and element.tag.role != "define":
            children[element.parent and element.parent.itself] += 1
    children.update(text.parent and text.parent.itself for text in page.texts)
    for parent, count in children.items():
        if count > most:
            message = _("{count} children; the audit advises at most {most}: group them")
            message = message.format(count=count, most=most)
            first = parent or (page.elements[0] if page.elements else page.texts[0])
            yield Finding(first.start, first.end, message)

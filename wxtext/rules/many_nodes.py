"""This file has more nodes than WeChat's audit advises for a page.

Each node costs time and memory; the audit advises less than 1 000 on a page. Show long lists a part at a
time, or join neighbouring texts into one `<text>` with line breaks.

Bad:
    [<view>[<text>甲</text> × 25]</view> × 20]
Good:
    [<view>[<text>甲</text> × 25]</view> × 19]
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import limits, semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.INFO
SUBJECT = "nodes"


def check(page: Page) -> Iterator[Finding]:
    most = limits.ADVISED_NODES
    if len(page.elements) + len(page.texts) < most:
        return
    nodes = [element for element in page.elements if element.name not in semantics.TRANSPARENT_ELEMENTS]
    count = len(nodes) + len(page.texts)
    if count >= most and nodes:
        message = _("{count} nodes in this file; the audit advises less than {most} on a page")
        yield Finding(nodes[0].start, nodes[0].end, message.format(count=count, most=most))

"""`text-indent` in the style of a `<text>` does nothing.

A `<text>` is inline, and `text-indent` is for blocks; Skyline does not have it at all. Begin each paragraph
with two U+3000, or (in WebView) set `text-indent` on a `<view>` around each.

Bad:
    <text style="text-indent: 2em">甲</text>
Good:
    <text>\N{IDEOGRAPHIC SPACE}\N{IDEOGRAPHIC SPACE}甲</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import semantics
from wxtext.i18n import _
from wxtext.javascript import boolean
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING
INDENT = re.compile(r"(?<![-\w])text-indent\s*:(?!\s*-?0(?:[^.\d]|$))[^;\"']+", re.IGNORECASE)
#: What makes a block of an element that is inline by itself.
BLOCK = re.compile(
    r"(?<![-\w])(?:display\s*:(?!\s*(?:inline\s*(?:;|!|$)|contents|none))|float\s*:(?!\s*none)"
    r"|position\s*:\s*(?:absolute|fixed))",
    re.IGNORECASE,
)
#: What makes blocks of its children.
FLEX = re.compile(r"(?<![-\w])display\s*:\s*(?:inline-)?(?:flex|grid)", re.IGNORECASE)


def check(page: Page) -> Iterator[Finding]:
    if "style" not in page.attribute_names:
        return
    for element in page.elements:
        span = element.value_span("style") if element.name == "text" else None
        match = INDENT.search(page.source, *span) if span else None
        if match and (page.target == "skyline" or not _is_block(page, element)):
            message = _("`text-indent` does nothing on `<text>`; begin its paragraphs with two U+3000")
            yield Finding(*match.span(), message)


def _is_block(page: Page, element: Element) -> bool:
    """Tell whether an element is laid out as a block, as far as can be seen here."""
    selects = element.attribute("user-select")
    if selects and (selects.dynamic or boolean(selects.value)):
        return True
    span = element.value_span("style")
    if span and BLOCK.search(page.source, *span):
        return True
    parent = element.parent
    while parent and parent.name in semantics.TRANSPARENT_ELEMENTS:
        parent = parent.parent
    span = parent.value_span("style") if parent else None
    return span is not None and FLEX.search(page.source, *span) is not None

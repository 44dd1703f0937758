"""A formatter's line breaks and indentation inside `<text>`.

A line feed inside a `<text>` breaks the line, so that a blank row appears above or below the text, and what a
formatter puts on lines of its own is torn apart. Put the text directly between the tags, and keep formatters
away from `<text>`. A line feed between two words is taken to be meant, and so is one at the end of what
`wx:for` repeats.

Bad:
    <text>
      {{name}}
    </text>
Good:
    <text>{{name}}</text>
Bad:
    <text>第一行\\n
      第二行</text>
Good:
    <text>第一行\\n第二行</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.flow import Node, flow, layout_white_space
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING
CHANGES = mistakes.alike(mistakes.shown_characters)


def check(page: Page) -> Iterator[Finding]:
    for node in flow(page).nodes:
        if "\n" not in page.source[node.text.start : node.text.end]:
            continue
        stretches = list(layout_white_space(page, node))
        parts_items = bool(stretches) and _parts_items(page, node, *stretches[-1])
        if parts_items:
            stretches.pop()
        seen = next((stretch for stretch in stretches if _shows(node, *stretch)), None)
        if seen and not page.keeps_white_space(node.element):
            if parts_items:
                message = _(
                    "line breaks and indentation in <text> are shown; keep only the last, which ends what "
                    "wx:for repeats"
                )
            else:
                message = _(
                    "line breaks and indentation in <text> are shown; put its text directly between its tags"
                )
            edits = [
                page.write(*_span(node, *stretch), _instead(page, node, *stretch)) for stretch in stretches
            ]
            yield Finding(*_span(node, *seen), message, tuple(edits))


def _span(node: Node, first: int, last: int) -> tuple[int, int]:
    return node.items[first].start, node.items[last - 1].end


def _shows(node: Node, first: int, last: int) -> bool:
    """Tell whether the line feeds change rows: something follows, or an escaped line break is before them."""
    escaped = first > 0 and node.items[first - 1].kind == "break"
    return escaped or any(item.kind == "break" and item.followed for item in node.items[first:last])


def _parts_items(page: Page, node: Node, first: int, last: int) -> bool:
    """Tell whether a line feed is all that parts what a `wx:for` repeats: it ends each of them."""
    if last < len(node.items) or (first > 0 and node.items[first - 1].kind == "break"):
        return False
    if page.target != "skyline" and not _shows(node, first, last):
        return False
    events = page.events
    element = node.text.parent
    index = node.text.event + 1
    while element is not None and element.name not in semantics.BLOCK_ELEMENTS:
        while index < len(events) and events[index][0] in {"space", "comment"}:
            index += 1
        if index == len(events) or events[index][0] != "close":
            return False
        if element.tag.has("wx:for", "wx:for-items"):
            return True
        element = element.parent
        index += 1
    return False


def _instead(page: Page, node: Node, first: int, last: int) -> str:
    """Say what to write instead: a space, if a formatter may have broken the row at one."""
    items, events = node.items, page.events
    start, end = _span(node, first, last)
    if page.source[start - 1] == "\\":
        return " "  # what follows must not become an escape
    if node.space is not None or not items[first].filled or not _shows(node, first, last):
        return ""
    if semantics.columns(page.source[start - 1] + page.source[end : end + 1]) > 2:
        return ""  # Chinese is not parted by spaces
    begins = events[node.text.event - 1][0] == "open" if first == 0 else items[first - 1].kind == "break"
    if last == len(items):
        after = node.text.event + 1
        ends = after == len(events) or events[after][0] == "close"
    else:
        ends = items[last].kind == "break"
    return "" if begins or ends else " "

"""A formatter's line breaks and indentation inside `<text>`.

A line feed inside a `<text>` breaks the line, so that a blank row appears above or below the text, and what a
formatter puts on lines of its own is torn apart. Put the text directly between the tags, and keep formatters
away from `<text>`. A line feed between two words is taken to be meant.

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

from wxtext import semantics
from wxtext.flow import Item, Node, flow, layout_white_space
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING
CHANGES = semantics.shown_characters


def check(page: Page) -> Iterator[Finding]:
    for node in flow(page).nodes:
        if "\n" not in page.source[node.text.start : node.text.end]:
            continue
        stretches = layout_white_space(page, node)
        seen = [stretch for stretch in stretches if _shows(node, stretch)]
        if seen and not page.keeps_white_space(node.element):
            message = _(
                "line breaks and indentation in <text> are shown; put its text directly between its tags"
            )
            edits = [
                page.write(stretch[0].start, stretch[-1].end, _instead(page, node, stretch))
                for stretch in stretches
            ]
            yield Finding(seen[0][0].start, seen[0][-1].end, message, tuple(edits))


def _shows(node: Node, stretch: list[Item]) -> bool:
    """Tell whether the line feeds change rows: something follows, or an escaped line break is before them."""
    before = node.items.index(stretch[0]) - 1
    return (before >= 0 and node.items[before].kind == "break") or any(
        item.kind == "break" and item.followed for item in stretch
    )


def _instead(page: Page, node: Node, stretch: list[Item]) -> str:
    """Say what to write instead: a space, if a formatter may have broken the row at one."""
    items, events = node.items, page.events
    first, last = items.index(stretch[0]), items.index(stretch[-1])
    if page.source[stretch[0].start - 1] == "\\":
        return " "  # what follows must not become an escape
    if node.space is not None or not stretch[0].filled or not _shows(node, stretch):
        return ""
    begins = events[node.text.event - 1][0] == "open" if first == 0 else items[first - 1].kind == "break"
    if last == len(items) - 1:
        after = node.text.event + 1
        ends = after == len(events) or events[after][0] == "close"
    else:
        ends = items[last + 1].kind == "break"
    return "" if begins or ends else " "

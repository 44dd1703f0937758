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

from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter, itemgetter

from wxtext import mistakes, semantics
from wxtext.flow import Node, flow, layout_white_space
from wxtext.i18n import _
from wxtext.javascript import boolean
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity
from wxtext.wxml import Tag

SEVERITY = Severity.WARNING
CHANGES = mistakes.alike(mistakes.shown_characters)


def check(page: Page) -> Iterator[Finding]:
    for node in flow(page).nodes:
        if "\n" not in page.source[node.text.start : node.text.end]:
            continue
        stretches = list(layout_white_space(page, node))
        if not stretches:
            continue
        last = stretches.pop() if _parts_items(page, node, *stretches[-1]) else None
        seen = next((stretch for stretch in stretches if _shows(node, *stretch)), None)
        if seen is None or page.keeps_white_space(node.element):
            continue
        edits = [page.write(*_span(node, *stretch), _instead(page, node, *stretch)) for stretch in stretches]
        begun = None if last else _begun(page, node, *stretches[0])
        end = _end(page, begun) if begun else None
        if end:
            edits.append(page.write(*end, "\n"))
        if last or begun:
            message = _(
                "line breaks and indentation in <text> are shown; leave one, at the end of what wx:for "
                "repeats"
            )
        else:
            message = _(
                "line breaks and indentation in <text> are shown; put its text directly between its tags"
            )
        yield Finding(*_span(node, *seen), message, None if begun and not end else tuple(edits))


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
    return _repeated(page, node, 1) is not None


def _begun(page: Page, node: Node, first: int, last: int) -> Element | None:
    """Return what a `wx:for` repeats, if a line feed is all that parts it: it begins each of them."""
    if first > 0 or (last < len(node.items) and node.items[last].kind == "break"):
        return None
    element = _repeated(page, node, -1)
    if element is None or (page.target == "skyline" and not element.in_text):  # it has rows of its own
        return None
    # A line break at the end of each does too.
    text = page.texts[bisect_left(page.texts, element.close_start, key=attrgetter("start")) - 1]
    opened = page.elements[bisect_left(page.elements, element.close_start, key=attrgetter("start")) - 1]
    ends_in_break = opened.start < text.start and text.text.rstrip(" \t\r").endswith("\n")
    return None if ends_in_break else element


def _repeated(page: Page, node: Node, step: int) -> Element | None:
    """Return what a `wx:for` repeats, if the node is the last in it, or with step -1 the first.

    And if it goes on with the row of the one before it: not if there is a box around the node.
    """
    events = page.events
    index, element = node.text.event + step, node.text.parent
    while element is not None and not _is_box(element.tag):
        while index < len(events) and events[index][0] in _NOTHING:
            index += step
        if index == len(events) or events[index][1] != (element.start if step < 0 else element.close_start):
            return None
        if element.tag.has("wx:for", "wx:for-items"):
            return element
        element = element.parent
        index += step
    return None


_NOTHING = frozenset(("space", "comment"))


def _is_box(tag: Tag) -> bool:
    return tag.name in semantics.BLOCK_ELEMENTS or boolean(tag.constant("user-select"))


def _end(page: Page, element: Element) -> tuple[int, int] | None:
    """Return where to write a line break at the end of an element: in a `<text>`, or nowhere."""
    if not element.closed:
        return None
    events = page.events
    index = bisect_left(events, element.close_start, key=itemgetter(1))
    if not element.shows_as_text:
        index -= 1
        while events[index][0] in _NOTHING:
            index -= 1
        kind, _start, _stop, tag, _text = events[index]
        if kind != "close" or tag is None or tag.name != "text" or _is_box(tag):
            return None
    # White space that is dropped would be there again.
    kind, start, stop, _tag, _text = events[index - 1]
    return start if kind == "space" else stop, events[index][1]


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

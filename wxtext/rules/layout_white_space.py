"""A formatter's line breaks and indentation inside `<text>`.

A line feed inside a `<text>` breaks the line, so that a blank row appears above or below the text, and what a
formatter puts on lines of its own is torn apart. Put the text directly between the tags, and keep formatters
away from `<text>`.

The safe fix removes line feeds and indentation at the start and the end of a row. A line feed that alone
parts two rows stays, and the fix writes it as a line break. Only you can tell whether a line feed beside a
binding is meant: the unsafe fix joins such lines. A line feed between two words is taken to be meant.
Removing indentation that `space` widens is unsafe too.

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
Bad:
    <view><text>
      姓名
    </text><text>
      {{name}}
    </text></view>
Good:
    <view><text>姓名\\n</text><text>{{name}}</text></view>
Bad:
    <text>共{{count}}
      件</text>
Good:
    <text>共{{count}}件</text>
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import takewhile
from operator import itemgetter

from wxtext import mistakes, semantics
from wxtext.flow import Filled, Item, Node, flow, layout_white_space
from wxtext.i18n import _
from wxtext.javascript import boolean
from wxtext.page import Element, Page
from wxtext.problem import Edit, Finding, Severity
from wxtext.wxml import Tag

SEVERITY = Severity.WARNING
FIXES = ("safe", "unsafe")
#: Blank rows go. An unsafe fix joins rows.
CHANGES = mistakes.alike(mistakes.shown_characters)


def check(page: Page) -> Iterator[Finding]:
    for node in flow(page).nodes:
        if "\n" not in page.source[node.text.start : node.text.end]:
            continue
        stretches = list(layout_white_space(page, node))
        if stretches and not page.keeps_white_space(node.element):
            yield from _at_edges(page, node, [part for part in stretches if not _is_inside(node, *part)])
            for part in stretches:
                if _is_inside(node, *part):
                    yield _join(page, node, *part)


def _is_inside(node: Node, first: int, last: int) -> bool:
    """Tell whether something shows directly before and after a stretch, in the same text."""
    items = node.items
    return first > 0 and last < len(items) and "break" not in (items[first - 1].kind, items[last].kind)


def _join(page: Page, node: Node, first: int, last: int) -> Finding:
    """Report a line feed that may be meant, or not."""
    span = _span(node, first, last)
    message = _(
        "this line feed in <text> ends a row; write {line_break} if that is meant, otherwise join the lines"
    )
    message = message.format(line_break=semantics.encode("\n", page.compiler)[0])
    return Finding(*span, message, (page.write(*span, _joint(page, node, first, last)),), unsafe=True)


def _at_edges(page: Page, node: Node, stretches: list[tuple[int, int]]) -> Iterator[Finding]:
    edits: list[Edit] = []
    seen: tuple[int, int] | None = None
    kept: list[tuple[int, int]] = []
    parts_rows = False
    for first, last in stretches:
        span, breaks = _span(node, first, last), _parting_breaks(node, first, last)
        place = _end_of_row_before(page, node, breaks[0]) if breaks and first == 0 else None
        if breaks and not place:
            edits.append(page.write(*span, "\n" * len(breaks)))
            kept.append((first, last))
            continue
        if place:
            edits.append(page.write(*place, "\n" * len(breaks)))
            parts_rows = True
        # What follows a backslash must not become an escape.
        edits.append(page.write(*span, " " if page.source[span[0] - 1] == "\\" else ""))
        seen = seen or ((first, last) if _shows(node, first, last) else None)
    if seen is None:
        for part in kept:
            if _shows(node, *part) and not _ends_loop(page, node, *part):
                yield _join(page, node, *part)
        return
    if kept or parts_rows:
        message = _(
            "line breaks and indentation in <text> are shown; write {line_break} where a row ends, and put "
            "the text directly between its tags"
        ).format(line_break=semantics.encode("\n", page.compiler)[0])
    else:
        message = _("line breaks and indentation in <text> are shown; put its text directly between its tags")
    # Indentation that `space` widens is seen.
    is_seen = any(item.kept for stretch in stretches for item in node.items[slice(*stretch)])
    yield Finding(*_span(node, *seen), message, tuple(sorted(edits)), unsafe=is_seen)


def _parting_breaks(node: Node, first: int, last: int) -> list[Item]:
    """Return the line feeds of a stretch that part two rows; none if another line break does, or nothing."""
    items = node.items
    breaks = [item for item in items[first:last] if item.kind == "break"]
    if _is_in_box(node):
        # The last line break of a box separates nothing. One before it makes an empty row, and what follows
        # the box stands beside that.
        ending = [item.kind for item in takewhile(lambda item: item.kind != "content", reversed(items))]
        last_break = next(item for item in reversed(items) if item.kind == "break")
        if not last_break.followed and len(ending) >= len(items) - last:
            return breaks if ending.count("break") > 1 else []
    if any(0 <= index < len(items) and items[index].kind == "break" for index in (first - 1, last)):
        return []
    parts = breaks[0].filled is not Filled.NO if first == 0 else breaks[-1].followed
    return breaks if parts else []


def _is_in_box(node: Node) -> bool:
    element = node.text.parent
    while element is not None and element.shows_as_text:
        if _is_box(element.tag):
            return True
        element = element.parent
    return False


def _span(node: Node, first: int, last: int) -> tuple[int, int]:
    return node.items[first].start, node.items[last - 1].end


def _shows(node: Node, first: int, last: int) -> bool:
    """Tell whether the line feeds change rows: something follows, or an escaped line break is before them."""
    escaped = first > 0 and node.items[first - 1].kind == "break"
    return escaped or any(item.kind == "break" and item.followed for item in node.items[first:last])


def _end_of_row_before(page: Page, node: Node, line_break: Item) -> tuple[int, int] | None:
    """Return where a line break that begins a `<text>` can stand as well: at the end of the text before it.

    There it adds no blank row where the two have boxes of their own, as in `display: flex`.
    """
    if line_break.filled is Filled.REPEATED:
        element = _repeated(page, node)
        after = flow(page).after_loops.get(element) if element else None
        return None if element is None or after is None or after.followed else _end(page, element)
    element, index = node.element, _before(page, node.text.event)
    if (
        node.text.parent is not element
        or not _is_plain(page, element)
        or page.events[index][1] != element.start
        or (index := _before(page, index)) < 0
    ):
        return None
    before = _plain_text_closed(page, index)
    return _end(page, before) if before is not None and before.parent is element.parent else None


def _plain_text_closed(page: Page, index: int) -> Element | None:
    """Return the `<text>` that an event closes, if it is one that is always there, once, and no box."""
    kind, start, *_others = page.events[index]
    element = page.closed_at(start) if kind == "close" else None
    return element if element is not None and _is_plain(page, element) else None


def _before(page: Page, index: int) -> int:
    """Return the number of the event before another, but for those that show nothing; -1 if there is none."""
    index -= 1
    while index >= 0 and page.events[index][0] in _NOTHING:
        index -= 1
    return index


def _repeated(page: Page, node: Node) -> Element | None:
    """Return what a `wx:for` repeats, if the node is the first in it and goes on with the row before."""
    events = page.events
    index, element = node.text.event, node.text.parent
    while element is not None and not _is_box(element.tag):
        index = _before(page, index)
        if index < 0 or events[index][1] != element.start:
            return None
        if element.tag.has(*semantics.LOOPS):
            return element
        if element.tag.has(*semantics.CONDITIONS, "hidden"):
            return None
        element = element.parent
    return None


_NOTHING = frozenset(("space", "comment"))


def _is_box(tag: Tag) -> bool:
    return tag.name in semantics.BLOCK_ELEMENTS or boolean(tag.constant("user-select", otherwise=True))


def _is_plain(page: Page, element: Element) -> bool:
    """Tell whether an element is a `<text>` that is always there, once, and no box."""
    tag = element.tag
    return (
        tag.name == "text"
        and not _is_box(tag)
        and not tag.has(*semantics.CONTROLS, "hidden")
        and not page.may_be_inline(element)
    )


def _end(page: Page, element: Element) -> tuple[int, int] | None:
    """Return where to write a line break at the end of an element: in a `<text>`, or nowhere."""
    if not element.closed:
        return None
    events = page.events
    index = bisect_left(events, element.close_start, key=itemgetter(1))
    if not element.shows_as_text:
        index = _before(page, index)
        if _plain_text_closed(page, index) is None:
            return None
    # White space that is dropped would be there again.
    kind, start, stop, _tag, _text = events[index - 1]
    return start if kind == "space" else stop, events[index][1]


def _ends_loop(page: Page, node: Node, _first: int, last: int) -> bool:
    """Tell whether a stretch ends what a `wx:for` repeats, so that it parts each from the next."""
    if last < len(node.items):
        return False
    events = page.events
    index, element = node.text.event, node.text.parent
    while element is not None and not _is_box(element.tag):
        index += 1
        while index < len(events) and events[index][0] in _NOTHING:
            index += 1
        if index == len(events) or events[index][1] != element.close_start:
            return False
        if element.tag.has(*semantics.LOOPS):
            return True
        element = element.parent
    return False


def _joint(page: Page, node: Node, first: int, last: int) -> str:
    """Return what joins two lines that a formatter may have parted: a space, but beside Chinese nothing."""
    items, events = node.items, page.events
    start, end = _span(node, first, last)
    if page.source[start - 1] == "\\":
        return " "  # what follows must not become an escape
    if node.space is not None or semantics.columns(page.source[start - 1] + page.source[end : end + 1]) > 2:
        return ""
    begins = first == 0 and events[node.text.event - 1][0] == "open"
    after = node.text.event + 1
    ends = last == len(items) and (after == len(events) or events[after][0] == "close")
    return "" if begins or ends else " "

"""How the white space of a page falls into rows.

`flow` goes through a page once, as the phone lays it out on a screen that is wide enough, and tells of each
piece of white space in a `<text>` what is before and after it in its row. What cannot be seen in the page
(an element that may be empty, what a slot brings) counts as something: a space beside it is taken to show.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from wxtext import javascript, semantics
from wxtext.expressions import ExpressionError, read_binding
from wxtext.page import Element, Page, Text
from wxtext.semantics import Compiler, SpaceMode
from wxtext.wxml import Tag


class Item:
    """A stretch of a text node: white space of one kind, a line break, or anything else."""

    __slots__ = (
        *("binding", "doubled", "end", "filled", "followed"),
        *("kept", "kind", "literal", "start", "text", "whole"),
    )

    def __init__(self, kind: Literal["content", "spaces", "break"], start: int, end: int, text: str) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        #: The characters that the run time gets; of content, nothing.
        self.text = text
        #: Whether it stands in the source as it is: no escape, no binding.
        self.literal = kind != "content"
        #: Whether it is a binding, or comes from one.
        self.binding = False
        #: Whether it is all that its place in the source stands for.
        self.whole = True
        #: Of spaces: whether the attribute `space` makes them wide, so that they do not collapse.
        self.kept = False
        #: Whether something shows before it in its row.
        self.filled = False
        #: Of spaces: whether something shows after them in their row. Of a line break: whether anything
        #: follows that it separates.
        self.followed = False
        #: Of spaces: whether others come directly after them.
        self.doubled = False


class Node(NamedTuple):
    """A text node of a `<text>` with white space in it that may show otherwise than it looks."""

    text: Text
    #: The `<text>` that shows it.
    element: Element
    space: SpaceMode | None
    items: list[Item]


class Dropped(NamedTuple):
    """A node of spaces in a `<text>`, which the compilers drop."""

    text: Text
    element: Element
    space: SpaceMode | None
    #: The spaces, were they there.
    item: Item


class Box:
    """An inline-block: a `<text user-select>`."""

    __slots__ = ("after", "element", "followed", "last_break")

    def __init__(self, element: Element, last_break: Item | None, after: Box | None) -> None:
        self.element = element
        #: The line break at its very end, which separates nothing.
        self.last_break = last_break
        #: The box directly before it in its row.
        self.after = after
        #: Whether something shows after it in its row.
        self.followed = False


class Flow(NamedTuple):
    """What there is to say of the white space of a page, in the order of the source."""

    nodes: list[Node]
    dropped: list[Dropped]
    boxes: list[Box]


@functools.lru_cache(maxsize=1)
def flow(page: Page) -> Flow:
    """Lay out a page."""
    if (
        "user-select" in page.attribute_names
        or any(_suspect(page, text) for text in page.texts)
        or any(text.in_text for text in page.spaces)
    ):
        return _Layout(page).flow
    return Flow([], [], [])


# White space at the start, several in a row, what may be a line break, and constant bindings of white space.
_SUSPECT: Final = re.compile(r"""[ \t\r]{2}|[\t\r\n\\]|['"] """)


def _suspect(page: Page, text: Text) -> bool:
    return text.in_text and (
        page.source[text.start] == " " or _SUSPECT.search(page.source, text.start, text.end) is not None
    )


class _Rows:
    """The rows of one block container, of which the last is being filled."""

    __slots__ = ("filled", "last_box", "waiting")

    def __init__(self, filled: bool = False) -> None:
        self.filled = filled
        #: What does not know yet whether anything follows.
        self.waiting: list[Item | Box] = []
        #: The box that the row ends with so far.
        self.last_box: Box | None = None

    def content(self) -> None:
        for item in self.waiting:
            item.followed = True
        self.waiting.clear()
        self.filled = True
        self.last_box = None

    def content_around(self, start: int) -> None:
        """Add what shows from this offset on; white space behind that is inside it, not before it."""
        inside = [item for item in self.waiting if isinstance(item, Item) and item.start > start]
        del self.waiting[len(self.waiting) - len(inside) :]
        self.content()
        self.waiting += inside

    def edge(self, *, filled: bool = False) -> None:
        self.waiting.clear()
        self.filled = filled
        self.last_box = None

    def item(self, item: Item) -> None:
        item.filled = self.filled
        if item.kind == "content" or item.kept:
            self.content()
            return
        if item.kind == "break":
            for before in self.waiting:
                before.followed |= isinstance(before, Item) and before.kind == "break"
            self.edge()
        elif self.waiting and isinstance(before := self.waiting[-1], Item):
            before.doubled = before.kind == "spaces"
        self.waiting.append(item)

    def box(self, box: Box) -> None:
        self.content()
        self.waiting.append(box)
        self.last_box = box


_Role = Literal["text", "box", "block", "inline", "transparent", "define", "bring"]


class _Style(NamedTuple):
    """What a tag is to the flow."""

    role: _Role
    space: SpaceMode | None
    #: Whether the element may follow itself.
    loops: bool
    #: Whether it is shown on a condition; and whether only where the element before it is not.
    branches: bool
    alternative: bool


class _Frame:
    """An element that is open, or the root."""

    __slots__ = (
        *("branch", "branching", "element", "ends", "owner"),
        *("probe", "rows", "space", "style", "touched"),
    )

    def __init__(self, element: Element | None, style: _Style, owner: Element | None, rows: _Rows) -> None:
        self.element = element
        self.style = style
        #: The `<text>` that shows what is in it, and its `space`.
        self.owner = owner
        self.space: SpaceMode | None = None
        self.rows = rows
        #: Of an element that may follow itself: learns whether it goes on with the row.
        self.probe: Item | None = None
        #: Whether anything is in it.
        self.touched = False
        #: Whether the last thing in it may be left out, as by `wx:if`; how the rows were before that and
        #: those directly before it of the same kind, and how these have left them.
        self.branching = False
        self.branch: tuple[bool, list[Item | Box]] = (False, [])
        self.ends: tuple[bool, list[Item | Box]] = (False, [])


_ROOT: Final = _Style("block", None, False, False, False)


class _Layout:
    """Goes through the events of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._web = page.target != "skyline"
        self.flow = Flow([], [], [])
        self._frame = _Frame(None, _ROOT, None, _Rows())
        self._outer: list[_Frame] = []
        self._run()

    def _run(self) -> None:
        page = self._page
        elements, texts, spaces = iter(page.elements), iter(page.texts), iter(page.spaces)
        styles: dict[Tag, _Style] = {}
        hidden = 0  # elements that are open inside a `<text>` and vanish with all they hold
        for kind, _, _, tag, characters in page.events:
            if kind == "open":
                assert tag is not None
                element = next(elements)
                style = styles.get(tag)
                if style is None:
                    style = styles[tag] = self._style(tag)
                if hidden or (self._frame.owner and style.role in ("block", "inline")):
                    hidden += not tag.self_closing
                    continue
                self._open(element, style)
                if tag.self_closing:
                    self._close()
            elif kind == "close":
                if hidden:
                    hidden -= 1
                else:
                    self._close()
            elif kind == "text":
                text = next(texts)
                if not hidden:
                    self._text(text)
            elif kind == "space" and "\n" not in characters:
                text = next(spaces)
                if not hidden and self._frame.owner:
                    item = Item("spaces", text.start, text.end, text.text)
                    self._frame.rows.item(item)
                    self.flow.dropped.append(Dropped(text, self._frame.owner, self._frame.space, item))

    def _open(self, element: Element, style: _Style) -> None:
        outer = self._frame
        outer.touched = True
        rows = outer.rows
        if not style.branches:
            outer.branching = False
        elif outer.branching:  # one of them is shown in place of the others, most often
            outer.ends = (rows.filled, rows.waiting)
            filled, waiting = outer.branch
            rows.filled = filled or not style.alternative
            rows.waiting = [*waiting]
        else:
            outer.branching, outer.branch, outer.ends = True, (rows.filled, [*rows.waiting]), (False, [])
        owner = outer.owner
        if style.role in ("text", "box"):
            owner = element
            if style.role == "box" and self._web:
                rows = _Rows()
            elif not self._web and outer.owner is None:
                rows.edge()
        elif style.role in ("inline", "bring"):
            rows.content()
        elif style.role in ("block", "define"):
            rows.edge(filled=style.role == "define")
        self._outer.append(outer)
        self._frame = _Frame(element, style, owner, rows)
        if style.loops and style.role != "block":
            outer.rows.filled = True  # by the time before
            self._frame.probe = Item("break", element.start, element.start, "")
            outer.rows.waiting.append(self._frame.probe)
        self._frame.space = style.space if style.role in ("text", "box") else outer.space

    def _close(self) -> None:
        frame, outer = self._frame, self._outer.pop()
        style, rows = frame.style, frame.rows
        if style.role == "box" and self._web:
            breaks = [item for item in rows.waiting if isinstance(item, Item) and item.kind == "break"]
            assert frame.element is not None
            rows = outer.rows
            box = Box(frame.element, breaks[0] if breaks else None, rows.last_box)
            rows.box(box)
            self.flow.boxes.append(box)
        elif style.role in ("block", "define") or (
            style.role == "text" and not self._web and not outer.owner
        ):
            rows.edge()
        elif style.role != "transparent" and (not frame.touched or style.role in ("inline", "bring")):
            assert frame.element is not None
            rows.content_around(frame.element.start)  # an icon, or what cannot be seen
        if frame.probe is not None and frame.probe.followed:
            for item in rows.waiting:
                item.followed = True
        if style.branches:
            filled, waiting = outer.ends
            before = outer.branch[1]
            waiting += [item for item in rows.waiting if not waiting or item not in before]
            rows.filled, rows.waiting = rows.filled or filled, waiting
        self._frame = outer

    def _text(self, text: Text) -> None:
        frame = self._frame
        frame.touched = True
        frame.branching = False
        if frame.owner is None or not _suspect(self._page, text):
            frame.rows.content()
            return
        items = []
        for item in _items(self._page, text):
            item.kept = frame.space is not None and item.kind == "spaces" and item.text[:1] == " "
            frame.rows.item(item)
            items.append(item)
        self.flow.nodes.append(Node(text, frame.owner, frame.space, items))

    def _style(self, tag: Tag) -> _Style:
        role: _Role
        if tag.name == "text":
            role = "box" if javascript.boolean(tag.constant("user-select")) else "text"
        elif tag.role == "define":
            role = "define"
        elif tag.name in semantics.TRANSPARENT_ELEMENTS:
            role = "transparent" if tag.role == "block" else "bring"
        else:
            role = "block" if not self._web or tag.name in semantics.BLOCK_ELEMENTS else "inline"
        space = tag.constant("space", "nbsp")  # data may say anything
        return _Style(
            role,
            semantics.space_mode(space) if self._web else None,
            tag.has("wx:for", "wx:for-items"),
            tag.has("wx:if", "wx:elif", "wx:else"),
            tag.has("wx:elif", "wx:else"),
        )


# Runs of one kind of white space, and escapes.
_WHITE: Final[dict[Compiler, re.Pattern[str]]] = {
    "wcc": re.compile(r" +|(?:\t|\r(?!\n))+|\r?\n|(?<!\\)(?:\\\\)*(\\[nrt])"),
    "glass-easel": re.compile(r" +|(?:\t|\r(?!\n))+|\r?\n"),
}
_RUNS: Final = re.compile(r" +|[\t\r]+|\n|[^ \t\r\n]+")
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t"}


def _items(page: Page, text: Text) -> Iterator[Item]:
    """Take a text node apart."""
    position = text.start
    source, compiler = page.source, page.compiler
    while position < text.end:
        start = source.find("{{", position, text.end)
        yield from _static_items(source, position, start if start >= 0 else text.end, compiler)
        if start < 0:
            return
        try:
            binding = read_binding(source, start, compiler)
        except ExpressionError as error:
            position = min(error.end or text.end, text.end)
            constant = None
        else:
            position, constant = binding.end, binding.text
        for item in _bound_items(start, position, constant):
            item.literal, item.binding = False, True
            yield item


def _static_items(source: str, position: int, end: int, compiler: Compiler) -> Iterator[Item]:
    for match in _WHITE[compiler].finditer(source, position, end):
        start, after = match.span(match.lastindex or 0)
        if position < start:
            yield Item("content", position, start, "")
        text = _ESCAPED[match[1][1]] if match.lastindex else match[0]
        item = Item("break" if text[-1] == "\n" else "spaces", start, after, text)
        item.literal = match.lastindex is None
        yield item
        position = after
    if position < end:
        yield Item("content", position, end, "")


def _bound_items(start: int, end: int, constant: str | None) -> Iterator[Item]:
    if constant is None:
        yield Item("content", start, end, "")
        return
    runs = _RUNS.findall(constant)
    for run in runs:
        item = Item("break" if run == "\n" else "spaces" if run[0] in " \t\r" else "content", start, end, run)
        item.whole = len(runs) == 1
        yield item


def layout_white_space(page: Page, node: Node) -> Iterator[tuple[int, int]]:
    """Yield the stretches of white space that a formatter has put into a text node, as far as can be told.

    That is, with a line feed in them: those beside a tag or comment; those beside an escaped line break,
    which then shows twice; and those beside a binding, if they go on with the indentation of the tag, or
    more. Any other line feed is taken to be meant. A stretch is given by its first item and the one after it.
    """
    items = node.items
    first = 0
    while first < len(items):
        last = first
        broken = False
        while last < len(items) and items[last].literal:
            broken |= items[last].kind == "break"
            last += 1
        if broken:
            before = items[first - 1] if first else None
            after = items[last] if last < len(items) else None
            if (
                before is None
                or after is None
                or "break" in (before.kind, after.kind)
                or ((before.binding or after.binding) and _is_indented(page, node, items[last - 1]))
            ):
                yield first, last
        first = max(last, first + 1)


def _is_indented(page: Page, node: Node, last: Item) -> bool:
    return last.kind == "spaces" and semantics.columns(last.text) >= _indent(page.source, node.element.start)


def _indent(source: str, offset: int) -> int:
    line = source[source.rfind("\n", 0, offset) + 1 : offset]
    return semantics.columns(line[: len(line) - len(line.lstrip(" \t"))])

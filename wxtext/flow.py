"""How the white space of a page falls into rows.

`flow` goes through a page once, as the phone lays it out on a screen that is wide enough, and tells of each
piece of white space in a `<text>` what is before and after it in its row. What cannot be seen in the page
(an element that may be empty, what a slot brings) counts as something: a space beside it is taken to show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, Literal, NamedTuple
from weakref import WeakKeyDictionary

from wxtext import javascript, semantics
from wxtext.expressions import ExpressionError, read_binding
from wxtext.layout import condition, exclude_all
from wxtext.page import Element, Page, Text
from wxtext.semantics import Compiler, SpaceMode
from wxtext.wxml import Tag


class Filled(IntEnum):
    """Whether something may show in a row, up to some place in it."""

    NO = 0
    #: Only what `wx:for` has repeated before.
    REPEATED = 1
    YES = 2


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
        #: Whether it is a binding that data decide.
        self.binding = False
        #: Whether it is all that its place in the source stands for.
        self.whole = True
        #: Of spaces: whether the attribute `space` makes them wide, so that they do not collapse.
        self.kept = False
        #: Whether something may show before it in its row.
        self.filled = Filled.NO
        #: Of spaces: whether something may show after them in their row. Of a line break: whether anything
        #: may follow that it separates.
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
    #: Of each element that `wx:for` repeats within a row: an item of nothing directly after the last time.
    after_loops: dict[Element, Item]


def flow(page: Page) -> Flow:
    """Lay out a page, once for all rules."""
    known = _flows.get(page)
    if known is None:
        known = _flows[page] = _lay_out(page)
    return known


_flows: WeakKeyDictionary[Page, Flow] = WeakKeyDictionary()


def _lay_out(page: Page) -> Flow:
    if (
        "user-select" in page.attribute_names
        or any(_suspect(page, text) for text in page.texts)
        or any(text.in_text for text in page.spaces)
    ):
        return _Layout(page).flow
    return Flow([], [], [], {})


# White space at the start, several in a row, what may be a line break, and constant bindings of white space.
_SUSPECT: Final = re.compile(r"""[ \t\r]{2}|[\t\r\n\\]|['"] """)


def _suspect(page: Page, text: Text) -> bool:
    return text.in_text and (
        page.source[text.start] == " " or _SUSPECT.search(page.source, text.start, text.end) is not None
    )


#: What waits longer counts as followed, so that looking through all that waits at each of many elements takes
#: linear time.
_MOST_WAITING: Final = 100


class _Rows:
    """The rows of one block container, of which the last is being filled."""

    __slots__ = ("assumed", "filled", "last_box", "last_spaces", "waiting")

    def __init__(self, filled: Filled = Filled.NO) -> None:
        self.filled = filled
        #: What does not know yet whether anything follows.
        self.waiting: list[Item | Box] = []
        #: The box that the row ends with so far.
        self.last_box: Box | None = None
        #: The spaces that the row ends with so far.
        self.last_spaces: Item | None = None
        #: Items that are filled by what the innermost open loop has repeated before, if by anything.
        self.assumed: list[Item] = []

    def follow(self) -> None:
        """Tell all that waits that something may follow."""
        for item in self.waiting:
            item.followed = True
        if len(self.waiting) > _MOST_WAITING:
            self.waiting.clear()

    def content(self) -> None:
        for item in self.waiting:
            item.followed = True
        self.waiting.clear()
        self.filled = Filled.YES
        self.last_box = self.last_spaces = None

    def content_around(self, start: int) -> None:
        """Add what shows from this offset on; white space behind that is inside it, not before it."""
        inside = [item for item in self.waiting if isinstance(item, Item) and item.start > start]
        del self.waiting[len(self.waiting) - len(inside) :]
        self.content()
        self.waiting += inside
        if len(inside) > _MOST_WAITING:
            self.follow()
        self.last_spaces = inside[-1] if inside and inside[-1].kind == "spaces" else None

    def edge(self, *, filled: Filled = Filled.NO) -> None:
        self.waiting.clear()
        self.filled = filled
        self.last_box = self.last_spaces = None

    def unknown(self) -> None:
        """Add what cannot be seen in this page, if there is anything: more of a row, or its edge."""
        self.content()
        self.filled = Filled.YES

    def item(self, item: Item) -> None:
        item.filled = self.filled
        if self.filled is Filled.REPEATED:
            self.assumed.append(item)
        if item.kind == "content" or item.kept:
            self.content()
            return
        if item.kind == "break":
            for before in self.waiting:
                before.followed |= isinstance(before, Item) and before.kind == "break"
            self.edge()
            self.last_spaces = None
        else:
            if self.last_spaces is not None:
                self.last_spaces.doubled = True
            self.last_spaces = item
        self.waiting.append(item)

    def box(self, box: Box) -> None:
        self.content()
        self.waiting.append(box)
        self.last_box = box


_Role = Literal["hidden", "text", "box", "block", "inline", "transparent", "define", "bring"]


class _Style(NamedTuple):
    """What a tag is to the flow."""

    role: _Role
    #: Whether data decide if it is a box.
    maybe_box: bool
    space: SpaceMode | None
    #: Whether the element may follow itself.
    loops: bool
    #: Whether it may be left out; its condition; and whether it is there only where those before it are not.
    optional: bool
    condition: str
    alternative: bool
    #: Whether `wx:elif` and `wx:else` may follow.
    conditional: bool
    #: Whether it is there wherever those before it are not.
    last: bool


class _State(NamedTuple):
    """How far a row is filled, and what in it waits."""

    filled: Filled
    waiting: list[Item | Box]

    def or_(self, other: _State) -> _State:
        """Merge two states, of which data decide."""
        waiting = [item for item in self.waiting if not item.followed]
        known = set(waiting)
        waiting += [item for item in other.waiting if not item.followed and item not in known]
        if len(waiting) > _MOST_WAITING:
            for item in waiting:
                item.followed = True
            waiting = []
        return _State(max(self.filled, other.filled), waiting)


class _Chain:
    """Elements one after the other of which at most one is there: `wx:if`, `wx:elif`, `wx:else`."""

    __slots__ = ("before", "conditional", "conditions", "ends")

    def __init__(self, before: _State) -> None:
        self.before = before
        #: How those so far have left the row, one or the other.
        self.ends: _State | None = None
        #: Their conditions.
        self.conditions: list[str] = []
        #: Whether the last of them has one that `wx:elif` and `wx:else` refer to.
        self.conditional = False


class _Frame:
    """An element that is open, or the root."""

    __slots__ = (
        *("assumed", "chain", "element", "filled", "owner"),
        *("probe", "rows", "space", "style", "touched"),
    )

    def __init__(self, element: Element | None, style: _Style, owner: Element | None, rows: _Rows) -> None:
        self.element = element
        self.style = style
        #: The `<text>` that shows what is in it, and its `space`.
        self.owner = owner
        self.space: SpaceMode | None = None
        self.rows = rows
        #: Of an element that may follow itself: learns whether it goes on with the row; what `rows` held.
        self.probe: Item | None = None
        self.assumed: list[Item] = []
        self.filled = Filled.NO
        #: Whether anything is in it.
        self.touched = False
        #: What the last thing in it belongs to, if it may be left out.
        self.chain: _Chain | None = None


_ROOT: Final = _Style("block", False, None, False, False, "", False, False, False)


class _Layout:
    """Goes through the events of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._web = page.target != "skyline"
        self.flow = Flow([], [], [], {})
        self._frame = _Frame(None, _ROOT, None, _Rows(Filled.YES if page.fragment else Filled.NO))
        self._outer: list[_Frame] = []
        self._run()

    def _run(self) -> None:
        page = self._page
        elements, texts, spaces = iter(page.elements), iter(page.texts), iter(page.spaces)
        styles: dict[Tag, _Style] = {}
        hidden = 0  # elements that are open, from the first on that vanishes with all it holds
        for kind, _, _, tag, characters in page.events:
            if kind == "open":
                assert tag is not None
                element = next(elements)
                style = styles.get(tag)
                if style is None:
                    style = styles[tag] = self._style(element)
                if (
                    hidden
                    or style.role == "hidden"
                    or (self._frame.owner and style.role in ("block", "inline"))
                ):
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
        if page.fragment:
            self._frame.rows.unknown()

    def _open(self, element: Element, style: _Style) -> None:
        outer = self._frame
        outer.touched = True
        rows = outer.rows
        if style.optional:
            self._begin_branch(outer, style)
        else:
            outer.chain = None
        owner = outer.owner
        if style.role in ("text", "box"):
            owner = element
            if style.role == "box" and self._web:
                rows = _Rows()
            elif not self._web and outer.owner is None:
                rows.edge()
            elif style.maybe_box:
                rows.follow()
        elif style.role in ("inline", "bring"):
            rows.content()
        elif style.role == "block":
            rows.edge()
        elif style.role == "define":
            rows = _Rows(Filled.YES)  # what is before it is where it is used
        self._outer.append(outer)
        self._frame = frame = _Frame(element, style, owner, rows)
        if style.loops and style.role != "block":
            around = outer.rows
            frame.assumed, around.assumed, frame.filled = around.assumed, [], around.filled
            around.filled = around.filled or Filled.REPEATED
            frame.probe = Item("break", element.start, element.start, "")
            around.waiting.append(frame.probe)
        frame.space = style.space if style.role in ("text", "box") else outer.space

    @staticmethod
    def _begin_branch(outer: _Frame, style: _Style) -> None:
        """Begin something that may be left out: in place of what is before it, or after it."""
        rows, chain = outer.rows, outer.chain
        if len(rows.waiting) > _MOST_WAITING:
            rows.follow()
        alternative = style.alternative and chain is not None and chain.conditional
        if chain is not None and (alternative or exclude_all(style.condition, chain.conditions)):
            rows.filled, rows.waiting = chain.before.filled, [*chain.before.waiting]
        else:
            outer.chain = chain = _Chain(_State(rows.filled, [*rows.waiting]))
        chain.conditions.append(style.condition)
        # `wx:elif` after no `wx:if` is nothing to glass-easel: the element is there.
        chain.conditional = style.conditional and (alternative or not style.alternative)

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
        elif style.role == "define":
            rows.unknown()
            rows = outer.rows
        elif style.role == "block" or (style.role in ("text", "box") and not self._web and not outer.owner):
            rows.edge()
        elif style.role != "transparent" and (not frame.touched or style.role in ("inline", "bring")):
            assert frame.element is not None
            rows.content_around(frame.element.start)  # an icon, or what cannot be seen
        elif style.maybe_box:
            rows.filled = Filled.YES
        if frame.probe is not None:
            self._end_loop(frame, frame.probe, rows)
        if style.optional and outer.chain is not None:
            chain, end = outer.chain, _State(rows.filled, rows.waiting)
            chain.ends = end = end if chain.ends is None else chain.ends.or_(end)
            is_complete = style.last and len(chain.conditions) > 1
            rows.filled, rows.waiting = end if is_complete else end.or_(chain.before)
        self._frame = outer

    def _end_loop(self, frame: _Frame, probe: Item, rows: _Rows) -> None:
        """Tell what is at the start of an element what is at its end: the time before. And the reverse."""
        if probe.followed:
            rows.follow()
        assumed, rows.assumed = rows.assumed, frame.assumed
        if rows.filled is not Filled.YES:  # the time before has left the row as it was, or a new one
            if frame.filled is Filled.NO:
                for item in assumed:
                    item.filled = Filled.NO
            else:
                # In any order: the longer list is kept, so that none is copied at every level.
                longer, shorter = sorted((rows.assumed, assumed), key=len, reverse=True)
                longer += shorter
                rows.assumed = longer
        if rows.filled is Filled.REPEATED:
            rows.filled = frame.filled
        assert frame.element is not None
        after = self.flow.after_loops[frame.element] = Item("break", probe.start, probe.start, "")
        rows.waiting.append(after)

    def _text(self, text: Text) -> None:
        frame = self._frame
        frame.touched = True
        frame.chain = None
        if frame.owner is None or not _suspect(self._page, text):
            frame.rows.content()
            return
        items = []
        for item in _items(self._page, text):
            item.kept = frame.space is not None and item.kind == "spaces" and item.text[:1] == " "
            frame.rows.item(item)
            items.append(item)
        self.flow.nodes.append(Node(text, frame.owner, frame.space, items))

    def _style(self, element: Element) -> _Style:
        tag = element.tag
        may_be_inline = self._web and self._page.may_be_inline(element)
        role: _Role
        if javascript.boolean(tag.constant("hidden")) and tag.name not in semantics.TRANSPARENT_ELEMENTS:
            role = "hidden"
        elif tag.name == "text":
            role = "box" if javascript.boolean(tag.constant("user-select")) else "text"
        elif tag.role == "define":
            role = "define"
        elif tag.name in semantics.TRANSPARENT_ELEMENTS:
            role = "transparent" if tag.role == "block" else "bring"
        else:
            is_block = not self._web or tag.name in semantics.BLOCK_ELEMENTS
            role = "block" if is_block and not may_be_inline else "inline"
        space = tag.constant("space", "nbsp")  # data may say anything
        loops = tag.has(*semantics.LOOPS)
        hidden = "hidden" in tag.names and tag.attributes["hidden"].dynamic
        user_select = tag.attributes["user-select"] if "user-select" in tag.names else None
        maybe_box = may_be_inline or (user_select is not None and user_select.dynamic)
        return _Style(
            role,
            self._web and role == "text" and maybe_box,
            semantics.space_mode(space) if self._web else None,
            loops,
            loops or hidden or tag.has(*semantics.CONDITIONS),
            condition(self._page.source, tag, element.start) if not hidden else "",
            tag.has("wx:elif", "wx:else") and not loops,
            tag.has("wx:if", "wx:elif") and not loops,
            tag.has("wx:else") and not loops and not hidden,
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
            item.literal, item.binding = False, constant is None
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

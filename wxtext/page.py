"""WXML as rules look at it: elements and texts with exact offsets, each knowing what is around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from wxtext import semantics
from wxtext.expressions import ExpressionError, read_binding
from wxtext.semantics import Compiler, Target
from wxtext.wxml import Attribute, Event, Tag, read

_KEEPING_STYLE: Final = re.compile(r"(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)


class Element:
    """An element and its place."""

    __slots__ = ("close_end", "close_start", "end", "in_text", "parent", "start", "tag")

    def __init__(self, tag: Tag, start: int, end: int, parent: Element | None) -> None:
        self.tag = tag
        #: Where its start tag begins and ends.
        self.start = start
        self.end = end
        #: Where its end tag begins and ends; both are `end` if it closes itself.
        self.close_start = end
        self.close_end = end
        self.parent = parent
        #: Whether it is written into a `<text>`, if only through elements that stand for nothing themselves.
        self.in_text: bool = parent is not None and (
            parent.name == "text" or (parent.in_text and parent.name in semantics.TRANSPARENT_ELEMENTS)
        )

    @property
    def name(self) -> str:
        """The name of the tag."""
        return self.tag.name

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of this name."""
        return self.tag.attributes.get(name)

    def value_span(self, name: str) -> tuple[int, int] | None:
        """The offsets of what stands between the quotes of an attribute."""
        attribute = self.attribute(name)
        if attribute is None or attribute.span is None:
            return None
        return self.start + attribute.span[0], self.start + attribute.span[1]


class Text(NamedTuple):
    """A text node: everything between two tags or comments, bindings included."""

    start: int
    end: int
    #: The characters that the compiler makes of it.
    text: str
    #: The element that it is in.
    parent: Element | None
    #: The place of its event in `Page.events`.
    event: int

    @property
    def in_text(self) -> bool:
        """Whether it is shown by a `<text>`."""
        return self.parent is not None and (
            self.parent.name == "text"
            or (self.parent.in_text and self.parent.name in semantics.TRANSPARENT_ELEMENTS)
        )


class Page:
    """One source, read for one target."""

    def __init__(
        self,
        source: str,
        target: Target,
        *,
        preserving_classes: frozenset[str] = frozenset(),
        components: frozenset[str] = frozenset(),
    ) -> None:
        """Read `source`.

        `preserving_classes` are classes whose style keeps white space; `components` are the names that
        `usingComponents` defines.
        """
        self.source = source
        self.target = target
        self.compiler: Compiler = semantics.COMPILERS[target]
        self.components = components
        self._preserving_classes = preserving_classes
        document = read(source, self.compiler)
        self.refusals = document.refusals
        self.events: list[Event] = document.events
        self.elements: list[Element] = []
        #: Text nodes that are not white space alone.
        self.texts: list[Text] = []
        #: Nodes of white space alone, which the compilers drop.
        self.spaces: list[Text] = []
        self._place()

    def _place(self) -> None:
        parent: Element | None = None
        for index, (kind, start, end, tag, text) in enumerate(self.events):
            if kind == "open":
                assert tag is not None
                element = Element(tag, start, end, parent)
                self.elements.append(element)
                if not tag.self_closing:
                    parent = element
            elif kind == "close":
                assert parent is not None
                parent.close_start, parent.close_end = start, end
                parent = parent.parent
            elif kind == "text":
                self.texts.append(Text(start, end, text, parent, index))
            elif kind == "space":
                self.spaces.append(Text(start, end, text, parent, index))

    def static(self, text: Text) -> Iterator[tuple[int, int]]:
        """Yield the offsets of what is no binding in a text node."""
        start = position = text.start
        while (position := self.source.find("{{", position, text.end)) >= 0:
            try:
                end = read_binding(self.source, position, self.compiler).end
            except ExpressionError as error:
                end = error.end if error.end is not None else text.end
            if start < position:
                yield start, position
            start = position = min(end, text.end)
        if start < text.end:
            yield start, text.end

    def bindings(self, text: Text) -> Iterator[tuple[int, int]]:
        """Yield the offsets of the bindings in a text node, braces included."""
        done = text.start
        for start, end in [*self.static(text), (text.end, text.end)]:
            if done < start:
                yield done, start
            done = end

    def keeps_white_space(self, element: Element | None) -> bool:
        """Tell whether the page's own style keeps white space in this element, as far as can be seen here."""
        while element is not None:
            style = element.attribute("style")
            if style is not None and style.span is not None:
                first, last = style.span
                if _KEEPING_STYLE.search(self.source[element.start + first : element.start + last]):
                    return True
            classes = element.attribute("class")
            if self._preserving_classes and classes is not None and classes.span is not None:
                first, last = classes.span
                names = self.source[element.start + first : element.start + last].split()
                if not self._preserving_classes.isdisjoint(names):
                    return True
            element = element.parent
        return False

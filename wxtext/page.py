"""WXML as rules look at it: elements and texts with exact offsets, each knowing what is around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Final, NamedTuple

from wxtext import semantics
from wxtext.expressions import ExpressionError, read_binding
from wxtext.problem import Edit
from wxtext.semantics import Compiler, Target
from wxtext.wxml import Attribute, Event, Tag, read

_ENTITY_LETTER: Final = re.compile("[#0-9A-Za-z]")
_NAME: Final = re.compile(r"[A-Za-z_:-][-.:\w]*", re.ASCII)
_CLASS_NAME: Final = re.compile(r"[\w-]+")
# `display` with a value that puts a box into a row, or that data say; or data that may hold it.
_INLINE_STYLE: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*(?:inline|contents|\{\{)|\{\{)", re.IGNORECASE)
_ATTRIBUTES: Final = r"""((?![-\w])(?:[^<>"']|"[^"]*"|'[^']*')*)"""
#: `<br>` as HTML has it, which closes itself; a `</br>` alone is one too.
_BREAK: Final = re.compile(
    rf"<br{_ATTRIBUTES}(?<!/)>\s*</br\s*>|<br{_ATTRIBUTES}(?<!/)>|</br>", re.IGNORECASE
)
_KEEPING_STYLE: Final = re.compile(r"(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)


class Element:
    """An element and its place."""

    __slots__ = (
        *("around", "close_end", "close_start", "end", "in_text", "name", "parent"),
        *("shows_as_text", "stands_for_nothing", "start", "tag"),
    )

    def __init__(self, tag: Tag, start: int, end: int, parent: Element | None) -> None:
        self.tag = tag
        #: The name of the tag.
        self.name = name = tag.name
        #: Where its start tag begins and ends.
        self.start = start
        self.end = end
        #: Where its end tag begins and ends; both are `end` if it closes itself.
        self.close_start = end
        self.close_end = end
        self.parent = parent
        #: Whether it is written into a `<text>`, if only through elements that stand for nothing themselves.
        self.in_text = False
        #: The innermost element around it that stands for itself.
        self.around: Element | None = None
        if parent is not None:
            self.in_text = parent.shows_as_text
            self.around = parent.itself
        #: Whether what is in it counts as if written in its place.
        self.stands_for_nothing: bool = name in semantics.TRANSPARENT_ELEMENTS and tag.role != "define"
        #: Whether text in it is shown by a `<text>`; a `<template name>` is shown elsewhere.
        self.shows_as_text: bool = name == "text" or (self.in_text and self.stands_for_nothing)

    @property
    def itself(self) -> Element | None:
        """What text in it is directly in: this, or what is around it if it stands for nothing itself."""
        return self.around if self.stands_for_nothing else self

    @property
    def closed(self) -> bool:
        """Whether it is closed by itself or a tag of its own."""
        return self.tag.self_closing or self.close_start < self.close_end

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of this name."""
        return self.tag.attributes[name] if name in self.tag.names else None

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """The offsets of an attribute, name and value."""
        attribute = self.attribute(name)
        return None if attribute is None else (self.start + attribute.start, self.start + attribute.end)

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
        return self.parent is not None and self.parent.shows_as_text

    @property
    def shown_by(self) -> Element | None:
        """The `<text>` that shows it."""
        return self.parent.itself if self.parent is not None and self.parent.shows_as_text else None


class Page:
    """One source, read for one target."""

    def __init__(
        self,
        source: str,
        target: Target,
        *,
        preserving_classes: frozenset[str] = frozenset(),
        inline_classes: frozenset[str] = frozenset(),
        components: frozenset[str] = frozenset(),
        fragment: bool = False,
    ) -> None:
        """Read `source`.

        `preserving_classes` are classes whose style keeps white space, `inline_classes` those whose `display`
        puts boxes into a row; `components` are the names that
        `usingComponents` defines; a `fragment` is shown inside other pages, perhaps in the middle of a row.
        """
        self.source = source
        self.fragment = fragment
        self.target = target
        self.compiler: Compiler = semantics.COMPILERS[target]
        self.components = components
        self._preserving_classes = preserving_classes
        self._inline_classes = inline_classes
        # By element: whether it keeps white space, once that is known.
        self._keeping: dict[Element | None, bool] = {None: False}
        document = read(source, self.compiler)
        self.refusals = document.refusals
        self.events: list[Event] = document.events
        self.elements: list[Element] = []
        #: Text nodes that are not white space alone.
        self.texts: list[Text] = []
        #: Nodes of white space alone without a line feed, which the compilers drop.
        self.spaces: list[Text] = []
        self._place()

    def _place(self) -> None:
        parent: Element | None = None
        for index, (kind, start, end, tag, text) in enumerate(self.events):
            if kind == "space":
                if "\n" not in text:
                    self.spaces.append(Text(start, end, text, parent, index))
            elif kind == "open":
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

    @cached_property
    def with_closed_breaks(self) -> Page:
        """The page as HTML has it: each `<br>` that is not closed is an element that closes itself."""

        def close(match: re.Match[str]) -> str:
            if match[1] is not None:
                return match[0]
            # The offsets must not change, so that a letter of the name has to make room.
            return "<br/>" if match[2] is None else f"<b{match[2]}/>"

        source = self.source
        if "br" not in self.components and ("<br" in source or "</br" in source or "<BR" in source):
            source = _BREAK.sub(close, source)
        return self if source == self.source else Page(source, self.target)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all elements in it."""
        return frozenset([element.name for element in self.elements])

    @cached_property
    def attribute_names(self) -> frozenset[str]:
        """The names of all attributes in it."""
        return frozenset().union(*{element.tag.names for element in self.elements})

    def named(self, name: str) -> list[Element]:
        """Give the elements of this name."""
        return [element for element in self.elements if element.name == name] if name in self.names else []

    def static(self, text: Text) -> Iterator[tuple[int, int]]:
        """Yield the offsets of what is no binding in a text node."""
        return self.static_between(text.start, text.end)

    def static_between(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the offsets of what is no binding between two offsets, of a text node or a value."""
        position = start
        while (position := self.source.find("{{", position, end)) >= 0:
            try:
                after = read_binding(self.source, position, self.compiler).end
            except ExpressionError as error:
                after = error.end if error.end is not None else end
            if start < position:
                yield start, position
            start = position = min(after, end)
        if start < end:
            yield start, end

    def bindings(self, text: Text) -> Iterator[tuple[int, int]]:
        """Yield the offsets of the bindings in a text node, braces included."""
        done = text.start
        for start, end in [*self.static(text), (text.end, text.end)]:
            while done < start:
                after = start
                if self.source.find("}}{{", done, start) >= 0:  # several with nothing between them
                    with suppress(ExpressionError):
                        after = read_binding(self.source, done, self.compiler).end
                yield done, after
                done = after
            done = end

    @cached_property
    def _closed(self) -> dict[int, Element]:
        return {element.close_start: element for element in self.elements if not element.tag.self_closing}

    def closed_at(self, offset: int) -> Element | None:
        """Return the element whose end tag begins at an offset."""
        return self._closed.get(offset)

    def rename(self, element: Element, name: str) -> tuple[Edit, ...]:
        """Give the edits that give an element another name, in both its tags."""
        starts = [(element.start, element.end), (element.close_start, element.close_end)]
        names = (_NAME.search(self.source, *span) for span in starts)
        return tuple(Edit(*match.span(), name) for match in names if match)

    def write(self, start: int, end: int, characters: str) -> Edit:
        """Give the edit that makes static text from `start` to `end` show these characters.

        It is written so that what stands before and after it is read as it was.
        """
        source = self.source
        if source[start - 1 : start] == "{":  # which must not touch a binding
            start -= 1
            characters = "{" + characters
        following = _ENTITY_LETTER.match(source, end)
        follower = following[0] if following else ""
        written, _ = semantics.encode(characters + follower, self.compiler)
        return Edit(start, end, written.removesuffix(follower))

    def write_visibly(self, start: int, end: int, characters: str) -> Edit:
        """Give the edit that writes characters as a constant binding, which a reader of the source sees.

        They are white space. What stands before and after is read as it was.
        """
        if self.source[start - 1 : start] == "{":  # which must not touch a binding
            start -= 1
            characters = "{" + characters
        return Edit(start, end, semantics.string_binding(characters))

    def without(self, element: Element, name: str) -> Edit:
        """Give the edit that takes an attribute away, and the white space before it."""
        start, end = element.attribute_span(name) or (element.end, element.end)
        before = self.source[element.start : start]
        return Edit(element.start + len(before.rstrip()), end, "")

    def keeps_white_space(self, element: Element | None) -> bool:
        """Tell whether the page's own style keeps white space in this element, as far as can be seen here."""
        inner = []
        while element not in self._keeping:
            assert element is not None
            inner.append(element)
            element = element.parent
        keeps = self._keeping[element]
        for element in reversed(inner):
            keeps = keeps or self._style_keeps(element)
            self._keeping[element] = keeps
        return keeps

    def _style_keeps(self, element: Element) -> bool:
        style = element.value_span("style")
        if style and _KEEPING_STYLE.search(self.source[slice(*style)]):
            return True
        return self._has_class(element, self._preserving_classes)

    def may_be_inline(self, element: Element) -> bool:
        """Tell whether the page's own style may make it a box in a row with what is beside it."""
        style = element.value_span("style")
        if style and _INLINE_STYLE.search(self.source[slice(*style)]):
            return True
        return self._has_class(element, self._inline_classes)

    def _has_class(self, element: Element, classes: frozenset[str]) -> bool:
        """Tell whether an element has one of these classes, or may have it by its data."""
        names = element.value_span("class") if classes else None
        return names is not None and not classes.isdisjoint(_CLASS_NAME.findall(self.source, *names))

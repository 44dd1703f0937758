"""WXML laid out: the rows of text that a phone may show, whatever the data are.

`lay_out` reads WXML as the compiler of the target does, and lays out what comes of it as the official
`<text>` element and CSS do on a screen that is wide enough for every row. Constant bindings are evaluated,
all others stand as they are written; `wx:if`, `wx:elif`, `wx:else` and `wx:for` show their content once,
constant or not; `<template is>` shows what the `<template name>` of this file holds, and `<include>` nothing.
An attribute whose value depends on data counts as absent. `screen` leaves out what is never seen.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from wxtext import javascript, lazy, rows
from wxtext.errors import OptionError, WxmlError
from wxtext.semantics import (
    BLOCK_ELEMENTS,
    COMPILERS,
    CONTROLS,
    LOOPS,
    TRANSPARENT_ELEMENTS,
    Compiler,
    SpaceMode,
    Target,
    run_time_text,
    space_mode,
)
from wxtext.wxml import Document, Event, Tag, explained, position, read, unseal

# How many events templates may bring: where each uses another twice, they would soon be millions.
_MOST_BROUGHT: Final = 100_000

_TEXT_SPACE: Final = str.maketrans("\t\r", "  ")
_LOOSE_SPACE: Final = str.maketrans("\t\r\n", "   ")


class _Style(NamedTuple):
    """What an element does to the text in it."""

    #: Whether it is a `<text>`.
    text: bool = False
    space: SpaceMode | None = None
    decode: bool = False
    #: Whether it begins and ends rows of its own.
    block: bool = False
    #: Whether it is an inline-block.
    box: bool = False
    #: Whether it is nothing itself.
    transparent: bool = False
    hidden: bool = False


_ROOT: Final = _Style()


def refusal(wxml: str, document: Document, target: Target) -> WxmlError | None:
    """Return the first fault that the compiler of the target finds in WXML that has been read, if any."""
    if not document.refusals:
        return None
    offset, message = explained(wxml, min(document.refusals), COMPILERS[target])
    return WxmlError(message.translated(), *position(wxml, offset))


def accepted(wxml: str, target: Target) -> list[Event]:
    """Read WXML. Raises WxmlError and OptionError, as `wxtext.show` does."""
    OptionError.unless_one_of("target", target, COMPILERS)
    document = read(wxml, COMPILERS[target])
    error = refusal(wxml, document, target)
    if error:
        raise error
    return document.events


def lay_out(wxml: str, target: Target) -> str:
    """Lay out WXML: its rows joined by LF, without line breaks at the very end.

    Raises WxmlError, with line and column of the first fault, if the compiler of the target refuses it, and
    OptionError if there is no such target.
    """
    return laid_out(with_all_templates(accepted(wxml, target), target), target)


def show_variants(wxml: str, target: Target) -> list[str] | None:
    """Return what a page shows by different data; None if the compiler of the target refuses it.

    Without elements that data may leave out or repeat, that is what `lay_out` returns. Otherwise these are
    there in turn: of conditions that exclude each other one, or none; what `wx:for` repeats twice, or not at
    all.
    Pages whose tags have the same control attributes, in the same order, have the same variants.
    """
    document = read(wxml, COMPILERS[target])
    if document.refusals:
        return None
    events = list(with_all_templates(document.events, target))
    if not any(tag is not None and _is_controlled(tag) for _, _, _, tag, _ in events):
        return [laid_out(events, target)]
    branches = _branches(wxml, events)
    most = min(max(branch.place for branch in branches.values()) + 1, _MOST_BRANCHES)
    choices: list[_Choice] = [functools.partial(_is_at, place=place) for place in range(most)]
    choices += [_is_last, lambda branch: branch.place == 0 if branch.chain % 2 else branch.is_else]
    choices += [lambda branch: branch.is_else if branch.chain % 2 else branch.place == 0]
    return [laid_out(_repeated(events, branches, choice), target) for choice in choices]


def count_shown(wxml: str, target: Target) -> int:
    """Count the tags and texts that are laid out to show a page, those of a template at each use."""
    events = read(wxml, COMPILERS[target]).events
    return sum(1 for _event in with_all_templates(events, target))


def with_all_templates(events: list[Event], target: Target) -> Iterable[Event]:
    """Put what templates hold where they are used, if any are."""
    if any(tag is not None and tag.role == "use" for _, _, _, tag, _ in events):
        return with_templates(events, COMPILERS[target])
    return events


def laid_out(events: Iterable[Event], target: Target) -> str:
    """Lay out what has been read, as `lay_out` does."""
    web = target != "skyline"
    output: list[str] = []
    boxes: list[rows.Box] = []  # the inline-blocks in it
    outer: list[tuple[list[str], list[rows.Box]]] = []  # those around each open inline-block
    styles: dict[Tag, _Style] = {}
    open_styles: list[_Style] = []  # of the elements that are open around `style`
    style = _ROOT
    hidden = 0  # how many elements are open, from the first that shows nothing on
    for kind, _, _, tag, characters in events:
        if kind == "text":
            if hidden:
                continue
            text = characters
            if style.text:
                if style.space or style.decode:
                    text = run_time_text(text, style.space, style.decode)
                if "\t" in text or "\r" in text:
                    text = text.translate(_TEXT_SPACE)
                output.append(text)
            else:
                text = text.translate(_LOOSE_SPACE)
                output.append(text if web else f"{rows.BLOCK}{text}{rows.BLOCK}")
        elif kind == "open":
            assert tag is not None
            if hidden:
                hidden += not tag.self_closing
                continue
            new = styles.get(tag)
            if new is None:
                new = styles[tag] = _style(tag, web)
            if new.hidden or (style.text and not new.text and not new.transparent):
                hidden = not tag.self_closing
                continue
            if new.transparent or (style.text and not web):
                new = style._replace(block=False, box=False)
            if new.block:
                output.append(rows.BLOCK)
            if tag.self_closing:
                if new.box:
                    output.append(rows.BOX)
                    boxes.append(rows.box([], []))
                continue
            if new.box:
                outer.append((output, boxes))
                output, boxes = [], []
            open_styles.append(style)
            style = new
        elif kind == "close":
            if hidden:
                hidden -= 1
                continue
            if style.block:
                output.append(rows.BLOCK)
            elif style.box:
                box = rows.box(output, boxes)
                output, boxes = outer.pop()
                output.append(rows.BOX)
                boxes.append(box)
            style = open_styles.pop()
    return unseal(rows.rows(output, boxes).rstrip("\n"))


#: So many branches of `wx:if`, `wx:elif`, `wx:else` are tried.
_MOST_BRANCHES: Final = 4


class _Branch(NamedTuple):
    """An element that data may leave out or repeat, among those of which at most one is there."""

    #: The number of these elements in the page, and of this one among them.
    chain: int
    place: int
    is_else: bool


#: Whether a branch is there.
_Choice: TypeAlias = "Callable[[_Branch], bool]"


def _is_at(branch: _Branch, place: int) -> bool:
    return branch.place == place


def _is_last(branch: _Branch) -> bool:
    return branch.is_else


def _is_controlled(tag: Tag) -> bool:
    """Tell whether data decide if an element is there, or how often."""
    return tag.has(*CONTROLS) or ("hidden" in tag.names and tag.attributes["hidden"].dynamic)


def _branches(wxml: str, events: Sequence[Event]) -> dict[int, _Branch]:
    """Return the elements that data may leave out or repeat, by the numbers of their open events."""
    branches: dict[int, _Branch] = {}
    chains = 0
    outer: list[_Chain] = []
    chain = _Chain(0)
    for index, (kind, start, _, tag, _) in enumerate(events):
        if kind == "text":
            chain = _Chain(0)
        elif kind == "open" and tag is not None:
            if not _is_controlled(tag):
                chain = _Chain(0)
            else:
                asked = condition(wxml, tag, start)
                is_branch = not tag.has(*LOOPS)
                is_alternative = chain.is_conditional and is_branch and tag.has("wx:elif", "wx:else")
                if not (is_alternative or exclude_all(asked, chain.asked)) or not chain.asked:
                    chains += 1
                    chain = _Chain(chains)
                is_else = is_alternative and tag.has("wx:else")
                branches[index] = _Branch(chain.number, len(chain.asked), is_else)
                chain.asked.append(asked)
                # `wx:elif` after no `wx:if` is nothing to glass-easel: the element is there.
                is_chosen = is_alternative if tag.has("wx:elif") else tag.has("wx:if")
                chain.is_conditional = is_branch and is_chosen
            if not tag.self_closing:
                outer.append(chain)
                chain = _Chain(0)
        elif kind == "close":
            chain = outer.pop()
    return branches


class _Chain:
    """Elements one after the other of which at most one is there."""

    __slots__ = ("asked", "is_conditional", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        #: Their conditions so far.
        self.asked: list[str] = []
        #: Whether `wx:elif` and `wx:else` may follow.
        self.is_conditional = False


# A condition that compares with a constant: what is compared, and with what. Of other constants two may be
# equal to one value, as `'1'` and `1`, or `''` and `'0'`.
_COMPARISON: Final = lazy.pattern(r"""([\w$.]+)\s*={2,3}\s*(?:(["'])([^\W\d][^'"{}\\]*)\2|(0|[1-9]\d*))""")
_NAME: Final = lazy.pattern(r"[\w$.]+", re.ASCII)

#: With so many others at most a condition is compared: a page of conditions would else take quadratic time.
_MOST_COMPARED: Final = 50


def condition(wxml: str, tag: Tag, start: int) -> str:
    """Return the expression in `wx:if` of the tag at an offset; empty if there is none, or a `wx:for` too."""
    attribute = tag.attributes["wx:if"] if "wx:if" in tag.names and not tag.has(*LOOPS) else None
    if attribute is None or attribute.span is None:
        return ""
    value = wxml[start + attribute.span[0] : start + attribute.span[1]]
    return value[2:-2].strip() if value.startswith("{{") and value.endswith("}}") else ""


def exclude_all(one: str, others: Sequence[str]) -> bool:
    """Tell whether a condition never holds together with any of others; of very many that is not known."""
    return len(others) <= _MOST_COMPARED and all(exclude(one, other) for other in others)


def exclude(one: str, other: str) -> bool:
    """Tell whether two conditions never hold at the same time, as far as can be told from their looks."""
    if not one or not other:
        return False
    for yes, no in ((one, other), (other, one)):
        if no == f"!({yes})" or (no == f"!{yes}" and _NAME.fullmatch(yes)):
            return True
    first, second = _COMPARISON.fullmatch(one), _COMPARISON.fullmatch(other)
    return (
        first is not None
        and second is not None
        and first[1] == second[1]
        and first.group(3, 4) != second.group(3, 4)
    )


def _repeated(events: Sequence[Event], branches: dict[int, _Branch], choice: _Choice) -> Iterator[Event]:
    """Leave out the elements that are not chosen; repeat what `wx:for` does."""
    ends = {index: index for index, event in enumerate(events) if event[0] == "open"}
    open_events: list[int] = []
    for index, (kind, _, _, tag, _) in enumerate(events):
        if kind == "open" and tag is not None and not tag.self_closing:
            open_events.append(index)
        elif kind == "close":
            ends[open_events.pop()] = index
    #: The elements that are open and are to be there more than once: from, to, how often still.
    repeated: list[tuple[int, int, int]] = []
    index = brought = 0
    while index < len(events):
        _, _, _, tag, _ = event = events[index]
        is_repeated = bool(repeated) and repeated[-1][0] == index
        if index in branches and tag is not None and not is_repeated:
            if not choice(branches[index]):
                index = ends[index] + 1
                continue
            repeated.append((index, ends[index], 2 if tag.has(*LOOPS) else 1))
        yield event
        brought += 1
        while repeated and repeated[-1][1] == index:
            start, end, left = repeated.pop()
            if left > 1 and brought < _MOST_BROUGHT:
                repeated.append((start, end, left - 1))
                index = start - 1
                break
        index += 1


def with_templates(events: list[Event], compiler: Compiler) -> Iterator[Event]:
    """Put what templates hold where they are used. One that is unknown, or is within itself, is nothing."""
    ends: dict[int, int] = {}  # of each element, from its open event to its close event
    open_events: list[int] = []
    definitions: dict[str, tuple[int, int]] = {}
    for index, (kind, _, _, tag, _) in enumerate(events):
        if kind == "open" and tag and not tag.self_closing:
            open_events.append(index)
        elif kind == "close" and tag:
            start = open_events.pop()
            ends[start] = index
            name = template_name(tag, "name")
            if tag.role == "define" and name and (compiler == "wcc" or name not in definitions):
                definitions[name] = (start + 1, index)
    brought = 0
    active = {""}
    ranges = [(0, len(events), "")]
    while ranges:
        index, end, name = ranges.pop()
        while index < end:
            kind, _, _, tag, _ = event = events[index]
            index += 1
            if kind != "open" or not tag or tag.role != "use":
                yield event
                continue
            index = ends.get(index - 1, index - 1) + 1
            used = template_name(tag, "is")
            start, stop = definitions.get(used, (0, 0))
            if used not in active and brought + stop - start <= _MOST_BROUGHT:
                brought += stop - start
                active.add(used)
                ranges.append((index, end, name))
                index, end, name = start, stop, used
        active.discard(name)


def template_name(tag: Tag, attribute: str) -> str:
    """Return the name in an attribute of a template; empty if there is none, or data say it."""
    found = tag.attributes.get(attribute)
    return javascript.string(found.value) if found and found.span and not found.dynamic else ""


def _style(tag: Tag, web: bool) -> _Style:
    hidden = javascript.boolean(tag.constant("hidden"))
    if tag.role == "import":
        return _Style(transparent=True, hidden=True)
    if tag.name in TRANSPARENT_ELEMENTS:
        return _Style(transparent=True, hidden=tag.role in {"define", "include"})
    if tag.name != "text":
        return _Style(block=not web or tag.name in BLOCK_ELEMENTS, hidden=hidden)
    if not web:
        return _Style(text=True, block=True, hidden=hidden)
    return _Style(
        text=True,
        space=space_mode(tag.constant("space")),
        decode=javascript.boolean(tag.constant("decode")),
        box=javascript.boolean(tag.constant("user-select")),
        hidden=hidden,
    )

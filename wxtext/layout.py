"""What a phone shows of WXML: rows of text.

`show` reads WXML as the compiler of the target does, and lays out what comes of it as the official `<text>`
element and CSS do on a screen that is wide enough for every row. Constant bindings are evaluated, all others
stand as they are written; `wx:if`, `wx:elif`, `wx:else` and `wx:for` show their content once;
`<template is>` shows what the `<template name>` of this file holds, and `<include>` nothing. An attribute
whose value depends on data counts as absent.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from wxtext import javascript
from wxtext.errors import OptionError, WxmlError
from wxtext.semantics import (
    BLOCK_ELEMENTS,
    COMPILERS,
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

# In what is gathered, LF is a line break; these stand for what is no character.
_BLOCK: Final = "\r"  # the edge of a block: the row ends, if there is one
_BOX: Final = "\udc01"  # the edge of an inline-block: spaces beside it stay
_BOX_ROW: Final = "\udc02"  # parts the rows of an inline-block

_ROW_END: Final = re.compile(f" *[\n{_BLOCK}][ \n{_BLOCK}]*")
_SPACES: Final = re.compile(" {2,}")
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


def show(wxml: str, target: Target = "webview") -> str:
    """Predict what the phone shows: rows joined by LF, without line breaks at the very end.

    Raises WxmlError, with line and column of the first fault, if the compiler of the target refuses it, and
    OptionError if there is no such target.
    """
    OptionError.unless_one_of("target", target, COMPILERS)
    document = read(wxml, COMPILERS[target])
    error = refusal(wxml, document, target)
    if error:
        raise error
    web = target != "skyline"
    output: list[str] = []
    outer: list[list[str]] = []  # the output around each open inline-block
    open_styles: list[_Style] = []  # of the elements that are open around `style`
    style = _ROOT
    hidden = 0  # how many elements are open, from the first that shows nothing on
    events: Iterable[Event] = document.events
    if any(tag is not None and tag.role == "use" for _, _, _, tag, _ in events):
        events = with_templates(document.events, COMPILERS[target])
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
                output.append(text if web else f"{_BLOCK}{text}{_BLOCK}")
        elif kind == "open":
            assert tag is not None
            if hidden:
                hidden += not tag.self_closing
                continue
            new = _style(tag, web)
            if new.hidden or (style.text and not new.text and not new.transparent):
                hidden = not tag.self_closing
                continue
            if new.transparent or (style.text and not web):
                new = style._replace(block=False, box=False)
            if new.block:
                output.append(_BLOCK)
            if tag.self_closing:
                if new.box:
                    output.append(_BOX + _BOX)
                continue
            if new.box:
                outer.append(output)
                output = []
            open_styles.append(style)
            style = new
        elif kind == "close":
            if hidden:
                hidden -= 1
                continue
            if style.block:
                output.append(_BLOCK)
            elif style.box:
                box = _rows(output).removesuffix("\n").replace("\n", _BOX_ROW)
                output = outer.pop()
                output.append(_BOX + box + _BOX)
            style = open_styles.pop()
    return unseal(_rows(output).rstrip("\n"))


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
            name = _template_name(tag, "name")
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
            used = _template_name(tag, "is")
            start, stop = definitions.get(used, (0, 0))
            if used not in active and brought + stop - start <= _MOST_BROUGHT:
                brought += stop - start
                active.add(used)
                ranges.append((index, end, name))
                index, end, name = start, stop, used
        active.discard(name)


def _template_name(tag: Tag, attribute: str) -> str:
    found = tag.attributes.get(attribute)
    return javascript.string(found.value) if found and found.span and not found.dynamic else ""


def _rows(output: list[str]) -> str:
    """Collapse white space and end rows as CSS does: what is left, each row but the last ended by LF."""
    text = "".join(output).strip(" ")
    if "  " in text:
        text = _SPACES.sub(" ", text)
    if _BLOCK in text or " \n" in text or "\n " in text:
        text = _ROW_END.sub(_end_row, text)
    if _BOX in text:
        text = "\n".join(_with_boxes(row) if _BOX in row else row for row in text.split("\n"))
    return text


def _end_row(match: re.Match[str]) -> str:
    """Keep each line break; the edge of a block ends a row only if there is one to end."""
    run = match[0].lstrip(" ")
    return "\n" * (run.count("\n") + (run[0] == _BLOCK and match.start() > 0))


def _with_boxes(row: str) -> str:
    """Lay out a row that holds inline-blocks: the last row of each lies in it, the others lie above."""
    rows = [""]
    for index, part in enumerate(row.split(_BOX)):
        inside = part.split(_BOX_ROW) if index % 2 else [part]
        above = max(len(inside) - len(rows), 0)
        rows[:0] = inside[:above]
        for offset in range(1, len(inside) - above + 1):
            rows[-offset] += inside[-offset]
    return "\n".join(rows)


@functools.lru_cache(maxsize=1024)
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

"""An HTML tag is no element of WXML.

The phone knows no `<br>`: it shows nothing. In a `<text>` the other tags of HTML vanish with all they hold.
The unsafe fix turns `<br>` into a line break, and every tag that marks text into a `<text>`, with line breaks
around those that have rows of their own; what was lost then shows. Outside a `<text>` unknown elements show
what they hold, as if they were no blocks; that is advice, and silent where `usingComponents` defines the
name. (`<span>` is an element of WXML, but may only stand in a `<text>` on Skyline.)

Bad:
    <text>第一行<br/>第二行</text>
Good:
    <text>第一行\\n第二行</text>

Bad:
    <text>现价<b class="red">9.90</b>元</text>
Good:
    <text>现价<text class="red">9.90</text>元</text>

Bad:
    <text><p>第一段</p><p>第二段</p></text>
Good:
    <text><text>第一段\\n</text><text>第二段</text></text>

Bad:
    <div><text>关于我们</text></div>
Good:
    <view><text>关于我们</text></view>
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("unsafe",)
#: What was lost shows, and rows part.
CHANGES = mistakes.no_less(mistakes.shown_characters)

#: What to use outside a `<text>`, if neither `<text>` nor `<view>`.
INSTEAD = {"a": "navigator", "iframe": "web-view", "img": "image", "select": "picker"}

_BLANKS = " \t\r\n"
#: What people write for a line break: where one is not read as one, another rule mends it.
_LINE_BREAKS = (r"\n", semantics.string_binding("\n"))

_TAG_NAME = re.compile(r"</?\s*([-\w]+)")
_BREAK_START = re.compile(r"</?br(?![-\w])", re.IGNORECASE)


def check(page: Page) -> Iterator[Finding]:
    read = page.with_closed_breaks
    html = {name for name in read.names if name.lower() in mistakes.HTML_ELEMENTS} - page.components
    if not html:
        return
    # Where tags do not balance, another name may pair them otherwise.
    balanced = all(element.closed for element in read.elements)
    texts: dict[Element | None, Element | None] = {None: None}
    for element in read.elements:
        text = texts[element] = _text_around(element, html, texts)
        if element.tag.name not in html:
            continue
        if _BREAK_START.match(page.source, element.start):
            yield _line_break(page, element, text is not None)
        elif text is not None:
            if page.target != "skyline" or element.name != "span":
                yield _lost(page, element, text, balanced)
        elif element.name.lower() != "span":
            message = _("<{name}> is no element of WXML; use <{instead}>, or a component")
            instead = _instead(element.name.lower())
            yield Finding(
                element.start,
                element.end,
                message.format(name=element.name, instead=instead),
                severity=Severity.INFO,
            )


def _text_around(
    element: Element, html: Container[str], texts: dict[Element | None, Element | None]
) -> Element | None:
    """The `<text>` that an element is in, if only once the HTML around it is mended."""
    parent = element.parent
    if parent is None or parent.name == "text":
        return parent
    mended = parent.name in html and parent.name.lower() not in mistakes.HTML_OTHERS
    return texts[parent] if mended or parent.stands_for_nothing else None


def _instead(name: str) -> str:
    return INSTEAD.get(name, "text" if name in mistakes.HTML_INLINE else "view")


def _line_break(page: Page, element: Element, in_text: bool) -> Finding:
    start, end = element.start, element.close_end
    line_break = semantics.encode("\n", page.compiler)[0]
    fix = None
    if not in_text:
        line_break = f"<text>{line_break}</text>"
        message = _("<br> shows nothing; a line break goes into a <text>: {line_break}")
    else:
        message = _("<br> shows nothing; a line break is {line_break}")
    if element.end == element.close_start and not element.tag.has(*_CONTROLS):
        if in_text:
            fix = (_write_break(page, *_around(page, element)),)
        elif page.target != "skyline":  # which has no rows outside `<text>`
            fix = (Edit(start, end, line_break),)
    return Finding(start, end, message.format(line_break=line_break), fix, unsafe=fix is not None)


#: What makes a `<br>` more than a line break.
_LOOPS = ("wx:for", "wx:for-items")
_CONTROLS = ("wx:if", "wx:elif", "wx:else", *_LOOPS)


def _around(page: Page, element: Element) -> tuple[int, int]:
    """Where an element in a `<text>` begins and ends with the white space of HTML around it.

    Line breaks of the source show in a `<text>`, but not beside a `<br>` or a `<p>` in HTML.
    """
    start, end = element.start, element.close_end
    if page.keeps_white_space(element):
        return start, end
    source = page.source
    first, last = _blanks_before(source, start), _blanks_after(source, end)
    return first if "\n" in source[first:start] else start, last if "\n" in source[end:last] else end


def _write_break(page: Page, start: int, end: int) -> Edit:
    """Give the edit that writes a line break."""
    if page.compiler == "wcc" and page.source.startswith("\\", start - 1):  # which would take an escape apart
        return Edit(start, end, semantics.string_binding("\n"))
    return page.write(start, end, "\n")


def _blanks_before(source: str, end: int) -> int:
    """Where the white space that ends at `end` begins."""
    while end and source[end - 1] in _BLANKS:
        end -= 1
    return end


def _blanks_after(source: str, start: int) -> int:
    """Where the white space that begins at `start` ends."""
    while start < len(source) and source[start] in _BLANKS:
        start += 1
    return start


def _lost(page: Page, element: Element, text: Element, balanced: bool) -> Finding:
    name = element.name.lower()
    fix = None
    if name in mistakes.HTML_OTHERS:
        message = _("<{name}> inside <text> is dropped with all it holds; move it outside")
    else:
        message = _("<{name}> inside <text> is dropped with all it holds; write <text>")
        if balanced:
            fix = _as_text(page, element, text, rows=name in mistakes.HTML_BLOCKS)
    return Finding(
        element.start, element.close_end, message.format(name=element.name), fix, unsafe=fix is not None
    )


def _as_text(page: Page, element: Element, text: Element, *, rows: bool) -> tuple[Edit, ...]:
    """Make a `<text>` of an element, with line breaks in it if it has rows of its own."""
    start_tag, *end_tag = page.rename(element, "text")
    added = _inherited(page, element, text)
    edits = [start_tag._replace(text="text" + added)]
    edits += end_tag
    first, last = _blanks_after(page.source, element.end), _blanks_before(page.source, element.close_start)
    if rows and first < last:
        # The line breaks written now are in the place of those of the source.
        before, after = _beside(page, element)
        above, below = (element.end, first), (last, element.close_start)
        breaks = []
        if _needs_break_before(page, element):
            breaks.append(before if element.tag.has(*_LOOPS) else above)
        if _needs_break_after(page, element):
            breaks.append(below)
        for span in (before, above, below, after):
            if span in breaks:
                edits.append(_write_break(page, *span))
            elif span[0] < span[1]:
                edits.append(Edit(*span, ""))
    return tuple(sorted(edits))


def _beside(page: Page, element: Element) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the line feeds between an element and the text directly before and after it show."""
    start, end = _around(page, element)
    source = page.source
    if source[start - 1] in {*">\\"}:
        start = element.start
    if source.startswith("<", end):
        end = element.close_end
    return (start, element.start), (element.close_end, end)


def _inherited(page: Page, element: Element, text: Element) -> str:
    """The attributes of the `<text>` around an element that a `<text>` in it needs too."""
    added = ""
    for name in ("space", "decode") if page.target != "skyline" else ():
        span = text.attribute_span(name)
        if span and not element.attribute(name):
            added += " " + page.source[slice(*span)]
    return added


def _needs_break_before(page: Page, element: Element) -> bool:
    source = page.source
    end = _blanks_before(source, element.start)
    if element.parent is None or end == element.parent.end or source.endswith(_LINE_BREAKS, 0, end):
        return False
    if source[end - 1] != ">":  # what a line feed of the source shows is kept, where a style says so
        return "\n" not in source[end : element.start] or not page.keeps_white_space(element)
    start = source.rfind("<", 0, end)
    match = _TAG_NAME.match(source, start)
    name = match[1].lower() if match else ""
    return not (name == "br" or (name in mistakes.HTML_BLOCKS and source.startswith("</", start)))


def _needs_break_after(page: Page, element: Element) -> bool:
    source = page.source
    if element.tag.has(*_LOOPS):
        return True
    start = _blanks_after(source, element.close_end)
    if source.startswith(("</", *_LINE_BREAKS), start) or _BREAK_START.match(source, start):
        return False
    return (
        source.startswith("<", start)
        or "\n" not in source[element.close_end : start]
        or not page.keeps_white_space(element)
    )

r"""The compiler refuses this.

The message is what the compiler of the target cannot read: a tag, an attribute, a lonely `<`, an expression
in `{{ }}`, a `wx:else` without its `wx:if`, something that is never closed. Correct it first: nothing after
it may have been read. On glass-easel and Skyline tags that do not balance are reported too: the compiler
closes them where it sees fit, without refusing them. Only the JavaScript inside `<wxs>` is not looked at.

Bad:
    <view><text>1 < 2</text></view>
Good:
    <view><text>1 {{'<'}} 2</text></view>

Bad:
    <view><text>关于我们</view>
Good:
    <view><text>关于我们</text></view>

Bad:
    <text>{{a b}}</text>
Good:
    <text>{{a + b}}</text>
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter

from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity
from wxtext.wxml import explained

SEVERITY = Severity.ERROR

# What to point at where only the beginning is known: a tag by its name, a word, or one character.
_TOKEN = re.compile(r"</?[^\s<>/{}\"'=]*|\{\{|[\w$:-]+|.", re.DOTALL)
_CLOSING = re.compile(r"</[^<>]*>?")
_BREAK = re.compile(r"</?br(?![-\w])", re.IGNORECASE)
# What closes the innermost element, whatever it is: `</>`, or `</` at the end of the file.
_NAMELESS = re.compile(r"</(?![A-Za-z_])[^<>]*>?")
_SCRIPT_END = re.compile(r"</wxs(?![-.\w])[^<>]*>?\Z", re.ASCII)


_NULS = re.compile("\0+")


def check(page: Page) -> Iterator[Finding]:
    open_break = _OpenBreaks(page)
    for refusal in page.refusals:
        start, message = explained(page.source, refusal, page.compiler)
        span = _token(page.source, start) if message is refusal.message else (start, start + 1)
        if element := open_break.before(start):
            yield _unpaired(page, element)
        else:
            yield Finding(*span, message.translated())
    if page.compiler != "wcc":
        if page.with_closed_breaks is not page:
            yield from _open_breaks(page)
        yield from _unbalanced(page.with_closed_breaks)
    elif "\0" in page.source:
        for match in _NULS.finditer(page.source):
            yield Finding(*match.span(), _("what follows a NUL in its line is lost; remove the NUL"))


class _OpenBreaks:
    """Finds each `<br>` for which wcc refuses a page.

    The rule html-tag finds it too, and hides what is found here at its place.
    """

    def __init__(self, page: Page) -> None:
        self._elements: list[Element] = []
        self._refused: set[int] = set()
        read = page.with_closed_breaks
        if page.compiler == "wcc" and page.refusals and read is not page:
            self._elements = [it for it in read.elements if _BREAK.match(page.source, it.start)]
            # What is refused where each `<br>` is closed has another reason.
            self._refused = {explained(read.source, refusal, "wcc")[0] for refusal in read.refusals}

    def before(self, place: int) -> Element | None:
        """Return the `<br>` for which a page is refused at an offset, if it is for one."""
        index = bisect_right(self._elements, place, key=attrgetter("start")) - 1
        if index < 0:
            return None
        element = self._elements[index]
        return element if element.start == place or place not in self._refused else None


def _open_breaks(page: Page) -> Iterator[Finding]:
    """Find each `<br>` of which glass-easel only warns, at the place where html-tag finds it."""
    paired = {
        place
        for element in page.elements
        if _BREAK.match(page.source, element.start) and element.closed
        for place in (element.start, element.close_start)
    }
    for element in page.with_closed_breaks.elements:
        if _BREAK.match(page.source, element.start) and element.start not in paired:
            yield _unpaired(page, element)


def _unpaired(page: Page, element: Element) -> Finding:
    start, end = element.start, element.close_end
    if page.source.startswith("</", start):
        return Finding(start, end, _("a closing tag without an opening one"))
    return Finding(
        start, end, _("`<{name}>` is never closed").format(name=page.source[start + 1 : start + 3])
    )


def _token(source: str, offset: int) -> tuple[int, int]:
    match = _TOKEN.match(source, offset)
    return match.span() if match else (max(len(source) - 1, 0), len(source))


def _unbalanced(page: Page) -> Iterator[Finding]:
    """Find tags of which glass-easel only warns."""
    source = page.source
    never_closed = _("`<{name}>` is never closed")
    closed = 0
    for element in page.elements:
        first, after = _token(source, element.start)
        if element.close_start < element.close_end:
            closed += 1
            if match := _NAMELESS.match(source, element.close_start, element.close_end):
                yield Finding(*match.span(), _("a closing tag without a name"))
        elif not element.tag.self_closing:
            yield Finding(first, after, never_closed.format(name=source[first + 1 : after]))
            continue
        if ":" in source[first:after]:
            message = _("`<{name}>` has a colon in its name, and is no element to the compiler")
            yield Finding(first, after, message.format(name=source[first + 1 : after]))
    if source.count("</") == closed and "<wxs" not in source:
        return  # no closing tag is left that might close nothing
    done = 0
    for kind, start, end, tag, _text in (*page.events, ("close", len(source), len(source), None, "")):
        if done < start:  # only closing tags that close nothing are no events
            for match in _CLOSING.finditer(source, done, start):
                yield Finding(*match.span(), _("a closing tag without an opening one"))
        if kind == "script" and tag and not tag.self_closing and not _SCRIPT_END.search(source, start, end):
            yield Finding(*_token(source, start), never_closed.format(name=tag.name))
        done = max(done, end)

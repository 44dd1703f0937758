r"""This swallows what comes after it.

On webview, `{` takes the character after it along, even a `<`: the tag or comment there is no tag any more
and shows as text. Write the brace as `{{'{'}}`. A `<!--` without its `-->`, and on webview a `<wxs>` without
its `</wxs>`, swallows the rest of the file without a message: close it. The fixes are unsafe, because what
was swallowed is read again.

Bad:
    <text>if (a) {<!-- then --> b }</text>
Good:
    <text>if (a) {{'{'}}<!-- then --> b }</text>

Bad:
    <text>关于我们</text><!-- 草稿 ->
Good:
    <text>关于我们</text><!-- 草稿 -->
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("unsafe",)

# What showed as text is a tag, which may begin a row.
_TAG = re.compile("<[^<>]*>")
_TAG_OR_COMMENT = re.compile("<(?:!--.*?--|[^<>]*)>", re.DOTALL)

# wcc reads braces in pairs with what follows them.
_PAIR = re.compile(r"\{(.?)", re.DOTALL)
_SWALLOWED = re.compile(r"<(?:/?[A-Za-z_][^<>]*>?|!--)")

# What is meant to end a comment, before a tag or the end of a line: in its first line, or alone in another.
_MISTYPED_END = re.compile(
    r"""<!--(?:[^\n]*?|.*?\n[ \t]*)
    (?<![-\u2010-\u2015])([-\u2010-\u2015]+[ \t]*!?[>\u3009\u300b\uff1e])
    (?=[ \t\r]*(?:[\n<]|\Z))""",
    re.DOTALL | re.VERBOSE,
)


def CHANGES(before: str, after: str) -> bool:  # noqa: N802 - one of the names that a rule defines
    """Allow what showed as text to be tags, and the rest of the file to come back."""
    return _without_tags(after).startswith(_without_tags(before))


def _without_tags(shown: str) -> str:
    # No comment is looked for after the last end of one: each `<!--` would be followed to the page's end.
    before, end, after = shown.rpartition("-->")
    return mistakes.ALL_WHITE_SPACE.sub("", _TAG_OR_COMMENT.sub("", before + end) + _TAG.sub("", after))


def check(page: Page) -> Iterator[Finding]:
    if page.compiler == "wcc" and "{<" in page.source:
        yield from _braces(page)
    yield from _unclosed(page)


def _braces(page: Page) -> Iterator[Finding]:
    brace = semantics.string_binding("{")
    message = _("`{{` directly before `<` swallows the tag; write {brace}").format(brace=brace)
    for text in page.texts:
        for start, end in page.static(text):
            for match in _PAIR.finditer(page.source, start, end):
                swallowed = _SWALLOWED.match(page.source, match.start(1)) if match[1] == "<" else None
                if swallowed:
                    fix = Edit(match.start(), match.start() + 1, brace)
                    yield Finding(match.start(), swallowed.end(), message, (fix,), unsafe=True)


def _unclosed(page: Page) -> Iterator[Finding]:
    for kind, start, _end, tag, _text in reversed(page.events):
        if kind == "close":
            continue
        opening = closing = ""
        if kind == "script" and tag is None:  # on glass-easel it is a tag that does not balance
            opening, closing = "<wxs", "</wxs>"
        elif kind == "comment" and page.source.find("-->", start + len("<!--")) < 0:
            opening, closing = "<!--", "-->"
        if opening and page.source.startswith(opening, start):
            message = _("`{opening}` is never closed and swallows the rest of the file; add `{closing}`")
            message = message.format(opening=opening, closing=closing)
            end = _MISTYPED_END.match(page.source, start) if kind == "comment" else None
            fix = (Edit(*end.span(1), closing),) if end else None
            yield Finding(start, start + len(opening), message, fix, unsafe=fix is not None)
        return

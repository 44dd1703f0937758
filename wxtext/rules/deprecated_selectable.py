"""`selectable` became `user-select`.

`<text selectable>` is deprecated since base library 2.12.1; `user-select` takes its place. `user-select` also
makes the text an inline-block: spaces and a line break at its ends go, the text may begin a row of its own,
and it is no longer cut off with an ellipsis. The fix is therefore unsafe; it is safe only where `user-select`
is there already, with the same value.

Bad:
    <text selectable="{{true}}">可以复制的文字</text>
Good:
    <text user-select="{{true}}">可以复制的文字</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.WARNING
FIXES = ("safe", "unsafe")
CHANGES = mistakes.SHOWN_SPACE_OR_BREAK
OLD, NEW = "selectable", "user-select"


def check(page: Page) -> Iterator[Finding]:
    if OLD not in page.attribute_names:
        return
    for element in page.named("text"):
        if not element.tag.has(OLD):
            continue
        start, _end = element.attribute_span(OLD) or (0, 0)
        if element.tag.has(NEW):
            message = _("`{old}` is deprecated, and `{new}` is here already; remove it")
            edit = page.without(element, OLD)
            old, new = element.value_span(OLD), element.value_span(NEW)
            unsafe = (old and page.source[slice(*old)]) != (new and page.source[slice(*new)])
        else:
            message = _("`{old}` is deprecated; write `{new}`, which also makes the text an inline-block")
            edit = Edit(start, start + len(OLD), NEW)
            unsafe = True
        yield Finding(start, start + len(OLD), message.format(old=OLD, new=NEW), (edit,), unsafe=unsafe)

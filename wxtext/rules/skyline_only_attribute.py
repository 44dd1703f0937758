"""An attribute of `<text>` that only Skyline has does nothing in WebView.

`overflow`, `max-lines`, `select-on-gesture` and `trailing-spaces` are Skyline's. In WebView cut text off by
style: `overflow: hidden; text-overflow: ellipsis; white-space: nowrap` for one line, `-webkit-line-clamp` for
several.

Bad:
    <text max-lines="1" overflow="ellipsis">很长的一行</text>
Good:
    <text class="one-line">很长的一行</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING
NAMES = ("overflow", "max-lines", "select-on-gesture", "trailing-spaces")


def check(page: Page) -> Iterator[Finding]:
    if page.target == "skyline" or page.attribute_names.isdisjoint(NAMES):
        return
    for element in page.named("text"):
        if element.tag.has(*NAMES):
            for name in NAMES:
                span = element.attribute_span(name)
                if span:
                    message = _("`{name}` is for Skyline alone and does nothing here; use a style")
                    yield Finding(*span, message.format(name=name))

"""An attribute of `<text>` that only WebView has does nothing on Skyline.

Skyline takes no notice of `space` and `decode`. Write the characters themselves: U+2002, U+2003, U+00A0 or
U+3000 for spaces, `<` as `{{'<'}}`. (Its compiler decodes entities, with or without `decode`.)

Target: skyline

Bad:
    <text space="emsp">甲 乙</text>
Good:
    <text>甲\N{EM SPACE}乙</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext.i18n import _
from wxtext.javascript import boolean
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING
NAMES = ("space", "decode")


def check(page: Page) -> Iterator[Finding]:
    if page.target != "skyline":
        return
    for element in page.named("text"):
        if element.tag.has(*NAMES):
            for name in NAMES:
                attribute, span = element.attribute(name), element.attribute_span(name)
                if attribute and span and (attribute.dynamic or boolean(attribute.value)):
                    message = _("`{name}` does nothing on Skyline; write the characters themselves")
                    yield Finding(*span, message.format(name=name))

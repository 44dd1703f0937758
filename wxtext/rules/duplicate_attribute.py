"""An attribute is there twice in one tag.

The compilers do not agree: wcc takes the last one, glass-easel (and so Skyline) the first. Keep one of them,
or put two classes into one `class`. Twice the same is only untidy.

Bad:
    <text class="red" class="big">9.90</text>
Good:
    <text class="red big">9.90</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity
from wxtext.wxml import Attribute

SEVERITY = Severity.ERROR


def check(page: Page) -> Iterator[Finding]:
    for element in page.elements:
        tag, offset = element.tag, element.start
        if not tag.dropped:
            continue
        seen: dict[str, Attribute] = {}
        for attribute in sorted((*tag.attributes.values(), *tag.dropped), key=lambda item: item.start):
            first = seen.setdefault(attribute.name, attribute)
            if first is attribute:
                continue
            if _value(page, offset, first) == _value(page, offset, attribute):
                severity, message = Severity.INFO, _("`{name}` is here twice; remove one")
            else:
                message = _("`{name}` is here twice: wcc takes the last, glass-easel the first; keep one")
                severity = Severity.ERROR
            message = message.format(name=attribute.name)
            yield Finding(offset + attribute.start, offset + attribute.end, message, severity=severity)


def _value(page: Page, offset: int, attribute: Attribute) -> str | None:
    """What stands between the quotes of an attribute of the tag at `offset`."""
    span = attribute.span
    return None if span is None else page.source[offset + span[0] : offset + span[1]]

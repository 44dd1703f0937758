"""A string that looks like `false` is true.

An attribute that takes a boolean is true for every string but the empty one, so `decode="false"` switches
decoding on. Only a binding gives a boolean.

Bad:
    <text decode="false">&lt;</text>
Good:
    <text decode="{{false}}">&lt;</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
#: Entities are no longer decoded.
CHANGES = semantics.DECODED
BOOLEANS = ("decode", "hidden", "selectable", "user-select")


def check(page: Page) -> Iterator[Finding]:
    for element in page.elements:
        if element.name == "text" and not element.tag.attributes.keys().isdisjoint(BOOLEANS):
            for name in BOOLEANS:
                span = element.value_span(name)
                if span is None:
                    continue
                value = page.source[slice(*span)]
                if value.strip().lower() in ("false", "0", "no"):
                    message = _("{name}={value!r} is true, as every string is; write {name}={fixed!r}")
                    fixed = "{{false}}"
                    yield Finding(
                        *span, message.format(name=name, value=value, fixed=fixed), (Edit(*span, fixed),)
                    )

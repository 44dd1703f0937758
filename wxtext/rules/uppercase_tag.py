"""A tag in uppercase letters is not the built-in one.

Names of elements are read as they are written: `<Text>` is no `<text>` at run time, but an unknown element
that breaks no lines and knows no `space` or `decode`. In a `<text>` it is dropped with all it holds, which is
an error. Write built-in names in lowercase letters; the fix is unsafe, because the page is then laid out
differently. Names that `usingComponents` defines are right.

Bad:
    <Text>第一行\\n第二行</Text>
Good:
    <text>第一行\\n第二行</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING
FIXES = ("unsafe",)
#: Rows, white space and decoding are those of another element, and what a `<text>` has lost comes back. (A
#: `<template>` or `<wxs>` that would take text away is left to a person.)
CHANGES = mistakes.no_less(mistakes.decoded_characters)


def check(page: Page) -> Iterator[Finding]:
    uppercase = {
        name: name.lower()
        for name in page.names
        if not name.islower() and name not in page.components and name.lower() in mistakes.BUILT_IN_ELEMENTS
    }
    if not uppercase:
        return
    # What holds elements that a `<text>` would drop is not made one.
    unfit: set[Element] = set()
    for element in page.elements:
        outer = element.parent if element.name.lower() not in semantics.IN_TEXT else None
        while outer is not None and outer not in unfit:
            unfit.add(outer)
            outer = outer.parent
    for element in page.elements:
        lower = uppercase.get(element.name)
        if lower is not None:
            message = _("<{name}> is not <{lower}> at run time; write <{lower}>")
            fix = None if lower == "text" and element in unfit else page.rename(element, lower)
            lost = element.in_text and lower in semantics.IN_TEXT
            yield Finding(
                element.start,
                element.end,
                message.format(name=element.name, lower=lower),
                fix,
                Severity.ERROR if lost else None,
                unsafe=fix is not None,
            )

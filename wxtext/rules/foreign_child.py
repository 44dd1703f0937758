"""This element is dropped with all it holds, because it stands in a `<text>`.

A `<text>` keeps only text and other `<text>` elements; `<block>`, `<template>`, `<include>` and `<slot>`
count as what they bring. Everything else in it vanishes on the phone, silently. Move it out of the `<text>`,
or make it a `<text>`. On Skyline, where that is documented but cannot be measured, this is a warning, and
text and images that share a row stand in a `<span>`.

Bad:
    <text>价格<view>￥5</view></text>
Good:
    <text>价格<text>￥5</text></text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.ERROR


def check(page: Page) -> Iterator[Finding]:
    skyline = page.target == "skyline"
    fitting = semantics.IN_TEXT | {"span"} if skyline else semantics.IN_TEXT
    for element in page.elements if "text" in page.names else ():
        if not element.in_text or element.name in fitting:
            continue
        name = element.name.lower()
        if name in fitting or (name in mistakes.HTML_ELEMENTS and element.name not in page.components):
            continue  # the rules uppercase-tag and html-tag know better
        if skyline:
            message = _("<{name}> does not belong into <text>; move it outside, or put both into <span>")
        else:
            message = _("<{name}> inside <text> is dropped with all it holds; move it outside, or use <text>")
        severity = Severity.WARNING if skyline else None
        yield Finding(element.start, element.close_end, message.format(name=element.name), severity=severity)

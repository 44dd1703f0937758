"""This is more than the compiler can take, or close to it.

Past 15 999 elements a classic page shows nothing: "Dom limit exceeded" at run time. The code that
glass-easel makes of some 2 191 elements in one file (each `wx:if` counts as two more) is broken, without a
word. Split the page: into components, templates, or data for a `wx:for`.

Nested elements, the bindings of one text, the parts of one expression and the `wx:elif` of one `wx:if` need
room on a stack. How much room there is depends on the machine, and on the pages compiled before. A warning
says that they need more than about a quarter of the usual room, an error that they can need all of it.
Without room, the compiler fails; glass-easel then fails on all later pages too. (An expression that is too
long for wcc is a problem of `syntax`.)

Target: glass-easel
Bad:
    <text>[{{a}} × 300]</text>
Good:
    <text>[{{a}} × 150]<!---->[{{a}} × 150]</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wxtext import limits, semantics
from wxtext.expressions import ExpressionError, levels, read_binding
from wxtext.i18n import _
from wxtext.limits import Limit
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.ERROR

_REPEATED = ("wx:for", "wx:for-items")
_CONDITIONAL = ("wx:if", "wx:elif", "wx:else", *_REPEATED)

#: So many characters an expression has at least that has more levels than are safe.
_SHORTEST: Final = limits.EXPRESSION.safe // limits.BRACKET_LEVELS
_LONG: Final = re.compile(rf"\{{\{{(?:[^}}]|\}}(?!\}})){{{_SHORTEST}}}")


def check(page: Page) -> Iterator[Finding]:
    if len(page.elements) > limits.DEPTH[page.compiler].safe:
        yield from _too_deep(page)
        if page.compiler == "glass-easel":
            yield from _too_many_variables(page)
        elif len(page.elements) > limits.WCC_ELEMENTS:
            yield from _too_many_elements(page)
    if page.source.count("wx:elif") > limits.CHOICES.safe:
        yield from _too_many_choices(page)
    if page.compiler == "glass-easel" and page.source.count("{{") > limits.BINDINGS.safe:
        yield from _too_many_bindings(page)
    if _LONG.search(page.source):
        yield from _too_long_expressions(page)


def _severity(count: int, limit: Limit) -> Severity | None:
    """Say how grave so many are; None if they are safe."""
    if count <= limit.safe:
        return None
    return Severity.WARNING if count <= limit.most else Severity.ERROR


def _at(element: Element, message: str, most: int, severity: Severity | None = None) -> Finding:
    return Finding(element.start, element.end, message.format(most=most), severity=severity)


def _too_many_elements(page: Page) -> Iterator[Finding]:
    """Count the elements that are there whatever the data are."""
    uncertain: set[Element] = set()
    count = 0
    for element in page.elements:
        if element.parent in uncertain or element.tag.role == "define" or element.tag.has(*_CONDITIONAL):
            uncertain.add(element)
        elif element.name not in semantics.TRANSPARENT_ELEMENTS:
            count += 1
            if count > limits.WCC_ELEMENTS:
                message = _("here are more than {most} elements, and the page shows nothing; split it")
                yield _at(element, message, limits.WCC_ELEMENTS)
                return


def _too_deep(page: Page) -> Iterator[Finding]:
    """Find the first element that is too deep, or else the first that is deeper than is safe."""
    limit = limits.DEPTH[page.compiler]
    depths: dict[Element | None, int] = {None: 0}
    found: Element | None = None
    for element in page.elements:
        depth = depths[element] = depths[element.parent] + 1
        if depth > limit.most or (depth > limit.safe and found is None):
            found = element
            if depth > limit.most:
                break
    if found is not None:
        message = _("elements more than {most} deep can crash the compiler; split the page")
        yield _at(found, message, limit.safe, _severity(depths[found], limit))


def _too_many_choices(page: Page) -> Iterator[Finding]:
    """Find in each chain the first branch that is too much, or else the first that is more than is safe."""
    limit = limits.CHOICES
    chains: dict[Element | None, list[Element]] = {}
    ended: list[list[Element]] = []
    for element in page.elements:
        if element.tag.has("wx:elif"):
            chains.setdefault(element.parent, []).append(element)
        elif element.tag.has("wx:if"):
            ended.append(chains.pop(element.parent, []))
    for chain in (*ended, *chains.values()):
        if severity := _severity(len(chain), limit):
            message = _("more than {most} `wx:elif` in a row can crash the compiler; use a `wx:for` or wxs")
            first = limit.safe if severity is Severity.WARNING else limit.most
            yield _at(chain[first], message, limit.safe, severity)


def _too_many_variables(page: Page) -> Iterator[Finding]:
    """Count the variables in the code that glass-easel makes: about one an element."""
    # The scope that an element is in: a list of one number.
    root = [0]
    scopes: dict[Element | None, list[int]] = {None: root}
    for element in page.elements:
        tag = element.tag
        scope = scopes[element.parent]
        if tag.role == "define":
            scopes[element] = [0]
            continue
        if tag.has(*_REPEATED):
            scope[0] += 1
            scope = [scope[0] + 6]
        scopes[element] = scope
        condition = tag.has("wx:if", "wx:elif", "wx:else")
        scope[0] += 2 * tag.has("wx:if")
        if element.name != "slot" and not (element.name == "block" and (condition or tag.has(*_REPEATED))):
            scope[0] += 1 + (tag.role == "use")
        if scope[0] > limits.GLASS_EASEL_VARIABLES:
            message = _("here are more than {most} elements, and the code is broken; split the page")
            yield _at(element, message, limits.GLASS_EASEL_VARIABLES)
            return


def _spans(page: Page) -> list[tuple[int, int]]:
    """Return the offsets of texts and values with bindings in them, in the order of the source."""
    spans = [(text.start, text.end) for text in page.texts]
    for element in page.elements:
        if page.source.find("{{", element.start, element.end) >= 0:
            spans += filter(None, map(element.value_span, element.tag.attributes))
    return sorted(span for span in spans if page.source.find("{{", *span) >= 0)


def _bindings(page: Page, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the offsets of all bindings between two offsets that the compiler accepts.

    What is in one that it refuses is none.
    """
    while (start := page.source.find("{{", start, end)) >= 0:
        try:
            after = read_binding(page.source, start, page.compiler).end
            yield start, after
        except ExpressionError as error:
            after = end if error.end is None else error.end
        start = max(after, start + 2)


def _too_many_bindings(page: Page) -> Iterator[Finding]:
    limit = limits.BINDINGS
    for start, end in _spans(page):
        if page.source.count("{{", start, end) > limit.safe:
            count = sum(1 for _ in _bindings(page, start, end))
            if severity := _severity(count, limit):
                message = _(
                    "{count} bindings in one text or value; more than {most} can crash the compiler: split it"
                )
                message = message.format(count=count, most=limit.safe)
                yield Finding(start, end, message, severity=severity)


def _too_long_expressions(page: Page) -> Iterator[Finding]:
    for start, end in _spans(page):
        if not _LONG.search(page.source, start, end):
            continue
        for first, after in _bindings(page, start, end):
            if after - first > _SHORTEST:
                count = levels(page.source, first, page.compiler)
                if severity := _severity(count, limits.EXPRESSION):
                    message = _(
                        "an expression of so many parts can crash the compiler; "
                        "take its value from the page's data"
                    )
                    yield Finding(first, after, message, severity=severity)

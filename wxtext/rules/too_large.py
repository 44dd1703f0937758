"""This is more than the compiler can take.

Past 15 999 elements a classic page shows nothing: "Dom limit exceeded" at run time. The code that glass-easel
makes of some 2 191 elements in one file (each `wx:if` counts as two more) is broken, without a word; nesting
of 298 deep, or some thousand bindings in one text, end in a memory fault. Split the page: into components,
templates, or data for a `wx:for`. (An expression that is too long for wcc is a problem of `syntax`.)

Target: glass-easel
Bad:
    <text>[{{a}} × 3200]</text>
Good:
    <text>[{{a}} × 1600]</text><text>[{{a}} × 1600]</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.ERROR

_REPEATED = ("wx:for", "wx:for-items")
_CONDITIONAL = ("wx:if", "wx:elif", "wx:else", *_REPEATED)


def check(page: Page) -> Iterator[Finding]:
    if page.compiler == "wcc":
        if len(page.elements) > mistakes.WCC_ELEMENTS:
            yield from _too_many_elements(page)
        return
    if len(page.elements) > mistakes.GLASS_EASEL_DEPTH:
        yield from _too_deep(page)
        yield from _too_many_variables(page)
    if page.source.count("{{") > mistakes.GLASS_EASEL_PIECES // 2:
        yield from _too_many_pieces(page)


def _at(element: Element, message: str, most: int) -> Finding:
    return Finding(element.start, element.end, message.format(most=most))


def _too_many_elements(page: Page) -> Iterator[Finding]:
    """Count the elements that are there whatever the data are."""
    uncertain: set[Element] = set()
    count = 0
    for element in page.elements:
        if element.parent in uncertain or element.tag.role == "define" or element.tag.has(*_CONDITIONAL):
            uncertain.add(element)
        elif element.name not in semantics.TRANSPARENT_ELEMENTS:
            count += 1
            if count > mistakes.WCC_ELEMENTS:
                message = _("here are more than {most} elements, and the page shows nothing; split it")
                yield _at(element, message, mistakes.WCC_ELEMENTS)
                return


def _too_deep(page: Page) -> Iterator[Finding]:
    depths: dict[Element | None, int] = {None: 0}
    for element in page.elements:
        depth = depths[element] = depths[element.parent] + 1
        if depth > mistakes.GLASS_EASEL_DEPTH:
            message = _("elements more than {most} deep crash the compiler; split the page")
            yield _at(element, message, mistakes.GLASS_EASEL_DEPTH)
            return


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
        if scope[0] > mistakes.GLASS_EASEL_VARIABLES:
            message = _("here are more than {most} elements, and the code is broken; split the page")
            yield _at(element, message, mistakes.GLASS_EASEL_VARIABLES)
            return


def _too_many_pieces(page: Page) -> Iterator[Finding]:
    """Find texts and values of too many bindings."""
    most = mistakes.GLASS_EASEL_PIECES
    message = _("more than {most} bindings and texts in one text crash the compiler; split it").format(
        most=most
    )
    spans = [(text.start, text.end) for text in page.texts]
    for element in page.elements:
        spans += filter(None, map(element.value_span, element.tag.attributes))
    for start, end in sorted(spans):
        if page.source.count("{{", start, end) > most // 2:
            pieces, done = 0, start
            for first, last in (*page.static_between(start, end), (end, end)):
                pieces += page.source.count("{{", done, first) + (first < last)
                done = last
            if pieces > most:
                yield Finding(start, end, message)

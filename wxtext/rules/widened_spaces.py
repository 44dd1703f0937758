"""`space` widens the single spaces between words too.

The attribute turns every U+0020 of the text into a wide space, also those between words. Leave it out, and
write only the white space that is to be wide as space characters: U+2002, U+2003. The data of a binding are
widened as well, so that a text with bindings is left to you. The unsafe fix writes the wide spaces in quotes,
so that whoever reads the source sees them.

Bad:
    <text space="emsp">  Hello world</text>
Good:
    <text>{{'\u2003\u2003'}}Hello world</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from wxtext import mistakes, semantics
from wxtext.expressions import ExpressionError, read_binding
from wxtext.i18n import _
from wxtext.page import Element, Page, Text
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.WARNING
FIXES = ("unsafe",)
CHANGES = mistakes.SHOWN_SPACE


def check(page: Page) -> Iterator[Finding]:
    if page.target == "skyline" or "space" not in page.attribute_names:
        return
    texts: dict[Element, list[Text]] = {}
    for text in page.texts:
        element = text.shown_by
        if element is not None and element.attribute("space") is not None:
            texts.setdefault(element, []).append(text)
    for element, own in texts.items():
        yield from _check(page, element, own)


def _check(page: Page, element: Element, texts: list[Text]) -> Iterator[Finding]:
    space = semantics.space_mode(element.tag.constant("space"))
    # A no-break space is as wide as a space.
    if space is None or space == "nbsp" or page.keeps_white_space(element):
        return
    wide = semantics.SPACE_CHARACTERS[space]
    gaps = {
        match.start()
        for text in texts
        for start, end in page.static(text)
        for match in mistakes.WORD_GAP.finditer(page.source, start + 1, end)
    }
    if gaps:
        start, end = element.attribute_span("space") or (0, 0)
        message = _(
            "{attribute} also widens the single spaces between words; write wide spaces as characters"
        )
        edits = [page.without(element, "space")]
        for text in texts:
            edits += _static_edits(page, text, wide, gaps)
        bound = [_bound_edits(page, text, wide) for text in texts]
        fix = None if None in bound else (*edits, *chain.from_iterable(filter(None, bound)))
        yield Finding(
            start, end, message.format(attribute=page.source[start:end]), fix, unsafe=fix is not None
        )


_SPACES: Final = re.compile(" +")


def _static_edits(page: Page, text: Text, wide: str, gaps: set[int]) -> Iterator[Edit]:
    """Write spaces as wide characters, but those between words."""
    for span in page.static(text):
        for match in _SPACES.finditer(page.source, *span):
            if match.start() not in gaps:
                yield page.write_visibly(*match.span(), wide * len(match[0]))


def _bound_edits(page: Page, text: Text, wide: str) -> list[Edit] | None:
    """Write constant bindings of spaces as wide characters; None if there are bindings of anything else."""
    edits = []
    for start, end in page.bindings(text):
        try:
            constant = read_binding(page.source, start, page.compiler).text
        except ExpressionError:
            return None
        if constant is None or (" " in constant and constant.strip(" ")):
            return None
        if " " in constant:
            edits.append(page.write_visibly(start, end, wide * len(constant)))
    return edits

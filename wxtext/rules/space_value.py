"""`space` has three values, and any other does nothing.

They are `ensp`, `emsp` and `nbsp`, in lower case and without spaces around them. With any other value, or
with none, the text is shown as if `space` were not there, and its spaces collapse. Where it is clear which
was meant it can be mended; a `space` without a value can be taken away, or be given one by hand.

Bad:
    <text space="EMSP">甲 乙</text>
Good:
    <text space="emsp">甲 乙</text>

Bad:
    <text space="">甲乙</text>
Good:
    <text>甲乙</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import semantics
from wxtext.i18n import _
from wxtext.javascript import Value, boolean
from wxtext.page import Element, Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
#: The spaces become what was meant.
CHANGES = semantics.SHOWN_SPACE_OR_BREAK
MODES = tuple(semantics.SPACE_CHARACTERS)
#: What glass-easel makes of `&ensp;` in an attribute.
CHARACTERS = {character: mode for mode, character in semantics.SPACE_CHARACTERS.items()}


def check(page: Page) -> Iterator[Finding]:
    if page.target == "skyline":
        return  # where it does nothing, whatever its value
    for element in page.elements:
        attribute = element.attribute("space") if element.name == "text" else None
        if attribute is None or attribute.dynamic or attribute.value in MODES:
            continue
        message = _("`space` does nothing unless it is {modes}")
        span = element.attribute_span("space") or (0, 0)
        yield Finding(*span, message.format(modes=", ".join(MODES)), _fix(page, element, attribute.value))


def _fix(page: Page, element: Element, value: Value) -> tuple[Edit, ...] | None:
    """Write the mode that was meant; take the attribute away if none was."""
    whole, inside = element.attribute_span("space"), element.value_span("space")
    if whole is None or inside is None:
        return None
    if isinstance(value, str):
        mode = CHARACTERS.get(value) or value.lower().strip("&; \t\n")
        if mode in MODES:
            return (Edit(*inside, mode),)
        value = value.strip()
    if not boolean(value):
        before = page.source[element.start : whole[0]]
        return (Edit(element.start + len(before.rstrip()), whole[1], ""),)
    return None

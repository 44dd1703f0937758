"""`space` has three values, and any other does nothing.

They are `ensp`, `emsp` and `nbsp`, in lower case and without spaces around them. With any other value, or
with none, the text is shown as if `space` were not there, and its spaces collapse. Where it is clear which
value was meant, the unsafe fix writes it, and spaces become wide. Otherwise the safe fix removes the
attribute, which changes nothing in what is shown.

Bad:
    <text space="EMSP">甲 乙</text>
Good:
    <text space="emsp">甲 乙</text>

Bad:
    <text space="tab">甲乙</text>
Good:
    <text>甲乙</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.javascript import Value
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("safe", "unsafe")
#: The spaces become what was meant.
CHANGES = mistakes.SHOWN_SPACE_OR_BREAK
MODES = tuple(semantics.SPACE_CHARACTERS)
#: What glass-easel makes of `&ensp;` in an attribute.
CHARACTERS = {character: mode for mode, character in semantics.SPACE_CHARACTERS.items()}


def check(page: Page) -> Iterator[Finding]:
    if page.target == "skyline" or "space" not in page.attribute_names:
        return  # on Skyline it does nothing, whatever its value
    for element in page.named("text"):
        attribute = element.attribute("space")
        if attribute is None or attribute.dynamic or attribute.value in MODES:
            continue
        whole, inside = element.attribute_span("space") or (0, 0), element.value_span("space")
        mode = _meant(attribute.value)
        if mode and inside:
            message = _("`space` does nothing unless it is ensp, emsp or nbsp; write {mode}").format(
                mode=mode
            )
            edit = Edit(*inside, mode)
            unsafe = True
        else:
            message = _("`space` does nothing unless it is ensp, emsp or nbsp; choose one, or remove it")
            edit = page.without(element, "space")
            unsafe = False
        yield Finding(*whole, message, (edit,), unsafe=unsafe)


def _meant(value: Value) -> str | None:
    """The mode that a value all but spells."""
    if not isinstance(value, str):
        return None
    mode = CHARACTERS.get(value) or value.lower().strip("&; \t\n")
    return mode if mode in MODES else None

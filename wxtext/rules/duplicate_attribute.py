"""An attribute is there twice in one tag.

The compilers do not agree: wcc takes the last one, glass-easel (and so Skyline) the first. Keep one of them,
or put two classes into one `class`. Twice the same is only untidy.

Bad:
    <text class="red" class="big">9.90</text>
Good:
    <text class="red big">9.90</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Severity
from wxtext.wxml import Tag

SEVERITY = Severity.ERROR

# What looks like the name of an attribute with a value, though it may stand in a value.
_NAME = re.compile(r"""[\s"']([-:.\w]+)\s*=""", re.ASCII)
_ATTRIBUTE = re.compile(
    r"""([-:.\w]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))?""", re.ASCII | re.DOTALL
)


def check(page: Page) -> Iterator[Finding]:
    source = page.source
    # By tag: where a second attribute begins and ends, from the start of the tag; its name; if both are alike.
    seen: dict[Tag, list[tuple[int, int, str, bool]]] = {}
    for element in page.elements:
        tag = element.tag
        found = seen.get(tag)
        if found is None:
            names = _NAME.findall(source, element.start, element.end)
            usual = len(names) == len(tag.attributes) == len({*names})
            found = seen[tag] = [] if usual else list(_duplicates(source[element.start : element.end], tag))
        for start, end, name, same in found:
            if same:
                message = _("`{name}` is here twice; remove one")
            else:
                message = _("`{name}` is here twice: wcc takes the last, glass-easel the first; keep one")
            severity = Severity.INFO if same else None
            yield Finding(
                element.start + start, element.start + end, message.format(name=name), severity=severity
            )


def _duplicates(source: str, tag: Tag) -> Iterator[tuple[int, int, str, bool]]:
    first: dict[str, re.Match[str]] = {}
    for match in _ATTRIBUTE.finditer(source, source.find(tag.name) + len(tag.name)):
        name = match[1]
        other = first.setdefault(name, match)
        kept = tag.attributes.get(name)
        # If the compiler reads the tag otherwise, this is no attribute.
        if other is not match and kept is not None and kept.start in {match.start(), other.start()}:
            yield *match.span(), name, _value(match) == _value(other)


def _value(attribute: re.Match[str]) -> str | None:
    """What stands between the quotes."""
    return attribute[2] and attribute[2][1:-1]

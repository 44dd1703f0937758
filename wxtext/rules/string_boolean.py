"""A string that looks like `false` is true.

What takes a boolean is true for every string but the empty one, so `decode="false"` switches decoding on, and
`wx:if="count > 0"` always holds. Only a binding that stands alone between the quotes gives a boolean: with as
little as a space beside it the value is a string. The fix is unsafe: what was always on or always shown then
depends on the value.

Bad:
    <text decode="false">甲</text>
Good:
    <text decode="{{false}}">甲</text>

Bad:
    <text wx:if="{{shown}} ">甲</text>
Good:
    <text wx:if="{{shown}}">甲</text>

Bad:
    <text wx:if="count > 0">甲</text>
Good:
    <text wx:if="{{count > 0}}">甲</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import mistakes
from wxtext.expressions import ExpressionError, accepts, read_binding
from wxtext.i18n import _
from wxtext.page import Element, Page
from wxtext.problem import Edit, Finding, Severity
from wxtext.wxml import Tag

SEVERITY = Severity.ERROR
FIXES = ("unsafe",)
#: What was hidden may be seen now, what was decoded is not, rows part or join. (What a condition takes away
#: cannot be told: `show` predicts the content of each branch.)
CHANGES = mistakes.no_less(mistakes.decoded_characters)
CONDITIONS = ("wx:if", "wx:elif")
OF_TEXT = ("decode", "selectable", "user-select")
ALL = frozenset(("hidden", *CONDITIONS, *OF_TEXT))
FALSE = frozenset(("false", "0", "no", "off", "null", "undefined"))
TRUE = frozenset(("true", "1", "yes", "on"))
#: What HTML knows for `hidden`.
HIDDEN = frozenset(("hidden", "until-found"))
#: Braces that hold nothing apart.
BRACES = re.compile(r"(?<![\w$}])\{\{|\}\}(?![\w${])")
#: The inside of a binding that ends where it seems to, and is no string unless data say so.
USUAL = re.compile(
    r"""[^{}'"\[]*|\s*!*(?!(?:true|false|null|undefined)(?![\w$]))[A-Za-z_$][^{}"]*""", re.ASCII
)


def check(page: Page) -> Iterator[Finding]:
    seen: dict[Tag, list[tuple[str, str | None]]] = {}
    for element in () if ALL.isdisjoint(page.attribute_names) else page.elements:
        names = ALL & element.tag.names
        if not names or all(_is_one_binding(page.source, element, name) for name in names):
            continue
        faults = seen.get(element.tag)
        if faults is None:
            faults = seen[element.tag] = list(_faults(page, element))
        for name, fixed in faults:
            span = element.value_span(name)
            assert span
            if fixed is None:
                message = _(
                    "`{name}` is a string here, and so always true; write one binding and nothing else"
                )
                yield Finding(*span, message.format(name=name))
            else:
                message = _("`{name}` is a string here, and so always true; write `{fixed}`")
                fix = (Edit(*span, fixed),)
                yield Finding(*span, message.format(name=name, fixed=fixed), fix, unsafe=True)


def _is_one_binding(source: str, element: Element, name: str) -> bool:
    """Tell whether an attribute is surely one binding that may be a boolean, by a quick look."""
    before = f'{name}="{{{{'
    start = source.find(before, element.start, element.end)
    if start < 0 or not source[start - 1].isspace():
        return False
    inside = start + len(before)
    end = source.find('}}"', inside, element.end)
    return end >= 0 and USUAL.fullmatch(source, inside, end) is not None


def _faults(page: Page, element: Element) -> Iterator[tuple[str, str | None]]:
    """Yield the attributes in which a string stands for a boolean, and the value to write."""
    for name in ALL & element.tag.names:
        attribute, span = element.tag.attributes[name], element.value_span(name)
        if span is None or attribute.refusal or not _is_boolean(page, element.name, name):
            continue
        written, value = page.source[slice(*span)], attribute.value
        if attribute.dynamic:
            if _is_more_than_one_binding(page, *span):
                yield name, _binding(page, written)
        elif isinstance(value, str):
            value = value.strip().lower()
            if value in FALSE:
                yield name, "{{false}}"
            elif value in TRUE or not value:
                continue
            elif attribute.bound:
                if _is_more_than_one_binding(page, *span):
                    yield name, _binding(page, written)
            elif name in CONDITIONS or value[0] == "!" or (name == "hidden" and value not in HIDDEN):
                yield name, _binding(page, written)


def _is_more_than_one_binding(page: Page, start: int, end: int) -> bool:
    """Tell whether a value with a binding in it holds another, or anything else."""
    if any(page.static_between(start, end)):
        return True
    try:
        return read_binding(page.source, start, page.compiler).end < end
    except ExpressionError:
        return False


def _is_boolean(page: Page, element: str, name: str) -> bool:
    """Tell whether an attribute of an element takes a boolean; components may do as they like."""
    if name in OF_TEXT:
        return element == "text" and not (name == "decode" and page.target == "skyline")
    if name == "hidden":
        return element in mistakes.BUILT_IN_ELEMENTS and element not in page.components
    return True


def _binding(page: Page, written: str) -> str | None:
    """Write as one binding what is written with braces in the wrong places, or with none."""
    value = written.strip()
    inside = value[2:-2] if value.startswith("{{") and value.endswith("}}") else value
    for expression in (inside, BRACES.sub("", value).strip()):
        if accepts(expression, page.compiler):
            return "{{" + expression + "}}"
    return None

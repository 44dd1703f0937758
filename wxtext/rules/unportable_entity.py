"""An entity is not decoded here, or not as it looks.

In WebView nothing is decoded unless the `<text>` has `decode`, and then only `&nbsp;` `&ensp;` `&emsp;`
`&lt;` `&gt;` `&quot;` `&apos;` `&amp;`: any other entity, and every one elsewhere, shows as it is typed. The
compiler of glass-easel and Skyline decodes the names of HTML that have no digit in them, and refuses the
file for a name or a number that is none; with `decode` glass-easel decodes once more at run time, so that
`&amp;lt;` shows as `<`. The character itself is right everywhere: `<` is written `{{'<'}}`, and `&` before a
letter `{{'&'}}`. The fix writes white space in quotes, so that it can be seen. Only an unsafe fix turns
`&#10;`, the number of a line break, into one, because a row then ends there.

Bad:
    <text>1 &lt; 2 &copy; 甲&nbsp;乙</text>
Good:
    <text>1 {{'<'}} 2 © 甲{{'\N{NO-BREAK SPACE}'}}乙</text>

Bad:
    <text decode>甲 &hellip; 乙 &amp;hellip;</text>
Good:
    <text decode>甲 … 乙 &amp;hellip;</text>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.javascript import boolean
from wxtext.page import Page, Text
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.ERROR
FIXES = ("safe", "unsafe")

_AMPERSANDS = re.compile("&(?:(?:amp|AMP|#0*38|#[xX]0*26);)+")


def READS(shown: str) -> str:  # noqa: N802 - one of the names that a rule defines
    """Read entities as what they stand for, and no white space in rows, which may collapse then."""
    shown = _AMPERSANDS.sub("&", shown)
    pieces, done = [], 0
    for start, end, characters in mistakes.html_entities(shown, 0, len(shown)):
        pieces += [shown[done:start], characters]
        done = end
    return mistakes.without_spaces("".join(pieces) + shown[done:])


CHANGES = mistakes.alike(lambda shown: mistakes.shown_characters(READS(shown)))

#: Nothing but spaces by their names in a string, which only `decode` reads.
_BOUND_SPACES = re.compile(r"""\{\{\s*(["'])((?:&(?:nbsp|ensp|emsp);)+)\1\s*\}\}""")


def check(page: Page) -> Iterator[Finding]:
    if not mistakes.MAYBE_ENTITY.search(page.source):
        return
    for text in page.texts:
        if page.source.find("&", text.start, text.end) >= 0:
            for part in page.static(text):
                yield from _as_typed(page, text, *part)
                if page.compiler == "glass-easel":
                    yield from _refused(page, *part)
                if page.target == "glass-easel" and _decodes(text):
                    yield from _decoded_twice(page, *part)
            if page.target == "skyline" or not _decodes(text):
                yield from _bound_spaces(page, text)
    if page.compiler == "glass-easel":
        yield from _refused_in_attributes(page)


def _decodes(text: Text) -> bool:
    """Tell whether the text is decoded at run time, or may be."""
    decode = text.shown_by.attribute("decode") if text.shown_by else None
    return decode is not None and (decode.dynamic or boolean(decode.value))


def _as_typed(page: Page, text: Text, first: int, last: int) -> Iterator[Finding]:
    """Find what is not decoded."""
    decodes = page.compiler == "wcc" and _decodes(text)
    for start, end, characters in mistakes.html_entities(page.source, first, last):
        entity = page.source[start:end]
        if page.compiler == "wcc":
            if decodes and entity in semantics.RUN_TIME_ENTITIES:
                continue
        elif entity[1] == "#" or entity[1:-1].isalpha():
            continue
        if decodes and characters == "&":
            edit = Edit(start, end, "&amp;")
        else:
            edit = _write(page, start, end, characters)
        yield Finding(start, end, _as_it_is_typed(entity, edit), (edit,), unsafe="\n" in characters)


def _bound_spaces(page: Page, text: Text) -> Iterator[Finding]:
    """Find strings in bindings that are spaces by their names: they are data, which no compiler decodes."""
    for start, end in page.bindings(text):
        match = _BOUND_SPACES.fullmatch(page.source, start, end)
        if match:
            edit = page.write_visibly(start, end, unescape(match[2]))
            yield Finding(*match.span(2), _as_it_is_typed(match[2], edit), (edit,))


def _write(page: Page, start: int, end: int, characters: str) -> Edit:
    """Write characters in place of an entity; white space so that it can be seen."""
    is_space = not characters.strip(semantics.WHITE_SPACE)
    return (page.write_visibly if is_space else page.write)(start, end, characters)


def _as_it_is_typed(entity: str, edit: Edit) -> str:
    message = _("`{entity}` is shown as it is typed; write {fixed}")
    return message.format(entity=entity, fixed=_legible(edit.text))


def _legible(text: str) -> str:
    """Write characters that cannot be told by sight as code points; those in quotes can be copied, too."""
    inside = text.removeprefix("{{'").removesuffix("'}}")
    if text.isprintable() and inside.strip():
        return f"`{text}`"
    codes = " ".join(f"U+{ord(c):04X}" for c in inside)
    return codes if inside == text else f"`{text}` ({codes})"


def _refused(page: Page, first: int, last: int) -> Iterator[Finding]:
    for start, end in semantics.glass_easel_faults(page.source[first:last]):
        yield _refusal(page, first + start, first + end, page.write(first + start, first + start + 1, "&"))


def _refused_in_attributes(page: Page) -> Iterator[Finding]:
    source = page.source
    for element in page.elements:
        if source.find("&", element.start, element.end) < 0:
            continue
        for name in element.tag.attributes:
            for first, last in page.static_between(*(element.value_span(name) or (0, 0))):
                for start, end in semantics.glass_easel_faults(source[first:last]):
                    edit = Edit(first + start, first + start + 1, "&amp;")
                    yield _refusal(page, first + start, first + end, edit)


def _refusal(page: Page, start: int, end: int, edit: Edit) -> Finding:
    message = _("the compiler refuses `{entity}`, which is no entity; write `&` as `{fixed}`")
    return Finding(start, end, message.format(entity=page.source[start:end], fixed=edit.text), (edit,))


def _decoded_twice(page: Page, first: int, last: int) -> Iterator[Finding]:
    for match in mistakes.TWICE_DECODED.finditer(page.source, first, last):
        start, end = match.start(), page.source.index(";", match.end()) + 1
        edit = page.write(start, match.end(), "&amp;")
        message = _("`{entity}` is decoded twice; write {fixed}")
        entity, fixed = page.source[start:end], edit.text + page.source[match.end() : end]
        yield Finding(start, end, message.format(entity=entity, fixed=fixed), (edit,), Severity.WARNING)

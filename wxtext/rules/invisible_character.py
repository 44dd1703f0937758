"""A character that no one sees is in the text.

Such characters come along when text is copied: zero-width spaces, soft hyphens, line separators, control
characters. They count in lengths, break searches, leave gaps or boxes on some phones. Characters that shape
emoji or right-to-left text are not reported. Where a text holds nothing else, the fix is unsafe, because a
row may disappear with it.

Bad:
    <text>甲\N{ZERO WIDTH SPACE}乙</text>
Good:
    <text>甲乙</text>
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from wxtext import mistakes, semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.WARNING
FIXES = ("safe", "unsafe")
_RUN = re.compile(rf"({mistakes.INVISIBLE.pattern})\1*")
#: With the last character of a row the row goes.
CHANGES = re.compile(f"{mistakes.INVISIBLE.pattern}|{mistakes.SHOWN_SPACE_OR_BREAK.pattern}")


def READS(shown: str) -> str:  # noqa: N802 - one of the names that a rule defines
    """Leave them out, and white space, which meets where they kept it apart."""
    return mistakes.without_spaces(mistakes.INVISIBLE.sub("", shown))


def check(page: Page) -> Iterator[Finding]:
    source = page.source
    for text in page.texts:
        if not mistakes.INVISIBLE.search(source, text.start, text.end):
            continue
        shaped = None
        # Without them the text would be dropped, or its row be gone.
        holds_row = not mistakes.INVISIBLE.sub("", text.text).strip(" \t\r\n")
        for match in _RUN.finditer(source, text.start, text.end):
            character, (start, end) = match[1], match.span()
            if start == 0 and character == semantics.BYTE_ORDER_MARK:
                start = 1  # the first is for another rule to report
            if mistakes.SHAPING.match(character):
                if shaped is None:
                    shaped = bool(mistakes.SHAPED_LETTER.search(source, text.start, text.end))
                if shaped or mistakes.EMOJI_JOINER.match(source, start):
                    continue
            if character == "\0" and page.compiler == "wcc":
                continue  # which is more than invisible: `syntax` reports it
            if start < end:
                name = unicodedata.name(character, _("a control character"))
                message = _("U+{code:04X} ({name}) shows nothing; remove it")
                # What it keeps apart might be read together: as a binding, a tag, an entity, an escape.
                fix = None if source[start - 1 : start] in {*"{<&\\"} else (Edit(start, end, ""),)
                message = message.format(code=ord(character), name=name)
                yield Finding(start, end, message, fix, unsafe=fix is not None and holds_row)

"""A byte order mark at the start of a file is text to WeChat.

The compilers do not take U+FEFF off: it becomes a text node before the first element, which can show as an
empty row. Save the file as UTF-8 without it (Notepad and some editors call the other kind "UTF-8 with BOM").

Bad:
    \N{ZERO WIDTH NO-BREAK SPACE}<view><text>甲</text></view>
Good:
    <view><text>甲</text></view>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wxtext import semantics
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.WARNING
_MARK = re.compile(f"{semantics.BYTE_ORDER_MARK} *")
FIXES = ("safe",)


def READS(shown: str) -> str:  # noqa: N802 - one of the names that a rule defines
    """Leave it out, and the white space that is at the start of a row then."""
    return _MARK.sub("", shown)


def check(page: Page) -> Iterator[Finding]:
    if page.source.startswith(semantics.BYTE_ORDER_MARK):
        message = _("a byte order mark is shown as text; save the file without it")
        yield Finding(0, 1, message, (Edit(0, 1, ""),))

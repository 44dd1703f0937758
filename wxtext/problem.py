"""What checking finds: where, how grave, what to do."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple

from wxtext.i18n import _


class Severity(str, Enum):
    """How grave a problem is, by its consequence."""

    #: The build breaks, or text is lost or wrong.
    ERROR = "error"
    #: Text shows otherwise than it looks, on this target.
    WARNING = "warning"
    #: Advice.
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return tuple(Severity).index(self)

    @property
    def label(self) -> str:
        """What people call it."""
        labels = {Severity.ERROR: _("error"), Severity.WARNING: _("warning"), Severity.INFO: _("info")}
        return labels[self]


class Span(NamedTuple):
    """A part of a source: lines and columns from 1, columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Edit(NamedTuple):
    """Replace what is from offset `start` to `end`, in code points, by `text`."""

    start: int
    end: int
    text: str


class Finding(NamedTuple):
    """What a rule finds: offsets in code points, and the edits that fix it, or None."""

    start: int
    end: int
    message: str
    fix: tuple[Edit, ...] | None = None
    #: How grave it is, if not as its rule usually is.
    severity: Severity | None = None
    #: Whether the fix changes what the page does, or how it is laid out.
    unsafe: bool = False


class Problem(NamedTuple):
    """A finding in its place."""

    rule: str
    severity: Severity
    message: str
    span: Span
    #: The edits that fix it, by offsets in code points; None if a person has to.
    fix: tuple[Edit, ...] | None
    #: Where it is, by offsets in code points.
    start: int
    end: int
    #: Whether the fix changes what the page does, or how it is laid out.
    unsafe: bool = False


# What a message quotes of the source, if it is long: a message stays one line that people read.
_LONG_QUOTE: Final = re.compile("(`[^`]{60})[^`]{60,}(?=`)|(<[^<>`]{60})[^<>`]{60,}(?=>)")


def shortened(message: str) -> str:
    """Cut what a message quotes between backquotes, or as a tag, to 60 characters if it has over 120."""
    if len(message) < 120:
        return message
    return _LONG_QUOTE.sub(lambda match: f"{match[1] or match[2]}…", message)

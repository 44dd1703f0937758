"""What wxtext raises. Every message is one line that says what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Collection

from wxtext.caches import cached
from wxtext.i18n import _


class WxtextError(Exception):
    """The base of all errors that wxtext raises on purpose."""


class OptionError(WxtextError, ValueError):
    """An option has a value that it cannot have."""

    @classmethod
    def unless_one_of(cls, option: str, value: object, choices: Collection[str]) -> None:
        """Raise it unless the value is one of these."""
        if value not in choices:
            message = _("{option}: {value!r} is not one of {choices}")
            raise cls(message.format(option=option, value=value, choices=", ".join(choices)))

    @classmethod
    def unless_whole(cls, option: str, value: object, least: int, most: int, otherwise: str = "") -> None:
        """Raise it unless the value is a whole number of this range; `otherwise` says what else may be."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            message = _("{option}: {value!r} is not a whole number from {least} to {most}{otherwise}")
            raise cls(message.format(option=option, value=value, least=least, most=most, otherwise=otherwise))


class WxmlError(WxtextError, ValueError):
    """The compiler of the target refuses this WXML.

    `line` and `column` are 1-based and count code points; they are where the fault lies.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.message = message
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"


class SourceError(WxtextError):
    """A file cannot be read, decoded or written."""


class TemplateError(WxtextError):
    """A template cannot be read, or changes what a text block shows."""


class SelfCheckError(WxtextError):
    """What was written would not show what was typed: a fault of wxtext itself, never of the notes.

    `line` is the 1-based line of the notes where the difference begins.
    """

    def __init__(self, line: int, expected: str, shown: str) -> None:
        super().__init__(line, expected, shown)
        self.line = line
        self.expected = expected
        self.shown = shown

    def __str__(self) -> str:
        return _(
            "line {line} would show as {shown!r} instead of {expected!r}; "
            "this is a bug in wxtext: nothing was written, please report it with this line"
        ).format(line=self.line, shown=self.shown, expected=self.expected)


@cached(128)
def nearest_name(name: str, known: tuple[str, ...]) -> str | None:
    """Return which of these names is meant by one that is none of them, if one is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower().replace("_", "-"), known, 1)), None)

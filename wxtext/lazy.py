"""Regular expressions that are compiled when they are first used.

Large classes of characters take milliseconds to compile, and many commands need none of them.
"""

from __future__ import annotations

import re
from typing import Any, cast


class Lazy:
    """A regular expression that compiles itself when something of it is first asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def compiled(self) -> re.Pattern[str]:
        """Return the regular expression itself."""
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        # From now on it is an attribute, found as quickly as that of the regular expression itself.
        value = self.__dict__[name] = getattr(self.compiled(), name)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what serves as `re.compile(source, flags)`, and is compiled when it is first used."""
    return cast("re.Pattern[str]", Lazy(source, flags))

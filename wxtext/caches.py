"""Caches that are bounded in bytes: what is long is not kept."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar

#: How many results a cache keeps.
CACHED: Final = 16_384
#: Results for texts of so many characters or more are not kept. Of 8 000 tags in public projects 99 % are
#: shorter than this.
LONG: Final = 512

_Result = TypeVar("_Result")


def cached(maxsize: int = CACHED) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Keep the results of a function for its last calls, unless its first argument, a text, is long."""

    def decorate(function: Callable[..., _Result]) -> Callable[..., _Result]:
        kept = functools.lru_cache(maxsize)(function)

        @functools.wraps(function)
        def call(text: str, *others: Any) -> _Result:
            return kept(text, *others) if len(text) < LONG else function(text, *others)

        @functools.wraps(function)
        def call_with_text(text: str) -> _Result:  # which takes less time
            return kept(text) if len(text) < LONG else function(text)

        return call_with_text if function.__code__.co_argcount == 1 else call

    return decorate

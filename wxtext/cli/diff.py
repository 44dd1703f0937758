"""What `check --diff` prints: changes as `git apply` takes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from wxtext.escapes import in_diff


def unified_diff(path: str, before: str, after: str) -> Iterator[str]:
    """Yield what `git apply` takes: lines end in LF alone, and the last may lack one."""
    import difflib

    old, new = _lines(before), _lines(after)
    for line in difflib.unified_diff(old, new, _header("a", path), _header("b", path)):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _named_in_diff(path: str) -> str:
    """Name a file as `git apply` takes it: from the current folder, if it is in it."""
    place = Path(os.path.normpath(path))
    if place.is_absolute() and place.is_relative_to(Path.cwd()):
        place = place.relative_to(Path.cwd())
    return place.as_posix().lstrip("/")


def _header(side: str, path: str) -> str:
    """Name a file in a diff, as one of the side `a` or `b`."""
    return in_diff(f"{side}/{_named_in_diff(path)}")


def _lines(source: str) -> list[str]:
    *lines, last = source.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])

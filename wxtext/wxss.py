"""What the style sheets of a page say of its text: classes that keep white space, and boxes in a row.

Nothing else of a style sheet is read. What cannot be read, or lies outside of the app, says nothing.
"""

from __future__ import annotations

import os
import re
from typing import Final, NamedTuple

#: The largest file that is read, in bytes, and how many files one page may import.
_LARGEST: Final = 1 << 20
_MOST_FILES: Final = 50

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_IMPORT: Final = re.compile(r"""@import\s+(?:url\(\s*)?["']([^"'\n]+)["']""")
_KEEPING: Final = re.compile(r"(?:^|[;\s])white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_INLINE: Final = re.compile(r"(?:^|[;\s])display\s*:\s*(?:inline|contents)", re.IGNORECASE)
_CLASS: Final = re.compile(r"\.([\w-]+)")
_COMPOUND: Final = re.compile(r"[\s>+~]+")


class Styles(NamedTuple):
    """Classes by what their style does to text."""

    #: `white-space` keeps spaces and line breaks.
    preserving: frozenset[str]
    #: `display` makes boxes that stand in a row with what is beside them, or may.
    inline: frozenset[str]


def read_styles(sheets: list[str], folder: str) -> Styles:
    """Read style sheets and what they import, each once; paths from `/` begin at the folder of the app."""
    preserving: set[str] = set()
    inline: set[str] = set()
    root = os.path.join(os.path.realpath(folder), "")  # noqa: PTH118
    waiting, seen = [*sheets], set[str]()
    while waiting and len(seen) < _MOST_FILES:
        path = os.path.realpath(waiting.pop(0))
        if path in seen or not path.startswith(root):
            continue
        seen.add(path)
        text = _COMMENT.sub(" ", _text(path))
        for name in _IMPORT.findall(text):
            above = root if name.startswith("/") else os.path.dirname(path)  # noqa: PTH120
            waiting.append(os.path.join(above, name.lstrip("/")))  # noqa: PTH118
        for rule in text.split("}"):
            selectors, brace, declarations = rule.rpartition("{")
            if brace:
                for pattern, classes in ((_KEEPING, preserving), (_INLINE, inline)):
                    if pattern.search(declarations):
                        classes.update(_classes(selectors))
    return Styles(frozenset(preserving), frozenset(inline))


def _text(path: str) -> str:
    if not os.path.isfile(path):  # noqa: PTH113 - never raises; pipes and devices are no files
        return ""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(_LARGEST + 1)
    except OSError:
        return ""
    # One that is not read whole might lack what counts, but no page has one so long.
    return data[:_LARGEST].decode(errors="replace")


def _classes(selectors: str) -> set[str]:
    """Return the classes of what is styled: of the last part of each selector that has one."""
    found = set()
    for selector in selectors.rpartition("{")[2].split(","):
        parts = [part for part in _COMPOUND.split(selector) if "." in part]
        if parts:
            found |= set(_CLASS.findall(parts[-1]))
    return found

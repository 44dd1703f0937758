"""Which files are looked at: every .wxml below a folder, but what git ignores and what others built.

And where a configuration may be.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

#: Folders of installed and built things, which are never entered.
NEVER_ENTERED: Final = frozenset({".git", "miniprogram_npm", "node_modules", "dist"})

_SUFFIX: Final = ".wxml"

#: Called with what cannot be read, and why.
OnUnreadable = Callable[[Path, OSError], None]


#: Looked for in each folder, in this order; a pyproject.toml without `[tool.wxtext]` does not count.
CONFIG_FILES: Final = ("wxtext.toml", "pyproject.toml")


def config_files(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that may hold a configuration. Only reading them tells whether they do."""
    for name in CONFIG_FILES:
        path = folder / name
        if os.path.isfile(path) and (name != "pyproject.toml" or _may_configure(path)):  # noqa: PTH113 - is_file is slow
            yield path


def _may_configure(path: Path) -> bool:
    try:
        return b"wxtext" in path.read_bytes()  # which spares most the time to parse it
    except OSError:
        return True  # who reads it says what is wrong


class _Ignored(NamedTuple):
    """A .gitignore: the folder that it is in, and what it says."""

    folder: str
    spec: GitIgnoreSpec


def wxml_files(folder: Path, on_unreadable: OnUnreadable) -> Iterator[Path]:
    """Yield the WXML files below a folder, in order.

    .gitignore files hold from the folder that has `.git` downwards; what they say of `folder` itself does not
    count, because it is asked for. Symbolic links to folders are not followed. What is below a folder that
    cannot be read is left out.
    """
    start = os.path.abspath(folder)  # noqa: PTH100 - as it is written, links and all

    def named(path: str) -> Path:
        return folder / os.path.relpath(path, start)

    def unreadable(path: str, error: OSError) -> None:
        on_unreadable(named(path), error)

    ignores = _ignores_above(start, unreadable)
    if _is_ignored(f"{start}{os.sep}", ignores):
        ignores = []
    for path in _below(start, ignores, unreadable):
        yield named(path)


_OnUnreadable = Callable[[str, OSError], None]


def _below(folder: str, ignores: list[_Ignored], on_unreadable: _OnUnreadable) -> Iterator[str]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        on_unreadable(folder, error)
        return
    ignores = ignores + _ignores_in(folder, on_unreadable)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in NEVER_ENTERED and not _is_ignored(f"{entry.path}{os.sep}", ignores):
                yield from _below(entry.path, ignores, on_unreadable)
        elif entry.name.endswith(_SUFFIX) and not _is_ignored(entry.path, ignores):
            try:
                is_file = entry.is_file()
            except OSError as error:  # a link into a folder that cannot be read, or to itself
                on_unreadable(entry.path, error)
                continue
            if is_file:
                yield entry.path


def _ignores_above(folder: str, on_unreadable: _OnUnreadable) -> list[_Ignored]:
    """Return the .gitignore files above a folder, the nearest last; none if it is in no repository."""
    found: list[_Ignored] = []
    inner = folder
    while not os.path.exists(os.path.join(inner, ".git")):  # noqa: PTH110, PTH118 - pathlib is slow
        outer = os.path.dirname(inner)  # noqa: PTH120
        if outer == inner:
            return []
        found = _ignores_in(outer, on_unreadable) + found
        inner = outer
    return found


def _ignores_in(folder: str, on_unreadable: _OnUnreadable) -> list[_Ignored]:
    path = os.path.join(folder, ".gitignore")  # noqa: PTH118
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            lines = file.read().splitlines()
    except (FileNotFoundError, IsADirectoryError):
        return []
    except OSError as error:
        on_unreadable(path, error)
        return []
    from pathspec import GitIgnoreSpec

    return [_Ignored(folder, GitIgnoreSpec.from_lines(lines))]


def _is_ignored(path: str, ignores: list[_Ignored]) -> bool:
    """Tell whether git ignores a file, or a folder, whose path ends in a separator."""
    for ignored in reversed(ignores):
        inside = path[len(ignored.folder) :].lstrip(os.sep).replace(os.sep, "/")
        include = ignored.spec.check_file(inside).include
        if include is not None:
            return include
    return False

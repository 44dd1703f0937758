"""Which files are looked at: every .wxml below a folder, but what git ignores and what others built.

And where a configuration may be. The folders may be somebody else's: links that lead out of them are not
followed, pipes and devices are no files, and nothing is read without end.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wxtext.i18n import _

if TYPE_CHECKING:
    from wxtext.patterns import Patterns

#: Folders of installed and built things, which are never entered.
NEVER_ENTERED: Final = frozenset({".git", "miniprogram_npm", "node_modules", "dist"})

_SUFFIX: Final = ".wxml"

#: Looked for in each folder, in this order; a pyproject.toml without `[tool.wxtext]` does not count.
CONFIG_FILES: Final = ("wxtext.toml", "pyproject.toml")

#: Whether there are junctions: links to folders that Python takes for folders.
_HAS_JUNCTIONS: Final = os.name == "nt"
#: Their tag.
_JUNCTION: Final = 0xA0000003

#: Whether names that differ in the form of Unicode alone, and perhaps in case, are the same, as on macOS.
_FORMS_ALIKE: Final = sys.platform == "darwin"

#: How many bytes a configuration or a .gitignore may have.
LARGEST: Final = 1 << 18


class OnTrouble(NamedTuple):
    """Who is told what, while files are looked for."""

    #: What cannot be read, and why.
    unreadable: Callable[[Path, OSError], None]
    #: A link that leads out of the folder, and is left out.
    link: Callable[[Path], None]
    #: A folder or page that is left out for its name, or because git ignores it.
    left_out: Callable[[Path], None]
    #: Whatever else there is to know: a message.
    notice: Callable[[str], None]


def absolute(path: Path) -> Path:
    """Return a path from the root, without `..`: else `one` would be among the parents of `one/../two`."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - absolute() leaves `..` as it is


def config_files(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that may hold a configuration. Only reading them tells whether they do."""
    for name in CONFIG_FILES:
        path = folder / name
        if os.path.isfile(path) and (name != "pyproject.toml" or _may_configure(path)):  # noqa: PTH113 - is_file is slow
            yield path


def _may_configure(path: Path) -> bool:
    try:
        return b"wxtext" in read_small(path)  # which spares most the time to parse it
    except OSError:
        return True  # who reads it says what is wrong


def read_small(path: str | Path) -> bytes:
    """Read a file that cannot be long. Raises `OSError`, also if there is more in it than `LARGEST` bytes."""
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib is slow
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        message = _("is not read, because it is larger than {n} bytes")
        raise OSError(errno.EFBIG, message.format(n=LARGEST), str(path))
    return data


def leads_out(path: Path) -> bool:
    """Tell whether a file is a link out of its project: the repository, or the folder that the link is in."""
    if not _is_link(path):
        return False
    folder = os.path.realpath(path.parent)
    project = next((near for near in _upwards(folder) if os.path.exists(_join(near, ".git"))), folder)  # noqa: PTH110
    return not _is_inside(os.path.realpath(path), project)


def _upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those above it."""
    yield folder
    while (outer := os.path.dirname(folder)) != folder:  # noqa: PTH120
        folder = outer
        yield folder


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, name)  # noqa: PTH118 - pathlib is slow


def _is_inside(path: str, folder: str) -> bool:
    """Tell whether a real path is below a real folder, and not in what git keeps for itself."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    inside = path.removeprefix(folder.rstrip(os.sep) + os.sep)
    return inside != path and ".git" not in Path(inside).parts


def _is_link(path: str | Path) -> bool:
    """Tell whether this is a symbolic link, or a junction of Windows, which Python takes for a folder."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


class _Ignored(NamedTuple):
    """A .gitignore: the folder that it is in, ending in a separator, and what it says."""

    folder: str
    patterns: Patterns


def wxml_files(folder: Path, on_trouble: OnTrouble) -> Iterator[Path]:
    """Yield the WXML files below a folder, in order.

    .gitignore files hold from the folder that has `.git` downwards; what they say of `folder` itself does not
    count, because it is asked for. Links to folders are not followed, nor are links to files that are not
    below the folder. What is below a folder that cannot be read is left out.
    """
    start = os.path.abspath(folder)  # noqa: PTH100 - as it is written, links and all
    walk = _Walk(start, folder, on_trouble)
    for path in walk.files():
        yield walk.named(path)


class _Walk:
    """One way through a folder. It does not call itself, for folders may be deeper than Python's stack."""

    def __init__(self, start: str, folder: Path, on_trouble: OnTrouble) -> None:
        self._start = start
        self._folder = folder
        self._real = os.path.realpath(start)
        self._on_trouble = on_trouble

    def named(self, path: str) -> Path:
        """Return a path as the user would write it."""
        below = _join(self._start, "")
        inside = path.removeprefix(below) if path.startswith(below) else os.path.relpath(path, self._start)
        return self._folder / inside

    def files(self) -> Iterator[str]:
        """Yield the files, in order."""
        stack = [self._open(self._start, self._ignores_above())]
        while stack:
            entries, ignores = stack[-1]
            entry = next(entries, None)
            if entry is None:
                stack.pop()
            elif _is_folder(entry):
                if not self._is_left_out(entry, ignores, is_folder=True):
                    stack.append(self._open(entry.path, ignores))
            elif self._is_wanted(entry, ignores):
                yield entry.path

    def _is_left_out(
        self, entry: os.DirEntry[str], ignores: tuple[_Ignored, ...], *, is_folder: bool
    ) -> bool:
        """Tell whether an entry is left out for its name, or because git ignores it; and tell of it."""
        if entry.name not in NEVER_ENTERED and not _is_ignored(entry.path, ignores, is_folder=is_folder):
            return False
        if entry.name != ".git":
            self._on_trouble.left_out(self.named(entry.path))
        return True

    def _open(
        self, folder: str, ignores: tuple[_Ignored, ...]
    ) -> tuple[Iterator[os.DirEntry[str]], tuple[_Ignored, ...]]:
        """List a folder, and take up what its .gitignore says."""
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self._on_trouble.unreadable(self.named(folder), error)
            return iter(()), ignores
        return iter(entries), ignores + self._ignores_in(folder)

    def _is_wanted(self, entry: os.DirEntry[str], ignores: tuple[_Ignored, ...]) -> bool:
        """Tell whether what is no folder is a file to look at; tell of links that are left out."""
        is_page = entry.name.lower().endswith(_SUFFIX)
        if not is_page and not _may_be_link(entry):
            return False
        if self._is_left_out(entry, ignores, is_folder=False):
            return False
        try:
            is_file = entry.is_file()
            leads_to_folder = not is_file and entry.is_dir()
        except OSError as error:  # a link into a folder that cannot be read, or to itself
            if is_page:
                self._on_trouble.unreadable(self.named(entry.path), error)
            return False
        if (leads_to_folder or (is_file and is_page)) and _may_be_link(entry):
            real = os.path.realpath(entry.path)
            if real != self._real and not _is_inside(real, self._real):
                self._on_trouble.link(self.named(entry.path))
                return False
        return is_file and is_page

    def _ignores_above(self) -> tuple[_Ignored, ...]:
        """Return what holds of the .gitignore files above: none outside a repository, nor where they left out
        the folder itself, which is asked for.
        """
        folders = []
        for folder in _upwards(self._start):
            folders.append(folder)
            if os.path.exists(_join(folder, ".git")):  # noqa: PTH110
                break
        else:
            return ()
        ignores: tuple[_Ignored, ...] = ()
        for folder, inner in zip(reversed(folders), reversed(folders[:-1]), strict=False):
            ignores += self._ignores_in(folder)
            if _is_ignored(inner, ignores, is_folder=True):
                return ()
        return ignores

    def _ignores_in(self, folder: str) -> tuple[_Ignored, ...]:
        path = _join(folder, ".gitignore")
        try:
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                message = _("{file}: is a link, which git does not follow either, and says nothing here")
                self._on_trouble.notice(message.format(file=self.named(path)))
                return ()
            if not stat.S_ISREG(status.st_mode):
                return ()
            data = read_small(path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:  # of which is told where the folders end
                self._on_trouble.unreadable(self.named(path), error)
            return ()
        from wxtext.patterns import Patterns

        return (_Ignored(os.path.join(folder, ""), Patterns.read(data)),)  # noqa: PTH118


def _may_be_link(entry: os.DirEntry[str]) -> bool:
    return entry.is_symlink() or (_HAS_JUNCTIONS and _is_link(entry.path))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry is a folder itself, and no link to one."""
    return entry.is_dir(follow_symlinks=False) and not (_HAS_JUNCTIONS and _is_link(entry.path))


def _is_ignored(path: str, ignores: tuple[_Ignored, ...], *, is_folder: bool) -> bool:
    """Tell whether git ignores a file or a folder, of which the folders above are not ignored."""
    for ignored in reversed(ignores):
        inside = path[len(ignored.folder) :].replace(os.sep, "/")
        decision = ignored.patterns.decide(os.fsencode(inside), is_folder=is_folder)
        if decision is not None:
            return decision
    return False


def identity(file: str, real_folder: Callable[[str], str]) -> tuple[str, ...]:
    """Return what is the same for all names of a file.

    A folder may have several names. A link to a file is a page of its own, with a .json of its own.
    """
    above, name = os.path.split(file)
    if not _FORMS_ALIKE:
        return (os.path.normcase(Path(real_folder(above), name)),)
    from unicodedata import normalize

    place = normalize("NFC", str(Path(real_folder(above), name)))
    with suppress(OSError):
        # Letters may be alike in both cases, or not: the number of the file tells.
        return place.casefold(), str(os.lstat(file).st_ino)
    return (place,)

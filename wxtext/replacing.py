"""Files that are replaced whole or not at all: when a run is killed, the power goes, or somebody else saves.

The new content goes, complete, into a file beside the old one, onto the disk, and takes the old one's name
in one step. Just before that step the old file must still be what was read. What is left of the danger: who
saves between this look and the end of the step is overwritten. That is 5 microseconds, and what the system
takes to rename (0.4 milliseconds, measured on ext4); no call that is everywhere does both.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Final, NamedTuple

from wxtext.errors import SourceError
from wxtext.i18n import _

_CHUNK: Final = 1 << 20  # bytes read at a time

#: Files that are being written. Who writes one holds a lock on it; what nobody holds is left of a dead run.
_PREFIX: Final = ".wxtext-"
_BEING_WRITTEN: Final = re.compile(re.escape(_PREFIX) + r"[0-9a-f]{16}\.tmp")

#: On Windows a file that any program holds open cannot be replaced; scanners hold what is new for a while.
_WINDOWS: Final = os.name == "nt"
_PATIENCE: Final = (0.05,) * 20  # seconds

_ACL: Final = "system.posix_acl_access"


class Changed(Exception):  # noqa: N818 - no error: who raised it tries again
    """The file is not any more what it was when it was read."""


class Version(NamedTuple):
    """What a file held when it was read, to be known again.

    There is no time in it: file systems count in ticks of 2 seconds to 4 milliseconds, in which a file may
    be saved twice. Who only touches a file, or saves what is in it already, loses nothing.
    """

    size: int
    digest: bytes

    @classmethod
    def of(cls, pieces: Iterable[bytes]) -> Version:
        """Return the version of a file that holds these bytes."""
        from hashlib import blake2b

        size, digest = 0, blake2b()
        for piece in pieces:
            size += len(piece)
            digest.update(piece)
        return cls(size, digest.digest())


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what is in a file, from its beginning."""
    file.seek(0)
    while data := file.read(_CHUNK):
        yield data


def create(target: Path, pieces: Iterable[bytes]) -> None:
    """Write a new file. Raises `Changed` if there is a file by now, and `OSError`."""
    clear_leftovers(str(target.parent))
    with _beside(target.parent, 0o666) as (new, name):
        new.writelines(pieces)
        _to_disk(new)
        if _WINDOWS:
            new.close()
        try:
            # A rename that replaces nothing is only there on Windows.
            (os.rename if _WINDOWS else os.link)(name, target)
        except FileExistsError:
            raise Changed from None
        except OSError:  # the file system knows no hard links
            if target.exists():
                raise Changed from None
            _rename(name, target)
    _folder_to_disk(target.parent)


def replace(target: Path, pieces: Iterable[bytes], read: Version, say: Callable[[str], None]) -> None:
    """Replace a file that was `read`, and keep its owner, permissions, ACL and extended attributes.

    What cannot be kept is told to `say`: the file's other names (hard links), which keep the old content, or
    an owner. Raises `Changed` if the file is not what was read, and `OSError`; it is then as it was.
    """
    clear_leftovers(str(target.parent))
    with _beside(target.parent, 0o600) as (new, name):
        new.writelines(pieces)
        with _opened(target) as old:
            status = os.fstat(old.fileno())
            lost = list(_keep_attributes(old, new, name))
        _to_disk(new)
        with _opened(target) as old:
            if Version.of(chunks(old)) != read:
                raise Changed
        if _WINDOWS:
            new.close()
        try:
            now = target.stat()
        except FileNotFoundError:
            raise Changed from None
        if _stamp(now) != _stamp(status):
            raise Changed
        _rename(name, target)
    _folder_to_disk(target.parent)
    if lost:
        message = _("{file}: replaced, but without {lost}")
        say(message.format(file=target, lost=_(", ").join(lost)))


@lru_cache(1024)
def clear_leftovers(folder: str) -> None:
    """Delete what dead runs left in a folder while they wrote: once a run and folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _BEING_WRITTEN.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _delete_unless_held(entry.path)


def _delete_unless_held(path: str) -> None:
    """Delete a file that nobody holds locked. Raises `OSError` if it is held, or not ours."""
    if sys.platform == "win32":
        os.unlink(path)  # noqa: PTH108 - which fails for a file that is open
        return
    # A file of this user alone: in a folder for all, nobody else's.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(handle)
        if stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
            _lock(handle, wait=False)
            if os.path.samestat(status, os.lstat(path)):
                os.unlink(path)  # noqa: PTH108
    finally:
        os.close(handle)


@contextmanager
def _beside(folder: Path, mode: int) -> Iterator[tuple[IO[bytes], Path]]:
    """Yield a new file in a folder, locked, and its path; what has no other name by the end is deleted."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    while True:
        path = folder / f"{_PREFIX}{os.urandom(8).hex()}.tmp"
        file = os.fdopen(os.open(path, flags, mode), "w+b")
        try:
            with file:
                with suppress(OSError):  # a file system without locks: nobody else gets one either
                    _lock(file.fileno(), wait=True)
                # Another run may have taken it for a leftover before it was locked.
                if not _same(path, file):
                    continue
                yield file, path
                return
        finally:
            path.unlink(missing_ok=True)


def _same(path: Path, file: IO[bytes]) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _lock(handle: int, *, wait: bool) -> None:
    """Lock a file until it is closed, or its process dies. Windows holds whatever is open anyway."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def _opened(target: Path) -> Iterator[IO[bytes]]:
    try:
        file = target.open("rb")
    except FileNotFoundError:
        raise Changed from None
    with file:
        yield file


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _rename(name: Path, target: Path) -> None:
    for pause in _PATIENCE:
        try:
            name.replace(target)
            return
        except FileNotFoundError:  # another run took it for a leftover: where there are no locks
            raise Changed from None
        except PermissionError:
            if not _WINDOWS:
                raise
        time.sleep(pause)
    message = _("{file}: another program holds it open; close it there, and try again")
    raise SourceError(message.format(file=target))


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):  # there, fsync leaves it to the drive when to write
            fcntl.fcntl(file.fileno(), fcntl.F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def _folder_to_disk(folder: Path) -> None:
    """Write the new name to the disk too, where a folder can be opened: not on Windows."""
    if sys.platform != "win32":
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _keep_attributes(old: IO[bytes], new: IO[bytes], name: Path) -> Iterator[str]:
    """Give a new file what the old one has beside its content; yield what cannot be given."""
    status = os.fstat(old.fileno())
    if status.st_nlink > 1:
        yield _("its other names (hard links), which keep the old content")
    if sys.platform == "win32":
        name.chmod(stat.S_IMODE(status.st_mode))
        return
    handle = new.fileno()
    for owner in status.st_uid, -1:  # only root gives files away; to a group, its members too
        with suppress(PermissionError):
            os.fchown(handle, owner, status.st_gid)
            break
    os.fchmod(handle, stat.S_IMODE(status.st_mode))
    kept = os.fstat(handle)
    if (kept.st_uid, kept.st_gid) != (status.st_uid, status.st_gid):
        yield _("its owner")
    if sys.platform == "linux":
        yield from _keep_extended(old.fileno(), handle)


if sys.platform == "linux":

    def _keep_extended(old: int, new: int) -> Iterator[str]:
        """Copy extended attributes, which hold ACLs too; yield those that cannot be copied."""
        wanted, there = _extended(old), _extended(new)
        # Permissions come first: the mask of an ACL is one of them. The folder may have given an ACL.
        if _ACL in there and _ACL not in wanted:
            os.removexattr(new, _ACL)
        for name, value in wanted.items():
            if there.get(name) != value:
                try:
                    os.setxattr(new, name, value)
                except OSError:
                    yield _("its attribute {name}").format(name=name)

    def _extended(handle: int) -> dict[str, bytes]:
        found = {}
        with suppress(OSError):  # the file system has none
            for name in os.listxattr(handle):
                found[name] = os.getxattr(handle, name)
        return found

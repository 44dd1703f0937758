"""Files that are written: converted text between its markers, and pages that have been fixed.

A file is replaced whole or not at all, and never by anything that was made of an older one: who saves it
meanwhile loses nothing. What goes wrong is raised as `SourceError`: one line that names the file.
"""

from __future__ import annotations

import codecs
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from wxtext import replacing
from wxtext.errors import SourceError
from wxtext.i18n import _
from wxtext.replacing import Changed, Version, chunks
from wxtext.sources import Source, naming, own_descriptor, read_wxml, spooled, write_descriptor, wxml_text

if TYPE_CHECKING:
    from wxtext.insertion import Insertion

#: The comments between which converted text stands in a file.
BEGIN: Final = b"<!-- wxtext:begin -->"
END: Final = b"<!-- wxtext:end -->"
_FRAME: Final = (BEGIN + b"\n", END + b"\n")
#: They may be written with other spaces, or none.
_SPACES: Final = 16
_MARKER: Final = re.compile(rb"<!--[ \t]{0,%d}wxtext:(begin|end)[ \t]{0,%d}-->" % (_SPACES, _SPACES))
_LONGEST: Final = len(BEGIN) + 2 * _SPACES

_CHUNK: Final = 1 << 20  # bytes read at a time

#: How often a file that somebody saves meanwhile is worked on, and how long the other gets to finish.
_TRIES: Final = 2
_PAUSE: Final = 0.1  # seconds


def _ignore(message: str) -> None:
    """Take a message that nobody wants."""


class _Place(NamedTuple):
    """Where text is to stand: what comes before and after it, in a file that was read or is not there yet."""

    target: Path
    before: bytes
    after: bytes
    #: What the file held; None if there is none.
    read: Version | None
    #: How its lines end.
    line_end: bytes = b"\n"
    #: What it held, if there are markers in it.
    old: bytes = b""

    def lines(self, text: IO[bytes]) -> Iterable[bytes]:
        """Return converted text as it is to stand there."""
        return (piece.replace(b"\n", self.line_end) for piece in chunks(text))


def write_file(
    path: str,
    pieces: Iterable[str],
    source: Source,
    *,
    force: bool = False,
    examine: Callable[[Insertion], None] | None = None,
    say: Callable[[str], None] = _ignore,
) -> None:
    """Write UTF-8 to `path`, between marker comments by which a later call knows its own text.

    Where the file holds one pair of markers, what is between them is replaced, and every other byte kept,
    also of what somebody saves meanwhile. Any other file that is not empty is refused, or with `force`
    replaced whole. The file is replaced in one step, symbolic links followed, permissions and attributes
    kept; what cannot be kept is told to `say`; if it would not change it is not touched. Pipes, devices and
    open files of this process, such as /dev/stdout, get the text as it is, without markers. If there is more
    in the file than the text, `examine` is called before it is written.
    Raises `SourceError`, also if the file is what `source` reads, and whatever `pieces` and `examine` raise;
    the file is then as it was.
    """
    with naming(path):
        descriptor = own_descriptor(path)
        if descriptor is not None:
            write_descriptor(path, descriptor, pieces)
            return
        status = _status(path)
        if status and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            with spooled(pieces) as spool, Path(path).open("wb") as device:
                shutil.copyfileobj(spool, device, _CHUNK)
            return
        place = _place(path, source, force=force)
        with spooled(pieces) as text:
            if _markers(chunks(text)):
                message = _("{file}: the converted text holds a wxtext marker of its own")
                raise SourceError(message.format(file=path))
            for attempt in range(_TRIES):
                if attempt:
                    time.sleep(_PAUSE)
                    place = _place(path, source, force=force)
                if examine and (place.before, place.after) != _FRAME:
                    _examine(place, text, examine)
                try:
                    _put(place, text, say)
                except Changed:
                    continue
                return
        raise _saved_meanwhile(path)


class Update(NamedTuple):
    """What became of a file: its text, and whether that was written."""

    text: str
    written: bool


def update_file(
    path: str, text: str, change: Callable[[str], str], say: Callable[[str], None] = _ignore
) -> Update:
    """Replace the text of a file, which was read as `text`, by what `change` makes of it.

    It is replaced as `write_file` does. If somebody has saved it meanwhile, `change` is called again, with
    the new text; what is saved a second time is left alone. Raises `SourceError` then, for what is no file
    that can be replaced, and for what cannot be read or written.
    """
    with naming(path):
        for attempt in range(_TRIES):
            if attempt:
                time.sleep(_PAUSE)
                text = read_wxml(path)
            changed = change(text)
            if changed == text:
                return Update(text, written=False)
            status = Path(path).stat()
            if not stat.S_ISREG(status.st_mode) or own_descriptor(path) is not None:
                message = _("{file}: is no file that can be replaced; use - and pipes")
                raise SourceError(message.format(file=path))
            target = Path(path).resolve()
            _check_writable(path, target, status)
            try:
                replacing.replace(target, [changed.encode()], Version.of([text.encode()]), say)
            except Changed:
                continue
            return Update(changed, written=True)
    raise _saved_meanwhile(path)


def _saved_meanwhile(path: str) -> SourceError:
    message = _("{file}: is being saved by another program again and again; left as it is, try again later")
    return SourceError(message.format(file=path))


def _place(path: str, source: Source, *, force: bool) -> _Place:
    """Find where the text is to stand, and see that it may stand there."""
    target = Path(path).resolve()
    status = _status(path)
    _check_place(path, target, status, source)
    return _surroundings(path, target, force=force) if status else _Place(target, *_FRAME, None)


def _examine(place: _Place, text: IO[bytes], examine: Callable[[Insertion], None]) -> None:
    converted = b"".join(place.lines(text))
    from wxtext.insertion import Insertion

    parts = (place.old, place.before, converted, place.after)
    examine(Insertion(*[part.decode() for part in parts]))


def _put(place: _Place, text: IO[bytes], say: Callable[[str], None]) -> None:
    """Write the text where it is to stand. Raises `Changed` and `OSError`."""

    def content() -> Iterable[bytes]:
        return chain((place.before,), place.lines(text), (place.after,))

    if place.read is None:
        made = _make_folders(place.target.parent)
        try:
            replacing.create(place.target, content())
        except BaseException:
            for folder in made:
                folder.rmdir()
            raise
    elif Version.of(content()) != place.read:
        replacing.replace(place.target, content(), place.read, say)
    else:
        replacing.clear_leftovers(str(place.target.parent))


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it that are missing, and return them, the innermost first."""
    missing = [it for it in (folder, *folder.parents) if not it.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def _status(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _check_place(path: str, target: Path, status: os.stat_result | None, source: Source) -> None:
    if not path or path.endswith(("/", os.sep)) or (status and stat.S_ISDIR(status.st_mode)):
        raise SourceError(_("{file}: is not the name of a file").format(file=path or repr(path)))
    if not status:
        nearest = next(it for it in target.parents if it.exists())
        if not nearest.is_dir():
            message = _("{file}: there is no directory {folder}")
            raise SourceError(message.format(file=path, folder=nearest))
    elif source.status and os.path.samestat(status, source.status):
        raise SourceError(_("{file}: is the input, which is never overwritten").format(file=path))
    else:
        _check_writable(path, target, status)


def _check_writable(path: str, target: Path, status: os.stat_result) -> None:
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise SourceError(_("{file}: is write-protected").format(file=path))


def _surroundings(path: str, target: Path, *, force: bool) -> _Place:
    """Return what is to stand before and after the text in a file that exists."""
    found: dict[int, bytes] = {}
    with target.open("rb") as file:
        # Read once for both: what is read again below may have changed, and is then not written.
        read = Version.of(_looking_for_markers(chunks(file), found))
        markers = sorted(found.items())
        file.seek(0)
        if [_MARKER.fullmatch(marker)[1] for _offset, marker in markers] == [b"begin", b"end"]:  # type: ignore[index]
            (begin, first), (end, _last) = markers
            return _between(path, target, file.read(), begin + len(first), end, read)
        if not force:
            wxml_text(path, file.read())
    if read.size and not force:
        message = (
            _(
                "{file}: has marker comments, but not one {begin} and then one {end}; "
                "correct them, or replace the whole file with --force"
            )
            if markers
            else _(
                "{file}: was not written by wxtext; replace it with --force, or say where in it the text "
                "is to stand with {begin} and {end}"
            )
        )
        raise SourceError(message.format(file=path, begin=BEGIN.decode(), end=END.decode()))
    return _Place(target, *_FRAME, read)


def _between(path: str, target: Path, page: bytes, begin: int, end: int, read: Version) -> _Place:  # noqa: PLR0917
    """Return the place from an offset in a page to another, of which the second is that of a marker."""
    wxml_text(path, page)
    if page.startswith(codecs.BOM_UTF8):
        message = _(
            "{file}: begins with a byte order mark, which WeChat shows as text; "
            "save it as UTF-8 without one, or remove it with 'wxtext check --fix'"
        )
        raise SourceError(message.format(file=path))
    indent = len(page[begin:end]) - len(page[begin:end].rstrip(b" \t"))
    starts_line = page[: end - indent].endswith((b"\n", b"\r"))
    # What follows the marker is as typed; else what ends the first line.
    found = re.compile(rb"[ \t]*(\r?\n)").match(page, begin) or re.search(rb"(\r?\n)", page)
    line_end = found[1] if found else b"\n"
    after = page[end - indent :] if starts_line else page[end:]
    return _Place(target, page[:begin] + line_end, after, read, line_end, page)


def _markers(pieces: Iterable[bytes]) -> dict[int, bytes]:
    """Return the offsets of all markers, and the markers."""
    found: dict[int, bytes] = {}
    for _piece in _looking_for_markers(pieces, found):
        pass
    return found


def _looking_for_markers(pieces: Iterable[bytes], found: dict[int, bytes]) -> Iterator[bytes]:
    """Yield all pieces, and note the offsets of markers in them, and the markers."""
    kept = b""
    offset = 0
    for piece in pieces:
        data = kept + piece
        start = offset - len(kept)
        found.update((start + match.start(), match[0]) for match in _MARKER.finditer(data))
        offset += len(piece)
        kept = data[-_LONGEST:]
        yield piece

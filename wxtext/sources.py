"""Files in and files out: which encoding notes are in, and output that arrives whole or not at all.

Everything is read and written in pieces, so that a file may be larger than memory. What goes wrong is
raised as `SourceError`: one line that names the file.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from operator import itemgetter
from pathlib import Path
from typing import IO, Final, Literal, NamedTuple

from wxtext.errors import WxtextError
from wxtext.i18n import _, system_message

Errors = Literal["strict", "replace"]

#: The path that stands for standard input, or standard output.
STANDARD: Final = "-"

#: The comments between which converted text stands in a file.
BEGIN: Final = b"<!-- wxtext:begin -->"
END: Final = b"<!-- wxtext:end -->"
_FRAME: Final = (BEGIN + b"\n", END + b"\n")

_CHUNK: Final = 1 << 20  # bytes read at a time
_IN_MEMORY: Final = 8 << 20  # bytes of output kept in memory before a temporary file takes over
_SAMPLE: Final = 1 << 14  # code points that an encoding is judged by

#: Byte order marks and what they announce; UTF-8 needs none. UTF-32 goes first, because its mark begins with
#: that of UTF-16. Marks stay in the text, for the converter to drop: two places would drop two.
_ANNOUNCED: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

#: What these names mean to the programs that write such files, and on the web: supersets of Python's codecs
#: of the same names (https://encoding.spec.whatwg.org/#names-and-labels).
_SUPERSETS: Final = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932"}


class _Family(NamedTuple):
    """A family of legacy encodings, and where it keeps its everyday characters.

    Each of these character sets has punctuation, kana and everyday Chinese characters in rows of their own,
    before the rarer ones. Text read in the wrong encoding is full of rare characters.
    """

    #: Codecs and what to call them; each is tried only if those before it fail.
    labels: dict[str, str]
    #: The lead bytes of the everyday rows.
    leads: bytes
    #: The lowest trail byte in these rows.
    first_trail: int


_FAMILIES: Final = (
    _Family({"gb18030": "GB18030"}, bytes((*range(0xA1, 0xA6), *range(0xB0, 0xD8))), 0xA1),
    _Family({"cp950": "Big5", "big5hkscs": "Big5-HKSCS"}, bytes(range(0xA1, 0xC7)), 0x40),
    _Family({"cp932": "Shift_JIS"}, bytes((*range(0x81, 0x84), *range(0x88, 0x98))), 0x40),
)


class SourceError(WxtextError):
    """A file cannot be read, decoded or written."""


class Encoding(NamedTuple):
    """An encoding, as tried on a file."""

    codec: str
    #: What to call it in messages.
    label: str
    #: The offset of the first byte that it cannot read, None if it reads all.
    fault: int | None
    guessed: bool = False


class Source(NamedTuple):
    """Text that is known to be readable."""

    #: Its path, or "-".
    path: str
    encoding: Encoding
    errors: Errors
    #: Its bytes; of a pipe, a copy.
    file: IO[bytes]
    #: Of the file at its path, or that standard input comes from; None if there is none.
    status: os.stat_result | None

    def lines(self) -> Iterator[str]:
        """Yield the lines, once, each with its line break, LF, CR or CRLF, as it stands in the file."""
        self.file.seek(0)
        with _naming(self.path):
            try:
                with io.TextIOWrapper(self.file, self.encoding.codec, self.errors, newline="") as text:
                    yield from text
            except UnicodeError as error:
                raise SourceError(f"{self.path}: {error}") from error


@contextmanager
def open_source(path: str, encoding: str | None = None, errors: Errors = "strict") -> Iterator[Source]:
    """Open the text at `path`, or standard input for "-".

    It is read as `encoding`, else as a byte order mark says, else as UTF-8, else as the likeliest of
    GB18030, Big5 and Shift_JIS. With `errors="replace"` bytes that cannot be read become U+FFFD. Raises
    `SourceError` if no encoding is called so, and for the first byte that cannot be read.
    """
    codec = None if encoding is None else _codec_for(encoding)
    with _open_bytes(path) as (file, status):
        with _naming(path):
            used = _recognised(file) if codec is None else _forced(file, codec, encoding or "")
        if used.fault is not None and errors == "strict":
            message = (
                _(
                    "{file}: the byte at offset {offset} is not valid {encoding}, the likeliest encoding; "
                    "name the right one with --encoding, or go on past bad bytes with --errors replace"
                )
                if used.guessed
                else _(
                    "{file}: the byte at offset {offset} is not valid {encoding}; "
                    "name the right one with --encoding, or go on past bad bytes with --errors replace"
                )
            )
            raise SourceError(message.format(file=path, offset=used.fault, encoding=used.label))
        yield Source(path, used, errors, file, status)


def read_wxml(path: str) -> str:
    """Return the WXML at `path`, or from standard input for "-".

    Compilers read UTF-8 and nothing else, and a byte order mark is text to them, so it stays. Raises
    `SourceError`.
    """
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        message = _("{file}: the byte at offset {offset} is not valid UTF-8, which WXML has to be")
        raise SourceError(message.format(file=path, offset=error.start)) from error


def read_bytes(path: str) -> bytes:
    """Return what is at `path`, or standard input for "-". Raises `SourceError`."""
    with _open_bytes(path) as (file, _status), _naming(path):
        file.seek(0)
        return file.read()


def write_stdout(pieces: Iterable[str]) -> None:
    """Write UTF-8 to standard output; nothing if `pieces` raises something half-way.

    Bytes that were no UTF-8 when they were read, and escaped as surrogates, are written as they were.
    Raises `SourceError`, and `BrokenPipeError` if nobody reads any more.
    """
    if sys.stdout is None:
        raise SourceError(_("{file}: standard output is closed").format(file=STANDARD))
    with (
        _naming(STANDARD),
        _spooled(pieces) as spool,
        # Python's own file may be unbuffered, and then writes no more at a time than a pipe takes.
        os.fdopen(sys.stdout.fileno(), "wb", closefd=False) as file,
    ):
        shutil.copyfileobj(spool, file, _CHUNK)


def abandon_stdout() -> None:
    """Lead standard output, which takes no more, nowhere: else Python tries again when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_file(
    path: str,
    pieces: Iterable[str],
    source: Source,
    *,
    force: bool = False,
    examine: Callable[[str, str], None] | None = None,
) -> None:
    """Write UTF-8 to `path`, between marker comments by which a later call knows its own text.

    Where the file holds one pair of markers, what is between them is replaced, and every other byte kept.
    Any other file that is not empty is refused, or with `force` replaced whole. The file is replaced in one
    step, symbolic links followed, permissions kept; if it would not change it is not touched. Pipes and
    devices get the text as it is, without markers. If there is more in the file than the text, `examine` is
    called with the whole new page and the text, before it is written. Raises `SourceError`, also if the file
    is what `source` reads, and whatever `pieces` and `examine` raise; the file is then as it was.
    """
    with _naming(path):
        status = _status(path)
        if status and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            with _spooled(pieces) as spool, Path(path).open("wb") as device:
                shutil.copyfileobj(spool, device, _CHUNK)
            return
        target = Path(path).resolve()
        _check_place(path, target, status, source)
        before, after = _surroundings(path, target, force=force) if status else _FRAME
        with _replacing(target, status) as file:
            file.write(before)
            file.writelines(map(str.encode, pieces))
            file.write(after)
            if len(_markers(file)) != 2:
                message = _("{file}: the converted text holds a wxtext marker of its own")
                raise SourceError(message.format(file=path))
            if examine and (before, after) != _FRAME:
                file.seek(0)
                page = file.read()
                text = page[len(before) : len(page) - len(after)]
                examine(page.decode("utf-8", "replace"), text.decode())


def replace_file(path: str, text: str) -> None:
    """Write UTF-8 to a file that exists, as `write_file` does, but for the markers. Raises `SourceError`."""
    with _naming(path):
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(_("{file}: is no file that can be replaced; use - and pipes").format(file=path))
        target = Path(path).resolve()
        _check_writable(path, target, status)
        with _replacing(target, status) as file:
            file.write(text.encode())


def _codec_for(name: str) -> str:
    codec = _text_codec(name)
    if codec is None:
        from difflib import get_close_matches
        from encodings.aliases import aliases

        known = sorted({alias.replace("_", "-") for alias in (*aliases, *aliases.values())})
        near = filter(_text_codec, get_close_matches(name.lower().replace("_", "-"), known))
        names = _(" or ").join(near) or _("utf-8, gb18030, big5 or shift_jis")
        message = _("no encoding is called {name!r}; did you mean {names}?")
        raise SourceError(message.format(name=name, names=names))
    return codec


def _text_codec(name: str) -> str | None:
    """Return the codec that reads text in the encoding of this name, None if there is none."""
    try:
        codec = codecs.lookup(name).name
        codecs.getincrementaldecoder(codec)
        " ".encode(codec)  # codecs such as "hex" are not for text
    except (LookupError, ValueError):
        return None
    return _SUPERSETS.get(codec, codec)


def _forced(file: IO[bytes], codec: str, label: str) -> Encoding:
    if codec in ("utf-16", "utf-32"):  # the codecs of these names want a byte order mark
        announced = _announced(file)
        codec = announced if announced and announced.startswith(codec) else f"{codec}-le"
    return Encoding(codec, label, _first_fault(file, codec))


def _recognised(file: IO[bytes]) -> Encoding:
    if codec := _announced(file):
        return Encoding(codec, codec.upper(), _first_fault(file, codec))
    utf8 = Encoding("utf-8", "UTF-8", _first_fault(file, "utf-8"))
    if utf8.fault is None or _is_damaged_utf8(file):
        return utf8
    guesses = []
    for family in _FAMILIES:
        encodings = [
            Encoding(codec, label, _first_fault(file, codec), guessed=True)
            for codec, label in family.labels.items()
        ]
        encoding = next((encoding for encoding in encodings if encoding.fault is None), encodings[0])
        likelihood = _likelihood(file, encoding.codec, family)
        if likelihood > 0:
            guesses.append((encoding.fault is None, likelihood, encoding))
    return max(guesses, key=itemgetter(0, 1))[2] if guesses else utf8


def _announced(file: IO[bytes]) -> str | None:
    file.seek(0)
    start = file.read(4)
    return next((codec for mark, codec in _ANNOUNCED if start.startswith(mark)), None)


def _decoded(file: IO[bytes], codec: str, errors: str = "strict") -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)(errors)
    file.seek(0)
    while data := file.read(_CHUNK):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


def _first_fault(file: IO[bytes], codec: str) -> int | None:
    """Return the offset of the first byte that the codec cannot read, None if it reads all."""
    try:
        for _piece in _decoded(file, codec):
            pass
    except UnicodeDecodeError as error:
        # What the decoder looked at began with what it had kept, and ended where reading has come to.
        return file.tell() - len(error.object) + error.start
    except UnicodeError:  # of "punycode", which does not say where
        return 0
    return None


def _is_damaged_utf8(file: IO[bytes]) -> bool:
    """Tell UTF-8 with some bad bytes from a legacy encoding, by all that precedes the first and some beyond.

    It is UTF-8 if more characters are written in three bytes or four, as Chinese and Japanese are, than
    there are bad bytes: in 44 000 snippets of legacy text there never were. Nor does text contain NUL.
    """
    wide = 0
    for piece in _decoded(file, "utf-8", "surrogateescape"):
        if "\0" in piece:
            return True
        beyond = re.sub("[\0-\u07ff]+", "", piece)
        good = len(re.sub("[\udc80-\udcff]+", "", beyond))
        wide += good
        if bad := len(beyond) - good:
            return wide > bad
    return False


def _likelihood(file: IO[bytes], codec: str, family: _Family) -> float:
    """Return how likely the text is in this encoding: at most 1, for text that is in none below 0.

    charset-normalizer measures how chaotic the decoded text looks. That alone tells encodings apart from
    16 characters on, and badly with fewer than 8 (measured on 40 000 snippets): short text is told by how
    many of its characters are everyday ones.
    """
    from charset_normalizer import from_bytes

    piece = next(piece for piece in _decoded(file, codec, "replace") if not piece.isascii())
    text = piece.lstrip(bytes(range(0x80)).decode())[:_SAMPLE]
    characters = [c.encode(codec, "replace") for c in text if not c.isascii()]
    everyday = [c for c in characters if len(c) == 2 and c[0] in family.leads and c[1] >= family.first_trail]
    match = from_bytes(
        text.encode(codec, "replace"),
        cp_isolation=[codec],
        threshold=1.0,  # however chaotic, it is to be measured
        preemptive_behaviour=False,
    ).best()
    return len(everyday) / len(characters) - (match.chaos if match else 1.0) / 2


@contextmanager
def _open_bytes(path: str) -> Iterator[tuple[IO[bytes], os.stat_result | None]]:
    """Yield the file, which can be read over again, and the status of what it comes from."""
    with ExitStack() as stack:
        with _naming(path):
            file: IO[bytes]
            if path != STANDARD:
                file = stack.enter_context(Path(path).open("rb"))
            elif sys.stdin is None:
                raise SourceError(_("{file}: standard input is closed").format(file=path))
            else:
                file = sys.stdin.buffer
            status = None
            with suppress(io.UnsupportedOperation):
                status = os.fstat(file.fileno())
            if path == STANDARD or (status and not stat.S_ISREG(status.st_mode)):
                spool = stack.enter_context(tempfile.TemporaryFile())
                shutil.copyfileobj(file, spool, _CHUNK)
                file = spool
        yield file, status


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Turn faults of the system into `SourceError`, but for a closed pipe, which is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SourceError(f"{name}: {system_message(error)}") from error


@contextmanager
def _spooled(pieces: Iterable[str]) -> Iterator[IO[bytes]]:
    """Yield all pieces in one file, as UTF-8, at its beginning."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        for piece in pieces:
            spool.write(piece.encode(errors="surrogateescape"))
        spool.seek(0)
        yield spool


def _status(path: str) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _check_place(path: str, target: Path, status: os.stat_result | None, source: Source) -> None:
    if not path or path.endswith(("/", os.sep)) or (status and stat.S_ISDIR(status.st_mode)):
        raise SourceError(_("{file}: is not the name of a file").format(file=path or repr(path)))
    if not status:
        if not target.parent.is_dir():
            message = _("{file}: there is no directory {folder}")
            raise SourceError(message.format(file=path, folder=target.parent))
    elif source.status and os.path.samestat(status, source.status):
        raise SourceError(_("{file}: is the input, which is never overwritten").format(file=path))
    else:
        _check_writable(path, target, status)


def _check_writable(path: str, target: Path, status: os.stat_result) -> None:
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise SourceError(_("{file}: is write-protected").format(file=path))


def _surroundings(path: str, target: Path, *, force: bool) -> tuple[bytes, bytes]:
    """Return what is to stand before and after the text in a file that exists."""
    with target.open("rb") as file:
        found = _markers(file)
        size = file.tell()
        if [marker for _place, marker in found] == [BEGIN, END]:
            begin, end = (place for place, _marker in found)
            file.seek(0)
            before = file.read(begin + len(BEGIN)) + b"\n"
            file.seek(end)
            return before, file.read()
    if size and not force:
        message = (
            _(
                "{file}: has marker comments, but not one {begin} and then one {end}; "
                "correct them, or replace the whole file with --force"
            )
            if found
            else _(
                "{file}: was not written by wxtext; replace it with --force, or say where in it the text "
                "is to stand with {begin} and {end}"
            )
        )
        raise SourceError(message.format(file=path, begin=BEGIN.decode(), end=END.decode()))
    return _FRAME


def _markers(file: IO[bytes]) -> list[tuple[int, bytes]]:
    """Return the offsets of all markers in a file, and the markers; the file is read to its end."""
    found: dict[int, bytes] = {}
    file.seek(0)
    kept = b""
    while data := file.read(_CHUNK):
        data = kept + data
        start = file.tell() - len(data)
        found.update((start + match.start(), match[0]) for match in re.finditer(BEGIN + b"|" + END, data))
        kept = data[-len(BEGIN) :]
    return sorted(found.items())


@contextmanager
def _replacing(target: Path, status: os.stat_result | None) -> Iterator[IO[bytes]]:
    """Yield a new file that then takes the place of `target`, unless something was raised."""
    import filecmp

    handle, name = tempfile.mkstemp(prefix=".wxtext-", dir=target.parent)
    new = Path(name)
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
        if status:
            _keep_permissions(new, status)
        else:
            mask = os.umask(0o077)
            os.umask(mask)
            new.chmod(0o666 & ~mask)
        if not (status and filecmp.cmp(new, target, shallow=False)):
            new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def _keep_permissions(new: Path, status: os.stat_result) -> None:
    if sys.platform != "win32":
        with suppress(PermissionError):  # only root may give files away
            os.chown(new, status.st_uid, status.st_gid)
    new.chmod(stat.S_IMODE(status.st_mode))

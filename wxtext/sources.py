"""Text that is read, and standard output: which files are whose, and what is told when they fail.

Everything is read in pieces, so that a file may be larger than memory. What goes wrong is raised as
`SourceError`: one line that names the file.
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
from pathlib import Path
from typing import IO, Final, Literal, NamedTuple

from wxtext import limits
from wxtext.binary import kind_of, markup_of
from wxtext.decoding import Encoding, Faults, faults, handler
from wxtext.encodings import codec_for, forced, likeliest, recognised
from wxtext.errors import SourceError
from wxtext.i18n import _, system_message

Errors = Literal["strict", "replace"]

#: The path that stands for standard input, or standard output.
STANDARD: Final = "-"

_CHUNK: Final = 1 << 20  # bytes read at a time
_START: Final = 1 << 12  # bytes by which markup is told from text
_CONSOLE: Final = 1 << 13  # characters written to a console at a time
#: How many symbolic links one path may lead through, as on Linux.
_MOST_LINKS: Final = 40
_IN_MEMORY: Final = 8 << 20  # bytes of output kept in memory before a temporary file takes over


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
        with naming(self.path):
            try:
                errors = handler(self.encoding.codec, self.errors)
                with io.TextIOWrapper(self.file, self.encoding.codec, errors, newline="") as text:
                    yield from text
            except UnicodeError as error:
                raise SourceError(f"{self.path}: {error}") from error


@contextmanager
def open_source(
    path: str,
    encoding: str | None = None,
    errors: Errors = "strict",
    say: Callable[[str], None] = lambda _message: None,
) -> Iterator[Source]:
    """Open the text at `path`, or standard input for "-".

    It is read as `encoding`, else as a byte order mark says, else as UTF-8, else as the likeliest of UTF-16,
    GB18030, Big5, Shift_JIS, EUC-JP and EUC-KR. With `errors="replace"` bytes that cannot be read become
    U+FFFD, and `say` is told how many. Raises `SourceError` if no encoding is called so, if the file holds no
    text, and for bytes that cannot be read.
    """
    codec = None if encoding is None else codec_for(encoding)
    with _open_bytes(path) as (file, status):
        with naming(path):
            used = recognised(file) if codec is None else forced(file, codec, encoding or "")
            wide = used.codec.startswith(("utf-16", "utf-32"))
            found = None if used.fault is None else faults(file, used.codec)
            bad = found.total if found else 0
            if codec is None and (kind := kind_of(file, controls=not wide, guessed=used.guessed, bad=bad)):
                message = _(
                    "{file}: this looks like {kind}, and holds no text; "
                    "if it is text, name its --encoding, such as utf-16-le or utf-16-be"
                )
                raise SourceError(message.format(file=path, kind=kind))
            if markup := markup_of(_start(file, used.codec)):
                message = _("{file}: this looks like {markup}; its tags will be shown as they are typed")
                say(message.format(file=path, markup=markup))
            if found is not None:
                fault = _fault(path, found, used, errors)
                if errors == "strict":
                    raise SourceError(fault)
                say(fault)
        yield Source(path, used, errors, file, status)


def _start(file: IO[bytes], codec: str) -> str:
    file.seek(0)
    return codecs.getincrementaldecoder(codec)("replace").decode(file.read(_START))


def _fault(path: str, found: Faults, used: Encoding, errors: Errors) -> str:
    """Say which bytes are not in the encoding, and what becomes of them, or what to do."""
    if errors == "replace":
        message = _("{file}: bytes that are not valid {encoding} and become U+FFFD: {n}, at offset {offset}")
    elif found.total == 1:
        message = _(
            "{file}: the byte at offset {offset} is not valid {encoding}; "
            "name the right one with --encoding, or go on past bad bytes with --errors replace"
        )
    else:
        message = _(
            "{file}: {n} bytes are not valid {encoding}, at offset {offset}; "
            "name the right one with --encoding, or go on past bad bytes with --errors replace"
        )
    return message.format(
        file=path,
        n=found.total,
        offset=", ".join(map(str, found.offsets)) + (", ..." if found.more else ""),
        encoding=used.label + (_(", the likeliest encoding") if used.guessed and errors == "strict" else ""),
    )


def read_wxml(path: str) -> str:
    """Return the WXML at `path`, or from standard input for "-".

    Compilers read UTF-8 and nothing else, and a byte order mark is text to them, so it stays. Raises
    `SourceError`, also if there are more than `limits.PAGE` bytes.
    """
    return wxml_text(path, read_bytes(path, limits.PAGE))


def wxml_text(path: str, data: bytes) -> str:
    """Return the text of a page. Raises `SourceError`, which names the likely encoding, if it is no UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = _("{file}: the byte at offset {offset} is not valid UTF-8, which WXML has to be")
        if encoding := likeliest(data):
            message += _("; it looks like {encoding}: save it as UTF-8")
        raise SourceError(message.format(file=path, offset=error.start, encoding=encoding)) from error


def read_bytes(path: str, largest: int) -> bytes:
    """Return what is at `path`, or standard input for "-".

    Raises `SourceError`, also if there are more than `largest` bytes.
    """
    with _open_bytes(path) as (file, _status), naming(path):
        file.seek(0)
        data = file.read(largest + 1)
    if len(data) > largest:
        message = _("is not read, because it is larger than {n} bytes")
        raise SourceError(f"{path}: {message.format(n=largest)}")
    return data


def write_stdout(pieces: Iterable[str]) -> None:
    """Write UTF-8 to standard output; nothing if `pieces` raises something half-way.

    Bytes that were no UTF-8 when they were read, and escaped as surrogates, are written as they were.
    Raises `SourceError`, and `BrokenPipeError` if nobody reads any more.
    """
    if sys.stdout is None:
        raise SourceError(_("{file}: standard output is closed").format(file=STANDARD))
    if _is_console():
        with naming(STANDARD):
            _write_console("".join(pieces))
        return
    write_descriptor(STANDARD, sys.stdout.fileno(), pieces)


def _is_console() -> bool:
    """Tell whether standard output is a console of Windows, which takes bytes in a code page of its own."""
    buffer = getattr(sys.stdout, "buffer", None)
    return isinstance(getattr(buffer, "raw", buffer), getattr(io, "_WindowsConsoleIO", ()))


def _write_console(text: str) -> None:
    """Write characters, whatever the code page, and no more at a time than a console takes."""
    text = text.encode(errors="surrogateescape").decode(errors="backslashreplace")
    for start in range(0, len(text), _CONSOLE):
        sys.stdout.write(text[start : start + _CONSOLE])
        sys.stdout.flush()


def write_descriptor(name: str, descriptor: int, pieces: Iterable[str]) -> None:
    """Write UTF-8 to a file that is open already, at its current place, as `write_stdout` does.

    `name` is what messages call it. Raises `SourceError` and `BrokenPipeError`.
    """
    with (
        naming(name),
        spooled(pieces) as spool,
        # Python's own file may be unbuffered, and then writes no more at a time than a pipe takes.
        os.fdopen(descriptor, "wb", closefd=False) as file,
    ):
        shutil.copyfileobj(spool, file, _CHUNK)


def own_descriptor(path: str) -> int | None:
    """Return which open file of this process a path stands for: 1 for /dev/stdout or a link to it.

    Such a path must not be opened or replaced by its name: its file has a position, and others write to it.
    None for any other path.
    """
    if os.name != "posix":
        return None
    own = re.compile(rf"(?:/dev|/proc/{os.getpid()}(?:/task/\d+)?)/fd/(\d+)")
    for _link in range(_MOST_LINKS):
        folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - keeps the last link
        path = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118
        if found := own.fullmatch(path):
            return int(found[1])
        if not os.path.islink(path):  # noqa: PTH114 - never raises
            return None
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))  # noqa: PTH115, PTH118, PTH120
        except OSError:
            return None
    return None


def abandon_stdout() -> None:
    """Lead standard output, which takes no more, nowhere: else Python tries again when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _open_bytes(path: str) -> Iterator[tuple[IO[bytes], os.stat_result | None]]:
    """Yield the file, which can be read over again, and the status of what it comes from."""
    if not path:
        raise SourceError(_("{file}: is not the name of a file").format(file=repr(path)))
    with ExitStack() as stack:
        with naming(path):
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
def naming(name: str) -> Iterator[None]:
    """Turn faults of the system into `SourceError`, but for a closed pipe, which is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SourceError(f"{name}: {system_message(error)}") from error


@contextmanager
def spooled(pieces: Iterable[str]) -> Iterator[IO[bytes]]:
    """Yield all pieces in one file, as UTF-8, at its beginning."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as spool:
        for piece in pieces:
            spool.write(piece.encode(errors="surrogateescape"))
        spool.seek(0)
        yield spool

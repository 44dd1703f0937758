"""How bytes become text, and which of them cannot."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import IO, Final, NamedTuple

_CHUNK: Final = 1 << 20  # bytes read at a time
_FEW: Final = 1 << 12  # bytes read at a time where each fault copies them
_NAMED: Final = 3  # faults whose places are told
_EURO: Final = 0x80


class Encoding(NamedTuple):
    """An encoding, as tried on a file."""

    codec: str
    #: What to call it in messages.
    label: str
    #: The offset of the first byte that it cannot read, None if it reads all.
    fault: int | None
    guessed: bool = False
    #: What to call others that are about as likely.
    rivals: tuple[str, ...] = ()


def handler(codec: str, errors: str) -> str:
    """Return the name of what a decoder is to do with bytes that it cannot read.

    In GB18030 that is first the byte 0x80, which Windows writes for the euro sign, as the web reads it.
    """
    return f"wxtext-gbk-{errors}" if codec == "gb18030" else errors


def _with_euro(errors: str) -> Callable[[UnicodeError], tuple[str | bytes, int]]:
    otherwise = codecs.lookup_error(errors)

    def handle(error: UnicodeError) -> tuple[str | bytes, int]:
        if isinstance(error, UnicodeDecodeError) and error.object[error.start] == _EURO:
            return "€", error.start + 1
        return otherwise(error)

    return handle


for _errors in ("strict", "replace"):
    codecs.register_error(f"wxtext-gbk-{_errors}", _with_euro(_errors))


class Faults(NamedTuple):
    """Bytes that cannot be read."""

    #: How many bytes.
    total: int
    #: The offsets at which the first runs of them begin.
    offsets: list[int]
    #: Whether there are more runs.
    more: bool


def faults(file: IO[bytes], codec: str) -> Faults:
    """Return which bytes a codec cannot read."""
    decoder = codecs.getincrementaldecoder(codec)(handler(codec, "strict"))
    file.seek(0)
    total, runs, end = 0, 0, -1
    offsets: list[int] = []
    more = True
    while more:
        data = file.read(_FEW)
        more = bool(data)
        while True:
            try:
                decoder.decode(data, final=not more)
            except UnicodeDecodeError as error:  # noqa: PERF203 - that is what is counted
                start = file.tell() - len(error.object) + error.start
                if start != end:
                    runs += 1
                    offsets += [start] if runs <= _NAMED else []
                total += error.end - error.start
                end = start + error.end - error.start
                decoder.reset()
                data = error.object[error.end :]
            except UnicodeError:  # of "punycode", which does not say where
                return Faults(1, [0], more=False)
            else:
                break
    return Faults(total, offsets, runs > _NAMED)


def decoded(file: IO[bytes], codec: str, errors: str = "strict") -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)(handler(codec, errors))
    file.seek(0)
    while data := file.read(_CHUNK):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)


def first_fault(file: IO[bytes], codec: str) -> int | None:
    """Return the offset of the first byte that the codec cannot read, None if it reads all."""
    try:
        for _piece in decoded(file, codec):
            pass
    except UnicodeDecodeError as error:
        # What the decoder looked at began with what it had kept, and ended where reading has come to.
        return file.tell() - len(error.object) + error.start
    except UnicodeError:  # of "punycode", which does not say where
        return 0
    return None

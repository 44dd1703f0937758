"""Which encoding a text is in: what a byte order mark or its name says, else the likeliest."""

from __future__ import annotations

import codecs
import io
import os
from typing import IO, Final

from wxtext.decoding import Encoding, first_fault
from wxtext.errors import SourceError
from wxtext.i18n import _

_CHUNK: Final = 1 << 20  # bytes read at a time
_SHORT: Final = 64  # bytes; more are no UTF-8 by chance

#: Control characters that text does not hold. To search for each takes a tenth of the time of a pattern.
_CONTROLS: Final = tuple(
    bytes((code,)) for code in range(0x80) if code < 0x20 or code == 0x7F if code not in b"\t\n\f\r\x1b"
)

_ESCAPE: Final = b"\x1b"  # what terminals are sent, in ASCII

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
_SUPERSETS: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-8-sig": "utf-8",
}
#: What editors of Windows call the encoding of the system.
ANSI: Final = "ansi"
#: Names that Python does not know, and those that are proposed for one that nobody knows.
_ALIASES: Final = {"unicode": "utf-16", "utf8-sig": "utf-8", "gb-18030": "gb18030"}
_NAMES: Final = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk", "gb2312", "cp936", "big5"),
    *("big5-hkscs", "cp950", "shift-jis", "cp932", "euc-jp", "euc-kr", "cp949", "latin-1", "cp1252", "ascii"),
    ANSI,
)


def codec_for(name: str) -> str:
    """Return the codec, or `ANSI`, for the name of an encoding. Raises `SourceError` if none is called so."""
    codec = ANSI if name.lower() == ANSI else _text_codec(_ALIASES.get(name.lower().replace("_", "-"), name))
    if codec is None:
        from difflib import get_close_matches

        near = get_close_matches(name.lower().replace("_", "-"), _NAMES, n=2)
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


def forced(file: IO[bytes], codec: str, label: str) -> Encoding:
    """Return the encoding that a user names, as tried on a file."""
    if codec == ANSI:
        from wxtext.recognition import ansi

        return ansi(file)
    if codec in ("utf-16", "utf-32"):  # the codecs of these names want a byte order mark
        announced = _announced(file)
        codec = announced if announced and announced.startswith(codec) else f"{codec}-le"
    return Encoding(codec, label, first_fault(file, codec))


def recognised(file: IO[bytes]) -> Encoding:
    """Return what a text is in: what a byte order mark says, UTF-8 if it may be, else the likeliest."""
    if codec := _announced(file):
        return Encoding(codec, codec.upper(), first_fault(file, codec))
    utf8 = Encoding("utf-8", "UTF-8", first_fault(file, "utf-8"))
    if utf8.fault is None and not _has_controls(file) and not _may_be_utf8_by_chance(file):
        return utf8
    from wxtext import recognition

    return recognition.likeliest(file, utf8=utf8.fault is None) or utf8


def likeliest(data: bytes) -> str | None:
    """Return what the encoding of text that is no UTF-8 is probably called; None if no one can tell."""
    found = recognised(io.BytesIO(data))
    return found.label if found.fault is None else None


def _announced(file: IO[bytes]) -> str | None:
    file.seek(0)
    start = file.read(4)
    return next((codec for mark, codec in _ANNOUNCED if start.startswith(mark)), None)


def _has_controls(file: IO[bytes]) -> bool:
    file.seek(0)
    return any(control in data for data in iter(lambda: file.read(_CHUNK), b"") for control in _CONTROLS)


def _may_be_utf8_by_chance(file: IO[bytes]) -> bool:
    """Tell whether so little is read as UTF-8 that another encoding may be meant.

    Some Chinese characters in UTF-16 are two letters in ASCII, and some in GBK are one letter of UTF-8.
    """
    if file.seek(0, os.SEEK_END) > _SHORT:
        return False
    file.seek(0)
    data = file.read()
    return _ESCAPE not in data and max(data.decode(), default="") < "\u0800"

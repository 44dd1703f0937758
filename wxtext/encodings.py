"""Which encoding a text is in: what a byte order mark or its name says, else the likeliest."""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Final, NamedTuple

from wxtext.errors import SourceError
from wxtext.frequency import (
    ALPHABETIC,
    ENGLISH,
    JAPANESE,
    KOREAN,
    SIMPLIFIED_CHINESE,
    TRADITIONAL_CHINESE,
    WESTERN,
    Language,
    bits,
)
from wxtext.i18n import _

_CHUNK: Final = 1 << 20  # bytes read at a time
_SAMPLE: Final = 1 << 13  # bytes that an encoding is judged by
_FEW: Final = 1 << 12  # bytes read at a time where each fault copies them
_NAMED: Final = 3  # faults whose places are told
_EURO: Final = 0x80
_BEFORE: Final = 1 << 9  # of them before the first that is unusual
_NOISE: Final = 40  # bits; so unlikely are notes that are no text
_SHORT: Final = 64  # bytes; more are no UTF-8 by chance

_NOT_PLAIN: Final = re.compile(rb"[^\t\n\r\f -~]")
_CONTROL: Final = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")

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
#: What editors of Windows call the encoding of the system; it is the likeliest of these.
ANSI: Final = "ansi"
_ANSI_CODECS: Final = ("gb18030", "cp950", "big5hkscs", "cp932")
#: Names that Python does not know, and those that are proposed for one that nobody knows.
_ALIASES: Final = {"unicode": "utf-16", "utf8-sig": "utf-8", "gb-18030": "gb18030"}
_NAMES: Final = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk", "gb2312", "cp936", "big5"),
    *("big5-hkscs", "cp950", "shift-jis", "cp932", "euc-jp", "euc-kr", "cp949", "latin-1", "cp1252", "ascii"),
    ANSI,
)


class _Candidate(NamedTuple):
    """An encoding that a text may be in without saying so, and what may be written in it."""

    codec: str
    #: What to call it in messages.
    label: str
    #: Languages, and how unlikely each is before the text is looked at, in bits.
    languages: tuple[tuple[Language, float], ...]


_UTF8: Final = _Candidate(
    "utf-8",
    "UTF-8",
    ((ALPHABETIC, 0), (SIMPLIFIED_CHINESE, 0), (TRADITIONAL_CHINESE, 2), (JAPANESE, 4), (KOREAN, 4)),
)
_UTF16: Final = tuple(
    _Candidate(codec, codec.upper(), tuple((language, prior + more) for language, prior in _UTF8.languages))
    for codec, more in (("utf-16-le", 12), ("utf-16-be", 14))
)
#: Most users write simplified Chinese: what is about as likely in GB18030 as in Big5 is in GB18030.
_LEGACY: Final = (
    _Candidate("gb18030", "GB18030", ((SIMPLIFIED_CHINESE, 0), (TRADITIONAL_CHINESE, 4), (JAPANESE, 24))),
    _Candidate("cp950", "Big5", ((TRADITIONAL_CHINESE, 6),)),
    _Candidate("big5hkscs", "Big5-HKSCS", ((TRADITIONAL_CHINESE, 9),)),
    _Candidate("cp932", "Shift_JIS", ((JAPANESE, 6),)),
    _Candidate("euc_jp", "EUC-JP", ((JAPANESE, 8),)),
    _Candidate("euc_jis_2004", "EUC-JIS-2004", ((JAPANESE, 11),)),
    _Candidate("cp949", "EUC-KR", ((KOREAN, 12),)),
)
#: If it is not UTF-8 by chance. Then it is likelier English alone than with characters of other languages.
_SOUND_UTF8: Final = _UTF8._replace(
    languages=((ENGLISH, -12), *((it, prior - 12) for it, prior in _UTF8.languages))
)
#: Found out only so that others are not taken for it: one of many encodings of one byte a letter.
_WESTERN: Final = _Candidate("cp1252", "", ((WESTERN, 0),))
#: Encodings that differ in few characters: the first is taken unless only the second can read all.
_FAMILIES: Final = (("cp950", "big5hkscs"), ("euc_jp", "euc_jis_2004"))


class Encoding(NamedTuple):
    """An encoding, as tried on a file."""

    codec: str
    #: What to call it in messages.
    label: str
    #: The offset of the first byte that it cannot read, None if it reads all.
    fault: int | None
    guessed: bool = False


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
        return _likeliest(file, [it for it in _LEGACY if it.codec in _ANSI_CODECS])
    if codec in ("utf-16", "utf-32"):  # the codecs of these names want a byte order mark
        announced = _announced(file)
        codec = announced if announced and announced.startswith(codec) else f"{codec}-le"
    return Encoding(codec, label, _first_fault(file, codec))


def recognised(file: IO[bytes]) -> Encoding:
    """Return what a text is in: what a byte order mark says, UTF-8 if it may be, else the likeliest."""
    if codec := _announced(file):
        return Encoding(codec, codec.upper(), _first_fault(file, codec))
    utf8 = Encoding("utf-8", "UTF-8", _first_fault(file, "utf-8"))
    if utf8.fault is None and not _unusual(file)[1] and not _may_be_utf8_by_chance(file):
        return utf8
    if utf8.fault is not None:
        found = _likeliest(file, (_UTF8, *_UTF16, *_LEGACY, _WESTERN))
    else:  # no other encoding that cannot read it can be meant
        sound = [it for it in (*_UTF16, *_LEGACY) if _first_fault(file, it.codec) is None]
        found = _likeliest(file, (_SOUND_UTF8, *sound))
    return utf8 if found.codec in ("utf-8", _WESTERN.codec) else found


def _likeliest(file: IO[bytes], candidates: Sequence[_Candidate]) -> Encoding:
    """Return the encoding in which a text is likeliest; UTF-8 rather than UTF-16 that is only noise."""
    start = _unusual(file)[0] or 0
    costs = {candidate: _cost(file, start, candidate) for candidate in candidates}
    best = min(costs, key=lambda candidate: costs[candidate])
    if best in _UTF16 and costs[best] > 8 * len(_sample(file, start)) + _NOISE:
        best = candidates[0]
    family = next((family for family in _FAMILIES if best.codec in family), (best.codec,))
    found = [
        Encoding(it.codec, it.label, _first_fault(file, it.codec), guessed=True)
        for it in candidates
        if it.codec in family
    ]
    return next((encoding for encoding in found if encoding.fault is None), found[0])


def likeliest(data: bytes) -> str | None:
    """Return what the encoding of text that is no UTF-8 is probably called; None if no one can tell."""
    found = recognised(io.BytesIO(data))
    return found.label if found.fault is None else None


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


def _announced(file: IO[bytes]) -> str | None:
    file.seek(0)
    start = file.read(4)
    return next((codec for mark, codec in _ANNOUNCED if start.startswith(mark)), None)


def _decoded(file: IO[bytes], codec: str, errors: str = "strict") -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)(handler(codec, errors))
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


def _unusual(file: IO[bytes]) -> tuple[int | None, bool]:
    """Return where the first byte is that plain English has not, and whether there are control characters."""
    file.seek(0)
    offset, start = 0, None
    while data := file.read(_CHUNK):
        if start is None and (found := _NOT_PLAIN.search(data)):
            start = offset + found.start()
        if _CONTROL.search(data):
            return start, True
        offset += len(data)
    return start, False


def _may_be_utf8_by_chance(file: IO[bytes]) -> bool:
    """Tell whether so little is read as UTF-8 that another encoding may be meant.

    Some Chinese characters in UTF-16 are two letters in ASCII, and some in GBK are one letter of UTF-8.
    """
    if file.seek(0, os.SEEK_END) > _SHORT:
        return False
    file.seek(0)
    return max(file.read().decode(), default="") < "\u0800"


def _cost(file: IO[bytes], start: int, candidate: _Candidate) -> float:
    """Return how unlikely a text is in an encoding, in bits, by a sample of it."""
    data = _sample(file, start)
    text = codecs.getincrementaldecoder(candidate.codec)(handler(candidate.codec, "replace")).decode(
        data, final=len(data) < _SAMPLE
    )
    return min(prior + bits(text, language) for language, prior in candidate.languages)


def _sample(file: IO[bytes], start: int) -> bytes:
    """Return what an encoding is judged by; it may begin anywhere before `start`, where ASCII alone is."""
    start = max(0, start - _BEFORE)
    file.seek(start - start % 2)
    return file.read(_SAMPLE)

"""Which encoding a text is in: what a byte order mark or its name says, else the likeliest."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
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
}


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
    _Candidate("cp949", "EUC-KR", ((KOREAN, 8),)),
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


def forced(file: IO[bytes], codec: str, label: str) -> Encoding:
    if codec in ("utf-16", "utf-32"):  # the codecs of these names want a byte order mark
        announced = _announced(file)
        codec = announced if announced and announced.startswith(codec) else f"{codec}-le"
    return Encoding(codec, label, _first_fault(file, codec))


def recognised(file: IO[bytes]) -> Encoding:
    """Return what a text is in: what a byte order mark says, UTF-8 if it may be, else the likeliest."""
    if codec := _announced(file):
        return Encoding(codec, codec.upper(), _first_fault(file, codec))
    utf8 = Encoding("utf-8", "UTF-8", _first_fault(file, "utf-8"))
    start, control = _unusual(file)
    if utf8.fault is None and not control and not _may_be_utf8_by_chance(file):
        return utf8
    candidates = (_UTF8, *_UTF16, *_LEGACY, _WESTERN)
    if utf8.fault is None:  # no other encoding that cannot read it can be meant
        candidates = (
            _SOUND_UTF8,
            *(it for it in (*_UTF16, *_LEGACY) if _first_fault(file, it.codec) is None),
        )
    costs = {candidate: _cost(file, start or 0, candidate) for candidate in candidates}
    likeliest = min(costs, key=lambda candidate: costs[candidate])
    if likeliest in (_SOUND_UTF8, _UTF8, _WESTERN):
        return utf8
    if likeliest in _UTF16 and costs[likeliest] > 8 * len(_sample(file, start or 0)) + _NOISE:
        return utf8  # random bytes are likelier
    family = next((family for family in _FAMILIES if likeliest.codec in family), (likeliest.codec,))
    found = [
        Encoding(candidate.codec, candidate.label, _first_fault(file, candidate.codec), guessed=True)
        for candidate in candidates
        if candidate.codec in family
    ]
    return next((encoding for encoding in found if encoding.fault is None), found[0])


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


def _unusual(file: IO[bytes]) -> tuple[int | None, bool]:
    """Return where the first byte is that plain English text has not, and whether there are control characters."""
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
    text = codecs.getincrementaldecoder(candidate.codec)("replace").decode(data, final=len(data) < _SAMPLE)
    return min(prior + bits(text, language) for language, prior in candidate.languages)


def _sample(file: IO[bytes], start: int) -> bytes:
    """Return what an encoding is judged by; before `start` are ASCII bytes alone, so it may begin anywhere there."""
    start = max(0, start - _BEFORE)
    file.seek(start - start % 2)
    return file.read(_SAMPLE)

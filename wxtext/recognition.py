"""Which encoding is the likeliest for a text that does not say, by what the characters would be."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import IO, Final, NamedTuple

from wxtext.decoding import Encoding, first_fault, handler
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

_CHUNK: Final = 1 << 20  # bytes read at a time
_SAMPLE: Final = 1 << 13  # bytes that an encoding is judged by
_BEFORE: Final = 1 << 9  # of them before the first that is not ASCII
_ABOUT_AS_LIKELY: Final = 16  # bits between two readings of which either may be right
_NOISE: Final = 40  # bits; so unlikely are notes that are no text

#: Bits that a character costs more that stands for a letter in a Latin word, as stray bytes make one, and one
#: that was made of a stray byte and the letter after it.
_IN_A_WORD: Final = 14
_SWALLOWED: Final = 20
#: A character alone beside a Latin letter, unless it is punctuation that stands there.
_ALONE: Final = re.compile(
    "(?:(?<=[A-Za-z])|(?<![^\0-\x7f])(?=.[A-Za-z]))([\u2190-\u2fff\u3012-\ud7ff\uf900-\ufaff\ufe30-\uff00"
    "\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1c-\uff1e\uff20-\uff5d\uff5f-\uffdc])(?![^\0-\x7f])"
)
_WITHIN: Final = re.compile(f"(?<=[A-Za-z]){_ALONE.pattern}(?=[A-Za-z])")

_UNUSUAL: Final = re.compile(rb"[^\t\n\r\f -~]")


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
#: The encodings that are told where another is about as likely: of each family the first.
_RIVALS: Final = tuple(it for it in _LEGACY if it.codec not in {other for _it, other in _FAMILIES})
_FAR: Final = float("inf")

#: What Windows calls ANSI, in China, Taiwan, Hong Kong and Japan.
_ANSI: Final = tuple(it for it in _LEGACY if it.codec in ("gb18030", "cp950", "big5hkscs", "cp932"))


def likeliest(file: IO[bytes], *, utf8: bool) -> Encoding | None:
    """Return the likeliest encoding of a text, None for UTF-8; `utf8` says whether it can be read as that."""
    if utf8:  # no other encoding that cannot read it can be meant
        sound = [it for it in (*_UTF16, *_LEGACY) if first_fault(file, it.codec) is None]
        found = _likeliest(file, (_SOUND_UTF8, *sound))
    else:
        found = _likeliest(file, (_UTF8, *_UTF16, *_LEGACY, _WESTERN))
    # What is read as UTF-8 is a guess only where few letters may as well be something else.
    return None if found.codec in (_UTF8.codec, _WESTERN.codec) and not found.rivals else found


def ansi(file: IO[bytes]) -> Encoding:
    """Return the likeliest of those encodings that Windows calls ANSI."""
    return _likeliest(file, _ANSI)


def _likeliest(file: IO[bytes], candidates: Sequence[_Candidate]) -> Encoding:
    """Return the encoding in which a text is likeliest; UTF-8 rather than UTF-16 that is only noise."""
    start = _first_unusual(file)
    costs = {candidate: _cost(file, start, candidate) for candidate in candidates}
    best = min(costs, key=lambda candidate: costs[candidate])
    if best in _UTF16 and costs[best] > 8 * len(_sample(file, start)) + _NOISE:
        best = candidates[0]
    family = next((family for family in _FAMILIES if best.codec in family), (best.codec,))
    rivals = _rivals(file, start, costs, best)
    found = [
        Encoding(it.codec, it.label, first_fault(file, it.codec), guessed=True, rivals=rivals)
        for it in candidates
        if it.codec in family
    ]
    return next((encoding for encoding in found if encoding.fault is None), found[0])


def _rivals(
    file: IO[bytes], start: int, costs: Mapping[_Candidate, float], best: _Candidate
) -> tuple[str, ...]:
    """Return the labels of those other legacy encodings that may as well be the right ones."""
    if best not in (*_LEGACY, _SOUND_UTF8) or _sample(file, start).isascii():
        return ()
    near = sorted(
        (it for it in _RIVALS if it != best and costs.get(it, _FAR) - costs[best] <= _ABOUT_AS_LIKELY),
        key=lambda candidate: costs[candidate],
    )
    return tuple(it.label for it in near if first_fault(file, it.codec) is None)


def _first_unusual(file: IO[bytes]) -> int:
    """Return the offset of the first byte that plain English has not, 0 if there is none."""
    file.seek(0)
    offset = 0
    while data := file.read(_CHUNK):
        if found := _UNUSUAL.search(data):
            return offset + found.start()
        offset += len(data)
    return 0


def _cost(file: IO[bytes], start: int, candidate: _Candidate) -> float:
    """Return how unlikely a text is in an encoding, in bits, by a sample of it."""
    data = _sample(file, start)
    text = codecs.getincrementaldecoder(candidate.codec)(handler(candidate.codec, "replace")).decode(
        data, final=len(data) < _SAMPLE
    )
    return min(prior + bits(text, language) for language, prior in candidate.languages) + sum(
        _stray_bits(match, candidate.codec) for match in _ALONE.finditer(text)
    )


def _stray_bits(match: re.Match[str], codec: str) -> int:
    """Return what a character costs more that may be made of a stray byte."""
    *lead, last = match[0].encode(codec)
    if not lead or (len(lead) == 1 and chr(last).isascii() and chr(last).isalpha()):
        return _SWALLOWED
    return _IN_A_WORD if _WITHIN.match(match.string, match.start()) else 0


def _sample(file: IO[bytes], start: int) -> bytes:
    """Return what an encoding is judged by; it may begin anywhere before `start`, where ASCII alone is."""
    start = max(0, start - _BEFORE)
    file.seek(start - start % 2)
    return file.read(_SAMPLE)

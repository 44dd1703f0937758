"""What a file holds that is no plain text: pictures, Word documents, archives, programs; or markup."""

from __future__ import annotations

import re
from typing import IO, Final

from wxtext import lazy
from wxtext.i18n import _
from wxtext.semantics import BYTE_ORDER_MARK

_SAMPLE: Final = 1 << 14  # bytes that are looked at

#: Control characters that text may hold: what ends lines, TAB, backspace, and ESC as terminals print it.
_CONTROLS: Final = re.compile(rb"[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]")
#: What may precede the first tag.
_PROLOG: Final = lazy.pattern(r"\A[\ufeff\s]*(?:<!--.*?-->\s*)*", re.DOTALL)
_HTML: Final = lazy.pattern(
    r"<(?:!doctype\s+html|(?:html|head|body|div|p|h[1-6]|ul|ol|table|article|section)(?=[\s>])[^<>]*>)",
    re.IGNORECASE,
)
_WXML: Final = lazy.pattern(
    r"<(?:view|text|block|scroll-view|swiper|rich-text|template|import|include|wxs|page-meta)(?=[\s/>])[^<>]*/?>"
)
#: The bytes that the files begin with whose kinds are known, but for some videos.
_FIRST: Final = frozenset(b"\x89\xffGRB%{\xd0\x1f7SwIOf\x1a\x7fM\xca\xce\xcf\xfe")
#: Text has at most so many of the others, or one in so many bytes; of random bytes one in ten is one.
_FEW: Final = 10
_SELDOM: Final = 30
#: Text in a likely encoding has at most so many, and what cannot be read in any has one.
_FEW_IF_GUESSED: Final = 3
_FEW_IF_BAD: Final = 1
#: Text that is damaged here and there has fewer bad bytes than one in so many.
_DAMAGED: Final = 8


def kind_of(file: IO[bytes], *, controls: bool = True, guessed: bool = False, bad: int = 0) -> str | None:
    """Say what a file holds in place of text; None if it may be text. Compressed data look like anything.

    Without `controls`, control characters prove nothing, as in UTF-16. They prove more where the encoding is
    only `guessed`, or where so many bytes are `bad`, that is cannot be read.
    """
    file.seek(0)
    sample = file.read(_SAMPLE)
    if sample.startswith(b"PK\3\4"):
        office = b"[Content_Types].xml" in sample or b"opendocument" in sample
        return _("a Word, Excel or similar file") if office else _("a ZIP archive")
    if (known := _known(sample)) is not None:
        return known
    few = _FEW_IF_GUESSED if guessed else _FEW
    if bad * _DAMAGED > len(sample):
        few = _FEW_IF_BAD
    if controls and (count := len(_CONTROLS.findall(sample))) > few and count * _SELDOM > len(sample):
        return _("binary data")
    return None


def _known(sample: bytes) -> str | None:
    """Say which kind of file begins like this."""
    if not sample or (sample[0] not in _FIRST and sample[4:8] != b"ftyp"):
        return None  # most text: there are many patterns to compile
    for start, what in (
        (rb"\x89PNG\r\n\x1a\n", _("a PNG picture")),
        (rb"\xff\xd8\xff", _("a JPEG picture")),
        (rb"GIF8[79]a", _("a GIF picture")),
        (rb"RIFF....WEBP", _("a WebP picture")),
        (rb"BM....\0\0\0\0", _("a BMP picture")),
        (rb"%PDF-", _("a PDF file")),
        (rb"\{\\rtf", _("an RTF document")),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _("a Word, Excel or similar file")),
        (rb"\x1f\x8b\x08", _("a gzip archive")),
        (rb"Rar!\x1a\x07", _("a RAR archive")),
        (rb"7z\xbc\xaf\x27\x1c", _("a 7z archive")),
        (rb"SQLite format 3\0", _("a SQLite database")),
        (rb"wOF[F2]", _("a font")),
        (rb"ID3[\2-\4]\0|\xff[\xf2\xf3\xfa\xfb][^\0\xf0-\xff]|RIFF....WAVE|OggS\0|fLaC\0", _("a sound file")),
        (rb"...[\0-\x40]ftyp|\x1a\x45\xdf\xa3", _("a video")),
        (
            rb"\x7fELF|MZ(?=[^\0]?.{0,60}\0)|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]",
            _("a program"),
        ),
    ):
        if re.match(start, sample, re.DOTALL):
            return what
    return None


def markup_of(text: str) -> str | None:
    """Return the language of markup that the start of a text is written in, HTML or WXML, None if in none."""
    if next((c for c in text if c != BYTE_ORDER_MARK and not c.isspace()), "") != "<":
        return None
    text = _PROLOG.sub("", text, count=1)
    if _HTML.match(text):
        return "HTML"
    return "WXML" if _WXML.match(text) else None

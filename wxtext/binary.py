"""Files that hold no text at all: pictures, Word documents, archives, programs."""

from __future__ import annotations

import re
from typing import IO, Final

from wxtext.i18n import _

_SAMPLE: Final = 1 << 14  # bytes that are looked at

#: Control characters that text may hold: what ends lines, TAB, backspace, and ESC as terminals print it.
_CONTROLS: Final = re.compile(rb"[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]")
#: Text has at most so many of the others, or one in so many bytes.
_FEW: Final = 10


def kind_of(file: IO[bytes]) -> str | None:
    """Say what a file holds in place of text; None if it may be text. Compressed data look like anything."""
    file.seek(0)
    sample = file.read(_SAMPLE)
    if sample.startswith(b"PK\3\4"):
        office = b"[Content_Types].xml" in sample or b"opendocument" in sample
        return _("a Word, Excel or similar file") if office else _("a ZIP archive")
    for start, what in (
        (b"\x89PNG\r\n\x1a\n", _("a PNG picture")),
        (b"\xff\xd8\xff", _("a JPEG picture")),
        (b"GIF87a", _("a GIF picture")),
        (b"GIF89a", _("a GIF picture")),
        (b"%PDF-", _("a PDF file")),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _("a Word, Excel or similar file")),
        (b"\x1f\x8b\x08", _("a gzip archive")),
        (b"Rar!\x1a\7", _("a RAR archive")),
        (b"7z\xbc\xaf\x27\x1c", _("a 7z archive")),
        (b"\x7fELF", _("a program")),
    ):
        if sample.startswith(start):
            return what
    if sample.startswith(b"MZ") and b"\0" in sample:
        return _("a program")
    if (controls := len(_CONTROLS.findall(sample))) > _FEW and controls * _FEW > len(sample):
        return _("binary data")
    return None

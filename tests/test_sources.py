"""Text that is read: encodings, lines, pipes, what cannot be read; and standard output."""

from __future__ import annotations

import errno
import gzip
import io
import os
import sys
import threading
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from wxtext import decoding, sources
from wxtext.errors import SourceError
from wxtext.sources import open_source, read_wxml, write_stdout

SIMPLIFIED = """\
床前明月光，疑是地上霜。
举头望明月，低头思故乡。
　　话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。
版本更新说明：修复了若干问题，优化了启动速度。
请输入手机号
同意并继续
"""
TRADITIONAL = """\
床前明月光，疑是地上霜。
道可道，非常道。名可名，非常名。
　　話說天下大勢，分久必合，合久必分。周末七國分爭，併入於秦。
版本更新說明：修復了若干問題，優化了啟動速度。
請輸入手機號碼
同意並繼續
"""
JAPANESE = """\
吾輩は猫である。名前はまだ無い。
ゆく河の流れは絶えずして、しかも、もとの水にあらず。
　バージョン管理に関して
①利用規約～プライバシーポリシー
お問い合わせはこちら
同意する
"""
CANTONESE = "佢哋喺嗰度食嘢，啲嘢好好味。\n"

LEGACY = [
    pytest.param(SIMPLIFIED, "gb18030", "GB18030", id="simplified"),
    pytest.param(TRADITIONAL, "cp950", "Big5", id="traditional"),
    pytest.param(TRADITIONAL, "gb18030", "GB18030", id="traditional in GB18030"),
    pytest.param(CANTONESE, "big5hkscs", "Big5-HKSCS", id="cantonese"),
    pytest.param(JAPANESE, "cp932", "Shift_JIS", id="japanese"),
]

pytestmark = pytest.mark.usefixtures("_in_tmp_path")


@pytest.fixture
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(data: bytes, encoding: str | None = None, errors: sources.Errors = "strict") -> str:
    """Return what a file of these bytes is read as."""
    Path("notes.txt").write_bytes(data)
    with open_source("notes.txt", encoding, errors) as source:
        return "".join(source.lines())


def guess(data: bytes) -> str | None:
    Path("notes.txt").write_bytes(data)
    with open_source("notes.txt") as source:
        return source.encoding.label if source.encoding.guessed else None


def refusal(data: bytes, encoding: str | None = None) -> str:
    with pytest.raises(SourceError) as raised:
        read(data, encoding)
    return str(raised.value)


# Encodings.


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_byte_order_marks_are_recognised_and_left_in_the_text(codec: str) -> None:
    text = f"\ufeff{SIMPLIFIED}\ufeff{JAPANESE}😀"
    assert read(text.encode(codec)) == text
    assert guess(text.encode(codec)) is None


@pytest.mark.parametrize("data", [b"", b"\n", b"plain\n", "é中😀".encode()])
def test_utf8_needs_no_mark(data: bytes) -> None:
    assert read(data) == data.decode()
    assert guess(data) is None


@pytest.mark.parametrize(("text", "codec", "label"), LEGACY)
def test_legacy_encodings_are_recognised(text: str, codec: str, label: str) -> None:
    assert read(text.encode(codec)) == text
    assert guess(text.encode(codec)) == label


@pytest.mark.parametrize(("text", "codec", "label"), LEGACY)
def test_a_line_is_enough_to_recognise_an_encoding(text: str, codec: str, label: str) -> None:
    assert [guess(line.encode(codec)) for line in text.splitlines()] == [label] * len(text.splitlines())


@pytest.mark.parametrize(("text", "codec", "label"), LEGACY)
def test_ascii_before_the_first_character_is_passed_over(text: str, codec: str, label: str) -> None:
    assert guess(b"if (a < b) {\n" * 300_000 + text.encode(codec)) == label


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("GB2312", "gb18030"),
        ("gbk", "gb18030"),
        ("Big5", "cp950"),
        ("Shift_JIS", "cp932"),
        ("sjis", "cp932"),
        ("Big5-HKSCS", "big5hkscs"),
        ("euc-jp", "euc_jp"),
    ],
)
def test_a_named_encoding_is_what_programs_write_under_that_name(name: str, codec: str) -> None:
    text = {"gb18030": "镕€囧", "cp950": "碁～€", "cp932": "①～髙", "big5hkscs": "嘅", "euc_jp": "猫"}[codec]
    assert read(text.encode(codec), name) == text


@pytest.mark.parametrize("label", ["GB18030", "Big5", "Big5-HKSCS", "Shift_JIS"])
def test_every_guess_can_be_named(label: str) -> None:
    assert read(b"a", label) == "a"


@pytest.mark.parametrize("bits", ["16", "32"])
def test_utf16_can_be_named_with_and_without_a_mark(bits: str) -> None:
    for codec in f"utf-{bits}-le", f"utf-{bits}-be":
        assert read("\ufeff甲乙".encode(codec), f"utf-{bits}") == "\ufeff甲乙"
        assert read("甲乙".encode(codec), codec) == "甲乙"
    assert read("甲乙".encode(f"utf-{bits}-le"), f"UTF_{bits}") == "甲乙"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("gbk2", "gbk or gb2312"),
        ("utf-9", "utf-8 or utf-32"),
        ("ansii", "ansi or ascii"),
        ("utf9", "utf-8 or utf-32"),
        ("shift-jsi", "shift-jis"),
        ("hex", "utf-8, gb18030, big5 or shift_jis"),
        ("", "utf-8, gb18030, big5 or shift_jis"),
        ("编码\0\udc80", "utf-8, gb18030, big5 or shift_jis"),
    ],
)
def test_an_unknown_encoding_is_answered_with_near_names(name: str, near: str) -> None:
    assert refusal(b"", name) == f"no encoding is called {name!r}; did you mean {near}?"


# Bytes that cannot be read.


@pytest.mark.parametrize(
    ("data", "encoding", "offset", "label"),
    [
        ("甲乙丙".encode() + b"\xff" + "丁".encode(), None, 9, "UTF-8"),
        ("\ufeff甲乙丙".encode() + b"\xff", None, 12, "UTF-8"),
        (b"caf\xe9", None, 3, "UTF-8"),
        ("\ufeff甲乙".encode("utf-16-le") + b"!", None, 6, "UTF-16-LE"),
        (
            SIMPLIFIED.encode("gb18030") + b"\xff",
            None,
            len(SIMPLIFIED.encode("gb18030")),
            "GB18030, the likeliest encoding",
        ),
        (
            TRADITIONAL.encode("cp950") + b"\xff",
            None,
            len(TRADITIONAL.encode("cp950")),
            "Big5, the likeliest encoding",
        ),
        (
            JAPANESE.encode("cp932") + b"\x81",
            None,
            len(JAPANESE.encode("cp932")),
            "Shift_JIS, the likeliest encoding",
        ),
        ("甲乙".encode("gbk") + b"\xff", "gbk", 4, "gbk"),
        ("甲乙".encode("cp932") + b"\x81", "sjis", 4, "sjis"),
        (b"a\xffb", "ascii", 1, "ascii"),
        (b"..", "punycode", 0, "punycode"),
    ],
)
def test_the_first_bad_byte_is_named(
    data: bytes, encoding: str | None, offset: int, label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chunk in 1, 2, 3, 5, 7, 1 << 20:
        monkeypatch.setattr(decoding, "_CHUNK", chunk)
        assert refusal(data, encoding) == (
            f"notes.txt: the byte at offset {offset} is not valid {label}; name the right one with "
            "--encoding, or go on past bad bytes with --errors replace"
        )


@pytest.mark.parametrize(
    ("data", "encoding", "expected"),
    [
        ("甲乙丙丁".encode()[:-1], None, "2 bytes are not valid UTF-8, at offset 9"),
        ("\ufeff甲".encode("utf-16-be") + b"\xdc\x00", None, "2 bytes are not valid UTF-16-BE, at offset 4"),
        ("甲".encode() + "乙".encode("gbk"), "utf8", "2 bytes are not valid utf8, at offset 3"),
        (b"\xff" * 10, "ascii", "10 bytes are not valid ascii, at offset 0"),
        (
            "甲\0乙\0丙\0丁\0".encode().replace(b"\0", b"\xff"),
            None,
            "4 bytes are not valid UTF-8, at offset 3, 7, 11, ...",
        ),
    ],
)
def test_several_bad_bytes_are_counted(
    data: bytes, encoding: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chunk in 1, 2, 3, 5, 7, 1 << 12:
        monkeypatch.setattr(decoding, "_FEW", chunk)
        assert refusal(data, encoding) == (
            f"notes.txt: {expected}; name the right one with "
            "--encoding, or go on past bad bytes with --errors replace"
        )


def test_small_binary_files_are_no_text() -> None:
    rnd = Random(60)
    told = [refusal(rnd.randbytes(rnd.randrange(60, 201))) for _ in range(300)]
    # A few of the shortest have no control characters that would prove it.
    assert sum("looks like binary data" in message for message in told) > 285
    # Text with bad bytes or control characters is text.
    legacy = "用户协议\1第一条\2隐私政策"
    assert read(legacy.encode("gb18030")) == legacy
    damaged = "甲乙丙丁\1戊己\2庚".encode() + b"\xff"
    assert "is not valid UTF-8" in refusal(damaged)
    assert read(damaged, errors="replace") == "甲乙丙丁\1戊己\2庚\ufffd"


def test_replaced_bytes_are_told() -> None:
    Path("notes.txt").write_bytes("甲".encode() + b"\xff" + "乙".encode() + b"\xfe")
    said: list[str] = []
    with open_source("notes.txt", errors="replace", say=said.append) as source:
        assert "".join(source.lines()) == "甲\ufffd乙\ufffd"
    assert said == ["notes.txt: bytes that are not valid UTF-8 and become U+FFFD: 2, at offset 3, 7"]


def test_the_euro_of_windows() -> None:
    assert read("价格".encode("gbk") + b"\x805\n") == "价格€5\n"
    assert read(b"\x80", "gbk") == "€"
    assert read(b"\x80\xff", "gb18030", errors="replace") == "€\ufffd"


def test_what_holds_nul_is_in_no_legacy_encoding() -> None:
    assert "offset 0 is not valid UTF-8;" in refusal(b"\x8aPNG\r\n\x1a\n\0\0\0\rIHDR")
    assert "offset 4 is not valid UTF-16-LE, the likeliest" in refusal("a说\n".encode("utf-16-be")[1:])


def test_a_few_bad_bytes_do_not_turn_utf8_into_something_else() -> None:
    assert "2 bytes are not valid UTF-8, at offset 0;" in refusal(SIMPLIFIED.encode()[1:])
    for text in SIMPLIFIED, TRADITIONAL, JAPANESE:
        whole = text.encode()
        for offset in range(0, len(whole), 7):
            damaged = whole[:offset] + b"\xb0\xa1" + whole[offset + 1 :]
            assert "not valid UTF-8" in refusal(damaged)


def test_bad_bytes_can_be_replaced() -> None:
    assert read("甲".encode() + b"\xff" + "乙丙".encode(), errors="replace") == "甲\ufffd乙丙"
    assert read(SIMPLIFIED.encode("gb18030") + b"\xff", errors="replace") == SIMPLIFIED + "\ufffd"
    assert read(b"caf\xe9", errors="replace") == "caf\ufffd"
    assert read("甲".encode("gbk") + b"\xff", "gbk", errors="replace") == "甲\ufffd"


def test_a_file_that_changes_while_it_is_read() -> None:
    Path("notes.txt").write_bytes(b"a" * 100_000)
    with open_source("notes.txt") as source:
        Path("notes.txt").write_bytes(b"\xff" * 100_000)
        with pytest.raises(SourceError, match=r"^notes\.txt: 'utf-8' codec can't decode"):
            list(source.lines())


# Lines.


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_lines_end_at_lf_cr_and_crlf_alone(codec: str) -> None:
    Path("notes.txt").write_bytes("a\nb\r\nc\rd\r\r\ne\x0b\x0c\x1c\x85\u2028f".encode(codec))
    with open_source("notes.txt") as source:
        lines = list(source.lines())
    lines[0] = lines[0].removeprefix("\ufeff")
    assert lines == ["a\n", "b\r\n", "c\r", "d\r", "\r\n", "e\x0b\x0c\x1c\x85\u2028f"]


def test_crlf_is_one_line_break_wherever_it_lies() -> None:
    for length in (*range(8185, 8195), (1 << 20) - 1, 1 << 20):
        Path("notes.txt").write_bytes(b"a" * length + b"\r\nb")
        with open_source("notes.txt") as source:
            assert [len(line) for line in source.lines()] == [length + 2, 1]


def test_a_line_of_ten_megabytes() -> None:
    line = "长" * 3_500_000
    assert read(line.encode()) == line


# What is read.


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SIMPLIFIED.encode("gb18030"))))
    with open_source("-") as source:
        assert (source.path, source.encoding.label, source.status) == ("-", "GB18030", None)
        assert "".join(source.lines()) == SIMPLIFIED


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match=r"^-: standard input is closed$"), open_source("-"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in directories")
def test_a_named_pipe_is_read_more_than_once() -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(SIMPLIFIED.encode("gb18030"),))
    writer.start()
    with open_source("pipe") as source:
        assert "".join(source.lines()) == SIMPLIFIED
    writer.join()


def test_what_is_no_file() -> None:
    for path, number in ("missing.txt", errno.ENOENT), (".", errno.EISDIR), ("a" * 300, errno.ENAMETOOLONG):
        with pytest.raises(SourceError) as raised, open_source(path):
            pass
        assert str(raised.value) == f"{path}: {os.strerror(number)}"


def test_wxml_is_read_as_it_is() -> None:
    Path("page.wxml").write_bytes(b"\xef\xbb\xbf<text>\r\n\xe7\x94\xb2</text>")
    assert read_wxml("page.wxml") == "\ufeff<text>\r\n甲</text>"
    Path("page.wxml").write_bytes(b"<text>\xb0\xa1</text>")
    with pytest.raises(SourceError) as raised:
        read_wxml("page.wxml")
    assert str(raised.value) == (
        "page.wxml: the byte at offset 6 is not valid UTF-8, which WXML has to be; "
        "it looks like GB18030: save it as UTF-8"
    )
    Path("page.wxml").write_bytes(b"<text>\xff</text>")
    with pytest.raises(SourceError, match=r"which WXML has to be$"):
        read_wxml("page.wxml")


def zipped(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "text")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture"),
        (b"GIF89a\1\0", "a GIF picture"),
        (b"%PDF-1.4\ntext", "a PDF file"),
        (zipped("a.txt"), "a ZIP archive"),
        (zipped("[Content_Types].xml"), "a Word, Excel or similar file"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504), "a Word, Excel or similar file"),
        (gzip.compress(b"text"), "a gzip archive"),
        (b"\x7fELF\2\1\1" + bytes(99), "a program"),
        (b"MZ\x90\0\3" + bytes(99), "a program"),
        (bytes.fromhex("cffaedfe07000001") + bytes(99), "a program"),
        (b"SQLite format 3\0" + bytes(99), "a SQLite database"),
        (b"wOF2\0\1\0\0" + bytes(99), "a font"),
        (b"ID3\3\0\0\0\0\0\x21TSSE" + bytes(99), "a sound file"),
        (b"\xff\xfb\x90\x64" + bytes(99), "a sound file"),
        (b"\0\0\0\x20ftypisom" + bytes(99), "a video"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP picture"),
        (rb"{\rtf1\ansi\deff0 text}", "an RTF document"),
        (bytes(99), "binary data"),
        (bytes(range(256)), "binary data"),
        *((Random(length).randbytes(length), "binary data") for length in range(400, 4400, 400)),
    ],
)
def test_what_is_no_text_is_named(data: bytes, kind: str) -> None:
    Path("notes.txt").write_bytes(data)
    with pytest.raises(SourceError) as raised, open_source("notes.txt"):
        pass
    assert str(raised.value) == (
        f"notes.txt: this looks like {kind}, and holds no text; "
        "if it is text, name its --encoding, such as utf-16-le or utf-16-be"
    )
    with open_source("notes.txt", "latin-1") as source:
        assert source.encoding.codec == "iso8859-1"


@pytest.mark.parametrize(
    "data",
    [
        b"MZ",
        b"PK",
        b"a\0b",
        b"\x1b[31mred\x1b[0m\n" * 99,
        b"GIF",
        b"\f\v\b\t\r\n" * 99,
        b"a page\x0c" * 9,
        b"",
    ],
)
def test_text_with_some_controls_is_text(data: bytes) -> None:
    Path("notes.txt").write_bytes(data)
    with open_source("notes.txt") as source:
        assert source.encoding.codec == "utf-8"


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("<!DOCTYPE html>\n<html>", "HTML"),
        ("\ufeff<!-- a -->\n<div class='a'>一</div>", "HTML"),
        ("<view>\n<text>一</text></view>", "WXML"),
        ("<text wx:if='{{a}}'/>", "WXML"),
        ("<text", None),
        ("a <view>", None),
        ("<viewer>", None),
        ("<b>一", None),
        ("", None),
    ],
)
def test_markup_is_told_and_read(text: str, markup: str | None) -> None:
    Path("notes.txt").write_bytes(text.encode())
    said: list[str] = []
    with open_source("notes.txt", say=said.append) as source:
        assert "".join(source.lines()) == text
    line = f"notes.txt: this looks like {markup}; its tags will be shown as they are typed"
    assert said == ([line] if markup else [])


# Standard output.


def test_standard_output_is_utf8_without_translation(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with os.fdopen(1, "w", encoding="gbk", newline="\r\n", closefd=False) as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        write_stdout(["中\n", "😀\r\n"])
    assert capfdbinary.readouterr() == ("中\n😀\r\n".encode(), b"")


def test_nothing_is_printed_unless_everything_is(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(ZeroDivisionError):
        write_stdout(failing(["x" * (20 << 20)]))
    assert capfdbinary.readouterr() == (b"", b"")


def test_closed_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SourceError, match=r"^-: standard output is closed$"):
        write_stdout([])


def failing(pieces: Iterable[str]) -> Iterator[str]:
    yield from pieces
    raise ZeroDivisionError


def test_a_console_of_windows_gets_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes would be taken for its own code page, which is 936 in China; and it takes few at a time."""

    class Console(io.RawIOBase):
        def __init__(self) -> None:
            self.written: list[bytes] = []

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.written.append(bytes(data))
            return len(data)

    console = Console()
    monkeypatch.setattr(io, "_WindowsConsoleIO", Console, raising=False)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(console), "utf-8", newline="\r\n"))
    text = "中😀\n" * 10_000
    write_stdout([text, "\udcff"])
    assert b"".join(console.written).decode() == f"{text}\\xff".replace("\n", "\r\n")
    assert len(console.written) > 1
    assert all(len(piece.decode("utf-8").encode("utf-16-le")) <= 32766 for piece in console.written)

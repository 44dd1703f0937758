"""Which encoding a text is read in that does not say so: short and long, damaged, in UTF-16, or no text."""

from __future__ import annotations

import io
import random

import pytest

from tests.test_sources import CANTONESE, JAPANESE, SIMPLIFIED, TRADITIONAL
from wxtext.decoding import Encoding, faults
from wxtext.encodings import codec_for, forced, recognised

KOREAN = """\
동해물과 백두산이 마르고 닳도록
하느님이 보우하사 우리나라 만세
이용 약관 및 개인정보 처리방침에 동의합니다
"""
ALL = [
    (SIMPLIFIED, "gb18030"),
    (TRADITIONAL, "cp950"),
    (JAPANESE, "cp932"),
    (KOREAN, "cp949"),
    (JAPANESE.replace("①", "1").replace("～", "-"), "euc_jp"),
    *((text, codec) for codec in ("utf-16-le", "utf-16-be", "utf-8") for text in (SIMPLIFIED, TRADITIONAL)),
    *((text, codec) for codec in ("utf-16-le", "utf-16-be", "utf-8") for text in (JAPANESE, KOREAN)),
]


def found(data: bytes) -> Encoding:
    return recognised(io.BytesIO(data))


@pytest.mark.parametrize(("text", "codec"), ALL)
def test_lines_are_read_as_they_were_written(text: str, codec: str) -> None:
    for line in (text, *text.splitlines()):
        encoding = found(line.encode(codec))
        assert (encoding.codec, encoding.fault) == (codec, None), line


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        "你好世界",
        "用户协议",
        "Hello\r\nWorld",
        "OK\n",
        "第1章",
        "版本 2.0\r\n修复了若干问题。\r\n",
        "请登录",
        "😀你好世界",
    ],
)
def test_utf16_needs_no_mark(text: str, codec: str) -> None:
    assert found(text.encode(codec)) == Encoding(codec, codec.upper(), None, guessed=True)


def test_utf16_of_any_length_has_its_order() -> None:
    rnd = random.Random(16)
    for text in SIMPLIFIED, TRADITIONAL, JAPANESE, KOREAN:
        for _ in range(100):
            length = rnd.randrange(6, 40)
            start = rnd.randrange(max(1, len(text) - length))
            for codec in "utf-16-le", "utf-16-be":
                assert found(text[start : start + length].encode(codec)).codec == codec


ENGLISH = """
This License applies to any program or other work which contains a notice placed by the copyright holder
saying it may be distributed under the terms of this Agreement; see https://example.com/terms (PDF, 120 KB).
"You" means the licensee: whoever copies, distributes or modifies 2 or more Programs, e.g. `convert`.
"""


@pytest.mark.parametrize("controls", ["\0", "".join(map(chr, [*range(1, 9), *range(14, 32), 127]))])
def test_ascii_with_a_control_character_is_no_utf16(controls: str) -> None:
    rnd = random.Random(7)
    for _ in range(2_000):
        length = rnd.randrange(1, 60)
        start = rnd.randrange(len(ENGLISH) - length)
        at = rnd.randrange(length + 1)
        cut = ENGLISH[start : start + length]
        text = cut[:at] + rnd.choice(controls) + cut[at:]
        assert found(text.encode()).codec == "utf-8", text


@pytest.mark.parametrize("language", ["English", "Greek", "Hebrew", "Russian", "Arabic", "French"])
def test_short_utf8_stays_utf8(language: str) -> None:
    text = {
        "English": "Bush hid the facts; this app can break. MIME QmFzZTY0IGlzIG5vdCBVVEYtMTY= 4f7a6b7c5e",
        "Greek": "Αποδοχή όρων και πολιτική απορρήτου",
        "Hebrew": "תנאי שימוש ומדיניות פרטיות",
        "Russian": "Пользовательское соглашение",
        "Arabic": "شروط الاستخدام وسياسة الخصوصية",
        "French": "Été à Orléans : où êtes-vous, garçon ?",
    }[language]
    for length in range(1, 13):
        for start in range(len(text) - length):
            assert found(text[start : start + length].encode()).codec == "utf-8", text[start : start + length]


@pytest.mark.parametrize("data", [b'\x1b$B$"\x1b(B', b"\x1b[31mno\x1b[0m", b"ab\x07c", b"\f", b"Hi\b\bHo"])
def test_control_characters_alone_make_no_utf16(data: bytes) -> None:
    assert found(data).codec == "utf-8"


@pytest.mark.parametrize(
    "text", ["━━━━", "同意", "协议", "请登录", "啊", "联通", "价格", "★★★", "……", "——", "2024年"]
)
def test_short_gbk_is_gb18030(text: str) -> None:
    encoding = found(text.encode("gbk"))
    assert encoding._replace(rivals=()) == Encoding("gb18030", "GB18030", None, guessed=True)


def test_a_short_text_that_is_read_wrongly_names_the_right_encoding() -> None:
    rnd = random.Random(11)
    named = wrong = 0
    for text, codec, label in (
        (SIMPLIFIED, "gb18030", "GB18030"),
        (TRADITIONAL, "cp950", "Big5"),
        (JAPANESE, "cp932", "Shift_JIS"),
        (KOREAN, "cp949", "EUC-KR"),
    ):
        for _ in range(500):
            length = rnd.randrange(2, 8)
            start = rnd.randrange(len(text) - length)
            data = text[start : start + length].encode(codec)
            encoding = found(data)
            if encoding.label not in {label, "Big5-HKSCS"} and not data.isascii():
                wrong += 1
                named += label in encoding.rivals
    # The others are a letter of UTF-8 with ASCII beside it, which is no guess.
    assert wrong
    assert named > wrong * 0.95


@pytest.mark.parametrize("text", ["用户协议与隐私政策说明", "plain ASCII\x01", "Été à Orléans", "第一段\x01"])
def test_a_text_that_is_known_has_no_rivals(text: str) -> None:
    assert found(text.encode()).rivals == ()


def test_big5_with_the_characters_of_hong_kong_is_the_wider_one_only_if_it_needs_them() -> None:
    assert found(CANTONESE.encode("big5hkscs")).label == "Big5-HKSCS"
    assert found(TRADITIONAL.encode("big5hkscs")).label == "Big5"


# Damage.


@pytest.mark.parametrize(
    ("data", "total", "offsets"),
    [
        (b"a\x80\xffb " + "中文".encode(), 2, [1]),
        ("甲乙丙".encode() + b"\xff" + "丁戊".encode() + b"\xfe", 2, [9, 16]),
        ("甲".encode() + b"\xff" * 3 + b"a\xffb\xffc\xff", 6, [3, 7, 9]),
    ],
)
def test_bad_bytes_are_counted_and_placed(data: bytes, total: int, offsets: list[int]) -> None:
    assert found(data).label == "UTF-8"
    counted = faults(io.BytesIO(data), "utf-8")
    assert (counted.total, counted.offsets) == (total, offsets)


def test_damaged_utf8_is_no_other_encoding() -> None:
    rnd = random.Random(8)
    for text in SIMPLIFIED, TRADITIONAL, JAPANESE, KOREAN:
        for _ in range(200):
            data = bytearray(text[rnd.randrange(40) :][: rnd.randrange(20, 120)].encode())
            for _bad in range(rnd.randint(1, 5)):
                data[rnd.randrange(len(data))] = rnd.randrange(0x80, 0x100)
            assert found(bytes(data)).codec == "utf-8", bytes(data)


def damaged(text: str, rnd: random.Random) -> bytes:
    """Return UTF-8 of which one to five bytes are replaced, lost or added."""
    data = bytearray(text.encode())
    for _ in range(rnd.randrange(1, 6)):
        at = rnd.randrange(len(data))
        kind = rnd.randrange(3)
        data[at : at + (kind != 2)] = b"" if kind == 1 else rnd.randbytes(1)
    return bytes(data)


def test_damaged_chinese_is_no_other_encoding_from_six_characters_on() -> None:
    rnd = random.Random(8)
    for _ in range(3_000):
        text = rnd.choice((SIMPLIFIED, TRADITIONAL))
        length = rnd.randrange(6, 100)
        start = rnd.randrange(max(1, len(text) - length))
        cut = text[start : start + length]
        if sum("\u4e00" <= character <= "\u9fff" for character in cut) >= 6:
            assert found(damaged(cut, rnd)).codec == "utf-8", cut


@pytest.mark.parametrize(
    "data",
    [
        b"the s\xc5ctio",
        b"8. L\xdbmitation of Liability",
        b"N\x97CLUDING",
        b"unction \x87ith PH",
        b"is \xafdeemed to",
        b"dent and sep\xbcrate wo",
        b"h after the copyright stat\x8ement(s).",
        b"A, OR PROFITS; OR\xf4BUSINESS INTERRUPTION",
    ],
)
def test_a_stray_byte_in_english_makes_no_east_asian_text(data: bytes) -> None:
    encoding = found(data)
    assert encoding.codec == "utf-8"
    assert encoding.fault is not None


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        *(
            (text, "gb18030")
            for text in ("A股", "T恤", "VIP卡", "a或b", "foo和bar", "API，", "K歌 app", "5月3日 OK")
        ),
        *((text, "cp950") for text in ("在 iPhone 上開一個 App", "請至 App Store 下載 A 級遊戲")),
    ],
)
def test_single_characters_beside_latin_letters(text: str, codec: str) -> None:
    assert found(text.encode(codec)).codec == codec


def test_counting_is_linear() -> None:
    file = io.BytesIO(b"\xff" * (1 << 18))
    assert faults(file, "utf-8").total == 1 << 18


# Names.


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("utf8-sig", "utf-8"),
        ("UTF-8-SIG", "utf-8"),
        ("unicode", "utf-16"),
        ("cp936", "gb18030"),
        ("latin1", "iso8859-1"),
        ("EUC-KR", "cp949"),
        ("ANSI", "ansi"),
    ],
)
def test_names_of_editors_are_known(name: str, codec: str) -> None:
    assert codec_for(name) == codec


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        (SIMPLIFIED, "gbk", "GB18030"),
        (TRADITIONAL, "cp950", "Big5"),
        (JAPANESE, "cp932", "Shift_JIS"),
        ("同意", "gbk", "GB18030"),
    ],
)
def test_ansi_is_the_likeliest_of_three(text: str, codec: str, label: str) -> None:
    file = io.BytesIO(text.encode(codec))
    assert forced(file, codec_for("ansi"), "ansi").label == label

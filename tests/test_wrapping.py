"""Where rows break on a screen of so many columns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import Run
from wxtext import OptionError, show
from wxtext.semantics import columns
from wxtext.wrapping import wrapped


@pytest.mark.parametrize(
    ("row", "width", "rows"),
    [
        ("一二三四五", 10, ["一二三四五"]),
        ("一二三四五", 9, ["一二三四", "五"]),
        ("一二三四五", 4, ["一二", "三四", "五"]),
        ("a一二", 4, ["a一", "二"]),
        ("", 4, [""]),
        # Latin words are kept whole; what is too long sticks out.
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]),
        ("one two three", 3, ["one", "two", "three"]),
        ("extraordinary 一", 5, ["extraordinary", "一"]),
        ("一extraordinary二", 5, ["一", "extraordinary", "二"]),
        ("用wxtext转换", 8, ["用wxtext", "转换"]),
        ("well-known words", 8, ["well-", "known", "words"]),
        ("2026-12-03 周四", 6, ["2026-12-03", "周四"]),
        ("ls -la 文件", 5, ["ls", "-la", "文件"]),
        ("https://a.b/c?d=e", 5, ["https://a.b/c?d=e"]),
        # A no-break space keeps words together, wide spaces do not.
        ("a\u00a0b c", 3, ["a\u00a0b", "c"]),
        ("一\u3000二", 4, ["一\u3000", "二"]),
        ("\u2003\u2003一二三", 8, ["\u2003\u2003一二", "三"]),
        ("ab\u200bcd", 2, ["ab\u200b", "cd"]),
        # Spaces where a row breaks are dropped.
        ("一二 三四", 4, ["一二", "三四"]),
        ("一二 三四", 5, ["一二", "三四"]),
        # Closing punctuation begins no row, opening punctuation ends none.
        ("一二，三", 4, ["一", "二，", "三"]),
        ("一二。", 4, ["一", "二。"]),
        ("一二！？", 6, ["一", "二！？"]),
        ("一（二）三", 4, ["一", "（二）", "三"]),
        ("一《二三》", 4, ["一", "《二", "三》"]),
        ("他说：“好。”", 6, ["他说：", "“好。”"]),
        ("一二……", 5, ["一", "二……"]),
        ("一二,三", 4, ["一", "二,", "三"]),
        ("时间(秒)为", 6, ["时间", "(秒)为"]),
        # Marks and joined emoji stay where they are.
        ("か\u3099か\u3099", 2, ["か\u3099", "か\u3099"]),
        ("👩\u200d👧👩\u200d👧", 4, ["👩\u200d👧", "👩\u200d👧"]),
        # Rows of their own.
        ("一二三\n四", 4, ["一二", "三", "四"]),
    ],
)
def test_where_rows_break(row: str, width: int, rows: list[str]) -> None:
    assert wrapped(row, width).split("\n") == rows


TEXT = st.text(st.sampled_from("一二，。（“”ab-1. \u00a0\u2003\u3000\u0300\u200d👩\n"), max_size=60)


@given(TEXT, st.integers(1, 30))
def test_nothing_is_lost_and_nothing_too_long_could_break(text: str, width: int) -> None:
    for row in text.split("\n"):
        lines = wrapped(row, width).split("\n")
        assert "".join(lines).replace(" ", "") == row.replace(" ", "")
        if columns(row) <= width:
            assert lines == [row]
        for line in lines:
            # What sticks out cannot be broken anywhere.
            assert columns(line.rstrip(" ")) <= width or wrapped(line.rstrip(" "), 1).count("\n") == 0
            assert wrapped(line, width) == line


def test_steps_are_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    import wxtext.wrapping

    def steps(text: str) -> int:
        count = 0

        def counted(text: str) -> int:
            nonlocal count
            count += len(text) + 1
            return columns(text)

        with monkeypatch.context() as patch:
            patch.setattr(wxtext.wrapping, "columns", counted)
            wrapped(text, 20)
        return count

    for unit in ("一", "a", "a ", "一a，", "（", "，", " ", "-a", "\u0300", "👩\u200d"):
        assert steps(unit * 20_000) < 2.5 * steps(unit * 10_000), unit


def test_show_breaks_rows_for_a_first_look(run: Run) -> None:
    page = "<text>一二三四五\\nword longer</text>"
    assert run("show", "-", "--width", "6", stdin=page) == (0, "一二三\n四五\nword\nlonger\n", "")
    assert show(page, width=6) == "一二三\n四五\nword\nlonger"
    assert show(page, width=10_000) == show(page) == "一二三四五\nword longer"
    # A phone of 375 px at 17 px has 22 Chinese characters in a row.
    assert show(f"<text>{'字' * 23}</text>", width=44) == f"{'字' * 22}\n字"


@pytest.mark.parametrize("width", ["0", "-1", "10001", "a", "", "1.5", "²", "9" * 5000])
def test_no_such_width(width: str, run: Run) -> None:
    code, out, err = run("show", "-", f"--width={width}", stdin="a")
    assert (code, out) == (2, "")
    assert err.startswith("wxtext: error: --width: ")
    assert err.endswith(" is not a whole number from 1 to 10000\n")


@pytest.mark.parametrize("width", [0, True, 1.5, "44"])
def test_no_such_width_in_the_library(width: Any) -> None:
    with pytest.raises(OptionError, match="is not a whole number from 1 to 10000"):
        show("a", width=width)

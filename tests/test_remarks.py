"""What convert tells of notes: markup as typed, unseen characters, blank lines, and options in any case."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wxtext
from tests.expected import without_unseen
from tests.strategies import OPTIONS, notes
from wxtext import rules
from wxtext.options import Options


def told(text: str, **options: Any) -> list[tuple[int, int, str]]:
    """What convert says, with its places."""
    notices: list[wxtext.Notice] = []
    wxtext.convert(text, on_notice=notices.append, **options)
    return [(notice.line, notice.column, notice.message) for notice in notices]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("第一行\\n第二行", [(1, 4, "`\\n`")]),
        ("一\n  二\\n", [(2, 4, "`\\n`")]),
        ("甲<br>乙\n丙<BR />", [(1, 2, "`<br>`")]),
        ("价格&nbsp;5 &lt; 6", [(1, 3, "`&nbsp;`")]),
        ("a<br/>&emsp;b", [(1, 2, "`<br/>`"), (1, 7, "`&emsp;`")]),
        ("C:\\new\\names", []),
        ('print("a\\n")', []),
        ("AT&T, a < b, &copy; \\\\n \\t", []),
    ],
)
def test_markup_is_told_as_shown_as_typed(text: str, places: list[tuple[int, int, str]]) -> None:
    found = told(text)
    assert [(line, column) for line, column, _message in found] == [place[:2] for place in places]
    for (_line, _column, message), (*_place, what) in zip(found, places, strict=True):
        assert message.startswith(f"{what} is shown as it is typed")


def test_markup_of_a_kind_is_told_once() -> None:
    [(line, column, message)] = told("a\\n 一\\n\n<br>")
    assert (line, column) == (1, 2)
    assert message.endswith(", 3 times in all")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("{{a}} {{a b}}", [(1, 7, "{{a b}}")]),
        ("　　甲{{ }}\n{{a}}{{b c}}", [(1, 4, "{{ }}"), (2, 6, "{{b c}}")]),
        ("{{a}} {{'x'}} {{ {{", []),
    ],
)
def test_bindings_that_are_text_are_told(text: str, places: list[tuple[int, int, str]]) -> None:
    found = told(text, bindings=True)
    assert [(line, column, message.split("`")[1]) for line, column, message in found] == places
    assert told(text) == []


def test_not_all_of_many_bindings_are_told() -> None:
    assert len(told("\n".join(f"{{{{a {number}}}}}" for number in range(1000)), bindings=True)) == 20


@pytest.mark.parametrize(
    ("text", "kept", "stripped"),
    [
        ("甲\u200b乙\u200b", [0x200B], "甲乙"),
        ("co\u00adoperate", [0xAD], "cooperate"),
        ("a\u2060b\u200ec", [0x2060, 0x200E], "abc"),
        ("\u200b\n字", [0x200B], "\n字"),
        ("👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈", [], "👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈"),
        ("مرحبا\u200e abc \u200f", [], "مرحبا\u200e abc \u200f"),
        ("می\u200cخواهم क्\u200dष", [], "می\u200cخواهم क्\u200dष"),
        ("中\u200d文", [0x200D], "中文"),
    ],
)
def test_invisible_characters_are_told_and_stripped(text: str, kept: list[int], stripped: str) -> None:
    found = [message for _line, _column, message in told(text)]
    assert [message.split()[:2] for message in found] == [["kept", f"U+{code:04X}"] for code in kept]
    found = [message for _line, _column, message in told(text, strip_invisible=True)]
    assert [message.split()[:2] for message in found] == [["removed", f"U+{code:04X}"] for code in kept]
    shown = wxtext.show(wxtext.convert(text, strip_invisible=True, target="webview"), "webview")
    assert shown == stripped


@given(notes(), st.sampled_from(OPTIONS["target"]))
def test_what_is_stripped_leaves_check_nothing_to_find(text: str, target: Any) -> None:
    text = without_unseen(text)
    output = wxtext.convert(text, target=target, strip_invisible=True)
    found = [
        problem for problem in wxtext.check(output, target=target) if problem.rule == "invisible-character"
    ]
    # Fillers take room, and stay.
    assert all("FILLER" in problem.message or "INHERENT" in problem.message for problem in found)
    assert "invisible-character" in rules.NAMES


REMOVED = [*map(chr, range(1, 9)), "\x1b", "\x7f", "\u200b", "\u2060", "\ufeff", "\ud800"]
PIECES = [
    *REMOVED,
    "a",
    "中",
    " ",
    "\t",
    "\n",
    "\r\n",
    "<br>",
    "\\n",
    "&nbsp;",
    "{{a b}}",
    "{{c d}}",
    "{{e}}",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.booleans(), st.booleans())
def test_what_is_told_of_is_at_its_place(text: str, strip: bool, bindings: bool) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    for line, column, message in told(text, strip_invisible=strip, bindings=bindings):
        at_place = lines[line - 1][column - 1 :]
        if match := re.search(r"`([^`]+)` is shown", message):
            what = match[1]
            # What was removed inside is not told as a part of it, nor is it at its start.
            assert at_place[0] == what[0]
            assert without_unseen(re.sub("[\x01-\x08\x1b\x7f]", "", at_place)).startswith(what)
        elif match := re.search(r"U\+([0-9A-F]{4,})", message):
            code = int(match[1], 16)
            assert ord(at_place[0]) == code or (code == 0xFFFD and at_place[0] == "\ud800")
        else:
            assert "blank line" in message or "no text" in message


@pytest.mark.parametrize("target", OPTIONS["target"])
@pytest.mark.parametrize(
    ("blank_lines", "rows"),
    [("keep", ["", "", "甲", "", "", "乙"]), ("one", ["", "甲", "", "乙"]), ("none", ["甲", "乙"])],
)
def test_blank_lines_at_the_start_are_kept(target: Any, blank_lines: Any, rows: list[str]) -> None:
    text = "\n \n甲\n\n\n乙\n\n"
    for options in ({}, {"per": "line"}, {"per": "file"}, {"user_select": True}, {"template": "page"}):
        output = wxtext.convert(text, target=target, blank_lines=blank_lines, **options)
        shown = wxtext.show(output, target).split("\n")
        assert [row.strip("\xa0") for row in shown] == rows


def test_blank_lines_at_the_end_are_told() -> None:
    assert told("甲\n") == told("甲") == []
    assert [place[:2] for place in told("甲\n\n")] == [(2, 1)]
    assert "3 blank lines" in told("甲\n\n\n \n")[0][2]
    assert told("甲\n\n\n \n", blank_lines="one") == []


@pytest.mark.parametrize("text", ["", "\n\n", " \t\n　", "\ufeff"])
def test_notes_without_text_are_told(text: str) -> None:
    assert told(text) == [(1, 1, "there is no text in the notes, and none was written")]


def test_options_are_known_in_any_case() -> None:
    given = Options(target="Skyline", space="EMSP", indent="2", tab_width="8", per="File", blank_lines="One")
    assert given == Options(
        target="skyline", space="emsp", indent=2, tab_width=8, per="file", blank_lines="one"
    )
    assert Options(indent="KEEP", paragraphs="Line") == Options(paragraphs="line")


@pytest.mark.parametrize(
    ("name", "character"),
    [("md:mt-2", ":"), ("w-1/2", "/"), ("[a]", "["), ("a.b", "."), ("2a", "2"), ("a ", " ")],
)
def test_why_a_class_is_refused_is_told(name: str, character: str) -> None:
    why = f"no class name that a style sheet can spell, because of {character!r}; use letters"
    with pytest.raises(wxtext.OptionError, match=re.escape(why)):
        wxtext.convert("text", class_=name)

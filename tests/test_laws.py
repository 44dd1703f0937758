"""What holds for all notes and all options, of `convert`, `convert_lines` and `show` alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wxtext
from tests.expected import BREAK, WHITE, expected, seen, width
from tests.judge import Case, Values, judge
from tests.oracle import Oracle
from tests.strategies import OPTIONS, notes, options
from wxtext import semantics
from wxtext.semantics import Space, Target

TARGETS = st.sampled_from(OPTIONS["target"])
#: How constants are written: one string in single quotes.
CONSTANT = re.compile(r"\{\{'[^']*'\}\}")


@given(notes(), options())
@example("a\\nb  c\t{{'x'}} &lt; &#10; <!-- --> {<text>\n　　二", {})
@example("\n一\n\n\n二", {"target": "skyline"})
def test_what_is_shown_is_what_is_expected(text: str, chosen: dict[str, Any]) -> None:
    output = wxtext.convert(text, **chosen, verify=False)
    target = chosen.get("target", "webview")
    assert wxtext.show(output, target) == seen(expected(text, **chosen), target)


@given(notes(), options())
def test_the_self_check_finds_nothing_and_changes_nothing(text: str, chosen: dict[str, Any]) -> None:
    assert wxtext.convert(text, **chosen) == wxtext.convert(text, **chosen, verify=False)


@given(notes(), options())
def test_lines_convert_as_the_whole(text: str, chosen: dict[str, Any]) -> None:
    whole = wxtext.convert(text, **chosen)
    breaks = [*BREAK.findall(text), ""]
    lines = BREAK.split(text)
    with_breaks = [line + end for line, end in zip(lines, breaks, strict=True)]
    assert "".join(wxtext.convert_lines(lines, **chosen)) == whole
    assert "".join(wxtext.convert_lines(iter(with_breaks), **chosen)) == whole


@given(st.text(alphabet=[*WHITE, "\n", "\r", "\f", "\u2029", "\ufeff", "\0"]), options())
@example("", {})
def test_notes_without_anything_to_see_give_nothing(text: str, chosen: dict[str, Any]) -> None:
    assert wxtext.convert(text, **chosen) == ""


@given(notes(), options())
@example("&\na", {"target": "webview"})
def test_only_bindings_hold_what_compilers_change(text: str, chosen: dict[str, Any]) -> None:
    """Backslashes, `<`, `{{` and what may be an entity are constants, so that no tool need warn of them."""
    output = wxtext.convert(text, **{**chosen, "bindings": False})
    static = re.sub(r"</?(?:text|view)(?: [^<>]*)?>", "", CONSTANT.sub("*", output))
    if chosen["target"] == "webview":
        static = static.replace(r"\n", " ")
    assert not re.search(r"[\\<]|&[A-Za-z#]|\{\{", static)


@given(notes(), options())
def test_output_is_text_that_any_file_can_hold(text: str, chosen: dict[str, Any]) -> None:
    output = wxtext.convert(text, **chosen)
    output.encode()
    assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029]", output)
    assert output == "" or output.endswith("\n")
    assert all(line == line.rstrip() for line in output.split("\n"))


CHINESE = st.text(alphabet="的一是不了在人有我他，。：；“”《》——……１２ＡＢabc019", min_size=1)
INDENTS = st.sampled_from(["", "　　", "    ", "\u2003\u2003", "\t"])


@given(st.lists(st.tuples(INDENTS, CHINESE)), st.sampled_from(["auto", "emsp"]))
def test_plain_chinese_prose_for_the_web_view_has_no_binding(
    prose: list[tuple[str, str]], space: Space
) -> None:
    output = wxtext.convert("\n".join(map("".join, prose)), space=space)
    assert "{{" not in output
    assert output.count("<text") == output.count("</text>\n")


@given(notes(), options())
def test_what_is_removed_is_told_with_its_place(text: str, chosen: dict[str, Any]) -> None:
    notices: list[wxtext.Notice] = []
    wxtext.convert(text, **{**chosen, "strip_invisible": False}, on_notice=notices.append)
    removed: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(BREAK.split(text), 1):
        for match in re.finditer("[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ud800-\udfff]", line):
            if (number, match.start(), match[0]) != (1, 0, "\ufeff"):
                # Halves of surrogate pairs are told together.
                character = "\ufffd" if "\ud800" <= match[0] <= "\udfff" else match[0]
                removed.setdefault(character, []).append((number, match.start() + 1))
    # Each character once, where it is first.
    halves = "halves of surrogate pairs"
    told = [notice for notice in notices if notice.message.startswith(("removed ", halves))]
    assert [(notice.line, notice.column) for notice in told] == [places[0] for places in removed.values()]
    for notice, (character, places) in zip(told, removed.items(), strict=True):
        if character == "\ufffd":
            assert notice.message == f"{halves}, which are no characters, become U+FFFD: {len(places)}"
            continue
        assert f"U+{ord(character):04X} " in notice.message
        assert notice.message.endswith(f", {len(places)} times in all") == (len(places) > 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"space": "wide"},
        {"space": ""},
        {"target": "web"},
        {"tab_width": 0},
        {"indent": -1},
        {"indent": "deep"},
        {"blank_lines": "two"},
        {"per": "page"},
        {"class_": "a b\n"},
        {"class_": 'a"'},
        {"class_": "a{{b}}"},
        {"class_": "a\\"},
        {"class_": "a&lt;"},
        {"class_": "<"},
        {"class_": "'"},
        {"class_": " "},
        {"class_": "1st"},
    ],
)
def test_options_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(wxtext.OptionError):
        wxtext.convert("text", **wrong)


@given(st.text(max_size=4), TARGETS)
def test_no_class_name_becomes_anything_else(oracle: Oracle, name: str, target: str) -> None:
    chosen = {option: values[0] for option, values in OPTIONS.items()} | {"target": target, "class_": name}
    try:
        wxtext.convert("text", **chosen)
    except wxtext.OptionError:
        return
    assert judge(oracle, Values(oracle), [Case("text", chosen)]) == [None]


def formatted(wxml: str) -> str:
    """What formatters make of it that know HTML: text on lines of its own, indented."""
    depth, lines = 0, []
    for part in re.findall(r"</?[a-z][^>]*>|(?:[^<]|<(?!/?[a-z]))+", wxml):
        depth -= part.startswith("</")
        if part.strip():
            lines.append("  " * depth + part.strip())
        depth += bool(re.match("<[a-z]", part))
    return "\n".join(lines) + "\n"


def reflowed(wxml: str) -> str:
    """What other formatters make of it: long text goes on below, and the closing tag after it."""
    return re.sub(r"(?<=[^>\n])</text>", "\n</text>", wxml.replace("<text>", "<text\n  >\n    "))


@pytest.mark.parametrize("formatter", [formatted, reflowed])
@pytest.mark.parametrize("target", OPTIONS["target"])
def test_damage_by_formatters_is_seen_and_repaired(target: Target, formatter: Any) -> None:
    text = "标题\n\n　　第一段 with words\n    second  paragraph < 3\n\nlast"
    output = wxtext.convert(text, target=target)
    shown = wxtext.show(output, target)
    assert wxtext.show(formatter(output), target) != shown
    assert wxtext.convert(text, target=target) == output


def test_text_is_as_wide_as_its_characters() -> None:
    characters = [chr(code) for code in range(0x20, 0x20000) if not 0xD800 <= code < 0xE000]
    chinese = "中" * semantics._LONG
    wrong = [c for c in characters if semantics.columns(c + chinese + c) != 2 * (width(c) + len(chinese))]
    assert wrong == []
    assert [c for c in characters if semantics.columns(c) != width(c)] == []

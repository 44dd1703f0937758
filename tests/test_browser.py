"""Chromium lays out what was converted: rows and left edges, on a telephone's screen and on a wide one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest

import wxtext
from tests import browser
from tests.browser import Job, Row, lay_out
from tests.conftest import absent
from tests.expected import expected
from tests.judge import COMPILERS, Case
from tests.oracle import Oracle
from tests.shown import Node, rows
from tests.strategies import OPTIONS, random_content, random_notes, random_options
from tests.test_oracle import CASES
from wxtext.semantics import Target

#: CSS pixels: no line breaks by itself on the one, most do on the other.
WIDE, PHONE = 30_000, 375


@pytest.fixture(scope="module", autouse=True)
def _browser() -> None:
    if (reason := browser.missing()) is not None:
        absent(reason)


@pytest.mark.parametrize(("compiler", "target"), [("wcc", "webview"), ("glass-easel", "glass-easel")])
def test_the_browser_and_the_layout_model_agree(oracle: Oracle, compiler: str, target: str) -> None:
    results = oracle.compile(compiler, [case["wxml"] for case in CASES])
    trees = [(case, result["tree"]) for case, result in zip(CASES, results, strict=True) if "tree" in result]
    answers = lay_out([Job(tree, target, WIDE) for _, tree in trees])
    for (case, tree), laid_out in zip(trees, answers, strict=True):
        found = [row.text for row in laid_out]
        assert found == rows(tree, target), case
        if target == "webview" and "shown" in case:
            assert "\n".join(found).rstrip("\n") == case["shown"], case


@pytest.mark.parametrize(("compiler", "target"), [("wcc", "webview"), ("glass-easel", "glass-easel")])
def test_they_agree_on_any_content(oracle: Oracle, compiler: str, target: str) -> None:
    # Without what is no character of its own to the browser: soft hyphens, and what joins the one before.
    sources = [re.sub("[\u00ad\ufe0f]", "", random_content(Random(f"content:{seed}"))) for seed in range(600)]
    trees = [result["tree"] for result in oracle.compile(compiler, sources) if "tree" in result]
    answers = lay_out([Job(tree, target, WIDE) for tree in trees])
    for tree, laid_out in zip(trees, answers, strict=True):
        # An inline-block without anything in it is a row that the browser cannot tell of.
        assert ([row.text for row in laid_out] or [""]) == (rows(tree, target) or [""]), tree


def test_two_em_spaces_are_as_wide_as_two_ideographic_spaces() -> None:
    blanks = ["\u2003\u2003", "\u3000\u3000", "\u2002\u2002\u2002\u2002", "中文"]
    answers = lay_out([Job(as_typed([f"{blank}x"]), "webview", PHONE) for blank in blanks])
    assert [row.lefts[-1] for [row] in answers] == [32.0] * 4


@pytest.mark.parametrize("nested", [False, True])
def test_an_indent_of_its_own_stays_alone_unless_nested(oracle: Oracle, nested: bool) -> None:
    """Two inline-blocks break between each other when the line is full."""
    indent = "<text space=\"emsp\"{}>{{{{'  '}}}}</text>"
    if nested:
        source = f"<text user-select>{indent.format('')}{'很长' * 30}</text>"
    else:
        source = f"{indent.format(' user-select')}<text user-select>{'很长' * 30}</text>"
    [result] = oracle.compile("wcc", [f"<view>{source}</view>"])
    [laid_out] = lay_out([Job(result["tree"], "webview", PHONE)])
    assert laid_out[0].text.isspace() is not nested


def as_typed(lines: Sequence[str]) -> list[Node]:
    """A tree that shows each line in a block of its own, without any conversion."""
    return [
        {
            "tag": "view",
            "attrs": {},
            "children": [{"tag": "text", "attrs": {}, "children": [line or "\u00a0"]}],
        }
        for line in lines
    ]


# Words that a telephone's screen has room for, so that a line that is too long breaks between them.
PROSE = [
    "　　话说天下大势，分久必合，合久必分。周末七国分争，并入于秦；及秦灭之后，楚、汉分争，又并入于汉。\n"
    "　　汉朝自高祖斩白蛇而起义，一统天下，后来光武中兴，传至献帝，遂分为三国。",
    "    An indented paragraph of many short words that do not fit on one row of a telephone's screen.\n"
    "Plain line one\n\n\n  line two, also much longer than the screen of any telephone, so that it breaks",
    "服务条款\n\n    一、用户应当遵守 Terms & Conditions 的规定，不得从事任何违反法律的行为，否则后果自负。\n"
    "        （一）第二层的条款也足够长，长得必须折行，折行之后从屏幕的左边重新开始。\n",
    "static int x;\tint y;    // 注释 <b> &amp; {{x}} \\n 很长很长很长很长很长很长很长的注释\n\treturn x;",
]


def converted(oracle: Oracle, cases: Sequence[Case]) -> list[tuple[Case, list[Node]]]:
    """The trees that the official compilers make of converted notes."""
    trees: dict[int, list[Node]] = {}
    for compiler in ("wcc", "glass-easel"):
        chosen = [index for index, case in enumerate(cases) if COMPILERS[case.options["target"]] == compiler]
        sources = [wxtext.convert(cases[index].notes, **cases[index].options) for index in chosen]
        for index, result in zip(chosen, oracle.compile(compiler, sources), strict=True):
            trees[index] = result["tree"]
    return [(case, trees[index]) for index, case in enumerate(cases)]


def prose_cases() -> Iterator[Case]:
    """The prose in every combination of target and space mode, and of the options for blocks."""
    for notes in PROSE:
        for target in OPTIONS["target"]:
            for space in OPTIONS["space"]:
                for user_select in (False, True):
                    for per in OPTIONS["per"]:
                        options = {"target": target, "space": space, "user_select": user_select, "per": per}
                        yield Case(notes, options)


def random_cases(seed: str, count: int) -> list[Case]:
    """Any notes and options, but no live bindings, for which a page with empty data has no values.

    Nor soft hyphens: they show only where a row breaks, and the browser then misplaces their neighbours.
    """
    random = Random(seed)
    return [
        Case(random_notes(random).replace("\u00ad", ""), {**random_options(random), "bindings": False})
        for _ in range(count)
    ]


def without_spaces(text: str) -> str:
    """Text without U+0020, which vanishes where a line is broken into rows."""
    return text.replace(" ", "")


def rows_of_lines(case: Case, lines: Sequence[str], laid_out: list[Row]) -> list[list[str]]:
    """The rows of each line: it begins on one of its own at the left edge, and its rows hold all of it."""
    left = iter(laid_out)
    groups = []
    for line in lines:
        group = [next(left).text]
        while without_spaces("".join(group)) != without_spaces(line):
            assert without_spaces(line).startswith(without_spaces("".join(group))), (case, line, laid_out)
            group.append(next(left).text)
        groups.append(group)
    assert list(left) == [], case
    for row in laid_out:
        assert abs(min(row.lefts, default=0.0)) < 0.1, (case, row)
    return groups


@pytest.mark.parametrize("cases", [list(prose_cases()), random_cases("wxtext", 400)], ids=["prose", "random"])
def test_every_line_starts_on_a_row_of_its_own(oracle: Oracle, cases: list[Case]) -> None:
    """On the telephone the rows are those of the lines laid out one by one, as if typed."""
    jobs: list[Job] = []
    wanted: list[list[str]] = []
    for case, tree in converted(oracle, cases):
        text = expected(case.notes, **case.options)
        lines = text.split("\n") if text else []
        wanted.append(lines)
        target = case.options["target"]
        jobs += [Job(tree, target, WIDE), Job(tree, target, PHONE), Job(as_typed(lines), "webview", PHONE)]
    answers = iter(lay_out(jobs))
    for case, lines in zip(cases, wanted, strict=True):
        wide, phone, typed = next(answers), next(answers), next(answers)
        assert [row.text for row in wide] == lines, case
        rows_of_lines(case, lines, wide)
        groups = rows_of_lines(case, lines, phone)
        as_if_typed = rows_of_lines(case, [line or "\u00a0" for line in lines], typed)
        pairs = [
            (group, typed_group)
            for group, typed_group, line in zip(groups, as_if_typed, lines, strict=True)
            if line
        ]
        if case.notes in PROSE:
            assert all(group == typed_group for group, typed_group in pairs), (case, pairs)
        elif not case.options["user_select"]:
            # A line that all but fills a row may break elsewhere, by rounding. And a word wider than the
            # screen widens its whole inline-block (`user-select`), and with it its neighbours' rows.
            assert all(group[0].isspace() == typed_group[0].isspace() for group, typed_group in pairs), case


TABLES = {
    "table": "name      age  city\nAnn        20  Rome\nBartholom   3  Lyon\nJo       1234  Bonn",
    "listing": "    int x;      // one\n  char *name;   // two\n\tlong z;\t\t// 3\nint y;          // four",
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("space", ["auto", "ensp", "nbsp"])
@pytest.mark.parametrize("target", OPTIONS["target"])
def test_columns_align_in_a_font_of_one_width(oracle: Oracle, name: str, space: str, target: str) -> None:
    notes = TABLES[name]
    options = {"target": target, "space": space, "class_": "table"}
    [(_case, tree)] = converted(oracle, [Case(notes, options)])
    [laid_out] = lay_out(
        [Job(tree, target, WIDE, css=".table { font-family: 'DejaVu Sans Mono', monospace }")]
    )
    assert len(laid_out) == 4
    last = [re.search(r"(\w+|// \w+)$", row.text) for row in laid_out]
    edges = [row.lefts[match.start()] for row, match in zip(laid_out, last, strict=True) if match]
    assert max(edges) - min(edges) < 1, edges


@pytest.mark.parametrize("target", OPTIONS["target"])
def test_indentation_without_columns_is_em_spaces(target: Target) -> None:
    shown = wxtext.show(wxtext.convert("    第一段\n\na  b\n    c", target=target), target)
    assert shown.split("\n")[0] == "\u2003\u2003第一段"
    assert shown.split("\n")[-1] == "\u2002\u2002\u2002\u2002c"

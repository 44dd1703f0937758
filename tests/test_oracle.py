"""The official compilers judge: the observed cases, our model of the layout, and many random conversions."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path
from typing import Any

import pytest

import wxtext
from tests import fuzz
from tests.judge import COMPILERS, Case, Values, judge, texts
from tests.oracle import Oracle
from tests.shown import rows, shown
from tests.strategies import OPTIONS
from wxtext.options import Per
from wxtext.semantics import Target

DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "compilers.json").read_text("utf-8"))
TODAY = datetime.datetime.now(datetime.timezone.utc).date().isoformat()


@pytest.mark.parametrize("compiler", ["wcc", "glass-easel"])
def test_the_compilers_here_behave_as_observed(oracle: Oracle, compiler: str) -> None:
    results = oracle.compile(compiler, [case["wxml"] for case in CASES])
    for case, result in zip(CASES, results, strict=True):
        observed = case[compiler.replace("-", "_")]
        if isinstance(observed, list):
            assert list(texts(result["tree"])) == observed, case
        else:
            assert "error" in result, case


def test_the_layout_model_shows_what_was_observed(oracle: Oracle) -> None:
    cases = [case for case in CASES if "shown" in case]
    results = oracle.compile("wcc", [case["wxml"] for case in cases])
    for case, result in zip(cases, results, strict=True):
        assert shown(result["tree"], "webview") == case["shown"], case


@pytest.mark.parametrize("seed", ["wxtext", TODAY])
@pytest.mark.parametrize("contents", [False, True], ids=["notes", "contents"])
def test_random_cases_show_as_expected(oracle: Oracle, seed: str, contents: bool) -> None:
    """3 000 notes a run, and what `show` says of as many random contents."""
    for start in range(0, 1500, fuzz.CHUNK):
        numbers = range(start, min(start + fuzz.CHUNK, 1500))
        assert not list(fuzz.failures(oracle, seed, numbers, contents=contents))


@pytest.mark.parametrize(
    ("case", "wrong", "verdict"),
    [
        (Case("a b", {}), "<text>a\\nb</text>", "row 1 shows 'a' instead of 'a b'"),
        (Case("a\nb", {}), "<text>a</text><text>b</text>", "row 1 shows 'ab' instead of 'a'"),
        (Case("a\\n", {}), "<text>a\\n</text>", "row 1 shows 'a'"),
        (Case("a  b", {}), "<text>a  b</text>", "row 1 shows 'a b' instead of 'a\\u2002\\u2002b'"),
        (
            Case("a  b", {"target": "skyline", "view": True}),
            '<text space="emsp">a b</text>',
            "a block that is not",
        ),
        (
            Case("a\n\nb", {"view": True}),
            "<view><text>a</text></view><view><text>b</text></view>",
            "row 2 shows 'b'",
        ),
        (Case("<view/>", {}), "<view/>", "not a <text>"),
        (Case("a", {}), '<text bindtap="x">a</text>', "attributes"),
        (Case("a", {}), "<text>a<image/></text>", "foreign element"),
        (Case("a", {}), "<text>a<view/></text>", "foreign element"),
        (Case("a", {}), "a", "loose text"),
        (Case("a", {"class_": "note"}), "<text>a</text>", "attributes"),
        (Case("a", {"user_select": True}), "<view><text>a</text></view>", "user-select is not"),
        (Case("<", {}), "<text><</text>", "refused"),
        (Case("&B;", {"target": "glass-easel"}), "<text>&B;</text>", "refused"),
        (Case("{{x}}", {}), "<text>{{x}}</text>", "row 1 shows"),
        (Case("a\n", {"target": "skyline"}), "<view><text>a{{'\\n'}}</text></view>", "a line break without"),
    ],
)
def test_the_judge_sees_what_is_wrong(
    oracle: Oracle, monkeypatch: pytest.MonkeyPatch, case: Case, wrong: str, verdict: str
) -> None:
    monkeypatch.setattr(wxtext, "convert", lambda *_args, **_options: wrong)
    defaults = {option: values[0] for option, values in OPTIONS.items()}
    [found] = judge(oracle, Values(oracle), [Case(case.notes, {**defaults, **case.options})])
    assert found is not None
    assert found.startswith(verdict)


@pytest.mark.parametrize("target", OPTIONS["target"])
@pytest.mark.parametrize("view", [False, True])
@pytest.mark.parametrize(
    ("per", "shared"),
    [
        ("paragraph", ["标题", "一 二", "三", "四 五"]),
        ("line", ["标题", "一", "二", "三", "四", "五"]),
        ("file", ["标题 一 二 三 四 五"]),
    ],
)
def test_what_shares_a_block(oracle: Oracle, target: Target, view: bool, per: Per, shared: list[str]) -> None:
    output = wxtext.convert("标题\n\n　　一\n二\n　　三\n\n\n四\n五", target=target, per=per, view=view)
    [result] = oracle.compile(COMPILERS[target], [output])
    blocks = [" ".join(" ".join(rows([block], target)).split()) for block in result["tree"]]
    assert [block for block in blocks if block] == shared


# More elements, bindings or characters in one piece than the compilers stand, each in another way.
HUGE = {
    "wide runs in a line": "a b\t" * 3000 + "c",
    "wide runs in a paragraph": "a b\tc d\n" * 3000,
    "paragraphs": "　　段 a\n\n" * 17_000,
    "listing": "".join(f"{'    ' * (number % 5)}x = {number};  y\n" for number in range(17_000)),
    "blank lines": "a" + "\n" * 5000 + "b",
    "backslashes": "\\" * 100_000,
    "constants": "< \\n &amp; {{ }} " * 2000,
    "live bindings": "{{a}} x\t" * 2000 + "y",
    "spaces": "x" + " " * 100_000 + "y z",
    "indentation": " " * 100_000 + "y z",
    "removed characters": "\0" * 20_000 + "x",
}


@pytest.mark.parametrize("target", OPTIONS["target"])
@pytest.mark.parametrize("per", OPTIONS["per"])
@pytest.mark.parametrize("name", HUGE)
def test_no_size_breaks_a_compiler(oracle: Oracle, name: str, per: str, target: str) -> None:
    defaults = {option: values[0] for option, values in OPTIONS.items()}
    options = {**defaults, "per": per, "target": target}
    varied = {**options, "user_select": True, "class_": "note", "bindings": True, "space": "nbsp"}
    cases = [Case(HUGE[name], options), Case(HUGE[name], varied)]
    assert judge(oracle, Values(oracle), cases) == [None, None]


@pytest.mark.parametrize(
    ("target", "most"), [("webview", 15_000), ("glass-easel", 2_000), ("skyline", 2_000)]
)
@pytest.mark.parametrize("view", [False, True])
def test_blocks_past_the_most_elements_are_merged_and_told(target: Target, most: int, view: bool) -> None:
    notices: list[wxtext.Notice] = []
    output = wxtext.convert("字\n\n" * (most - 1) + "字", target=target, view=view, on_notice=notices.append)
    assert most - 10 < output.count("<text") + output.count("<view") <= most
    assert [1 < notice.line < 2 * most for notice in notices] == [True] * (view or target == "skyline")


@pytest.mark.parametrize("target", ["webview", "glass-easel"])
def test_entities_names_and_values_of_any_length(oracle: Oracle, target: Target) -> None:
    """Nothing raises, and the verdict is the compiler's."""
    chance = random.Random(f"long {target}")

    def entity() -> str:
        start = chance.choice(("#", "#x", "#X", "a", "lt", "#0", "#x0", "# ", "#-"))
        digits = chance.choice(("0123456789", "0123456789abcdefF"))
        count = chance.choice((1, 2, 3, 5, 7, 8, 10, 20, 100, 5_000))
        return f"&{start}{''.join(chance.choices(digits, k=count))}{chance.choice((';', '', ' '))}"

    shapes = (
        "<text>{}</text>",
        "<text decode>{}</text>",
        '<view a="{}"/>',
        '<view style="{0}" class="x{0}"/>',
        f'<a{"9" * 5_000} b{"0" * 5_000}="{{}}"/>',
        f"<text {'x' * 9_000}>{{}}</text>",
    )
    sources = [chance.choice(shapes).format(entity()) for _ in range(150)]
    results = oracle.compile(COMPILERS[target], sources)
    for source, result in zip(sources, results, strict=True):
        wxtext.fix(source, target=target, unsafe=True)
        try:
            wxtext.show(source, target)
        except wxtext.WxmlError:
            assert "tree" not in result, source[:80]
        else:
            assert "tree" in result, source[:80]

"""The official compilers judge: the observed cases, our model of the layout, and many random conversions."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from tests import fuzz
from tests.judge import Case, Values, judge, texts
from tests.oracle import Oracle
from tests.shown import shown
from tests.strategies import OPTIONS

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

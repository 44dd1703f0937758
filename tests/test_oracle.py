"""The official compilers judge: the observed cases, our model of the layout, and many random conversions."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from tests import fuzz
from tests.judge import texts
from tests.oracle import Oracle
from tests.shown import shown

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
    found = [
        failure
        for start in range(0, 1500, fuzz.CHUNK)
        for failure in fuzz.failures(
            oracle, seed, range(start, min(start + fuzz.CHUNK, 1500)), contents=contents
        )
    ]
    assert not found

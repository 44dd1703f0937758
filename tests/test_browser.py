"""Chromium lays out what was converted: rows and left edges, on a telephone's screen and on a wide one."""

from __future__ import annotations

import pytest

from tests import browser
from tests.browser import Job, lay_out
from tests.conftest import absent
from tests.oracle import Oracle
from tests.shown import Node, rows
from tests.test_oracle import CASES

WIDE, PHONE = 3000, 375


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


def test_two_em_spaces_are_as_wide_as_two_ideographic_spaces() -> None:
    blanks = ["\u2003\u2003", "\u3000\u3000", "\u2002\u2002\u2002\u2002", "中文"]
    trees: list[list[Node]] = [[{"tag": "text", "attrs": {}, "children": [f"{blank}x"]}] for blank in blanks]
    laid_out = lay_out([Job(tree, "webview", PHONE) for tree in trees])
    assert [row.lefts[-1] for [row] in laid_out] == [32.0] * 4

"""Chromium lays pages out before and after safe fixes: what has a row of its own keeps it, in any parent."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from tests import browser
from tests.browser import Job, lay_out
from tests.conftest import absent
from tests.oracle import Oracle
from tests.strategies import DATA
from tests.test_fixes import random_page
from wxtext.fixer import fix
from wxtext.lint import Settings
from wxtext.semantics import COMPILERS, Target

TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")

#: CSS pixels: no line breaks by itself on the one, long ones do on the other.
WIDTHS = 30_000, 375

#: What real pages hold that fixes have once joined, by its kind.
KINDS = {
    "a label and its value, twice": "<text>姓名：{{name}}\n    电话：{{phone}}</text>",
    "two values": "<text>{{name}}\n{{phone}}</text>",
    "neighbours": "<text>\nHello\n</text><text>\nWorld\n</text>",
    "a text and a value": "<text>总价</text><text>\n{{price}}\n</text>",
    "price and delivery fee": "<text>\n  ¥{{price}}\n  配送费 ¥{{fee}}\n</text>",
    "player and score": '<text class="name">{{name}}\n</text>\n<text class="score">\n  {{score}} 分\n</text>',
    "song and author": (
        '<block wx:for="{{songs}}">\n  <text>\n    {{item}}\n    </text><text>{{name}}\n  </text>\n</block>'
    ),
}
VALUES = {
    "name": "王小明",
    "phone": "13800000000",
    "price": "9.90",
    "fee": "5",
    "score": "100",
    "songs": ["茉莉花", "康定情歌"],
}

#: Rules that fix white space alone.
WHITE_SPACE = frozenset(("layout-white-space", "collapsed-spaces", "whitespace-only-text"))

#: Where a text may stand, as style of the classes. Where the boxes of texts stand side by side, each has rows
#: of its own: what a line break at its start makes is a blank one.
PARENTS = {
    "block": "",
    "flex row": ".parent { display: flex }",
    "flex column": ".parent { display: flex; flex-direction: column }",
    "inline-block": ".parent { display: inline-block }",
    "ellipsis": ".parent { width: 120px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }",
    "centred": ".parent { text-align: center }",
    "floats": ".parent > * { float: left }",
    "blocks": ".parent > * { display: block }",
}
#: Style of the class that some elements of random pages have.
OF_CLASS = {
    "inline-block": ".a { display: inline-block }",
    "inline": ".a { display: inline }",
    "pre-wrap": ".a { white-space: pre-wrap }",
}
SIDE_BY_SIDE = frozenset(("flex row", "floats"))


@pytest.fixture(scope="module", autouse=True)
def _browser() -> None:
    if (reason := browser.missing()) is not None:
        absent(reason)


def rows_in_parents(
    oracle: Oracle, target: Target, sources: Sequence[str], data: dict[str, Any]
) -> list[dict[tuple[str, int], list[str]]]:
    """What each source shows on its rows in each parent, on each screen. Blank rows are left out."""
    pages = [f'<view class="parent">{source}</view>' for source in sources]
    trees = [result["tree"] for result in oracle.compile(COMPILERS[target], pages, data)]
    places = [(parent, width) for parent in PARENTS for width in WIDTHS]
    answers = iter(
        lay_out(
            [
                Job(tree, target, width, PARENTS[parent], ".parent" if parent in SIDE_BY_SIDE else "")
                for tree in trees
                for parent, width in places
            ]
        )
    )
    return [
        {place: [row.text.strip() for row in next(answers) if row.text.strip()] for place in places}
        for _tree in trees
    ]


@pytest.mark.parametrize("target", TARGETS)
def test_real_pages_keep_their_rows(oracle: Oracle, target: Target) -> None:
    pages = list(KINDS.values())
    fixed = [fix(page, target)[0] for page in pages]
    assert fixed != pages
    for page, before, after in zip(
        KINDS,
        rows_in_parents(oracle, target, pages, VALUES),
        rows_in_parents(oracle, target, fixed, VALUES),
        strict=True,
    ):
        assert before == after, page


def without_spaces(rows: Sequence[str]) -> list[str]:
    """Rows without spaces: how wide a blank is may change where no row does."""
    return ["".join(row.split()) for row in rows]


def fixed_pages(oracle: Oracle, target: Target, seed: str, count: int, settings: Settings) -> dict[str, str]:
    """Random pages that the compiler takes and that fixes change, and what they become."""
    pages = [random_page(Random(f"{seed}:{number}")) for number in range(count)]
    compiled = oracle.compile(COMPILERS[target], pages, DATA)
    fixed = {
        page: fix(page, target, settings)[0]
        for page, result in zip(pages, compiled, strict=True)
        if "tree" in result
    }
    return {page: after for page, after in fixed.items() if after != page}


@pytest.mark.parametrize("target", ["webview", "glass-easel"])
def test_any_page_keeps_its_rows(oracle: Oracle, target: Target) -> None:
    fixed = fixed_pages(oracle, target, "parents", 150, Settings(select=WHITE_SPACE))
    assert len(fixed) > 20
    before = rows_in_parents(oracle, target, [*fixed], DATA)
    after = rows_in_parents(oracle, target, [*fixed.values()], DATA)
    for page, old, new in zip(fixed, before, after, strict=True):
        for place, rows in old.items():
            assert without_spaces(rows) == without_spaces(new[place]), (place, page)


@pytest.mark.parametrize("target", ["webview", "glass-easel"])
@pytest.mark.parametrize("style", OF_CLASS)
def test_any_page_keeps_its_rows_whatever_its_style(oracle: Oracle, style: str, target: Target) -> None:
    classes = frozenset("a")
    settings = (
        Settings(select=WHITE_SPACE, preserving_classes=classes)
        if style == "pre-wrap"
        else Settings(select=WHITE_SPACE, inline_classes=classes)
    )
    fixed = fixed_pages(oracle, target, f"style {style}", 250, settings)
    assert len(fixed) > 20

    def rows(sources: list[str]) -> list[list[str]]:
        trees = [result["tree"] for result in oracle.compile(COMPILERS[target], sources, DATA)]
        laid_out = lay_out([Job(tree, target, WIDTHS[0], OF_CLASS[style]) for tree in trees])
        return [[row.text.strip() for row in rows if row.text.strip()] for rows in laid_out]

    for page, old, new in zip(fixed, rows([*fixed]), rows([*fixed.values()]), strict=True):
        assert without_spaces(old) == without_spaces(new), page

"""Large and hostile notes and pages: time grows as they do, and caches keep nothing that is long."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable

import pytest

import wxtext
from tests import growth
from wxtext import fixer, rules, tree
from wxtext.layout import show_variants
from wxtext.lint import Settings, check
from wxtext.page import Page
from wxtext.semantics import Target

SMALL, LARGE = 4_000, 32_000

HOSTILE = {
    "backslashes": "\\",
    "tags": "<a",
    "entities": "&a",
    "braces": "{",
    "bindings that never close": "{{",
    "bindings that close at the end": "{{a + 'x' + ",
    "bindings in strings": "{{'{{' + ",
    "bindings": "{{a}} ",
    "lines": "a\n",
    "paragraphs": "  a b\n\n",
    "runs of spaces": "a  b\t",
    "controls": "\x01",
}


@pytest.mark.parametrize("target", ["webview", "skyline"])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_time_is_linear(piece: str, target: Target) -> None:
    def duration(count: int) -> float:
        # What other tests have left is not to be looked through while time is taken.
        gc.collect()
        gc.disable()
        try:
            start = time.process_time()
            wxtext.convert(piece * count + "}}", target=target, bindings=True)
            return time.process_time() - start
        finally:
            gc.enable()

    duration(100)
    small = max(min(duration(SMALL) for _ in range(3)), 0.004)
    # Were it quadratic, it would be 64 times.
    assert min(duration(LARGE) for _ in range(2)) < small * (LARGE / SMALL) * 4


def _find(source: str, expression: str) -> None:
    # Made and let go of here, whatever an expression may cost in a check.
    list(tree.Tree(Page(source, "webview")).find(tree._compiled(expression)))


def _may_turn(shown: str) -> None:
    rules.load("swallowed-tag").may_turn(shown, f"{shown}a")


#: What has taken quadratic time, how often it is repeated at first, and what is done with it.
GREW: dict[str, tuple[int, growth.Make, Callable[[str], object]]] = {
    "backslashes outside text": (8_000, lambda n: "\\" * n + " \\n", check),
    "boxes of several rows in each other": (
        500,
        lambda n: "<text user-select>a\\n" * n + "b</text>" * n,
        wxtext.show,
    ),
    "loops in each other": (
        1_500,
        lambda n: "<text>" + "<block wx:for='{{a}}'>\n" * n + "a" + "</block>\n" * n + "</text>",
        check,
    ),
    "spaces after slots in each other": (
        1_000,
        lambda n: "<text>" + "<slot> " * n + " </slot>" * n + "</text>",
        check,
    ),
    "conditions that exclude each other": (
        250,
        lambda n: (
            "<text>\n "
            + "".join(f"<text wx:if='{{{{a === {i}}}}}'> b  </text>" for i in range(n))
            + "</text>"
        ),
        lambda source: wxtext.fix(source, unsafe=True),
    ),
    "digits in a string that is no number": (
        2_000,
        lambda n: f"<text>{{{{'{'0' * n}x' * 1}}}}</text>",
        check,
    ),
    "braces in a binding": (4_000, lambda n: "<text>{{" + "{" * n + "}}</text>", check),
    "boxes beside each other": (8_000, lambda n: "<text user-select>a</text>\n" * n, check),
    "boxes after boxes in each other": (
        300,
        lambda n: "<text user-select>{{a}}</text><text user-select>{{a}}" * n + "</text>" * n,
        check,
    ),
    "digits before a letter": (
        2_000,
        lambda n: f"<text>{{{{{'9' * n}a}}}}</text>",
        lambda source: check(source, "skyline"),
    ),
    "comments without an end, shown": (2_000, lambda n: "<!--" * n, _may_turn),
    "attributes": (
        500,
        lambda n: "<text" + "".join(f" a{i}='b'" for i in range(n)) + "/>",
        lambda source: _find(source, "//@*"),
    ),
    "texts beside comments": (
        1_000,
        lambda n: "<view>" + "a<!---->b<text/>" * n + "</view>",
        lambda source: _find(source, "//text"),
    ),
    "a tree of elements in each other": (
        1_000,
        lambda n: "<view a='b'>c" * n + "</view>" * n,
        lambda source: _find(source, "/*"),
    ),
}


@pytest.mark.parametrize("name", GREW)
def test_what_grew_is_linear(name: str) -> None:
    count, make, work = GREW[name]
    small, large = make(count), make(count * 16)
    work(make(10))
    taken = max(growth.seconds(lambda: work(small), 3), 0.004)
    # Were it quadratic, it would be 256 times.
    assert growth.seconds(lambda: work(large), 3) < taken * 16 * 5


def test_looking_for_bad_fixes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []

    def counted(source: str, target: Target) -> list[str] | None:
        laid_out.append(len(source))
        return show_variants(source, target)

    monkeypatch.setattr(fixer, "show_variants", counted)
    monkeypatch.setattr(fixer, "_MOST_LAID_OUT", 500_000)
    # Too deep for skyline: the outermost stays, and each of the others does harm alone.
    source = "<Text>" * 800 + "a" + "</Text>" * 800
    assert fixer.fix(source, "skyline", unsafe=True)[0] == source
    assert sum(laid_out) < 600_000
    laid_out.clear()
    fixer.fix_on(("skyline", "glass-easel", "webview"), source, Settings(), unsafe=True)
    # Of each target and round all is tried together, and what is looked for is bounded for all of them.
    assert sum(laid_out) < 1_000_000


#: Pages of about so many characters, all different.
LONG_PAGES: dict[str, Callable[[int, str], str]] = {
    "values": lambda n, filling: f"<text a='{n}{filling}'>a</text>",
    "values with a binding": lambda n, filling: f"<text wx:if='{n}{filling} {{{{b}}}}'>a</text>",
    "strings": lambda n, filling: f"<text a=\"{{{{'{n}{filling}'}}}}\">{{{{'{n}{filling}'}}}}</text>",
    "names": lambda n, filling: f"<view{n}{filling}/>",
    "names of attributes": lambda n, filling: f"<view a{n}{filling}='' b='c'/>",
    "many attributes": lambda n, filling: (
        "<view" + "".join(f" a{n}x{i}='b'" for i in range(len(filling) // 12)) + "/>"
    ),
    "suppressions": lambda n, filling: f"<!-- wxtext-ignore {n}{filling} -->a",
    "texts": lambda n, filling: f"<text user-select hidden='{{{{a}}}}'>{n}{filling}  \\n</text>",
    "booleans": lambda n, filling: f"<text user-select='{n}{filling}'>a\\n</text>",
    "entities": lambda n, filling: f"<text a='&lt;{n}{filling}'>&lt;{n}{filling}</text>",
}


@pytest.mark.parametrize("target", ["webview", "glass-easel"])
@pytest.mark.parametrize("kind", LONG_PAGES)
def test_caches_keep_nothing_long(kind: str, target: Target) -> None:
    length, pages = 100_000, 12
    everything = Settings(info=True)

    def work(number: int) -> None:
        check(LONG_PAGES[kind](number, "x" * length), target, everything)

    for number in range(2):
        work(number)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(2, 2 + pages):
            work(number)
        gc.collect()
        kept, _peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Less than one page of them.
    assert kept < length

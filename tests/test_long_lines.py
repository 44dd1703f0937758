"""Lines that are too long to be written at once: what they show, and how time and memory grow with them."""

from __future__ import annotations

import tracemalloc
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import wxtext
from tests import growth
from tests.bench.lines import PIECES
from tests.expected import expected, seen
from tests.judge import Case, Values, judge
from tests.oracle import Oracle
from tests.strategies import notes, options, random_notes, random_options
from wxtext import blocks
from wxtext.errors import WxmlError

MOST = st.integers(1, 12)


def longest_row(most: int) -> Any:
    """What is longer than so many characters is written in parts."""
    return patch.object(blocks, "_LONGEST_ROW", most)


@given(notes(), options(), MOST)
@example("a&lt;b & {{c}} <d\\n  e", {"target": "glass-easel"}, 2)
@example("\n\n　　a b c\n\n\nd", {"target": "skyline"}, 2)
@example("a b\nc", {"view": True}, 1)
def test_a_line_in_parts_shows_what_it_shows_as_a_whole(text: str, chosen: dict[str, Any], most: int) -> None:
    with longest_row(most):
        output = wxtext.convert(text, **chosen)
    target = chosen.get("target", "webview")
    assert wxtext.show(output, target) == seen(expected(text, **chosen), target)


@given(notes(), options(), MOST)
def test_a_template_of_ones_own_gets_the_same(text: str, chosen: dict[str, Any], most: int) -> None:
    with longest_row(most):
        output = wxtext.convert(text, template="page", **chosen)
    target = chosen.get("target", "webview")
    assert wxtext.show(output, target) == seen(expected(text, **chosen), target)


def test_lines_in_parts_on_the_official_compilers(oracle: Oracle) -> None:
    chance = Random("lines in parts")
    values = Values(oracle)
    for most in (1, 2, 3, 5, 8, 13):
        cases = [Case(random_notes(chance), random_options(chance)) for _ in range(150)]
        with longest_row(most):
            verdicts = judge(oracle, values, cases)
        wrong = [(case, verdict) for case, verdict in zip(cases, verdicts, strict=True) if verdict]
        assert wrong == []


def test_a_long_line_is_a_block_of_its_own() -> None:
    long = "长" * (blocks._LONGEST_ROW + 1)
    assert wxtext.convert(f"a\n{long}\nb") == f"<text>a\\n</text>\n<text>{long}\\n</text>\n<text>b</text>\n"
    assert wxtext.convert(f"a\n{long}\nb", per="file") == f"<text>a\\n{long}\\nb</text>\n"
    just = long[1:]
    assert wxtext.convert(f"a\n{just}\nb") == f"<text>a\\n{just}\\nb</text>\n"


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_memory_grows_as_the_line_alone(piece: str) -> None:
    """What is written and verified is not held: of a line many times as long only itself is."""

    def peak(line: str) -> int:
        tracemalloc.start()
        try:
            deque(wxtext.convert_lines([line]), maxlen=0)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    with longest_row(1 << 11):
        short, long = piece * (10_000 // len(piece)), piece * (100_000 // len(piece))
        peak(short)
        # The converter holds the line without white space at its end, and has it in its hands when it cleans
        # it. Each character takes up to four bytes. Written at once it took 75 and more.
        assert peak(long) - peak(short) < 16 * (len(long) - len(short))


def show(source: str) -> None:
    """What the compiler refuses is read as well."""
    with suppress(WxmlError):
        wxtext.show(source)


#: What is done with a line.
WORK: dict[str, Callable[[str], object]] = {
    "convert": wxtext.convert,
    "convert --bindings": lambda line: wxtext.convert(line, bindings=True),
    "convert --indent": lambda line: wxtext.convert(line, indent=2, target="skyline"),
    "show": lambda line: show(f"<text>{line}</text>"),
    "check": lambda line: wxtext.check(f"<text>{line}</text>"),
    "fix": lambda line: wxtext.fix(f"<text>{line}</text>"),
}


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_time_is_linear(piece: str, work: str) -> None:
    small, large = piece * (2_000 // len(piece)), piece * (32_000 // len(piece))
    WORK[work](small)
    taken = max(growth.seconds(lambda: WORK[work](small), 3), 0.003)
    # Were it quadratic, it would be 256 times.
    assert growth.seconds(lambda: WORK[work](large), 2) < taken * 16 * 4

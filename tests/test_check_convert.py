"""What `convert` writes, `check` finds nothing in, whatever the notes, the options and the target."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import example, given

import wxtext
from tests.strategies import notes, options, random_notes, random_options
from wxtext.lint import check
from wxtext.problem import Problem

#: Characters that the notes themselves hold are not taken away without asking.
OF_THE_NOTES = "invisible-character"


def problems(text: str, chosen: dict[str, Any]) -> list[Problem]:
    """What is found in the notes converted."""
    output = wxtext.convert(text, **chosen, verify=False)
    return [
        problem
        for problem in check(output, chosen.get("target", "webview"))
        if problem.rule != OF_THE_NOTES or not set(output[problem.start : problem.end]) <= set(text)
    ]


@given(notes(), options())
@example("a  b\n    c  d e\n", {"space": "emsp", "per": "file"})
def test_converted_notes_are_clean(text: str, chosen: dict[str, Any]) -> None:
    assert problems(text, chosen) == []


@pytest.mark.parametrize("seed", range(20))
def test_many_converted_notes_are_clean(seed: int) -> None:
    for number in range(50):
        random = Random(f"{seed}:{number}")
        text, chosen = random_notes(random), random_options(random)
        assert problems(text, chosen) == [], (text, chosen)

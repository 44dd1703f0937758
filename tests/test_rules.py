"""Every rule does as its docstring says: `Bad:` is found, `Good:` is clean, a fix makes one of the other."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import NamedTuple, cast

import pytest

import wxtext.rules
from wxtext.fixer import fix
from wxtext.lint import Settings, check
from wxtext.problem import Severity
from wxtext.rules import NAMES, load
from wxtext.semantics import Target

INFO = Settings(info=True)
FOLDER = Path(wxtext.rules.__file__).parent
EXAMPLE = re.compile(r"^(Bad|Good):\n((?:    .*\n?|\n)+)", re.MULTILINE)
REPEATED = re.compile(r"\[([^\[\]]*) × (\d+)\]")
TARGET = re.compile(r"^Target: (\S+)$", re.MULTILINE)


class Example(NamedTuple):
    """A pair of examples in a docstring: `[<view/> × 61]` stands for so many of it."""

    target: Target
    bad: str
    good: str


def examples(name: str) -> list[Example]:
    explanation = load(name).explanation
    match = TARGET.search(explanation)
    target = cast(Target, match[1] if match else "webview")
    while REPEATED.search(explanation):
        explanation = REPEATED.sub(lambda match: match[1] * int(match[2]), explanation)
    found = [(kind, textwrap.dedent(body).strip("\n")) for kind, body in EXAMPLE.findall(explanation)]
    assert [kind for kind, _ in found] == ["Bad", "Good"] * (len(found) // 2)
    assert found
    return [Example(target, found[n][1], found[n + 1][1]) for n in range(0, len(found), 2)]


def test_files_and_list_agree() -> None:
    files = {path.stem.replace("_", "-") for path in FOLDER.glob("*.py")} - {"--init--"}
    assert files == set(NAMES)
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_explanation(name: str) -> None:
    rule = load(name)
    first, blank, *rest = rule.explanation.splitlines()
    assert first.endswith(".")
    assert blank == ""
    assert rest
    assert isinstance(rule.severity, Severity)


@pytest.mark.parametrize("name", NAMES)
def test_bad_is_found(name: str) -> None:
    for target, bad, _good in examples(name):
        assert {problem.rule for problem in check(bad, target, INFO)} == {name}


@pytest.mark.parametrize("name", NAMES)
def test_good_is_clean(name: str) -> None:
    for target, _bad, good in examples(name):
        assert check(good, target, INFO) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_fix_turns_bad_into_good(name: str) -> None:
    for target, bad, good in examples(name):
        problems = check(bad, target, INFO)
        fixable = [problem for problem in problems if problem.fix]
        if fixable:
            assert fix(bad, target, INFO, unsafe=True) == (good, [])
            assert fix(good, target, INFO, unsafe=True) == (good, [])
        else:
            assert fix(bad, target, INFO, unsafe=True)[0] == bad

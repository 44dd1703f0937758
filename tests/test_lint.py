"""What holds for all rules alike: how fixes are tried, and what comments suppress."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from wxtext import lint
from wxtext.layout import show
from wxtext.lint import Settings, check, fix
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity
from wxtext.rules import Rule
from wxtext.semantics import Target

# Mending.


def replacing(pattern: str, text: str) -> Settings:
    """Settings for one rule, which makes this text of every match, and says that letters may change."""

    def rule_check(page: Page) -> Iterator[Finding]:
        for match in re.finditer(pattern, page.source):
            yield Finding(*match.span(), "wrong", (Edit(*match.span(), match.expand(text)),))

    rule = Rule("own", Severity.ERROR, rule_check, "", re.compile("[a-z]"))
    return Settings(select=frozenset({"own"}), own_rules=(rule,))


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that fixing has shown."""
    sources: list[str] = []

    def counted(source: str, target: Target = "webview") -> str:
        sources.append(source)
        return show(source, target)

    monkeypatch.setattr(lint, "show", counted)
    return sources


@pytest.mark.parametrize("bad", [0, 500, 999])
def test_one_bad_fix_among_many_is_soon_found(shows: list[str], bad: int) -> None:
    lines = ["<text>1z</text>\n"] * 1000
    lines[bad] = "<text>2z</text>\n"
    # The rule has no leave to change digits.
    settings = replacing(r"2z|z", "y")
    fixed, left = fix("".join(lines), settings=settings)
    assert fixed == "".join(lines).replace("1z", "1y")
    assert [(problem.span.line, problem.fix) for problem in left] == [(bad + 1, None)]
    assert len(shows) < 30


def test_mending_around_what_is_lost() -> None:
    source = "<text>a\u200bb</text>\n" * 50 + "x\0y"
    fixed, left = fix(source)
    assert fixed == source.replace("\u200b", "")
    assert [(problem.rule, problem.fix) for problem in left] == [("syntax", None)]


def test_a_fix_inside_one_that_is_refused_is_made() -> None:
    # The whole of the line would lose a digit, but not the letter in it.
    outer = Finding(6, 9, "outer", (Edit(6, 9, "b"),))
    inner = Finding(7, 8, "inner", (Edit(7, 8, ""),))

    def rule_check(page: Page) -> Iterator[Finding]:
        if "1ab" in page.source:
            yield from (outer, inner)

    rule = Rule("own", Severity.ERROR, rule_check, "", re.compile("[a-z]"))
    settings = Settings(select=frozenset({"own"}), own_rules=(rule,))
    assert fix("<text>1ab</text>", settings=settings) == ("<text>1b</text>", [])


def test_what_is_left_has_no_fix() -> None:
    source = "<text>1z</text>"
    settings = replacing("1z", "2z")
    assert [problem.fix for problem in check(source, settings=settings)] == [(Edit(6, 8, "2z"),)]
    fixed, left = fix(source, settings=settings)
    assert fixed == source
    assert [(problem.rule, problem.fix) for problem in left] == [("own", None)]

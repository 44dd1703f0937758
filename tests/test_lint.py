"""What holds for all rules alike: how fixes are tried, and what comments suppress."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from wxtext import fixer, lint
from wxtext.fixer import fix
from wxtext.layout import lay_out, show_variants
from wxtext.lint import Settings, check
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity
from wxtext.rules import Rule, load
from wxtext.semantics import Target

# Mending.


def replacing(pattern: str, text: str) -> Settings:
    """Settings for one rule, which makes this text of every match, and says that letters may change."""

    def rule_check(page: Page) -> Iterator[Finding]:
        for match in re.finditer(pattern, page.source):
            edit = Edit(*match.span(), match.expand(text))
            yield Finding(*match.span(), "wrong", (edit,), unsafe=True)

    rule = Rule("own", Severity.ERROR, rule_check, "", re.compile("[a-z]"))
    return Settings(select=frozenset({"own"}), own_rules=(rule,))


@pytest.fixture
def shows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that fixing has shown."""
    sources: list[str] = []

    def counted(source: str, target: Target) -> list[str] | None:
        sources.append(source)
        return show_variants(source, target)

    monkeypatch.setattr(fixer, "show_variants", counted)
    return sources


#: Attributes that rules or `show` look into.
READ = (
    *("space", "decode", "user-select", "selectable", "overflow", "max-lines"),
    *("hidden", "style", "class", "wx:if", "wx:for"),
)
VALUES = ("[1]", " {a: 1} ", "[]", "null", "undefined", "1", "0.5", "true", "''", "'a'", "a")


@pytest.mark.parametrize("target", get_args(Target))
@pytest.mark.parametrize("name", READ)
def test_an_attribute_of_any_type(name: str, target: Target) -> None:
    for value in VALUES:
        source = f'<text {name}="{{{{{value}}}}}">  甲  乙</text>'
        fixed, left = fix(source, target, Settings(info=True))
        assert fix(fixed, target, Settings(info=True)) == (fixed, left)
        assert lay_out(fixed, target).split() == ["甲", "乙"] or name == "hidden"


@pytest.mark.parametrize(
    ("name", "before", "after", "allowed"),
    [
        ("html-tag", "a b", "a\ncb", True),  # what was lost comes back
        ("html-tag", "a b", "a", False),
        ("html-tag", "a&lt;", "a<", False),
        ("uppercase-tag", "a\u2003&lt; b", "a <\nbc", True),
        ("uppercase-tag", "ab", "a", False),
        ("string-boolean", "a&lt;", "a<", True),
        ("string-boolean", "&<", "&amp;amp;&lt;", True),  # no longer decoded
        ("string-boolean", "ab", "cab", True),  # no longer hidden
        ("string-boolean", "ab", "b", False),
        ("swallowed-tag", "a{<b>c</b>", "a{c", True),
        ("swallowed-tag", "a", "a\nb", True),
        ("swallowed-tag", "a", "b\na", False),
        ("loose-text", "a", "a ", False),
    ],
)
def test_what_rules_may_change(name: str, before: str, after: str, allowed: bool) -> None:
    assert load(name).may_turn(before, after) is allowed
    assert load(name).may_turn(before, before)


@pytest.mark.parametrize(
    ("name", "before", "after", "kept"),
    [
        ("layout-white-space", "\na\n\nb", "a\nb", True),
        ("layout-white-space", "a\nb", "ab", False),
        ("layout-white-space", "a\nb", "a b", False),
        ("layout-white-space", "ab", "a\nb", False),
        ("layout-white-space", "a\nb", "b\na", False),
        ("layout-white-space", "a\nb", "a\n\nb", False),
        ("collapsed-spaces", "a b", "a\u2003b", False),
        ("static-line-break", r"a\nb", "a\nb", True),
        ("static-line-break", r"a\nb", "a\n", False),
        ("static-line-break", "a\nb", r"a\nb", True),
        ("unportable-entity", "a&lt;&nbsp;\nb", "a<\u00a0\nb", True),
        ("unportable-entity", "a&lt;\nb", "a<b", False),
        ("misprinted-backslash", r"a\x5cb", r"a\b", True),
        ("misprinted-backslash", "a\\x5c\nb", r"a\b", False),
        ("invisible-character", "a\u200b\nb", "a\nb", True),
        ("byte-order-mark", "\ufeff\na", "a", True),
        ("whitespace-only-text", "ab", "a b", True),
        ("whitespace-only-text", "a\nb", "a b", False),
    ],
)
def test_safe_fixes_keep_rows(name: str, before: str, after: str, kept: bool) -> None:
    assert load(name).keeps_rows(before, after) is kept
    assert load(name).keeps_rows(before, before)


@pytest.mark.parametrize("bad", [0, 500, 999])
def test_one_bad_fix_among_many_is_soon_found(shows: list[str], bad: int) -> None:
    lines = ["<text>1z</text>\n"] * 1000
    lines[bad] = "<text>2z</text>\n"
    # The rule has no leave to change digits.
    settings = replacing(r"2z|z", "y")
    fixed, left = fix("".join(lines), settings=settings, unsafe=True)
    assert fixed == "".join(lines).replace("1z", "1y")
    assert [(problem.span.line, problem.fix) for problem in left] == [(bad + 1, None)]
    assert len(shows) < 30


@pytest.mark.parametrize(("every", "made"), [(1, 0), (2, 0), (50, 392)])
def test_very_many_bad_fixes(
    shows: list[str], every: int, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fixer, "_MOST_LAID_OUT", 1_600_000)
    lines = ["<text>1z</text>\n"] * 400
    lines[::every] = ["<text>2z</text>\n"] * (400 // every)
    settings = replacing(r"2z|z", "y")
    fixed, left = fix("".join(lines), settings=settings, unsafe=True)
    # The good ones are made only where they can be told from the bad ones in a reasonable time.
    assert (fixed.count("2z"), fixed.count("1y")) == (400 // every, made)
    assert [problem.fix for problem in left] == [None] * (400 - made)
    assert len(shows) < 250
    assert fix(fixed, settings=settings, unsafe=True) == (fixed, left)


@pytest.mark.parametrize("name", ["b", "p", "li", "Text"])
def test_fixes_within_fixes(name: str) -> None:
    source = f"<text>{f'<{name}>' * 79}a{f'</{name}>' * 79}</text>"
    fixed, left = fix(source, unsafe=True)
    assert left == []
    assert fixed.count("<text>") == 80
    assert fix(fixed, unsafe=True) == (fixed, [])


def test_what_stands_before_changes_nothing_in_how_it_is_mended() -> None:
    source = '<text space="EMSP">a  b</text>'
    before = "<text>x  y</text>\n"
    alone, _left = fix(source, unsafe=True)
    assert alone == '<text space="emsp">a  b</text>'
    assert fix(before + source, unsafe=True)[0].removeprefix(fix(before, unsafe=True)[0]) == alone


def test_mending_around_what_is_lost() -> None:
    source = "<text>a\u200bb</text>\n" * 50 + "x\0y"
    fixed, left = fix(source)
    assert fixed == source.replace("\u200b", "")
    assert [(problem.rule, problem.fix) for problem in left] == [("syntax", None)]


def test_a_fix_inside_one_that_is_refused_is_made() -> None:
    # The whole of the line would lose a digit, but not the letter in it.
    outer = Finding(6, 9, "outer", (Edit(6, 9, "b"),), unsafe=True)
    inner = Finding(7, 8, "inner", (Edit(7, 8, ""),), unsafe=True)

    def rule_check(page: Page) -> Iterator[Finding]:
        if "1ab" in page.source:
            yield from (outer, inner)

    rule = Rule("own", Severity.ERROR, rule_check, "", re.compile("[a-z]"))
    settings = Settings(select=frozenset({"own"}), own_rules=(rule,))
    assert fix("<text>1ab</text>", settings=settings, unsafe=True) == ("<text>1b</text>", [])


def test_what_is_left_has_no_fix() -> None:
    source = "<text>1z</text>"
    settings = replacing("1z", "2z")
    assert [problem.fix for problem in check(source, settings=settings)] == [(Edit(6, 8, "2z"),)]
    fixed, left = fix(source, settings=settings, unsafe=True)
    assert fixed == source
    assert [(problem.rule, problem.fix) for problem in left] == [("own", None)]


# Suppressions.

BAD = '<text decode="false">a</text>'


def found(source: str, *rules: str) -> list[str]:
    """What is found of these rules, and of suppressions: the line and column, and the rule or the message."""
    settings = Settings(select=frozenset((*rules, "unused-suppression")), info=True)
    return [
        f"{problem.span.line}:{problem.span.column} "
        + (problem.message if problem.rule == "unused-suppression" else problem.rule)
        for problem in check(source, settings=settings)
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n", "\t\r\n", "\n\n", "\r\n \r\n", "", " "])
def test_the_next_line_is_the_first_that_is_not_blank(end: str) -> None:
    source = f"<!-- wxtext-ignore loose-text -->{end}one\n<view/>two"
    assert [item.partition(" ")[2] for item in found(source, "loose-text")] == ["loose-text"]
    line = source[: source.index("two")].count("\n") + 1
    assert found(source, "loose-text") == [f"{line}:8 loose-text"]


def test_a_line_at_the_end() -> None:
    assert found("<!-- wxtext-ignore loose-text -->\n\nx", "loose-text") == []
    for rest in "", "\n", "\r\n  ":
        source = f"<view><!-- wxtext-ignore loose-text -->{rest}</view>"
        assert found(source, "loose-text") == ["1:7 nothing to suppress here: loose-text"]


@pytest.mark.parametrize("between", ["", "\n", "\r\n", " \n\n", "<!-- why -->", "\n<!-- why -->\n"])
def test_suppressions_in_a_row_are_for_the_same(between: str) -> None:
    rules = "string-boolean", "uppercase-tag"
    element = '<view hidden="false"><View/></view>'
    assert found(element, *rules) == ["1:15 string-boolean", "1:22 uppercase-tag"]
    both = f"<!-- wxtext-ignore string-boolean -->{between}<!-- wxtext-ignore uppercase-tag -->{between}"
    assert found(f"{both}{element}", *rules) == []
    assert [item.split()[1] for item in found(f"{both}{element}{element}", *rules)] == list(rules)
    line = f"<!-- wxtext-ignore string-boolean -->{between}<!-- wxtext-ignore loose-text -->{between}x{BAD}"
    assert found(line, "string-boolean", "loose-text") == []


@pytest.mark.parametrize("separator", [" ", ": ", ":", " : ", "\n  "])
def test_a_colon_may_follow(separator: str) -> None:
    for word in "ignore", "ignore-file":
        assert found(f"<!--wxtext-{word}{separator}string-boolean-->{BAD}", "string-boolean") == []


@pytest.mark.parametrize(
    "comment", ["<!-- wxtext-ignore -->", "<!--wxtext-ignore-file-->", "<!-- wxtext-ignore: -->"]
)
def test_a_suppression_that_names_no_rule(comment: str) -> None:
    assert found(f"{comment}{BAD}", "string-boolean") == [
        "1:1 no rule is named here, and so nothing suppressed; add its name, or delete the comment",
        f"1:{len(comment) + 15} string-boolean",
    ]


def test_a_suppression_of_an_unknown_rule() -> None:
    assert found("<!-- wxtext-ignore string_bolean --><text/>") == [
        "1:1 no rule is called 'string_bolean'; did you mean 'string-boolean'?"
    ]
    assert found("<!-- wxtext-ignore zzz -->") == ["1:1 no rule is called 'zzz'; delete it"]
    # Each name is reported where it is.
    assert found(
        f"<!-- wxtext-ignore zzz, string-boolean html-tag -->{BAD}", "string-boolean", "html-tag"
    ) == [
        "1:20 no rule is called 'zzz'; delete it",
        "1:40 nothing to suppress here: html-tag",
    ]
    # Rules that were not run have nothing to say.
    assert found("<!-- wxtext-ignore string-boolean -->") == []


def test_other_comments_are_no_suppressions() -> None:
    for comment in (
        "<!-- wxtext-ignored x -->",
        "<!-- see wxtext-ignore x -->",
        "<!-- wxtext-ignore string-boolean",
    ):
        assert found(comment) == []


def test_what_suppresses_nothing_can_be_suppressed() -> None:
    source = "<!-- wxtext-ignore-file unused-suppression --><!-- wxtext-ignore zzz --><text/>"
    assert found(source) == []
    assert found("<!-- wxtext-ignore-file unused-suppression -->") == [
        "1:1 nothing to suppress here: unused-suppression"
    ]


def test_what_is_unused_in_part_on_several_targets() -> None:
    source = f"<!-- wxtext-ignore string-boolean html-tag -->{BAD}"
    targets: tuple[Target, ...] = ("webview", "skyline")
    settings = Settings(select=frozenset(("string-boolean", "html-tag", "unused-suppression")))
    assert [problem.message for problem, _on in lint.check_on(targets, source, settings)] == [
        "nothing to suppress here: html-tag"
    ]

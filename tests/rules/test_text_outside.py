"""Rules about text outside `<text>`, and advice."""

from __future__ import annotations

import pytest

from tests.rules import TARGETS, found
from wxtext.lint import Settings, check, check_on
from wxtext.problem import Severity
from wxtext.rules import Rule, load
from wxtext.semantics import Target


class TestLineBreakOutsideText:
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            (r"<view>a\nb\nc</view>", [r"\n"]),
            (r"a\nb", [r"\n"]),
            (r"<view><block>a\nb</block></view>", [r"\n"]),
            (r"<view>{{'a\nb'}}</view>", [r"{{'a\nb'}}"]),
            (r"<view>a\\nb</view>", []),
            (r"<text>a\nb</text>", []),
            (r"<text><block>a\nb</block></text>", []),
            (r"<my-part>a\nb</my-part>", []),
            (r"<template name='a'>b\nc</template>", []),
            (r"<view>{{f(a, '\n')}}</view>", []),
            ("<view>a\nb</view>", []),
            (r'<view style="white-space: pre-line">a\nb</view>', []),
        ],
    )
    def test_webview(self, source: str, parts: list[str]) -> None:
        assert found("line-break-outside-text", source) == [f"warning: {part}" for part in parts]

    @pytest.mark.parametrize("target", ["glass-easel", "skyline"])
    def test_new_targets(self, target: Target) -> None:
        assert found("line-break-outside-text", r"<view>a\nb</view>", target) == []
        source = r"<view>a{{'\n'}}b</view>"
        assert found("line-break-outside-text", source, target) == [r"warning: {{'\n'}}"]

    def test_preserving_classes(self) -> None:
        source = r'<view class="pre">a\nb</view>'
        assert found("line-break-outside-text", source, preserving_classes="pre") == []


@pytest.mark.parametrize("target", TARGETS)
class TestAdvice:
    def test_loose_text(self, target: Target) -> None:
        assert found("loose-text", "<view> a b </view>", target) == ["info: a b"]
        assert found("loose-text", "<view><block>{{a}}</block></view>", target) == ["info: {{a}}"]
        assert found("loose-text", "a", target) == ["info: a"]
        for source in (
            "<text>a</text>",
            "<button>a</button>",
            "<my-part>a</my-part>",
            "<text><view>a</view></text>",
        ):
            assert found("loose-text", source, target) == []

    def test_long_text(self, target: Target) -> None:
        long = "关" * 101
        assert found("long-text", f"<text>{long}</text>", target) == ["info: <text>"]
        assert found("long-text", f"<text>{long[1:]}</text>", target) == []
        assert found("long-text", f"<text>{long[:60]}<text>{long[60:]}</text></text>", target) == [
            "info: <text>"
        ]
        assert (
            found("long-text", f"<text>{long[:60]}<text user-select>{long[60:]}</text></text>", target) == []
        )
        assert found("long-text", f"<text user-select>{long}</text>", target) == []
        assert found("long-text", f"<text>{{{{{'a' * 300}}}}}</text>", target) == []
        assert found("long-text", f"<text>{' ' * 300}</text>", target) == []
        assert found("long-text", f"<view>{long}</view>", target) == []

    def test_many_children(self, target: Target) -> None:
        assert found("many-children", f"<view>{'<view/>' * 61}</view>", target) == ["info: <view>"]
        assert found("many-children", f"<view>{'<view/>' * 60}</view>", target) == []
        source = f"<view><block>{'<view/>' * 31}</block>{'a<view/>' * 15}</view>"
        assert found("many-children", source, target) == ["info: <view>"]
        assert found("many-children", "<image/>" + "<view/>" * 60, target) == ["info: <image/>"]
        assert found("many-children", '<template name="a"/>' * 61, target) == []
        assert found("many-children", f"<view>{'<view><view/></view>' * 40}</view>", target) == []

    def test_many_nodes(self, target: Target) -> None:
        assert found("many-nodes", "<view/>" * 1_000, target) == ["info: <view/>"]
        assert found("many-nodes", "<view/>" * 999, target) == []
        assert found("many-nodes", "<view>a</view>" * 500, target) == ["info: <view>"]
        assert found("many-nodes", "<block/>" * 1_000, target) == []

    def test_deep_nesting(self, target: Target) -> None:
        def nested(depth: int, inside: str = "") -> str:
            return "<view>" * depth + inside + "</view>" * depth

        assert found("deep-nesting", nested(30), target) == []
        assert found("deep-nesting", nested(31), target) == ["info: <view>"]
        assert found("deep-nesting", nested(30, "<image/><image/>"), target) == ["info: <image/>"]
        assert found("deep-nesting", nested(30, "<block><text/></block>"), target) == ["info: <text/>"]
        assert found("deep-nesting", nested(20, f'<template name="a">{nested(30)}</template>'), target) == []


LONG = f"<text>{'关' * 101}</text>"


@pytest.mark.parametrize("target", TARGETS)
class TestSubjects:
    """Rules about different subjects do not hide each other."""

    def advised(self, source: str, target: Target, settings: Settings | None = None) -> list[tuple[str, str]]:
        settings = settings or Settings(info=True)
        return [(problem.rule, problem.message) for problem in check(source, target, settings)]

    def test_advice_at_one_place(self, target: Target) -> None:
        long = ("long-text", "text of 202 columns that cannot be selected; add user-select")
        many = "(1400 such in this file)"
        expected = [
            ("long-text", f"{long[1]} {many}"),
            ("many-children", "1400 children; the audit advises at most 60: group them"),
            ("many-nodes", "2800 nodes in this file; the audit advises less than 1000 on a page"),
        ]
        assert self.advised(LONG * 1_400, target) == expected
        on_several = check_on(("webview", target), LONG * 1_400, Settings(info=True))
        assert [problem.message for problem, _targets in on_several] == [message for _, message in expected]
        assert self.advised(LONG, target) == [long]

    def test_each_is_told_where_it_is_no_advice(self, target: Target) -> None:
        settings = Settings(severities={"long-text": Severity.WARNING})
        assert len(self.advised(LONG * 5, target, settings)) == 5

    def test_what_is_suppressed_is_not_counted(self, target: Target) -> None:
        source = f"<view>{LONG}<!-- wxtext-ignore long-text -->{LONG}{LONG}</view>"
        [(rule, message)] = self.advised(source, target)
        assert (rule, message.endswith("(2 such in this file)")) == ("long-text", True)

    def test_own_rules_hide_none(self, target: Target) -> None:
        own = Rule("own", Severity.ERROR, load("deep-nesting").check, "", subject="own")
        source = "<view>" * 31 + "</view>" * 31
        rules = [rule for rule, _ in self.advised(source, target, Settings(info=True, own_rules=(own,)))]
        assert rules == ["deep-nesting", "own"]


@pytest.mark.parametrize("target", TARGETS)
class TestOneCauseOneProblem:
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("<br>第二行", ["<br>"]),
            ("<view><br>第二行</view>", ["<br>"]),
            ("<text>a<br>b<BR>c</text>", ["<br>", "<BR>"]),
            ("<view>a</br></view>", ["</br>"]),
            ("<br>a</br><view><br>x</view>", ["<br>", "</br>", "<br>"]),
        ],
    )
    def test_br(self, source: str, parts: list[str], target: Target) -> None:
        problems = check(source, target)
        assert [(problem.rule, source[problem.start : problem.end]) for problem in problems] == [
            ("html-tag", part) for part in parts
        ]
        # Without that rule the compiler's fault is told all the same.
        without = check(source, target, Settings(ignore=frozenset(("html-tag",))))
        assert {problem.rule for problem in without} == {"syntax"}

    def test_other_faults_are_told(self, target: Target) -> None:
        source = "{{a b}}<view><br>x</view>"
        rules = [(problem.rule, problem.span.column) for problem in check(source, target)]
        assert rules == [("syntax", 5), ("html-tag", 14)]
        # wcc reads no further than to the first fault.
        source = "<view><br>x</view>{{a b}}"
        rules = [(problem.rule, problem.span.column) for problem in check(source, target)]
        assert rules == [("html-tag", 7)] + [("syntax", 23)] * (target != "webview")

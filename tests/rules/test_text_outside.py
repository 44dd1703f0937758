"""Rules about text outside `<text>`, and advice."""

from __future__ import annotations

import pytest

from tests.rules import TARGETS, found
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

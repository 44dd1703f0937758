"""What `show` says the phone shows: the observed cases, the layout in detail, errors and time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.expected import seen
from tests.oracle import Oracle
from tests.shown import shown
from wxtext import WxmlError, show
from wxtext.semantics import COMPILERS, Target

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "compilers.json").read_text("utf-8")
)
TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")
#: With empty data this prints nothing, but `show` has no data.
USES_DATA = "<text>{{a&&b}}</text>"


def verdict(wxml: str, target: Target) -> str | None:
    """What `show` gives, None for an error."""
    try:
        return show(wxml, target)
    except WxmlError:
        return None


@pytest.mark.parametrize("case", [case for case in CASES if "shown" in case])
def test_the_observed_cases(case: dict[str, Any]) -> None:
    assert show(case["wxml"]) == case["shown"]


@pytest.mark.parametrize("case", CASES)
def test_the_observed_errors(case: dict[str, Any]) -> None:
    for target in TARGETS:
        refused = isinstance(case[COMPILERS[target].replace("-", "_")], dict)
        assert (verdict(case["wxml"], target) is None) == refused


@pytest.mark.parametrize("target", TARGETS)
def test_the_cases_as_the_compilers_read_them(oracle: Oracle, target: Target) -> None:
    sources = [case["wxml"] for case in CASES if case["wxml"] != USES_DATA]
    for source, result in zip(sources, oracle.compile(COMPILERS[target], sources), strict=True):
        expected = seen(shown(result["tree"], target), target) if "tree" in result else None
        assert verdict(source, target) == expected, source


@pytest.mark.parametrize(
    ("wxml", "rows"),
    [
        # Blocks have rows of their own, inline elements have not.
        ("a<view>b</view>c", "a\nb\nc"),
        ("<view>a</view>\n\n<view>b</view>", "a\nb"),
        ("<view></view><view>a</view><view/>", "a"),
        ("<label>a <span>b</span></label> <my-element>c</my-element>", "a bc"),
        ("<label>a<view>b</view>c</label>", "a\nb\nc"),
        ("<scroll-view>a</scroll-view><button>b</button>", "a\nb"),
        ("<view> a <text> b </text> c </view>", "a b c"),
        # A line break that ends a row before a block ends it once.
        ("<text>a\\n</text><view>b</view>", "a\nb"),
        ("<text>a\\n\\n</text><view>b</view>", "a\n\nb"),
        ("<view>a</view><text>\\n</text><view>b</view>", "a\n\nb"),
        ("<text>\\n</text><view>b</view>", "\nb"),
        # An inline-block is laid out alone, and takes a place in its row.
        ("<text user-select>a\\n</text><text>b</text>", "ab"),
        ("<text user-select>a\\n\\n</text>b", "a\nb"),
        ("<text>x<text user-select>a\\nb</text>y</text>", "a\nxby"),
        ("<text>a <text user-select> b </text> c</text>", "a b c"),
        ("<text>a <text user-select/> c</text>", "a  c"),
        ("<text user-select>a<text user-select>b\\nc</text></text>d", "b\nacd"),
        ("<text user-select='{{false}}'>a\\n</text>b", "a\nb"),
        ("<text selectable>a\\n</text>b", "a\nb"),
        # What is hidden or foreign is not there.
        ("<text hidden>a</text>b<view hidden='x'>c<text>d</text></view>", "b"),
        ("<view hidden=''>a</view><view hidden='{{false}}'>b</view><view hidden='{{x}}'>c</view>", "a\nb\nc"),
        ("<text>a<view>b<text>c</text></view><image/><br/>d</text>", "ad"),
        ("<text>a<block>b<view>c</view></block></text>", "ab"),
        ("<text>a<wxs module='m'>1 < 2</wxs>b</text>", "ab"),
        ("<template name='t'>a</template><include src='a'>b</include><slot>c</slot>", "c"),
        ("<import src='a'>a<text>b</text></import><import src='a'/>c", "c"),
        # Templates bring what they hold, but not themselves.
        ("<template is='t'>x</template><template name='t'>a<view>b</view></template>", "a\nb"),
        (
            "<text>a<template is=\"{{'t'}}\"/></text><template name='t'><text>b</text><view/> c</template>",
            "ab c",
        ),
        ("<template name='t'>a<template is='t'/></template><template is='t'/><template is='u'/>", "a"),
        ("<template name='t'>a</template><template name='t'>b</template><template is='t'/>", "b"),
        ("<template name='t'>a</template><template is='{{t}}'/><template is/>", ""),
        # Attributes have types.
        ("<text space='{{\"ensp\"}}'> a</text>", "\u2002a"),
        ("<text space='{{x}}'> a</text>", "a"),
        ("<text decode='{{1}}'>&lt;</text><text decode='{{0}}'>&lt;</text>", "<&lt;"),
        ("<text decode=''>&lt;</text><text decode='false'>&lt;</text>", "&lt;<"),
        ("<text decode>&amp;lt;&LT;{{'&gt;'}}</text>", "&lt;&LT;>"),
        ("<text space='nbsp' decode>a&ensp; b</text>", "a\u2002\u00a0b"),
        # Bindings that use data stand as written, whatever is around them.
        ("<text space='emsp' decode>{{ a  &&  b }} </text>", "{{ a  &&  b }}\u2003"),
        ("<view> {{ a }}  {{b}} </view>", "{{ a }} {{b}}"),
        ("<text>{{a\n+1}}</text>", "{{a\n+1}}"),
        ("<text>{{'a' + 1}}{{null}}{{}}{{undefined}}</text>", "a1null"),
        # Conditions and loops show what they hold once.
        ("<view wx:if='{{a}}'>a</view><view wx:else>b</view>", "a\nb"),
        ("<text wx:for='{{[1,2]}}'>{{item}}</text>", "{{item}}"),
        # wcc's odd ways.
        ("a{<b>c", "a{<b>c"),
        ("a\0b\nc", "ac"),
        ("a<!-- b", "a"),
        ("a<wxs> b", "a"),
        ("<text. >a</text >", "a"),
        ('<text space=emsp"> a</text>', "\u2003a"),
        ("", ""),
    ],
)
def test_webview(wxml: str, rows: str) -> None:
    assert show(wxml) == rows


@pytest.mark.parametrize(
    ("wxml", "rows"),
    [
        ("<text>a{{'\\n'}}b\\n</text>c", "a\nb\\nc"),
        (f"<text>&#{'0' * 5000}65;</text>", "A"),
        ("<text>&lt;&hellip;&#x4e2d;&#20013;&frac12;&amp</text>", "<…中中&frac12;&amp"),
        ("<text>{{null}}a{{undefined}}</text>", "a"),
        ("<text>a<b c>d</text>e", "ae"),
        ("<text>a<view>b</text>c", "ac"),
        ("a</text>b</>c", "abc"),
        ("<text space='ensp' space='emsp'> a</text>", "\u2002a"),
        ("<text space=emsp> a</text>", "\u2003a"),
        ("<text space={{'emsp'}}> a</text>", "\u2003a"),
        ('<text class="{{"a"}}">a</text>', "a"),
        ("<text>a<!b c>d<!1</text>", "ad1"),
        ("<TEXT space='emsp'> a</text>", "a"),
        ("R&#", "R&#"),
        ("<text>a\0{{'\0' + 1}}\x00101{{'\\01'}}</text>", "a\0\x001\b1\x01"),
    ],
)
def test_glass_easel(wxml: str, rows: str) -> None:
    assert show(wxml, "glass-easel") == rows


@pytest.mark.parametrize(
    ("wxml", "rows"),
    [
        ("<text>a</text><text>b</text>", "a\nb"),
        ("<view>a<text>b<text>c</text></text>d</view>", "a\nbc\nd"),
        ("<text space='emsp' decode>  a &amp;nbsp;</text>", "a &nbsp;"),
        ("<text user-select>a{{'\\n'}}</text><text>b</text>", "a\nb"),
        ("<view>{{'\\n'}}</view><view><text>\u00a0</text></view><view>a</view>", "\na"),
    ],
)
def test_skyline(wxml: str, rows: str) -> None:
    assert show(wxml, "skyline") == rows


@pytest.mark.parametrize(
    ("wxml", "target", "line", "column"),
    [
        ("<text>a", "webview", 1, 1),
        ("<text>\n中<3</text>", "webview", 2, 2),
        ("<view>\n  <text>x</view>", "webview", 2, 10),
        ("中文<text>{{ a b }}</text>", "webview", 1, 14),
        ("<view>\n<view class='{{ a b }}'/></view>", "webview", 2, 19),
        ("<view/>\n<view wx:else/>", "webview", 2, 1),
        ("<text>\n{{</text>", "webview", 2, 1),
        ("<text>B&B;</text>", "glass-easel", 1, 8),
        ("<text\n a='&#;'>{{a b}}</text>", "glass-easel", 2, 5),
        ("<text>{{ a ", "skyline", 1, 12),
    ],
)
def test_errors_say_where(wxml: str, target: Target, line: int, column: int) -> None:
    with pytest.raises(WxmlError) as refusal:
        show(wxml, target)
    assert (refusal.value.line, refusal.value.column) == (line, column)
    assert str(refusal.value) == f"{line}:{column}: {refusal.value.message}"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "make",
    [
        lambda n: "<text>" * n + "x" + "</text>" * n,
        lambda n: "<view>" * n,
        lambda n: "<text>" + "{{" * n,
        lambda n: "<text>" + "{{1}}" * n + "</text>",
        lambda n: "<text>{{" + "(" * n + "1" + ")" * n + "}}</text>",
        lambda n: "<text a='" + "x" * n,
        lambda n: "<text>{{" + "'\\" * n + "}}</text>",
        lambda n: "<text>" + "\\" * n + "</text>",
        lambda n: "<text>" + "一二三 " * (10 * n) + "</text>",
        lambda n: "<text>" + "<" * n + "</text>",
        lambda n: "<text>" + "<!--" * n + "</text>",
        lambda n: "<text " + "a " * n + "></text>",
        lambda n: "<text " + "a='b" * n + "></text>",
        lambda n: "<a>" * n + "</b>" * n,
        lambda n: "<text user-select>a\\n</text>" * n,
        lambda n: "<text>" + "{{a b}}" * n + "</text>",
        lambda n: "".join(
            f"<template name='{i}'>" + f"<template is='{i + 1}'/>" * 2 + "</template>" for i in range(n)
        ),
    ],
)
def test_time_is_linear(make: Callable[[int], str], target: Target) -> None:
    """30 000 of anything takes a second at most; were it quadratic, it would take minutes."""
    source = make(30_000)
    start = time.process_time()
    verdict(source, target)
    assert time.process_time() - start < 10

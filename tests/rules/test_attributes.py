"""Rules about the attributes of `<text>`."""

from __future__ import annotations

import pytest

from tests.oracle import Oracle
from tests.rules import TARGETS, fixed, found
from wxtext.semantics import COMPILERS, Target

WEB: tuple[Target, ...] = ("webview", "glass-easel")


class TestSpaceValue:
    @pytest.mark.parametrize("target", WEB)
    @pytest.mark.parametrize(
        ("attribute", "mended"),
        [
            ('space="EMSP"', ' space="emsp"'),
            ('space=" ensp "', ' space="ensp"'),
            ("space='Nbsp'", " space='nbsp'"),
            ('space="&nbsp;"', ' space="nbsp"'),
            ("space=\"{{'EMSP'}}\"", ' space="emsp"'),
            ('space=""', ""),
            ('space=" "', ""),
            ('space="{{false}}"', ""),
            ('space="{{true}}"', ""),
            ("space", ""),
            ('space="tab"', ""),
            ('space="{{[1]}}"', ""),
            ("space=\"{{'e' + 'm'}}\"", ""),
        ],
    )
    def test_other_values(self, target: Target, attribute: str, mended: str) -> None:
        source = f'<text class="a" {attribute}>甲  乙</text>'
        assert found("space-value", source, target) == [f"error: {attribute}"]
        assert fixed("space-value", source, target) == f'<text class="a"{mended}>甲  乙</text>'

    @pytest.mark.parametrize("target", WEB)
    @pytest.mark.parametrize(
        "source",
        [
            *(f'<text space="{mode}">甲</text>' for mode in ("ensp", "emsp", "nbsp")),
            '<text space="{{mode}}">甲</text>',
            '<text space="e{{mode}}">甲</text>',
            "<text space=\"{{wide ? 'EMSP' : ''}}\">甲</text>",
            "<text space=\"{{'emsp'}}\">甲</text>",
            "<text>甲</text>",
            '<view space="10">甲</view><my-part space="large"/>',
        ],
    )
    def test_right(self, target: Target, source: str) -> None:
        assert found("space-value", source, target) == []

    def test_entities_by_compiler(self) -> None:
        source = '<text space="&#101;nsp">甲</text>'
        assert found("space-value", source) == ['error: space="&#101;nsp"']
        assert found("space-value", source, "glass-easel") == []

    def test_skyline_has_no_space(self) -> None:
        assert found("space-value", '<text space="EMSP">甲</text>', "skyline") == []


class TestStringBoolean:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("attribute", "mended"),
        [
            ('user-select="false"', "{{false}}"),
            ("selectable=' False '", "{{false}}"),
            ('hidden="0"', "{{false}}"),
            ("hidden=\"{{'false'}}\"", "{{false}}"),
            ('hidden="{{false}} "', "{{false}}"),
            ('hidden=" {{a}}"', "{{a}}"),
            ('hidden="!{{a}}"', "{{!a}}"),
            ('hidden="!show"', "{{!show}}"),
            ('hidden="a"', "{{a}}"),
            ('hidden="a.length == 0"', "{{a.length == 0}}"),
            ('user-select="!a"', "{{!a}}"),
            ('wx:if="false"', "{{false}}"),
            ('wx:if="{{a}} "', "{{a}}"),
            ('wx:if="list.length > 0"', "{{list.length > 0}}"),
            ('wx:if="a>0}}"', "{{a>0}}"),
            ('wx:if="{{a}} && {{b}}"', "{{a && b}}"),
            ("wx:if=\"a != ''\"", "{{a != ''}}"),
            # What was meant cannot be told:
            ('wx:if="显示"', "显示"),
            ('wx:if="{{a}}{{b}} "', "{{a}}{{b}} "),
            ('wx:if="{{a}}{{b}}"', "{{a}}{{b}}"),
            ('wx:if="{{a}}{{a}}{{b}}"', "{{a}}{{a}}{{b}}"),
            ('wx:if="{{false}}x"', "{{false}}x"),
            ('wx:if="x{{false}}"', "x{{false}}"),
            ('hidden="{{false}}{{a}}"', "{{false}}{{a}}"),
            ('wx:if="a{{b}}"', "a{{b}}"),
        ],
    )
    def test_strings(self, target: Target, attribute: str, mended: str) -> None:
        name, _, value = attribute.partition("=")
        source = f"<text {attribute}>甲</text>"
        assert found("string-boolean", source, target) == [f"error: {value[1:-1]}"]
        assert (
            fixed("string-boolean", source, target) == f"<text {name}={value[0]}{mended}{value[0]}>甲</text>"
        )

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        "source",
        [
            '<text decode="{{false}}" user-select="{{a}}" hidden="{{ !a }}">甲</text>',
            '<text decode="true" user-select selectable="" hidden="hidden">甲</text>',
            '<view wx:if="{{a}}"/><view wx:elif="{{a || {b: 1}.b}}"/><view wx:else="false"/>',
            '<view wx:if=""/><view wx:if="true"/><view wx:if="1"/><view wx:if="{{a}}"/>',
            '<view hidden/><view hidden=""/><view hidden="true"/><view hidden="hidden"/>',
            "<view wx:if=\"{{'true'}}\"/><view hidden=\"{{'a'}}\"/><view hidden='until-found'/>",
            "<my-part hidden='!a'/>",
            '<my-part hidden="false" decode="false"/><view decode="false" user-select="no"/>',
            '<view data-hidden="false"/>',
        ],
    )
    def test_booleans_and_strings_of_others(self, target: Target, source: str) -> None:
        assert found("string-boolean", source, target) == []

    def test_decode_is_not_of_skyline(self) -> None:
        source = '<text decode="false">甲</text>'
        assert [found("string-boolean", source, target) for target in TARGETS] == [
            ["error: false"],
            ["error: false"],
            [],
        ]

    def test_component_by_a_built_in_name(self) -> None:
        source = '<picker hidden="false"/>'
        assert found("string-boolean", source) == ["error: false"]
        assert found("string-boolean", source, components="picker") == []

    @pytest.mark.parametrize("target", WEB)
    @pytest.mark.parametrize("condition", ["{{no}}{{no}}", "{{false}}x", "x{{no}}", "{{false}}{{false}}"])
    def test_several_pieces_always_hold(self, oracle: Oracle, target: Target, condition: str) -> None:
        source = f'<text wx:if="{condition}">甲</text>'
        assert found("string-boolean", source, target) == [f"error: {condition}"]
        assert len(oracle.compile(COMPILERS[target], [source], {"no": False})[0]["tree"]) == 1

    @pytest.mark.parametrize("target", WEB)
    @pytest.mark.parametrize("condition", ["false", "{{no}} ", " {{no}}", "no > 0", "{{false}} "])
    def test_such_conditions_hold(self, oracle: Oracle, target: Target, condition: str) -> None:
        source = f'<text wx:if="{condition}">甲</text>'
        data = {"no": False}
        before, after = oracle.compile(
            COMPILERS[target], [source, fixed("string-boolean", source, target)], data
        )
        assert len(before["tree"]) == 1
        assert after["tree"] == []


class TestAttributesOfOneRenderer:
    SKYLINE = '<text overflow="ellipsis" max-lines="1" select-on-gesture trailing-spaces>甲</text>'
    WEBVIEW = '<text space="{{a}}" decode>甲</text>'

    @pytest.mark.parametrize("target", WEB)
    def test_web(self, target: Target) -> None:
        assert found("skyline-only-attribute", self.SKYLINE, target) == [
            'warning: overflow="ellipsis"',
            'warning: max-lines="1"',
            "warning: select-on-gesture",
            "warning: trailing-spaces",
        ]
        assert found("webview-only-attribute", self.WEBVIEW, target) == []

    def test_skyline(self) -> None:
        assert found("skyline-only-attribute", self.SKYLINE, "skyline") == []
        assert found("webview-only-attribute", self.WEBVIEW, "skyline") == [
            'warning: space="{{a}}"',
            "warning: decode",
        ]

    def test_of_other_elements_or_without_effect(self) -> None:
        assert found("skyline-only-attribute", '<my-part overflow="a" max-lines="1"/>') == []
        source = '<my-part space="a" decode/><text space="" decode="{{false}}">甲</text>'
        assert found("webview-only-attribute", source, "skyline") == []


class TestDeprecatedSelectable:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("source", "mended"),
        [
            ("<text selectable>甲</text>", "<text user-select>甲</text>"),
            (
                "<text class='a'\n  selectable='{{a}}'>甲</text>",
                "<text class='a'\n  user-select='{{a}}'>甲</text>",
            ),
            ("<text selectable> 甲\n</text>乙", "<text user-select> 甲\n</text>乙"),
            ("<text user-select\n selectable='{{a}}' id='b'>甲</text>", "<text user-select id='b'>甲</text>"),
        ],
    )
    def test_text(self, target: Target, source: str, mended: str) -> None:
        assert found("deprecated-selectable", source, target) == ["warning: selectable"]
        assert fixed("deprecated-selectable", source, target) == mended

    @pytest.mark.parametrize("target", TARGETS)
    def test_others(self, target: Target) -> None:
        source = "<text user-select>甲</text><my-part selectable/><text>selectable</text>"
        assert found("deprecated-selectable", source, target) == []


class TestTextIndentOnText:
    @pytest.mark.parametrize(
        ("style", "part"),
        [
            ("text-indent: 2em", "text-indent: 2em"),
            ("color: red; text-indent:{{n}}em; margin: 0", "text-indent:{{n}}em"),
            ("{{a ? 'text-indent: 2em' : ''}}", "text-indent: 2em"),
            ("text-indent: -1em; display: inline", "text-indent: -1em"),
            ("text-indent: 0.5em", "text-indent: 0.5em"),
            ("TEXT-INDENT:2em", "TEXT-INDENT:2em"),
        ],
    )
    @pytest.mark.parametrize("target", TARGETS)
    def test_inline(self, target: Target, style: str, part: str) -> None:
        source = f'<view><text style="{style}">甲</text></view>'
        assert found("text-indent-on-text", source, target) == [f"warning: {part}"]

    @pytest.mark.parametrize(
        "source",
        [
            '<text style="text-indent: 2em; display: block">甲</text>',
            '<text style="display:inline-block;text-indent: 2em">甲</text>',
            '<text style="text-indent: 2em" user-select>甲</text>',
            '<text style="text-indent: 2em; float: left">甲</text>',
            '<view style="display: flex"><block><text style="text-indent: 2em">甲</text></block></view>',
        ],
    )
    @pytest.mark.parametrize("target", TARGETS)
    def test_blocks(self, target: Target, source: str) -> None:
        found_here = found("text-indent-on-text", source, target)
        assert found_here == ([] if target in WEB else ["warning: text-indent: 2em"])

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        "source",
        [
            '<text style="text-indent: 0">甲</text><text style="text-indent:0px;color:red">甲</text>',
            '<text style="--text-indent: 2em">text-indent: 2em</text>',
            '<view style="text-indent: 2em"><text>甲</text></view>',
        ],
    )
    def test_none(self, target: Target, source: str) -> None:
        assert found("text-indent-on-text", source, target) == []

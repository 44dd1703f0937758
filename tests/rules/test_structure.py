"""Rules about tags: what is refused, swallowed, lost, or more than the compilers can take."""

from __future__ import annotations

from random import Random

import pytest

from tests.oracle import Oracle
from tests.rules import TARGETS, fixed, found, messages
from wxtext import limits
from wxtext.fixer import fix
from wxtext.layout import lay_out
from wxtext.limits import Limit
from wxtext.page import Page
from wxtext.semantics import COMPILERS, Target

NEW: tuple[Target, ...] = ("glass-easel", "skyline")


class TestSyntax:
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("<text>a</text>", []),
            ("<text>1 < 2</text>", ["<"]),
            ("<view><text>a</view>", ["</view"]),
            ("<view>", ["<view"]),
            ("a</view>", ["</view"]),
            ("<text>{{a b}}</text>", ["b"]),
            ("<text>{{a", ["{{"]),
            ("<view wx:else/>", ["<view"]),
            ("<view class=a/>", ["a"]),
            ("<text>a</text", ["t"]),
            ("<text>1<2</text>", ["<"]),
            ("<text>a < b</text>", ["<"]),
            ("<text>a <b</text>", ["<"]),
            ("<text>a <b <text>c</text></text>", ["<"]),
            ("<text>a<b && c>d</text>", ["&"]),
            ("<!-- a", []),
            ("<wxs module='m'>1 <", []),
            ('<text>{{a b}}</text><text class="{{c d}}">{{e f}}</text>', ["b", "d", "f"]),
        ],
    )
    def test_webview(self, source: str, parts: list[str]) -> None:
        assert found("syntax", source) == [f"error: {part}" for part in parts]

    @pytest.mark.parametrize("target", NEW)
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("<text>a</text>", []),
            ("<text>1 < 2</text>", []),
            ("<view><text>a</view>", ["<text"]),
            ("<view>", ["<view"]),
            ("a</view>", ["</view>"]),
            ("<view></text></view>", ["<view", "</text>", "</view>"]),
            ("<br><view/>", ["<br>"]),
            ("<View></view>", []),
            ("<wxs module='m'>1 <", ["<wxs"]),
            ("<wxs module='m'>1</wxs >", []),
            ("<wxs module='m'/>", []),
            ("<!-- a", []),
            ("a</", ["</"]),
            ("<text>a</br>b</text>", ["</br>"]),
            ("<text>a<br>b</br></text>", []),
            ("<text>{{a b}}</text>", ["b"]),
            ("<text>&B;</text>", ["&"]),
        ],
    )
    def test_new_compiler(self, source: str, parts: list[str], target: Target) -> None:
        assert found("syntax", source, target) == [f"error: {part}" for part in parts]

    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("<view>a</view>\0<view>b</view>", ["\0"]),
            ("<text>a\0\0b\0\nc</text>", ["\0\0", "\0"]),
            ("<view class='a\0'>\n'/>", ["\0"]),
            ("<!-- \0\n-->", ["\0"]),
        ],
    )
    def test_what_follows_a_nul_is_lost(self, source: str, parts: list[str]) -> None:
        assert [part for part in found("syntax", source) if "\0" in part] == [
            f"error: {part}" for part in parts
        ]
        assert found("invisible-character", source) == []
        assert fixed("invisible-character", source) == source

    @pytest.mark.parametrize("target", NEW)
    def test_nul_is_invisible_elsewhere(self, target: Target) -> None:
        assert found("syntax", "<text>a\0b</text>", target) == []
        assert found("invisible-character", "<text>a\0b</text>", target) == ["warning: \0"]

    @pytest.mark.parametrize("target", TARGETS)
    def test_the_oracle_refuses_or_warns_likewise(self, target: Target, oracle: Oracle) -> None:
        sources = ["<view>", "</view>", "<view></view>", "<view></text></view>", "<view/></view>", "<br>"]
        for source, answer in zip(sources, oracle.compile(COMPILERS[target], sources), strict=True):
            unbalanced = [text for text in answer.get("warnings", []) if "end tag" in text]
            assert bool(found("syntax", source, target)) == bool("error" in answer or unbalanced), source


@pytest.mark.parametrize("target", TARGETS)
def test_bindings_with_nothing_between_them(target: Target) -> None:
    source = "<view>{{a}}{{'}}{{'}}{{b}}c{{'\\n'}}</view>"
    page = Page(source, target)
    bindings = [source[start:end] for text in page.texts for start, end in page.bindings(text)]
    assert "".join(bindings) == "{{a}}{{'}}{{'}}{{b}}{{'\\n'}}"
    assert [bindings[0], bindings[-1]] == ["{{a}}", "{{'\\n'}}"]
    assert found("line-break-outside-text", "<view>{{a}}{{'\\n'}}</view>", target) == ["warning: {{'\\n'}}"]


class TestSwallowedTag:
    @pytest.mark.parametrize(
        ("source", "part", "result"),
        [
            ("<text>a{<text>b</text>{</text>", "{<text>", None),
            ("<text>a{<!-- b --></text>", "{<!--", "<text>a{{'{'}}<!-- b --></text>"),
            ("<view>{<view>{</view>", "{<view>", "<view>{{'{'}}<view>{{'{'}}</view>"),
        ],
    )
    def test_brace(self, source: str, part: str, result: str | None) -> None:
        assert found("swallowed-tag", source)[0] == f"error: {part}"
        if result is not None:
            assert fixed("swallowed-tag", source) == result
        for target in NEW:
            assert found("swallowed-tag", source, target) == []

    @pytest.mark.parametrize(
        "source",
        [
            "<text>{<3</text>",
            "<text>{ <text>a</text></text>",
            "<text>{{'{'}}<text>a</text></text>",
            "<text>{{a}}<text>a</text></text>",
            "<text>{a}<text>a</text></text>",
            '<text class="{<b">a</text>',
        ],
    )
    def test_harmless(self, source: str) -> None:
        for target in TARGETS:
            assert found("swallowed-tag", source, target) == []

    @pytest.mark.parametrize("target", TARGETS)
    def test_comment(self, target: Target) -> None:
        assert found("swallowed-tag", "<view/><!-- a -> b", target) == ["error: <!--"]
        assert found("swallowed-tag", "<view/><!-->", target) == ["error: <!--"]
        assert found("swallowed-tag", "<view><!-- a", target) == ["error: <!--"]
        assert found("swallowed-tag", "<view/><!-- a -->", target) == []
        assert found("swallowed-tag", "<!-- a --><view/>", target) == []

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize("end", ["->", "-- >", "--!>", "-- !>", "\u2014>", "--\uff1e", "--\u300b"])
    def test_mistyped_end_of_a_comment(self, end: str, target: Target) -> None:
        for source in (
            "<text>a</text><!-- b {}",
            "<!-- b {}\n<text>a</text>",
            "<!-- b {} \t\r\n<text>a</text>",
            "<!-- b {}<text>a</text>",
            "<view><!--\n  <text>b</text>\n  {}\n<text>a</text></view>",
            "<!-- b -> c {}\n<text>a</text>",
        ):
            result = fixed("swallowed-tag", source.format(end), target)
            assert result == source.format("-->")
            assert found("swallowed-tag", result, target) == []
            assert lay_out(result, target) == "a"

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        "source",
        [
            "<!-- a -> b\n<text>c</text>",
            "<!-- a\n<text>c</text>\nd ->\n",
            "<!-- -----\n  a\n-----\n<text>c</text>",
            "<!-- a\n<text>c</text>",
            "<!-->\n<text>c</text>",
            "<!-- " + "-" * 50_000,
            "<!-- " + "\n -" * 50_000,
        ],
    )
    def test_comment_whose_end_cannot_be_told(self, source: str, target: Target) -> None:
        assert found("swallowed-tag", source, target) == ["error: <!--"]
        assert fixed("swallowed-tag", source, target) == source

    def test_comment_that_swallows_what_is_wrong(self) -> None:
        source = "<view><!-- a -></view></view>"
        assert fixed("swallowed-tag", source) == "<view><!-- a --></view></view>"
        # Here the compiler would refuse what it takes now.
        source = "<view/><!-- a -></view>"
        assert fixed("swallowed-tag", source) == source

    def test_script(self) -> None:
        assert found("swallowed-tag", "<view/><wxs module='m'>1") == ["error: <wxs"]
        assert found("swallowed-tag", "<view/><wxs module='m'>1</wxs>") == []


class TestTagsThatGlassEaselWarnsOf:
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("</>", ["</>"]),
            ("a</", ["</"]),
            ("<view></", ["</"]),
            ("<view></></view>", ["</>", "</view>"]),
            ("<view></view", []),
            ("<a:b>c</a:b>", ["<a:b"]),
            ("<a:b>", ["<a:b"]),
        ],
    )
    @pytest.mark.parametrize("target", NEW)
    def test_parts(self, source: str, parts: list[str], target: Target) -> None:
        assert found("syntax", source, target) == [f"error: {part}" for part in parts]

    def test_a_name_is_told_as_it_is_written(self) -> None:
        assert messages("syntax", "<a:b>", "glass-easel") == ["`<a:b>` is never closed"]

    def test_random_tags(self, oracle: Oracle) -> None:
        """Something is found exactly where the compiler warns of a tag, or refuses it."""
        chance = Random("tags")
        pieces = [
            "<view>",
            "</",
            ">",
            "view",
            "</view>",
            "a",
            " ",
            "1",
            "</>",
            "<text>",
            "</text>",
            "/",
            "</:",
        ]
        pieces += ["<view/>", "</_", "</-", "\n", "中", "<a:b>", "</a:b>", "</br>", "</br", "</ ", "<"]
        sources = ["".join(chance.choices(pieces, k=chance.randrange(1, 8))) for _ in range(1_500)]
        results = oracle.compile("glass-easel", sources)
        for source, result in zip(sources, results, strict=True):
            told = found("syntax", source, "glass-easel") + found("html-tag", source, "glass-easel")
            assert bool(told) == ("tree" not in result or bool(result["warnings"])), source


class TestForeignChild:
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("<text>a<view>b<view>c</view></view></text>", ["<view>b<view>c</view></view>"]),
            ("<text><block wx:if='{{a}}'><image/></block></text>", ["<image/>"]),
            ("<text><text><icon/></text></text>", ["<icon/>"]),
            ("<text><my-part/></text>", ["<my-part/>"]),
            ("<text><slot/><text/><template is='a'/><include src='a'/></text>", []),
            ("<text><wxs module='m'>1</wxs></text>", []),
            ("<view><image/></view>", []),
            ("<text><template name='a'><view/></template></text>", []),
        ],
    )
    @pytest.mark.parametrize("target", TARGETS)
    def test_targets(self, source: str, parts: list[str], target: Target) -> None:
        severity = "warning" if target == "skyline" else "error"
        assert found("foreign-child", source, target) == [f"{severity}: {part}" for part in parts]

    def test_span(self) -> None:
        source = "<text>a<span><image/></span></text>"
        assert found("foreign-child", source, "skyline") == []
        assert found("html-tag", source) == ["error: <span><image/></span>"]

    def test_others_know_better(self) -> None:
        assert found("foreign-child", "<text><Text>a</Text><b>a</b></text>") == []
        assert found("foreign-child", "<text><b>a</b></text>", components="b") == ["error: <b>a</b>"]


class TestTooLarge:
    def test_webview(self) -> None:
        assert found("too-large", "<view/>" * 15_999) == []
        assert found("too-large", "<view/>" * 16_000) == ["error: <view/>"]
        assert found("too-large", "<view wx:if='{{a}}'/>" * 16_000) == []
        assert found("too-large", "<block/>" * 16_000) == []

    @pytest.mark.parametrize("target", NEW)
    def test_elements(self, target: Target) -> None:
        assert found("too-large", "<view/>" * 2_191, target) == []
        assert found("too-large", "<view/>" * 2_192, target) == ["error: <view/>"]
        condition = '<view wx:if="{{a}}"/>'
        assert found("too-large", condition * 730, target) == []
        assert found("too-large", condition * 731, target) == [f"error: {condition}"]
        assert found("too-large", "<template name='a'>" + "<view/>" * 2_000 + "</template>" * 2, target) == []

    @staticmethod
    def steps(limit: Limit) -> list[tuple[int, list[str]]]:
        """The last size and the first one of each severity, and what is found there."""
        safe, most = limit
        return [(safe, []), (safe + 1, ["warning"]), (most, ["warning"]), (most + 1, ["error"])]

    @pytest.mark.parametrize("name", ["view", "text", "block", "x-a"])
    @pytest.mark.parametrize("target", TARGETS)
    def test_depth(self, name: str, target: Target) -> None:
        limit = limits.DEPTH[COMPILERS[target]]
        assert limit == ((80, 800) if target == "webview" else (45, 175))
        for depth, severities in self.steps(limit):
            tags = [f"<{name} id='{number}'>" for number in range(depth)]
            first = limit.most if "error" in severities else limit.safe
            source = f"<view/>{''.join(tags)}{f'</{name}>' * depth}"
            marked = [f"{severity}: {tags[first]}" for severity in severities]
            assert found("too-large", source, target) == marked

    @pytest.mark.parametrize("target", TARGETS)
    def test_choices(self, target: Target) -> None:
        branch = "<view wx:elif='{{a}}'/>"
        for count, severities in self.steps(limits.CHOICES):
            source = f"<view wx:if='{{{{a}}}}'/>{branch * count}<view wx:else/>"
            apart = f"<view wx:if='{{{{a}}}}'/>{branch * (limits.CHOICES.safe // 2)}" * 3
            assert found("too-large", source, target) == [f"{severity}: {branch}" for severity in severities]
            assert found("too-large", apart, target) == []

    @pytest.mark.parametrize("target", NEW)
    @pytest.mark.parametrize("piece", ["{{a}}", "a{{b}} ", "{{'<'}}", "{{'}}'}}x"])
    def test_bindings(self, piece: str, target: Target) -> None:
        assert limits.BINDINGS == (250, 999)
        for count, severities in self.steps(limits.BINDINGS):
            text = piece * count
            marked = [f"{severity}: {text}" for severity in severities]
            assert found("too-large", f"<text>{text}</text>", target) == marked
            assert found("too-large", f'<text class="{text}"/>', target) == marked
            assert found("too-large", f"<text>{text}<!---->{text}</text>", target) == marked * 2
            assert found("too-large", f"<text>{text}</text>") == []

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("opening", "closing", "levels", "more"),
        [
            ("a+", "", 1, 0),
            ("a.b&&", "", 2, 0),
            ("!", "", 1, 0),
            ("a?b:", "", 2, 0),
            ("(", ")", 3, 0),
            ("a[", "]", 3, 0),
            ("[", "]", 3, 1),
            ("a(", ")", 3, 1),
        ],
    )
    def test_expressions(self, opening: str, closing: str, levels: int, more: int, target: Target) -> None:
        def binding(most: int, further: int) -> str:
            count = (most - more) // levels + further
            return f"{{{{{opening * count}a{closing * count}}}}}"

        safe, most = limits.EXPRESSION
        for source, severities in (
            (binding(safe, 0), []),
            (binding(safe, 1), ["warning"]),
            (binding(most, 0), ["warning"]),
            (binding(most, 1), ["error"]),
        ):
            marked = [f"{severity}: {source}" for severity in severities]
            assert found("too-large", f"<text>{source}</text>", target) == marked
            assert found("too-large", f'<view a="b{source}"/>', target) == marked

    def test_the_oracle_takes_no_more(self, oracle: Oracle) -> None:
        for unit, most in (("<view/>", 2_191), ('<view wx:if="{{a}}"/>', 730), ("<template is='a'/>", 1_095)):
            fits, breaks = (
                oracle.compile("glass-easel", [unit * most]),
                oracle.compile("glass-easel", [unit * (most + 1)]),
            )
            assert "tree" in fits[0]
            assert "tree" not in breaks[0]
            assert found("too-large", unit * most, "glass-easel") == []
            assert found("too-large", unit * (most + 1), "glass-easel") == [f"error: {unit}"]
        assert "tree" in oracle.compile("wcc", ["<view/>" * 15_999])[0]
        assert "error" in oracle.compile("wcc", ["<view/>" * 16_000])[0]


class TestDuplicateAttribute:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ('<view class="a" class="b"/>', ['error: class="b"']),
            ("<view a='1' b='2' a = '3'/>", ["error: a = '3'"]),
            ('<view a="1" a="1"/>', ['info: a="1"']),
            ('<view a a="1"/>', ['error: a="1"']),
            ('<view a="b=1 b=2" b="c"/>', []),
            ('<view a="x b=\'1\'" b="2"/>', []),
            ('<view a="1"/><view a="2"/>', []),
            ('<view hidden class="a" class="b"/>', ['error: class="b"']),
            ('<view A="1" a="1"/>', []),
            ('<view a="1" a="2" a="3"/>', ['error: a="2"', 'error: a="3"']),
        ],
    )
    def test_tags(self, source: str, parts: list[str], target: Target) -> None:
        assert found("duplicate-attribute", source, target) == parts

    def test_places_in_equal_tags(self) -> None:
        source = '<view a="1" a="2"/>'
        assert found("duplicate-attribute", source * 2) == ['error: a="2"'] * 2


class TestUppercaseTag:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("source", "parts", "result"),
        [
            ("<Text>a</Text>", ["warning: <Text>"], "<text>a</text>"),
            ("<text>a<TEXT>b</TEXT></text>", ["error: <TEXT>"], "<text>a<text>b</text></text>"),
            ("<View class='A'/>", ["warning: <View class='A'>"], "<view class='A'/>"),
            ("<text>A</text>", [], "<text>A</text>"),
            ("<MyPart/>", [], "<MyPart/>"),
            ("<scroll-View></scroll-View>", ["warning: <scroll-View>"], "<scroll-view></scroll-view>"),
            ("<Text decode>&nbsp;a</Text>", ["warning: <Text decode>"], "<text decode>&nbsp;a</text>"),
            ("<Image>a\n b</Image>", ["warning: <Image>"], "<image>a\n b</image>"),
            ("<Template is='a'/>", ["warning: <Template is='a'/>"], "<template is='a'/>"),
        ],
    )
    def test_tags(self, source: str, parts: list[str], result: str, target: Target) -> None:
        expected = [part.replace("'A'>", "'A'/>") for part in parts]
        assert found("uppercase-tag", source, target) == expected
        assert fixed("uppercase-tag", source, target) == result

    def test_components(self) -> None:
        assert found("uppercase-tag", "<Text/>", components="Text") == []

    def test_what_a_text_would_drop(self) -> None:
        source = "<Text>a<block><view>b</view></block></Text>"
        assert found("uppercase-tag", source) == ["warning: <Text>"]
        assert fixed("uppercase-tag", source) == source

    @pytest.mark.parametrize("target", TARGETS)
    def test_what_would_show_no_longer(self, target: Target) -> None:
        source = "<Template name='a'>b</Template>"
        assert found("uppercase-tag", source, target) == ["warning: <Template name='a'>"]
        assert fixed("uppercase-tag", source, target) == source
        used = source + "<template is='a'/>"
        assert fixed("uppercase-tag", used, target) == used.replace("T", "t")


def random_html(random: Random, depth: int = 0) -> str:
    """What people write into a `<text>` who know HTML."""
    pieces = []
    for _ in range(random.randrange(5)):
        name = random.choice(("b", "p", "p class='a'", "ul", "li", "text", "text decode", "block"))
        pieces += [
            random.choice(("a", "b", " ", "\n  ", "{{a}}", "{{'c'}}", "&lt;")),
            random.choice(("<br/>", "<br></br>", "<img/>", "", "")),
        ]
        if depth < 4:
            pieces.append(f"<{name}>{random_html(random, depth + 1)}</{name.split()[0]}>")
    return "".join(pieces)


class TestHtmlTag:
    @pytest.mark.parametrize(
        ("source", "result"),
        [
            ("<text>a<br/>b</text>", r"<text>a\nb</text>"),
            ("<text>a<br>b<br>c</text>", r"<text>a\nb\nc</text>"),
            ("<text>a</br>b</text>", r"<text>a\nb</text>"),
            ("<text>a<br></br>b</text>", r"<text>a\nb</text>"),
            ("<text>a<br/></br>b</text>", r"<text>a\n\nb</text>"),
            ("<text>a<BR/>b</text>", r"<text>a\nb</text>"),
            ("<text>a<br/>\n  b</text>", r"<text>a\nb</text>"),
            ("<text>a\n  <br/>\n  <br/>b</text>", r"<text>a\n\nb</text>"),
            ('<text space="ensp">a<br/>  b</text>', r'<text space="ensp">a\n  b</text>'),
            ("<view>a<br/>b</view>", r"<view>a<text>\n</text>b</view>"),
            (
                "<view><text>a</text><br><text>b</text></view>",
                r"<view><text>a</text><text>\n</text><text>b</text></view>",
            ),
            ("<text>\\<br/>b</text>", r"<text>\{{'\n'}}b</text>"),
            ("<text>a<b>b</b>c</text>", "<text>a<text>b</text>c</text>"),
            ("<text>a<font color='red'>b</font></text>", "<text>a<text color='red'>b</text></text>"),
            ("<text>a<B>b</B ></text>", "<text>a<text>b</text ></text>"),
            ("<text decode>a<i>&lt;</i></text>", "<text decode>a<text decode>&lt;</text></text>"),
            (
                '<text space="ensp" decode="{{true}}">a<i decode>b</i></text>',
                '<text space="ensp" decode="{{true}}">a<text space="ensp" decode>b</text></text>',
            ),
            ("<text>a<p>b</p>c</text>", r"<text>a<text>\nb\n</text>c</text>"),
            ("<text><p>a</p>\n  <p>b</p>\n</text>", "<text><text>a\\n</text>\n  <text>b</text>\n</text>"),
            ("<text><p>\n  a\n</p><br/>b</text>", r"<text><text>a</text>\nb</text>"),
            ("<text><p><b>a</b></p>b</text>", r"<text><text><text>a</text>\n</text>b</text>"),
            (
                "<text><ul>\n<li>a</li>\n<li>b</li>\n</ul></text>",
                "<text><text><text>a\\n</text>\n<text>b</text></text></text>",
            ),
            (
                '<text><p wx:for="{{a}}">{{item}}</p></text>',
                r'<text><text wx:for="{{a}}">{{item}}\n</text></text>',
            ),
            (
                '<text><p wx:if="{{a}}">a</p><p wx:else>b</p></text>',
                r'<text><text wx:if="{{a}}">a\n</text><text wx:else>b</text></text>',
            ),
            # Line feeds of the source are not relied on: `layout-white-space` takes them away.
            ("<text><h1>a</h1>\n  b\n</text>", "<text><text>a\\n</text>b\n</text>"),
            ("<text>\n  a\n  <p>b</p>\n  c</text>", "<text>\n  a<text>\\nb\\n</text>c</text>"),
            (
                "<text>a\n<p wx:for='{{l}}'>b</p>\nc</text>",
                "<text>a\\n<text wx:for='{{l}}'>b\\n</text>c</text>",
            ),
            ("<text>a<p wx:for='{{l}}'>b</p></text>", "<text>a\\n<text wx:for='{{l}}'>b\\n</text></text>"),
            (
                "<text style='white-space: pre'>a\n<p>b</p>\nc</text>",
                "<text style='white-space: pre'>a\n<text>b</text>\nc</text>",
            ),
        ],
    )
    def test_fix_on_webview(self, source: str, result: str) -> None:
        assert found("html-tag", source)
        assert fixed("html-tag", source) == result
        assert found("html-tag", result) == []

    @pytest.mark.parametrize("target", NEW)
    @pytest.mark.parametrize(
        ("source", "result"),
        [
            ("<text>a<br>b</text>", r"<text>a{{'\n'}}b</text>"),
            ("<text>a</br>b</text>", r"<text>a{{'\n'}}b</text>"),
            ("<text>a{<br>b</text>", r"<text>a{{'{\n'}}b</text>"),
            ("<text><p>a</p><p>b</p></text>", r"<text><text>a{{'\n'}}</text><text>b</text></text>"),
            # What is typed for a line break is for another rule to mend; there are not to be two then.
            (r"<text>a\n<p>b</p>\nc</text>", r"<text>a\n<text>b</text>\nc</text>"),
            (r"<text>a{{'\n'}}<p>b</p>{{'\n'}}c</text>", r"<text>a{{'\n'}}<text>b</text>{{'\n'}}c</text>"),
        ],
    )
    def test_fix_on_new_targets(self, source: str, result: str, target: Target) -> None:
        assert fixed("html-tag", source, target) == result

    def test_skyline(self) -> None:
        assert fixed("html-tag", "<view>a<br/>b</view>", "skyline") == "<view>a<br/>b</view>"
        assert found("html-tag", "<text><span>a</span></text>", "skyline") == []
        source = "<text decode>a<b>b</b></text>"
        assert fixed("html-tag", source, "skyline") == "<text decode>a<text>b</text></text>"

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("source", "parts"),
        [
            ("<text><img src='a'/></text>", ["error: <img src='a'/>"]),
            ("<text><br wx:if='{{a}}'/></text>", ["error: <br wx:if='{{a}}'/>"]),
            ("<text><tr><td>a</td></tr></text>", ["error: <tr><td>a</td></tr>", "info: <td>"]),
            ("<div>a</div>", ["info: <div>"]),
            ("<span>a</span>", []),
            ("<text>a</text>", []),
            ("<brand>a</brand>", []),
            ("<view><button>a</button><video/></view>", []),
        ],
    )
    def test_without_fix(self, source: str, parts: list[str], target: Target) -> None:
        assert found("html-tag", source, target) == parts
        assert fixed("html-tag", source, target) == source

    def test_components(self) -> None:
        assert found("html-tag", "<header/><div/>", components="header") == ["info: <div/>"]
        assert found("html-tag", "<text><b>a</b></text>", components="b") == []

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("source", "rows"),
        [
            ("<text><h1>标题</h1>\n  正文\n</text>", ["标题", "正文"]),
            ("<text>\n  <p>a</p>\n  b\n</text>", ["a", "b"]),
            ("<text>\n  a\n  <p>b</p>\n  c\n</text>", ["a", "b", "c"]),
            ("<text>\n  <div>\n    <h1>a</h1>\n    b\n    <p>c</p>\n  </div>\n  d\n</text>", [*"abcd"]),
        ],
    )
    def test_rows_stay_whatever_other_rules_do(self, target: Target, source: str, rows: list[str]) -> None:
        result, left = fix(source, target, unsafe=True)
        assert left == []
        assert [row for row in lay_out(result, target).split("\n") if row] == rows
        assert fix(result, target) == (result, [])

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        "source",
        [r"<text>a\n<p>b</p>\nc</text>", r"<text><p>a</p>\n<p>b</p>\n<h1>c</h1></text>"],
    )
    def test_no_rows_between_beside_typed_breaks(self, target: Target, source: str) -> None:
        result, left = fix(source, target, unsafe=True)
        assert left == []
        assert lay_out(result, target) == "a\nb\nc"

    @pytest.mark.parametrize("target", TARGETS)
    def test_random_fixes_lose_nothing(self, target: Target) -> None:
        for seed in range(100):
            source = f"<text>{random_html(Random(seed))}</text>"
            result = fixed("html-tag", source, target)
            after = iter(lay_out(result, target))  # raises if it is refused
            assert all(character in after for character in "".join(lay_out(source, target).split())), source
            assert not [part for part in found("html-tag", result, target) if "img" not in part], source

    def test_names_stay_where_tags_do_not_balance(self) -> None:
        source = "<text><ul><text>a</ul>b</text></text>"
        assert found("html-tag", source, "glass-easel") == ["error: <ul><text>a</ul>"]
        assert fixed("html-tag", source, "glass-easel") == source

    def test_many_breaks(self) -> None:
        source = "<text>a<br>b</text>" * 100
        assert fixed("html-tag", source) == r"<text>a\nb</text>" * 100

    def test_message(self) -> None:
        assert messages("html-tag", "<text>a<br/>b</text>") == [r"<br> shows nothing; a line break is \n"]
        assert messages("html-tag", "<view>a<br/>b</view>") == [
            r"<br> shows nothing; a line break goes into a <text>: <text>\n</text>"
        ]

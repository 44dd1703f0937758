"""Rules about white space: what falls where in its row, on each target, and what becomes of it."""

from __future__ import annotations

import pytest

from wxtext.fixer import fix
from wxtext.lint import Settings, check
from wxtext.semantics import Target

RULES = frozenset(
    (
        "whitespace-only-text",
        "collapsed-spaces",
        "widened-spaces",
        "layout-white-space",
        "swallowed-line-break",
    )
)
TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")
WEB: tuple[Target, ...] = ("webview", "glass-easel")
#: How a line break is written.
BREAKS: dict[Target, str] = {"webview": r"\n", "glass-easel": r"{{'\n'}}", "skyline": r"{{'\n'}}"}


def found(source: str, target: Target, *, info: bool = False) -> list[tuple[str, str]]:
    """Each problem: the rule, and what is marked."""
    problems = check(source, target, Settings(select=RULES, info=info))
    return [(problem.rule, source[problem.start : problem.end]) for problem in problems]


def fixed(source: str, target: Target) -> str:
    """The source when all is fixed, unsafely too; nothing may be left."""
    result, left = fix(source, target, Settings(select=RULES), unsafe=True)
    assert left == []
    return result


def safely_fixed(source: str, target: Target) -> str:
    """The source when all is fixed that can be safely."""
    return fix(source, target, Settings(select=RULES))[0]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("source", "marked", "good"),
    [
        # At the start of a row.
        ("<text>  a</text>", ["  "], "<text>{{'\u2003'}}a</text>"),
        ("<text>   {{a}}</text>", ["   "], "<text>{{'\u2002\u2002\u2002'}}{{a}}</text>"),
        ("<view>a</view><text>  b</text>", ["  "], "<view>a</view><text>{{'\u2003'}}b</text>"),
        ("<text><text>  a</text></text>", ["  "], "<text><text>{{'\u2003'}}a</text></text>"),
        ("<text>a{{'\\n'}}  b</text>", ["  "], "<text>a{{'\\n'}}{{'\u2003'}}b</text>"),
        ("<text>{{'  '}}a</text>", ["{{'  '}}"], "<text>{{'\u2003'}}a</text>"),
        # Inside a row.
        ("<text>a  b</text>", ["  "], "<text>a b</text>"),
        ("<text>{{a}}  {{b}}    c</text>", ["  ", "    "], "<text>{{a}} {{b}}{{'\u2003\u2003'}}c</text>"),
        ("<text>a  <text>b</text></text>", ["  "], "<text>a <text>b</text></text>"),
        ("<text>a<block>  b</block></text>", ["  "], "<text>a<block> b</block></text>"),
        ("<text>{  b</text>", ["  "], "<text>{ b</text>"),
        # A TAB is no more than a space.
        ("<text>a\tb</text>", ["\t"], "<text>a{{'\u2003\u2003'}}b</text>"),
        ("<text>a \t b</text>", [" \t "], "<text>a{{'\u2002\u2002\u2002\u2002\u2002'}}b</text>"),
        # An escape is no indentation of the source.
        (
            "<text>a\n{{'\\t'}}b\n  c</text>",
            ["{{'\\t'}}", "  "],
            "<text>a\n{{'\u2003\u2003'}}b\n{{'\u2003'}}c</text>",
        ),
        # Indentation after line feeds that are meant, as far as it is deeper than the source's own.
        (
            "<text>[\n      a,\n      b\n    ]</text>",
            ["      ", "      "],
            "<text>[\n    {{'\u2003'}}a,\n    {{'\u2003'}}b\n    ]</text>",
        ),
        # White space before a custom element, which may show something.
        (
            "<text>a  <text class='icon'></text></text>",
            ["  "],
            "<text>a <text class='icon'></text></text>",
        ),
    ],
)
def test_collapsed_spaces(target: Target, source: str, marked: list[str], good: str) -> None:
    assert found(source, target) == [("collapsed-spaces", spaces) for spaces in marked]
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    ("source", "marked", "good"),
    [
        ("<text>a</text><text>  b</text>", ["  "], "<text>a</text><text> b</text>"),
        ("<text>a  </text><text>b</text>", ["  "], "<text>a </text><text>b</text>"),
        ("<text>a  </text><image/>", ["  "], "<text>a </text><image/>"),
        # `space` widens no TAB.
        ('<text space="emsp">  a\tb</text>', ["\t"], "<text space=\"emsp\">  a{{'\u2003\u2003'}}b</text>"),
        (
            '<text space="emsp">\t\ta</text>',
            ["\t\t"],
            "<text space=\"emsp\">{{'\u2003\u2003\u2003\u2003'}}a</text>",
        ),
        # It is not inherited.
        (
            '<text space="emsp">  x<text>  a</text></text>',
            ["  "],
            '<text space="emsp">  x<text> a</text></text>',
        ),
        # A box is a row of its own.
        (
            "<text>a</text><text user-select>  b</text>",
            ["  "],
            "<text>a</text><text user-select>{{'\u2003'}}b</text>",
        ),
    ],
)
def test_collapsed_spaces_in_a_web_view(target: Target, source: str, marked: list[str], good: str) -> None:
    assert found(source, target) == [("collapsed-spaces", spaces) for spaces in marked]
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "source",
    [
        "<text>a b c</text>",
        "<text>{{a}} {{b}}</text>",
        "<text>\u3000\u3000a\u2003b\u00a0\u00a0c</text>",
        # At the end of a row, spaces are not seen.
        "<text>a  </text>",
        "<view><text>a  </text></view><text>b</text>",
        "<text>a  {{'\\n'}}b</text>",
        "<text>a<text>b  </text></text>",
        # Padding.
        "<text> a </text>",
        "<text> {{a}} </text>",
        # In an expression.
        "<text>{{a  +  b}}</text>",
        "<text>{{ a }}</text>",
        # Not shown by a text.
        "<view>  a  b</view>",
        "<text><view>  a</view></text>",
        "<!--  a  b  -->",
        # The indentation of the source.
        "<text>a\n    b\n    c</text>",
        # Where the page keeps white space.
        '<text style="white-space: pre-wrap">  a  b</text>',
        '<view style="color: red; white-space:pre"><text>\n  a\n    b</text></view>',
        "<text style='white-space: break-spaces'>a\tb</text>",
    ],
)
def test_no_collapsed_spaces(target: Target, source: str) -> None:
    assert found(source, target, info=True) == []


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    "source",
    [
        # After something in the same row.
        "<text>a</text><text> b</text>",
        "<text>{{a}}</text>\n<text> b</text>",
        "<image/><text> b</text>",
        "<text><text class='icon'></text> b</text>",
        "<custom></custom><text> b</text>",
        "<slot/><text> b</text>",
        '<include src="a"/><text> b</text>',
        '<text wx:if="{{a}}">a</text><text wx:if="{{b}}"> b</text>',
        '<text wx:for="{{list}}"> {{item}}</text>',
        '<block wx:for="{{list}}"><text> {{item}}</text></block>',
        "<template name='a'><text> b</text></template>",
        # Widened.
        '<text space="ensp">  a  b</text>',
        "<text space='{{mode}}'>  a  b</text>",
        "<text space=\"{{'emsp'}}\">  a</text>",
    ],
)
def test_no_collapsed_spaces_in_a_web_view(target: Target, source: str) -> None:
    assert found(source, target, info=True) == []


@pytest.mark.parametrize(
    ("source", "marked"),
    [
        ("<text>a\\n  b</text>", ["  "]),
        ("<text>a\\tb</text>", ["\\t"]),
        ("<text>\\t\\ta</text>", ["\\t\\t"]),
        ("<text>a\\\\\\tb</text>", ["\\t"]),
        ("<text>a\\\\tb</text>", []),
        ("<text>D:\\data\\temp</text>", []),
    ],
)
def test_escapes_are_read_as_wcc_reads_them(source: str, marked: list[str]) -> None:
    assert found(source, "webview") == [("collapsed-spaces", spaces) for spaces in marked]
    assert [rule for rule, _ in found(source, "glass-easel")] == ["collapsed-spaces"] * ("  " in source)


def test_preserving_classes() -> None:
    settings = Settings(select=RULES, preserving_classes=frozenset(("code",)))
    source = '<view class="a code"><text>\n  a  b\tc\n</text></view>'
    assert check(source, "webview", settings) == []
    assert check(source.replace("code", "codes"), "webview", settings) != []


def test_a_single_space_at_the_start_of_a_row_is_advice() -> None:
    assert found("<text> a</text>", "webview") == []
    assert found("<text> a</text>", "webview", info=True) == [("collapsed-spaces", " ")]


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    ("source", "good"),
    [
        ('<text space="emsp">  Hello world</text>', "<text>{{'\u2003\u2003'}}Hello world</text>"),
        ('<text class="a" space="ensp" >a, b</text>', '<text class="a" >a, b</text>'),
        # What else is wide stays so, be it between Chinese characters, in bindings or at the edges.
        (
            "<text space='ensp'>姓 名 a b  c{{'  '}}d </text>",
            "<text>姓{{'\u2002'}}名{{'\u2002'}}a b{{'\u2002\u2002'}}c{{'\u2002\u2002'}}d{{'\u2002'}}</text>",
        ),
        # A text inside has its own attribute.
        (
            '<text space="emsp">a b<text space="ensp">  </text></text>',
            "<text>a b<text space=\"ensp\">{{'  '}}</text></text>",
        ),
    ],
)
def test_widened_spaces(target: Target, source: str, good: str) -> None:
    assert ("widened-spaces", source[source.index("space=") :][:12]) in found(source, target)
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    "source",
    [
        '<text space="emsp">a b{{c}}</text>',
        "<text space=\"emsp\">a b{{'c  d'}}</text>",
    ],
)
def test_widened_spaces_beside_data_are_left_to_a_person(target: Target, source: str) -> None:
    assert found(source, target) == [("widened-spaces", 'space="emsp"')]
    assert fix(source, target, Settings(select=RULES))[0] == source


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ('<text space="emsp">  中文 中文</text>', WEB),
        ('<text space="emsp">{{a}} {{b}} 元</text>', WEB),
        ('<text space="emsp"> (必填)</text>', WEB),
        ('<text space="nbsp">Hello world</text>', WEB),
        ('<text space="wide">Hello world</text>', WEB),
        ('<text space="{{mode}}">Hello world</text>', WEB),
        ('<view space="emsp">Hello world</view>', WEB),
        ('<text space="emsp">Hello world</text>', ("skyline",)),
        ('<text space="emsp">第一行\\n second</text>', ("webview",)),
    ],
)
def test_no_widened_spaces(source: str, targets: tuple[Target, ...]) -> None:
    for target in targets:
        assert found(source, target, info=True) == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("source", "marked", "good"),
    [
        ("<text>\n  {{name}}\n</text>", "\n  ", "<text>{{name}}</text>"),
        ("<text>\n  文字</text>", "\n  ", "<text>文字</text>"),
        ("<text>\r\n  文字\r\n</text>", "\r\n  ", "<text>文字</text>"),
        ("<text>\n\n\t文字\n\n</text>", "\n\n\t", "<text>文字</text>"),
        # Lines that are meant stay.
        ("<text>\n  一\n  二\n</text>", "\n  ", "<text>一\n  二</text>"),
        # Around bindings, if they are indented as the tag is, or more.
        ("<text>共\n  {{n}}\n  条</text>", "\n  ", "<text>共{{n}}条</text>"),
        ("<text>No.\n  {{n}}\n  of</text>", "\n  ", "<text>No. {{n}} of</text>"),
        ("  <text>{{a}}\n  {{b}}</text>", "\n  ", "  <text>{{a}} {{b}}</text>"),
        # Around elements.
        ("<text>a\n  <text>b</text>\n  c</text>", "\n  ", "<text>a <text>b</text> c</text>"),
        ("<text>\n  <text>b</text>\n  c\n</text>", "\n  ", "<text>\n  <text>b</text> c\n</text>"),
        # Around comments, which show nothing.
        ("<text>\n  <!-- c -->\n  {{a}}\n</text>", "\n  ", "<text>\n  <!-- c -->{{a}}</text>"),
        # Beside a line break.
        ("<text>一{{'\\n'}}\n  二</text>", "\n  ", "<text>一{{'\\n'}}二</text>"),
        ("<text>一\n  {{'\\n'}}二</text>", "\n  ", "<text>一{{'\\n'}}二</text>"),
        # A brace is not to touch a tag.
        ("<text>\n  {\n</text>", "\n  ", "<text>{{'{'}}</text>"),
    ],
)
def test_layout_white_space(target: Target, source: str, marked: str, good: str) -> None:
    assert found(source, target)[0] == ("layout-white-space", marked)
    assert {rule for rule, _ in found(source, target)} == {"layout-white-space"}
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    ("source", "good"),
    [
        # At the end, they break the row if anything follows.
        ("<text>a\n</text><text>b</text>", "<text>a</text><text>b</text>"),
        ("<text>a\n</text><image/>", "<text>a</text><image/>"),
        # In a loop too, if the row of the next item begins in another way.
        (
            "<text wx:for=\"{{list}}\">{{item}}{{'\\n'}}\n</text>",
            "<text wx:for=\"{{list}}\">{{item}}{{'\\n'}}</text>",
        ),
        (
            '<text wx:for="{{list}}">{{item}}\n<text>a</text></text>',
            '<text wx:for="{{list}}">{{item}} <text>a</text></text>',
        ),
        ('<text space="emsp">\n    a\n</text>', '<text space="emsp">a</text>'),
        ("<text user-select>\n  a\n</text>", "<text user-select>a</text>"),
    ],
)
def test_layout_white_space_in_a_web_view(target: Target, source: str, good: str) -> None:
    assert [rule for rule, _ in found(source, target)] == ["layout-white-space"]
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    ("source", "good"),
    [
        ('<text wx:for="{{a}}">\n  {{item}}\n</text>', '<text wx:for="{{a}}">{{item}}{{BREAK}}</text>'),
        (
            '<view>\n  <block wx:for="{{a}}">\n    <text>\n      {{item}}\n    </text>\n  </block>\n</view>',
            '<view>\n  <block wx:for="{{a}}">\n    <text>{{item}}{{BREAK}}</text>\n  </block>\n</view>',
        ),
        (
            '<text><block wx:for="{{a}}">\n  {{k}}：<text>{{v}}</text><!-- c -->\n</block></text>',
            '<text><block wx:for="{{a}}">{{k}}：<text>{{v}}</text><!-- c -->{{BREAK}}</block></text>',
        ),
        ('<text wx:for="{{a}}">\n  {{item}}</text>', '<text wx:for="{{a}}">{{item}}{{BREAK}}</text>'),
        (
            '<block wx:for="{{a}}">\n  <text>\n    {{k}}：<text>{{v}}</text>\n  </text>\n</block>',
            '<block wx:for="{{a}}">\n  <text>{{k}}：<text>{{v}}</text>{{BREAK}}</text>\n</block>',
        ),
    ],
)
def test_what_repeats_itself_ends_with_a_line_break(target: Target, source: str, good: str) -> None:
    good = good.replace("{{BREAK}}", BREAKS[target])
    assert safely_fixed(source, target) == good
    assert found(good, target) == []


@pytest.mark.parametrize(
    ("source", "good"),
    [
        # Each has rows of its own there.
        ('<text wx:for="{{a}}">\n  {{item}}\n</text>', '<text wx:for="{{a}}">{{item}}</text>'),
        (
            '<text user-select wx:for="{{a}}">\n  {{item}}\n</text>',
            '<text user-select wx:for="{{a}}">{{item}}</text>',
        ),
        (
            '<text><block wx:for="{{a}}">\n  {{k}}：<text>{{v}}</text>\n</block></text>',
            "<text><block wx:for=\"{{a}}\">{{k}}：<text>{{v}}</text>{{'\\n'}}</block></text>",
        ),
    ],
)
def test_what_repeats_itself_on_skyline(source: str, good: str) -> None:
    assert safely_fixed(source, "skyline") == good


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    ("source", "good", "joined"),
    [
        # Two rows, in one text or in two.
        ("<text>总价</text><text>\n{{a}}\n</text>", "<text>总价{{BREAK}}</text><text>{{a}}</text>", None),
        (
            "<view><text>\nHello\n</text><text>\nWorld\n</text></view>",
            "<view><text>Hello{{BREAK}}</text><text>World</text></view>",
            None,
        ),
        (
            "<view><text>姓名：{{name}}\n    电话：{{phone}}</text></view>",
            None,
            "<view><text>姓名：{{name}}电话：{{phone}}</text></view>",
        ),
        ("<text>{{a}}\n{{b}}</text>", None, None),
        ("<text>a\n</text><text>b</text>", None, "<text>a</text><text>b</text>"),
        ("<text>a\n</text><image/>", None, "<text>a</text><image/>"),
        (
            "<text>\n  <text>n</text>\n  元起\n</text>",
            None,
            "<text>\n  <text>n</text>元起\n</text>",
        ),
        # What may be left out.
        (
            '<text wx:if="{{a}}">\n a\n</text><text wx:if="{{b}}">\n b\n</text>',
            '<text wx:if="{{a}}">a{{BREAK}}</text><text wx:if="{{b}}">b</text>',
            None,
        ),
        (
            '<text wx:if="{{a}}">\n a\n</text><text wx:if="{{!a}}">\n b\n</text>',
            '<text wx:if="{{a}}">a</text><text wx:if="{{!a}}">b</text>',
            None,
        ),
        (
            '<text wx:if="{{s == 1}}">\n a\n</text><text wx:if="{{s == 2}}">\n b\n</text>',
            '<text wx:if="{{s == 1}}">a</text><text wx:if="{{s == 2}}">b</text>',
            None,
        ),
        (
            '<text wx:if="{{a}}">\n a\n</text><text wx:else>\n b\n</text><text>c</text>',
            '<text wx:if="{{a}}">a{{BREAK}}</text><text wx:else>b{{BREAK}}</text><text>c</text>',
            None,
        ),
        (
            '<text>x</text><text wx:if="{{a}}">\n a\n</text>',
            None,
            '<text>x</text><text wx:if="{{a}}">a\n</text>',
        ),
        (
            '<text hidden="{{a}}">\n a\n</text><text>\n b</text>',
            '<text hidden="{{a}}">a{{BREAK}}</text><text>b</text>',
            None,
        ),
        # What is repeated, and what follows it.
        (
            '<text wx:for="{{l}}">\n{{item}}</text><text>z</text>',
            None,
            '<text wx:for="{{l}}">{{item}}</text><text>z</text>',
        ),
        # What is shown elsewhere.
        (
            "<template name='t'><text>\n u\n</text></template>",
            None,
            "<template name='t'><text>u</text></template>",
        ),
        # Boxes, and what may be one: an empty row at the end of a box is beside what follows.
        ("<text user-select>\n a\n</text><text>b</text>", "<text user-select>a</text><text>b</text>", None),
        (
            "<text user-select>\n a\n\n</text><text>b</text>",
            "<text user-select>a{{2 BREAKS}}</text><text>b</text>",
            None,
        ),
        (
            '<text user-select="{{a}}">\n a\n</text><text>\n b\n</text>',
            '<text user-select="{{a}}">a{{BREAK}}</text><text>\n b\n</text>',
            '<text user-select="{{a}}">a{{BREAK}}</text><text>b\n</text>',
        ),
    ],
)
def test_a_line_feed_that_parts_rows_stays(
    target: Target, source: str, good: str | None, joined: str | None
) -> None:
    written = BREAKS[target]
    good, joined = (
        None
        if text is None
        else text.replace("{{BREAK}}", written).replace("{{2 BREAKS}}", written.replace(r"\n", r"\n\n"))
        for text in (good, joined)
    )
    safe = safely_fixed(source, target)
    assert safe == (good or source)
    unsafe = fix(source, target, Settings(select=frozenset(("layout-white-space",))), unsafe=True)[0]
    assert unsafe == (joined or safe)


def test_layout_white_space_beside_an_escape() -> None:
    source = "<text>一\\n\n  二\\n\n  三\\n\n</text>"
    assert found(source, "webview") == [("layout-white-space", "\n  ")]
    assert fixed(source, "webview") == "<text>一\\n二\\n三\\n</text>"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "source",
    [
        "<text>{{name}}</text>",
        "<view>\n  {{name}}\n</view>",
        "<text\n  class='a'\n>{{name}}</text\n>",
        "<text>{{\n  name\n}}</text>",
        # Nodes of white space are dropped.
        "<text>\n  <text>a</text>\n  <text>b</text>\n</text>",
        "<text>\n</text>",
        # Line feeds that are meant.
        "<text>一\n二</text>",
        "<text>{{a}}\n{{b}}</text>",
        "    <text>{{a}} \n {{b}}</text>",
        # The last one separates nothing.
        "<view><text>a\n</text></view>",
        "<view><text>{{a}}\n  </text>\n</view><text>b</text>",
        '<text wx:if="{{a}}">a\n</text><text wx:else>b\n</text>',
        '<text wx:if="{{a == 1}}">a\n</text><text wx:if="{{a == 2}}">b\n</text>',
        '<block wx:for="{{list}}"><view>a</view><text>b\n</text></block>',
        '<view style="white-space: pre-line"><text>\n  a\n</text></view>',
        # It parts what a loop repeats.
        '<text wx:for="{{list}}">{{item}}\n</text>',
        '<text><block wx:for="{{list}}">{{item}}\n  </block></text>',
        '<text><block wx:for="{{list}}"><text>{{item}}\n</text>\n</block></text>',
        '<block wx:for="{{list}}"><text>{{item}}\n</text>\n</block>',
    ],
)
def test_no_layout_white_space(target: Target, source: str) -> None:
    assert found(source, target, info=True) == []


@pytest.mark.parametrize("target", WEB)
@pytest.mark.parametrize(
    ("source", "marked", "good"),
    [
        ('<text space="emsp">  </text>', "  ", "<text space=\"emsp\">{{'  '}}</text>"),
        (
            '<text space="ensp"> <text>a</text></text>',
            " ",
            "<text space=\"ensp\">{{' '}}<text>a</text></text>",
        ),
        (
            "<text>a</text><text> </text><text>b</text>",
            " ",
            "<text>a</text><text>{{' '}}</text><text>b</text>",
        ),
    ],
)
def test_white_space_only_in_a_web_view(target: Target, source: str, marked: str, good: str) -> None:
    assert found(source, target) == [("whitespace-only-text", marked)]
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("source", "marked", "good"),
    [
        (
            "<text><text>a</text> <text>b</text></text>",
            " ",
            "<text><text>a</text>{{' '}}<text>b</text></text>",
        ),
        ("<text><text>    </text>a</text>", "    ", "<text><text>{{'\u2003\u2003'}}</text>a</text>"),
        ("<text><text>\t</text>a</text>", "\t", "<text><text>{{'\u2003\u2003'}}</text>a</text>"),
        (
            '<text style="white-space: pre"><text>  </text>a</text>',
            "  ",
            "<text style=\"white-space: pre\"><text>{{'  '}}</text>a</text>",
        ),
        ("<text>a<!-- --> <!-- -->b</text>", " ", "<text>a<!-- -->{{' '}}<!-- -->b</text>"),
    ],
)
def test_white_space_only(target: Target, source: str, marked: str, good: str) -> None:
    assert found(source, target) == [("whitespace-only-text", marked)]
    assert fixed(source, target) == good


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "source",
    [
        "<text>\u2003</text><text>{{'  '}}</text>",
        # Nothing would be seen of it.
        "<text> </text>",
        "<view><text>  </text></view>",
        "<text><text>a</text> </text>",
        "<text> <text>a</text></text>",
        "<text>a<text> </text> b</text>",
        "<text><text>a</text> <view>b</view></text>",
        # An icon.
        '<text>a</text><text class="icon"> </text><text>b</text>',
        # Layout.
        "<text>\n  <text>a</text>\n  <text>b</text>\n</text>",
        "<view><text>a</text> <text>b</text></view>",
    ],
)
def test_no_white_space_only(target: Target, source: str) -> None:
    assert found(source, target, info=True) == []


@pytest.mark.parametrize(
    ("target", "source", "good"),
    [
        (
            "webview",
            "<text user-select>a\\n</text><text user-select>b</text>",
            "<text user-select>a</text><text>\\n</text><text user-select>b</text>",
        ),
        (
            "webview",
            "<text user-select>a\\n </text>\n<text>b</text>",
            "<text user-select>a </text><text>\\n</text>\n<text>b</text>",
        ),
        (
            "glass-easel",
            "<text user-select>a{{'\\n'}}</text><text>b</text>",
            "<text user-select>a</text><text>{{'\\n'}}</text><text>b</text>",
        ),
        (
            "webview",
            "<text user-select='{{true}}'>a\\n\\n</text><text>b</text>",
            "<text user-select='{{true}}'>a\\n</text><text>\\n</text><text>b</text>",
        ),
    ],
)
def test_swallowed_line_break(target: Target, source: str, good: str) -> None:
    assert [rule for rule, _ in found(source, target)] == ["swallowed-line-break"]
    assert safely_fixed(source, target) == source
    assert fix(source, target, Settings(select=RULES), unsafe=True)[0] == good


def test_a_swallowed_line_break_that_may_be_shown_again_is_left_to_a_person() -> None:
    for control in ('wx:for="{{list}}"', 'wx:if="{{a}}"'):
        source = f"<text user-select {control}>{{{{item}}}}\\n</text><text>b</text>"
        assert found(source, "webview") == [("swallowed-line-break", "\\n")]
        assert fix(source, "webview", Settings(select=RULES))[0] == source


@pytest.mark.parametrize(
    "source", ["<text user-select>\n</e>>", "<text user-select>a\n</p>b</text>", "<text user-select>a\n</p>b"]
)
def test_a_swallowed_line_break_where_nothing_ends_the_box_is_left_to_a_person(source: str) -> None:
    for target in TARGETS:
        for rules in (RULES, frozenset(("swallowed-line-break",))):
            assert fix(source, target, Settings(select=rules))[0].count("<text") == 1


@pytest.mark.parametrize("target", WEB)
def test_boxes_that_break_apart(target: Target) -> None:
    label, value = "<text user-select>备注：</text>", f"<text user-select>{'很长' * 15}</text>"
    assert found(label + value, target) == [("swallowed-line-break", "<text user-select>")]
    assert found(label + "<text user-select>不长</text>", target) == []
    assert found(f"<view>{label}</view>{value}", target) == []
    assert found(f"{label}<text>{{{{'\\n'}}}}</text>{value}", target) == []
    assert found(f"<text user-select>备注：<text>{'很长' * 15}</text></text>", target) == []


@pytest.mark.parametrize(
    "source",
    [
        "<text user-select>a\\n</text>",
        "<view><text user-select>a\\n</text></view><text>b</text>",
        "<text user-select>a\\n</text><view>b</view>",
        "<text user-select>a\\nb</text><text>c</text>",
        "<text user-select='{{false}}'>a\\n</text><text>b</text>",
        "<text user-select='{{x}}'>a\\n</text><text>b</text>",
        "<text>a\\n</text><text user-select>b</text>",
        "<text selectable>a\\n</text><text>b</text>",
        "<text user-select>a\\n</text><text>\\n</text><text>b</text>",
    ],
)
def test_no_swallowed_line_break(source: str) -> None:
    assert found(source, "webview", info=True) == []
    assert found(source.replace("\\n", "{{'\\n'}}"), "skyline", info=True) == []


def test_what_follows_no_condition_is_no_branch_to_glass_easel() -> None:
    source = '<text wx:elif="{{b}}">a</text><text wx:else>\n z\n</text>'
    assert fix(source, "glass-easel")[0] == source

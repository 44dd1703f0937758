"""What `show` leaves out because nobody sees it, and what it says of what it cannot evaluate."""

from __future__ import annotations

from random import Random

import pytest

from tests.command import Run
from tests.oracle import Oracle
from tests.shown import shown
from wxtext import WxmlError, show
from wxtext.rich_text import rich_text
from wxtext.screen import look
from wxtext.semantics import COMPILERS, Target, inline_display

TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")

#: What a condition may be, and whether it holds: the same to both compilers.
CONDITIONS = {
    "{{false}}": False,
    "{{true}}": True,
    "{{!true}}": False,
    "{{0}}": False,
    "{{1 > 2}}": False,
    "{{''}}": False,
    "{{null}}": False,
    "{{undefined}}": False,
    "{{}}": False,
    "": False,
    "{{[]}}": True,
    "{{'false'}}": True,
    "false": True,
    " {{false}}": True,
    "{{false}}a": True,
    "{{false}}{{false}}": True,
}
#: Pages without data in them, and what they show to each compiler; None if it refuses them.
PAGES = [
    ("<i wx:if='{{1}}'>A</i><i wx:elif='{{1}}'>B</i><i wx:else>C</i>", "A", "A"),
    ("<i wx:if='{{0}}'>A</i><i wx:elif='{{1}}'>B</i><i wx:else>C</i>", "B", "B"),
    ("<i wx:if='{{0}}'>A</i><i wx:elif='{{0}}'>B</i><i wx:else>C</i>", "C", "C"),
    ("<i wx:if='{{0}}'>A</i><i wx:elif=''>B</i><i wx:else>C</i>", "C", "C"),
    ("<i wx:if='{{0}}'>A</i> <!-- c -->\n<i wx:else>B</i>", "B", "B"),
    ("<i wx:if='{{1}}'>A</i><wxs module='m'>var a = 1</wxs><i wx:else>B</i>", "A", "A"),
    ("<i wx:if='{{0}}'>A</i><i wx:else='{{0}}'>B</i>", "B", "B"),
    ("<i wx:if='{{0}}'><i wx:if='{{1}}'>A</i></i><i wx:else>B</i>", "B", "B"),
    ("<i wx:if='{{1}}'><i wx:if='{{0}}'>A</i><i wx:else>a</i></i><i wx:else>B</i>", "a", "a"),
    ("<i wx:if='{{0}}'/><i wx:else>B</i>", "B", "B"),
    ("<i wx:if='{{1}}'/><i wx:else>B</i>", "", ""),
    ("<i wx:if='{{0}}'>A</i><i wx:if='{{0}}'>B</i><i wx:else>C</i>", "C", "C"),
    ("<block wx:if='{{0}}'>A</block><block wx:else>B</block>", "B", "B"),
    ("<slot wx:if='{{0}}'/><i wx:else>B</i>", "B", "B"),
    ("<text>x<block wx:if='{{0}}'>A</block><text wx:else>B</text></text>", "xB", "xB"),
    ("<template name='t'>T</template><template is='t' wx:if='{{0}}'/><i wx:else>B</i>", "B", "B"),
    ("<template name='t'>T</template><template is='t' wx:if='{{1}}'/><i wx:else>B</i>", "T", "T"),
    ("<template name='t' wx:if='{{0}}'>T</template><template is='t'/>", "T", "T"),
    ("<template name='t'><i wx:if='{{0}}'>A</i><i wx:else>B</i></template><template is='t'/>", "B", "B"),
    # What only glass-easel takes.
    ("<i wx:if>A</i><i wx:else>B</i>", None, "B"),
    ("<i wx:if='{{0}}'>A</i><i wx:elif>B</i><i wx:else>C</i>", None, "C"),
    ("<i wx:if='{{1}}'>A</i>t<i wx:else>B</i>", None, "AtB"),
    ("<i wx:if='{{1}}'>A</i><b>t</b><i wx:else>B</i>", None, "AtB"),
    ("<i wx:if='{{1}}'>A</i><template name='t'>T</template><i wx:else>B</i>", None, "A"),
    ("<i wx:if='{{1}}'>A</i><import src='x'/><i wx:else>B</i>", None, "A"),
    ("<i wx:if='{{1}}'>A</i><i wx:else>B</i><i wx:elif='{{0}}'>C</i>", None, "A"),
    ("<i wx:elif='{{0}}'>A</i><i wx:else>B</i>", None, "AB"),
    ("<i wx:if='{{0}}' wx:else>A</i>", None, ""),
    ("<i wx:if='{{0}}' wx:elif='{{1}}'>A</i><i wx:else>B</i>", None, "B"),
    ("<i wx:for='{{[1]}}' wx:if='{{1}}'>A</i><i wx:else>B</i>", None, "AB"),
    # Loops.
    ("<i wx:for='{{[]}}'>A</i>", "", ""),
    ("<i wx:for-items='{{[]}}'>A</i>", "", ""),
    ("<i wx:for='{{0}}'>A</i>", "", ""),
    ("<i wx:for='{{-1}}'>A</i>", "", ""),
    ("<i wx:for='{{0.5}}'>A</i>", "A", ""),
    ("<i wx:for='{{true}}'>A</i>", "", ""),
    ("<i wx:for='{{null}}'>A</i>", "", ""),
    ("<i wx:for=''>A</i>", "", ""),
    ("<i wx:for>A</i>", None, ""),
    ("<i wx:for='a'>A</i>", "A", "A"),
    ("<i wx:for='{{[[]]}}'>A</i>", "A", "A"),
    ("<i wx:for='{{[1]}}' wx:if='{{0}}'>A</i>", "", ""),
    ("<i wx:for='{{[1]}}' wx:if='{{1}}'>A</i>", "A", "A"),
    # `hidden`.
    ("<i hidden>A</i><i hidden='{{0}}'>B</i><i hidden='{{1}}'>C</i><i hidden=''>D</i>", "BD", "BD"),
    ("<i wx:if='{{1}}' hidden>A</i><i wx:else>B</i>", "", ""),
    ("<i wx:if='{{0}}' hidden>A</i><i wx:else>B</i>", "B", "B"),
]


def verdict(wxml: str, target: Target) -> str | None:
    try:
        return show(wxml, target)
    except WxmlError:
        return None


@pytest.mark.parametrize(("wxml", "wcc", "glass_easel"), PAGES)
def test_constant_conditions(wxml: str, wcc: str | None, glass_easel: str | None) -> None:
    assert verdict(wxml, "webview") == wcc
    assert verdict(wxml, "glass-easel") == glass_easel


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS.items())
def test_what_a_condition_is(condition: str, holds: bool) -> None:
    page = f'<i wx:if="{condition}">A</i><i wx:else>B</i>'
    later = f'<i wx:if="{{{{0}}}}">A</i><i wx:elif="{condition}">B</i><i wx:else>C</i>'
    for target in "webview", "glass-easel":
        assert (show(page, target), show(later, target)) == (("A", "B") if holds else ("B", "C"))


def test_the_compilers_agree_on_conditions(oracle: Oracle) -> None:
    sources = [page for page, *_shown in PAGES]
    sources += [f'<i wx:if="{condition}">A</i><i wx:else>B</i>' for condition in CONDITIONS]
    for target in "webview", "glass-easel":
        results = oracle.compile(COMPILERS[target], sources)
        for source, result in zip(sources, results, strict=True):
            expected = shown(result["tree"], target) if "tree" in result else None
            assert verdict(source, target) == expected, source


def random_page(random: Random, depth: int = 0) -> str:
    """Elements with constant conditions, in one another.

    None has `wx:elif` or `wx:else` after a `wx:else`: wcc refuses that, and glass-easel lets the later branch
    take the place of the earlier, which `show` does not follow.
    """
    pieces = []
    is_over = False
    for _ in range(random.randrange(1, 5)):
        name = random.choice(["view", "block", "i"])
        inside = random_page(random, depth + 1) if depth < 3 and random.random() < 0.6 else ""
        attribute = random.choice(["wx:if", "wx:if", "wx:elif", "wx:else", "hidden", "", "wx:for"])
        value = random.choice(["{{[]}}", "{{1}}"]) if attribute == "wx:for" else random.choice([*CONDITIONS])
        if attribute == "wx:else":
            value = ""
        if attribute.startswith("wx:el") and is_over:
            attribute = ""
        is_over = attribute == "wx:else"
        written = f' {attribute}="{value}"' if attribute else ""
        pieces.append(f"<{name}{written}>{random.choice('甲乙丙丁')}{inside}</{name}>")
        pieces.append(random.choice(["", "", "\n  ", "<!-- c -->"]))
    return "".join(pieces)


@pytest.mark.parametrize("target", ["webview", "glass-easel"])
def test_any_constant_conditions(oracle: Oracle, target: Target) -> None:
    sources = [random_page(Random(f"screen:{seed}")) for seed in range(500)]
    accepted = 0
    for source, result in zip(sources, oracle.compile(COMPILERS[target], sources), strict=True):
        expected = shown(result["tree"], target) if "tree" in result else None
        accepted += expected is not None
        assert verdict(source, target) == expected, source
    assert accepted > 50


@pytest.mark.parametrize(
    ("style", "display"),
    [
        ("display:none", "none"),
        ("display: none;", "none"),
        (" DISPLAY : None ", "none"),
        ("color:red;display:none;margin:0", "none"),
        ("display:none !important", "none"),
        ("display:none!important; display: flex", "none"),
        ("display:none; display:block", "block"),
        ("display:block; display:none", "none"),
        ("/* display:block; */display:/**/none", "none"),
        ("/* display:none */color:red", ""),
        ("display:", ""),
        ("display:none;display:", "none"),
        ("--display:none", ""),
        ("x-display:none", ""),
        ("display-none:1;content:'display'", ""),
        ("color:{{c}};display:none", "none"),
        ("display:none;{{style}}", "none"),
        ("{{style}}", ""),
        ("{{'display:none'}}", ""),
        ("display:{{d}}", None),
        ("display:{{a ? 'none;' : 'block'}}", None),
        ("display:{{d}};display:none", "none"),
        ("display:none;display:{{d}}", None),
        ("", ""),
    ],
)
def test_what_a_style_says_of_display(style: str, display: str | None) -> None:
    assert inline_display(style) == display


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("wxml", "rows"),
    [
        ("<view>一</view><view style='display:none'>二<text>三</text></view><view>四</view>", "一\n四"),
        ("<view style='color:red; display: none'>二</view><text>四</text>", "四"),
        ("<view style='display:none; display:flex'>二</view>", "二"),
        ("<view style='display:none;width:{{w}}rpx'>二</view>", ""),
        ("<view style=\"{{'display:none'}}\">二</view>", ""),
        ("<text>一<text style='display:none'>二</text>三</text>", "一三"),
        ("<view style='display:none'/><view>四</view>", "四"),
        ("<my-element style='display:none'>二</my-element>", ""),
        # What is nothing itself has no style, and is not hidden.
        ("<block style='display:none' hidden>二</block>", "二"),
        ("<view wx:if='{{true}}' style='display:none'>一</view><view wx:else>二</view>", ""),
    ],
)
def test_what_is_not_displayed(wxml: str, rows: str, target: Target) -> None:
    assert show(wxml, target) == rows


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("nodes", "rows"),
    [
        ("文字", "文字"),
        ("<p>一</p><p>二</p>", "一\n二"),
        ("一<div>二<b>三</b></div>四", "一\n二三\n四"),
        ("<h1>标  题</h1>\n<p>\n正<i>文</i> a\n b\n</p>", "标 题\n正文 a b"),
        ("一<br>二<br/><br/>三", "一\n二\n\n三"),
        ("<ul><li>一</li><li>二</li></ul>", "一\n二"),
        ("<table><tr><td>一</td><td>二</td></tr><tr><td>三</td></tr></table>", "一 二\n三"),
        ("<P STYLE=color:red>一</P>", "一"),
        ("<p style=display:none>一</p>二", "二"),
        # An element that is not trusted is dropped with all it holds.
        ("<script>一</script><style>p{}</style>二<video>三<b>四</b></video>五<x-y>六</x-y>", "二五"),
        ("一<!-- 二 -->三", "一三"),
        ("<p>一<p>二", "一\n二"),
        ("一</b></div>二", "一二"),
        ("<pre>a  b\n  c</pre>", "a\u00a0\u00a0b\n\u00a0\u00a0c"),
        ("<img src=a>", ""),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_the_text_in_rich_text(nodes: str, rows: str, target: Target) -> None:
    value = nodes.replace("\n", "&#10;") if target != "webview" else nodes.replace("\n", "\\n")
    for wxml in f'<rich-text nodes="{value}"/>', f'<rich-text nodes="{value}"></rich-text>':
        screen = look(wxml, target)
        assert (screen.text, screen.unknown) == (rows, {})
        assert show(f"<view>甲</view>{wxml}<view>乙</view>", target) == "\n".join(
            filter(None, ["甲", rows, "乙"])
        )
        assert show(f"<text>甲{wxml}</text>", target) == "甲"
        assert show(f"<view hidden>{wxml}</view>", target) == ""


def test_entities_in_rich_text() -> None:
    # glass-easel decodes an attribute before `<rich-text>` decodes the text.
    page = '<rich-text nodes="&lt;b&gt; &amp;lt; &nbsp;&#20013;"/>'
    assert show(page, "webview") == "<b> &lt; \u00a0中"
    assert show(page, "glass-easel") == "< \u00a0中"
    assert show("<rich-text nodes=\"{{'<b>甲</b>'}}\"/>") == "甲"
    assert show('<rich-text space="emsp" nodes="a  b"/>') == "a\u2003\u2003b"
    assert show('<rich-text space="emsp" nodes="a  b"/>', "skyline") == "a b"
    assert show('<rich-text nodes="<b>甲\x01\x00</b>"/>', "glass-easel") == "甲"


@pytest.mark.parametrize(
    "attribute", ['nodes="{{html}}"', "nodes=\"{{[{name: 'p'}]}}\"", 'nodes="<p>{{a}}</p>"']
)
def test_nodes_that_are_not_evaluated_are_told(attribute: str) -> None:
    page = f"<view>甲</view>\n<rich-text {attribute}/><rich-text {attribute}/>"
    screen = look(page, "webview")
    assert screen.text == "甲"
    message = "a.wxml:2:1: not evaluated, from here on: nodes of <rich-text> (not shown): 2"
    assert screen.told("a.wxml", page) == message


def test_any_html_is_read() -> None:
    """Whatever stands there: no HTML is a fault, and none is lost in silence."""
    random = Random("html")
    tags = ("<html>", "<body>", "</body>", "<title>", "<style>", "</div>", "<td>", "<pre>", "<!--", "<?a?>")
    letters = "<>/ab&;#x0 \t\v\f\x01\x85\u00a0中\ufffe\uffff\ud800!-="
    for _ in range(3_000):
        html = "".join(random.choices(tags + tuple(letters), k=random.randrange(30)))
        assert rich_text(html, None, "wcc", 0, 0) is not None
    assert show(f"<rich-text nodes='{'<b>' * 1_500}甲'/>") == "甲"
    page = f"<rich-text nodes='{'<b>' * 30_000}甲'/>"
    assert look(page, "webview").unknown == {"nodes": (1, 0)}


@pytest.mark.parametrize(
    ("page", "rows", "message"),
    [
        ("<view wx:if='{{a}}'>甲</view>", "甲", "1:1: conditions (every branch is shown): 1"),
        (
            "<i wx:if='{{a}}'>A</i>\n<i wx:elif='{{true}}'>B</i><i wx:else>C</i>",
            "AB",
            "1:1: conditions (every branch is shown): 1",
        ),
        (
            "<i wx:if='{{false}}'>A</i>\n <i wx:elif='{{a}}'>B</i><i wx:else>C</i>",
            "BC",
            "2:2: conditions (every branch is shown): 1",
        ),
        ("<i hidden='{{a}}'>A</i>", "A", "1:1: conditions (every branch is shown): 1"),
        ("<i style='display:{{a}}'>A</i>", "A", "1:1: conditions (every branch is shown): 1"),
        ("<i wx:for='{{a}}'>A{{item}}</i>", "A{{item}}", "1:1: loops (shown once): 1"),
        ("<i wx:for='{{[1, 2]}}'>A</i>", "A", "1:1: loops (shown once): 1"),
        (
            "甲<include src='a'/><template is='t'/><template is='{{a}}'/>",
            "甲",
            "1:2: templates and files from elsewhere (not shown): 3",
        ),
        (
            "<i wx:for='{{a}}' wx:if='{{item}}'>A</i><rich-text nodes='{{a}}'/>",
            "A",
            "1:1: loops (shown once): 1; conditions (every branch is shown): 1; "
            "nodes of <rich-text> (not shown): 1",
        ),
        # Nothing is said of what is not there, nor of other data.
        ("<i wx:if='{{false}}'><i wx:if='{{a}}'>A</i></i><i wx:else>B</i>", "B", ""),
        ("<i hidden><i wx:for='{{a}}'>A</i></i>", "", ""),
        ("<i wx:if='{{true}}'>A</i><i wx:elif='{{a}}'>B</i>", "A", ""),
        ("<i class='{{a}}' style='{{b}}'>{{c}}</i>", "{{c}}", ""),
        ("<template name='t'>A</template><template is='t' data='{{a}}'/>", "A", ""),
    ],
)
def test_what_is_not_evaluated_is_told_in_one_line(page: str, rows: str, message: str, run: Run) -> None:
    place, _colon, what = message.partition(": ")
    said = f"-:{place}: not evaluated, from here on: {what}\n" if message else ""
    assert run("show", "-", stdin=page) == (0, f"{rows}\n" if rows else "", said)


def test_an_empty_row_of_skyline_is_printed_empty(run: Run) -> None:
    notes = "\n一\n\n\n二"
    page = run("convert", "-", "--target", "skyline", stdin=notes).out
    assert "\u00a0" in page
    assert run("show", "-", "--target", "skyline", stdin=page) == (0, f"{notes}\n", "")
    assert show("<view>a</view><view><text>\u00a0</text></view>", "skyline") == "a"
    assert show("<view><text>\u00a0a\u00a0</text></view>", "skyline") == "\u00a0a\u00a0"

"""Rules of a project's own: the tree that XPath sees, and where what it finds stands."""

from __future__ import annotations

import pytest

from wxtext import tree
from wxtext.lint import Settings, check
from wxtext.page import Page
from wxtext.problem import Severity
from wxtext.semantics import Target
from wxtext.tree import Tree, XPathError, xml_name

SOURCE = """\
<view wx:if="{{a}}" bind:tap="x" wx:for:item="q" disabled>
 一 {{x}} <!-- c -- d ---><text style="&lt;">A<b/></text>tail<!-- n --> more
</view><wxs module="m">a < b</wxs>
<Card class='x "y"'/>"""


def found(xpath: str, source: str = SOURCE, target: Target = "webview") -> list[str]:
    """What a rule of this expression reports: parts of the source."""
    rule = tree.rule("own", xpath, "message", Severity.INFO)
    return [source[finding.start : finding.end] for finding in rule.check(Page(source, target))]


@pytest.mark.parametrize(
    ("xpath", "parts"),
    [
        ("//text", ['<text style="&lt;">']),
        ("/wxml/*", [SOURCE.splitlines()[0], '<wxs module="m">a < b</wxs>', "<Card class='x \"y\"'/>"]),
        ("//*[@wx:if]/@bind:tap", ['bind:tap="x"']),
        ("//@wx:for_item", ['wx:for:item="q"']),
        ("//*[@disabled]/@disabled", ["disabled"]),
        ("//@style[. = '&lt;']", ['style="&lt;"']),
        ("//@class[contains(., '\"y')]", ["class='x \"y\"'"]),
        ("//view/text()", ["\n 一 {{x}} ", "tail", " more\n"]),
        ("//text/text() | //text/following-sibling::text()", ["A", "tail", " more\n"]),
        ("//text()[contains(., '{{')]", ["\n 一 {{x}} "]),
        ("//comment()", ["<!-- c -- d --->", "<!-- n -->"]),
        ("//wxs[text()]", []),
        ("//card", []),
        ("//view[count(*) = 1 and not(@wx:for)]/child::text/b", ["<b/>"]),
        ("count(//view) > 0", [""]),
        ("count(//view) > 1", []),
        ("//@xml:lang", []),
    ],
)
def test_what_is_found_where(xpath: str, parts: list[str]) -> None:
    assert found(xpath) == parts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("user-select", "user-select"),
        ("wx:if", "{wxml:wx}if"),
        ("wx:for:item", "{wxml:wx}for_item"),
        ("capture-bind:tap", "{wxml:capture-bind}tap"),
        (":a", "_a"),
        ("a:", "a_"),
        ("-a", "_-a"),
        ("9.a", "_9.a"),
        ("@a", "_a"),
        ("名", "_"),
        ("", "_"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert xml_name(name) == expected


def test_every_name_of_wxml_is_taken_by_lxml() -> None:
    names = 'xmlns="u"', 'xmlns:e="v"', 'xml:lang="w"', '_="x"', "class.z", "a:b:c", "-f", "9"
    for target in "webview", "glass-easel":
        for name in names:
            source = f"<text {name}/>"
            page = Page(source, target)
            root = Tree(page).root
            assert [len(element.tag.attributes) for element in page.elements] == [
                len(element.attrib) for element in root
            ]


@pytest.mark.parametrize("inside", ["", "-", "--", " --- ", "---- -", "<", "\x01", "\n-"])
def test_every_comment_is_taken_by_lxml(inside: str) -> None:
    source = f"<!--{inside}--><text/>"
    assert found("//comment()", source, "glass-easel") == [f"<!--{inside}-->"]
    assert found("//comment()", f"<text/><!--{inside}", "webview") == [f"<!--{inside}"]


def test_what_xml_does_not_know() -> None:
    source = '<view data-a="\x01">\ufffe\x0b</view>'
    root = Tree(Page(source, "webview")).root
    assert root[0].get("data-a") == "\ufffd"
    assert root[0].text == "\ufffd\ufffd"


@pytest.mark.parametrize(
    ("xpath", "reason"),
    [
        ("//[", "Invalid expression"),
        ("nothing(//text)", "Unregistered function"),
        (
            "//text\0",
            "All strings must be XML compatible: Unicode or ASCII, no NULL bytes or control characters",
        ),
        ("count(//text)", "it finds neither nodes nor a truth value"),
        ("'text'", "it finds neither nodes nor a truth value"),
    ],
)
def test_expressions_that_are_wrong(xpath: str, reason: str) -> None:
    with pytest.raises(XPathError) as caught:
        tree.rule("own", xpath, "message", Severity.INFO)
    assert str(caught.value) == f"rule 'own': {xpath!r} is not right: {reason}"


def test_expressions_that_show_to_be_wrong_later() -> None:
    with pytest.raises(XPathError, match="Unregistered function"):
        found("//text[nothing(.)]")


def test_own_rules_are_rules_like_others() -> None:
    rule = tree.rule("no-style", "//text/@style", "use a class", Severity.WARNING)
    source = '<!-- wxtext-ignore no-style -->\n<text style="a">一</text>\n<text style="b">二</text>'
    problems = check(source, settings=Settings(select=frozenset({"no-style"}), own_rules=(rule,)))
    assert [(problem.rule, problem.severity, problem.message) for problem in problems] == [
        ("no-style", Severity.WARNING, "use a class")
    ]
    assert problems[0].span == (3, 7, 3, 16)


def test_deep_pages() -> None:
    source = "<view>" * 20_000 + "</view>" * 20_000
    assert found("//text", source) == []
    assert found("//view[not(*)]", source) == ["<view>"]

"""Pages that `convert -o` writes into: right afterwards, or refused and untouched. One right outcome each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import Run
from tests.oracle import Oracle

pytestmark = pytest.mark.usefixtures("_in_tmp_path")


@pytest.fixture
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


BEGIN, END = "<!-- wxtext:begin -->", "<!-- wxtext:end -->"
#: Why a page is refused.
NO_COMMENT = "the markers are no comments where they stand, in a tag, a script, a binding or another comment"
BEFORE = "correct first what is before the markers; the compiler refuses what it makes, at "
NOT_SHOWN = "where the markers stand, the text would not be shown as it was typed"
REFUSES = "the compiler refuses what it makes, at "

#: Pages for the classic framework, `|` and `^` where the markers are, and what they are when the notes `甲`
#: are written into them; or why they are not.
WEBVIEW: dict[str, tuple[str, str]] = {
    # Where a block can stand.
    "alone": ("|^", "|\n<text>甲</text>\n^"),
    "alone, apart": ("|\n^\n", "|\n<text>甲</text>\n^\n"),
    "with old text": ("|\n<text>旧</text>\n^\n", "|\n<text>甲</text>\n^\n"),
    "with old text in the same line": ("|旧^", "|\n<text>甲</text>\n^"),
    "in a view": ("<view>|^</view>", "<view>|\n<text>甲</text>\n^</view>"),
    "in a view, indented": (
        "<view>\n  |\n  ^\n</view>\n",
        "<view>\n  |\n<text>甲</text>\n  ^\n</view>\n",
    ),
    "in a view, with TABs": (
        "<view>\n\t|\n\t<text>旧</text>\n\t^\n</view>",
        "<view>\n\t|\n<text>甲</text>\n\t^\n</view>",
    ),
    "between views": (
        "<view>前</view>|^<view>后</view>",
        "<view>前</view>|\n<text>甲</text>\n^<view>后</view>",
    ),
    "in a block": ("<block>|^</block>", "<block>|\n<text>甲</text>\n^</block>"),
    "in a condition": (
        '<view wx:if="{{a}}">|^</view><view wx:else/>',
        '<view wx:if="{{a}}">|\n<text>甲</text>\n^</view><view wx:else/>',
    ),
    "in a loop": (
        '<view wx:for="{{a}}">|^</view>',
        '<view wx:for="{{a}}">|\n<text>甲</text>\n^</view>',
    ),
    "in a scroll-view": (
        "<scroll-view scroll-y>|^</scroll-view>",
        "<scroll-view scroll-y>|\n<text>甲</text>\n^</scroll-view>",
    ),
    "in a component": ("<my-card>|^</my-card>", "<my-card>|\n<text>甲</text>\n^</my-card>"),
    "in a text": ("<text>|^</text>", "<text>|\n<text>甲</text>\n^</text>"),
    "in a text, between rows": (
        "<text>前\n|\n^\n后</text>",
        "<text>前\n|\n<text>甲</text>\n^\n后</text>",
    ),
    "in a template that is used here": (
        '<template name="t">|^</template><template is="t"/>',
        '<template name="t">|\n<text>甲</text>\n^</template><template is="t"/>',
    ),
    "in a template that is used elsewhere": (
        '<template name="t"><view>|^</view></template>',
        '<template name="t"><view>|\n<text>甲</text>\n^</view></template>',
    ),
    "after a comment": ("<!-- 甲 -->|^", "<!-- 甲 -->|\n<text>甲</text>\n^"),
    "after a script": (
        '<wxs module="m">var a = 1;</wxs>|^',
        '<wxs module="m">var a = 1;</wxs>|\n<text>甲</text>\n^',
    ),
    # What is between the markers is replaced, and may have been what was wrong.
    "end after a brace": ("<view>|{^</view>", "<view>|\n<text>甲</text>\n^</view>"),
    "across a start tag": ("<view>|<view>^</view>", "<view>|\n<text>甲</text>\n^</view>"),
    "near as many elements as wcc takes": (
        "<view/>" * 15_998 + "|^",
        "<view/>" * 15_998 + "|\n<text>甲</text>\n^",
    ),
    # Where none can.
    "in a value": ('<view a="|^"/>', NO_COMMENT),
    "in a value, single quotes": ("<view a='|^'/>", NO_COMMENT),
    "around a value": ('<view a=|"b"^/>', BEFORE + "1:1: "),
    "in a value, apart": ('<view a="|" b="^"/>', NO_COMMENT),
    "in a condition's value": ("<view wx:if=\"{{a == '|^'}}\"/>", NO_COMMENT),
    "in a tag": ("<view |^></view>", BEFORE + "1:1: "),
    "from a value to behind": ('<view a="|"/>^', NO_COMMENT),
    "in a binding": ("<view>{{|^}}</view>", NO_COMMENT),
    "in a string of a binding": ("<view>{{'|^'}}</view>", NO_COMMENT),
    "in a script": ('<wxs module="m">|^</wxs>', NO_COMMENT),
    "in comments of a script": ('<wxs module="m">\n// |\n// ^\nvar a = 1;\n</wxs>', NO_COMMENT),
    "in a comment": ("<view><!-- a | b ^ c --></view>", NO_COMMENT),
    "begin in a comment": ("<!-- a | b -->^", NO_COMMENT),
    "in a comment without an end": ("<!-- a\n|\n^\n", NO_COMMENT),
    "after a brace": ("<view>{|^</view>", NO_COMMENT),
    "between a condition and its else": (
        '<view wx:if="{{a}}"/>|^<view wx:else/>',
        REFUSES + "3:20: `wx:elif` or `wx:else` without `wx:if` before it",
    ),
    "across an end tag": ("<view>|</view>^", REFUSES + "1:1: `<view>` is never closed"),
    "in a row of a text": ("<text>前|^</text>", NOT_SHOWN),
    "in a row of texts": ("<text>前</text>\n|\n^\n<text>后</text>", NOT_SHOWN),
    "in a row of loose text": ("<view>前|^</view>", NOT_SHOWN),
    "where nothing is shown": ("<view hidden>|^</view>", NOT_SHOWN),
    "in the row of a template": ('<template name="t"><text>前|^</text></template>', NOT_SHOWN),
    "in an element that a text drops": ("<text><view>|^</view></text>", NOT_SHOWN),
    "in what includes another file": ('<include src="a">|^</include>', NOT_SHOWN),
    "in a tag without an end": ('<view a="|^', BEFORE + "1:9: "),
    "behind what is refused": ("</view>|^", BEFORE + "1:1: "),
    "among as many elements as wcc takes": (
        "<view/>" * 15_999 + "|^",
        "16000 elements in one file break the compiler of webview, which takes 15999",
    ),
    # Markers that are none, or not one of each.
    "end before begin": ("^|", "has marker comments, but not one "),
    "two begins": ("||^", "has marker comments, but not one "),
    "no end": ("|<view/>", "has marker comments, but not one "),
    "none": ("<view/>", "was not written by wxtext; "),
}

#: The same for Skyline.
SKYLINE: dict[str, tuple[str, str]] = {
    "in a view": ("<view>|^</view>", "<view>|\n<view><text>甲</text></view>\n^</view>"),
    "between texts": (
        "<text>前</text>|^<text>后</text>",
        "<text>前</text>|\n<view><text>甲</text></view>\n^<text>后</text>",
    ),
    "after a brace": ("<view>{|^</view>", "<view>{|\n<view><text>甲</text></view>\n^</view>"),
    "almost too deep": (
        "<view>" * 173 + "|^" + "</view>" * 173,
        "<view>" * 173 + "|\n<view><text>甲</text></view>\n^" + "</view>" * 173,
    ),
    "in a text": ("<text>|^</text>", NOT_SHOWN),
    "in a value": ('<view a="|^"/>', NO_COMMENT),
    "in a tag": ("<view |^></view>", NO_COMMENT),
    "in a script": ('<wxs module="m">|^</wxs>', NO_COMMENT),
    "in a comment": ("<!-- | ^ -->", NO_COMMENT),
    "too deep": ("<view>" * 174 + "|^" + "</view>" * 174, "2:7: elements more than 45 deep can crash the "),
    "too many elements": (
        "<view/>" * 2_190 + "|^",
        "2192 elements in one file break the compiler of skyline",
    ),
    "too many variables": (
        '<view wx:if="{{a}}"/>' * 730 + "|^",
        "2:7: here are more than 2191 elements, and the code is broken; split the page",
    ),
}

TABLE = [
    *(pytest.param("webview", page, outcome, id=name) for name, (page, outcome) in WEBVIEW.items()),
    *(
        pytest.param("skyline", page, outcome, id=f"{name}, Skyline")
        for name, (page, outcome) in SKYLINE.items()
    ),
]


def marked(page: str) -> str:
    return page.replace("|", BEGIN).replace("^", END)


def is_page(outcome: str) -> bool:
    """Whether it is what a page becomes, and not why it stays as it is."""
    return outcome.count("|") == outcome.count("^") == 1


@pytest.mark.parametrize(("target", "page", "outcome"), TABLE)
def test_a_page_is_right_afterwards_or_refused_and_untouched(
    target: str, page: str, outcome: str, run: Run
) -> None:
    Path("page.wxml").write_bytes(marked(page).encode())
    code, out, err = run("convert", "-", "-o", "page.wxml", "--target", target, stdin="甲")
    after = Path("page.wxml").read_bytes().decode()
    if is_page(outcome):
        assert (code, out, err, after) == (0, "", "", marked(outcome))
    else:
        assert (code, out, err.count("\n"), after) == (2, "", 1, marked(page))
        assert err.startswith(f"wxtext: error: page.wxml: {outcome}")


@pytest.mark.parametrize("target", ["webview", "skyline"])
def test_what_is_written_compiles(target: str, oracle: Oracle) -> None:
    compiler = "wcc" if target == "webview" else "glass-easel"
    # The oracle's own reader of trees has no room for the deepest.
    table = WEBVIEW if target == "webview" else SKYLINE
    pages = [after for _page, after in table.values() if is_page(after) and "<view>" * 20 not in after]
    used = [marked(page) + '<template is="t"/>' * ('name="t"' in page) for page in pages]
    results = oracle.compile(compiler, used, {"a": [1]})
    assert [
        page for page, result in zip(pages, results, strict=True) if "甲" not in str(result.get("tree"))
    ] == []


#: Pages in bytes: an encoding, line ends, forms of the markers; and what they are afterwards, or why they
#: stay as they are.
ENCODED: dict[str, tuple[bytes, bytes | str]] = {
    "UTF-8": (
        f"<view>中文\n{BEGIN}\n{END}\n</view>\n".encode().replace(
            "中文\n".encode(), "<view>中文</view>\n".encode()
        ),
        f"<view><view>中文</view>\n{BEGIN}\n<text>甲</text>\n{END}\n</view>\n".encode(),
    ),
    "CRLF": (
        f"<view>\r\n  {BEGIN}\r\n  {END}\r\n</view>\r\n".encode(),
        f"<view>\r\n  {BEGIN}\r\n<text>甲</text>\r\n  {END}\r\n</view>\r\n".encode(),
    ),
    "CRLF, in one line": (
        f"<view/>\r\n{BEGIN}{END}".encode(),
        f"<view/>\r\n{BEGIN}\r\n<text>甲</text>\r\n{END}".encode(),
    ),
    "CR": (
        f"<view/>\r{BEGIN}\r{END}\r".encode(),
        f"<view/>\r{BEGIN}\n<text>甲</text>\n{END}\r".encode(),
    ),
    "LF, then CRLF": (
        f"<view/>\n{BEGIN}\r\n{END}\r\n".encode(),
        f"<view/>\n{BEGIN}\r\n<text>甲</text>\r\n{END}\r\n".encode(),
    ),
    "CRLF, then LF": (
        f"<view/>\r\n{BEGIN}\n{END}\r\n".encode(),
        f"<view/>\r\n{BEGIN}\n<text>甲</text>\n{END}\r\n".encode(),
    ),
    "no spaces in the markers": (
        b"<!--wxtext:begin--><!--wxtext:end-->",
        "<!--wxtext:begin-->\n<text>甲</text>\n<!--wxtext:end-->".encode(),
    ),
    "TABs in the markers": (
        b"<!--\twxtext:begin\t-->\n<!--  wxtext:end  -->",
        "<!--\twxtext:begin\t-->\n<text>甲</text>\n<!--  wxtext:end  -->".encode(),
    ),
    "GBK without Chinese": (
        f"<view/>{BEGIN}{END}".encode("gbk"),
        f"<view/>{BEGIN}\n<text>甲</text>\n{END}".encode(),
    ),
    "GBK": (
        f"<view>中文页面</view>\n{BEGIN}{END}".encode("gbk"),
        "the byte at offset 6 is not valid UTF-8, which WXML has to be; it looks like GB18030: "
        "save it as UTF-8",
    ),
    "Big5": (
        f"<view>繁體中文的頁面內容</view>\n{BEGIN}{END}".encode("big5"),
        "the byte at offset 6 is not valid UTF-8, which WXML has to be; it looks like Big5: save it as UTF-8",
    ),
    "a bad byte behind the markers": (
        f"{BEGIN}{END}".encode() + b"\xff",
        "the byte at offset 40 is not valid UTF-8, which WXML has to be",
    ),
    "byte order mark": (
        f"<view/>{BEGIN}{END}".encode("utf-8-sig"),
        "begins with a byte order mark, which WeChat shows as text; ",
    ),
    "UTF-16": (f"<view/>{BEGIN}{END}".encode("utf-16"), "the byte at offset 0 is not valid UTF-8, "),
    "UTF-16 without a mark": (f"<view/>{BEGIN}{END}".encode("utf-16-le"), "was not written by wxtext; "),
}


@pytest.mark.parametrize(("page", "outcome"), ENCODED.values(), ids=ENCODED)
def test_an_encoding_is_right_afterwards_or_refused_and_untouched(
    page: bytes, outcome: bytes | str, run: Run
) -> None:
    Path("page.wxml").write_bytes(page)
    code, out, err = run("convert", "-", "-o", "page.wxml", stdin="甲")
    after = Path("page.wxml").read_bytes()
    if isinstance(outcome, bytes):
        assert (code, out, err, after) == (0, "", "", outcome)
    else:
        assert (code, out, err.count("\n"), after) == (2, "", 1, page)
        assert err.startswith(f"wxtext: error: page.wxml: {outcome}")


@pytest.mark.parametrize(
    "page",
    ["<view>\n  |^\n", "<view>|^</view></view>", "|^<view"],
    ids=["never closed", "closed twice", "cut off"],
)
def test_a_page_that_was_refused_before_is_written_and_told(page: str, run: Run) -> None:
    Path("page.wxml").write_bytes(marked(page).encode())
    code, out, err = run("convert", "-", "-o", "page.wxml", stdin="甲")
    assert (code, out) == (0, "")
    assert err.startswith(f"page.wxml: {REFUSES}")
    assert Path("page.wxml").read_bytes().decode() == marked(page.replace("|", "|\n<text>甲</text>\n"))


def test_without_verification_it_is_written_all_the_same(run: Run) -> None:
    Path("page.wxml").write_text(marked('<view a="|^"/>'), encoding="utf-8")
    assert run("convert", "-", "-o", "page.wxml", "--no-verify", stdin="甲") == (0, "", "")

"""What style sheets say of text: which classes keep white space, which make boxes in a row."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.command import Run
from wxtext.wxss import Styles, read_styles


def styles(folder: Path, **sheets: str) -> Styles:
    """The styles of `a.wxss` in a folder with these style sheets."""
    for name, text in sheets.items():
        (folder / f"{name}.wxss").write_text(text, "utf-8")
    return read_styles([str(folder / "a.wxss")], str(folder))


@pytest.mark.parametrize(
    ("sheet", "preserving", "inline"),
    [
        ("", set(), set()),
        (".a{white-space:pre}", {"a"}, set()),
        (".a { color: red; WHITE-SPACE : pre-wrap }", {"a"}, set()),
        (".a{white-space:normal} .b{white-space:nowrap}", set(), set()),
        (".guide .code { white-space: break-spaces; display: inline-block }", {"code"}, {"code"}),
        (".a, .b text, view.c { display: inline-flex }", set(), {"a", "b", "c"}),
        ("@media (min-width: 1px) { .a { display: inline } }", set(), {"a"}),
        (".a > .b:first-child::before { display: contents }", set(), {"b"}),
        ("/* .a{white-space:pre} */ .b{display:block}", set(), set()),
        (".中文 { white-space: pre-line }", {"中文"}, set()),
        ("text { white-space: pre }", set(), set()),
        (".a{white-space:pre", {"a"}, set()),
        ("}}}{{{", set(), set()),
    ],
)
def test_classes(tmp_path: Path, sheet: str, preserving: set[str], inline: set[str]) -> None:
    assert styles(tmp_path, a=sheet) == Styles(frozenset(preserving), frozenset(inline))


def test_imports_are_followed_within_the_app(tmp_path: Path) -> None:
    app = tmp_path / "app"
    (app / "sub").mkdir(parents=True)
    (tmp_path / "out.wxss").write_text(".out{white-space:pre}", "utf-8")
    (app / "sub" / "c.wxss").write_text('@import "../a.wxss"; .c{white-space:pre}', "utf-8")
    sheet = '@import "b.wxss"; @import url("/sub/c.wxss"); @import "../out.wxss"; @import "none.wxss";'
    assert styles(app, a=sheet, b=".b{white-space:pre}").preserving == {"b", "c"}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices")
def test_what_is_no_file_says_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "b.wxss")
    (tmp_path / "c.wxss").symlink_to("/dev/zero")
    assert styles(tmp_path, a='@import "b.wxss"; @import "c.wxss"; .a{white-space:pre}').preserving == {"a"}


def test_a_page_is_checked_and_fixed_by_its_style(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("app.json").write_text("{}", "utf-8")
    Path("app.wxss").write_text(".poem { white-space: pre-wrap }", "utf-8")
    Path("p.wxss").write_text(".ib { display: inline-block }", "utf-8")
    poem = '<text class="poem">a  b</text>'
    boxes = '<view><text class="ib">总价</text><text>\n{{n}}\n</text></view>'
    Path("p.wxml").write_text(f"{poem}{boxes}<text>c  d</text>", "utf-8")
    assert run("check", "--fix", "p.wxml").code == 1
    assert Path("p.wxml").read_text("utf-8") == f"{poem}{boxes}<text>c d</text>"

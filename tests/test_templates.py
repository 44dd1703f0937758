"""Templates: the built-in ones, a user's own, and what a bad one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import wxtext

NOTES = "一\n\n  二 a\n    三\n"

PLAIN = """\
[% for block in blocks -%]
<view><text[% if block.space %] space="[[ block.space ]]"[% endif %]>[[ block.text ]]</text></view>
[% endfor %]
"""


def template(folder: Path, source: str) -> Path:
    path = folder / "模板.wxml.j2"
    path.write_text(source, "utf-8")
    return path


def test_the_default_template_has_a_name() -> None:
    assert wxtext.convert(NOTES, template="text") == wxtext.convert(NOTES)


def test_page_puts_the_text_into_a_view() -> None:
    page = wxtext.convert(NOTES, template="page")
    assert page == f'<view class="page">\n{wxtext.convert(NOTES)}</view>\n'
    assert wxtext.show(page) == wxtext.show(wxtext.convert(NOTES))


@pytest.mark.parametrize("target", ["webview", "glass-easel", "skyline"])
def test_a_template_gets_escaped_blocks(tmp_path: Path, target: wxtext.semantics.Target) -> None:
    notes = "a <b> {{c}}\n\n\n  d\\n &lt;\n"
    path = template(tmp_path, PLAIN)
    shown = wxtext.show(wxtext.convert(notes, target=target, template=path), target)
    assert shown == wxtext.show(wxtext.convert(notes, target=target), target)


def test_a_template_may_add_around_blocks(tmp_path: Path) -> None:
    path = template(tmp_path, f"<view>题</view>\n{PLAIN}<view>[[ options.target ]]</view>\n")
    shown = wxtext.show(wxtext.convert(NOTES, template=path))
    assert shown == "题\n一\n\n\u2003二 a\n\u2003\u2003三\nwebview"


def test_parts_and_lines(tmp_path: Path) -> None:
    path = template(
        tmp_path,
        "[% for block in blocks -%]<view>[[ block.line ]]</view><view><text"
        '[% if block.space %] space="[[ block.space ]]"[% endif %]>'
        "[% for part in block.parts %][[ part ]][% endfor %]</text></view>[% endfor %]",
    )
    shown = wxtext.show(wxtext.convert("一\n\n二", template=path))
    assert shown == "1\n一\n\n3\n二"


@pytest.mark.parametrize(
    "source",
    [
        "[% for block in blocks %]<view>[[ block.text ]]</view>[% endfor %]",
        "[% for block in blocks %]<view><text>[[ block.text ]]</text></view>[% endfor %]",
        "[% for block in blocks %]<view><text>- [[ block.text ]]</text></view>[% endfor %]",
        "[% for block in blocks %]<text>[[ block.text | upper ]]</text>[% endfor %]",
        "[% for block in blocks | reverse %]<text space='emsp'>[[ block.text ]]</text>[% endfor %]",
        "<text>[[ (blocks | first).text ]]</text>",
        """[% for block in blocks -%]
        <view>[[ start[block.space] ]][[ block.text | replace('\\\\n\\\\n', '\\\\n') ]][[ end ]]</view>
        [% endfor %]""",
        "",
    ],
)
def test_a_template_that_changes_text_is_named(tmp_path: Path, source: str) -> None:
    path = template(tmp_path, source)
    with pytest.raises(wxtext.TemplateError, match=rf"^template {path}: it changes what .* line \d+ shows; "):
        wxtext.convert("  一\n  a  b\n\n二", template=path)
    assert isinstance(wxtext.convert("  一\n  a  b\n\n二", template=path, verify=False), str)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("[% for block in blocks %]", r", line 1: .*"),
        ("\n[[ nothing ]]", r": 'nothing' is undefined"),
        ("[[ 1 // 0 ]]", r": integer division or modulo by zero"),
        ("<text>[[ '<' ]]</text>", r": the compiler refuses what it makes, at 1:\d+: .*"),
        ('[% include "none.j2" %]', r": there is no template 'none.j2' to include"),
    ],
)
def test_a_bad_template_is_told_why(tmp_path: Path, source: str, message: str) -> None:
    path = template(tmp_path, source)
    with pytest.raises(wxtext.TemplateError, match=rf"^template {path}{message}$"):
        wxtext.convert(NOTES, template=path)


def test_no_such_template(tmp_path: Path) -> None:
    with pytest.raises(wxtext.TemplateError, match=r"^template txt: no such file, .* \(page, text\)$"):
        wxtext.convert(NOTES, template="txt")
    with pytest.raises(wxtext.TemplateError, match="no such file"):
        wxtext.convert(NOTES, template=tmp_path)
    path = tmp_path / "bytes.j2"
    path.write_bytes(b"\xff")
    with pytest.raises(wxtext.TemplateError, match=rf"^template {path}: "):
        wxtext.convert(NOTES, template=path)


def test_templates_may_build_on_others(tmp_path: Path) -> None:
    (tmp_path / "part.j2").write_text("<view>尾</view>\n", "utf-8")
    path = template(tmp_path, '[% include "text.wxml.j2" %]\n[% include "part.j2" %]\n')
    assert wxtext.show(wxtext.convert("一", template=path)) == "一\n尾"


def test_long_notes_pass_through_any_template(tmp_path: Path) -> None:
    notes = "".join(f"  {number}\n" for number in range(2_500))
    path = template(tmp_path, PLAIN)
    output = wxtext.convert(notes, target="skyline", template=path)
    assert wxtext.show(output, "skyline") == wxtext.show(wxtext.convert(notes, target="skyline"), "skyline")
    assert output.count("<text>") == 1_000


@pytest.mark.parametrize("target", ["webview", "glass-easel", "skyline"])
def test_a_template_that_makes_too_much_for_the_compiler_is_named(
    tmp_path: Path, target: wxtext.semantics.Target
) -> None:
    # Two elements more for each block.
    block = "<view><view/>[[ start[block.space] ]][[ block.text ]][[ end ]]</view>"
    path = template(tmp_path, f"[% for block in blocks %]{block}\n[% endfor %]")
    notes = "".join(f"  {number}\n" for number in range(9_000))
    with pytest.raises(wxtext.TemplateError, match=r": \d+ elements in one file break the compiler of "):
        wxtext.convert(notes, target=target, template=path)


def test_a_fault_of_our_own_is_not_blamed_on_the_template(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wxtext.semantics, "encode", lambda text, _compiler: (text.replace("二", "<"), 0))
    for name in "text", "page":
        with pytest.raises(wxtext.SelfCheckError) as caught:
            wxtext.convert("一\n\n二\n\n三", template=name)
        assert caught.value.line == 3
        assert caught.value.expected == "二"
    monkeypatch.setattr(wxtext.semantics, "encode", lambda text, _compiler: (text.replace("三", "叁"), 0))
    with pytest.raises(wxtext.SelfCheckError) as caught:
        wxtext.convert("一\n二\n\n三")
    assert (caught.value.line, caught.value.expected, caught.value.shown) == (4, "三", "叁")


def test_long_paragraphs_are_split_and_show_the_same() -> None:
    notes = "".join(f"line {number}\n" for number in range(2_500))
    targets: tuple[wxtext.semantics.Target, ...] = ("webview", "glass-easel", "skyline")
    for target in targets:
        for view in False, True:
            output = wxtext.convert(notes, target=target, view=view)
            assert output.count("<text>") == 3
            assert wxtext.show(output, target) + "\n" == notes


def test_lines_are_not_a_string() -> None:
    with pytest.raises(TypeError, match="iterable of lines, not str"):
        wxtext.convert_lines("ab\ncd")

"""What formatters do to converted text is seen by `show`, and undone by converting again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import wxtext
from wxtext.cli import main

NOTES = (Path(__file__).parent.parent / "examples" / "notes.txt").read_text("utf-8")

TAG = re.compile(r"(</?[a-z][^>]*>|<!--.*?-->)")


def on_lines_of_their_own(wxml: str) -> str:
    """Put every tag and every text on a line of its own, indented by depth, as HTML formatters do."""
    lines: list[str] = []
    depth = 0
    for piece in TAG.split(wxml):
        text = piece.strip(" \n")
        if not text:
            continue
        depth -= text.startswith("</")
        lines.append("  " * max(depth, 0) + text)
        depth += bool(re.match(r"<[a-z]", text))
    return "\n".join(lines) + "\n"


def wrapped(wxml: str) -> str:
    """Break text at its spaces and put closing tags on lines of their own, as line-wrapping formatters do."""
    pieces = TAG.split(wxml)
    text = [piece if piece.startswith("<") else piece.replace(" ", "\n    ") for piece in pieces]
    return "".join(text).replace("</text>", "\n</text>")


FORMATTERS = [on_lines_of_their_own, wrapped]


@pytest.mark.parametrize("target", ["webview", "glass-easel", "skyline"])
@pytest.mark.parametrize("options", [{}, {"view": True}, {"per": "line"}, {"per": "file"}])
@pytest.mark.parametrize("formatter", FORMATTERS)
def test_damage_is_seen(
    formatter: Callable[[str], str], options: dict[str, object], target: wxtext.semantics.Target
) -> None:
    wxml = wxtext.convert(NOTES, target=target, **options)  # type: ignore[arg-type]
    damaged = formatter(wxml)
    assert damaged != wxml
    assert wxtext.show(damaged, target) != wxtext.show(wxml, target)


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_converting_again_restores_the_file(formatter: Callable[[str], str], tmp_path: Path) -> None:
    notes, page = tmp_path / "notes.txt", tmp_path / "page.wxml"
    notes.write_text(NOTES, "utf-8")
    assert main(["convert", str(notes), "-o", str(page)]) == 0
    written = page.read_bytes()
    page.write_text(formatter(written.decode()), "utf-8")
    assert page.read_bytes() != written
    assert main(["convert", str(notes), "-o", str(page)]) == 0
    assert page.read_bytes() == written


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_converting_again_restores_text_inside_a_page(
    formatter: Callable[[str], str], tmp_path: Path
) -> None:
    notes, page = tmp_path / "notes.txt", tmp_path / "page.wxml"
    notes.write_text(NOTES, "utf-8")
    page.write_text("<view>\n<!-- wxtext:begin --><!-- wxtext:end -->\n</view>\n", "utf-8")
    assert main(["convert", str(notes), "-o", str(page)]) == 0
    written = page.read_text("utf-8")
    begin = written.index("<!-- wxtext:begin -->") + len("<!-- wxtext:begin -->")
    end = written.index("<!-- wxtext:end -->")
    page.write_text(written[:begin] + "\n" + formatter(written[begin:end]) + written[end:], "utf-8")
    assert page.read_text("utf-8") != written
    assert main(["convert", str(notes), "-o", str(page)]) == 0
    assert page.read_text("utf-8") == written

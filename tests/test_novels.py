"""Whole novels, in every space mode and for every target, judged by the official compilers.

The environment variable `WXTEXT_NOVELS` names a folder of long UTF-8 texts (`*.txt`). They are not part of
the repository: continuous integration without them takes a text of the same shape that is made here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import wxtext
from tests.conftest import absent
from tests.expected import expected, seen
from tests.judge import COMPILERS, layout_fault, markup_fault
from tests.oracle import Oracle
from tests.strategies import OPTIONS
from wxtext.semantics import Space, Target

FOLDER = os.environ.get("WXTEXT_NOVELS")
NOVELS: list[Path | None] = [*sorted(Path(FOLDER).glob("*.txt"))] if FOLDER else [None]


def novel_like_text() -> str:
    """About two million bytes of chapters with indented paragraphs, verse and remarks."""
    random = Random("novel")
    characters = (
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    )

    def sentence(length: int) -> str:
        return "".join(random.choices(characters, k=length))

    def lines() -> Iterator[str]:
        for chapter in range(1, 101):
            yield f"第{chapter}回　{sentence(7)}　{sentence(7)}\n\n\n"
            for _ in range(random.randint(40, 120)):
                yield (
                    "　　"
                    + "，".join(sentence(random.randint(3, 12)) for _ in range(random.randint(2, 20)))
                    + "。\n"
                )
                if random.random() < 0.1:
                    yield "".join(f"    {sentence(7)}，{sentence(7)}。\n" for _ in range(4)) + "\n"
                if random.random() < 0.05:
                    yield f'"{sentence(5)} & {sentence(3)}" <{sentence(2)}>  ({{{{{sentence(1)}}}}})\r\n'

    return "".join(lines())


@pytest.fixture(scope="module", params=NOVELS, ids=lambda path: path.stem if path else "made")
def novel(request: pytest.FixtureRequest) -> str:
    path: Path | None = request.param
    if path is not None:
        return path.read_bytes().decode("utf-8-sig")
    if not os.environ.get("CI"):
        absent("WXTEXT_NOVELS names no folder of long texts")
    return novel_like_text()


@pytest.mark.parametrize("target", OPTIONS["target"])
@pytest.mark.parametrize("space", OPTIONS["space"])
def test_a_novel_shows_as_typed(oracle: Oracle, novel: str, space: Space, target: Target) -> None:
    options: dict[str, Any] = {name: values[0] for name, values in OPTIONS.items()}
    options |= {"space": space, "target": target}
    output = wxtext.convert(novel, **options)
    [result] = oracle.compile(COMPILERS[target], [output])
    assert "tree" in result, result
    assert not result.get("warnings")
    assert markup_fault(result["tree"], options) is None
    wanted = expected(novel, **options)
    assert layout_fault(result["tree"], options, wanted) is None
    assert wxtext.show(output, target) == seen(wanted, target)
    assert "".join(wxtext.convert_lines(novel.splitlines(keepends=True), **options)) == output

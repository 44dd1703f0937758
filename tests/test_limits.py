"""What the compilers bear after 400 other pages in one process: long notes, and each size called safe."""

from __future__ import annotations

import pytest

import wxtext
from tests.conftest import absent
from tests.limits import HALF, SHAPES, fault, in_a_page, lines_with_tags, text_faults, warm
from tests.oracle import Oracle, missing
from tests.rules import only
from tests.strategies import OPTIONS
from wxtext import limits
from wxtext.lint import check
from wxtext.page import Page
from wxtext.semantics import CONSTANT_BINDING, Compiler, Target

COMPILERS: tuple[Compiler, ...] = ("wcc", "glass-easel")


@pytest.fixture(autouse=True, scope="module")
def _compilers() -> None:
    reason = missing()
    if reason is not None:
        absent(reason)


def test_notes_full_of_tags_compile_again_and_again() -> None:
    faults = list(text_faults({"lines": lines_with_tags(1_400)}, stack=HALF, spaces=["auto"]))
    assert len(faults) == len(OPTIONS["target"])
    assert [found for found in faults if found[1] is not None] == []


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_safe_compiles_with_half_the_stack(compiler: Compiler) -> None:
    with Oracle(HALF, 1024) as oracle:
        warm(oracle, compiler)
        for name, shape in SHAPES.items():
            limit = shape.limit[compiler]
            if limit is not None:
                assert fault(oracle, compiler, in_a_page(shape.make(limit.safe // shape.units))) is None, name


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_no_error_compiles_with_the_usual_stack(compiler: Compiler) -> None:
    with Oracle(None) as oracle:
        warm(oracle, compiler)
        for name, shape in SHAPES.items():
            limit = shape.limit[compiler]
            if limit is not None:
                assert fault(oracle, compiler, shape.make(limit.most // shape.units)) is None, name


@pytest.mark.parametrize("target", OPTIONS["target"])
def test_what_is_written_is_safe(target: Target) -> None:
    """No text node that `convert` writes holds more bindings than are safe, whatever the notes."""
    wide = "\n".join(f"a{' ' * 9}b c {{{{ < {number}" for number in range(3_000))
    most = 0
    for notes in (lines_with_tags(4_000), "<x" * 4_000, "\\a\n" * 4_000, wide):
        output = wxtext.convert(notes, target=target, per="file")
        for text in Page(output, target).texts:
            most = max(most, len(CONSTANT_BINDING.findall(output, text.start, text.end)))
        assert check(output, target, only("too-large")) == []
    assert most == limits.BINDINGS.safe


@pytest.mark.parametrize("target", OPTIONS["target"])
@pytest.mark.parametrize(("opening", "closing", "levels"), [("a+", "", 1), ("a.b&&", "", 2), ("(", ")", 3)])
def test_notes_keep_no_binding_that_is_too_large(
    opening: str, closing: str, levels: int, target: Target
) -> None:
    count = limits.EXPRESSION.safe // levels
    fits = f"{{{{{opening * count}a{closing * count}}}}}"
    large = f"{{{{{opening * (count + 1)}a{closing * (count + 1)}}}}}"
    output = wxtext.convert(f"{fits} {large}", target=target, bindings=True)
    assert fits in output
    assert large not in output
    assert check(output, target, only("too-large")) == []

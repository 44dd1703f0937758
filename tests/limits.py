"""Measure again what `wxtext.limits` says of the compilers, and compile long texts as a project does.

    python -m tests.limits measure                           # all shapes, both compilers: about 40 minutes
    python -m tests.limits measure --compiler wcc depth      # those with "depth" in their name
    python -m tests.limits texts FOLDER                      # *.txt, and 12 000 lines with `<`

`measure` prints the largest size of each shape that compiles and runs five times in a row: in a fresh
process; after 400 other pages in the same process; after them, inside a page, with half of node's stack. The
exit status is 1 if a size that `wxtext.limits` calls safe is more than a quarter of that after other pages.

`texts` converts each text for every target and space. Each result is compiled and run five times after 400
other pages, with node's own stack, and must show what was typed. Half the stack: `--stack 492`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import wxtext
from tests import oracle as official
from tests.expected import expected
from tests.judge import COMPILERS, layout_fault, markup_fault
from tests.strategies import OPTIONS
from wxtext import limits
from wxtext.limits import Limit
from wxtext.semantics import Compiler

TIMES: Final = 5
HALF: Final = 492

#: Pages as a project has them, each another one.
OTHERS: Final = [
    f'<view class="c{number}" wx:if="{{{{a{number}}}}}"><text>第 {number} {{{{b+{number}}}}}</text>'
    '<block wx:for="{{list}}" wx:key="id"><view bindtap="tap">{{item.x}}</view></block></view>'
    for number in range(400)
]


def in_a_page(source: str) -> str:
    """Put WXML where it often stands: eight elements deep."""
    return (
        '<view class="page"><scroll-view scroll-y><block wx:for="{{list}}" wx:key="id">'
        '<view wx:if="{{item.ok}}"><view>{{item.name}}</view></view></block><view><view><view><view><view>'
        f'<view class="x">{source}</view></view></view></view></view></view></scroll-view></view>'
    )


class Shape(NamedTuple):
    """Something that can be made as large as one likes."""

    make: Callable[[int], str]
    #: What is said of its size, for each compiler; None if nothing, because nothing was met or it is refused.
    limit: Mapping[Compiler, Limit | None]
    #: How many units of the limit one more is.
    units: int = 1


def _nested(opening: str, closing: str) -> Shape:
    return Shape(lambda size: f"{opening * size}x{closing * size}", limits.DEPTH)


def _expression(opening: str, closing: str = "", units: int = 1, last: str = "a") -> Shape:
    return Shape(
        lambda size: f'<view a="b{{{{ {opening * size}{last}{closing * size} }}}}"/>',
        {"wcc": limits.EXPRESSION, "glass-easel": limits.EXPRESSION},
        units,
    )


_BINDINGS: Final[dict[Compiler, Limit | None]] = {"wcc": None, "glass-easel": limits.BINDINGS}
_CHOICES: Final[dict[Compiler, Limit | None]] = {"wcc": limits.CHOICES, "glass-easel": limits.CHOICES}

SHAPES: Final[dict[str, Shape]] = {
    "bindings": Shape(lambda size: f"<text>{'{{a}} ' * size}</text>", _BINDINGS),
    "bindings, constant": Shape(lambda size: "<text>" + "{{'<'}}x" * size + "</text>", _BINDINGS),
    "bindings of a value": Shape(lambda size: f'<view class="{"{{a}} " * size}"/>', _BINDINGS),
    "depth": _nested("<view>", "</view>"),
    "depth of text": _nested("<text>", "</text>"),
    "depth of wx:if": _nested('<view wx:if="{{!a}}">', "</view>"),
    "depth of wx:for": _nested('<view wx:for="{{[1]}}">', "</view>"),
    "depth of components": _nested('<x-a bind:t="{{t}}" a="{{b}}">', "</x-a>"),
    "choices": Shape(lambda size: '<view wx:if="{{a==0}}"/>' + '<view wx:elif="{{a==1}}"/>' * size, _CHOICES),
    "expression of sums": _expression("a+"),
    "expression of strings": _expression("'a'+"),
    "expression of ands": _expression("a&&"),
    "expression of nots": _expression("!"),
    "expression of members": Shape(
        lambda size: f'<view a="b{{{{ a{".b" * size} }}}}"/>',
        {"wcc": limits.EXPRESSION, "glass-easel": limits.EXPRESSION},
    ),
    "expression of choices": _expression("a?b:", units=2),
    "expression of brackets": _expression("(", ")", limits.BRACKET_LEVELS),
    "expression of items": _expression("a[", "]", limits.BRACKET_LEVELS),
    "expression of arrays": _expression("[", "]", limits.BRACKET_LEVELS),
    "expression of calls": _expression("a(", ")", limits.BRACKET_LEVELS),
    "expression of objects": _expression("{a:", "} ", limits.BRACKET_LEVELS, "1"),
}


def fault(oracle: official.Oracle, compiler: Compiler, source: str) -> dict[str, Any] | None:
    """Compile and run a source five times; return the first answer that is none, with what it says."""
    for answer in oracle.texts(compiler, [source] * TIMES):
        if "text" not in answer:
            return answer
    return None


def warm(oracle: official.Oracle, compiler: Compiler) -> None:
    """Compile other pages. (wcc is a new process each time.)"""
    if compiler == "glass-easel":
        assert all("text" in answer for answer in oracle.texts(compiler, OTHERS))


#: The conditions: node's stack, that of the machine, whether other pages come first, what is around.
_CONDITIONS: Final[dict[str, tuple[int | None, int | None, bool, Callable[[str], str]]]] = {
    "fresh": (None, None, False, str),
    "after others": (None, None, True, str),
    "half": (HALF, 1024, True, in_a_page),
}


def largest(shape: Shape, compiler: Compiler, condition: str, most: int = 16_384) -> tuple[int, str]:
    """Return the largest size that works, to some 4 %, and why a larger one does not."""
    stack, machine, others, around = _CONDITIONS[condition]
    reason = "none met"

    def works(size: int) -> bool:
        nonlocal reason
        with official.Oracle(stack, machine) as oracle, suppress(RuntimeError, BrokenPipeError):
            if others:
                warm(oracle, compiler)
            found = fault(oracle, compiler, around(shape.make(size)))
            if found is not None:
                reason = str(found.get("fatal", found.get("error")))
            return found is None
        return False

    fits, breaks = 0, 32
    while works(breaks):
        fits, breaks = breaks, breaks * 2
        if breaks > most:
            return fits, reason
    while breaks - fits > max(1, fits // 25):
        size = (fits + breaks) // 2
        fits, breaks = (size, breaks) if works(size) else (fits, size)
    return fits, reason


def measure(words: Sequence[str], compilers: Sequence[Compiler]) -> int:
    """Print what was found of each shape; return how many have too small a margin."""
    wrong = 0
    for compiler in compilers:
        for name, shape in SHAPES.items():
            if words and not any(word in name for word in words):
                continue
            found = {condition: largest(shape, compiler, condition) for condition in _CONDITIONS}
            limit = shape.limit[compiler]
            said = "nothing is said"
            if limit is not None:
                said = f"safe {limit.safe // shape.units}, at most {limit.most // shape.units}"
                if found["after others"][0] < 4 * (limit.safe // shape.units):
                    wrong += 1
                    said += ", TOO LITTLE MARGIN"
            figures = ", ".join(f"{condition} {size}" for condition, (size, _reason) in found.items())
            print(f"{compiler}: {name}: {figures}; {said} ({found['half'][1][:70]})", flush=True)  # noqa: T201
    return wrong


def lines_with_tags(count: int) -> str:
    """Lines of notes that need a binding each, or two."""
    return "".join(f"1 < {number}\n  <a> & <b>\n" for number in range(count // 2))


def text_faults(
    texts: dict[str, str], stack: int | None = None, spaces: Sequence[str] = OPTIONS["space"]
) -> Iterator[tuple[str, str | None]]:
    """Convert and compile each text for every target and space; yield which it is, and its fault or None."""
    for name, text in texts.items():
        for target in OPTIONS["target"]:
            for space in spaces:
                options: dict[str, Any] = {option: values[0] for option, values in OPTIONS.items()}
                options |= {"space": space, "target": target}
                yield f"{name}, {target}, {space}", _text_fault(text, options, stack)


def _text_fault(text: str, options: dict[str, Any], stack: int | None) -> str | None:
    output = wxtext.convert(text, **options)
    compiler = COMPILERS[options["target"]]
    with official.Oracle(stack) as oracle:
        answers = oracle.compile(compiler, [*OTHERS, *[output] * TIMES], batch=len(OTHERS) + TIMES)
    first, *others = answers[len(OTHERS) :]
    if "tree" not in first:
        return str(first)
    for number, other in enumerate(others, 2):
        if other != first:
            return f"run {number} differs: {str(other)[:200]}"
    if first.get("warnings"):
        return str(first["warnings"])
    return markup_fault(first["tree"], options) or layout_fault(
        first["tree"], options, expected(text, **options)
    )


def main() -> int:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("measure")
    command.add_argument("word", nargs="*")
    command.add_argument("--compiler", choices=get_args(Compiler))
    command = commands.add_parser("texts")
    command.add_argument("folder", type=Path)
    command.add_argument("--stack", type=int, help="node's stack in kB")
    arguments = parser.parse_args()
    reason = official.missing()
    if reason is not None:
        parser.error(reason)
    if arguments.command == "measure":
        compilers = [arguments.compiler] if arguments.compiler else get_args(Compiler)
        return min(1, measure(arguments.word, compilers))
    texts = {
        path.stem: path.read_bytes().decode("utf-8-sig") for path in sorted(arguments.folder.glob("*.txt"))
    }
    texts["12 000 lines with `<`"] = lines_with_tags(12_000)
    wrong = 0
    for what, found in text_faults(texts, arguments.stack):
        wrong += found is not None
        print(f"{what}: {found or 'right'}", flush=True)  # noqa: T201
    return min(1, wrong)


if __name__ == "__main__":
    sys.exit(main())

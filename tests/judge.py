"""The verdict on converted notes: what the official compilers make of them, against what is expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import wxtext
from tests.expected import COMPILERS as BOTH
from tests.expected import WHITE_BUT_SINGLE_SPACE, binding_candidates, expected, seen
from tests.oracle import Oracle
from tests.shown import SPACES, Node, attribute, rows, shown
from tests.strategies import DATA
from wxtext import expressions
from wxtext.semantics import Compiler

#: Attributes that are looked at on their own.
MEASURED = {"space", "userSelect", "user-select"}
COMPILERS: dict[str, Compiler] = {"webview": "wcc", "glass-easel": "glass-easel", "skyline": "glass-easel"}


class Case(NamedTuple):
    """Notes and the options to convert them with."""

    notes: str
    options: dict[str, Any]


class Values:
    """What the official compilers print for single bindings, given `DATA`."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._known: dict[tuple[str, str], str | None] = {}

    def learn(self, sources: set[str]) -> None:
        """Ask both compilers about bindings, sources with their braces."""
        for compiler in BOTH:
            new = [source for source in sorted(sources) if (compiler, source) not in self._known]
            results = self._oracle.compile(compiler, [f"<text>|{source}|</text>" for source in new], DATA)
            for source, result in zip(new, results, strict=True):
                printed = "".join(texts(result["tree"]))[1:-1] if "tree" in result else None
                self._known[compiler, source] = printed

    def fault(self, source: str) -> str | None:
        """Where the package and the compilers disagree about a binding, None if they agree."""
        for compiler in BOTH:
            found = self._known[compiler, source]
            if expressions.accepts(source[2:-2], compiler) != (found is not None):
                return f"{source!r}: the {compiler} compiler says {found!r}, the package otherwise"
            if found is not None and expressions.evaluate(source[2:-2], compiler) not in {None, found}:
                return f"{source!r}: the {compiler} compiler prints {found!r}"
        return None

    def printed(self, compiler: str, source: str) -> str | None:
        """What a compiler prints for a binding, None if it refuses it."""
        return self._known[compiler, source]


def texts(nodes: Sequence[Node]) -> Iterator[str]:
    """All text nodes below these, in order."""
    for node in nodes:
        if isinstance(node, str):
            yield node
        else:
            yield from texts(node["children"])


def markup_fault(tree: list[Node], options: dict[str, Any]) -> str | None:
    """What elements or attributes a tree holds that the options did not ask for, if any.

    Every block is one `<text>`, in a `<view>` of its own where that is asked for or the target needs it.
    """
    skyline = options["target"] == "skyline"
    in_view = options["view"] or options["user_select"] or skyline
    for block in tree:
        if isinstance(block, str):
            return f"loose text {block!r}"
        text: Node = block
        own = {"class": options["class_"]} if options["class_"] else {}
        if in_view:
            if block["tag"] != "view" or block["attrs"] != own or len(block["children"]) != 1:
                return f"a block that is not one <text> in its own <view>: {block!r}"
            own, text = {}, block["children"][0]
        if isinstance(text, str) or text["tag"] != "text":
            return f"not a <text>: {text!r}"
        if bool(attribute(text, "user-select")) != options["user_select"]:
            return f"user-select is not as asked for: {text!r}"
        if {name: text["attrs"][name] for name in text["attrs"].keys() - MEASURED} != own:
            return f"attributes {text['attrs']!r}, not {own!r}"
        if (fault := _inside_fault(text, skyline)) is not None:
            return fault
    return None


def _inside_fault(text: dict[str, Any], skyline: bool) -> str | None:
    if "space" in text["attrs"] and (skyline or text["attrs"]["space"] not in SPACES):
        return f"space={text['attrs']['space']!r}"
    for child in text["children"]:
        if isinstance(child, str):
            continue
        if child["tag"] != "text" or not child["attrs"].keys() <= {"space"}:
            return f"foreign element {child!r}"
        if (fault := _inside_fault(child, skyline)) is not None:
            return fault
    if skyline and re.search(r"\A\n|\n\Z|\n\n", "".join(texts(text["children"]))):
        return "a line break without text on both sides of it"
    return None


def layout_fault(tree: list[Node], options: dict[str, Any], wanted: str) -> str | None:
    """How the rows of a tree differ from the expected lines, if they do."""
    found = rows(tree, options["target"])
    lines = wanted.split("\n") if wanted else []
    if found == lines:
        return None
    for number, (row, line) in enumerate(zip(found, lines, strict=False), 1):
        if row != line:
            return f"row {number} shows {row!r} instead of {line!r}"
    return f"{len(found)} rows instead of {len(lines)}, the last {found[-1:]!r} instead of {lines[-1:]!r}"


def judge(oracle: Oracle, values: Values, cases: Sequence[Case]) -> list[str | None]:
    """What is wrong with the conversion of each case, None where all is well."""
    verdicts: list[str | None] = [None] * len(cases)
    outputs: dict[int, str] = {}
    candidates: set[str] = set()
    for index, (notes, options) in enumerate(cases):
        try:
            outputs[index] = wxtext.convert(notes, **options)
        except Exception as error:  # whatever it is, it is the finding
            verdicts[index] = f"convert raised {error!r}"
        if options["bindings"]:
            candidates |= binding_candidates(notes)
    values.learn(candidates)
    for compiler in BOTH:
        chosen = [index for index in outputs if COMPILERS[cases[index].options["target"]] == compiler]
        results = oracle.compile(compiler, [outputs[index] for index in chosen], DATA)
        for index, result in zip(chosen, results, strict=True):
            verdicts[index] = _verdict(cases[index], outputs[index], result, values)
    return verdicts


def _verdict(case: Case, output: str, result: dict[str, Any], values: Values) -> str | None:
    notes, options = case
    compiler = COMPILERS[options["target"]]
    if options["bindings"]:
        for source in sorted(binding_candidates(notes)):
            if (fault := values.fault(source)) is not None:
                return fault
    if "tree" not in result:
        return f"refused: {result} \n{output}"
    if result.get("warnings"):
        return f"warned of: {result['warnings']} \n{output}"
    if (fault := markup_fault(result["tree"], options)) is not None:
        return f"{fault} \n{output}"
    live: list[str] = []

    def value(source: str) -> str:
        live.append(values.printed(compiler, source) or "")
        return live[-1]

    wanted = expected(notes, **options, value=value)
    # Data may well hold what does not lay out as it is; no conversion can help that.
    as_it_is = all(text and not WHITE_BUT_SINGLE_SPACE.search(text) for text in live)
    if as_it_is and (fault := layout_fault(result["tree"], options, wanted)) is not None:
        return f"{fault} \n{output}"
    wanted = seen(expected(notes, **options), options["target"])
    read = wxtext.show(output, options["target"])
    if read != wanted:
        return f"wxtext.show says {read!r} instead of {wanted!r} \n{output}"
    return None


def judge_contents(oracle: Oracle, cases: Sequence[Case]) -> list[str | None]:
    """What is wrong with how `wxtext.show` reads each case, whose `notes` are WXML without data."""
    verdicts: list[str | None] = [None] * len(cases)
    for compiler in BOTH:
        chosen = [index for index, case in enumerate(cases) if COMPILERS[case.options["target"]] == compiler]
        results = oracle.compile(compiler, [cases[index].notes for index in chosen])
        for index, result in zip(chosen, results, strict=True):
            if not uses_data(cases[index].notes, compiler):
                verdicts[index] = _reading_fault(*cases[index], result)
    return verdicts


def uses_data(source: str, compiler: Compiler) -> bool:
    """Whether any binding in WXML needs data: `wxtext.show` prints it as written."""
    return any(
        expressions.accepts(found[2:-2], compiler) and expressions.evaluate(found[2:-2], compiler) is None
        for found in binding_candidates(source)
    )


def _reading_fault(source: str, options: dict[str, Any], result: dict[str, Any]) -> str | None:
    target = options["target"]
    wanted = seen(shown(result["tree"], target), target) if "tree" in result else None
    try:
        found = wxtext.show(source, target)
    except wxtext.WxmlError as error:
        return None if wanted is None else f"refuses ({error}) what shows {wanted!r}"
    except Exception as error:
        return f"show raised {error!r}"
    if wanted is None:
        return f"accepts, as {found!r}, what is refused: {result}"
    return None if found == wanted else f"reads {found!r} instead of {wanted!r}"

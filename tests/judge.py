"""The verdict on converted notes: what the official compilers make of them, against what is expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import wxtext
from tests.expected import binding_candidates, expected
from tests.oracle import Oracle
from tests.shown import SPACES, Node, attribute, rows
from tests.strategies import DATA

COMPILERS = {"webview": "wcc", "glass-easel": "glass-easel", "skyline": "glass-easel"}


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
        for compiler in ("wcc", "glass-easel"):
            new = [source for source in sorted(sources) if (compiler, source) not in self._known]
            for source, result in zip(new, self._oracle.compile(compiler, [f"<text>|{s}|</text>" for s in new], DATA)):
                self._known[compiler, source] = result["tree"][0]["children"][0][1:-1] if "tree" in result else None

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
        given = {name: text["attrs"][name] for name in text["attrs"] if name not in {"space", "userSelect", "user-select"}}
        if given != own:
            return f"attributes {given!r}, not {own!r}"
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
    for number, (row, line) in enumerate(zip(found, lines), 1):
        if row != line:
            return f"row {number} shows {row!r} instead of {line!r}"
    return f"{len(found)} rows instead of {len(lines)}, the last {found[-1:]!r} instead of {lines[-1:]!r}"


def judge(oracle: Oracle, values: Values, cases: Sequence[Case]) -> list[str | None]:
    """What is wrong with the conversion of each case, None where all is well."""
    verdicts: list[str | None] = [None] * len(cases)
    outputs: dict[int, str] = {}
    for index, (notes, options) in enumerate(cases):
        try:
            outputs[index] = wxtext.convert(notes, **options)
        except Exception as error:  # whatever it is, it is the finding
            verdicts[index] = f"convert raised {error!r}"
    values.learn({
        source for index in outputs if cases[index].options["bindings"] for source in binding_candidates(cases[index].notes)
    })
    for compiler in ("wcc", "glass-easel"):
        chosen = [index for index in outputs if COMPILERS[cases[index].options["target"]] == compiler]
        results = oracle.compile(compiler, [outputs[index] for index in chosen], DATA)
        for index, result in zip(chosen, results):
            verdicts[index] = _verdict(cases[index], outputs[index], result, values)
    return verdicts


def _verdict(case: Case, output: str, result: dict[str, Any], values: Values) -> str | None:
    notes, options = case
    compiler = COMPILERS[options["target"]]
    if "tree" not in result:
        return f"refused: {result} \n{output}"
    if result.get("warnings"):
        return f"warned of: {result['warnings']} \n{output}"
    if (fault := markup_fault(result["tree"], options)) is not None:
        return f"{fault} \n{output}"
    wanted = expected(notes, **options, value=lambda source: values.printed(compiler, source) or "")
    if (fault := layout_fault(result["tree"], options, wanted)) is not None:
        return f"{fault} \n{output}"
    wanted = expected(notes, **options)
    shown = wxtext.show(output, options["target"])
    if shown != wanted:
        return f"wxtext.show says {shown!r} instead of {wanted!r} \n{output}"
    return None

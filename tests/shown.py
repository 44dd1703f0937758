"""A small model of how the official `<text>` element lays a compiled tree out, on a screen of any width.

It was written from the measured rules alone, shares nothing with the package, and is itself held against the
observed cases (`tests/data/compilers.json`) and against Chromium (`tests/browser`). A tree is a list of nodes
as `tests.oracle` answers them: a string is a text node, a dict has `tag`, `attrs` and `children`.

WebView (classic and glass-easel): `<view>` and `<button>` are blocks, `<text>` is inline, and an inline-block
with `user-select`. Inside `<text>`, `space` replaces U+0020, `decode` decodes eight entities, LF breaks the
line, and only `<text>` children are kept. `white-space: normal` collapses what is left. Skyline: neither
`space` nor `decode`; every element and text node outside `<text>` has rows of its own.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Node: TypeAlias = "str | dict[str, Any]"

SPACES = {"ensp": "\u2002", "emsp": "\u2003", "nbsp": "\u00a0"}
ENTITIES = {
    "&nbsp;": "\u00a0",
    "&ensp;": "\u2002",
    "&emsp;": "\u2003",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&amp;": "&",
}
ENTITY = re.compile("|".join(ENTITIES))
COLLAPSIBLE_OR_NOT = re.compile(r"[ \t\r\n]+|[^ \t\r\n]+")


class Flow:
    """The rows of one block container, filled from the left to the right and downwards.

    `_line` is None at the start of a row: a space there vanishes. Otherwise it holds the rows of the line
    being filled; these are more than one beside an inline-block, whose last row lies on the line's baseline.
    """

    def __init__(self) -> None:
        self.rows: list[str] = []
        self._line: list[str] | None = None
        self._space = False

    def _filled(self) -> list[str]:
        if self._line is None:
            self._line = [""]
        if self._space:
            self._line[-1] += " "
            self._space = False
        return self._line

    def characters(self, text: str) -> None:
        """Add text; a run of collapsible white space becomes one space, or none beside a line's end."""
        for part in COLLAPSIBLE_OR_NOT.findall(text):
            if part[0] in " \t\r\n":
                self._space = self._line is not None
            else:
                self._filled()[-1] += part

    def line_break(self) -> None:
        """End the row. At the very end of a container nothing follows it, so that it separates nothing."""
        self.rows += self._line or [""]
        self._line, self._space = None, False

    def inline_block(self, rows: list[str]) -> None:
        """Put a box with these rows on the line, its last row on the baseline."""
        line = self._filled()
        line[:0] = [""] * (len(rows) - len(line))
        for offset, row in enumerate(reversed(rows), 1):
            line[-offset] += row

    def block(self, rows: list[str]) -> None:
        """Put a block below what is there."""
        self.end()
        self.rows += rows

    def end(self) -> list[str]:
        """Close the container and give its rows."""
        if self._line is not None:
            self.line_break()
        return self.rows


def attribute(node: dict[str, Any], name: str) -> Any:
    """The value of an attribute, None without it. wcc's trees spell names in camel case."""
    attrs = node["attrs"]
    camel = re.sub("-(.)", lambda match: match[1].upper(), name)
    return attrs.get(name, attrs.get(camel))


def switched_on(node: dict[str, Any], name: str) -> bool:
    """Whether the value of an attribute counts as true in JavaScript, where an empty list does too."""
    return attribute(node, name) not in (None, False, 0, "")


def _text(node: dict[str, Any], flow: Flow, target: str) -> None:
    """Lay out one `<text>` inside a flow."""
    web = target != "skyline"
    space = SPACES.get(str(attribute(node, "space")), " ") if web else " "
    decode = web and switched_on(node, "decode")
    for child in node["children"]:
        if isinstance(child, str):
            text = child.replace(" ", space)
            if decode:
                text = ENTITY.sub(lambda match: ENTITIES[match[0]], text)
            for number, part in enumerate(text.split("\n")):
                if number:
                    flow.line_break()
                flow.characters(part)
        elif child["tag"] == "text" and not switched_on(child, "hidden"):
            if web and is_inline_block(child):
                flow.inline_block(_alone(child, target))
            else:
                _text(child, flow, target)


def is_inline_block(node: dict[str, Any]) -> bool:
    """Whether a `<text>` is an inline-block. The deprecated attribute `selectable` makes none."""
    return switched_on(node, "user-select")


def _alone(node: dict[str, Any], target: str) -> list[str]:
    flow = Flow()
    _text(node, flow, target)
    return flow.end()


def _children(nodes: list[Node], flow: Flow, target: str) -> None:
    """Lay out nodes that are not inside a `<text>`."""
    for node in nodes:
        if isinstance(node, str):
            if target == "skyline":
                flow.end()
            flow.characters(node)
            if target == "skyline":
                flow.end()
        elif switched_on(node, "hidden"):
            continue
        elif node["tag"] == "text":
            if target == "skyline":
                flow.block(_alone(node, target))
            elif is_inline_block(node):
                flow.inline_block(_alone(node, target))
            else:
                _text(node, flow, target)
        elif node["tag"] in ("view", "button") or target == "skyline":
            flow.block(rows(node["children"], target))
        else:
            _children(node["children"], flow, target)


def rows(tree: list[Node], target: str) -> list[str]:
    """The rows that a tree fills on a screen that is wide enough, empty ones included."""
    flow = Flow()
    _children(tree, flow, target)
    return flow.end()


def shown(tree: list[Node], target: str) -> str:
    """The rows joined by LF, without line breaks at the very end."""
    return "\n".join(rows(tree, target)).rstrip("\n")

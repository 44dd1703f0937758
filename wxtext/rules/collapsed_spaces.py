"""Spaces that collapse.

Several spaces or TABs in a row show as one space, and those at the start of a row not at all. Spaces at the
end of a row do no harm; one space at the start is reported as advice.

Two or three spaces between words are most often a slip: the safe fix leaves one, which shows the same.
Indentation, TABs, wider gaps and the columns of a table are taken to be meant. They need space characters
that never collapse: U+2002 is half a Chinese character wide, U+2003 a whole one. Only the unsafe fix writes
these, in quotes, so that whoever reads the source sees them. (In WebView, `<text space="emsp">` makes every
U+0020 such a character; it never widens a TAB.)

Bad:
    <text>甲说：  好。</text>
Good:
    <text>甲说： 好。</text>
Bad:
    <text>    床前明月光\\n    疑是地上霜</text>
Good:
    <text>{{'\u2003\u2003'}}床前明月光\\n{{'\u2003\u2003'}}疑是地上霜</text>
Bad:
    <text>姓名      年龄</text>
Good:
    <text>姓名{{'\u2003\u2003\u2003'}}年龄</text>
Bad:
    <text space="emsp">姓名\\t年龄</text>
Good:
    <text space="emsp">姓名{{'\u2003\u2003'}}年龄</text>
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wxtext import mistakes, semantics
from wxtext.flow import Filled, Item, Node, flow, layout_white_space
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity

SEVERITY = Severity.WARNING
FIXES = ("safe", "unsafe")
CHANGES = mistakes.SHOWN_SPACE_OR_BREAK

#: From so many columns on a gap in a row is meant: no slip of the finger is as wide.
_GAP: Final = 4


def check(page: Page) -> Iterator[Finding]:
    for node in flow(page).nodes:
        collapsible = any(item.kind == "spaces" and item.followed for item in node.items)
        if collapsible and not page.keeps_white_space(node.element):
            yield from _check(page, node)


def _check(page: Page, node: Node) -> Iterator[Finding]:
    layout = {index for stretch in layout_white_space(page, node) for index in range(*stretch)}
    common = _common_indent(node)
    folders = set(mistakes.windows_folders(page.source, node.text.start, node.text.end))
    is_table = _is_table(node)
    for index, run in _runs(node):
        if not run[-1].followed or index in layout or run[-1].start in folders:
            continue
        text = "".join([item.text for item in run])
        width = semantics.columns(text.replace("\r", ""))
        before = node.items[index - 1] if index else None
        start, end = run[0].start, run[-1].end
        wide = start  # where the white space begins that collapses
        severity = None
        meant = True
        if before is not None and before.kind == "break" and before.literal and run[0].literal:
            width -= common
            while wide < end and semantics.columns(page.source[start : wide + 1]) <= common:
                wide += 1
            message = _("indentation is not shown; to show it, write {fixed} (wide spaces: copy them)")
        elif run[0].filled is Filled.NO:
            if text == " ":
                if _is_padding(page, node, index):
                    continue
                severity = Severity.INFO  # a slip, most often
                meant = False
            message = _(
                "white space at the start of a row is not shown; to show it, write {fixed} (wide "
                "spaces: copy them)"
            )
        elif "\t" in text:
            message = _("a TAB shows as one space; for a gap, write {fixed} (wide spaces: copy them)")
        elif len(text) > 1:
            meant = width >= _GAP or is_table
            message = _(
                "{count} spaces show as one; leave one, or for a gap write {fixed} (wide spaces: copy them)"
            )
        else:
            continue
        if width <= 0:
            continue
        mode, count = semantics.wide_space(width, "auto")
        written = page.write_visibly(wide, end, semantics.SPACE_CHARACTERS[mode] * count)
        edit: Edit | None = written
        if not meant:
            edit = _without_surplus(page, node, run, wide)
        fix = (edit,) if edit and all(item.whole for item in run) else None
        fixed = semantics.string_binding(semantics.SPACE_CHARACTERS[mode] * count)
        yield Finding(
            start,
            end,
            message.format(count=len(text), fixed=fixed),
            fix,
            severity,
            unsafe=meant and fix is not None,
        )


def _without_surplus(page: Page, node: Node, run: list[Item], start: int) -> Edit | None:
    """Give the edit that leaves of spaces what is shown; None where a space that is left would be widened."""
    left = "" if run[0].filled is Filled.NO else " "
    return None if left and node.space is not None else page.write(start, run[-1].end, left)


def _is_table(node: Node) -> bool:
    """Tell whether rows of the text have gaps alike: as many in each, two rows at least."""
    gaps: list[int] = []
    count, filled = 0, False
    for item in (*node.items, None):
        if item is None or item.kind == "break":
            gaps += [count] if filled else []
            count, filled = 0, False
        elif item.kind == "content":
            filled = True
        elif filled and item.followed and len(item.text) > 1:
            count += 1
    return len(gaps) > 1 and gaps[0] > 0 and len(set(gaps)) == 1


def _runs(node: Node) -> Iterator[tuple[int, list[Item]]]:
    """Yield runs of spaces that collapse together, each with the place of its first item."""
    run: list[Item] = []
    for index, item in enumerate(node.items):
        if item.kind == "spaces" and not item.kept:
            run.append(item)
        elif run:
            yield index - len(run), run
            run = []
    if run:
        yield len(node.items) - len(run), run


def _common_indent(node: Node) -> int:
    """Give the columns that all lines but the first begin with, which are the indentation of the source."""
    indents: list[int] = []
    begun = False  # whether there was anything on the first line
    indent: int | None = None  # of a line that nothing was on yet
    for item in node.items:
        if item.kind == "break" and item.literal:
            indent = 0 if begun else None
        elif item.kind == "spaces" and item.literal:
            indent = None if indent is None else indent + semantics.columns(item.text)
        else:
            begun = True
            if indent is not None:
                indents.append(indent)
            indent = None
    return min(indents, default=0)


def _is_padding(page: Page, node: Node, index: int) -> bool:
    """Tell whether a single space has its like on the other side: ` text `, ` \\n `."""
    if index == 0:
        return page.source[node.text.end - 1] == " "
    before = node.items[index - 2] if index > 1 else None
    return before is not None and before.kind == "spaces" and before.text == " "

"""What `fix` does to any WXML: it comes to rest, and does no harm that it does not tell of.

The judges are the official compilers and the small model of the layout in `tests.shown`, which know nothing
of the package. What a fix may change in the shown text is what its rule says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import pytest

from tests.oracle import Oracle
from tests.shown import shown
from tests.strategies import DATA, random_content
from wxtext.lint import Settings, fix
from wxtext.rules import Rule, all_rules
from wxtext.semantics import COMPILERS, Target

TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")

LAYOUT = ["\n", "\n  ", "\n    ", " ", "  ", "\t", "", "", ""]
CONDITIONS = ["", "", "", ' wx:if="{{a}}"', " wx:else", ' wx:for="{{list}}"', ' class="a"']
AROUND = ["view", "view", "block", "button", "image", "custom-element"]
BETWEEN = [
    *("{{a}}", "{{ b }}", " loose text ", "<image/>", "<icon></icon>", "<!-- c -->", "<text> </text>"),
    *('<text space="emsp">  </text>', "<text>\n  {{name}}\n</text>", "<text>  {{a}} {{b}}  </text>"),
    *("<text user-select>x\\n</text>", "<text user-select>{{a}}</text>", "<br/>", "<Text>a</Text>"),
    *('<text class="icon"></text>', '<text style="white-space: pre">  a\n  b </text>', "<slot/>"),
    *("<text>a\\n\n  b</text>", "<text>{{a}}\n      {{b}}\n</text>", "<text selectable>  y</text>"),
    *('<text wx:for="{{list}}">\n  {{item}}\n</text>', "<View>a  b</View>", "<p>p</p>", "<!-- draft ->\n"),
    *("<text>a<!-- c -->  <!---->b</text>", "<!-- wxtext-ignore collapsed-spaces loose-text -->"),
    *("<text>a<br> b<b>c</b>\n</text>", "<text>\n  <p>p</p>\\n\n  <h1>h</h1>q\n</text>"),
    *("<Template name='t'>c</Template>", "<text space='EMSP' class='a'>a  b</text>"),
]
# What stands in place of a `<text>`, in both its tags.
OTHER_NAMES = ["Text", "TEXT", "b", "p", "h1", "li", "view"]
# What was typed or left out in the wrong place.
SLIPS = [
    *("\0", "\ufeff", "<br>", "<br/>", "<b>", "</b>", "</text>", "<text>", "</view>", "<p>", "</p>", "<!--"),
]
VALUES = [
    *("{{true}}", "{{false}}", "{{null}}", "{{0}}", "{{1.5}}", "{{''}}", "{{[]}}", "{{ {a: 1} }}"),
    *("no", "!a", "false", "EMSP"),
]
# (Not `wx:if`: with a string it always holds, so that mending it may well take away what was shown.)
SWITCHES = ["decode", "hidden", "user-select", "selectable", "space"]
_TEXT_TAG = re.compile(r"(</?)text\b")
_TEXT = re.compile("<text([^<>]*)>([^<]*)</text>")


def untidy(random: Random, page: str) -> str:
    """The same page, as another editor or a careless hand would have left it."""
    kind = random.randrange(10)
    if kind == 0:
        return page.replace("\r", "").replace("\n", "\r\n")
    if kind == 1:
        return "\ufeff" + page
    if kind == 2:
        return page.replace("  ", "\t")
    if kind == 3:
        return page.replace("'", "`").replace('"', "'").replace("`", '"')
    if kind == 4:
        return _TEXT_TAG.sub(rf"\1{random.choice(OTHER_NAMES)}", page)
    if kind == 5:
        return _TEXT.sub(r"<text>a <{0}\1>\2</{0}>\n  b</text>".format(random.choice(OTHER_NAMES)), page)
    if kind == 6:
        attribute = f'{random.choice(SWITCHES)}="{random.choice(VALUES)}"'
        return page.replace("<text", f"<text {attribute}", 1)
    if kind == 7:
        place = random.randint(0, len(page))
        return page[:place] + random.choice(SLIPS) + page[place:]
    return page


def random_page(random: Random, depth: int = 0) -> str:
    """A page of several blocks, tidy or not, with data and without: WXML source from a seed."""
    pieces = []
    for _ in range(random.choice((1, 2, 3, 4))):
        kind = random.random()
        if kind < 0.4:
            piece = random_content(random)
            if random.random() < 0.3:
                piece = piece.replace("<text", f"<text{random.choice(CONDITIONS)}", 1)
        elif kind < 0.8 or depth == 2:
            piece = random.choice(BETWEEN)
        else:
            name = random.choice(AROUND)
            piece = f"<{name}{random.choice(CONDITIONS)}>{random_page(random, depth + 1)}</{name}>"
        pieces += [random.choice(LAYOUT), piece]
    return "".join([*pieces, random.choice(LAYOUT)])


class Case(NamedTuple):
    """A page to mend, and what shows it."""

    page: str
    target: Target


def cases(seed: object, count: int) -> list[Case]:
    """Pages from a seed."""
    randoms = [Random(f"{seed}:{number}") for number in range(count)]
    return [Case(untidy(random, random_page(random)), random.choice(TARGETS)) for random in randoms]


def harm(oracle: Oracle, rule: Rule, mended: Sequence[tuple[Case, str]]) -> Iterator[tuple[Case, str, str]]:
    """Give the cases, of pages that a rule has mended, where it has done harm, and what."""
    for target in TARGETS:
        chosen = [(case, after) for case, after in mended if case.target == target]
        compiler = COMPILERS[target]
        befores = oracle.compile(compiler, [case.page for case, _ in chosen], DATA)
        afters = oracle.compile(compiler, [after for _, after in chosen], DATA)
        for (case, fixed), before, after in zip(chosen, befores, afters, strict=True):
            if "tree" not in before:
                continue
            if "tree" not in after:
                yield case, fixed, f"refused: {after}"
            elif not rule.may_turn(shown(before["tree"], target), shown(after["tree"], target)):
                yield case, fixed, f"shows {shown(after['tree'], target)!r}"


@pytest.mark.parametrize("seed", range(10))
def test_a_second_run_finds_nothing_more_to_mend(seed: int) -> None:
    for case in cases(seed, 40):
        fixed, left = fix(*case, Settings(info=True))
        assert fix(fixed, case.target, Settings(info=True)) == (fixed, left), case


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_fixes_do_no_harm(oracle: Oracle, rule: Rule) -> None:
    settings = Settings(select=frozenset((rule.name,)), info=True)
    mended = [(case, fix(*case, settings)[0]) for case in cases(rule.name, 150)]
    mended = [(case, fixed) for case, fixed in mended if fixed != case.page]
    assert list(harm(oracle, rule, mended)) == []

"""What `fix` does to any WXML: it comes to rest, joins and parts no rows, and does no harm untold.

    python -m tests.test_fixes --cases 20000

The judges are the official compilers and the small model of the layout in `tests.shown`, which know nothing
of the package. Safe fixes leave the rows of what is shown as they were, whatever the data. What an unsafe fix
may change in the shown text is what its rule says.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.oracle import Oracle
from tests.shown import shown
from tests.strategies import DATA, random_content
from wxtext.fixer import fix
from wxtext.lint import Settings, check
from wxtext.rules import Rule, all_rules
from wxtext.semantics import COMPILERS, Target

TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")

LAYOUT = ["\n", "\n  ", "\n    ", " ", "  ", "\t", "", "", ""]
CONDITIONS = [
    *("", "", "", ' wx:if="{{a}}"', " wx:else", ' wx:for="{{list}}"', ' class="a"', ' wx:if="{{b}}"'),
    *(' wx:elif="{{b}}"', ' hidden="{{b}}"', ' wx:if="{{!a}}"', ' wx:for="{{list}}" wx:if="{{a}}"'),
]
AROUND = ["view", "view", "block", "button", "image", "custom-element", "label", "text", "form"]
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
    *("<text>\nHello\n</text>", "<text>\n  {{b}}\n  </text>", "<text>总价</text>", "<text>c\n</text>"),
    *("<text>姓名：{{name}}\n    电话：{{b}}</text>", "<text>{{name}}\n{{b}}</text>", "<text>\n</text>"),
    *("<text>\n  <text>n</text>\n  元\n</text>", "<text>\n\nm\n\n</text>", "<text>q   </text>"),
    *('<text wx:if="{{b}}">\n  y\n</text>', "<text wx:else>\n  z\n</text>", "<text>\n{{b}}\\n</text>"),
    *(
        '<text wx:if="{{a}}">y\n</text>',
        '<text wx:if="{{!a}}">\nw\n</text>',
        "<text>\n  a<text>b\n</text></text>",
    ),
    *('<text wx:for="{{list}}">\n{{item}}</text>', '<text user-select="{{b}}">\n p\n</text>'),
    *(
        "<text selectable user-select>s</text>",
        '<text wx:elif="{{b}}">e</text><text wx:else>\n  z\n</text>',
        '<text hidden="{{b}}">\n h\n</text>',
        '<block wx:for="{{list}}"><text>\n {{item}}\n</text></block>',
    ),
    "<template name='t'><text>\n u\n</text></template><template is='t'/><template is='t'/>",
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


INFO = Settings(info=True)
#: What is shown in the middle of a row. (Text beside a box moves where a typed line break in it becomes one.)
COMPONENT = Settings(info=True, fragment=True, ignore=frozenset(("static-line-break",)))
AROUND_COMPONENT = ("<view>前", "后</view>")

#: What data decide: conditions and loops, one way and another.
DATA_SETS: tuple[dict[str, Any], ...] = (
    DATA,
    {**DATA, "a": "", "list": []},
    {**DATA, "b": "", "list": ["1", "2", "3"]},
    {**DATA, "a": "", "b": "", "list": ["1", "2"]},
)


_SPACES = re.compile(r"[^\S\n]+")
#: Rules in the order in which they read: an invisible character may part an entity.
_FIRST, _LAST = "invisible-character", "misprinted-backslash"
#: What glass-easel prints where a row was to end, and what is made of it; a `\\r` before it goes.
_TYPED_BREAK = re.compile(r"(?:\\r)?\\n")
_TYPED_RETURN = re.compile(r"\\r(?=\\n|\n|\Z)")


def meant(shown: str, target: Target, rules: Sequence[Rule]) -> str:
    """What is shown as these rules read it: what is misprinted as it was meant, without what nobody sees.

    Typed line breaks stay as they are.
    """
    before = None
    while shown != before:  # without what was between them, two characters may read as one
        before, shown = shown, _meant(shown, target, rules)
    return shown


def _meant(shown: str, target: Target, rules: Sequence[Rule]) -> str:
    for rule in sorted(rules, key=lambda rule: (rule.name != _FIRST, rule.name == _LAST)):
        if rule.name == "static-line-break":
            shown = _SPACES.sub("", shown)
        elif rule.reads is not None and (rule.name != _LAST or target == "webview"):
            shown = _SPACES.sub("", rule.reads(shown))
    return shown


def row_ends(shown: str) -> tuple[str, set[int]]:
    """The characters in all rows, and after how many of them rows end."""
    rows = [row for row in shown.split("\n") if row.strip()]
    return "".join(rows), set(accumulate(map(len, rows)))


def is_torn(old: str, new: str, target: Target, rules: Sequence[Rule]) -> bool:
    """Whether rows are joined, parted or changed, or blank ones added: a typed line break may become one."""
    old, new = (meant(text, target, rules) for text in (old, new))
    most = old
    if any(rule.name == "static-line-break" for rule in rules) and target != "webview":
        old, new = (_TYPED_RETURN.sub("", text) for text in (old, new))
        most = _TYPED_BREAK.sub("\n", old)
        old, new = (_TYPED_BREAK.sub("", text) for text in (old, new))
    (characters, ends), (_same, possible), (left, found) = map(row_ends, (old, most, new))
    return left != characters or not ends <= found <= possible or new.count("\n") > most.count("\n")


Fixed = tuple[Case, str]


def screens(
    oracle: Oracle, fixed: Sequence[Fixed], around: tuple[str, str] = ("", "")
) -> Iterator[tuple[Case, str, list[tuple[str, str | None]]]]:
    """Give each page, what became of it, and what both show by different data, None if refused."""
    for target in TARGETS:
        chosen = [(case, after) for case, after in fixed if case.target == target]
        sources = [around[0] + page + around[1] for case, after in chosen for page in (case.page, after)]
        results = [oracle.compile(COMPILERS[target], sources, data) for data in DATA_SETS]
        for place, (case, after) in enumerate(chosen):
            pairs = [(result[2 * place], result[2 * place + 1]) for result in results]
            yield (
                case,
                after,
                [
                    (shown(old["tree"], target), shown(new["tree"], target) if "tree" in new else None)
                    for old, new in pairs
                    if "tree" in old
                ],
            )


def torn_rows(
    oracle: Oracle, rules: Sequence[Rule], fixed: Sequence[Fixed], around: tuple[str, str] = ("", "")
) -> Iterator[tuple[Case, str, object, object]]:
    """Give the cases whose rows safe fixes have joined, parted or changed, or that are refused then."""
    for case, after, pairs in screens(oracle, fixed, around):
        for old, new in pairs:
            if new is None:
                yield case, after, old, "refused"
                break
            if is_torn(old, new, case.target, rules):
                yield case, after, old, new
                break


def harm(oracle: Oracle, rule: Rule, fixed: Sequence[Fixed]) -> Iterator[tuple[Case, str, object]]:
    """Give the cases, of pages that a rule has fixed unsafely, where more has changed than it says."""
    for case, after, pairs in screens(oracle, fixed):
        old, new = pairs[0] if pairs else ("", "")
        if new is None or not (rule.keeps_rows(old, new) or rule.may_turn(old, new)):
            yield case, after, new


def changed(seed: object, count: int, settings: Settings, *, unsafe: bool = False) -> list[Fixed]:
    """Pages from a seed that fixes change, and what they become."""
    fixed = [(case, fix(*case, settings, unsafe=unsafe)[0]) for case in cases(seed, count)]
    return [(case, after) for case, after in fixed if after != case.page]


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_a_second_run_finds_nothing_more_to_fix(seed: int, unsafe: bool) -> None:
    for case in cases(seed, 40):
        fixed, left = fix(*case, Settings(info=True), unsafe=unsafe)
        assert fix(fixed, case.target, Settings(info=True), unsafe=unsafe) == (fixed, left), case


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_safe_fixes_leave_rows_alone(oracle: Oracle, rule: Rule) -> None:
    settings = Settings(select=frozenset((rule.name,)), info=True)
    assert list(torn_rows(oracle, [rule], changed(rule.name, 150, settings))) == []


def test_all_safe_fixes_together_leave_rows_alone(oracle: Oracle) -> None:
    fixed = changed("together", 600, INFO)
    assert len(fixed) > 200
    assert list(torn_rows(oracle, all_rules(), fixed)) == []


def test_safe_fixes_of_a_component_leave_the_rows_around_it_alone(oracle: Oracle) -> None:
    fixed = changed("component", 400, COMPONENT)
    assert len(fixed) > 100
    assert list(torn_rows(oracle, all_rules(), fixed, AROUND_COMPONENT)) == []


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_unsafe_fixes_change_what_they_say(oracle: Oracle, rule: Rule) -> None:
    settings = Settings(select=frozenset((rule.name,)), info=True)
    assert list(harm(oracle, rule, changed(rule.name, 150, settings, unsafe=True))) == []


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_rules_declare_the_kinds_of_their_fixes(rule: Rule) -> None:
    settings = Settings(select=frozenset((rule.name,)), info=True)
    kinds = {
        "unsafe" if problem.unsafe else "safe"
        for case in cases("kinds", 1500)
        for problem in check(*case, settings)
        if problem.fix
    }
    assert kinds == set(rule.fixes)


def main() -> int:
    """Judge many pages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", default="rows")
    options = parser.parse_args()
    bad = changes = 0
    with Oracle() as oracle:
        for start in range(0, options.cases, 500):
            settings, around = (COMPONENT, AROUND_COMPONENT) if start % 1500 == 1000 else (INFO, ("", ""))
            fixed = changed(f"{options.seed} {start}", 500, settings)
            changes += len(fixed)
            for case, after in fixed:
                if fix(after, case.target, settings)[0] != after:
                    bad += 1
                    sys.stdout.write(f"comes not to rest: {case}\n")
            for found in torn_rows(oracle, all_rules(), fixed, around):
                bad += 1
                sys.stdout.write("\n  ".join(map(ascii, found)) + "\n")
    sys.stdout.write(f"{bad} of {options.cases} pages harmed, of which {changes} changed\n")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

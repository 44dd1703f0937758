"""Fixes what rules find, and proves that the fixes do no harm: it lays the page out before and after."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final

from wxtext.layout import count_shown, show_variants
from wxtext.lint import DEFAULT, Settings, check
from wxtext.problem import Edit, Problem
from wxtext.semantics import Target

#: Rounds of fixing before giving up: so many, and one more for each problem found at first, because a fix may
#: reveal another.
_MOST_ROUNDS: Final = 50

#: How much may be read and laid out to find, among many fixes, those that do harm: characters of the source,
#: and tags and texts that are shown. It takes some seconds. No page of 19 public projects needs a
#: hundredth of it.
_MOST_LAID_OUT: Final = 5_000_000


def fix(
    source: str,
    target: Target = "webview",
    settings: Settings | None = None,
    *,
    others: Sequence[Target] = (),
    unsafe: bool = False,
) -> tuple[str, list[Problem]]:
    """Fix what can be fixed; return the source then, and the problems that are left.

    A safe fix leaves the rows of what is shown as they were, but for what the compiler misprints, and for
    blank rows. With `unsafe`, fixes are made too that change what the page does, or how it is laid out.

    A fix is left out if the compiler would refuse what it makes, or if it would change anything else in what
    is shown than its rule says; the same on `others`, where the source is shown too. Where very many of a
    rule would, all of them are left out. A problem that is left has a fix only if that is unsafe, and unsafe
    ones were not asked for.
    """
    return _fix(source, (target, *others), settings or DEFAULT, _Patience(), unsafe=unsafe)


def _fix(
    source: str, targets: Sequence[Target], settings: Settings, patience: _Patience, *, unsafe: bool
) -> tuple[str, list[Problem]]:
    """Fix what can be fixed on the first of these targets, and does no harm on any."""
    target = targets[0]
    rules = {rule.name: rule for rule in settings.rules}
    order = {name: index for index, name in enumerate(rules)}
    #: Rules whose fixes, safe or unsafe, all had to be left out, and of which source.
    given_up: dict[tuple[str, bool], str] = {}
    problems = check(source, target, settings)
    screens = _Screens(source, targets) if any(problem.fix for problem in problems) else None
    for _round in range(_MOST_ROUNDS + len(problems)):
        fixable = [
            problem
            for problem in problems
            if problem.fix and (unsafe or not problem.unsafe) and given_up.get(_kind(problem)) != source
        ]
        if not fixable or screens is None:
            break
        # One rule a round: what it says it changes is what is compared, and its edits move the others. The
        # earlier comes first, whatever the order in the source, so that what is fixed is fixed alike.
        chosen = min(
            fixable, key=lambda problem: (_kind(problem) in given_up, order[problem.rule], problem.unsafe)
        )
        fixes = [problem.fix for problem in fixable if _kind(problem) == _kind(chosen) and problem.fix]
        rule = rules[chosen.rule]
        may_turn = rule.may_turn if chosen.unsafe else rule.keeps_rows
        fixed = _harmless(screens, sorted(fixes), may_turn, patience)
        if fixed is None:
            given_up[_kind(chosen)] = source
        else:
            screens, source = fixed, fixed.source
            problems = check(source, target, settings)
    return source, [
        problem if problem.unsafe and not unsafe else problem._replace(fix=None, unsafe=False)
        for problem in problems
    ]


def _kind(problem: Problem) -> tuple[str, bool]:
    """Return what problems have in common whose fixes are made together."""
    return problem.rule, problem.unsafe


def fix_on(targets: Sequence[Target], source: str, settings: Settings, *, unsafe: bool = False) -> str:
    """Fix what can be fixed in a source that is shown on several targets; with `unsafe`, as `fix` does."""
    patience = _Patience()
    for _round in range(_MOST_ROUNDS):
        before = source
        for target in targets:
            others = [other for other in targets if other != target]
            source, _left = _fix(source, (target, *others), settings, patience, unsafe=unsafe)
        if source == before or len(targets) == 1:
            break
    return source


def _apply(source: str, fixes: Iterable[tuple[Edit, ...]]) -> str:
    """Make the edits of these fixes; of fixes with edits that overlap, only of the first."""
    edits: list[Edit] = []  # sorted, as no two overlap
    for fix_edits in sorted(fixes):
        if not any(_overlaps(edit, edits) for edit in fix_edits):
            for edit in fix_edits:
                insort(edits, edit)
    pieces = []
    done = 0
    for edit in edits:
        pieces += [source[done : edit.start], edit.text]
        done = edit.end
    return "".join(pieces) + source[done:]


def _overlaps(edit: Edit, others: Sequence[Edit]) -> bool:
    """Tell whether an edit overlaps one of others, which are sorted.

    Two that begin at the same place do: what is to come first there is not known.
    """
    place = bisect_left(others, edit)
    if place and (others[place - 1].end > edit.start or others[place - 1].start == edit.start):
        return True
    return place < len(others) and (edit.end > others[place].start or edit.start == others[place].start)


class _Patience:
    """How much may still be laid out to find fixes that do harm."""

    def __init__(self) -> None:
        self.left = _MOST_LAID_OUT


class _Screens:
    """What a source shows on each of its targets, by different data."""

    def __init__(self, source: str, targets: Iterable[Target]) -> None:
        self.source = source
        #: None where the compiler refuses it.
        self.shown = {target: show_variants(source, target) for target in targets}

    @cached_property
    def cost(self) -> int:
        """How much is read and laid out to make this."""
        return sum(
            len(self.source) + count_shown(self.source, target) * len(variants or ())
            for target, variants in self.shown.items()
        )

    def may_become(self, other: _Screens, may_turn: Callable[[str, str], bool]) -> bool:
        """Tell whether the other source shows what it may; where this one is refused, it may show all."""
        for target, before in self.shown.items():
            if before is None:
                continue
            after = other.shown[target]
            if after is None:
                return False
            # An unsafe fix may let data decide what it fixes: only the first variants are alike then.
            compared = len(before) if len(before) == len(after) else 1
            if not all(map(may_turn, before[:compared], after[:compared])):
                return False
        return True


def _harmless(
    screens: _Screens,
    fixes: Sequence[tuple[Edit, ...]],
    may_turn: Callable[[str, str], bool],
    patience: _Patience,
) -> _Screens | None:
    """Return what the source becomes by the fixes that do no harm; None if there are none.

    All together are tried first, then halves, so that few that do harm are soon found among many. Among very
    many they are not looked for: none is made then, for a second run would make others.
    """
    kept: list[tuple[Edit, ...]] = []
    best: _Screens | None = None
    untried = [fixes]
    while untried:
        part = untried.pop()
        fixed = _Screens(_apply(screens.source, [*kept, *part]), screens.shown)
        if screens.may_become(fixed, may_turn):
            kept += part
            best = fixed
        elif len(part) > 1:
            patience.left -= 2 * screens.cost
            if patience.left < 0:
                return None
            half = len(part) // 2
            untried += [part[half:], part[:half]]
    return best

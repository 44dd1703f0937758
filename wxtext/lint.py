"""Runs rules over a page, and applies what its comments suppress."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from wxtext.errors import OptionError, nearest_name
from wxtext.i18n import _
from wxtext.page import Page
from wxtext.problem import Finding, Problem, Severity, Span, shortened
from wxtext.rules import Rule, all_rules
from wxtext.semantics import COMPILERS, Target

#: The rule that reports a suppression which suppresses nothing.
UNUSED_SUPPRESSION: Final = "unused-suppression"

_SUPPRESSION: Final = re.compile(r"<!--\s*wxtext-(ignore-file|ignore)(?=[\s:]|-->)\s*:?(.*)-->", re.DOTALL)
_NAME: Final = re.compile(r"[^\s,]+")
_BLANK: Final = re.compile(r"\s*", re.ASCII)


@dataclass(frozen=True)
class Settings:
    """What to look for. Names of rules are taken as they are: `config` has seen that they exist."""

    #: Only these rules, if any are named.
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    #: Other severities than the rules' own.
    severities: Mapping[str, Severity] = field(default_factory=dict)
    #: Whether to give advice too.
    info: bool = False
    #: Classes whose style keeps white space.
    preserving_classes: frozenset[str] = frozenset()
    #: Classes whose `display` puts boxes into a row.
    inline_classes: frozenset[str] = frozenset()
    #: Names that `usingComponents` defines.
    components: frozenset[str] = frozenset()
    #: The project's own rules.
    own_rules: tuple[Rule, ...] = ()
    #: Whether what is looked at is shown inside other pages, perhaps in the middle of a row: a component, or
    #: what other files include.
    fragment: bool = False

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that are to be run."""
        return tuple(
            rule
            for rule in (*all_rules(), *self.own_rules)
            if (not self.select or rule.name in self.select) and rule.name not in self.ignore
        )

    @cached_property
    def grave_rules(self) -> tuple[Rule, ...]:
        """Those of them that give more than advice."""
        return tuple(
            rule for rule in self.rules if self.severities.get(rule.name, rule.severity) is not Severity.INFO
        )


#: What is looked for unless something else is said.
DEFAULT: Final = Settings()


def check(source: str, target: Target = "webview", settings: Settings | None = None) -> list[Problem]:
    """Find what WeChat will refuse, lose or show otherwise than it looks, in the order of the source.

    Raises `OptionError` if there is no such target.
    """
    OptionError.unless_one_of("target", target, COMPILERS)
    settings = settings or DEFAULT
    page = Page(
        source,
        target,
        preserving_classes=settings.preserving_classes,
        inline_classes=settings.inline_classes,
        components=settings.components,
        fragment=settings.fragment,
    )
    # Advice that is not wanted is not looked for, unless that would show what suppressions are for.
    suppressed = "wxtext-ignore" in source
    rules = settings.rules if settings.info or suppressed else settings.grave_rules
    found = [
        _Found(
            settings.severities.get(rule.name) or finding.severity or rule.severity, order, rule.name, finding
        )
        for order, rule in enumerate(rules)
        for finding in rule.check(page)
    ]
    if suppressed:
        found = _heed_suppressions(page, found, settings)
    if not settings.info:
        found = [item for item in found if item.severity is not Severity.INFO]
    if not found:
        return []
    lines = _Lines(source)
    by_name = {rule.name: rule for rule in rules}
    return [item.problem(lines) for item in _one_a_span(_advised_once(found, by_name), by_name)]


def check_on(
    targets: Sequence[Target], source: str, settings: Settings
) -> list[tuple[Problem, tuple[Target, ...]]]:
    """Find the problems of a source that is shown on several targets: each once, and where it is one.

    Where problems of several targets share span and subject, the gravest is kept, then that of the first
    target.
    """
    found: dict[tuple[int, int, str], tuple[Problem, list[Target]]] = {}
    subjects = {rule.name: rule.subject for rule in settings.rules}
    unused = Counter[tuple[int, int, str]]()
    for target in targets:
        for problem in check(source, target, settings):
            if problem.rule == UNUSED_SUPPRESSION:
                # What suppresses something on any target has its use.
                key = (problem.start, problem.end, problem.message)
                unused[key] += 1
                if unused[key] < len(targets):
                    continue
            place = (problem.start, problem.end, subjects[problem.rule])
            kept = found.get(place)
            if kept is None or problem.severity.rank < kept[0].severity.rank:
                found[place] = (problem, [target])
            elif problem.rule == kept[0].rule:
                kept[1].append(target)
    return [
        (problem, tuple(targets) if problem.rule == UNUSED_SUPPRESSION else tuple(on))
        for problem, on in sorted(found.values(), key=lambda item: item[0].start)
    ]


class _Found(NamedTuple):
    severity: Severity
    #: The place of the rule in the list.
    order: int
    rule: str
    finding: Finding

    def problem(self, lines: _Lines) -> Problem:
        start, end, message, edits, _severity, unsafe = self.finding
        span = Span(*lines.position(start), *lines.position(end))
        return Problem(self.rule, self.severity, shortened(message), span, edits, start, end, unsafe)


class _Lines:
    """Turns offsets into lines and columns."""

    def __init__(self, source: str) -> None:
        self._starts = [0]
        self._starts += [match.end() for match in re.finditer("\n", source)]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def _advised_once(found: Iterable[_Found], rules: Mapping[str, Rule]) -> Iterator[_Found]:
    """Make one piece of advice of all that a rule has for a file, if it is such a rule, and count them."""
    first: dict[str, _Found] = {}
    times = Counter[str]()
    for item in found:
        if item.severity is Severity.INFO and rules[item.rule].once:
            times[item.rule] += 1
            first.setdefault(item.rule, item)
        else:
            yield item
    for name, item in first.items():
        finding = item.finding
        if times[name] > 1:
            message = _("{message} ({count} such in this file)")
            message = message.format(message=finding.message, count=times[name])
            finding = finding._replace(message=message)
        yield item._replace(finding=finding)


def _one_a_span(found: Iterable[_Found], rules: Mapping[str, Rule]) -> list[_Found]:
    """Keep one problem a span and subject: the gravest, then that of the earlier rule; in source order."""
    kept: dict[tuple[int, int, str], _Found] = {}
    for item in sorted(found, key=lambda item: (item.severity.rank, item.order)):
        kept.setdefault((item.finding.start, item.finding.end, rules[item.rule].subject), item)
    return sorted(kept.values(), key=lambda item: (item.finding.start, item.order))


class _Suppression(NamedTuple):
    """What a comment says: these rules are not to be reported between these offsets."""

    #: Each name, and where to report that it suppresses nothing.
    rules: list[tuple[str, int, int]]
    start: int
    end: int
    #: The comment itself.
    comment: tuple[int, int]


def _suppressions(page: Page) -> Iterator[_Suppression]:
    """Yield what the comments say; one, or several in a row, are for the element or line that follows."""
    source = page.source
    ends = {element.start: element.close_end for element in page.elements}
    #: Those of which it is not yet known what follows.
    open_ended: list[_Suppression] = []
    for kind, start, stop, _tag, _text in page.events:
        if kind == "comment":
            match = _SUPPRESSION.fullmatch(source, start, stop)
            if match is None:
                continue
            rules = [(name[0], *name.span()) for name in _NAME.finditer(source, *match.span(2))]
            if len(rules) == 1:
                rules = [(rules[0][0], start, stop)]
            suppression = _Suppression(rules, 0, len(source), (start, stop))
            if match[1] == "ignore-file":
                yield suppression
            else:
                open_ended.append(suppression._replace(start=stop))
        elif open_ended and (first := _first_character(source, start)) < stop:
            end = ends[start] if kind == "open" else _line_end(source, first)
            yield from (suppression._replace(end=end) for suppression in open_ended)
            open_ended = []
    yield from open_ended


def _first_character(source: str, start: int) -> int:
    """Return where something other than white space follows."""
    match = _BLANK.match(source, start)
    return match.end() if match else start


def _line_end(source: str, start: int) -> int:
    end = source.find("\n", start)
    return len(source) if end < 0 else end


def _heed_suppressions(page: Page, found: list[_Found], settings: Settings) -> list[_Found]:
    """Take out what comments suppress, and report what in them suppresses nothing."""
    order = len(found)
    run = {rule.name: rule for rule in settings.rules}
    known = tuple(rule.name for rule in (*all_rules(), *settings.own_rules))
    # A rule that was not run has nothing to say on its suppressions.
    idle = set(known) - run.keys()
    left: dict[str, list[_Found]] = {UNUSED_SUPPRESSION: []}
    for item in sorted(found, key=_start):
        left.setdefault(item.rule, []).append(item)
    for suppression in sorted(_suppressions(page), key=_is_of_suppressions):
        used = set(idle)
        for name, _name_start, _name_end in suppression.rules:
            items = left.get(name, [])
            first = bisect_left(items, suppression.start, key=_start)
            end = bisect_left(items, suppression.end, key=_start)
            if first < end:
                used.add(name)
                del items[first:end]
        if UNUSED_SUPPRESSION in run:
            severity = settings.severities.get(UNUSED_SUPPRESSION, run[UNUSED_SUPPRESSION].severity)
            for finding in _useless(suppression, used, known):
                item = _Found(severity, order, UNUSED_SUPPRESSION, finding)
                insort(left[UNUSED_SUPPRESSION], item, key=_start)
    return [item for items in left.values() for item in items]


def _start(found: _Found) -> int:
    return found.finding.start


def _is_of_suppressions(suppression: _Suppression) -> bool:
    """Tell whether it suppresses reports on other suppressions, which have to be there first."""
    return any(name == UNUSED_SUPPRESSION for name, _start, _end in suppression.rules)


def _useless(suppression: _Suppression, used: set[str], known: tuple[str, ...]) -> Iterator[Finding]:
    """Find names which suppress nothing."""
    if not suppression.rules:
        message = _("no rule is named here, and so nothing suppressed; add its name, or delete the comment")
        yield Finding(*suppression.comment, message)
    for name, start, end in suppression.rules:
        if name not in used:
            if name in known:
                message = _("nothing to suppress here: {rules}").format(rules=name)
            else:
                near = nearest_name(name, known)
                nearest = _("did you mean {name!r}?").format(name=near) if near else _("delete it")
                message = _("no rule is called {name!r}; {nearest}").format(name=name, nearest=nearest)
            yield Finding(start, end, message)

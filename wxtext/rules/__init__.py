"""The rules, one a module: a docstring that explains, a severity, and `check`, which finds.

A module's docstring says in its first line what is wrong, then why; `Bad:` and `Good:` are examples that the
tests run (on webview, or the target named in `Target:`), and where there is a fix it turns the one into the
other, changing nothing in what is shown but what the module's `CHANGES` says. This list is the only one,
in the order in which rules give way to each other.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Final

from wxtext.page import Page
from wxtext.problem import Finding, Severity

NAMES: Final = (
    "syntax",
    "swallowed-tag",
    "too-large",
    "foreign-child",
    "html-tag",
    "space-value",
    "string-boolean",
    "duplicate-attribute",
    "static-line-break",
    "misprinted-backslash",
    "unportable-entity",
    "whitespace-only-text",
    "collapsed-spaces",
    "widened-spaces",
    "layout-white-space",
    "swallowed-line-break",
    "line-break-outside-text",
    "webview-only-attribute",
    "skyline-only-attribute",
    "byte-order-mark",
    "invisible-character",
    "uppercase-tag",
    "deprecated-selectable",
    "text-indent-on-text",
    "loose-text",
    "long-text",
    "many-children",
    "many-nodes",
    "deep-nesting",
    "unused-suppression",
)


#: What fixes may change in shown text: the matches of a pattern; or a function tells whether they may make
#: of one text, given first, another.
Changes = re.Pattern[str] | Callable[[str, str], bool] | None


@dataclass(frozen=True)
class Rule:
    """A rule."""

    name: str
    severity: Severity
    check: Callable[[Page], Iterator[Finding]]
    #: Its explanation: the docstring of its module.
    explanation: str
    #: Nothing in what is shown, if None.
    changes: Changes

    def may_turn(self, before: str, after: str) -> bool:
        """Tell whether its fixes may make of one shown text another."""
        if before == after or self.changes is None:
            return before == after
        if isinstance(self.changes, re.Pattern):
            return self.changes.sub("", before) == self.changes.sub("", after)
        return self.changes(before, after)


def load(name: str) -> Rule:
    """Import a rule."""
    module = import_module(f"wxtext.rules.{name.replace('-', '_')}")
    explanation = inspect.getdoc(module) or ""
    return Rule(name, module.SEVERITY, module.check, explanation, getattr(module, "CHANGES", None))


@lru_cache
def all_rules() -> tuple[Rule, ...]:
    """All rules, in order."""
    return tuple(load(name) for name in NAMES)

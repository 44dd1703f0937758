"""The rules, one a module: a docstring that explains, a severity, and `check`, which finds.

A module's docstring says in its first line what is wrong, then why; `Bad:` and `Good:` are examples that the
tests run (on webview, or the target named in `Target:`), and where there is a fix it turns the one into the
other, by fixes of the kinds in the module's `FIXES`. A safe fix leaves each row of what is shown as it was,
read as the module's `READS` reads it; an unsafe one changes nothing but what the module's `CHANGES` says.
This list is the only one, in the order in which rules give way to each other: of one part of a page one
problem of a subject is reported. A module's `SUBJECT` says what its rule is about, if not about what is
shown; a module with `ONCE` gives one piece of advice a file.
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
    "html-tag",
    "syntax",
    "swallowed-tag",
    "too-large",
    "foreign-child",
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


#: What unsafe fixes of a rule may change in the shown text. A pattern: only its matches. A function of the
#: text before and after: it returns whether that is an acceptable result. None: nothing.
Changes = re.Pattern[str] | Callable[[str, str], bool] | None

#: How to read the shown text so that safe fixes of a rule change nothing in it, but for blank rows that go:
#: what is printed wrongly becomes what was meant, what nobody sees is left out. None: as it is.
Reads = Callable[[str], str] | None


@dataclass(frozen=True)
class Rule:
    """A rule."""

    name: str
    severity: Severity
    check: Callable[[Page], Iterator[Finding]]
    #: Its explanation: the docstring of its module.
    explanation: str
    changes: Changes = None
    reads: Reads = None
    #: The kinds of its fixes: safe, unsafe, both or none.
    fixes: tuple[str, ...] = ()
    #: What it is about: rules about different subjects do not hide each other's findings.
    subject: str = ""
    #: Whether all that it advises in a file is told as one problem, at the first place.
    once: bool = False

    def keeps_rows(self, before: str, after: str) -> bool:
        """Tell whether the rows of two shown texts are alike, but for blank ones that are gone."""
        if before == after:
            return True
        if self.reads is not None:
            before, after = self.reads(before), self.reads(after)
        old, new = before.split("\n"), after.split("\n")
        return len(new) <= len(old) and list(filter(str.strip, old)) == list(filter(str.strip, new))

    def may_turn(self, before: str, after: str) -> bool:
        """Tell whether its unsafe fixes may make of one shown text another."""
        if before == after or self.changes is None:
            return before == after
        if isinstance(self.changes, re.Pattern):
            return self.changes.sub("", before) == self.changes.sub("", after)
        return self.changes(before, after)


def load(name: str) -> Rule:
    """Import a rule."""
    module = import_module(f"wxtext.rules.{name.replace('-', '_')}")
    explanation = inspect.getdoc(module) or ""
    changes, reads = getattr(module, "CHANGES", None), getattr(module, "READS", None)
    fixes = getattr(module, "FIXES", ())
    subject, once = getattr(module, "SUBJECT", ""), getattr(module, "ONCE", False)
    return Rule(name, module.SEVERITY, module.check, explanation, changes, reads, fixes, subject, once)


@lru_cache
def all_rules() -> tuple[Rule, ...]:
    """All rules, in order."""
    return tuple(load(name) for name in NAMES)

"""A comment suppresses a rule that finds nothing there.

Such a comment was for something that has gone, or names no rule, and would hide what comes later. Delete it,
or take the name out of it.

Bad:
    <!-- wxtext-ignore string-boolean -->
    <text decode="{{false}}">甲</text>
Good:
    <text decode="{{false}}">甲</text>
"""

from __future__ import annotations

from collections.abc import Iterator

from wxtext.page import Page
from wxtext.problem import Finding, Severity

SEVERITY = Severity.WARNING


def check(page: Page) -> Iterator[Finding]:  # noqa: ARG001
    """Find nothing: only what all other rules have found can tell (see `lint`)."""
    return iter(())

"""Each rule alone: what it finds, on each target, and what its fix makes of it."""

from __future__ import annotations

from wxtext.fixer import fix
from wxtext.lint import Settings, check
from wxtext.semantics import Target

TARGETS: tuple[Target, ...] = ("webview", "glass-easel", "skyline")


def only(rule: str, components: str = "", preserving_classes: str = "") -> Settings:
    """Settings for one rule; names in a string are separated by spaces."""
    return Settings(
        select=frozenset((rule,)),
        info=True,
        components=frozenset(components.split()),
        preserving_classes=frozenset(preserving_classes.split()),
    )


def found(rule: str, source: str, target: Target = "webview", **names: str) -> list[str]:
    """All that a rule finds, as `severity: the part of the source`."""
    return [
        f"{problem.severity.value}: {source[problem.start : problem.end]}"
        for problem in check(source, target, only(rule, **names))
    ]


def messages(rule: str, source: str, target: Target = "webview") -> list[str]:
    """The messages of all that a rule finds."""
    return [problem.message for problem in check(source, target, only(rule))]


def fixed(rule: str, source: str, target: Target = "webview", *, unsafe: bool = True, **names: str) -> str:
    """What the fixes of a rule make of a source, unsafe ones too; a second run changes nothing."""
    settings = only(rule, **names)
    result, _left = fix(source, target, settings, unsafe=unsafe)
    assert fix(result, target, settings, unsafe=unsafe)[0] == result
    return result

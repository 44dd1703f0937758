"""`wxtext explain`: what a rule is about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from wxtext import config, sources
from wxtext.escapes import one_line
from wxtext.i18n import _, language, prose
from wxtext.problem import Severity
from wxtext.semantics import columns
from wxtext.tables import no_rule

if TYPE_CHECKING:
    from wxtext.rules import Rule

#: The columns of a line of an explanation, as in the source.
_WIDTH: Final = 110


@click.command(short_help="Explain a rule of check, or list them all.")
@click.argument("rule", required=False)
def command(rule: str | None) -> None:
    """Explain what a RULE of 'wxtext check' is about, with examples; without one, list them all."""
    from wxtext.rules import NAMES, load

    settings = config.find(Path())
    own_rules = {own.name: own for own in settings.own_rules}

    def severity(found: Rule | config.OwnRule) -> Severity:
        return settings.severities.get(found.name, found.severity)

    if rule is None:
        width = max(map(len, settings.rule_names()))
        lines = [
            (name, severity(own_rules[name]), one_line(own_rules[name].message))
            if name in own_rules
            else (name, severity(load(name)), prose(load(name).explanation).partition("\n")[0])
            for name in settings.rule_names()
        ]
        labels = {level: level.label for level in Severity}
        widest = max(map(columns, labels.values()))
        padded = {level: label + " " * (widest - columns(label)) for level, label in labels.items()}
        sources.write_stdout(f"{name:{width}}  {padded[level]}  {about}\n" for name, level, about in lines)
    elif rule in own_rules:
        own = own_rules[rule]
        title = _("{rule} ({severity}, {file})")
        title = title.format(rule=rule, severity=severity(own).label, file=settings.path)
        sources.write_stdout(f"{one_line(line)}\n" for line in (title, "", own.message, own.xpath))
    elif rule in NAMES:
        found = load(rule)
        titles = {
            (): _("{rule} ({severity})"),
            ("safe",): _("{rule} ({severity}; safe fix)"),
            ("unsafe",): _("{rule} ({severity}; unsafe fix)"),
            ("safe", "unsafe"): _("{rule} ({severity}; safe and unsafe fixes)"),
        }
        title = titles[found.fixes].format(rule=rule, severity=severity(found).label)
        sources.write_stdout([f"{title}\n\n{_explanation(found)}\n"])
    else:
        raise no_rule(rule, settings.rule_names())


def _explanation(rule: Rule) -> str:
    if language() == "en":
        return rule.explanation  # which is broken into lines already
    from wxtext.cli.formatter import wrap

    return wrap(prose(rule.explanation), _WIDTH)

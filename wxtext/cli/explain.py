"""`wxtext explain`: what a rule is about."""

from __future__ import annotations

from pathlib import Path

import click

from wxtext import config, sources
from wxtext.i18n import _


@click.command(short_help="Explain a rule of check, or list them all.")
@click.argument("rule", required=False)
def command(rule: str | None) -> None:
    """Explain what a RULE of 'wxtext check' is about, with examples; without one, list them all."""
    from wxtext.rules import NAMES, load

    settings = config.find(Path())
    own_rules = {own.name: own for own in settings.own_rules}
    if rule is None:
        width = max(map(len, settings.rule_names()))
        lines = [
            (name, own_rules[name].severity, own_rules[name].message)
            if name in own_rules
            else (name, load(name).severity, _(load(name).explanation).partition("\n")[0])
            for name in settings.rule_names()
        ]
        sources.write_stdout(
            f"{name:{width}}  {severity.value:7}  {about}\n" for name, severity, about in lines
        )
    elif rule in own_rules:
        own = own_rules[rule]
        sources.write_stdout(
            [f"{rule} ({own.severity.value}, {settings.path})\n\n{own.message}\n{own.xpath}\n"]
        )
    elif rule in NAMES:
        found = load(rule)
        sources.write_stdout([f"{rule} ({found.severity.value})\n\n{_(found.explanation)}\n"])
    else:
        raise config.no_rule(rule, settings.rule_names())

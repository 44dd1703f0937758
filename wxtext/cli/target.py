"""The option `--target`, which is the same in every command, and what is said of the target that is taken."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click

from wxtext.cli import say
from wxtext.cli.values import names
from wxtext.errors import OptionError
from wxtext.semantics import TargetChoice
from wxtext.sources import STANDARD

if TYPE_CHECKING:
    from wxtext.targets import Chosen

_CHOICES: Final[tuple[TargetChoice, ...]] = get_args(TargetChoice)


def _choice(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Take a name in any case."""
    if value is not None:
        value = value.lower()
        OptionError.unless_one_of("target", value, _CHOICES)
    return value


target_option: Final = click.option(
    "--target",
    metavar="|".join(_CHOICES),
    callback=_choice,
    shell_complete=names,
    help="What shows the page: the classic framework (webview), glass-easel in WebView, or Skyline; auto "
    "(default): what the configuration, the .json of the page and app.json say.",
)


def chosen_for(page: str, asked: TargetChoice | None) -> Chosen:
    """Choose the target of a page that is read, "-" for standard input, and say which if it is not webview.

    Raises `ConfigError` and `SourceError` if what names the target cannot be read.
    """
    from wxtext.project import Project
    from wxtext.targets import choose, nearest_config, told

    place = None if page == STANDARD else Path(page)
    found = nearest_config(place.parent if place else Path()) if asked is None else None
    chosen = choose(Project(), place, asked, found)
    if message := told(page, chosen):
        say(message)
    return chosen

"""`wxtext show`: the text that WXML shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wxtext import sources
from wxtext.cli import for_reader, say, say_if_typed
from wxtext.cli.target import chosen_for, target_option
from wxtext.errors import WxmlError

if TYPE_CHECKING:
    from wxtext.semantics import TargetChoice


@click.command(short_help="Print the text that WXML shows.")
@click.argument("page", metavar="PAGE")
@target_option
@click.pass_context
def command(context: click.Context, page: str, target: TargetChoice | None) -> None:
    """Print the text that the phone shows of WXML, right or wrong.

    PAGE is a file, or - for standard input. Constant bindings are evaluated, others printed as written. On a
    terminal, control characters are printed as escapes.
    """
    from wxtext.layout import show

    say_if_typed(page)
    chosen = chosen_for(page, target)
    wxml = sources.read_wxml(page)
    try:
        shown = show(wxml, chosen.last)
    except WxmlError as error:
        say(f"{page}:{error}")
        context.exit(2)
    if shown:
        sources.write_stdout(for_reader((shown, "\n")))

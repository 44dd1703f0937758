"""`wxtext show`: the text that WXML shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wxtext import sources
from wxtext.cli import for_reader, say, say_if_typed
from wxtext.cli.target import chosen_for, target_option
from wxtext.cli.values import number
from wxtext.errors import WxmlError

if TYPE_CHECKING:
    from wxtext.semantics import TargetChoice


@click.command(short_help="Print the text that WXML shows.")
@click.argument("page", metavar="PAGE")
@target_option
@click.option(
    "--width",
    metavar="N",
    callback=number,
    help="Break rows at N columns, for a first look: a Chinese character takes two, a Latin letter one. A "
    "phone 375 px wide has 44 at 17 px. Fonts are not measured: a browser or a phone may break elsewhere.",
)
@click.pass_context
def command(context: click.Context, page: str, target: TargetChoice | None, width: Any) -> None:
    """Print the text that the phone shows of WXML, right or wrong.

    PAGE is a file, or - for standard input. Constant bindings and conditions are evaluated; bindings that use
    data are printed as written, and what else depends on data is told on standard error. On a terminal,
    control characters are printed as escapes.
    """
    from wxtext.screen import look

    say_if_typed(page)
    chosen = chosen_for(page, target)
    wxml = sources.read_wxml(page)
    try:
        screen = look(wxml, chosen.last, width=width)
    except WxmlError as error:
        say(f"{page}:{error}")
        context.exit(2)
    if screen.text:
        sources.write_stdout(for_reader((screen.text, "\n")))
    if message := screen.told(page, wxml):
        say(message)

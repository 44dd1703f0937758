"""`wxtext show`: the text that WXML shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wxtext import sources
from wxtext.cli import for_reader, say, say_if_typed
from wxtext.errors import WxmlError

if TYPE_CHECKING:
    from wxtext.semantics import Target


@click.command(short_help="Print the text that WXML shows.")
@click.argument("page", metavar="PAGE")
@click.option(
    "--target",
    metavar="webview|glass-easel|skyline",
    help="What shows the page: the classic framework (default), glass-easel in WebView, or Skyline.",
)
@click.pass_context
def command(context: click.Context, page: str, target: Target | None) -> None:
    """Print the text that the phone shows of WXML, right or wrong.

    PAGE is a file, or - for standard input. Constant bindings are evaluated, others printed as written. On a
    terminal, control characters are printed as escapes.
    """
    from wxtext.layout import show

    say_if_typed(page)
    wxml = sources.read_wxml(page)
    try:
        shown = show(wxml) if target is None else show(wxml, target)
    except WxmlError as error:
        say(f"{page}:{error}")
        context.exit(2)
    if shown:
        sources.write_stdout(for_reader((shown, "\n")))

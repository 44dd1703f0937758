"""`wxtext` itself: its commands, each of which is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from wxtext import __version__, i18n
from wxtext.i18n import _

#: The commands, in the order of the help. Each is `command` in the module of its name.
COMMANDS: Final = ("convert", "check", "explain", "show")


class _Context(click.Context):
    """What click knows of a call; it writes help in the reader's language."""

    def make_formatter(self) -> click.HelpFormatter:
        if i18n.language() == "en":
            return super().make_formatter()
        from wxtext.cli.formatter import Formatter

        return Formatter(width=self.terminal_width, max_width=self.max_content_width)


class _LazyGroup(click.Group):
    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"wxtext.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        command.context_class = _Context
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS) or COMMANDS
            message = _("No such command {name!r}. Did you mean {commands}?")
            raise click.UsageError(message.format(name=name, commands=_(" or ").join(near)), ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 problems found, 2 wrong use or unreadable input, 3 the self-check found a "
    "fault in wxtext, 4 another fault in wxtext.",
)
@click.option(
    "--lang",
    type=click.Choice(i18n.LANGUAGES),
    expose_value=False,
    help="The language to speak, English or Chinese, instead of that of the locale. It may stand anywhere.",
)
@click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    help="Show where a fault in wxtext comes from. It may stand anywhere, too.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def group(context: click.Context) -> None:
    """What you type is what WeChat shows: plain text becomes the <text> blocks of Mini Programs."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)

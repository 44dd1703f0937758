"""`wxtext` itself: its commands, each of which is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from wxtext import __version__

#: The commands, in the order of the help. Each is `command` in the module of its name.
COMMANDS: Final = ("convert", "check", "explain", "show")


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"wxtext.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS) or COMMANDS
            raise click.UsageError(f"No such command {name!r}. Did you mean {' or '.join(near)}?", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 2 wrong use or unreadable input, 3 the self-check found a fault in wxtext.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def group(context: click.Context) -> None:
    """What you type is what WeChat shows: plain text becomes the <text> blocks of Mini Programs."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)

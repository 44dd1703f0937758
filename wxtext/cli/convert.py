"""`wxtext convert`: notes become WXML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from wxtext import sources
from wxtext.cli import ended_by_sigterm, for_reader, say, say_if_typed
from wxtext.cli.target import target_option
from wxtext.cli.values import names, number
from wxtext.i18n import _

if TYPE_CHECKING:
    from wxtext.config import Config
    from wxtext.decoding import Encoding
    from wxtext.render import Notice


# What an option may be, and its default, is known to the converter: what is not given here is not passed on.
@click.command(short_help="Convert plain text to WXML.")
@click.argument("notes", metavar="NOTES")
@target_option
@click.option(
    "--space",
    metavar="auto|ensp|emsp|nbsp",
    shell_complete=names,
    help="What indentation and runs of spaces are shown with; auto (default): emsp for an even width, "
    "ensp for an odd one, and ensp alone where a run follows text.",
)
@click.option(
    "--tab-width",
    metavar="N",
    callback=number,
    help="A TAB goes to the next multiple of N columns (default 4).",
)
@click.option(
    "--indent",
    metavar="keep|none|N",
    shell_complete=names,
    callback=number,
    help="Indentation as typed (default), none, or N Chinese characters for every paragraph.",
)
@click.option(
    "--paragraphs",
    metavar="auto|line|blank",
    shell_complete=names,
    help="What a paragraph is, for its indentation: auto (default), as the text looks; each line; or what "
    "stands between blank lines.",
)
@click.option(
    "--blank-lines",
    metavar="keep|one|none",
    shell_complete=names,
    help="All blank lines (default), at most one in a row, or none.",
)
@click.option(
    "--per",
    metavar="paragraph|line|file",
    shell_complete=names,
    help="What shares a <text>: a paragraph (default), a line, everything.",
)
@click.option("--view/--no-view", default=False, help="Put each block into a <view> of its own.")
@click.option(
    "--user-select/--no-user-select", default=False, help="Let readers select the text; implies --view."
)
@click.option("--class", "class_", metavar="NAME", help="Give each block a class.")
@click.option(
    "--bindings/--no-bindings", default=False, help="Leave {{expr}} in the notes as a data binding."
)
@click.option(
    "--strip-invisible/--no-strip-invisible",
    default=False,
    help="Remove characters that show nothing and mean nothing, such as zero-width spaces.",
)
@click.option("--template", metavar="NAME|PATH", help="Another template than text: page, or one of your own.")
@click.option(
    "--verify/--no-verify",
    default=True,
    help="Read the result again, to see that it shows the notes (default), or do not.",
)
@click.option(
    "-o", "--output", default=sources.STANDARD, metavar="FILE", help="Write a file instead of printing."
)
@click.option("--force", is_flag=True, help="Replace the whole of a file that has no wxtext marker comments.")
@click.option(
    "--encoding",
    metavar="NAME",
    help="The encoding of the notes, instead of finding it out; ansi: what Windows calls so.",
)
@click.option(
    "--errors",
    type=click.Choice(["strict", "replace"], case_sensitive=False),
    default="strict",
    help="Refuse bytes that cannot be decoded (default), or show them as U+FFFD.",
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    help="Settings, instead of those in the nearest pyproject.toml or wxtext.toml.",
)
@click.pass_context
def command(
    context: click.Context, /, notes: str, output: str, force: bool, config_file: str | None, **options: Any
) -> None:
    """Convert plain text to WXML that shows exactly this text.

    NOTES is a file, or - for standard input. It may be in UTF-8, UTF-16, GB18030, Big5, Shift_JIS,
    EUC-JP or EUC-KR: which one is found out.

    A file written with -o has its text between two comments. Where a file has them already, only what is
    between them is replaced:

    \b
        <!-- wxtext:begin -->
        <!-- wxtext:end -->
    """
    target_message = _set_defaults(context, options, notes, output, config_file)
    say_if_typed(notes)
    with sources.open_source(notes, options.pop("encoding"), options.pop("errors"), say) as source:
        if source.encoding.guessed:
            say(_read_as(notes, source.encoding))
        if target_message:
            say(target_message)

        def on_notice(notice: Notice) -> None:
            say(f"{notes}:{notice.line}:{notice.column}: {notice.message}")

        from wxtext.render import convert_lines

        given = {name: value for name, value in options.items() if value is not None}
        size = _Size()
        pieces = size.of(convert_lines(source.lines(), on_notice=on_notice, **given))
        if output == sources.STANDARD:
            sources.write_stdout(for_reader(pieces))
        else:
            from wxtext import insertion
            from wxtext.writing import write_file

            examine = partial(insertion.examine, file=output, target=options["target"], say=say)
            look = examine if given.get("verify", True) else None
            with ended_by_sigterm():
                write_file(output, pieces, source, force=force, examine=look, say=say)
        size.tell(notes)


class _Size:
    """How much WXML there is."""

    def __init__(self) -> None:
        self._bytes = 0

    def of(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the pieces, and measure them."""
        for piece in pieces:
            self._bytes += len(piece) if piece.isascii() else len(piece.encode(errors="replace"))
            yield piece

    def tell(self, notes: str) -> None:
        """Tell if no package may be so large."""
        from wxtext.limits import PACKAGE

        if self._bytes > PACKAGE:
            message = _(
                "{file}: gives {n:.1f} MB of WXML; a package of a Mini Program may have {most} MB in all"
            )
            say(message.format(file=notes, n=self._bytes / (1 << 20), most=PACKAGE >> 20))


def _read_as(notes: str, encoding: Encoding) -> str:
    """Say which encoding was taken, and which others a short text may as well be in."""
    if not encoding.rivals:
        return _("{file}: read as {encoding}").format(file=notes, encoding=encoding.label)
    message = _(
        "{file}: read as {encoding}, but so short a text may as well be in {others}; "
        "if it comes out wrong, name its --encoding"
    )
    others = _(" or ").join(encoding.rivals)
    return message.format(file=notes, encoding=encoding.label, others=others)


def _set_defaults(
    context: click.Context, options: dict[str, Any], notes: str, output: str, config_file: str | None
) -> str | None:
    """Put in what the configuration and the app say on options that were not given.

    Both are the nearest to a file that is written. For standard output they are those of the current folder;
    where there is none, those of the notes' folder. Return what is to be said of the target, if anything.
    """
    from wxtext.project import Project
    from wxtext.targets import choose, contradiction, nearest_config, told

    project, file = Project(), _file(output)
    folders = [file.parent] if file else [Path(), Path("" if notes == sources.STANDARD else notes).parent]
    found: Config | None
    if config_file:
        from wxtext import config

        found = config.load(Path(config_file))
    else:
        found = next(filter(None, map(nearest_config, folders)), None)
    if found is not None:
        values = found.convert_options()
        found = replace(found, target=values.pop("target"))
        options |= {
            name: value
            for name, value in values.items()
            if context.get_parameter_source(name) is ParameterSource.DEFAULT
        }
    chosen = choose(project, file, options["target"], found, folders)
    options["target"] = chosen.last
    message = contradiction(output, chosen, project) if file else None
    return message or told(output if file else notes, chosen)


def _file(output: str) -> Path | None:
    """Return the file that is written; None for standard output, by any of its names."""
    is_open = output == sources.STANDARD or sources.own_descriptor(output) is not None
    return None if is_open or not Path(output).name else Path(output)

"""The command line: the only part of wxtext that knows click.

Exit codes: 0 done; 1 problems found; 2 wrong use, or a file that cannot be read or written; 3 the self-check
found a fault of wxtext. And as shells have it: 130 interrupted, 141 nobody reads the output any more, 143
terminated.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from wxtext import i18n
from wxtext.i18n import _


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, those of the process by default, and return its exit code."""
    if argv is not None:
        return _main(list(argv))
    # Importing makes many objects and hardly any garbage: looking for it, at the end too, would take a fifth
    # of the time that a small file takes.
    gc.set_threshold(100_000)
    try:
        return _main(sys.argv[1:])
    finally:
        gc.freeze()


def _main(arguments: list[str]) -> int:
    try:
        return _run(_heed_language(arguments))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        from wxtext.sources import abandon_stdout

        abandon_stdout()
        if isinstance(error, BrokenPipeError):
            return 141
        name = f"{error.filename}: " if error.filename else ""
        say_error(f"{name}{i18n.system_message(error)}")
        return 2


def say(message: str) -> None:
    """Write a message to standard error, as one line, if there is anybody to read it.

    What cannot be seen, in the name of a file for example, is written as an escape.
    """
    if sys.stderr is not None:
        line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
        with suppress(OSError):
            sys.stderr.write(f"{line}\n")


def say_error(message: str) -> None:
    """Write the message of an error to standard error."""
    say(_("wxtext: error: {message}").format(message=message))


def say_if_typed(path: str) -> None:
    """Tell whoever sits at the terminal, if that is what `path` will be read from, how the input ends."""
    if path == "-" and sys.stdin is not None and sys.stdin.isatty():
        say(_("Reading what you type; it ends with Ctrl-D, on Windows with Ctrl-Z and Enter."))


def _heed_language(arguments: list[str]) -> list[str]:
    """Speak as --lang says, else as the locale; return the arguments with --lang in front.

    It may stand anywhere, but has to be known before anything is said; `wxtext` itself has it as an option.
    """
    asked = None
    for place, argument in enumerate(arguments):
        option, equals, _value = argument.partition("=")
        if option == "--":
            break
        if option == "--lang":
            taken = arguments[place : place + (1 if equals else 2)]
            arguments = taken + arguments[:place] + arguments[place + len(taken) :]
            asked = taken[-1].removeprefix("--lang=")
            break
    language = next((known for known in i18n.LANGUAGES if known == asked), None)
    i18n.use(language or i18n.language_of_locale())
    return arguments


def _files(arguments: list[str]) -> list[str]:
    """Return those arguments that look like options and are names of files."""
    return [it for it in arguments if it.startswith("-") and os.path.isfile(it)]  # noqa: PTH113 - never raises


def _teach_click() -> None:
    """Have click find its own words in the catalogue: it asks gettext, and gettext the environment."""
    import gettext

    gettext.bindtextdomain(i18n.DOMAIN, str(i18n.catalogues()))
    gettext.textdomain(i18n.DOMAIN)
    os.environ["LANGUAGE"] = i18n.language()


def _run(arguments: list[str]) -> int:
    if i18n.language() != "en":
        _teach_click()

    import click

    from wxtext.cli.group import group
    from wxtext.errors import OptionError, SelfCheckError, WxtextError

    try:
        with group.make_context("wxtext", arguments) as context:
            group.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        say_error(error.format_message())
        if isinstance(error, click.NoSuchOption) and (names := _files(arguments)):
            say(_("A file whose name begins with - is written {name}.").format(name=f"./{names[0]}"))
        if error.ctx:
            say(_("Try '{command} --help'.").format(command=error.ctx.command_path))
        return 2
    except OptionError as error:
        import re

        # The library's name of the option, as the command calls it.
        flag = re.sub(r"^\w+(?=[:：])", lambda name: f"--{name[0].replace('_', '-')}", str(error))
        say_error(flag)
        return 2
    except WxtextError as error:
        say_error(str(error))
        return 3 if isinstance(error, SelfCheckError) else 2
    return 0

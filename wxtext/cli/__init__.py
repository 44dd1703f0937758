"""The command line: the only part of wxtext that knows click.

Exit codes: 0 done; 1 problems found; 2 wrong use, or a file that cannot be read or written; 3 the self-check
found a fault of wxtext; 4 something went wrong that nobody foresaw, a fault of wxtext too. And as shells have
it: 130 interrupted, 141 nobody reads the output any more, 143 terminated.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import islice
from typing import Final, NamedTuple

from wxtext import i18n
from wxtext.i18n import _

#: The exit code where a fault of wxtext shows that nobody foresaw.
FAULT: Final = 4

#: Whether to show the trace of such a fault.
_debug: ContextVar[bool] = ContextVar("debug", default=False)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, those of the process by default, and return its exit code.

    With arguments, everything in the process is afterwards as it was before: its language, its signals, its
    standard output. It may be called in any thread.
    """
    if argv is not None:
        return _main(list(argv))
    # Importing makes many objects and hardly any garbage: looking for it, at the end too, would take a fifth
    # of the time that a small file takes.
    gc.set_threshold(100_000)
    try:
        return _main(sys.argv[1:], own_process=True)
    finally:
        gc.freeze()


def _main(arguments: list[str], *, own_process: bool = False) -> int:
    arguments, asked = _common_options(arguments)
    debug = _debug.set(asked.debug)
    try:
        with i18n.speaking(asked.language):
            return _guarded(arguments, own_process=own_process)
    finally:
        _debug.reset(debug)
        if config := sys.modules.get("wxtext.config"):
            config.forget()  # files change between calls


def _guarded(arguments: list[str], *, own_process: bool) -> int:
    """Run the command; whatever goes wrong is one line and an exit code."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if own_process:
            from wxtext.sources import abandon_stdout

            abandon_stdout()
        if isinstance(error, BrokenPipeError):
            return 141
        name = f"{error.filename}: " if error.filename else ""
        say_error(f"{name}{i18n.system_message(error)}")
        return 2
    except Exception as error:  # whose reports are worth more than a trace
        say_error(fault(error))
        return FAULT


def fault(error: Exception) -> str:
    """Return what to say of an exception that nobody foresaw; if asked to, show its trace now."""
    if _debug.get():
        import traceback

        for piece in traceback.format_exception(error):
            for line in piece.splitlines():
                say(line)
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    message = _("{what}; this is a bug of wxtext: please report it, with what --debug shows")
    return message.format(what=what)


def say(message: str) -> None:
    """Write a message to standard error, as one line, if there is anybody to read it.

    What cannot be seen, in the name of a file for example, is written as an escape.
    """
    if sys.stderr is not None:
        from wxtext.escapes import one_line

        encoding = sys.stderr.encoding or "utf-8"
        line = one_line(message).encode(encoding, "backslashreplace").decode(encoding)
        with suppress(OSError, ValueError):  # a ValueError if it was closed meanwhile
            sys.stderr.write(f"{line}\n")


def for_reader(pieces: Iterable[str]) -> Iterable[str]:
    """Return what is to be written to standard output, made visible if that is a terminal, and say so.

    Line breaks and TABs stay. Programs, in a pipe, get every character as it is.
    """
    if sys.stdout is None or not sys.stdout.isatty():
        return pieces
    return _visibly(pieces)


def _visibly(pieces: Iterable[str]) -> Iterator[str]:
    from wxtext.escapes import visible

    all_alike = True
    for piece in pieces:
        shown = visible(piece, "\n\t")
        all_alike = all_alike and shown == piece
        yield shown
    if not all_alike:
        say(_("On a terminal, invisible characters are printed as escapes; in pipes and files they stay."))


def say_error(message: str) -> None:
    """Write the message of an error to standard error."""
    say(_("wxtext: error: {message}").format(message=message))


def say_if_typed(path: str) -> None:
    """Tell whoever sits at the terminal, if that is what `path` will be read from, how the input ends."""
    if path == "-" and sys.stdin is not None and sys.stdin.isatty():
        say(_("Reading what you type; it ends with Ctrl-D, on Windows with Ctrl-Z and Enter."))


class _Asked(NamedTuple):
    """What is asked of `wxtext` itself."""

    language: i18n.Language
    debug: bool


def _common_options(arguments: list[str]) -> tuple[list[str], _Asked]:
    """Find --lang and --debug, which may stand anywhere, but have to be known before anything is said.

    Returns the arguments with these two in front, where `wxtext` itself has them as options.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    ours: list[str] = []
    others: list[str] = []
    language = i18n.language_of_locale()
    debug = os.environ.get("WXTEXT_DEBUG", "") not in ("", "0")
    before = iter(arguments[:end])
    for argument in before:
        option, equals, _value = argument.partition("=")
        if option == "--lang":
            given = [argument] if equals else [argument, *islice(before, 1)]
            asked = given[-1].removeprefix("--lang=")
            language = next((known for known in i18n.LANGUAGES if known == asked), language)
            ours += given
        elif argument == "--debug":
            debug = True
            ours.append(argument)
        else:
            others.append(argument)
    return ours + others + arguments[end:], _Asked(language if _can_be_read(language) else "en", debug)


def _can_be_read(language: i18n.Language) -> bool:
    """Tell whether the output has the characters of a language; if not, it would be all escapes."""
    sample = {"en": "", "zh": "\u6587"}[language]
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            sample.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end what is done inside by an exception, as Ctrl-C does, so that temporary files go.

    Only the main thread may say so; in another, nothing changes.
    """
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _files(arguments: list[str]) -> list[str]:
    """Return those arguments that look like options and are names of files."""
    return [it for it in arguments if it.startswith("-") and os.path.isfile(it)]  # noqa: PTH113 - never raises


def _run(arguments: list[str]) -> int:
    if i18n.language() == "en":
        return _call(arguments)
    from wxtext.cli.teaching import teaching_click

    with teaching_click():
        return _call(arguments)


def _call(arguments: list[str]) -> int:
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

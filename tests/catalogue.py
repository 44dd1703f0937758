"""The Chinese catalogue: `python -m tests.catalogue` brings it up to date with the code.

Translations are kept as long as their English is in the code; what is new is left empty, for somebody to
translate in wxtext.po. Run it again then, to compile wxtext.mo, which is all that gettext reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from inspect import cleandoc
from io import BytesIO
from pathlib import Path
from typing import Final

import click
from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir

import wxtext
from wxtext import i18n, rules
from wxtext.cli.formatter import PLACEHOLDERS
from wxtext.cli.group import group

PACKAGE: Final = Path(wxtext.__file__).parent
FOLDER: Final = PACKAGE / "locale" / "zh" / "LC_MESSAGES"
PO: Final = FOLDER / f"{i18n.DOMAIN}.po"
MO: Final = FOLDER / f"{i18n.DOMAIN}.mo"

HEADER: Final = rb"""# Messages of wxtext in Chinese; `python -m tests.catalogue` keeps them up with the code.
msgid ""
msgstr ""
"Language: zh\n"
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=1; plural=0;\n"

"""

#: What the command can make click say, in the words of its versions since 8.1.
CLICK: Final = (
    "Options",
    "Commands",
    "Show this message and exit.",
    "Missing argument",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
    "No such option {name!r}.",
    "No such option: {name}",
    "Option {name!r} does not take a value.",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
)

#: What systems say of files.
SYSTEM: Final = (
    "File name too long",
    "Invalid argument",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Permission denied",
    "Read-only file system",
    "Too many levels of symbolic links",
    "Input/output error",
)


def messages() -> Iterator[tuple[str | tuple[str, str], str]]:
    """Yield what is to be translated, and where it comes from."""
    for file, _line, message, _comments, _context in extract_from_dir(
        PACKAGE, [("**.py", "python")], keywords={"_": None, "Message": None}
    ):
        assert isinstance(message, str)
        yield message, f"wxtext/{Path(file).as_posix()}"
    for rule in rules.all_rules():
        for message in _prose(rule.explanation):
            yield message, f"wxtext/rules/{rule.name.replace('-', '_')}.py"
    for name, command in commands():
        for message in help_texts(command):
            yield message, f"wxtext/cli/{name}.py"
    for message in (*CLICK, *PLACEHOLDERS):
        yield message, "click"
    for message in SYSTEM:
        yield message, "the system"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield the group and its commands."""
    yield "group", group
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield name, command


def help_texts(command: click.Command) -> Iterator[str]:
    """Yield what the help of a command says, in the pieces that are translated."""
    yield from _prose(cleandoc(command.help or ""))
    yield from filter(None, (command.short_help, command.epilog))
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.help:
            yield parameter.help


def _prose(text: str) -> list[str]:
    found: list[str] = []

    def note(message: str) -> str:
        found.append(message)
        return message

    i18n.prose(text, note)
    return found


def template() -> Catalog:
    """Return what the code says, untranslated."""
    catalog = Catalog(locale="zh")
    for message, place in messages():
        catalog.add(message, locations=[(place, 0)])
    return catalog


def read() -> Catalog:
    """Return the catalogue as it stands in its file."""
    with PO.open("rb") as file:
        return pofile.read_po(file, locale="zh")


def updated() -> Catalog:
    """Return the catalogue with what the code says, and the translations that there are."""
    if not PO.exists():
        return template()
    catalog = read()
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def written(catalog: Catalog) -> bytes:
    """Return a catalogue as it is written to wxtext.po, without line numbers that change for nothing."""
    file = BytesIO()
    pofile.write_po(file, catalog, width=0, omit_header=True, include_lineno=False, sort_by_file=True)
    return HEADER + file.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """Return a catalogue as gettext reads it."""
    # A file that is the same from the same messages.
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=timezone.utc)
    file = BytesIO()
    mofile.write_mo(file, catalog)
    return file.getvalue()


def main() -> None:
    """Bring both files up to date, and say what is still to be translated."""
    catalog = updated()
    FOLDER.mkdir(parents=True, exist_ok=True)
    PO.write_bytes(written(catalog))
    MO.write_bytes(compiled(catalog))
    for message in catalog:
        if message.id and not message.string:
            print("to be translated:", message.id)  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()

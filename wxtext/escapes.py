"""What must not reach a terminal, a log or a program as it is: made visible, in this one place.

Names, messages and sources come from somebody else. A control character in them would steer the terminal, a
bidirectional override would show them in another order, a line of its own could be taken for a command by
the service that runs the build.
"""

from __future__ import annotations

import os
import re
from typing import Final

from wxtext.semantics import LONE_SURROGATE, WHITE_SPACE

#: What takes part in how text looks, and does no harm: spaces, and what joins emoji.
_KEPT: Final = frozenset(WHITE_SPACE) - {"\t"} | {"\u200d"}

#: How build services mark commands in a log: `##[group]`, `##vso[task.setvariable ...]`, anywhere in a line.
COMMAND_MARK: Final = re.compile(r"(?<=#)#(?=\w*\[)", re.ASCII)
#: How GitHub Actions marks them, at the start of a line, white space before it or not.
_COMMAND_START: Final = re.compile(r"(\s*):(?=:)")

#: What JSON may hold, but no log should: DEL, C1, line breaks of Unicode, marks of direction.
_NOT_IN_JSON: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

#: Escapes of C, as git writes them.
_IN_C: Final = dict(zip('\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True))


def visible(text: str, keep: str = "") -> str:
    """Write what cannot be seen, or would upset a terminal, as an escape of Python (`\\x1b`, `\\u202e`).

    Printable characters, spaces and joiners stay, and so do the characters in `keep`. Bytes of a file's name
    that are no UTF-8, which Python has as lone surrogates, become escapes too.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT or c in keep else ascii(c)[1:-1] for c in text)


def one_line(text: str) -> str:
    """Write text as one line of a log: visible, and no command to GitHub Actions or Azure Pipelines."""
    line = COMMAND_MARK.sub(r"\\x23", visible(text))
    start = _COMMAND_START.match(line)
    return f"{start[1]}\\x3a{line[start.end() :]}" if start else line


def in_json(dumped: str) -> str:
    """Make JSON that was dumped without escapes fit for a log, and valid UTF-8.

    Control characters, marks of direction and what marks a command become JSON's own escapes, which mean the
    same. Lone surrogates, which UTF-8 does not have, become U+FFFD.
    """
    escaped = _NOT_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", dumped)
    escaped = COMMAND_MARK.sub(r"\\u0023", escaped)
    return LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", escaped)


def in_diff(name: str) -> str:
    """Write a file's name as the header of a diff has it, which `git apply` reads.

    As git does it, a name that holds a quote, a backslash or what is not visible stands in quotes, with
    escapes of C; after a name with a space there is a TAB. Other names stay as they are, Chinese ones too.
    """
    if visible(name) == name and not {'"', "\\"} & {*name}:
        return f"{name}\t" if " " in name else name
    return f'"{"".join(map(_in_c, name))}"'


def _in_c(character: str) -> str:
    if character in _IN_C:
        return f"\\{_IN_C[character]}"
    if visible(character) == character:
        return character
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(character))

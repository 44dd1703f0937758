"""A record of the problems that there are already, so that only new ones are reported.

A problem is known again by its rule and the source line that it begins in, wherever that line stands in the
file by then. The record is JSON; paths in it count from the folder that it is in.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from wxtext import replacing
from wxtext.errors import WxtextError
from wxtext.i18n import _, system_message
from wxtext.problem import Problem
from wxtext.sources import own_descriptor

#: The version of the record's format.
VERSION: Final = 1


class BaselineError(WxtextError):
    """A baseline cannot be read or written."""


class Baseline:
    """The problems of many files, counted by path, rule and line."""

    def __init__(self, file: Path) -> None:
        """Begin an empty record, which is to be written to `file`."""
        self._file = file
        self._known: Counter[tuple[str, str, str]] = Counter()

    def __len__(self) -> int:
        """Count the problems that are known."""
        return sum(self._known.values())

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """Read a record. Raises `BaselineError`, also for what is no regular file, and might never end."""
        baseline = cls(file)
        try:
            if own_descriptor(str(file)) is not None or not stat.S_ISREG(file.stat().st_mode):
                raise BaselineError(_("{file}: is no file that can hold a baseline").format(file=file))
            values: Any = json.loads(file.read_text("utf-8"))
            if values["version"] != VERSION:
                raise ValueError(values["version"])
            for path, rules in values["problems"].items():
                for rule, lines in rules.items():
                    baseline._known.update((path, rule, line) for line in lines)
        except OSError as error:
            raise BaselineError(f"{file}: {system_message(error)}") from error
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            message = _(
                "{file}: is no baseline, or a damaged one, or one of another version of wxtext; restore it "
                "from version control, or name another file. To record anew accepts all of today's problems"
            )
            raise BaselineError(message.format(file=file)) from error
        return baseline

    def write(self) -> None:
        """Write the record into a new file, whole or not at all. Raises `BaselineError`."""
        problems: dict[str, dict[str, list[str]]] = {}
        for path, rule, line in sorted(self._known.elements()):
            problems.setdefault(path, {}).setdefault(rule, []).append(line)
        text = json.dumps({"version": VERSION, "problems": problems}, ensure_ascii=False, indent=1) + "\n"
        try:
            # What is no character in a name is escaped, as JSON has it.
            replacing.create(self._file.resolve(), [text.encode("utf-8", "backslashreplace")])
        except replacing.Changed:
            message = _("{file}: is there by now, and is not overwritten; check again to compare with it")
            raise BaselineError(message.format(file=self._file)) from None
        except OSError as error:
            raise BaselineError(f"{self._file}: {system_message(error)}") from error

    def add(self, path: Path, source: str, problems: Iterable[Problem]) -> None:
        """Record the problems of a file."""
        self._known.update(self._keys(path, source, problems))

    def new(self, path: Path, source: str, problems: Sequence[Problem]) -> list[bool]:
        """Tell of each problem of a file whether it is new: of several alike, the last ones are.

        Ask once a file: what was asked for is not known any more.
        """
        found = []
        for key in self._keys(path, source, problems):
            found.append(self._known[key] <= 0)
            self._known[key] -= 1
        return found

    def _keys(self, path: Path, source: str, problems: Iterable[Problem]) -> list[tuple[str, str, str]]:
        lines = source.split("\n")

        @cache  # of a long line there may be thousands of problems
        def digest(line: int) -> str:
            return sha256(lines[line - 1].strip().encode()).hexdigest()[:16]

        place = _from_folder(path, self._file.absolute().parent)
        return [(place, problem.rule, digest(problem.span.line)) for problem in problems]


def _from_folder(path: Path, folder: Path) -> str:
    try:
        return os.path.relpath(path, folder).replace(os.sep, "/")
    except ValueError:  # on Windows, on another drive
        return path.absolute().as_posix()

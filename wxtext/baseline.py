"""A record of the problems that there are already, so that only new ones are reported.

A problem is known again by its rule and the source line that it begins in, wherever that line stands in the
file by then. The record is JSON; paths in it count from the folder that it is in.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from wxtext.errors import WxtextError
from wxtext.i18n import _, system_message
from wxtext.problem import Problem

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
        """Read a record. Raises `BaselineError`."""
        baseline = cls(file)
        try:
            values: Any = json.loads(file.read_text("utf-8"))
            if values["version"] != VERSION:
                raise ValueError(values["version"])
            for path, rules in values["problems"].items():
                for rule, lines in rules.items():
                    baseline._known.update((path, rule, line) for line in lines)
        except OSError as error:
            raise BaselineError(f"{file}: {system_message(error)}") from error
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise BaselineError(
                _("{file}: is no baseline of this version of wxtext; delete it to record anew").format(
                    file=file
                )
            ) from error
        return baseline

    def write(self) -> None:
        """Write the record. Raises `BaselineError`."""
        problems: dict[str, dict[str, list[str]]] = {}
        for path, rule, line in sorted(self._known.elements()):
            problems.setdefault(path, {}).setdefault(rule, []).append(line)
        try:
            self._file.write_text(
                json.dumps({"version": VERSION, "problems": problems}, ensure_ascii=False, indent=1) + "\n",
                "utf-8",
            )
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
        place = os.path.relpath(path, self._file.absolute().parent).replace(os.sep, "/")
        lines = source.split("\n")
        return [
            (place, problem.rule, sha256(lines[problem.span.line - 1].strip().encode()).hexdigest()[:16])
            for problem in problems
        ]

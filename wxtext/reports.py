"""What was found, told to people, programs and services: text, json, sarif and github.

The schema of the JSON format is `report.schema.json` beside this module. Its `version` grows when a program
that reads reports would have to be changed; new keys alone do not count.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from wxtext import __version__, semantics
from wxtext.escapes import COMMAND_MARK, in_json, one_line, visible
from wxtext.i18n import _, language, prose
from wxtext.problem import Problem, Severity

if TYPE_CHECKING:
    from wxtext.rules import Rule
    from wxtext.semantics import Target

Format = Literal["text", "json", "sarif", "github"]

#: The version of the JSON format.
VERSION: Final = 1

SARIF_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

# How many columns of a source line are printed at most; of a wider one, how many characters before the mark.
_WIDEST: Final = 120
_BEFORE: Final = 40

_COLOURS: Final = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_PLURALS: Final = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "infos"}


class Row(NamedTuple):
    """A problem and where it is one."""

    problem: Problem
    #: The targets that it concerns; empty if it concerns all that the file is shown on.
    targets: tuple[Target, ...] = ()

    @property
    def message(self) -> str:
        """The message, with the targets if they are not all, and marked if its fix is unsafe."""
        message = self.problem.message
        if self.targets:
            message = _("{message} (on {targets})").format(message=message, targets=", ".join(self.targets))
        if self.problem.unsafe:
            message = _("{message} [unsafe fix]").format(message=message)
        return message


class File(NamedTuple):
    """A file that was looked at."""

    #: As it was named, with `/`; "-" for standard input.
    path: str
    source: str
    rows: Sequence[Row]


class Report(NamedTuple):
    """What a run has found."""

    files: Sequence[File]
    #: What could not be read: messages that name the file.
    failures: Sequence[str] = ()
    #: The project's own rules.
    own_rules: Sequence[Rule] = ()
    #: How many files were fixed.
    mended: int = 0

    def counts(self) -> Counter[Severity]:
        """Count the problems by severity."""
        return Counter(row.problem.severity for file in self.files for row in file.rows)

    def fixable(self, *, unsafe: bool) -> int:
        """Count the problems that have a safe fix, or with `unsafe` an unsafe one."""
        problems = (row.problem for file in self.files for row in file.rows)
        return sum(problem.fix is not None and problem.unsafe == unsafe for problem in problems)


def render(report: Report, form: Format, *, colour: bool = False) -> Iterator[str]:
    """Yield the report in pieces; colours are for a terminal, and for text alone."""
    if form == "text":
        return _text(report, colour)
    return {"json": _json, "sarif": _sarif, "github": _github}[form](report)


# --- text ------------------------------------------------------------------------------------------


def _text(report: Report, colour: bool) -> Iterator[str]:
    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text

    for file in report.files:
        lines = file.source.split("\n") if file.rows else []
        for row in file.rows:
            problem = row.problem
            span = problem.span
            severity = paint(problem.severity.label, _COLOURS[problem.severity])
            place = paint(f"{one_line(file.path)}:{span.line}:{span.column}:", "1")
            yield f"{place} {severity} {one_line(problem.rule)}: {one_line(row.message)}\n"
            line = lines[span.line - 1].removesuffix("\r")
            end = span.end_column - 1 if span.end_line == span.line else len(line)
            shown, indent, width = excerpt(line, span.column - 1, end)
            margin = f"{span.line:>4} │ "
            yield paint(margin, "2") + f"{shown}\n"
            yield paint(f"{'':>{len(margin) - 2}}│ ", "2") + " " * indent
            yield paint("^" * width, _COLOURS[problem.severity]) + "\n"
    if line := summary(report):
        yield f"{line}\n"


def excerpt(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Cut what is from offset `start` to `end`, and what is around it, out of a line.

    Returns it as it is to be printed, and the columns before the marker and under it, at least one. TABs are
    written as spaces, up to the next multiple of four; wide characters take two columns.
    """
    first = max(start - _BEFORE, 0)
    if first and _fits(line):
        first = 0
    cells = _Cells(line, first)
    indent = cells.column(start)
    return str(cells), indent, max(cells.column(end) - indent, 1)


@functools.lru_cache(maxsize=1)  # a line may have a problem at each of its characters
def _fits(line: str) -> bool:
    return _Cells(line, 0).width <= _WIDEST


@functools.lru_cache(maxsize=1024)
def _cell(character: str) -> tuple[str, int]:
    """Return how a character is printed, and its columns; it is no TAB."""
    cell = visible(character)
    return cell, semantics.columns(cell)


class _Cells:
    """What is printed of a line, from an offset on until it is too wide."""

    def __init__(self, line: str, first: int) -> None:
        self._first = first
        self._printed = ["…"] if first else []
        column = len(self._printed)
        marks = {found.start() for found in COMMAND_MARK.finditer(line, first, first + _WIDEST)}
        #: Where each character begins, and where the last ends.
        self._columns: Sequence[int]
        part = line[first : first + _WIDEST - column + 1]
        if not marks and part.isascii() and part.isprintable():  # one column each, in less time
            self.width = column + len(part)
            more = self.width > _WIDEST
            self._printed += [part[:-1], "…"] if more else [part]
            self._columns = range(column, self.width + 1 - more)
            return
        self._columns = columns = [column]
        for index in range(first, len(line)):
            character = line[index]
            if index in marks:
                cell, width = "\\x23", 4
            elif character == "\t":
                width = 4 - column % 4
                cell = " " * width
            else:
                cell, width = _cell(character)
            column += width
            if column > _WIDEST:
                self._printed.append("…")
                break
            self._printed.append(cell)
            columns.append(column)
        self.width = column

    def __str__(self) -> str:
        return "".join(self._printed)

    def column(self, offset: int) -> int:
        """Return the column of the character at an offset in the line, or where the printed ones end."""
        return self._columns[min(offset - self._first, len(self._columns) - 1)]


def summary(report: Report) -> str:
    """Say in one line how much was found, and how much of it can be fixed.

    It is empty if nothing could be looked at: what was said of that says it all.
    """
    if report.failures and not report.files:
        return ""
    files = _one_or_more(len(report.files), _("1 file"), _("{n} files"))
    mended = _one_or_more(report.mended, _("1 file fixed; "), _("{n} files fixed; ")) if report.mended else ""
    counts = report.counts()
    if not counts:
        return mended + _("no problems in {files}").format(files=files)
    names = {
        Severity.ERROR: (_("1 error"), _("{n} errors")),
        Severity.WARNING: (_("1 warning"), _("{n} warnings")),
        Severity.INFO: (_("1 piece of advice"), _("{n} pieces of advice")),
    }
    found = [_one_or_more(counts[severity], *names[severity]) for severity in names if counts[severity]]
    line = mended + _("{problems} in {files}").format(problems=_(", ").join(found), files=files)
    safe, unsafe = report.fixable(unsafe=False), report.fixable(unsafe=True)
    if safe:
        line += _("; {n} can be fixed with --fix").format(n=safe)
    if unsafe:
        more = _(", {n} more with --unsafe-fixes") if safe else _("; {n} can be fixed with --unsafe-fixes")
        line += more.format(n=unsafe)
    return line


def _one_or_more(number: int, one: str, more: str) -> str:
    return one if number == 1 else more.format(n=number)


# --- json ------------------------------------------------------------------------------------------


def _json(report: Report) -> Iterator[str]:
    counts = report.counts()
    yield _dump(
        {
            "version": VERSION,
            "wxtext": __version__,
            "problems": [
                {
                    "path": file.path,
                    "rule": row.problem.rule,
                    "severity": row.problem.severity.value,
                    "message": row.problem.message,
                    "targets": row.targets,
                    **_place(row.problem),
                    "fix": _edits(row.problem),
                    "unsafe": row.problem.unsafe,
                }
                for file in report.files
                for row in file.rows
            ],
            "failures": report.failures,
            "summary": {
                "files": len(report.files),
                **{_PLURALS[severity]: counts[severity] for severity in Severity},
                "fixable": report.fixable(unsafe=False),
                "unsafely_fixable": report.fixable(unsafe=True),
                "mended": report.mended,
            },
        }
    )


def _place(problem: Problem) -> dict[str, int]:
    return {**problem.span._asdict(), "start": problem.start, "end": problem.end}


def _edits(problem: Problem) -> list[dict[str, object]] | None:
    return None if problem.fix is None else [edit._asdict() for edit in problem.fix]


def _dump(value: Any) -> str:
    import json

    return in_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


# --- sarif -----------------------------------------------------------------------------------------

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def _sarif(report: Report) -> Iterator[str]:
    """Give SARIF 2.1.0 (OASIS), the errors in it those of the whole run."""
    from wxtext.rules import all_rules

    rules = [*all_rules(), *report.own_rules]
    places = {rule.name: place for place, rule in enumerate(rules)}
    spoken = {"en": "en-US", "zh": "zh-CN"}[language()]
    run = {
        "language": spoken,
        "tool": {
            "driver": {
                "name": "wxtext",
                "version": __version__,
                "language": spoken,
                "rules": [_sarif_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.failures,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": failure}} for failure in report.failures
                ],
            }
        ],
        "results": [_sarif_result(file, row, places) for file in report.files for row in file.rows],
    }
    yield _dump({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _sarif_rule(rule: Rule) -> dict[str, object]:
    explanation = prose(rule.explanation)
    return {
        "id": rule.name,
        "shortDescription": {"text": explanation.partition("\n")[0]},
        "fullDescription": {"text": explanation},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _sarif_result(file: File, row: Row, places: Mapping[str, int]) -> dict[str, object]:
    problem = row.problem
    line, column, end_line, end_column = problem.span
    from urllib.parse import quote

    path = Path(file.path)
    # Bytes that are no UTF-8 are what they are in a URI, too.
    artifact = {"uri": path.as_uri() if path.is_absolute() else quote(os.fsencode(file.path))}
    result: dict[str, object] = {
        "ruleId": problem.rule,
        "level": _LEVELS[problem.severity],
        "message": {"text": row.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": artifact,
                    "region": {
                        "startLine": line,
                        "startColumn": column,
                        "endLine": end_line,
                        "endColumn": end_column,
                    },
                }
            }
        ],
    }
    if problem.rule in places:
        result["ruleIndex"] = places[problem.rule]
    if problem.fix is not None:
        result["fixes"] = [
            {
                "description": {"text": _("unsafe fix") if problem.unsafe else _("safe fix")},
                "artifactChanges": [
                    {
                        "artifactLocation": artifact,
                        "replacements": [
                            {
                                "deletedRegion": {
                                    "charOffset": edit.start,
                                    "charLength": edit.end - edit.start,
                                },
                                "insertedContent": {"text": edit.text},
                            }
                            for edit in problem.fix
                        ],
                    }
                ],
            }
        ]
    return result


# --- github ----------------------------------------------------------------------------------------

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def _github(report: Report) -> Iterator[str]:
    """Give workflow commands, which GitHub Actions turns into annotations (as documented there)."""
    for file in report.files:
        for row in file.rows:
            line, column, end_line, end_column = row.problem.span
            properties: dict[str, object] = {"file": file.path, "line": line, "endLine": end_line}
            if line == end_line:  # over several lines, columns mean nothing there
                properties |= {"col": column, "endColumn": end_column}
            properties["title"] = f"wxtext {row.problem.rule}"
            listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
            yield f"::{_COMMANDS[row.problem.severity]} {listed}::{_data(row.message)}\n"
    for failure in report.failures:
        yield f"::error::{_data(failure)}\n"


def _data(text: str) -> str:
    text = COMMAND_MARK.sub(r"\\x23", visible(text, "\r\n"))  # which another service may read
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

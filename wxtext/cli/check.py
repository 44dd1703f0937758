"""`wxtext check`: what WeChat would refuse, lose or show otherwise."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

import click

from wxtext import config, limits, reports, sources
from wxtext.cli import FAULT, ended_by_sigterm, fault, for_reader, say, say_error, say_if_typed
from wxtext.cli.diff import unified_diff
from wxtext.cli.target import target_option
from wxtext.discovery import OnTrouble, identity, wxml_files
from wxtext.errors import SourceError, WxtextError
from wxtext.i18n import _, system_message
from wxtext.problem import Problem, Severity, Span
from wxtext.reports import File, Report, Row

if TYPE_CHECKING:
    from wxtext.baseline import Baseline
    from wxtext.lint import Settings
    from wxtext.page import Page
    from wxtext.problem import Finding
    from wxtext.rules import Rule
    from wxtext.semantics import Target, TargetChoice
    from wxtext.targets import Chosen

_FAILING = (Severity.ERROR, Severity.WARNING)

#: How many links that are left out are named.
_MOST_NAMED = 3

#: After so many own rules that take too long, no other is run: each may take that long again.
_MOST_SLOW_RULES = 3


def _names(_context: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> frozenset[str]:
    """Split names at commas."""
    return frozenset(name for value in values for name in value.replace(",", " ").split())


class _Options(NamedTuple):
    """The options, as the command is given them."""

    target: TargetChoice | None
    fix: bool
    unsafe_fixes: bool
    diff: bool
    form: reports.Format
    info: bool
    select: frozenset[str]
    ignore: frozenset[str]
    baseline: Path | None
    config: Path | None
    allow_empty: bool


@click.command(short_help="Find, and fix, text that WeChat will show wrong.")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@target_option
@click.option("--fix", is_flag=True, help="Make safe fixes in the files, and report what is left.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="Make unsafe fixes too, which change what a page does or how it is laid out; implies --fix.",
)
@click.option(
    "--diff",
    is_flag=True,
    help="Print what --fix (or --unsafe-fixes) would change, and write nothing.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(reports.Format), case_sensitive=False),
    default="text",
    help="How to report: to people (default), to programs, to GitHub Actions.",
)
@click.option("--info", is_flag=True, help="Give advice too, which never fails.")
@click.option("--select", metavar="RULE,...", multiple=True, callback=_names, help="Only these rules.")
@click.option("--ignore", metavar="RULE,...", multiple=True, callback=_names, help="All rules but these.")
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Report only problems that are not recorded in FILE; if there is no FILE, record those of today. "
    "Not with --fix or --diff.",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Settings, instead of the nearest pyproject.toml or wxtext.toml.",
)
@click.option("--allow-empty", is_flag=True, help="A folder may hold no .wxml file to check.")
@click.pass_context
def command(context: click.Context, /, paths: tuple[str, ...], **options: object) -> None:
    """Find what WeChat will refuse, lose, or show otherwise than it looks.

    PATH is a file, a folder, or - for standard input; without one, the current folder. Of folders every
    .wxml is checked, but for those that a .gitignore leaves out and those in miniprogram_npm, node_modules
    and dist. With --fix, text from standard input is fixed and goes to standard output, and the report goes
    to standard error. 'wxtext explain' tells what the rules are about.

    Exit codes: 0 nothing found, or all of it fixed; 1 there are errors or warnings; 2 wrong use, a folder
    without .wxml files (unless --allow-empty), or a file, folder or configuration that cannot be read or
    written; 4 a fault in wxtext.
    """
    given = _Options(**options)  # type: ignore[arg-type]
    if given.unsafe_fixes and not given.diff:
        given = given._replace(fix=True)
    if given.diff and given.form != "text":
        raise click.UsageError(_("--diff is a format of its own: leave out --format."), context)
    if given.baseline and (given.fix or given.diff):
        raise click.UsageError(
            _("--baseline is for reports alone, and fixes nothing: leave it out, or --fix and --diff."),
            context,
        )
    with ended_by_sigterm() if given.fix and not given.diff else nullcontext():
        code = _Check(given).run(paths or (".",))
    context.exit(code)


def _first(paths: list[Path]) -> str:
    """Return the first few paths, for a message, and how many more there are."""
    names = _(", ").join(map(str, paths[:_MOST_NAMED]))
    if (more := len(paths) - _MOST_NAMED) > 0:
        names = _("{names} and {n} more").format(names=names, n=more)
    return names


class _Check:
    """One run of the command."""

    def __init__(self, options: _Options) -> None:
        from wxtext.project import Project

        self._options = options
        self._config = config.load(options.config) if options.config else None
        self._project = Project()
        #: What could not be done: messages, in their order.
        self._failures: dict[str, None] = {}
        self._has_fault = False
        #: The targets of each file.
        self._chosen: dict[str, Chosen] = {}
        self._own_rules: dict[str, Rule] = {}
        #: Own rules that took too long on a page.
        self._slow_rules: set[str] = set()
        self._diff: list[str] = []
        self._mended = 0
        #: The baseline, if it was there before, or if it was not.
        self._known: Baseline | None = None
        self._recorded: Baseline | None = None
        #: What goes to standard output in place of the report: the mended source of standard input.
        self._output: str | None = None

    def run(self, paths: Sequence[str]) -> int:
        """Check everything, report, and return the exit code."""
        record = self._options.baseline
        if record is not None:
            from wxtext.baseline import Baseline

            if record.exists():
                self._known = Baseline.read(record)
            else:
                self._recorded = Baseline(record)
        if self._options.fix and not self._options.diff and sources.STANDARD in paths:
            self._output = ""  # also if it cannot be read: a report is no WXML
        files = [file for path in self._files(paths) if (file := self._look_at(path))]
        self._tell_targets()
        if self._recorded is not None:
            self._recorded.write()
            say(_("{file}: problems recorded: {n}").format(file=record, n=len(self._recorded)))
        report = Report(files, list(self._failures), list(self._own_rules.values()), self._mended)
        self._write(report)
        if self._has_fault:
            return FAULT
        if self._failures:
            return 2
        return int(any(report.counts()[severity] for severity in _FAILING))

    def _files(self, paths: Sequence[str]) -> Iterator[str]:
        folder = cache(os.path.realpath)
        seen = set()
        for path in paths:
            for file in self._below(path):
                key = file if file == sources.STANDARD else identity(file, folder)
                if key not in seen:
                    seen.add(key)
                    yield file

    def _below(self, path: str) -> Iterator[str]:
        """Yield the files that a path names, and say which links are left out."""
        if path == sources.STANDARD or not os.path.isdir(path):  # noqa: PTH112 - never raises
            yield path
            return
        links: list[Path] = []
        left_out: list[Path] = []
        is_empty = not self._options.allow_empty

        def cannot_read(path: Path, error: OSError) -> None:
            nonlocal is_empty
            is_empty = False
            self._fail(f"{path}: {system_message(error)}")

        for file in wxml_files(Path(path), OnTrouble(cannot_read, links.append, left_out.append, say)):
            is_empty = False
            yield str(file)
        if is_empty:
            message = _(
                "{folder}: there is no .wxml file to check here; name another folder, "
                "or accept that with --allow-empty"
            )
            if left_out:
                message = _(
                    "{folder}: there is no .wxml file to check here; left out are {names}: "
                    "name one of them to check it, or accept that with --allow-empty"
                )
            self._fail(message.format(folder=path, names=_first(left_out)))
        if links:
            message = _("{folder}: links that lead out of it are left out: {names}")
            say(message.format(folder=path, names=_first(links)))

    def _fail(self, message: str) -> None:
        """Note what could not be done, and say it once, however many files it concerns."""
        if message not in self._failures:
            self._failures[message] = None
            say_error(message)

    def _look_at(self, path: str) -> File | None:
        """Check a file and fix it; None if that cannot be done, whatever the reason."""
        try:
            return self._checked(path)
        except BrokenPipeError:
            raise
        except OSError as error:
            self._fail(f"{path}: {system_message(error)}")
        except WxtextError as error:
            self._fail(str(error))
        except Exception as error:  # the other files are reported all the same
            self._has_fault = True
            self._fail(f"{path}: {fault(error)}")
        return None

    def _checked(self, path: str) -> File:
        """Check a file and fix it. Raises `WxtextError` if it, or its configuration, cannot be read."""
        from wxtext.lint import check_on

        say_if_typed(path)
        place = Path(path)
        settings, targets = self._settings(place)
        data = sources.read_bytes(path, limits.PAGE)
        try:
            source = data.decode()
        except UnicodeDecodeError as error:
            source = data.decode(errors="replace")
            if path == sources.STANDARD and self._output is not None:
                self._output = data.decode(errors="surrogateescape")  # which passes as it is
            found = [(problem, targets) for problem in _undecodable(data, error, settings)]
        else:
            found = check_on(targets, source, settings)
            # Style sheets are read only where something is found: they may make less of it.
            styled = self._styled(settings, place) if found else settings
            wanted = self._options.fix or self._options.diff
            mended = self._mend(path, source, styled, targets) if wanted else None
            source = source if mended is None else mended
            if mended is not None or styled != settings:
                found = check_on(targets, source, styled)
            if mended is not None:
                # What could be fixed has been, but for what is unsafe and was not asked for.
                found = [
                    (problem if self._is_left(problem) else problem._replace(fix=None, unsafe=False), on)
                    for problem, on in found
                ]
        problems = [problem for problem, _on in found]
        if self._recorded is not None:
            self._recorded.add(place, source, problems)
            found = []
        elif self._known is not None:
            new = self._known.new(place, source, problems)
            found = [item for item, is_new in zip(found, new, strict=True) if is_new]
        rows = [Row(problem, on if len(on) < len(targets) else ()) for problem, on in found]
        return File(place.as_posix(), source if rows else "", rows)

    def _is_left(self, problem: Problem) -> bool:
        return problem.unsafe and not self._options.unsafe_fixes

    def _settings(self, path: Path) -> tuple[Settings, tuple[Target, ...]]:
        """Say what to look for in a file, and what shows it. Raises `ConfigError` and `SourceError`."""
        options = self._options
        found = self._config or config.find(path.parent)
        settings = found.settings(
            path,
            select=options.select,
            ignore=options.ignore,
            info=options.info,
            components=self._project.components(path),
            fragment=self._project.is_fragment(path),
        )
        if settings.own_rules:
            guarded = tuple(self._guarded(rule, found.path, path) for rule in settings.own_rules)
            settings = replace(settings, own_rules=guarded)
            self._own_rules |= {rule.name: rule for rule in guarded}
        from wxtext.targets import choose

        place = None if str(path) == sources.STANDARD else path
        chosen = choose(self._project, place, options.target, found)
        self._chosen[path.as_posix()] = chosen
        return settings, chosen.targets

    def _tell_targets(self) -> None:
        """Say which targets were taken, where not all files are for webview: one line for each target."""
        from wxtext.targets import told, told_of_many

        if len(self._chosen) == 1:
            lines = [told(file, chosen) for file, chosen in self._chosen.items()]
        else:
            lines = told_of_many(self._chosen.values())
        for line in filter(None, lines):
            say(line)

    def _styled(self, settings: Settings, path: Path) -> Settings:
        """Add what the style sheets of a page say of its classes."""
        styles = self._project.styles(path)
        return replace(
            settings,
            preserving_classes=settings.preserving_classes | styles.preserving,
            inline_classes=styles.inline,
        )

    def _guarded(self, rule: Rule, file: Path | None, path: Path) -> Rule:
        """Return a rule of the project's own that finds nothing, and says so, where its XPath fails.

        One that takes too long is run no more, and after a few of them no own rule is.
        """
        from wxtext.tree import SlowXPathError, XPathError

        def check(page: Page) -> Iterator[Finding]:
            if rule.name in self._slow_rules or len(self._slow_rules) >= _MOST_SLOW_RULES:
                return
            try:
                yield from rule.check(page)
            except SlowXPathError as error:
                self._slow_rules.add(rule.name)
                message = _("{file}: {error}; from here on the rule is left out")
                if len(self._slow_rules) >= _MOST_SLOW_RULES:
                    message = _("{file}: {error}; from here on all own rules are left out")
                self._fail(message.format(file=path.as_posix(), error=error))
            except XPathError as error:
                self._fail(f"{file}: {error}")

        return replace(rule, check=check)

    def _mend(self, path: str, source: str, settings: Settings, targets: tuple[Target, ...]) -> str | None:
        """Return what has been made of the source; None with --diff, or if it cannot be written."""
        from wxtext.fixer import fix_on

        unsafe = self._options.unsafe_fixes
        if not self._options.diff and path != sources.STANDARD:
            from wxtext.writing import update_file

            try:
                update = update_file(
                    path, source, lambda text: fix_on(targets, text, settings, unsafe=unsafe), say
                )
            except SourceError as error:
                self._fail(str(error))
                return None
            self._mended += update.written
            return update.text
        mended = fix_on(targets, source, settings, unsafe=unsafe)
        if self._options.diff:
            self._diff += unified_diff(path, source, mended)
            return None
        self._output = mended
        return mended

    def _write(self, report: Report) -> None:
        options = self._options
        if options.diff:
            sources.write_stdout(for_reader(self._diff))
            if line := reports.summary(report):
                say(line)
            return
        pieces = reports.render(report, options.form, colour=_wants_colour())
        if self._output is None:
            sources.write_stdout(pieces)
        else:
            sources.write_stdout([self._output])
            if sys.stderr is not None:
                sys.stderr.writelines(pieces)


def _wants_colour() -> bool:
    """Tell whether standard output is a terminal that is to have colours (https://no-color.org)."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def _undecodable(data: bytes, error: UnicodeDecodeError, settings: Settings) -> Iterator[Problem]:
    """Report WXML that is not UTF-8, as the rule `syntax` does all that compilers refuse."""
    rule = "syntax"
    if rule in settings.ignore or (settings.select and rule not in settings.select):
        return
    before = data[: error.start].decode()
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    from wxtext.encodings import likeliest

    encoding = likeliest(data)
    message = _("not UTF-8, which WXML has to be: the byte at offset {offset}; save the file as UTF-8")
    if encoding:
        message += _(" (it looks like {encoding})")
    yield Problem(
        rule,
        settings.severities.get(rule, Severity.ERROR),
        message.format(offset=error.start, encoding=encoding),
        Span(line, column, line, column + 1),
        None,
        len(before),
        len(before) + 1,
    )

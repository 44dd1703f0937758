"""The settings of a project: `[tool.wxtext]` in pyproject.toml, or all of wxtext.toml; the nearest upward.

    [tool.wxtext]
    target = "auto"                      # webview, glass-easel, skyline, or auto: as the app's .json say
    select = ["foreign-child"]           # only these rules
    ignore = ["long-text"]               # all rules but these
    preserving-classes = ["poem"]        # classes whose style keeps white space

    [tool.wxtext.severities]
    loose-text = "warning"               # error, warning or info

    [tool.wxtext.per-file-ignores]       # patterns as in .gitignore, from where this file is
    "pages/old/" = ["html-tag"]

    [tool.wxtext.rules]                  # rules of your own, in XPath (see `tree`)
    no-inline-style = {xpath = "//text[@style]", message = "use a class", severity = "warning"}

    [tool.wxtext.convert]                # every option of `wxtext convert` but --output, --force and --config
    space = "emsp"

In wxtext.toml the tables have the same names without `tool.wxtext`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from wxtext.discovery import absolute, config_files, leads_out, read_small
from wxtext.errors import OptionError
from wxtext.i18n import _, system_message
from wxtext.problem import Severity
from wxtext.semantics import TargetChoice
from wxtext.tables import ConfigError, Table, no_rule, quoted

if TYPE_CHECKING:
    from wxtext.lint import Settings
    from wxtext.patterns import Patterns
    from wxtext.rules import Rule

#: The options of `wxtext convert` that can be set: how the command calls them, and the type of their values.
CONVERT_OPTIONS: Final[dict[str, tuple[str, tuple[type, ...]]]] = {
    "target": ("target", (str,)),
    "space": ("space", (str,)),
    "tab-width": ("tab_width", (int,)),
    "indent": ("indent", (int, str)),
    "paragraphs": ("paragraphs", (str,)),
    "blank-lines": ("blank_lines", (str,)),
    "per": ("per", (str,)),
    "view": ("view", (bool,)),
    "user-select": ("user_select", (bool,)),
    "class": ("class_", (str,)),
    "bindings": ("bindings", (bool,)),
    "strip-invisible": ("strip_invisible", (bool,)),
    "template": ("template", (str,)),
    "verify": ("verify", (bool,)),
    "encoding": ("encoding", (str,)),
    "errors": ("errors", (str,)),
}

_KEYS: Final = (
    "target",
    "select",
    "ignore",
    "preserving-classes",
    "severities",
    "per-file-ignores",
    "rules",
    "convert",
)
_OWN_RULE_KEYS: Final = ("xpath", "message", "severity")

#: What rules may be called: their names stand in reports and in comments.
_RULE_NAME: Final = re.compile("[a-z0-9-]+")

#: A key of very many parts: for each, the parsers of Python copy all those before. (Of longer parts there is
#: no room for too many.)
_LONG_KEY: Final = re.compile(
    r"""(?:(?:(?<![\w-])[\w-]{1,64}|"(?:[^"\\\n]|\\.){0,64}"|'[^'\n]{0,64}')[ \t]{0,64}\.[ \t]{0,64}){50}""",
    re.ASCII,
)
#: Folders deeper than this are looked at from the top down, not from the inside out.
_DEEP: Final = 100
#: No option of `convert` takes a greater number.
_MOST: Final = 10**6


class OwnRule(NamedTuple):
    """A rule of the project's own."""

    name: str
    xpath: str
    message: str
    severity: Severity


@dataclass(frozen=True)
class Config:
    """What a configuration file says; without one, the defaults."""

    #: The file; None if there is none.
    path: Path | None = None
    target: TargetChoice = "auto"
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    #: Patterns as in .gitignore, and the rules that say nothing of files that match.
    per_file_ignores: Mapping[str, frozenset[str]] = field(default_factory=dict)
    preserving_classes: frozenset[str] = frozenset()
    own_rules: tuple[OwnRule, ...] = ()
    #: Options of `convert`, by the names of the library.
    convert: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def _ignoring(self) -> list[tuple[Patterns, frozenset[str]]]:
        from wxtext.patterns import Patterns

        return [(Patterns([os.fsencode(pattern)]), rules) for pattern, rules in self.per_file_ignores.items()]

    def rule_names(self) -> tuple[str, ...]:
        """All rules, the project's own too."""
        return _rule_names(self.own_rules)

    def settings(
        self,
        path: Path | None = None,
        *,
        select: frozenset[str] = frozenset(),
        ignore: frozenset[str] = frozenset(),
        info: bool = False,
        components: frozenset[str] = frozenset(),
        fragment: bool = False,
    ) -> Settings:
        """Say what to look for in the file at `path`, or in standard input for None.

        `select` takes the place of what the file selects, `ignore` is added. Raises `ConfigError` if the
        XPath of a rule is wrong.
        """
        for name in (*select, *ignore):
            if name not in self.rule_names():
                raise no_rule(name, self.rule_names())
        from wxtext.lint import Settings

        own_rules: tuple[Rule, ...] = ()
        if self.own_rules:
            from wxtext import tree

            try:
                own_rules = tuple(tree.rule(*rule) for rule in self.own_rules)
            except tree.XPathError as error:
                raise ConfigError(f"{self.path}: {error}") from error
        return Settings(
            select=select or self.select,
            ignore=self.ignore | ignore | self._ignored_in(path),
            severities=self.severities,
            info=info,
            preserving_classes=self.preserving_classes,
            components=components,
            fragment=fragment,
            own_rules=own_rules,
        )

    def convert_options(self) -> dict[str, Any]:
        """Return the options of `convert` that are set. Raises `ConfigError` for values that cannot be."""
        from wxtext.options import Options

        options = {"target": self.target, **self.convert}
        asked = {name: value for name, value in options.items() if name in Options._fields}
        if options["target"] == "auto":
            del asked["target"]
        try:
            Options(**asked)
        except OptionError as error:
            raise ConfigError(f"{self.path}: [convert] {error}") from error
        return options

    def _ignored_in(self, path: Path | None) -> frozenset[str]:
        if path is None or self.path is None or not self.per_file_ignores:
            return frozenset()
        try:
            inside = absolute(path).relative_to(absolute(self.path).parent).as_posix()
        except ValueError:
            return frozenset()
        name = os.fsencode(inside)
        return frozenset().union(*(rules for patterns, rules in self._ignoring if patterns.leave_out(name)))


def find(folder: Path) -> Config:
    """Return the configuration that holds in a folder: that of the nearest file upward.

    Raises `ConfigError`, also for a file that is a link out of its repository, or out of its folder if it
    is in none: somebody else may have put it there.
    """
    folder = absolute(folder)
    if len(folder.parts) > _DEEP:
        for above in reversed(folder.parents):
            _find(above)
    return _find(folder)


@cache
def _find(folder: Path) -> Config:
    for path in config_files(folder):
        if leads_out(path):
            message = _("{file}: is a link out of the project; if it is meant, name it with --config")
            raise ConfigError(message.format(file=path))
        if config := _load(path):
            return config
    return Config() if folder.parent == folder else _find(folder.parent)


def forget() -> None:
    """Read configurations anew from now on."""
    _find.cache_clear()


def load(path: Path) -> Config:
    """Read a configuration file. Raises `ConfigError`, also for a pyproject.toml without `[tool.wxtext]`."""
    config = _load(path)
    if config is None:
        raise ConfigError(_("{file}: there is no [tool.wxtext] in it").format(file=path))
    return config


def _load(path: Path) -> Config | None:
    try:
        text = read_small(path).decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: {system_message(error)}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(_("{file}: is not valid UTF-8").format(file=path)) from error
    try:
        return _parse(path, text)
    except RecursionError as error:
        raise ConfigError(_("{file}: is nested too deeply").format(file=path)) from error


def _parse(path: Path, text: str) -> Config | None:
    if _LONG_KEY.search(text):
        raise ConfigError(_("{file}: is nested too deeply").format(file=path))
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        values = toml.loads(text)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error
    if path.name != "pyproject.toml":
        return _read(Table(path, "", values))
    tool = values.get("tool")
    table = tool.get("wxtext") if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigError(_("{file}: {key} has to be a table").format(file=path, key="tool.wxtext"))
    return _read(Table(path, "tool.wxtext", table))


def _read(table: Table) -> Config:
    table.check_keys(_KEYS)
    own_rules = tuple(_own_rule(name, inside) for name, inside in table.tables("rules"))
    rules = _rule_names(own_rules)
    severities = table.table("severities")
    severities.check_rules(severities.values, rules)
    per_file = table.table("per-file-ignores")
    return Config(
        path=table.file,
        target=table.choice("target", get_args(TargetChoice), "auto"),
        select=table.rules("select", rules),
        ignore=table.rules("ignore", rules),
        severities={name: Severity(severities.choice(name, _severities())) for name in severities.values},
        per_file_ignores={pattern: per_file.rules(pattern, rules) for pattern in per_file.values},
        preserving_classes=table.names("preserving-classes"),
        own_rules=own_rules,
        convert=_convert_options(table.table("convert")),
    )


def _rule_names(own_rules: Iterable[OwnRule] = ()) -> tuple[str, ...]:
    from wxtext.rules import NAMES

    return (*NAMES, *(rule.name for rule in own_rules))


def _severities() -> tuple[str, ...]:
    return tuple(severity.value for severity in Severity)


def _own_rule(name: str, table: Table) -> OwnRule:
    if name in _rule_names():
        raise ConfigError(
            _("{file}: a rule is called {name!r} already; find another name").format(
                file=table.file, name=name
            )
        )
    if not _RULE_NAME.fullmatch(name):
        message = _("{file}: a rule cannot be called {name}; write its name in a-z, 0-9 and -")
        raise ConfigError(message.format(file=table.file, name=quoted(name)))
    table.check_keys(_OWN_RULE_KEYS)
    return OwnRule(
        name,
        table.text("xpath"),
        table.text("message"),
        Severity(table.choice("severity", _severities(), Severity.WARNING.value)),
    )


def _convert_options(table: Table) -> dict[str, Any]:
    table.check_keys(CONVERT_OPTIONS)
    options = {}
    for key, value in table.values.items():
        name, types = CONVERT_OPTIONS[key]
        # A bool is an int, but no number here.
        if type(value) not in types or (isinstance(value, int) and abs(value) > _MOST):
            raise table.error(key, _("cannot be {value}"), value=quoted(value))
        options[name] = value
    for key, choices in (("target", get_args(TargetChoice)), ("errors", ("strict", "replace"))):
        if key in options:
            options[key] = table.choice(key, choices)
    if template := options.get("template"):
        options["template"] = _template(table, template)
    return options


def _template(table: Table, name: str) -> str:
    """Return the name of a built-in template, or the path of one below the folder of the configuration.

    The configuration comes with a project, and may not have files from elsewhere read.
    """
    from wxtext.template_files import built_in_names

    if name in built_in_names():
        return name
    folder = table.file.parent
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # a loop of links, NUL: there is no such file
        inside = False
    if not inside:
        message = _(
            "is {value!r}, which leads out of the folder of this file; put the template into that folder, "
            "or name it with --template"
        )
        raise table.error("template", message, value=name)
    return str(path)

"""What a configuration file says, key by key; what is wrong with it is an error that names file and key."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from wxtext.errors import WxtextError, nearest_name
from wxtext.i18n import _

#: How much of a wrong value is quoted.
_QUOTED: Final = 60


class ConfigError(WxtextError):
    """A configuration file cannot be read, or says what cannot be."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message on a name that is not known: the nearest of those that are, or all."""
    known = tuple(known)
    near = nearest_name(name, known)
    return (
        _("did you mean {name!r}?").format(name=near)
        if near
        else _("there are: {names}").format(names=", ".join(known))
    )


def no_rule(name: str, known: Iterable[str]) -> ConfigError:
    """Return an error that says that there is no such rule, and which is nearest."""
    message = _("no rule is called {name!r}; {nearest}")
    return ConfigError(message.format(name=name, nearest=nearest(name, known)))


def quoted(value: object) -> str:
    """Quote a wrong value in a message, its beginning if it is long."""
    try:
        text = repr(value)
    except ValueError:  # a number of too many digits, which Python does not write
        text = hex(value) if isinstance(value, int) else "…"
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


class Table(NamedTuple):
    """A table of a configuration file; what is wrong with it is raised with the name of the key."""

    file: Path
    #: Its name, with dots; empty for the whole file.
    name: str
    values: dict[str, Any]

    def error(self, key: str, message: str, **parts: object) -> ConfigError:
        name = f"{self.name}.{key}" if self.name else key
        return ConfigError(f"{self.file}: {name} {message.format(**parts)}")

    def check_keys(self, known: Iterable[str]) -> None:
        for key in self.values:
            if key not in known:
                raise self.error(key, _("is not known; {nearest}"), nearest=nearest(key, known))

    def check_rules(self, names: Iterable[str], known: Iterable[str]) -> None:
        for name in names:
            if name not in known:
                raise ConfigError(f"{self.file}: {no_rule(name, known)}")

    def table(self, key: str) -> Table:
        values = self.values.get(key, {})
        if not isinstance(values, dict):
            raise self.error(key, _("has to be a table"))
        return Table(self.file, f"{self.name}.{key}" if self.name else key, values)

    def tables(self, key: str) -> list[tuple[str, Table]]:
        table = self.table(key)
        return [(name, table.table(name)) for name in table.values]

    def names(self, key: str) -> frozenset[str]:
        values = self.values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.error(key, _('has to be a list of names: ["...", "..."]'))
        return frozenset(values)

    def rules(self, key: str, known: Iterable[str]) -> frozenset[str]:
        names = self.names(key)
        self.check_rules(sorted(names), known)
        return names

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if not isinstance(value, str) or not value:
            raise self.error(key, _("has to be a text"))
        return value

    def choice(self, key: str, choices: Iterable[str], default: str = "") -> Any:
        """Return the value that is meant, one of these, which are in lower case; it may be in any case."""
        value = self.values.get(key, default)
        if isinstance(value, str) and value.lower() in choices:
            return value.lower()
        if value not in choices:
            raise self.error(
                key,
                _("is {value}, which is not one of {choices}"),
                value=quoted(value),
                choices=", ".join(choices),
            )
        return value

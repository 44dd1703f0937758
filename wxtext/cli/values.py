"""What is typed as the value of an option: read, and completed, in every command alike."""

from __future__ import annotations

import click


def number(_context: click.Context, _parameter: click.Parameter, value: str | None) -> int | str | None:
    """Turn digits into a number. What else there may be is known to who takes it."""
    if value and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value


def names(_context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the values that the metavar of an option names."""
    listed = (parameter.metavar or "").split("|")
    return [name for name in listed if name.islower() and name.startswith(incomplete.lower())]

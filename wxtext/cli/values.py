"""What is typed as the value of an option, before anybody looks at it."""

from __future__ import annotations

import click


def number(_context: click.Context, _parameter: click.Parameter, value: str | None) -> int | str | None:
    """Turn digits into a number. What else there may be is known to who takes it."""
    if value and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value

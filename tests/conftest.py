"""Fixtures for all tests, and what is done where a tool that judges is not installed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import oracle as official

# How long an example takes depends on the compilers and the machine.
settings.register_profile("wxtext", deadline=None)
settings.load_profile("wxtext")


def absent(reason: str) -> None:
    """End the test: a tool is not installed. Continuous integration has them all, so there it fails."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def oracle() -> Iterator[official.Oracle]:
    """One process with the official compilers, for the whole session."""
    reason = official.missing()
    if reason is not None:
        absent(reason)
    with official.Oracle() as running:
        yield running

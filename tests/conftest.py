"""Fixtures for all tests, and what is done where a tool that judges is not installed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import oracle as official
from tests.command import Result, Run
from wxtext import config, i18n
from wxtext.cli import main

# Messages are tested in English, whatever the machine speaks.
os.environ["LC_ALL"] = "C.UTF-8"

# How long an example takes depends on the compilers and the machine.
settings.register_profile("random", deadline=None, derandomize=False, print_blob=True)
# The gate is to give the same answer for the same code. Elsewhere examples are random; in the gate's setting
# they are so with `CI=1 python -m pytest --hypothesis-profile random`.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "random")


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what a test before has said about the language."""
    monkeypatch.setenv("LANGUAGE", "")
    i18n.use("en")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command in this process."""

    def run(*arguments: str, stdin: str | bytes = b"") -> Result:
        config._find.cache_clear()
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(arguments)
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(errors="surrogateescape"), err.decode())

    return run


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

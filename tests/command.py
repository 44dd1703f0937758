"""The command, run in this process or in one of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import wxtext

ROOT = Path(wxtext.__file__).parents[1]
#: For processes that run `python -m wxtext` in any folder.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


class Result(NamedTuple):
    """What a command did: its exit code, and its output as text."""

    code: int
    out: str
    err: str


#: Runs a command in this process: its arguments, and `stdin`.
Run = Callable[..., Result]


def close_folder(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let no folder of this name be read: root may read all, whatever its permissions."""

    def scandir(folder: str) -> Any:
        if Path(folder).name == name:
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    real = os.scandir
    monkeypatch.setattr(os, "scandir", scandir)


@contextmanager
def deep_folders(name: str, depth: int) -> Iterator[None]:
    """Make folders in folders below the current one, and remove them: pytest cannot."""
    home = Path.cwd()
    made = 0
    try:
        for _ in range(depth):
            os.mkdir(name)  # noqa: PTH102 - paths would be too long
            os.chdir(name)
            made += 1
        os.chdir(home)
        yield
    finally:
        os.chdir(home)
        for _ in range(made):
            os.chdir(name)
        for _ in range(made):
            for file in os.listdir():  # noqa: PTH208
                os.remove(file) if not os.path.isdir(file) else os.rmdir(file)  # noqa: PTH106, PTH107, PTH112
            os.chdir("..")
        os.rmdir(name)  # noqa: PTH106

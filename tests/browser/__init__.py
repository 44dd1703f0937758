"""Chromium as a judge of layout: compiled trees laid out by the run time's rules, rows read back.

See `page.html` beside this file. Nothing but a Chromium on the search path (or named by the environment
variable `CHROMIUM`) is needed; it is started with a profile of its own and without network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from tests.shown import Node

NAMES = ("chromium", "chromium-browser", "google-chrome")


class Job(NamedTuple):
    """A tree to lay out for a target, on a screen so many CSS pixels wide (a Chinese character takes 16)."""

    tree: Sequence[Node]
    target: str
    width: int
    #: Style of the page's classes.
    css: str = ""
    #: A selector of an element whose children have their rows read by themselves, one child after the other.
    apart: str = ""


class Row(NamedTuple):
    """What one row shows, and how many CSS pixels from the left of the screen each character begins."""

    text: str
    lefts: list[float]


def executable() -> str | None:
    """The browser to run, None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def missing() -> str | None:
    """Say why no browser can be run here, or None if one can."""
    return None if executable() else f"none of {', '.join(NAMES)} is installed"


def lay_out(jobs: Sequence[Job]) -> list[list[Row]]:
    """The rows of each job, from the top, all by one start of the browser."""
    browser = executable()
    assert browser is not None
    text = json.dumps([job._asdict() for job in jobs]).replace("<", "\\u003c")
    with tempfile.TemporaryDirectory(prefix="wxtext-browser-", ignore_cleanup_errors=True) as folder:
        page = Path(folder, "page.html")
        template = (Path(__file__).parent / "page.html").read_text("utf-8")
        page.write_text(template.replace("JOBS", text, 1), "utf-8")
        run = subprocess.run(
            [
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--no-default-browser-check",
                f"--user-data-dir={folder}/profile",
                "--dump-dom",
                page.as_uri(),
            ],
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=True,
        )
    match = re.search("<output>([^<]*)</output>", run.stdout)
    if match is None:
        raise RuntimeError(f"the page did not finish: {run.stdout[-300:]!r}")
    return [[Row(**row) for row in rows] for rows in json.loads(unquote(match[1]))]

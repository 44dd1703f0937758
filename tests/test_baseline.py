"""The file of a baseline: whole or not at all, and never one that holds anything else."""

from __future__ import annotations

import errno
import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.command import Run
from wxtext import baseline
from wxtext.baseline import Baseline

BAD = '<text decode="false">一</text>\n'

pytestmark = pytest.mark.usefixtures("_in_tmp_path")


@pytest.fixture
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def test_a_baseline_may_be_a_link(run: Run) -> None:
    write("a.wxml", BAD)
    Path("link.json").symlink_to("base.json")
    assert run("check", "--baseline", "link.json").code == 0
    assert Path("link.json").is_symlink()
    recorded = Path("base.json").read_bytes()
    assert run("check", "--baseline", "link.json").code == 0
    assert Path("base.json").read_bytes() == recorded


@pytest.mark.skipif(os.name == "nt", reason="no such files")
@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "/dev/null", "/dev/stdin", "."])
def test_a_baseline_is_a_regular_file(name: str, run: Run) -> None:
    os.mkfifo("pipe")
    write("a.wxml", BAD)
    code, out, err = run("check", "--baseline", name, "a.wxml")
    assert (code, out) == (2, "")
    assert err == f"wxtext: error: {name}: is no file that can hold a baseline\n"


def test_a_baseline_that_somebody_else_writes_meanwhile_stays(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.wxml", BAD)
    real = Baseline.write

    def late(baseline: Baseline) -> None:
        write("base.json", "theirs")
        real(baseline)

    monkeypatch.setattr(Baseline, "write", late)
    code, _out, err = run("check", "--baseline", "base.json")
    assert code == 2
    assert "base.json: is there by now, and is not overwritten" in err
    assert Path("base.json").read_text("utf-8") == "theirs"


def test_a_full_disk_leaves_no_half_baseline(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write("a.wxml", BAD)
    monkeypatch.setattr(os, "fsync", full)
    code, _out, err = run("check", "--baseline", "base.json")
    assert (code, err) == (2, f"wxtext: error: base.json: {os.strerror(errno.ENOSPC)}\n")
    assert {path.name for path in Path().iterdir()} == {"a.wxml"}


@pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
def test_a_baseline_has_names_that_are_no_text(run: Run) -> None:
    name = os.fsdecode(b"\xff.wxml")
    write(name, BAD)
    assert run("check", "--baseline", "base.json").code == 0
    assert list(json.loads(Path("base.json").read_bytes())["problems"]) == [name]
    assert run("check", "--baseline", "base.json") == (0, "no problems in 1 file\n", "")


def test_a_line_of_a_baseline_is_hashed_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = 0

    def count(data: bytes) -> Any:
        nonlocal hashed
        hashed += len(data)
        return sha256(data)

    monkeypatch.setattr(baseline, "sha256", count)
    line = BAD.strip() * 2_000
    write("a.wxml", line)
    assert run("check", "--baseline", "base.json").code == 0
    assert run("check", "--baseline", "base.json").code == 0
    assert hashed == 2 * len(line.encode())

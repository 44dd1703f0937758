"""Which files are looked at, judged by git."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import close_folder
from wxtext.discovery import NEVER_ENTERED, wxml_files

IGNORES = {
    ".gitignore": "# built\n/out/\n*.tmp.wxml\n!keep.tmp.wxml\nlogs\n/a/**/deep/\n",
    "a/.gitignore": "b.wxml\n/c\n!logs\n",
    "a/d/.gitignore": "!b.wxml\n\\#x.wxml\ntrailing \n",
}
FILES = (
    "x.wxml",
    "out/x.wxml",
    "a/out/x.wxml",
    "x.tmp.wxml",
    "keep.tmp.wxml",
    "logs/x.wxml",
    "a/logs/x.wxml",
    "a/b.wxml",
    "a/c/x.wxml",
    "a/d/b.wxml",
    "a/d/c/x.wxml",
    "a/d/#x.wxml",
    "a/d/trailing/x.wxml",
    "a/e/f/deep/x.wxml",
    "a/x.wxss",
    "页面/关于.wxml",
    ".hidden/x.wxml",
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name, text in IGNORES.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    return tmp_path


def never(path: Path, error: OSError) -> None:
    """Everything can be read."""
    raise AssertionError(path) from error


def found(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in wxml_files(folder, never))


@pytest.mark.skipif(shutil.which("git") is None, reason="git judges here")
def test_gitignore_means_what_git_makes_of_it(repository: Path) -> None:
    (repository / ".git").rmdir()
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    command = ["git", "-c", "core.quotePath=false", "ls-files", "-o", "--exclude-per-directory=.gitignore"]
    for folder in repository, repository / "a", repository / "a" / "d":
        listed = subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout.decode()
        assert found(folder) == sorted(line for line in listed.splitlines() if line.endswith(".wxml"))


def test_outside_a_repository_only_what_lies_below_holds(repository: Path) -> None:
    (repository / ".git").rmdir()
    assert "b.wxml" not in found(repository / "a")
    (repository / "a" / "y.tmp.wxml").touch()
    assert "y.tmp.wxml" in found(repository / "a")


def test_a_folder_that_is_asked_for_is_looked_at(repository: Path) -> None:
    assert found(repository / "out") == ["x.wxml"]
    assert found(repository / "logs") == ["x.wxml"]


def test_what_is_installed_or_built_is_never_entered(tmp_path: Path) -> None:
    for name in NEVER_ENTERED:
        inside = tmp_path / "a" / name / "b"
        inside.mkdir(parents=True)
        (inside / "x.wxml").touch()
    assert found(tmp_path) == []
    assert found(tmp_path / "a" / "dist") == ["b/x.wxml"]


def test_paths_are_as_the_folder_was_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert next(wxml_files(Path("a/d"), never)) == Path("a/d/b.wxml")
    assert next(wxml_files(Path(), never)) == Path(".hidden/x.wxml")
    monkeypatch.chdir("a/d")
    assert Path("../logs/x.wxml") in wxml_files(Path(".."), never)


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.wxml").touch()
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "a" / "link.wxml").symlink_to("x.wxml")
    (tmp_path / "a" / "broken.wxml").symlink_to("nothing")
    assert found(tmp_path) == ["a/link.wxml", "a/x.wxml"]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_what_cannot_be_read_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close_folder(monkeypatch, "d")
    monkeypatch.chdir(repository)
    (repository / "a" / "self.wxml").symlink_to("self.wxml")
    told: list[Path] = []
    files = [*wxml_files(Path(), lambda path, _error: told.append(path))]
    assert told == [Path("a/d"), Path("a/self.wxml")]
    assert Path("x.wxml") in files
    assert Path("a/d/b.wxml") not in files
    told.clear()
    assert [*wxml_files(Path("a/d"), lambda path, _error: told.append(path))] == []
    assert told == [Path("a/d")]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_a_list_of_what_git_ignores_that_cannot_be_read_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a" / ".gitignore").unlink()
    (repository / "a" / ".gitignore").symlink_to(".gitignore")
    told: list[Path] = []

    def tell(path: Path, _error: OSError) -> None:
        told.append(path)

    monkeypatch.chdir(repository)
    assert len([*wxml_files(Path(), tell)]) > 1
    monkeypatch.chdir("a/d")
    assert len([*wxml_files(Path(), tell)]) > 1
    assert told == [Path("a/.gitignore"), Path("../.gitignore")]

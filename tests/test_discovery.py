"""Which files are looked at, judged by git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import close_folder, deep_folders
from wxtext import discovery
from wxtext.discovery import LARGEST, NEVER_ENTERED, OnTrouble, leads_out, read_small, wxml_files

posix = pytest.mark.skipif(sys.platform == "win32", reason="symbolic links, pipes and devices")

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


class Told:
    """What is told while files are looked for."""

    def __init__(self) -> None:
        self.unreadable: list[Path] = []
        self.links: list[Path] = []
        self.left_out: list[Path] = []
        self.notices: list[str] = []
        self.on_trouble = OnTrouble(
            lambda path, _error: self.unreadable.append(path),
            self.links.append,
            self.left_out.append,
            self.notices.append,
        )

    def all(self) -> list[object]:
        return [*self.unreadable, *self.links, *self.notices]


def found(folder: Path) -> list[str]:
    """What is found in a folder in which there is nothing to tell of."""
    told = Told()
    files = sorted(path.relative_to(folder).as_posix() for path in wxml_files(folder, told.on_trouble))
    assert told.all() == []
    return files


@pytest.mark.skipif(shutil.which("git") is None, reason="git judges here")
def test_gitignore_means_what_git_makes_of_it(repository: Path) -> None:
    (repository / ".git").rmdir()
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    for folder in repository, repository / "a", repository / "a" / "d":
        assert found(folder) == listed_by_git(folder)


def listed_by_git(folder: Path) -> list[str]:
    """The .wxml files that git would add."""
    command = ["git", "-c", "core.quotePath=false", "ls-files", "-o", "--exclude-per-directory=.gitignore"]
    listed = subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout.decode()
    return sorted(line for line in listed.splitlines() if line.endswith(".wxml"))


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
    told = Told().on_trouble
    monkeypatch.chdir(repository)
    assert next(wxml_files(Path("a/d"), told)) == Path("a/d/b.wxml")
    assert next(wxml_files(Path(), told)) == Path(".hidden/x.wxml")
    monkeypatch.chdir("a/d")
    assert Path("../logs/x.wxml") in wxml_files(Path(".."), told)


def test_a_suffix_may_be_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "A.WXML").touch()
    (tmp_path / "b.Wxml").touch()
    assert found(tmp_path) == ["A.WXML", "b.Wxml"]


@posix
def test_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.wxml").touch()
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "a" / "link.wxml").symlink_to("x.wxml")
    (tmp_path / "a" / "broken.wxml").symlink_to("nothing")
    (tmp_path / "a" / "round").symlink_to("round")
    assert found(tmp_path) == ["a/link.wxml", "a/x.wxml"]


@posix
def test_links_that_lead_out_are_left_out_and_told(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in inside / ".git", inside / "sub", outside:
        folder.mkdir(parents=True)
        (folder / "x.wxml").touch()
    links: dict[str, str | Path] = {
        "a.wxml": "../out/x.wxml",
        "b.wxml": outside / "x.wxml",
        "c": "../out",
        "d.wxml": "../out",
        "e.wxml": "sub/x.wxml",
        "f": "sub",
        "g.wxml": ".git/x.wxml",
        "h.wxml": "sub/../../in/sub/x.wxml",
        "i": "../out/x.wxml",
        "j.wxml": "../out/nothing.wxml",
        "dist": "../out",
        "ignored.wxml": "../out/x.wxml",
    }
    for name, target in links.items():
        (inside / name).symlink_to(target)
    (inside / ".gitignore").write_text("ignored.wxml\n", "utf-8")
    told = Told()
    files = [path.relative_to(inside).as_posix() for path in wxml_files(inside, told.on_trouble)]
    assert files == ["e.wxml", "h.wxml", "sub/x.wxml"]
    assert [path.name for path in told.links] == ["a.wxml", "b.wxml", "c", "d.wxml", "g.wxml"]
    assert told.unreadable == []
    # What is named is looked at, link or not.
    assert [path.name for path in wxml_files(inside / "c", told.on_trouble)] == ["x.wxml"]


@posix
def test_pipes_and_devices_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in "x.wxml", ".gitignore", "sub/y.wxml":
        os.mkfifo(tmp_path / name)
    (tmp_path / "z.wxml").symlink_to("/dev/zero")
    assert found(tmp_path) == []


def test_junctions_are_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has links to folders that Python takes for folders; one may lead to a folder above."""
    (tmp_path / "a" / "junction").mkdir(parents=True)
    (tmp_path / "a" / "junction" / "x.wxml").touch()
    monkeypatch.setattr(discovery, "_HAS_JUNCTIONS", True)
    monkeypatch.setattr(discovery, "_is_link", lambda path: Path(path).name == "junction")
    assert found(tmp_path) == []


@posix
def test_folders_may_be_deeper_than_pythons_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with deep_folders("d", 5_000):
        told = Told()
        assert [*wxml_files(Path(), told.on_trouble)] == []
        (at_the_end,) = told.unreadable  # the paths of a system have one
        assert len(str(at_the_end)) > 1_000
    with deep_folders("e", 900):
        Path(*["e"] * 900, "x.wxml").touch()
        assert [path.name for path in wxml_files(Path(), Told().on_trouble)] == ["x.wxml"]


@posix
def test_what_cannot_be_read_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close_folder(monkeypatch, "d")
    monkeypatch.chdir(repository)
    (repository / "a" / "self.wxml").symlink_to("self.wxml")
    told = Told()
    files = [*wxml_files(Path(), told.on_trouble)]
    assert told.all() == [Path("a/d"), Path("a/self.wxml")]
    assert Path("x.wxml") in files
    assert Path("a/d/b.wxml") not in files
    told = Told()
    assert [*wxml_files(Path("a/d"), told.on_trouble)] == []
    assert told.all() == [Path("a/d")]


@posix
def test_a_gitignore_that_is_a_link_says_nothing_here_nor_to_git(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / ".git").rmdir()
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    (repository / "a" / "list").write_text("x.wxml\n", "utf-8")
    (repository / "a" / "x.wxml").touch()
    message = "{}: is a link, which git does not follow either, and says nothing here"
    for target in "list", "../.gitignore", ".gitignore", "/dev/zero":
        (repository / "a" / ".gitignore").unlink()
        (repository / "a" / ".gitignore").symlink_to(target)
        told = Told()
        files = [path.relative_to(repository).as_posix() for path in wxml_files(repository, told.on_trouble)]
        assert told.all() == [message.format(repository / "a" / ".gitignore")]
        assert sorted(files) == listed_by_git(repository)
    monkeypatch.chdir(repository / "a" / "d")
    told = Told()
    assert [*wxml_files(Path(), told.on_trouble)] != []
    assert told.all() == [message.format("../.gitignore")]


def test_a_gitignore_that_is_too_large_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.wxml").touch()
    (tmp_path / ".gitignore").write_bytes(b"x.wxml\n" * LARGEST)
    errors: list[OSError] = []
    on_trouble = Told().on_trouble._replace(unreadable=lambda _path, error: errors.append(error))
    assert [path.name for path in wxml_files(tmp_path, on_trouble)] == ["x.wxml"]
    assert [error.strerror for error in errors] == [f"is not read, because it is larger than {LARGEST} bytes"]
    (tmp_path / ".gitignore").write_bytes(b"x.wxml\n" + b"#" * (LARGEST - 7))
    assert found(tmp_path) == []
    assert len(read_small(tmp_path / ".gitignore")) == LARGEST


@posix
def test_what_leads_out_of_a_project(tmp_path: Path) -> None:
    """Out of the repository, or where there is none out of the folder that the link is in."""
    (tmp_path / "project" / "sub").mkdir(parents=True)
    for name in "outside", "project/inside", "project/sub/beside":
        (tmp_path / name).touch()
    for place, target, leads in (
        ("project/sub/a", "../../outside", (True, True)),
        ("project/sub/b", "../inside", (True, False)),
        ("project/sub/c", "beside", (False, False)),
        ("project/sub/d", "d", (False, False)),
        ("project/sub/beside", None, (False, False)),
        ("project/sub/nothing", None, (False, False)),
    ):
        if target:
            (tmp_path / place).symlink_to(target)
        (tmp_path / "project" / ".git").mkdir()
        inside = leads_out(tmp_path / place)
        (tmp_path / "project" / ".git").rmdir()
        assert (leads_out(tmp_path / place), inside) == leads

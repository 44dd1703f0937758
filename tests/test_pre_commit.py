"""The hooks, as pre-commit installs and runs them in somebody's repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import absent

ROOT = Path(__file__).parent.parent

#: What a commit of this project has that an installation needs.
INSTALLED = ("wxtext", "templates", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

BAD = "<text>1 &lt; 2</text>\n"
LEFT = "<!-- wxtext-ignore foo -->\n<text>二</text>\n"

CONFIG = """\
repos:
  - repo: {hooks}
    rev: {revision}
    hooks:
      - id: wxtext-fix
        stages: [manual]
      - id: wxtext-check
"""


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgSign=false")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> str:
    """Make a repository of a folder, and return the name of its only commit."""
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "all", "--no-verify")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository that uses the hooks of this checkout."""
    if shutil.which("git") is None:
        absent("git is not installed")
    hooks = tmp_path_factory.mktemp("hooks")
    for name in INSTALLED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, hooks / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, hooks)
    mini_program = tmp_path_factory.mktemp("mini-program")
    config = CONFIG.format(hooks=hooks.as_posix(), revision=commit(hooks))
    (mini_program / ".pre-commit-config.yaml").write_text(config, "utf-8")
    (mini_program / "pages").mkdir()
    (mini_program / "pages" / "notes.txt").write_text(BAD, "utf-8")
    git(mini_program, "init", "-q")
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRE_COMMIT_HOME", str(home))
        patch.delenv("PYTHONPATH", raising=False)
        installed = subprocess.run(
            [sys.executable, "-m", "pre_commit", "install-hooks"],
            cwd=mini_program,
            capture_output=True,
            check=False,
            text=True,
        )
        if installed.returncode:
            # The environment of a hook is built by pip, from whatever package index it is set up for.
            absent(f"pre-commit cannot install what wxtext depends on: {installed.stdout}")
        yield mini_program


def run(repository: Path, *arguments: str) -> tuple[int, str]:
    """Let pre-commit run hooks on all files; return its exit code and what it prints."""
    git(repository, "add", ".")
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never", *arguments],
        cwd=repository,
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    return done.returncode, done.stdout.decode()


def test_check(repository: Path) -> None:
    page = repository / "pages" / "关于.wxml"
    page.write_text(BAD, "utf-8")
    code, output = run(repository)
    assert code == 1
    assert "wxtext check.............................................................Failed\n" in output
    assert "- exit code: 1\n" in output
    assert "pages/关于.wxml:1:9: error unportable-entity: " in output
    assert page.read_text("utf-8") == BAD
    page.write_text("<text>一</text>\n", "utf-8")
    code, output = run(repository)
    assert (code, output) == (
        0,
        "wxtext check.............................................................Passed\n",
    )


def test_fix(repository: Path) -> None:
    page = repository / "pages" / "关于.wxml"
    page.write_text(BAD, "utf-8")
    arguments = ("--hook-stage", "manual", "wxtext-fix")
    code, output = run(repository, *arguments)
    # pre-commit fails when a hook has changed files, which then wait to be looked at and added.
    assert code == 1
    assert "- files were modified by this hook\n" in output
    assert "1 file fixed; no problems in 1 file\n" in output
    fixed = page.read_text("utf-8")
    assert fixed == BAD.replace("&lt;", "{{'<'}}")
    assert run(repository, *arguments)[0] == 0
    page.write_text(fixed + LEFT, "utf-8")
    code, output = run(repository, *arguments)
    assert (code, "files were modified" in output) == (1, False)
    assert "pages/关于.wxml:2:1: warning unused-suppression: " in output


def test_names_of_files_are_no_options(repository: Path) -> None:
    """A name may begin as an option; pre-commit gives hooks names as they are."""
    folder = repository / "--baseline=pages"
    folder.mkdir()
    page = repository / "pages" / "关于.wxml"
    page.write_text("<text>一</text>\n", "utf-8")
    (folder / "关于.wxml").write_text(BAD, "utf-8")
    (repository / "--fix.WXML").write_text(BAD, "utf-8")
    code, output = run(repository, "wxtext-check")
    assert code == 1
    for name in "--baseline=pages/关于.wxml", "--fix.WXML":
        assert f"{name}:1:9: error unportable-entity: " in output
        assert (repository / name).read_text("utf-8") == BAD
    assert page.read_text("utf-8") == "<text>一</text>\n"
    code, output = run(repository, "--hook-stage", "manual", "wxtext-fix")
    assert "2 files fixed" in output
    assert page.read_text("utf-8") == "<text>一</text>\n"
    for name in "--baseline=pages/关于.wxml", "--fix.WXML":
        assert (repository / name).read_text("utf-8") == BAD.replace("&lt;", "{{'<'}}")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_are_no_files(repository: Path, tmp_path: Path) -> None:
    """A link that is named is followed; pre-commit names none."""
    victim = tmp_path / "victim.html"
    victim.write_text(BAD, "utf-8")
    (repository / "v.wxml").symlink_to(victim)
    run(repository, "--hook-stage", "manual", "wxtext-fix")
    assert victim.read_text("utf-8") == BAD

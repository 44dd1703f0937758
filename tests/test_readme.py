"""Every example of the README is run, in both languages."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import click
import pytest

from wxtext.cli.check import command as check_command
from wxtext.cli.convert import command as convert_command
from wxtext.i18n import Language, _, use
from wxtext.rules import NAMES, load

ROOT = Path(__file__).parent.parent
READMES = ["README.md", "README.zh-CN.md"]
#: What the table of rules says of their fixes.
FIXES: dict[Language, dict[tuple[str, ...], str]] = {
    "en": {(): "", ("safe",): "safe", ("unsafe",): "unsafe", ("safe", "unsafe"): "safe, unsafe"},
    "zh": {(): "", ("safe",): "安全", ("unsafe",): "不安全", ("safe", "unsafe"): "安全、不安全"},
}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(readme: str, language: str) -> list[str]:
    found = [body for name, body in FENCE.findall((ROOT / readme).read_text("utf-8")) if name == language]
    assert found, f"no {language} example in {readme}"
    return found


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the example's notes, and a `wxtext` command that is this checkout's."""
    shutil.copy(ROOT / "examples" / "notes.txt", tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "wxtext"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m wxtext "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str, expected: str) -> str:
    """Run a shell command as a reader would, or write the file that `cat` is said to print."""
    if line.startswith("cat ") and "|" not in line:
        Path(line.removeprefix("cat ")).write_text(expected, "utf-8")
        return expected
    result = subprocess.run(
        ["/bin/sh", "-c", line],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    code = f"[exit code {result.returncode}]\n" if result.returncode else ""
    return result.stdout + code


@pytest.mark.skipif(os.name == "nt", reason="the examples are written for a POSIX shell")
@pytest.mark.parametrize("readme", READMES)
def test_console_examples(readme: str, workplace: Path) -> None:
    for block in blocks(readme, "console"):
        steps = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        assert steps
        for step in steps:
            line, _, expected = step.partition("\n")
            assert run(line, expected) == expected, line
    assert workplace.is_dir()


@pytest.mark.parametrize("readme", READMES)
def test_python_examples(readme: str) -> None:
    for number, block in enumerate(blocks(readme, "python")):
        test = doctest.DocTestParser().get_doctest(block, {}, f"{readme} {number}", readme, 0)
        assert test.examples
        assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("readme", READMES)
def test_text_example_is_the_example_file(readme: str) -> None:
    assert blocks(readme, "text")[0] == (ROOT / "examples" / "notes.txt").read_text("utf-8")


@pytest.mark.parametrize("readme", READMES)
def test_options_tables_are_complete(readme: str) -> None:
    named = set(re.findall(r"^\| .*?(--[a-z-]+)", (ROOT / readme).read_text("utf-8"), re.MULTILINE))
    options = {
        max(parameter.opts, key=len)
        for command in (check_command, convert_command)
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
    }
    assert named == {"--no-verify" if option == "--verify" else option for option in options} - {"--help"}


@pytest.mark.parametrize(("readme", "language"), [*zip(READMES, get_args(Language), strict=True)])
def test_the_rules_table_is_the_docstrings(readme: str, language: Language) -> None:
    text = (ROOT / readme).read_text("utf-8")
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (error|warning|info) \|(?: ([^|`]+) |\s)\| (.*) \|$", text, re.MULTILINE
    )
    use(language)
    summaries = {name: _(load(name).explanation.partition("\n")[0]) for name in NAMES}
    use("en")
    assert rows == [
        (name, load(name).severity.value, FIXES[language][load(name).fixes], summary)
        for name, summary in summaries.items()
    ]


@pytest.mark.parametrize("readme", READMES)
def test_both_command_lines_are_there(readme: str) -> None:
    lines = "".join(blocks(readme, "sh"))
    assert "pip install . && wxtext convert examples/notes.txt\n" in lines
    assert "pip install '.[test]' && python -m pytest\n" in lines


@pytest.mark.parametrize("readme", READMES)
def test_formatters_are_told_to_break_no_lines(readme: str) -> None:
    text = (ROOT / readme).read_text("utf-8")
    vs_code, js_beautify = map(
        json.loads, re.findall(r"^  ```json\n(.*?)^  ```", text, re.MULTILINE | re.DOTALL)
    )
    assert vs_code["html.format.wrapLineLength"] == 0
    assert "text" in vs_code["html.format.contentUnformatted"].split(",")
    assert js_beautify["html"] == {"content_unformatted": ["text"], "wrap_line_length": 0}

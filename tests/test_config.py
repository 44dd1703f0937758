"""Configuration: where it is looked for, what it may say, and what is said of mistakes in it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import deep_folders
from wxtext import config, patterns
from wxtext.cli.convert import command as convert_command
from wxtext.config import CONVERT_OPTIONS, Config, OwnRule
from wxtext.discovery import LARGEST
from wxtext.options import Options
from wxtext.problem import Severity
from wxtext.rules import NAMES
from wxtext.tables import ConfigError, nearest

RULE = "string-boolean"
TARGETS = "auto, webview, glass-easel, skyline"


posix = pytest.mark.skipif(sys.platform == "win32", reason="symbolic links, pipes and devices")


def write(folder: Path, text: str, name: str = "wxtext.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def message(folder: Path, text: str, name: str = "wxtext.toml") -> str:
    """What is said of a configuration that is wrong, without its path."""
    path = write(folder, text, name)
    with pytest.raises(ConfigError) as caught:
        config.load(path).convert_options()
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{path}: ", "")


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        f"""
        [tool.other]
        wxtext = 1
        [tool.wxtext]
        target = "skyline"
        select = ["{RULE}", "no-style"]
        ignore = ["unused-suppression"]
        preserving-classes = ["poem", "code"]
        [tool.wxtext.severities]
        {RULE} = "info"
        [tool.wxtext.per-file-ignores]
        "old/" = ["{RULE}"]
        [tool.wxtext.rules]
        no-style = {{xpath = "//text[@style]", message = "use a class", severity = "error"}}
        no-image = {{xpath = "//image", message = "no images"}}
        [tool.wxtext.convert]
        space = "emsp"
        tab-width = 8
        indent = 2
        view = true
        class = "note"
        """,
        "pyproject.toml",
    )
    assert config.load(path) == Config(
        path=path,
        target="skyline",
        select=frozenset({RULE, "no-style"}),
        ignore=frozenset({"unused-suppression"}),
        severities={RULE: Severity.INFO},
        per_file_ignores={"old/": frozenset({RULE})},
        preserving_classes=frozenset({"poem", "code"}),
        own_rules=(
            OwnRule("no-style", "//text[@style]", "use a class", Severity.ERROR),
            OwnRule("no-image", "//image", "no images", Severity.WARNING),
        ),
        convert={"space": "emsp", "tab_width": 8, "indent": 2, "view": True, "class_": "note"},
    )


def test_the_nearest_file_upward_holds(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    outermost = write(tmp_path, 'target = "skyline"')
    assert config.find(inner).path == outermost
    config._find.cache_clear()
    write(tmp_path / "a", "[tool.ruff]\nignore = []  # nothing on wxtext", "pyproject.toml")
    assert config.find(inner).path == outermost
    config._find.cache_clear()
    nearer = write(tmp_path / "a", "[tool.wxtext]", "pyproject.toml")
    assert config.find(inner).path == nearer
    config._find.cache_clear()
    beside = write(tmp_path / "a", "")
    assert config.find(inner).path == beside


def test_without_a_file_there_are_defaults() -> None:
    assert config.find(Path("/nowhere/at/all")) == Config()
    assert Config().convert_options() == {"target": "auto"}


def test_a_pyproject_without_wxtext_cannot_be_asked_for(tmp_path: Path) -> None:
    assert message(tmp_path, "[tool.ruff]", "pyproject.toml") == "there is no [tool.wxtext] in it"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ignor = []", "ignor is not known; did you mean 'ignore'?"),
        ("preserving_classes = []", "preserving_classes is not known; did you mean 'preserving-classes'?"),
        (
            "[x]",
            "x is not known; there are: target, select, ignore, preserving-classes, severities, "
            "per-file-ignores, rules, convert",
        ),
        ("target = 'web'", "target is 'web', which is not one of auto, webview, glass-easel, skyline"),
        ("ignore = ['string-bolean']", "no rule is called 'string-bolean'; did you mean 'string-boolean'?"),
        ("select = ['string_boolean']", "no rule is called 'string_boolean'; did you mean 'string-boolean'?"),
        ("ignore = 'string-boolean'", 'ignore has to be a list of names: ["...", "..."]'),
        ("ignore = [1]", 'ignore has to be a list of names: ["...", "..."]'),
        ("severities = 1", "severities has to be a table"),
        (
            "[severities]\nstring-bolean = 'info'",
            "no rule is called 'string-bolean'; did you mean 'string-boolean'?",
        ),
        (
            "[severities]\nstring-boolean = 'fatal'",
            "severities.string-boolean is 'fatal', which is not one of error, warning, info",
        ),
        (
            "[per-file-ignores]\n'*' = ['string-bolean']",
            "no rule is called 'string-bolean'; did you mean 'string-boolean'?",
        ),
        (
            "[rules]\nstring-boolean = {xpath = '//a', message = 'm'}",
            "a rule is called 'string-boolean' already; find another name",
        ),
        ("[rules]\na = {xpath = '//a'}", "rules.a.message has to be a text"),
        ("[rules]\na = {xpat = '//a'}", "rules.a.xpat is not known; did you mean 'xpath'?"),
        ("[rules]\na = '//a'", "rules.a has to be a table"),
        ("[convert]\nspaces = 'emsp'", "convert.spaces is not known; did you mean 'space'?"),
        ("[convert]\nview = 'yes'", "convert.view cannot be 'yes'"),
        ("[convert]\ntab-width = true", "convert.tab-width cannot be True"),
        ("[convert]\ntab-width = -1_000_001", "convert.tab-width cannot be -1000001"),
        ("[convert]\ntab-width = 0x" + "f" * 9_999, "convert.tab-width cannot be 0x" + "f" * 58 + "…"),
        ("target = 0x" + "f" * 9_999, f"target is 0x{'f' * 58}…, which is not one of {TARGETS}"),
        ("target = '" + "a" * 99_999 + "'", f"target is '{'a' * 59}…, which is not one of {TARGETS}"),
        ("x = " + "[" * 100_000, "is nested too deeply"),
        ("x = " + "{a=" * 50_000, "is nested too deeply"),
        ("a." * 100_000 + "a = 1", "is nested too deeply"),
        ("[" + '"". ' * 50_000 + "a]", "is nested too deeply"),
        ("[rules]\n" + "'a'.'b' . " * 25 + "a = 1", "is nested too deeply"),
        (
            "target" + ".a" * 40 + " = 1",
            "target is " + "{'a': " * 10 + f"…, which is not one of {TARGETS}",
        ),
        ("#" * LARGEST + "\n", f"is not read, because it is larger than {LARGEST} bytes"),
        (
            "[rules]\n\"\\u001b]0;x\" = {xpath = '//a', message = 'm'}",
            r"a rule cannot be called '\x1b]0;x'; write its name in a-z, 0-9 and -",
        ),
        (
            "[rules]\nA = {xpath = '//a', message = 'm'}",
            "a rule cannot be called 'A'; write its name in a-z, 0-9 and -",
        ),
        ("[convert]\nerrors = 'ignore'", "convert.errors is 'ignore', which is not one of strict, replace"),
        (
            "[convert]\nspace = 'tab'",
            "[convert] space: 'tab' is not one of auto, ensp, emsp, nbsp",
        ),
        ("[convert", "Expected ']' at the end of a table declaration (at end of document)"),
    ],
)
def test_mistakes(text: str, expected: str, tmp_path: Path) -> None:
    assert message(tmp_path, text) == expected


def test_keys_have_their_full_names_in_pyproject(tmp_path: Path) -> None:
    text = "[tool.wxtext.convert]\nspaces = 1"
    expected = "tool.wxtext.convert.spaces is not known; did you mean 'space'?"
    assert message(tmp_path, text, "pyproject.toml") == expected
    assert message(tmp_path, "tool.wxtext = 1", "pyproject.toml") == "tool.wxtext has to be a table"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        config.load(tmp_path / "no.toml")
    path = tmp_path / "wxtext.toml"
    path.write_bytes(b"# \xff")
    with pytest.raises(ConfigError, match="is not valid UTF-8"):
        config.load(path)
    path.write_bytes(b'\xef\xbb\xbftarget = "skyline"\r\n')
    assert config.load(path).target == "skyline"


def test_settings(tmp_path: Path) -> None:
    text = f"""
        select = ["{RULE}", "a"]
        preserving-classes = ["poem"]
        [per-file-ignores]
        "old/" = ["{RULE}"]
        "*.tpl.wxml" = ["a"]
        "!old/new.wxml" = []
        [rules]
        a = {{xpath = "//a", message = "m"}}
        """
    found = config.load(write(tmp_path, text))
    settings = found.settings(tmp_path / "page.wxml", components=frozenset({"p"}))
    assert [rule.name for rule in settings.rules] == [RULE, "a"]
    assert settings.preserving_classes == {"poem"}
    assert settings.components == {"p"}
    assert found.settings().ignore == frozenset()
    assert found.settings(tmp_path / "x" / "old" / "deep" / "page.wxml").ignore == {RULE}
    assert found.settings(tmp_path / "old" / "a.tpl.wxml").ignore == {RULE, "a"}
    assert found.settings(tmp_path.parent / "old" / "page.wxml").ignore == frozenset()
    chosen = found.settings(select=frozenset({"a"}), ignore=frozenset({RULE}), info=True)
    assert (chosen.select, chosen.ignore) == (frozenset({"a"}), frozenset({RULE}))
    assert chosen.info
    with pytest.raises(ConfigError, match="no rule is called 'b'"):
        found.settings(ignore=frozenset({"b"}))


def test_wrong_xpath_names_the_file_and_the_rule(tmp_path: Path) -> None:
    path = write(tmp_path, "[rules]\na = {xpath = '//[', message = 'm'}")
    with pytest.raises(ConfigError) as caught:
        config.load(path).settings()
    assert str(caught.value) == f"{path}: rule 'a': '//[' is not right: Invalid expression"


def test_every_option_of_convert_can_be_set() -> None:
    options = {
        max(parameter.opts, key=len).removeprefix("--"): parameter.name
        for parameter in convert_command.params
        if parameter.opts[0].startswith("-")
    }
    for key in "output", "force", "config":
        del options[key]
    assert options == {key: name for key, (name, _types) in CONVERT_OPTIONS.items()}
    assert set(Options._fields) <= set(options.values())


def test_a_path_of_a_template_counts_from_the_file(tmp_path: Path) -> None:
    text = "[convert]\ntemplate = '{}'"
    for template in "card.wxml.j2", "t/card":
        found = config.load(write(tmp_path, text.format(template)))
        assert found.convert["template"] == str(tmp_path / template)
    assert config.load(write(tmp_path, text.format("page"))).convert["template"] == "page"


def test_nearest_names_all_where_none_is_near() -> None:
    assert nearest("zzz", NAMES) == f"there are: {', '.join(NAMES)}"


@posix
def test_a_file_that_is_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    write(tmp_path, "target = 'skyline'  # wxtext", "secret")
    write(project, "target = 'skyline'", "shared")
    for name in "wxtext.toml", "pyproject.toml":
        (project / name).symlink_to("../secret")
        with pytest.raises(ConfigError, match=r"is a link out of the project; if it is meant, name it with"):
            config.find(project / "sub") if name == "wxtext.toml" else config.find(project)
        config.forget()
        (project / name).unlink()
    link = project / "wxtext.toml"
    link.symlink_to("../secret")
    assert config.load(link).target == "skyline"
    link.unlink()
    (project / "sub" / "wxtext.toml").symlink_to("../shared")
    with pytest.raises(ConfigError, match="is a link out of the project"):
        config.find(project / "sub")
    config.forget()
    (project / ".git").mkdir()
    assert config.find(project / "sub").target == "skyline"


@posix
def test_pipes_and_devices_are_no_configuration(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "wxtext.toml")
    (tmp_path / "pyproject.toml").symlink_to("/dev/zero")
    assert config.find(tmp_path) == Config()
    with pytest.raises(ConfigError, match="because it is larger than"):
        config.load(Path("/dev/zero"))


@posix
def test_folders_may_be_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, "target = 'skyline'")
    with deep_folders("d", 900):
        assert config.find(Path(*["d"] * 900)).path == path


def test_many_patterns_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "*a" * 8 + "*b"
    lines = [f"'{hostile}{number}' = ['{RULE}']" for number in range(1_000)]
    found = config.load(write(tmp_path, "[per-file-ignores]\n" + "\n".join(lines)))
    read: list[object] = []
    monkeypatch.setattr(patterns.Patterns, "__init__", note_calls(patterns.Patterns.__init__, read))
    parsed: list[object] = []
    monkeypatch.setattr(patterns, "_parts", note_calls(patterns._parts, parsed))
    for number in range(100):
        assert found.settings(tmp_path / f"{'a' * 200}{number}.wxml").ignore == frozenset()
    assert (len(read), len(parsed)) == (1_000, 1_000)
    assert found.settings(tmp_path / f"{'a' * 200}b7").ignore == {RULE}


def note_calls(function: Callable[..., Any], calls: list[Any]) -> Callable[..., Any]:
    """Make a function that does the same and notes that it was called."""

    def noting(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        return function(*arguments, **named)

    return noting

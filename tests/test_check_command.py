"""`wxtext check` and `wxtext explain`: what is looked at, what is written, exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import ENVIRONMENT, Result, Run, close_folder
from wxtext import discovery, fixer, lint
from wxtext.fixer import fix_on
from wxtext.layout import show_variants
from wxtext.lint import Settings, check_on
from wxtext.page import Page
from wxtext.problem import Edit, Finding, Severity
from wxtext.rules import NAMES, Rule, load
from wxtext.semantics import Target

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX terminals and permissions")

GOOD = "<text>一</text>\n"
BAD = '<text decode="false">一</text>\n'
MENDED = '<text decode="{{false}}">一</text>\n'


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)


def write(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def found(result: Result) -> list[str]:
    """The first lines of the problems in a text report."""
    return re.findall(r"^\S+:\d+:\d+: \w+ [a-z-]+", result.out, re.MULTILINE)


# What is looked at.


def test_without_a_path_everything_below_is_checked(run: Run) -> None:
    write("a.wxml", BAD)
    write("pages/b/b.wxml", GOOD)
    write("pages/c/c.wxml", BAD)
    write("node_modules/d.wxml", BAD)
    write("miniprogram_npm/d.wxml", BAD)
    write("pages/dist/d.wxml", BAD)
    write("ignored/d.wxml", BAD)
    write(".gitignore", "ignored\n")
    result = run("check")
    assert result.code == 1
    assert found(result) == [
        "a.wxml:1:15: error string-boolean",
        "pages/c/c.wxml:1:15: error string-boolean",
    ]
    assert result.out.endswith("\n2 errors in 3 files; 2 can be fixed with --unsafe-fixes\n")
    assert result.err == ""
    assert run("check", ".") == result
    assert found(run("check", "pages", "a.wxml", "pages")) == [*reversed(found(result))]
    # What is named is looked at, whatever git says.
    assert found(run("check", "ignored/d.wxml")) == ["ignored/d.wxml:1:15: error string-boolean"]


def test_clean(run: Run) -> None:
    write("a.wxml", GOOD)
    assert run("check") == (0, "no problems in 1 file\n", "")
    assert run("check", "-", stdin=GOOD) == (0, "no problems in 1 file\n", "")
    assert run("check", "-", stdin="") == (0, "no problems in 1 file\n", "")


def test_nothing_to_check_is_a_failure(run: Run) -> None:
    def said(folder: str, *left_out: str) -> str:
        what_to_do = "name another folder"
        if left_out:
            what_to_do = f"left out are {', '.join(left_out)}: name one of them to check it"
        return (
            f"wxtext: error: {folder}: there is no .wxml file to check here; {what_to_do}, "
            "or accept that with --allow-empty\n"
        )

    write("a.txt", BAD)
    write("old/.gitignore", "*.wxml\n")
    write("old/a.wxml", BAD)
    Path("pages").mkdir()
    nothing = (0, "no problems in 0 files\n", "")
    everywhere = said(".", "old/a.wxml")
    assert run("check") == (2, "", everywhere)
    assert run("check", "pages", ".", "pages") == (2, "", said("pages") + everywhere)
    for option in "--fix", "--unsafe-fixes", "--diff", "--info":
        assert run("check", option, "pages") == (2, "", said("pages"))
    assert run("check", "--allow-empty") == run("check", "pages", "--allow-empty", ".") == nothing
    assert json.loads(run("check", "--format", "json").out)["failures"] == [
        everywhere.removeprefix("wxtext: error: ").rstrip()
    ]
    # A folder whose files git ignores has none to check, even if it is named; a file that is named is.
    assert run("check", "old") == (2, "", said("old", "old/a.wxml"))
    assert run("check", "old", "--allow-empty") == nothing
    assert found(run("check", "old/a.wxml")) == ["old/a.wxml:1:15: error string-boolean"]
    # Folders of what is built are left out as well; .git is nobody's place for pages.
    for folder in "dist", ".git", "node_modules":
        write(f"app/{folder}/a.wxml", BAD)
    assert run("check", "app") == (2, "", said("app", "app/dist", "app/node_modules"))
    for n in range(3):
        write(f"app/{n}/dist/a.wxml", BAD)
    names = "app/0/dist, app/1/dist, app/2/dist and 2 more"
    assert run("check", "app") == (2, "", said("app", names))
    # Others are checked all the same, and standard input is a file.
    write("b/b.wxml", BAD)
    result = run("check", "pages", "b")
    assert (result.code, found(result), result.err) == (
        2,
        ["b/b.wxml:1:15: error string-boolean"],
        said("pages"),
    )
    assert run("check", "b", ".", "--allow-empty").code == 1
    assert run("check", "-", stdin=GOOD).code == 0


@pytest.mark.parametrize("option", [(), ("--target", "webview"), ("--fix",), ("--diff",)])
def test_what_a_broken_json_concerns_is_not_checked(option: tuple[str, ...], run: Run) -> None:
    """Whether the app is one of Skyline cannot be known, so that fixes would be wrong too."""
    write("app/app.json", "{'renderer': 'skyline'}")
    write("app/pages/a.wxml", BAD)
    write("app/pages/b.wxml", BAD)
    write("app/c.wxml", BAD)
    write("other/d.wxml", GOOD)
    result = run("check", *option)
    assert result.code == 2
    assert result.err.startswith(
        f"wxtext: error: {Path('app', 'app.json')}:1:2: this is no JSON: Expecting property name "
        "enclosed in double quotes; the target of its pages is unknown until this is corrected\n"
    )
    assert result.err.count("app.json") == 1
    assert "no problems in 1 file" in result.out + result.err
    assert Path("app/c.wxml").read_text("utf-8") == BAD
    write("app/app.json", '{"renderer": "skyline", /* soon */}')
    assert run("check", "app").code == 1


def test_the_likely_encoding_of_a_page_is_named(run: Run) -> None:
    page = "<text>版本更新说明：修复了若干问题，優化</text>"
    for encoding, label in ("gbk", "GB18030"), ("utf-16", "UTF-16-LE"):
        Path("a.wxml").write_bytes(page.encode(encoding))
        lines = run("check", "a.wxml").out.split("\n")
        assert any(line.endswith(f"save the file as UTF-8 (it looks like {label})") for line in lines), lines
    Path("a.wxml").write_bytes(b"<text>\xff</text>")
    assert "looks like" not in run("check", "a.wxml").out


def test_standard_input(run: Run) -> None:
    result = run("check", "-", stdin=BAD)
    assert (result.code, found(result)) == (1, ["-:1:15: error string-boolean"])
    write("app.json", '{"renderer": "skyline"}')
    write("wxtext.toml", 'severities = {string-boolean = "info"}')
    assert "-:1:15: error string-boolean" not in found(run("check", "-", stdin=BAD))


def test_files_that_cannot_be_read_do_not_stop_the_others(run: Run) -> None:
    write("a.wxml", BAD)
    result = run("check", "no.wxml", "a.wxml")
    assert result.code == 2
    assert found(result) == ["a.wxml:1:15: error string-boolean"]
    assert result.err == "wxtext: error: no.wxml: No such file or directory\n"
    report = json.loads(run("check", "no.wxml", "a.wxml", "--format", "json").out)
    assert report["failures"] == ["no.wxml: No such file or directory"]
    assert report["summary"]["files"] == 1
    # Where nothing is looked at, nothing is said of problems.
    for option in "--fix", "--diff", "--info":
        assert run("check", option, "no.wxml") == (
            2,
            "",
            "wxtext: error: no.wxml: No such file or directory\n",
        )


def test_folders_that_cannot_be_read_do_not_stop_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_folder(monkeypatch, "closed")
    for name in "a.wxml", "closed/b.wxml", "z.wxml":
        write(name, BAD)
    result = run("check")
    assert (result.code, result.err) == (2, "wxtext: error: closed: Permission denied\n")
    assert found(result) == ["a.wxml:1:15: error string-boolean", "z.wxml:1:15: error string-boolean"]
    assert run("check", "closed") == (2, "", result.err)
    result = run("check", "--unsafe-fixes", "closed", "z.wxml")
    assert (result.code, result.out) == (2, "1 file fixed; no problems in 1 file\n")


def test_a_file_of_several_names_is_checked_once(run: Run) -> None:
    write("sub/a.wxml", BAD)
    for paths in (
        ("sub/a.wxml", "./sub/a.wxml"),
        ("sub", "sub/../sub/a.wxml"),
        ("sub/a.wxml", str(Path("sub").absolute()), "."),
    ):
        assert len(found(run("check", *paths))) == 1
    write("b.wxml", BAD)
    assert len(found(run("check", "-", "b.wxml", "./b.wxml", "-", stdin=BAD))) == 2


@posix
def test_a_link_to_a_file_is_a_page_of_its_own(run: Run) -> None:
    write("sub/a.wxml", BAD)
    Path("b.wxml").symlink_to("sub/a.wxml")
    Path("folder").symlink_to("sub")
    assert len(found(run("check", "folder", "b.wxml", "sub/a.wxml", "sub"))) == 2


def test_wxml_that_is_not_utf8(run: Run) -> None:
    write("a.wxml", "<text>\n一".encode() + b"\xff</text>")
    write("b.wxml", GOOD.encode("utf-16"))
    result = run("check")
    assert result.code == 1
    assert found(result) == ["a.wxml:2:2: error syntax", "b.wxml:1:1: error syntax"]
    assert "   2 │ 一\ufffd</text>\n     │   ^\n" in result.out
    before = Path("a.wxml").read_bytes()
    assert run("check", "--unsafe-fixes") == result
    assert run("check", "--diff").out == ""
    assert Path("a.wxml").read_bytes() == before
    if "syntax" in NAMES:
        assert run("check", "--ignore", "syntax").code == 0
        assert run("check", "--select", "string-boolean").code == 0


def test_wxml_that_no_package_could_hold(run: Run) -> None:
    """Twice what a package may have is looked at; more is not read, however much it is."""
    Path("a.wxml").write_bytes(b" " * (4 << 20))
    assert run("check") == (0, "no problems in 1 file\n", "")
    Path("b.wxml").write_bytes(b" " * ((4 << 20) + 1))
    message = "wxtext: error: b.wxml: is not read, because it is larger than 4194304 bytes\n"
    assert run("check") == (2, "no problems in 1 file\n", message)
    assert run("check", "--fix", "-", stdin=Path("b.wxml").read_bytes()).code == 2


def test_a_byte_order_mark_moves_columns(run: Run) -> None:
    write("a.wxml", "\ufeff" + BAD)
    assert "a.wxml:1:16: error string-boolean" in found(run("check"))


# Which rules, on which target.


def test_select_and_ignore(run: Run) -> None:
    write("a.wxml", BAD)
    assert run("check", "--ignore", "string-boolean,unused-suppression").code == 0
    assert run("check", "--ignore", "unused-suppression", "--ignore", "string-boolean").code == 0
    assert run("check", "--select", "unused-suppression").code == 0
    assert run("check", "--select", "string-boolean, unused-suppression").code == 1
    for option in "--select", "--ignore":
        assert run("check", option, "string-bolean") == (
            2,
            "",
            "wxtext: error: no rule is called 'string-bolean'; did you mean 'string-boolean'?\n",
        )


def test_suppressions(run: Run) -> None:
    write("a.wxml", f"<!-- wxtext-ignore string-boolean -->\n{BAD}")
    assert run("check").code == 0
    # A rule that is not asked does not make its suppressions useless.
    assert run("check", "--ignore", "string-boolean").code == 0
    write("a.wxml", f"<!-- wxtext-ignore string-boolean -->\n{GOOD}")
    assert found(run("check")) == ["a.wxml:1:1: warning unused-suppression"]


def test_info_never_fails(run: Run) -> None:
    write("a.wxml", BAD)
    write("wxtext.toml", 'severities = {string-boolean = "info"}')
    assert run("check") == (0, "no problems in 1 file\n", "")
    result = run("check", "--info")
    assert (result.code, found(result)) == (0, ["a.wxml:1:15: info string-boolean"])


def test_configuration(run: Run) -> None:
    write("wxtext.toml", '[per-file-ignores]\n"old/" = ["string-boolean"]')
    write("old/a.wxml", BAD)
    write("new/a.wxml", BAD)
    write("new/wxtext.toml", '[rules]\nno-style = {xpath = "//@style", message = "use a class"}')
    write("new/b.wxml", '<text style="color: red">一</text>')
    assert found(run("check")) == [
        "new/a.wxml:1:15: error string-boolean",
        "new/b.wxml:1:7: warning no-style",
    ]
    assert found(run("check", "--config", "wxtext.toml")) == ["new/a.wxml:1:15: error string-boolean"]
    write("wxtext.toml", "ignor = []")
    result = run("check", "old")
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith("wxtext.toml: ignor is not known; did you mean 'ignore'?\n")
    assert run("check", "--config", "no.toml").code == 2


def test_a_bad_configuration_does_not_stop_the_others(run: Run) -> None:
    for name in "a.wxml", "sub/b.wxml", "sub/deep/c.wxml", "z.wxml":
        write(name, BAD)
    path = write("sub/wxtext.toml", "bad = 1").absolute()
    error = f"wxtext: error: {path}: bad is not known; "
    result = run("check")
    assert (result.code, found(result)) == (
        2,
        ["a.wxml:1:15: error string-boolean", "z.wxml:1:15: error string-boolean"],
    )
    assert result.err.startswith(error)
    assert result.err.count("\n") == 1
    report = json.loads(run("check", "--format", "json").out)
    assert [failure.split(";")[0] for failure in report["failures"]] == [f"{path}: bad is not known"]
    result = run("check", "--unsafe-fixes")
    assert (result.code, result.out) == (2, "2 files fixed; no problems in 2 files\n")
    assert result.err.startswith(error)
    assert Path("z.wxml").read_text("utf-8") == MENDED
    assert Path("sub/b.wxml").read_text("utf-8") == BAD
    # Of a rule that is known only there, too, one line is said.
    write("sub/wxtext.toml", '[rules]\nmine = {xpath = "//text", message = "m"}')
    result = run("check", "--select", "mine")
    assert (result.code, found(result)) == (
        2,
        ["sub/b.wxml:1:1: warning mine", "sub/deep/c.wxml:1:1: warning mine"],
    )
    assert result.err.count("no rule is called 'mine'") == 1


def test_a_rule_of_ones_own_that_fails_does_not_stop_the_others(run: Run) -> None:
    for name in "a.wxml", "b.wxml", "c.wxml":
        write(name, BAD)
    path = write(
        "wxtext.toml",
        '[rules]\nwrong = {xpath = "//text[$x]", message = "m"}\nright = {xpath = "//text", message = "m"}',
    ).absolute()
    for command in ("check",), ("check", "--unsafe-fixes"):
        result = run(*command)
        assert result.code == 2
        assert [line for line in found(result) if line.endswith("right")] == [
            "a.wxml:1:1: warning right",
            "b.wxml:1:1: warning right",
            "c.wxml:1:1: warning right",
        ]
        assert result.err == (
            f"wxtext: error: {path}: rule 'wrong': '//text[$x]' is not right: Undefined variable\n"
        )
    assert Path("c.wxml").read_text("utf-8") == MENDED


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The targets that files are checked for."""
    targets: list[str] = []
    real = lint.check

    def check(source: str, target: Target = "webview", settings: Settings | None = None) -> Any:
        targets.append(target)
        return real(source, target, settings)

    monkeypatch.setattr(lint, "check", check)
    return targets


def test_targets(run: Run, seen: list[str]) -> None:
    write("app.json", '{"pages": ["a", "b"], "componentFramework": "glass-easel"}')
    write("b.json", '{"renderer": "skyline"}')
    write("p.json", '{"component": true}')
    for name in "a.wxml", "b.wxml", "p.wxml":
        write(name, BAD)
    run("check")
    assert seen == ["glass-easel", "skyline", "glass-easel", "skyline"]
    seen.clear()
    run("check", "--target", "webview")
    assert seen == ["webview"] * 3
    seen.clear()
    write("wxtext.toml", 'target = "skyline"')
    run("check", "a.wxml")
    assert seen == ["skyline"]
    seen.clear()
    run("check", "a.wxml", "--target", "auto")
    assert seen == ["glass-easel"]


def rule(
    name: str, targets: set[str], severity: Severity = Severity.ERROR, changes: str | None = None
) -> Rule:
    """A rule that finds every `※` on some targets, and with `changes` makes it this."""

    def check(page: Page) -> Iterator[Finding]:
        for match in re.finditer("※", page.source):
            if page.target in targets:
                edits = None if changes is None else (Edit(*match.span(), changes),)
                yield Finding(*match.span(), f"{name} on {page.target}", edits, unsafe=edits is not None)

    return Rule(name, severity, check, name, re.compile("."))


def both(*rules: Rule) -> Settings:
    return Settings(select=frozenset(rule.name for rule in rules), own_rules=rules)


WEB_AND_SKYLINE: tuple[Target, Target] = ("webview", "skyline")


def test_problems_of_several_targets_are_merged() -> None:
    everywhere = rule("everywhere", {"webview", "skyline"}, Severity.WARNING)
    [(problem, on)] = check_on(WEB_AND_SKYLINE, "<text>※</text>", both(everywhere))
    assert (problem.message, on) == ("everywhere on webview", WEB_AND_SKYLINE)
    graver = rule("graver", {"skyline"})
    [(problem, on)] = check_on(WEB_AND_SKYLINE, "<text>※</text>", both(everywhere, graver))
    assert (problem.rule, on) == ("graver", ("skyline",))
    [(problem, on)] = check_on(("webview",), "<text>※</text>", both(everywhere, graver))
    assert (problem.rule, on) == ("everywhere", ("webview",))


def test_a_suppression_is_used_if_any_target_needs_it() -> None:
    own = rule("own", {"skyline"})
    settings = Settings(own_rules=(own,), select=frozenset({"own", "unused-suppression"}))
    assert check_on(WEB_AND_SKYLINE, "<!-- wxtext-ignore own -->\n<text>※</text>", settings) == []
    [(problem, on)] = check_on(WEB_AND_SKYLINE, "<!-- wxtext-ignore own -->\n<text>y</text>", settings)
    assert (problem.rule, on) == ("unused-suppression", WEB_AND_SKYLINE)


def test_a_fix_has_to_be_right_on_all_targets() -> None:
    source = "<text>※</text>"
    entity = rule("own", {"webview"}, changes="&B;")  # which glass-easel refuses
    assert fix_on(("webview",), source, both(entity), unsafe=True) == "<text>&B;</text>"
    assert fix_on(WEB_AND_SKYLINE, source, both(entity), unsafe=True) == source
    for target in WEB_AND_SKYLINE:
        assert (
            fix_on(WEB_AND_SKYLINE, source, both(rule("own", {target}, changes="y")), unsafe=True)
            == "<text>y</text>"
        )


# Mending.


def test_fix(run: Run) -> None:
    write("a.wxml", BAD)
    write("b.wxml", GOOD)
    untouched = Path("b.wxml").stat().st_mtime_ns
    assert run("check", "--unsafe-fixes") == (0, "1 file fixed; no problems in 2 files\n", "")
    assert Path("a.wxml").read_text("utf-8") == MENDED
    assert Path("b.wxml").stat().st_mtime_ns == untouched
    assert run("check", "--unsafe-fixes") == (0, "no problems in 2 files\n", "")
    assert sorted(path.name for path in Path().iterdir()) == ["a.wxml", "b.wxml"]


def test_fix_makes_safe_fixes_alone(run: Run) -> None:
    write("a.wxml", f"{BAD}<text>1 &lt; 2</text>\n")
    result = run("check")
    assert result.out.endswith(
        "\n2 errors in 1 file; 1 can be fixed with --fix, 1 more with --unsafe-fixes\n"
    )
    assert [line for line in result.out.splitlines() if line.endswith(" [unsafe fix]")] == [
        "a.wxml:1:15: error string-boolean: `decode` is a string here, and so always true; "
        "write `{{false}}` [unsafe fix]"
    ]
    result = run("check", "--fix")
    assert (result.code, found(result)) == (1, ["a.wxml:1:15: error string-boolean"])
    assert result.out.endswith("\n1 file fixed; 1 error in 1 file; 1 can be fixed with --unsafe-fixes\n")
    assert Path("a.wxml").read_text("utf-8") == f"{BAD}<text>1 {{{{'<'}}}} 2</text>\n"
    assert run("check", "--diff").out == ""
    assert run("check", "--unsafe-fixes") == (0, "1 file fixed; no problems in 1 file\n", "")


def test_unsafe_fixes_are_marked_in_every_format(run: Run) -> None:
    write("a.wxml", BAD)
    [problem] = json.loads(run("check", "--format", "json").out)["problems"]
    assert problem["unsafe"] is True
    [result] = json.loads(run("check", "--format", "sarif").out)["runs"][0]["results"]
    assert result["fixes"][0]["description"] == {"text": "unsafe fix"}
    assert run("check", "--format", "github").out.endswith(" [unsafe fix]\n")


def test_fix_reports_what_is_left(run: Run) -> None:
    write("a.wxml", f"{BAD}<!-- wxtext-ignore foo -->\n{GOOD}")
    result = run("check", "--unsafe-fixes")
    assert (result.code, found(result)) == (1, ["a.wxml:2:1: warning unused-suppression"])
    assert result.out.endswith("\n1 file fixed; 1 warning in 1 file\n")
    assert json.loads(run("check", "--unsafe-fixes", "--format", "json").out)["summary"]["mended"] == 0


def test_what_fix_refused_is_not_said_to_be_fixable(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(source: str, target: Target) -> list[str] | None:
        return None if "{{" in source else show_variants(source, target)

    monkeypatch.setattr(fixer, "show_variants", refusing)
    path = write("a.wxml", BAD)
    result = run("check", "--unsafe-fixes")
    assert (result.code, found(result)) == (1, ["a.wxml:1:15: error string-boolean"])
    assert result.out.endswith("\n1 error in 1 file\n")
    assert path.read_text("utf-8") == BAD
    assert json.loads(run("check", "--unsafe-fixes", "--format", "json").out)["summary"]["fixable"] == 0


def test_fix_leaves_every_other_byte_alone(run: Run) -> None:
    before = "<view>\r\n\t" + BAD.strip() + "\r\r\n\u2028\x0b</view><!-- \u00e9 -->"
    path = write("a.wxml", before)
    assert run("check", "--unsafe-fixes", "--select", "string-boolean").code == 0
    assert path.read_bytes() == before.replace('"false"', '"{{false}}"').encode()


@posix
def test_fix_keeps_permissions_and_follows_links(run: Run) -> None:
    path = write("real/a.wxml", BAD)
    path.chmod(0o640)
    Path("b.wxml").symlink_to(path)
    assert run("check", "--unsafe-fixes", "b.wxml").code == 0
    assert Path("b.wxml").is_symlink()
    assert path.read_text("utf-8") == MENDED
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_fix_of_a_file_that_is_write_protected(run: Run) -> None:
    path = write("a.wxml", BAD)
    path.chmod(0o444)
    write("b.wxml", BAD)
    result = run("check", "--unsafe-fixes")
    assert result.code == 2
    assert result.err == "wxtext: error: a.wxml: is write-protected\n"
    assert found(result) == ["a.wxml:1:15: error string-boolean"]
    assert Path("b.wxml").read_text("utf-8") == MENDED


def test_fix_of_standard_input_is_printed(run: Run) -> None:
    source = f"{BAD}<!-- wxtext-ignore foo -->\r\n{GOOD}"
    code, out, err = run("check", "--unsafe-fixes", "-", stdin=source)
    assert (code, out) == (1, source.replace(BAD, MENDED))
    assert err.startswith("-:2:1: warning unused-suppression: ")
    assert run("check", "--unsafe-fixes", "-", stdin=GOOD) == (0, GOOD, "no problems in 1 file\n")
    # What cannot be read passes as it is; a report never comes in its place.
    code, out, err = run("check", "--unsafe-fixes", "-", stdin=b"\xff<br/>\r\n")
    assert (code, out) == (1, "\udcff<br/>\r\n")
    assert err.startswith("-:1:1: error syntax: ")


def test_diff_names_files_from_the_current_folder(run: Run, tmp_path: Path) -> None:
    write("pages/a.wxml", BAD)
    for path in ("pages/a.wxml", "./pages/../pages/a.wxml", str(tmp_path / "pages" / "a.wxml")):
        assert run("check", "--diff", "--unsafe-fixes", path).out.startswith(
            "--- a/pages/a.wxml\n+++ b/pages/a.wxml\n"
        )


@posix
def test_fix_leaves_a_pipe_alone() -> None:
    os.mkfifo("a.wxml")
    command = [sys.executable, "-m", "wxtext", "check", "--unsafe-fixes", "a.wxml"]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=-1, stderr=-1) as process:
        Path("a.wxml").write_text(BAD, "utf-8")
        _out, err = process.communicate()
    assert process.returncode == 2
    expected = "wxtext: error: a.wxml: is no file that can be replaced; use - and pipes"
    assert err.decode().splitlines()[0] == expected
    assert stat.S_ISFIFO(Path("a.wxml").stat().st_mode)


@pytest.mark.skipif(shutil.which("git") is None, reason="git applies the diff")
def test_diff_is_what_fix_does(run: Run) -> None:
    sources = {
        "a.wxml": BAD,
        "pages/b.wxml": f"<view>\r\n{BAD.strip()}\r\n\u2028</view>",
        "c.wxml": GOOD,
    }
    for name, source in sources.items():
        write(name, source)
    select = "--select", "string-boolean"
    result = run("check", "--diff", "--unsafe-fixes", *select)
    assert result.code == 1
    assert result.err == "2 errors in 3 files; 2 can be fixed with --unsafe-fixes\n"
    assert all(Path(name).read_bytes() == source.encode() for name, source in sources.items())
    subprocess.run(["git", "apply", "-"], input=result.out.encode(), check=True)
    applied = {name: Path(name).read_bytes() for name in sources}
    for name, source in sources.items():
        write(name, source)
    assert run("check", "--unsafe-fixes", *select).code == 0
    assert applied == {name: Path(name).read_bytes() for name in sources}
    assert run("check", "--diff", "--unsafe-fixes", *select) == (0, "", "no problems in 3 files\n")


def test_diff_is_no_report(run: Run) -> None:
    code, out, err = run("check", "--diff", "--format", "json")
    assert (code, out) == (2, "")
    assert err.startswith("wxtext: error: --diff is a format of its own")


# Baselines.


def test_baseline(run: Run) -> None:
    write("pages/a.wxml", BAD * 2)
    args = ("check", "--baseline", "known/base.json")
    Path("known").mkdir()
    assert run(*args) == (0, "no problems in 1 file\n", "known/base.json: problems recorded: 2\n")
    assert run(*args) == (0, "no problems in 1 file\n", "")
    # They may move, be mended, or be found from another folder; what comes is reported.
    write("pages/a.wxml", f"{GOOD}\n  {BAD}")
    assert run(*args).code == 0
    write("pages/a.wxml", GOOD + BAD * 3)
    write("pages/b.wxml", BAD)
    result = run(*args)
    assert (result.code, found(result)) == (
        1,
        ["pages/a.wxml:4:15: error string-boolean", "pages/b.wxml:1:15: error string-boolean"],
    )
    os.chdir("pages")
    assert found(run("check", "--baseline", "../known/base.json")) == [
        "a.wxml:4:15: error string-boolean",
        "b.wxml:1:15: error string-boolean",
    ]


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_baseline_mends_nothing(option: str, run: Run) -> None:
    write("a.wxml", BAD)
    for _ in range(2):
        code, out, err = run("check", "--baseline", "base.json", option)
        assert (code, out) == (2, "")
        assert err.startswith("wxtext: error: --baseline is for reports alone, and fixes nothing: ")
        assert not Path("base.json").exists()
    assert Path("a.wxml").read_text("utf-8") == BAD


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"version": 2, "problems": {}}', '{"version": 1}', "\udc80", "[" * 100_000, "<view/>"],
    ids=range(7),
)
def test_what_is_no_baseline(text: str, run: Run) -> None:
    write("base.json", text.encode("utf-8", "surrogateescape"))
    write("a.wxml", BAD)
    assert run("check", "--baseline", "base.json") == (
        2,
        "",
        "wxtext: error: base.json: is no baseline, or a damaged one, or one of another version of wxtext; "
        "restore it from version control, or name another file. To record anew accepts all of today's "
        "problems\n",
    )
    assert Path("base.json").read_bytes() == text.encode("utf-8", "surrogateescape")
    assert run("check", "--baseline", "no/base.json").code == 2


# Output.


def test_colours_are_for_terminals_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.wxml", BAD)
    assert "\x1b" not in run("check").out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[31merror\x1b[0m" in run("check").out
    assert "\x1b" not in run("check", "--format", "github").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("check").out
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in run("check").out


def test_formats(run: Run) -> None:
    write("页面/a.wxml", BAD)
    assert run("check", "--format", "github").out.startswith("::error file=页面/a.wxml,line=1,")
    sarif = json.loads(run("check", "--format", "sarif").out)
    assert sarif["runs"][0]["results"][0]["ruleId"] == "string-boolean"
    result = run("check", "--format", "json")
    assert result.code == 1
    assert json.loads(result.out)["problems"][0]["path"] == "页面/a.wxml"
    assert run("check", "--format", "xml").code == 2


def process(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "wxtext", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, env=ENVIRONMENT | (env or {}))
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_in_a_process_of_its_own() -> None:
    write("页面.wxml", BAD)
    for env in {}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}:
        result = process("check", env=env)
        assert (result.code, found(result)) == (1, ["页面.wxml:1:15: error string-boolean"])


def test_only_what_is_used_is_imported() -> None:
    write("a.wxml", BAD)
    code = (
        "import sys; from wxtext.cli import main; main(); "
        "print(*{'lxml', 'jinja2', 'json', 'tomllib', 'difflib', 'tempfile'} & {*sys.modules})"
    )

    def imported(*arguments: str) -> set[str]:
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT)
        return set(done.stdout.decode().splitlines()[-1].split())

    assert imported("check", "a.wxml") <= {"tempfile"}
    write(".gitignore", "b")
    write("a.json", "{}")
    write("wxtext.toml", "")
    assert imported("check") <= {"tempfile", "json", "tomllib"}
    write("wxtext.toml", '[rules]\na = {xpath = "//a", message = "m"}')
    assert "lxml" in imported("check")


@posix
def test_one_small_file_takes_at_most_ten_times_what_python_takes_to_start() -> None:
    import resource

    write("a.wxml", "<view>\n  <text>一</text>\n</view>\n" * 20)
    environment = {key: value for key, value in ENVIRONMENT.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def seconds(*arguments: str) -> float:
        """Processor time of the quickest of some runs."""
        times = []
        for _ in range(7):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *arguments], check=True, env=environment, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(times)

    assert seconds("-m", "wxtext", "check", "a.wxml") <= 10 * seconds("-c", "pass")


# Explain.


def test_explain_lists_all_rules(run: Run) -> None:
    code, out, err = run("explain")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(NAMES)
    for name, line in zip(NAMES, out.splitlines(), strict=True):
        assert line.split()[1] == load(name).severity.value
        assert line.endswith(load(name).explanation.splitlines()[0])


@pytest.mark.parametrize("name", NAMES)
def test_explain(name: str, run: Run) -> None:
    rule = load(name)
    fixes = {0: "", 1: f"; {' '.join(rule.fixes)} fix", 2: "; safe and unsafe fixes"}[len(rule.fixes)]
    title = f"{name} ({rule.severity.value}{fixes})"
    assert run("explain", name) == (0, f"{title}\n\n{rule.explanation}\n", "")


def test_explain_knows_the_projects_own_rules(run: Run) -> None:
    path = write("wxtext.toml", '[rules]\nno-style = {xpath = "//@style", message = "use a class"}')
    assert run("explain").out.splitlines()[-1].split(maxsplit=2) == ["no-style", "warning", "use a class"]
    assert run("explain", "no-style").out == (
        f"no-style (warning, {path.absolute()})\n\nuse a class\n//@style\n"
    )


def test_explain_tells_the_severity_that_is_set(run: Run) -> None:
    path = write(
        "wxtext.toml",
        'severities = {mine = "error", string-boolean = "info"}\n'
        '[rules]\nmine = {xpath = "//@style", message = "use a class"}',
    )
    lines = {line.split()[0]: line.split()[1] for line in run("explain").out.splitlines()}
    assert (lines["mine"], lines["string-boolean"]) == ("error", "info")
    assert run("explain", "mine").out.startswith(f"mine (error, {path.absolute()})\n")
    assert run("explain", "string-boolean").out.startswith("string-boolean (info; unsafe fix)\n")


def test_explain_an_unknown_rule(run: Run) -> None:
    assert run("explain", "string_boolen") == (
        2,
        "",
        "wxtext: error: no rule is called 'string_boolen'; did you mean 'string-boolean'?\n",
    )


# Convert takes its defaults from the same files.


def test_convert_is_configured(run: Run) -> None:
    write("wxtext.toml", '[convert]\nper = "line"\nview = true\nclass = "p"\nencoding = "gb18030"')
    notes = "一\n二".encode("gb18030")
    assert run("convert", "-", stdin=notes).out == (
        '<view class="p"><text>一</text></view>\n<view class="p"><text>二</text></view>\n'
    )
    given = ("convert", "-", "--no-view", "--class", "q", "--per", "paragraph")
    assert run(*given, stdin=notes).out == '<text class="q">一\\n二</text>\n'
    write("other.toml", "")
    assert run("convert", "-", "--config", "other.toml", stdin="一").out == "<text>一</text>\n"
    write("wxtext.toml", '[convert]\nspace = "tab"')
    assert run("convert", "-").code == 2


def test_convert_finds_the_configuration_of_where_it_writes(run: Run) -> None:
    write("pages/wxtext.toml", '[convert]\nclass = "p"\ntemplate = "card.wxml.j2"')
    write("pages/card.wxml.j2", "[% for block in blocks %]<text>[[ block.text ]]</text>[% endfor %]")
    assert run("convert", "-", stdin="一").out == "<text>一</text>\n"
    assert run("convert", "-", "-o", "pages/a.wxml", stdin="一").code == 0
    assert Path("pages/a.wxml").read_text("utf-8") == (
        "<!-- wxtext:begin -->\n<text>一</text><!-- wxtext:end -->\n"
    )


def test_convert_writes_for_the_target_of_the_page(run: Run) -> None:
    def written(*options: str, name: str = "a.wxml") -> str:
        assert run("convert", "-", "-o", name, *options, stdin="一\n二").code == 0
        return Path(name).read_text("utf-8").splitlines()[1]

    assert written() == r"<text>一\n二</text>"
    write("app.json", '{"pages": ["a", "b"], "renderer": "skyline"}')
    write("b.json", '{"renderer": "webview", "componentFramework": "glass-easel"}')
    write("p.json", '{"component": true}')
    assert written() == r"<view><text>一{{'\n'}}二</text></view>"
    assert written(name="b.wxml") == r"<text>一{{'\n'}}二</text>"
    assert written(name="p.wxml") == r"<view><text>一{{'\n'}}二</text></view>"
    assert written("--target", "webview") == r"<text>一\n二</text>"
    assert run("convert", "-", stdin="一\n二").out == "<view><text>一{{'\\n'}}二</text></view>\n"
    write("wxtext.toml", 'target = "glass-easel"')
    assert written() == r"<text>一{{'\n'}}二</text>"
    assert run("convert", "-", stdin="一\n二").out == "<text>一{{'\\n'}}二</text>\n"
    write("wxtext.toml", 'target = "glass-easel"\n[convert]\ntarget = "auto"')
    assert written() == r"<view><text>一{{'\n'}}二</text></view>"


@pytest.mark.parametrize("alike", [False, True], ids=["elsewhere", "on macOS"])
def test_a_file_is_counted_once_whatever_its_name_is_written_in(
    alike: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS the composed and the decomposed form of a name, and mostly upper and lower case, are one."""
    composed, decomposed = tmp_path / "caf\u00e9.wxml", tmp_path / "Cafe\u0301.wxml"
    composed.touch()
    with contextlib.suppress(FileExistsError):
        os.link(composed, decomposed)  # one file of two names, as they are to macOS
    monkeypatch.setattr(discovery, "_FORMS_ALIKE", alike)
    same = {discovery.identity(str(path), os.path.realpath) for path in (composed, decomposed)}
    assert len(same) == (1 if alike else 2)
    other = tmp_path / "other.wxml"
    other.touch()
    assert discovery.identity(str(other), os.path.realpath) not in same
    missing = discovery.identity(str(tmp_path / "none.wxml"), os.path.realpath)
    assert missing == discovery.identity(str(tmp_path / "." / "none.wxml"), os.path.realpath)

"""Which target the commands take: the same in all of them, for every kind of project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import wxtext
from tests.command import ENVIRONMENT, Run
from wxtext.errors import OptionError

SKYLINE: Final = {"renderer": "skyline", "componentFramework": "glass-easel"}
GLASS_EASEL: Final = {"componentFramework": "glass-easel"}
COMPONENT: Final = {"component": True}
PAGE: Final = "pages/a/a.wxml"


class Case(NamedTuple):
    """A project, a file in it, and what shows this file."""

    files: dict[str, Any]
    targets: str
    #: What says so; empty if that is webview, of which nothing is said.
    source: str
    page: str = PAGE
    folder: str = "."
    #: What is said of the page when it is written, if that is something else.
    written: str = ""


def app(**values: object) -> dict[str, object]:
    return {"pages": ["pages/a/a", "pages/b/b"], **values}


#: The right values, by hand. A text is written as it stands, anything else as JSON.
CASES: Final = {
    # No app.json.
    "nothing at all": Case({}, "webview", ""),
    "a page of no app": Case({"pages/a/a.json": SKYLINE}, "skyline", "pages/a/a.json"),
    "a page of no app, glass-easel": Case({"pages/a/a.json": GLASS_EASEL}, "glass-easel", "pages/a/a.json"),
    "a component of no app": Case({"pages/a/a.json": {**COMPONENT, **SKYLINE}}, "skyline", "pages/a/a.json"),
    "an empty page.json of no app": Case({"pages/a/a.json": ""}, "webview", ""),
    "a folder called app.json": Case({"app.json/x.txt": ""}, "webview", ""),
    # The page against the app.
    "a plain app": Case({"app.json": app()}, "webview", ""),
    "an app for skyline": Case({"app.json": app(**SKYLINE)}, "skyline", "app.json"),
    "an app for glass-easel": Case({"app.json": app(**GLASS_EASEL)}, "glass-easel", "app.json"),
    "a renderer alone": Case({"app.json": app(renderer="skyline")}, "skyline", "app.json"),
    "a page for skyline": Case({"app.json": app(), "pages/a/a.json": SKYLINE}, "skyline", "pages/a/a.json"),
    "a page for glass-easel": Case(
        {"app.json": app(), "pages/a/a.json": GLASS_EASEL}, "glass-easel", "pages/a/a.json"
    ),
    "the other page": Case({"app.json": app(), "pages/b/b.json": SKYLINE}, "webview", ""),
    "a page back in webview": Case(
        {"app.json": app(**SKYLINE), "pages/a/a.json": {"renderer": "webview"}}, "glass-easel", "app.json"
    ),
    "a page back in exparser": Case(
        {
            "app.json": app(**SKYLINE),
            "pages/a/a.json": {"renderer": "webview", "componentFramework": "exparser"},
        },
        "webview",
        "",
    ),
    "exparser against glass-easel": Case(
        {"app.json": app(**GLASS_EASEL), "pages/a/a.json": {"componentFramework": "exparser"}}, "webview", ""
    ),
    "exparser does not switch off skyline": Case(
        {"app.json": app(renderer="skyline"), "pages/a/a.json": {"componentFramework": "exparser"}},
        "skyline",
        "app.json",
    ),
    "xr-frame": Case({"app.json": app(renderer="xr-frame")}, "webview", ""),
    "a value that is no text": Case({"app.json": app(renderer=["skyline"])}, "webview", ""),
    "a comment and a last comma": Case(
        {"app.json": '{ // 应用\n "renderer": "skyline", }'}, "skyline", "app.json"
    ),
    "a value in a comment": Case({"app.json": '{ // "renderer": "skyline"\n }'}, "webview", ""),
    # Components, and what is neither.
    "a component": Case(
        {"app.json": app(), "parts/p.json": COMPONENT, "pages/b/b.json": SKYLINE},
        "webview, skyline",
        "app.json",
        "parts/p.wxml",
    ),
    "a component of glass-easel pages": Case(
        {"app.json": app(**GLASS_EASEL), "parts/p.json": COMPONENT}, "glass-easel", "app.json", "parts/p.wxml"
    ),
    "a component that names a renderer": Case(
        {"app.json": app(), "parts/p.json": {**COMPONENT, **SKYLINE}}, "webview", "", "parts/p.wxml"
    ),
    "a page that is a component": Case(
        {"app.json": app(), "pages/a/a.json": {**COMPONENT, **SKYLINE}}, "skyline", "pages/a/a.json"
    ),
    "a template": Case({"app.json": app(**SKYLINE)}, "skyline", "app.json", "templates/t.wxml"),
    # Sub-packages.
    "a page of a sub-package": Case(
        {"app.json": app(subPackages=[{"root": "more", "pages": ["c/c"]}], **SKYLINE)},
        "skyline",
        "app.json",
        "more/c/c.wxml",
    ),
    "a component page of a sub-package": Case(
        {
            "app.json": app(subpackages=[{"root": "/more/", "pages": ["c/c"]}]),
            "more/c/c.json": {**COMPONENT, **GLASS_EASEL},
        },
        "glass-easel",
        "more/c/c.json",
        "more/c/c.wxml",
    ),
    "a component shown by a sub-package": Case(
        {
            "app.json": app(subPackages=[{"root": "more", "pages": ["c/c"]}]),
            "more/c/c.json": GLASS_EASEL,
            "more/p.json": COMPONENT,
        },
        "webview, glass-easel",
        "app.json",
        "more/p.wxml",
    ),
    # Nested apps, and several.
    "the inner app": Case(
        {"app.json": app(**SKYLINE), "demo/app.json": app()}, "webview", "", "demo/pages/a/a.wxml"
    ),
    "the outer app": Case({"app.json": app(**SKYLINE), "demo/app.json": app()}, "skyline", "app.json"),
    "one app of a monorepo": Case(
        {"apps/one/app.json": app(**SKYLINE), "apps/two/app.json": app()},
        "skyline",
        "apps/one/app.json",
        "apps/one/pages/a/a.wxml",
    ),
    "the other app of a monorepo": Case(
        {"apps/one/app.json": app(**SKYLINE), "apps/two/app.json": app()},
        "webview",
        "",
        "apps/two/pages/a/a.wxml",
    ),
    "a file beside the apps": Case(
        {"apps/one/app.json": app(**SKYLINE), "apps/a.wxml": ""}, "webview", "", "apps/a.wxml"
    ),
    "a file beside the app, from inside of it": Case(
        {"mini/app.json": app(**SKYLINE)}, "webview", "", "../a.wxml", "mini"
    ),
    "a file of an app, from another": Case(
        {"one/app.json": app(**SKYLINE), "two/app.json": app(**GLASS_EASEL)},
        "skyline",
        "{root}/one/app.json",
        "../one/pages/a/a.wxml",
        "two",
    ),
    "from the folder of the page": Case(
        {"app.json": app(**SKYLINE)}, "skyline", "{root}/app.json", "a.wxml", "pages/a"
    ),
    # The configuration goes before all .json.
    "wxtext.toml": Case({"wxtext.toml": 'target = "skyline"'}, "skyline", "wxtext.toml"),
    "wxtext.toml against app.json": Case(
        {"wxtext.toml": 'target = "glass-easel"', "app.json": app(**SKYLINE)},
        "glass-easel",
        "wxtext.toml",
        written="written for glass-easel, as wxtext.toml says, but app.json says skyline",
    ),
    "wxtext.toml says webview": Case(
        {"wxtext.toml": 'target = "webview"', "app.json": app(**SKYLINE)},
        "webview",
        "",
        written="written for webview, as wxtext.toml says, but app.json says skyline",
    ),
    "wxtext.toml says auto": Case(
        {"wxtext.toml": 'target = "AUTO"', "app.json": app(**SKYLINE)}, "skyline", "app.json"
    ),
    "wxtext.toml says nothing": Case(
        {"wxtext.toml": 'ignore = ["long-text"]', "app.json": app(**SKYLINE)}, "skyline", "app.json"
    ),
    "capitals": Case({"wxtext.toml": 'target = "Skyline"'}, "skyline", "wxtext.toml"),
    "pyproject.toml": Case(
        {"pyproject.toml": '[tool.wxtext]\ntarget = "Glass-Easel"'}, "glass-easel", "pyproject.toml"
    ),
    "pyproject.toml of another tool": Case(
        {"pyproject.toml": "[tool.ruff]  # not wxtext\nline-length = 1", "app.json": app(**SKYLINE)},
        "skyline",
        "app.json",
    ),
    "wxtext.toml before pyproject.toml": Case(
        {"wxtext.toml": 'target = "skyline"', "pyproject.toml": '[tool.wxtext]\ntarget = "webview"'},
        "skyline",
        "wxtext.toml",
    ),
    "the nearer configuration": Case(
        {"wxtext.toml": 'target = "skyline"', "pages/wxtext.toml": 'target = "webview"'}, "webview", ""
    ),
    "a configuration for a component": Case(
        {
            "app.json": app(),
            "parts/p.json": COMPONENT,
            "pages/b/b.json": SKYLINE,
            "wxtext.toml": 'target = "glass-easel"',
        },
        "glass-easel",
        "wxtext.toml",
        "parts/p.wxml",
        written="written for glass-easel, as wxtext.toml says, but app.json says skyline",
    ),
    "the configuration of another folder": Case(
        {"one/wxtext.toml": 'target = "skyline"', "two/x.txt": ""}, "webview", "", "../two/a.wxml", "one"
    ),
}

#: A page of which each target shows something else, and each finds something else wrong.
TELLING: Final = '<text space="emsp"> 一\\n{{"\\n"}}&lt;</text>\n'
SHOWN: Final = {"webview": "\u2003一\n\n&lt;\n", "glass-easel": "\u2003一\\n\n<\n", "skyline": "一\\n\n<\n"}
WRONG: Final = {
    "webview": {"unportable-entity"},
    "glass-easel": {"static-line-break"},
    "skyline": {"static-line-break", "webview-only-attribute"},
}
NOTES: Final = "一\n二"
BODIES: Final = {
    "webview": r"<text>一\n二</text>",
    "glass-easel": r"<text>一{{'\n'}}二</text>",
    "skyline": r"<view><text>一{{'\n'}}二</text></view>",
}


def write(root: Path, files: dict[str, Any]) -> None:
    for name, values in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(values if isinstance(values, str) else json.dumps(values), "utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


def told(file: str, targets: str, source: str) -> str:
    """What is said of a target."""
    *others, target = targets.split(", ")
    if not source:
        return ""
    if others:
        return f"{file}: the target is {target}, the last of {targets} that {source} and its pages name\n"
    return f"{file}: the target is {target}, as {source} says\n"


def found_by_check(run: Run, *arguments: str, stdin: str = "") -> tuple[set[str], str]:
    """The rules that find something, and what is said."""
    _code, out, err = run("check", "--format", "json", *arguments, stdin=stdin)
    return {problem["rule"] for problem in json.loads(out)["problems"]}, err


def test_there_are_enough_projects() -> None:
    assert len(CASES) >= 40


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_all_commands_take_the_same_target(
    case: Case, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, case.files)
    (root / case.folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(root / case.folder)
    page = Path(case.page)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(TELLING, "utf-8")
    targets = case.targets.split(", ")
    source = case.source.format(root=root).replace("/", os.sep)
    said = told(case.page, case.targets, source)
    assert run("show", case.page) == (0, SHOWN[targets[-1]], said)
    assert found_by_check(run, case.page) == (set().union(*(WRONG[target] for target in targets)), said)
    code, out, err = run("convert", "-", "--force", "-o", case.page, stdin=NOTES)
    assert (code, out) == (0, "")
    assert page.read_text("utf-8").splitlines()[1] == BODIES[targets[-1]]
    assert err == (f"{case.page}: {case.written}\n" if case.written else said)


@pytest.mark.parametrize("target", ["webview", "glass-easel", "skyline", "Skyline", "WEBVIEW"])
def test_what_is_asked_for_goes_first_and_is_not_told(target: str, root: Path, run: Run) -> None:
    write(root, {"wxtext.toml": 'target = "glass-easel"', "app.json": app(**SKYLINE), PAGE: TELLING})
    meant = target.lower()
    assert run("show", "--target", target, PAGE) == (0, SHOWN[meant], "")
    assert found_by_check(run, "--target", target, PAGE) == (WRONG[meant], "")
    assert run("convert", "--target", target, "-", stdin=NOTES) == (0, f"{BODIES[meant]}\n", "")


def test_asking_for_auto_passes_over_the_configuration(root: Path, run: Run) -> None:
    write(root, {"wxtext.toml": 'target = "glass-easel"', "app.json": app(**SKYLINE), PAGE: TELLING})
    said = told(PAGE, "skyline", "app.json")
    assert run("show", "--target", "auto", PAGE) == (0, SHOWN["skyline"], said)
    assert found_by_check(run, "--target", "auto", PAGE) == (WRONG["skyline"], said)
    said = told("-", "skyline", "app.json")
    assert run("convert", "--target", "auto", "-", stdin=NOTES) == (0, f"{BODIES['skyline']}\n", said)


@pytest.mark.parametrize("command", ["show", "check", "convert"])
def test_no_other_target(command: str, root: Path, run: Run) -> None:
    message = "wxtext: error: --target: 'web' is not one of auto, webview, glass-easel, skyline\n"
    assert run(command, "-", "--target", "web", stdin="a") == (2, "", message)
    with pytest.raises(OptionError, match="'auto' is not one of webview, glass-easel, skyline"):
        wxtext.show("a", "auto")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="'auto' is not one of webview, glass-easel, skyline"):
        wxtext.convert("a", target="auto")  # type: ignore[arg-type]
    assert root.is_dir()


# Standard input and standard output have no place but the current folder.

#: Projects, where the command runs, and what is taken for what comes from standard input.
STANDARD: Final = {
    "in the app": Case({"app.json": SKYLINE}, "skyline", "app.json"),
    "below the app": Case({"app.json": SKYLINE}, "skyline", "{root}/app.json", folder="a"),
    "above the app": Case({"mini/app.json": SKYLINE}, "webview", ""),
    "at the root of a project": Case(
        {"mini/app.json": SKYLINE, "project.config.json": {"miniprogramRoot": "mini/"}},
        "skyline",
        "mini/app.json",
    ),
    "beside the app in a project": Case(
        {"mini/app.json": SKYLINE, "project.config.json": {"miniprogramRoot": "./mini"}},
        "skyline",
        "{root}/mini/app.json",
        folder="doc",
    ),
    "a project that names itself": Case(
        {"app.json": GLASS_EASEL, "project.config.json": {"miniprogramRoot": "./"}},
        "glass-easel",
        "app.json",
    ),
    "a project that names what is outside": Case(
        {"mini/app.json": SKYLINE, "a/project.config.json": {"miniprogramRoot": "../mini"}},
        "webview",
        "",
        folder="a",
    ),
    "a project that names no folder": Case(
        {"mini/app.json": SKYLINE, "project.config.json": {"miniprogramRoot": ["mini"]}}, "webview", ""
    ),
    "a configuration": Case({"wxtext.toml": "target = 'skyline'"}, "skyline", "wxtext.toml"),
    "the .json of a page called -": Case({"app.json": {}, "-.json": SKYLINE}, "webview", ""),
}


@pytest.mark.parametrize("case", STANDARD.values(), ids=STANDARD)
def test_standard_input_is_of_the_current_folder(
    case: Case, root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, case.files)
    (root / case.folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(root / case.folder)
    target = case.targets
    said = told("-", target, case.source.format(root=root).replace("/", os.sep))
    assert run("show", "-", stdin=TELLING) == (0, SHOWN[target], said)
    assert found_by_check(run, "-", stdin=TELLING) == (WRONG[target], said)
    assert run("convert", "-", stdin=NOTES) == (0, f"{BODIES[target]}\n", said)


def test_what_is_printed_is_for_the_current_folder_else_for_that_of_the_notes(root: Path, run: Run) -> None:
    write(root, {"mini/app.json": SKYLINE, "mini/n.txt": NOTES, "doc/n.txt": NOTES})
    notes = str(Path("mini", "n.txt"))
    said = told(notes, "skyline", str(Path("mini", "app.json")))
    assert run("convert", notes) == (0, f"{BODIES['skyline']}\n", said)
    assert run("convert", "doc/n.txt") == (0, f"{BODIES['webview']}\n", "")
    write(root, {"mini/wxtext.toml": "target = 'glass-easel'"})
    said = told(notes, "glass-easel", str(Path("mini", "wxtext.toml")))
    assert run("convert", notes) == (0, f"{BODIES['glass-easel']}\n", said)
    # What the current folder is in goes first, whatever it says.
    write(root, {"app.json": {}, "wxtext.toml": ""})
    assert run("convert", notes) == (0, f"{BODIES['webview']}\n", "")


@pytest.mark.skipif(os.name != "posix", reason="there is no /dev/stdout here")
def test_standard_output_by_its_name_is_standard_output(root: Path) -> None:
    write(root, {"app.json": SKYLINE})
    command = [sys.executable, "-m", "wxtext", "convert", "-", "-o", "/dev/stdout"]
    done = subprocess.run(command, input=NOTES.encode(), capture_output=True, check=True, env=ENVIRONMENT)
    assert done.stdout.decode() == f"{BODIES['skyline']}\n"
    assert done.stderr.decode() == told("-", "skyline", "app.json")


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        (
            {"app.json": SKYLINE},
            ["--target", "webview"],
            "written for webview, as --target says, but app.json says skyline",
        ),
        (
            {"app.json": {}, "a.json": {"renderer": "webview"}},
            ["--target", "Skyline"],
            "written for skyline, as --target says, but a.json says webview",
        ),
        (
            {"app.json": {}},
            ["--target", "glass-easel"],
            "written for glass-easel, as --target says, but app.json says webview",
        ),
        (
            {"app.json": SKYLINE, "a.json": {"renderer": "webview"}},
            ["--target", "webview"],
            "written for webview, as --target says, but app.json says glass-easel",
        ),
        (
            {"a.json": GLASS_EASEL},
            ["--target", "skyline"],
            "written for skyline, as --target says, but a.json says glass-easel",
        ),
        (
            {"wxtext.toml": "target = 'skyline'", "app.json": {}},
            [],
            "written for skyline, as wxtext.toml says, but app.json says webview",
        ),
        (
            {"wxtext.toml": "[convert]\ntarget = 'Webview'", "app.json": SKYLINE},
            [],
            "written for webview, as wxtext.toml says, but app.json says skyline",
        ),
        ({"app.json": SKYLINE}, ["--target", "skyline"], ""),
        ({}, ["--target", "skyline"], ""),
        ({"app.json": "{"}, ["--target", "skyline"], ""),
        ({"app.json": SKYLINE}, [], "the target is skyline, as app.json says"),
    ],
)
def test_a_page_that_is_written_for_another_target_than_its_own(
    files: dict[str, Any], arguments: list[str], message: str, root: Path, run: Run
) -> None:
    write(root, files)
    result = run("convert", "-", "-o", "a.wxml", *arguments, stdin=NOTES)
    assert result == (0, "", f"a.wxml: {message}\n" if message else "")
    assert len(Path("a.wxml").read_text("utf-8").splitlines()) == 3


def test_a_folder_is_told_once_for_each_target(root: Path, run: Run) -> None:
    write(root, {"app.json": app(), PAGE: "<text>a</text>", "pages/b/b.wxml": "<text>b</text>"})
    assert run("check") == (0, "no problems in 2 files\n", "")
    write(root, {"pages/a/a.json": SKYLINE})
    one = Path("pages", "a", "a.json")
    assert run("check").err == f"files for skyline: 1 of 2, as {one} says\n"
    write(root, {"pages/b/b.json": SKYLINE})
    assert run("check").err == f"files for skyline: 2 of 2, as {one} and others say\n"
    write(root, {"pages/b/b.json": GLASS_EASEL, "p.json": COMPONENT, "p.wxml": "<text>p</text>"})
    two = Path("pages", "b", "b.json")
    assert sorted(run("check").err.splitlines()) == [
        "files for glass-easel, skyline: 1 of 3, as app.json says",
        f"files for glass-easel: 1 of 3, as {two} says",
        f"files for skyline: 1 of 3, as {one} says",
    ]
    assert run("check", "--target", "webview").err == ""


def test_what_a_configuration_ignores_is_found_by_any_path(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {"wxtext.toml": "[per-file-ignores]\n'/two/' = ['html-tag']", "two/a.wxml": "<b>a</b>"})
    (root / "one").mkdir()
    monkeypatch.chdir(root / "one")
    assert run("check", "../two/a.wxml") == (0, "no problems in 1 file\n", "")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("show a.wxml", "app.json"),
        ("show -", "app.json"),
        ("show -", "project.config.json"),
        ("convert -", "app.json"),
        ("convert -", "project.config.json"),
    ],
)
def test_a_target_that_cannot_be_told_is_an_error(command: str, name: str, root: Path, run: Run) -> None:
    write(root, {name: "{renderer", "a.wxml": "a"})
    arguments = command.split()
    code, out, err = run(*arguments, stdin="a")
    assert (code, out) == (2, "")
    assert err.startswith(f"wxtext: error: {name}:1:2: this is no JSON: ")
    assert err.endswith("; the target of its pages is unknown until this is corrected\n")
    result = run(*arguments, "--target", "webview", stdin="a")
    assert (result.code, result.err) == (0, "")

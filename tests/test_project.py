"""Which targets a file has, and which components: by app.json and the .json of pages."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from wxtext.errors import SourceError
from wxtext.project import Project

SKYLINE = {"renderer": "skyline", "componentFramework": "glass-easel"}
GLASS_EASEL = {"componentFramework": "glass-easel"}


class Folder:
    """An app in a folder, and a project that reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, values: object) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(values if isinstance(values, str) else json.dumps(values), "utf-8")

    def project(self) -> Project:
        return Project()

    def targets(self, name: str) -> tuple[str, ...]:
        return self.project().targets(self.path / name)


@pytest.fixture
def app(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.mark.parametrize(
    ("of_app", "of_page", "target"),
    [
        ({}, {}, "webview"),
        (SKYLINE, {}, "skyline"),
        (GLASS_EASEL, {}, "glass-easel"),
        ({"renderer": "skyline"}, {}, "skyline"),
        ({}, SKYLINE, "skyline"),
        ({}, GLASS_EASEL, "glass-easel"),
        (SKYLINE, {"renderer": "webview"}, "glass-easel"),
        (SKYLINE, {"renderer": "webview", "componentFramework": "exparser"}, "webview"),
        (GLASS_EASEL, {"componentFramework": "exparser"}, "webview"),
        ({"renderer": "webview"}, {"renderer": "xr-frame"}, "webview"),
        ({"renderer": ["skyline"]}, {}, "webview"),
    ],
)
def test_the_page_speaks_before_the_app(
    of_app: dict[str, Any], of_page: dict[str, Any], target: str, app: Folder
) -> None:
    app.write("app.json", {"pages": ["pages/a/a"], **of_app})
    app.write("pages/a/a.json", of_page)
    assert app.targets("pages/a/a.wxml") == (target,)


def test_without_json_a_page_is_for_webview(app: Folder) -> None:
    assert app.targets("a.wxml") == ("webview",)
    app.write("a.json", GLASS_EASEL)
    assert app.targets("a.wxml") == ("glass-easel",)
    app.write("a.json", {"component": True})
    assert app.targets("a.wxml") == ("webview",)


def test_the_nearest_app_holds(app: Folder) -> None:
    app.write("app.json", SKYLINE)
    app.write("demo/app.json", {})
    assert app.targets("pages/a.wxml") == ("skyline",)
    assert app.targets("demo/pages/a.wxml") == ("webview",)


def test_a_component_has_every_target_that_the_app_uses(app: Folder) -> None:
    app.write(
        "app.json",
        {
            "pages": ["pages/a", "/pages/b"],
            "subpackages": [{"root": "more/", "pages": ["c"]}, 1, {"root": "none"}],
        },
    )
    app.write("pages/b.json", SKYLINE)
    app.write("parts/p.json", {"component": True})
    assert app.targets("parts/p.wxml") == ("webview", "skyline")
    app.write("more/c.json", GLASS_EASEL)
    assert app.targets("parts/p.wxml") == ("webview", "glass-easel", "skyline")
    # A page may be written as a component, and is a page all the same.
    app.write("pages/b.json", {"component": True, **SKYLINE})
    assert app.targets("pages/b.wxml") == ("skyline",)
    # What is neither a page nor a component is shown as the app says.
    assert app.targets("templates/t.wxml") == ("webview",)


def test_a_component_in_an_app_without_pages(app: Folder) -> None:
    app.write("app.json", SKYLINE)
    app.write("p.json", {"component": True})
    assert app.targets("p.wxml") == ("skyline",)


def test_relative_paths(app: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    app.write("app.json", {"pages": ["pages/a"], **GLASS_EASEL})
    app.write("pages/a.json", {"component": True, **SKYLINE})
    monkeypatch.chdir(app.path / "pages")
    assert app.project().targets(Path("a.wxml")) == ("skyline",)
    assert app.project().targets(Path("b.wxml")) == ("glass-easel",)


def test_components_are_those_of_the_page_and_of_the_app(app: Folder) -> None:
    app.write("app.json", {"usingComponents": {"p": "parts/p"}})
    app.write("a.json", {"usingComponents": {"div": "parts/div"}})
    app.write("b.json", {"usingComponents": []})
    project = app.project()
    assert project.components(app.path / "a.wxml") == {"p", "div"}
    assert project.components(app.path / "b.wxml") == {"p"}
    assert project.components(app.path.parent / "c.wxml") == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        '{"pages": {}, "subPackages": {}}',
        '{"pages": [1, "\\u0000", "\\ud800", ""], "subPackages": [{"root": {}, "pages": ["a"]}]}',
        '{"pages": [%s]}' % ("1" * 9_999),
        '{"pages": [' + '"' + "x" * 9_999 + '"]}',
    ],
)
def test_odd_values_count_for_nothing(text: str, app: Folder) -> None:
    app.write("app.json", text)
    app.write("a.json", {"component": True})
    assert app.targets("a.wxml") == ("webview",)


@pytest.mark.parametrize(
    "text",
    [
        '// the app\n{"renderer": "skyline"}',
        '{"renderer": "skyline", // "renderer": "webview"\n}',
        '{"pages": ["pages/a", ], "renderer": "skyline" , /* last */ }',
        '/* "*/{"renderer": "skyline"}//',
        '\ufeff{"a": "// no comment, ]", "b": "\\"/*", "renderer": "skyline",\r\n}\n',
        '{"renderer": "skyline"} // 注释',
        '{// "pages": [],\n"renderer": "skyline"/* , ],*/}',
    ],
)
def test_comments_and_trailing_commas_are_fine(text: str, app: Folder) -> None:
    app.write("app.json", text)
    assert app.targets("pages/a.wxml") == ("skyline",)
    app.write("app.json", "{}")
    app.write("pages/a.json", text)
    assert app.targets("pages/a.wxml") == ("skyline",)


UNKNOWN = "; the target of its pages is unknown until this is corrected"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", ":1:2: this is no JSON: Expecting property name enclosed in double quotes"),
        (
            "{'renderer': 'skyline'}",
            ":1:2: this is no JSON: Expecting property name enclosed in double quotes",
        ),
        (
            '{\n  "a": 1, // one\n  b}',
            ":3:3: this is no JSON: Expecting property name enclosed in double quotes",
        ),
        ('{"a": /* 1 */ ,}', ":1:15: this is no JSON: Expecting value"),
        ('{"a": 1} /* b', ":1:10: this is no JSON: Extra data"),
        ('{"a": 1} /*/', ":1:10: this is no JSON: Extra data"),
        ('{"a": [,]}', ":1:8: this is no JSON: Expecting value"),
        ("[1]", ": this JSON is no object: it has to begin with a brace"),
        ("[" * 100_000, ": this JSON is nested too deep"),
        ('{"a":' * 100_000, ": this JSON is nested too deep"),
        ("\udcd6", ": the byte at offset 0 is not valid UTF-8, which JSON has to be"),
        (" " * (16 << 20) + " ", ": this JSON has more than 16 MB"),
    ],
    ids=lambda value: value[:20].strip(),
)
@pytest.mark.parametrize("name", ["app.json", "pages/a.json"])
def test_what_cannot_be_read_is_an_error(
    name: str, text: str, fault: str, app: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.write("app.json", {"pages": ["pages/a"]})
    (app.path / "pages").mkdir()
    (app.path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    project = app.project()
    page = app.path / "pages" / "a.wxml"
    for ask in (project.targets, project.components, project.is_fragment) * 2:
        if name == "app.json" and ask == project.is_fragment:
            continue
        with pytest.raises(SourceError) as caught:
            ask(page)
        assert str(caught.value) == f"{app.path / name}{fault}{UNKNOWN}"
    monkeypatch.chdir(app.path)
    with pytest.raises(SourceError) as caught:
        app.project().targets(Path("pages", "a.wxml"))
    assert str(caught.value) == f"{Path(name)}{fault}{UNKNOWN}"


def test_a_component_needs_the_json_of_all_pages(app: Folder) -> None:
    app.write("app.json", {"pages": ["pages/a", "pages/b"]})
    app.write("p.json", {"component": True})
    app.write("pages/a.json", "{")
    assert app.targets("pages/b.wxml") == ("webview",)
    with pytest.raises(SourceError):
        app.targets("p.wxml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
def test_special_files_and_links(app: Folder) -> None:
    (app.path / "app").mkdir()
    (app.path / "other.json").write_text(json.dumps(SKYLINE))

    def fault(name: str) -> str:
        with pytest.raises(SourceError) as caught:
            app.targets("app/a.wxml")
        text = str(caught.value)
        path = app.path / "app" / name
        path.unlink()
        return text.removeprefix(f"{path}: ").removesuffix(UNKNOWN)

    for name in "app.json", "a.json":
        path = app.path / "app" / name
        os.mkfifo(path)
        assert fault(name) == "this is no regular file"
        path.symlink_to("/dev/zero")
        assert fault(name) == f"this link leads out of {path.parent}, and is not followed"
        path.symlink_to("../other.json")
        assert fault(name) == f"this link leads out of {path.parent}, and is not followed"
        path.symlink_to("nowhere.json")
        assert fault(name) == "No such file or directory"
        path.symlink_to(name)
        assert "symbolic links" in fault(name)
        (app.path / "app" / "real.json").write_text(json.dumps(SKYLINE))
        path.symlink_to("real.json")
        assert app.targets("app/a.wxml") == ("skyline",)
        path.unlink()


def test_pages_outside_of_the_app_are_none(app: Folder) -> None:
    app.write("page.json", SKYLINE)
    app.write("app/p.json", {"component": True})
    app.write("app/app.json", {"pages": ["../page", "a/../../page", "a/./../q"]})
    assert app.targets("app/p.wxml") == ("webview",)
    app.write("app/q.json", GLASS_EASEL)
    assert app.targets("app/p.wxml") == ("glass-easel",)


def test_many_pages_and_faults_are_read_in_linear_time(app: Folder) -> None:
    def duration(count: int, text: str) -> float:
        app.write("app.json", '{"pages": [' + text * count + '"p"],}')
        start = time.process_time()
        with suppress(SourceError):
            app.targets("component.wxml")
        return time.process_time() - start

    app.write("component.json", {"component": True})
    for text in ('"pages/a/a",', ",", '"', '\\"', "/*", "//", "/*/", "[", ", ", "\n,\n"):
        small = max(min(duration(20_000, text) for _ in range(3)), 0.005)
        assert min(duration(200_000, text) for _ in range(2)) < small * 40, text


def test_empty_json_and_a_byte_order_mark_are_fine(app: Folder) -> None:
    app.write("app.json", "\ufeff" + json.dumps(SKYLINE))
    app.write("a.json", " \n")
    assert app.targets("a.wxml") == ("skyline",)

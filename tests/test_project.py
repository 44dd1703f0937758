"""Which targets a file has, and which components: by app.json and the .json of pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wxtext.project import Project

SKYLINE = {"renderer": "skyline", "componentFramework": "glass-easel"}
GLASS_EASEL = {"componentFramework": "glass-easel"}


class Folder:
    """An app in a folder, and a project that reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []

    def write(self, name: str, values: object) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(values if isinstance(values, str) else json.dumps(values), "utf-8")

    def project(self) -> Project:
        return Project(self.notices.append)

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


@pytest.mark.parametrize("text", ["{", "[1]", "\udc80", '{"pages": {}, "subPackages": {}}', '{"pages": [1]}'])
def test_bad_json_counts_as_empty(text: str, app: Folder) -> None:
    (app.path / "app.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    app.write("a.json", {"component": True})
    project = app.project()
    for _ in range(2):
        assert project.targets(app.path / "a.wxml") == ("webview",)
    unreadable = text in ("{", "\udc80")
    assert len(app.notices) == unreadable
    assert all(notice.startswith(f"{app.path / 'app.json'}: cannot be read") for notice in app.notices)


def test_of_bad_json_is_told_once(app: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    app.write("app.json", {"pages": ["pages/a"]})
    for name in "pages/a.json", "pages/p.json":
        app.write(name, "{")
    app.write("pages/q.json", {"component": True})
    monkeypatch.chdir(app.path)
    project = app.project()
    for name in "pages/a.wxml", "./pages/a.wxml", "pages/p.wxml", "pages/q.wxml":
        for path in Path(name), Path(name).absolute():
            project.targets(path)
            project.components(path)
    told = [notice.partition(": ")[0] for notice in app.notices]
    assert told == [str(Path("pages", name)) for name in ("a.json", "p.json")]


def test_empty_json_and_a_byte_order_mark_are_fine(app: Folder) -> None:
    app.write("app.json", "\ufeff" + json.dumps(SKYLINE))
    app.write("a.json", " \n")
    assert app.targets("a.wxml") == ("skyline",)
    assert app.notices == []

"""The Mini Program that a file belongs to: its app.json, and the .json beside each page.

Which target a page has is said by its own .json, else by app.json (measured facts and documentation):
`"renderer": "skyline"` means skyline, else `"componentFramework": "glass-easel"` means glass-easel, else
webview is meant. A component may be shown by any page, so it has every target that the app uses.
"""

# ruff: noqa: PTH100, PTH109, PTH110, PTH112, PTH118, PTH120, PTH122
# Paths are text, because an app.json may name 200 000 pages.

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from wxtext.discovery import absolute
from wxtext.errors import SourceError
from wxtext.i18n import _
from wxtext.semantics import Target

if TYPE_CHECKING:
    from wxtext.wxss import Styles

_APP: Final = "app.json"
#: Beside the app, or above it, as most projects have it that are written in TypeScript.
_PROJECT: Final = "project.config.json"

#: The order in which targets are looked at; what is right for one is more likely so for those before it.
TARGETS: Final = get_args(Target)


#: What makes a target of a page or an app: any of these in its .json.
_DECIDING: Final[dict[Target, frozenset[str]]] = {
    "webview": frozenset(("renderer", "componentFramework")),
    "glass-easel": frozenset(("componentFramework",)),
    "skyline": frozenset(("renderer",)),
}


class Says(NamedTuple):
    """What a project says of a file."""

    #: More than one only for a component.
    targets: tuple[Target, ...]
    #: The .json that says so, from the current folder; None if there is none, and webview is meant.
    file: str | None


class Project:
    """All Mini Programs that are met with; what is read once is remembered.

    All methods raise `SourceError` if a .json that they need cannot be read: then it is unknown what shows
    the file.
    """

    def __init__(self) -> None:
        self._read_once: Callable[[str, str], dict[str, Any] | SourceError] = cache(_read)
        self._app_folder = cache(_find_app_folder)
        self._pages = cache(self._find_pages)
        self._app_targets = cache(self._find_app_targets)

    def targets(self, wxml: Path) -> tuple[Target, ...]:
        """Return the targets of a file, which need not exist; more than one only if it is a component."""
        return self.says(wxml).targets

    def says(self, wxml: Path) -> Says:
        """Return the targets of a file, which need not exist, and the .json that names them."""
        page, folder = self._place(wxml)
        own = self._json(page, folder)
        if folder is None:
            return self._says(own, f"{page}.json", {}, "")
        app = _json_of(folder)
        if own.get("component") is True and page not in self._pages(folder):
            return Says(self._app_targets(folder), from_here(app))
        return self._says(own, f"{page}.json", self._app(folder), app)

    def says_for_folder(self, folder: Path) -> Says:
        """Return the target of what is written in a folder, of no name: what the app of the folder says.

        That is the app that the folder is in, else the one that a project.config.json above it names.
        """
        app = self.app_of(folder)
        return Says(("webview",), None) if app is None else self._says({}, "", self._app(app), _json_of(app))

    def app_of(self, folder: Path) -> str | None:
        """Return the folder of the app that is meant in a folder; None if there is none."""
        for place in map(str, (path := absolute(folder), *path.parents)):
            app = place if _has_app(place) else _app_of_project(place, self._read)
            if app is not None:
                return app
        return None

    @staticmethod
    def _says(page: dict[str, Any], page_file: str, app: dict[str, Any], app_file: str) -> Says:
        target = _target(page, app)
        keys = _DECIDING[target]
        file = page_file if not keys.isdisjoint(page) else app_file
        return Says((target,), from_here(file) if file else None)

    def is_fragment(self, wxml: Path) -> bool:
        """Tell whether a file is shown inside other pages, perhaps in the middle of a row.

        A component is, and a file of an app that is neither a page nor has a .json: others include it.
        """
        page, folder = self._place(wxml)
        if self._json(page, folder).get("component") is True:
            return True
        return folder is not None and not os.path.exists(f"{page}.json") and page not in self._pages(folder)

    def components(self, wxml: Path) -> frozenset[str]:
        """Return the names that `usingComponents` defines for a file, for itself or for the whole app."""
        page, folder = self._place(wxml)
        names: set[str] = set()
        for values in (self._json(page, folder), {} if folder is None else self._app(folder)):
            using = values.get("usingComponents")
            if isinstance(using, dict):
                names |= using.keys()
        return frozenset(names)

    def styles(self, wxml: Path) -> Styles:
        """Return what the style sheets of a page, and of its app, say of text."""
        from wxtext.wxss import read_styles

        page, folder = self._place(wxml)
        sheets = [f"{page}.wxss"] if folder is None else [f"{page}.wxss", os.path.join(folder, "app.wxss")]
        return read_styles(sheets, os.path.dirname(page) if folder is None else folder)

    def _place(self, wxml: Path) -> tuple[str, str | None]:
        """Return the path of a page without its suffix, and the folder of its app, if it has one."""
        page = os.path.splitext(os.path.abspath(wxml))[0]
        return page, self._app_folder(os.path.dirname(page))

    def _json(self, page: str, folder: str | None) -> dict[str, Any]:
        """Read what is beside a page; links may lead to other files of the app."""
        return self._read(f"{page}.json", os.path.dirname(page) if folder is None else folder)

    def _app(self, folder: str) -> dict[str, Any]:
        return self._read(_json_of(folder), folder)

    def _read(self, path: str, within: str) -> dict[str, Any]:
        values = self._read_once(path, within)
        if isinstance(values, SourceError):
            raise values
        return values

    def _find_pages(self, folder: str) -> frozenset[str]:
        """Return the pages of an app: their paths without a suffix. Those outside of its folder are none."""
        app = self._app(folder)
        packages: list[dict[str, Any]] = [{"root": "", "pages": app.get("pages")}]
        for key in ("subpackages", "subPackages"):  # either is right
            if isinstance(app.get(key), list):
                packages += [package for package in app[key] if isinstance(package, dict)]
        inside = os.path.join(folder, "")
        paths = {
            os.path.normpath(f"{inside}{str(package.get('root', '')).strip('/')}/{name.strip('/')}")
            for package in packages
            if isinstance(package.get("pages"), list)
            for name in package["pages"]
            if isinstance(name, str)
        }
        return frozenset(path for path in paths if path.startswith(inside))

    def _find_app_targets(self, folder: str) -> tuple[Target, ...]:
        app = self._app(folder)
        used = {_target(self._json(page, folder), app) for page in self._pages(folder)}
        return tuple(target for target in TARGETS if target in used) or (_target({}, app),)


def _find_app_folder(folder: str) -> str | None:
    while True:
        if _has_app(folder):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _json_of(folder: str) -> str:
    return os.path.join(folder, _APP)


def _has_app(folder: str) -> bool:
    app = _json_of(folder)
    # A link that leads nowhere counts: who reads it says so.
    return os.path.lexists(app) and not os.path.isdir(app)


def _app_of_project(folder: str, read: Callable[[str, str], dict[str, Any]]) -> str | None:
    """Return the folder of the app that the project in a folder names, if it names one below it."""
    root = read(os.path.join(folder, _PROJECT), folder).get("miniprogramRoot")
    if not isinstance(root, str) or "\0" in root:
        return None
    app = os.path.normpath(os.path.join(folder, root.lstrip("/")))
    return app if app.startswith(os.path.join(folder, "")) and _has_app(app) else None


def _read(path: str, within: str) -> dict[str, Any] | SourceError:
    """Read a file, named from the current folder if it is below it; return its fault, so that it is kept."""
    path = from_here(path)
    if not os.path.lexists(path):
        return {}
    from wxtext.json_files import read_json

    try:
        return read_json(path, within)
    except SourceError as error:
        message = _("{error}; the target of its pages is unknown until this is corrected")
        return SourceError(message.format(error=error))


def from_here(path: str) -> str:
    """Write an absolute path as one from the current folder, if it is below it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def _target(page: dict[str, Any], app: dict[str, Any]) -> Target:
    if page.get("renderer", app.get("renderer")) == "skyline":
        return "skyline"
    if page.get("componentFramework", app.get("componentFramework")) == "glass-easel":
        return "glass-easel"
    return "webview"

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
from typing import TYPE_CHECKING, Any, Final, get_args

from wxtext.errors import SourceError
from wxtext.i18n import _
from wxtext.semantics import Target

if TYPE_CHECKING:
    from wxtext.wxss import Styles

_APP: Final = "app.json"

#: The order in which targets are looked at; what is right for one is more likely so for those before it.
TARGETS: Final = get_args(Target)


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
        page, folder = self._place(wxml)
        own = self._json(page, folder)
        if folder is None:
            return (_target(own, {}),)
        if own.get("component") is True and page not in self._pages(folder):
            return self._app_targets(folder)
        return (_target(own, self._app(folder)),)

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
        return self._read(os.path.join(folder, _APP), folder)

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
        app = os.path.join(folder, _APP)
        # A link that leads nowhere counts: who reads it says so.
        if os.path.lexists(app) and not os.path.isdir(app):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _read(path: str, within: str) -> dict[str, Any] | SourceError:
    """Read a file, named from the current folder if it is below it; return its fault, so that it is kept."""
    path = _from_here(path)
    if not os.path.lexists(path):
        return {}
    from wxtext.json_files import read_json

    try:
        return read_json(path, within)
    except SourceError as error:
        message = _("{error}; the target of its pages is unknown until this is corrected")
        return SourceError(message.format(error=error))


def _from_here(path: str) -> str:
    """Write an absolute path as one from the current folder, if it is below it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def _target(page: dict[str, Any], app: dict[str, Any]) -> Target:
    if page.get("renderer", app.get("renderer")) == "skyline":
        return "skyline"
    if page.get("componentFramework", app.get("componentFramework")) == "glass-easel":
        return "glass-easel"
    return "webview"

"""The Mini Program that a file belongs to: its app.json, and the .json beside each page.

Which target a page has is said by its own .json, else by app.json (measured facts and documentation):
`"renderer": "skyline"` means skyline, else `"componentFramework": "glass-easel"` means glass-easel, else
webview is meant. A component may be shown by any page, so it has every target that the app uses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from wxtext.i18n import _, system_message
from wxtext.semantics import Target

#: The order in which targets are looked at; what is right for one is more likely so for those before it.
TARGETS: Final = get_args(Target)

#: Called with a message on what cannot be read, which then counts as empty.
OnNotice = Callable[[str], None]


class Project:
    """All Mini Programs that are met with; what is read once is remembered."""

    def __init__(self, on_notice: OnNotice) -> None:
        self._on_notice = on_notice
        self._read_once: Callable[[Path], dict[str, Any]] = cache(self._read)
        self._app_folder = cache(self._find_app_folder)
        self._pages = cache(self._find_pages)
        self._app_targets = cache(self._find_app_targets)

    def targets(self, wxml: Path) -> tuple[Target, ...]:
        """Return the targets of a file, which need not exist; more than one only if it is a component."""
        own = self._json(wxml.with_suffix(".json"))
        folder = self._app_folder(wxml.absolute().parent)
        if folder is None:
            return (_target(own, {}),)
        if own.get("component") is True and wxml.absolute().with_suffix("") not in self._pages(folder):
            return self._app_targets(folder)
        return (_target(own, self._json(folder / "app.json")),)

    def is_fragment(self, wxml: Path) -> bool:
        """Tell whether a file is shown inside other pages, perhaps in the middle of a row.

        A component is, and a file of an app that is neither a page nor has a .json: others include it.
        """
        path = wxml.with_suffix(".json")
        if self._json(path).get("component") is True:
            return True
        folder = self._app_folder(wxml.absolute().parent)
        return (
            folder is not None
            and not os.path.exists(path)  # noqa: PTH110 - never raises
            and wxml.absolute().with_suffix("") not in self._pages(folder)
        )

    def components(self, wxml: Path) -> frozenset[str]:
        """Return the names that `usingComponents` defines for a file, for itself or for the whole app."""
        folder = self._app_folder(wxml.absolute().parent)
        app = self._json(folder / "app.json") if folder else {}
        names: set[str] = set()
        for values in (self._json(wxml.with_suffix(".json")), app):
            using = values.get("usingComponents")
            if isinstance(using, dict):
                names |= using.keys()
        return frozenset(names)

    def _json(self, path: Path) -> dict[str, Any]:
        return self._read_once(path.absolute())

    def _read(self, path: Path) -> dict[str, Any]:
        if not os.path.isfile(path):  # noqa: PTH113 - never raises; pipes and devices are no files
            return {}
        import json

        try:
            text = path.read_text("utf-8-sig")
            values = json.loads(text) if text.strip() else {}
        except (OSError, ValueError, RecursionError) as error:
            why = system_message(error) if isinstance(error, OSError) else error
            message = _("{file}: cannot be read, and counts as empty: {error}")
            self._on_notice(message.format(file=_from_here(path), error=why))
            return {}
        return values if isinstance(values, dict) else {}

    def _find_app_folder(self, folder: Path) -> Path | None:
        return next((near for near in (folder, *folder.parents) if os.path.isfile(near / "app.json")), None)  # noqa: PTH113

    def _find_pages(self, folder: Path) -> frozenset[Path]:
        """Return the pages of an app: their paths without a suffix."""
        app = self._json(folder / "app.json")
        packages: list[dict[str, Any]] = [{"root": "", "pages": app.get("pages")}]
        for key in ("subpackages", "subPackages"):  # either is right
            if isinstance(app.get(key), list):
                packages += [package for package in app[key] if isinstance(package, dict)]
        return frozenset(
            folder / str(package.get("root", "")).strip("/") / name.strip("/")
            for package in packages
            if isinstance(package.get("pages"), list)
            for name in package["pages"]
            if isinstance(name, str)
        )

    def _find_app_targets(self, folder: Path) -> tuple[Target, ...]:
        app = self._json(folder / "app.json")
        used = {_target(self._json(Path(f"{page}.json")), app) for page in self._pages(folder)}
        return tuple(target for target in TARGETS if target in used) or (_target({}, app),)


def _from_here(path: Path) -> Path:
    """Write an absolute path as one from the current folder, if it is below it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def _target(page: dict[str, Any], app: dict[str, Any]) -> Target:
    if page.get("renderer", app.get("renderer")) == "skyline":
        return "skyline"
    if page.get("componentFramework", app.get("componentFramework")) == "glass-easel":
        return "glass-easel"
    return "webview"

"""Where templates are: the built-in ones, by their names. Knows nothing of what is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SUFFIX: Final = ".wxml.j2"


def built_in_folder() -> Path:
    """Find `templates/`: inside an installed package, else beside the package in a checkout."""
    package = Path(__file__).parent
    installed = package / "templates"
    return installed if installed.is_dir() else package.parent / "templates"


def built_in_names() -> list[str]:
    """Return the names of the built-in templates, in order."""
    return sorted(path.name.removesuffix(SUFFIX) for path in built_in_folder().glob(f"*{SUFFIX}"))

"""The structure that everything else relies on: who imports whom, and what importing costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import wxtext

PACKAGE = Path(wxtext.__file__).parent

#: A module imports only from floors below its own, and no sibling but those named in its own line here.
FLOORS: list[dict[str, set[str]]] = [
    {
        "errors": {"i18n", "caches"},
        "frequency": set(),
        "semantics": {"limits", "lazy"},
        "problem": {"i18n"},
        "i18n": set(),
        "caches": set(),
        "limits": set(),
        "lazy": set(),
    },
    {
        "notes": set(),
        "javascript": set(),
        "mistakes": set(),
        "template_files": set(),
        "encodings": {"decoding", "recognition"},
        "recognition": {"decoding"},
        "decoding": set(),
        "binary": set(),
        "prose": set(),
        "replacing": set(),
        "escapes": set(),
        "patterns": set(),
    },
    {"expressions": set(), "rows": set(), "paragraphs": set()},
    {"wxml": set(), "remarks": set(), "options": set()},
    {"pieces": set()},
    {"blocks": set(), "xpath": set(), "layout": set(), "page": set()},
    {"flow": set(), "rich_text": set(), "wrapping": set()},
    {"screen": set()},
    {"rules": set(), "sandbox": set()},
    {"templating": set()},
    {"render": set(), "lint": set(), "fixer": {"lint"}, "tree": set()},
    {"insertion": set()},
    {
        "sources": set(),
        "writing": {"sources"},
        "config": {"discovery", "tables"},
        "tables": set(),
        "project": {"discovery", "json_files", "wxss"},
        "targets": {"config", "discovery", "project"},
        "json_files": set(),
        "wxss": set(),
        "discovery": set(),
        "baseline": {"sources"},
        "reports": set(),
    },
    {"__init__": set(), "cli": set(), "__main__": {"cli"}},
]

#: What `import wxtext` may load beyond a bare interpreter.
CHEAP = {"wxtext", "__future__", "typing", "collections.abc"}
#: What `wxtext --version` must not load.
DEAR = {"jinja2", "wxtext.frequency", "lxml", "wxtext.render", "wxtext.layout", "wxtext.sources"}


def module_name(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Modules of the package that this file imports, at its top or anywhere inside it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("wxtext.")}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            parts = node.module.split(".")
            if parts[0] == "wxtext":
                found |= set(parts[1:2]) or {
                    alias.name for alias in node.names if (PACKAGE / f"{alias.name}.py").exists()
                }
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


def test_every_module_has_a_floor() -> None:
    placed = [name for floor in FLOORS for name in floor]
    assert sorted(placed) == sorted({module_name(path) for path in FILES})


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(PACKAGE)) for path in FILES])
def test_modules_import_only_from_below(path: Path) -> None:
    name = module_name(path)
    level = next(level for level, floor in enumerate(FLOORS) if name in floor)
    allowed = {name, *FLOORS[level][name], *(below for floor in FLOORS[:level] for below in floor)}
    # The public names are typed where they are defined, and loaded when they are used.
    assert imports(path) <= allowed


def loaded_by(code: str) -> set[str]:
    """Modules that this code loads, beyond those of a bare interpreter."""
    probe = f"import sys; before = set(sys.modules); {code}; print(*sorted(set(sys.modules) - before))"
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_importing_wxtext_is_cheap() -> None:
    loaded = {name for name in loaded_by("import wxtext") if not name.startswith("_")}
    assert loaded <= CHEAP | loaded_by("import typing, collections.abc")


def test_the_version_loads_nothing_dear() -> None:
    assert not loaded_by("import contextlib; from wxtext.cli import main; main(['--version'])") & DEAR


def test_public_names_are_there_and_stay_functions() -> None:
    import wxtext.blocks
    import wxtext.layout
    import wxtext.render

    for name in wxtext.__all__:
        assert getattr(wxtext, name) is not None
    assert set(wxtext.__all__) <= set(dir(wxtext))
    assert callable(wxtext.convert)
    assert callable(wxtext.show)
    with pytest.raises(AttributeError, match="has no attribute 'convrt'"):
        _ = wxtext.convrt

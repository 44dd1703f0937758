"""wxtext: what you type is what WeChat shows.

Plain text becomes the `<text>` blocks of WeChat Mini Programs (`convert`, `convert_lines`), and WXML is
read as the phone will show it (`show`). The functions are loaded when first used, so that importing
this package costs next to nothing.

Messages are in English; `wxtext.i18n.use("zh")` has them in Chinese.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from wxtext.errors import OptionError, SelfCheckError, TemplateError, WxmlError, WxtextError
    from wxtext.fixer import fix
    from wxtext.lint import check
    from wxtext.problem import Problem, Severity, Span
    from wxtext.render import Notice, convert, convert_lines
    from wxtext.screen import show

_HOMES = {
    "Notice": "wxtext.render",
    "OptionError": "wxtext.errors",
    "SelfCheckError": "wxtext.errors",
    "TemplateError": "wxtext.errors",
    "WxmlError": "wxtext.errors",
    "WxtextError": "wxtext.errors",
    "Problem": "wxtext.problem",
    "Severity": "wxtext.problem",
    "Span": "wxtext.problem",
    "check": "wxtext.lint",
    "convert": "wxtext.render",
    "convert_lines": "wxtext.render",
    "fix": "wxtext.fixer",
    "show": "wxtext.screen",
}

__all__ = [
    "Notice",
    "OptionError",
    "Problem",
    "SelfCheckError",
    "Severity",
    "Span",
    "TemplateError",
    "WxmlError",
    "WxtextError",
    "__version__",
    "check",
    "convert",
    "convert_lines",
    "fix",
    "show",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value

"""Templates of text blocks: the built-in ones, which are trusted, and everybody else's, which are not.

This and `sandbox` are the only modules that know jinja2.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import jinja2

from wxtext import template_files
from wxtext.blocks import Part
from wxtext.errors import TemplateError, WxtextError
from wxtext.i18n import _
from wxtext.options import Options

if TYPE_CHECKING:
    from wxtext.semantics import SpaceMode

_SYNTAX: Final[dict[str, Any]] = {
    # `{{` is WXML's own.
    "block_start_string": "[%",
    "block_end_string": "%]",
    "variable_start_string": "[[",
    "variable_end_string": "]]",
    "comment_start_string": "[#",
    "comment_end_string": "#]",
    # Escaping for WXML is not escaping for HTML; blocks come escaped.
    "autoescape": False,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "undefined": jinja2.StrictUndefined,
}

#: What a template of somebody's own may spend, in the units of `sandbox`: for any notes, for each of their
#: blocks, and for each character of them. The first takes about a second to spend.
_FOR_ANY: Final = 20_000_000
_FOR_BLOCK: Final = 10_000
_FOR_CHARACTER: Final = 100


class Template(Protocol):
    """What makes WXML of text blocks."""

    def render(self, blocks: list[Part], variables: Mapping[str, Any]) -> str:
        """Return WXML. Raises `TemplateError`."""


class BuiltIn:
    """A built-in template."""

    def __init__(self, name: str) -> None:
        self._template = _built_in().get_template(f"{name}{template_files.SUFFIX}")

    def generate(self, blocks: Iterator[Any], variables: Mapping[str, Any]) -> Iterator[str]:
        """Yield WXML piece by piece; the next block is taken when the one before has been written."""
        return self._template.generate(blocks=blocks, **variables)

    def render(self, blocks: list[Part], variables: Mapping[str, Any]) -> str:
        """Return WXML."""
        return self._template.render(blocks=blocks, **variables)


class _Block(NamedTuple):
    """A text block, as a template of somebody's own sees it."""

    text: str
    parts: tuple[str]
    space: SpaceMode | None
    line: int


@functools.cache
def _built_in() -> jinja2.Environment:
    """Return what reads the built-in templates, and keeps them."""
    return jinja2.Environment(**_SYNTAX, loader=jinja2.FileSystemLoader(template_files.built_in_folder()))


class Own:
    """A template in a file, which may be anybody's: it runs in a sandbox."""

    def __init__(self, path: Path, name: str) -> None:
        """Read the template at `path`; `name` is what messages call it. Raises `TemplateError`."""
        from wxtext.sandbox import Sandbox

        self._name = name
        self._sandbox = Sandbox(
            path,
            template_files.built_in_folder(),
            {_Block: frozenset(_Block._fields), Options: frozenset((*Options._fields, "in_views"))},
            **_SYNTAX,
        )
        try:
            self._template = self._sandbox.get_template(path.name)
        except Exception as error:  # whatever jinja2, Python's parser and the file make of it
            raise _template_error(name, error) from error

    def render(self, blocks: list[Part], variables: Mapping[str, Any]) -> str:
        """Return WXML. Raises `TemplateError`."""
        seen = [_Block(block.text, block.parts, block.space, block.line) for block in blocks]
        characters = sum(len(block.text) for block in seen)
        self._sandbox.allow(_FOR_ANY + _FOR_BLOCK * len(seen) + _FOR_CHARACTER * characters)
        try:
            return self._template.render(blocks=seen, **variables)
        except Exception as error:  # whatever the template does
            raise _template_error(self._name, error) from error


def load(template: str | Path) -> Template:
    """Load a built-in template by its name, or a template file by its path. Raises `TemplateError`."""
    names = template_files.built_in_names()
    if template in names:
        return BuiltIn(str(template))
    path = Path(template)
    if not path.is_file():
        message = _("template {name}: no such file, nor a built-in template ({names})")
        raise TemplateError(message.format(name=template, names=", ".join(names)))
    return Own(path, str(template))


def _template_error(name: str, error: Exception) -> WxtextError:
    if isinstance(error, WxtextError):
        return error
    if isinstance(error, jinja2.TemplateNotFound):
        message = _("template {name}: there is no template {other!r} to include")
        return TemplateError(message.format(name=name, other=error.name))
    if isinstance(error, (RecursionError, MemoryError)):
        message = _("template {name}: its expressions, macros or includes are nested too deep")
        return TemplateError(message.format(name=name))
    fault = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, jinja2.TemplateSyntaxError):
        message = _("template {name}, line {line}: {error}")
        return TemplateError(message.format(name=name, line=error.lineno, error=fault))
    return TemplateError(_("template {name}: {error}").format(name=name, error=fault))

"""How help is written in another language than English: translated, and broken by columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import click

from wxtext.i18n import _, prose
from wxtext.semantics import columns

# What a line is broken between: white space, words, and wide characters with the punctuation that they keep.
_PIECES: Final = re.compile(
    r"\s+|[（《“‘「]*(?:[\u2e80-\ufeff]|[^\s\u2e80-\uffef（《“‘「]+)[，。；：、？！）》”’」…—]*"
)


#: What click calls the parts of a call that it knows nothing of.
PLACEHOLDERS: Final = ("[OPTIONS]", "COMMAND [ARGS]...")


class Formatter(click.HelpFormatter):
    """Writes help; what it is given is English."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        for words in PLACEHOLDERS:
            args = args.replace(words, _(words))
        super().write_usage(prog, args, prefix or _("Usage:"))

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(f"{'':>{self.current_indent}}{_(heading)}：\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        indent = self.current_indent
        lines = wrap(prose(text), self.width - indent).replace("\b\n", "").split("\n")
        self.write("".join(f"{' ' * indent if line else ''}{line}\n" for line in lines))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write rows of a term, which is ASCII, and what it means."""
        rows = list(rows)
        first = min(max(len(term) for term, _meaning in rows), col_max) + col_spacing
        width = self.width - first - self.current_indent
        # A paragraph that begins with a backspace is left by click as it is.
        broken = [(term, "\b\n" + wrap(_(meaning), width)) for term, meaning in rows]
        super().write_dl(broken, col_max, col_spacing)


def wrap(text: str, width: int) -> str:
    """Break lines that are wider than so many columns, but for those that begin with white space."""
    return "\n".join(
        line if line[:1].isspace() else "\n".join(_broken(line, width)) for line in text.split("\n")
    )


def _broken(text: str, width: int) -> list[str]:
    lines = [""]
    for piece in _PIECES.findall(text):
        if lines[-1] and columns(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]

"""What the writer of notes may not have meant: markup that is shown as typed, characters that no one sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from wxtext import lazy
from wxtext.expressions import Message

#: Markup that people write into notes: what one of it has in it, a pattern, and what to say of it. A path
#: (`C:\\new`) and a string of code (`"a\\n"`) mean what they are.
_MARKUP: Final = (
    (
        ("\\n", "<b", "<B"),
        lazy.pattern(r"(?<!\\)\\n(?![A-Za-z\\\"'`])|<[Bb][Rr] ?/?>"),
        Message("`{text}` is shown as it is typed; to break a line, break it in the notes"),
    ),
    (
        ("&",),
        lazy.pattern("&(?:nbsp|ensp|emsp|lt|gt|amp|quot|apos);"),
        Message("`{text}` is shown as it is typed; put the character itself"),
    ),
)
_BINDING: Final = Message("`{text}` is shown as it is typed: it is no binding that every target shows alike")

#: How many different bindings are told, and how much of each.
_MOST_BINDINGS: Final = 20
_MOST_TEXT: Final = 40


class Remark(NamedTuple):
    """Something in the notes, and how often it is there."""

    message: Message
    text: str
    times: int
    #: Where first: line and column from 1, columns in code points.
    line: int
    column: int


class Remarks:
    """Looks at lines, and remembers what is remarkable."""

    def __init__(self, refused: Callable[[str], Iterable[tuple[int, str]]] | None = None) -> None:
        """Take what finds `{{...}}` in a line that are text (offset and source), if any is to be found."""
        self._refused = refused
        self._found: dict[object, Remark] = {}

    def look(self, number: int, line: str, column: Callable[[int], int]) -> None:
        """Look at a line that may be remarkable; `column` tells where in the notes its characters are."""
        for signs, pattern, message in _MARKUP:
            for match in pattern.finditer(line) if any(sign in line for sign in signs) else ():
                if message not in self._found:
                    self._found[message] = Remark(message, match[0], 0, number, column(match.start()))
                self._count(message)
        if self._refused is not None and "{{" in line:
            for offset, source in self._refused(line):
                if source not in self._found and len(self._found) < _MOST_BINDINGS:
                    clipped = source if len(source) <= _MOST_TEXT else f"{source[: _MOST_TEXT - 1]}…"
                    self._found[source] = Remark(_BINDING, clipped, 0, number, column(offset))
                if source in self._found:
                    self._count(source)

    def _count(self, key: object) -> None:
        known = self._found[key]
        self._found[key] = known._replace(times=known.times + 1)

    def __iter__(self) -> Iterator[Remark]:
        """Yield what was found, in the order of the first places."""
        return iter(self._found.values())


def unseen(line: str) -> Iterator[re.Match[str]]:
    """Yield the characters of a line that show nothing and mean nothing.

    Joiners have a meaning in emoji, and joiners and marks of direction in lines of scripts that are shaped or
    run from right to left.
    """
    from wxtext import mistakes

    shaped = None
    for match in mistakes.INVISIBLE.finditer(line):
        if match[0].isprintable():  # fillers, which take some room
            continue
        if mistakes.SHAPING.match(match[0]):
            if shaped is None:
                shaped = mistakes.SHAPED_LETTER.search(line) is not None
            if shaped or mistakes.EMOJI_JOINER.match(line, match.start()):
                continue
        yield match

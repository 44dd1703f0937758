"""Patterns of .gitignore files, as git reads them, matched in linear time.

A pattern may be made to hang: `*a*a*a*a*b`, turned into an ordinary regular expression, takes minutes on a
name of many a's. Here no `*` is tried again once what follows it has been found. That suffices, for what is
found first leaves most to the rest. Paths are bytes with `/`, because git compares bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import count
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits, punctuation
from typing import Final

_SLASH: Final = ord("/")
#: What makes a pattern more than a name.
_WILDCARD: Final = re.compile(rb"[*?\[\\]")
_PRINTABLE: Final = ascii_letters + digits + punctuation

#: POSIX's classes of characters, as git has them.
_CLASSES: Final = {
    name.encode(): frozenset(characters.encode())
    for name, characters in {
        "alnum": ascii_letters + digits,
        "alpha": ascii_letters,
        "blank": " \t",
        "cntrl": "".join(map(chr, (*range(0x20), 0x7F))),
        "digit": digits,
        "graph": _PRINTABLE,
        "lower": ascii_lowercase,
        "print": _PRINTABLE + " ",
        "punct": punctuation,
        "space": " \t\n\r",
        "upper": ascii_uppercase,
        "xdigit": hexdigits,
    }.items()
}


class Patterns:
    """The lines of one file."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        """Take lines without their line breaks. A line that git does not understand matches nothing."""
        # What has no wildcard is looked up, so that long lists of files cost nothing.
        self._plain: dict[bytes, list[_Pattern]] = {}
        self._others: list[_Pattern] = []
        for order, line in enumerate(lines):
            text = _without_end(line)
            if text and not text.startswith(b"#"):
                pattern = _Pattern(order, text)
                if pattern.is_plain:
                    self._plain.setdefault(pattern.text, []).append(pattern)
                else:
                    self._others.append(pattern)
        self._others.reverse()

    @classmethod
    def read(cls, data: bytes) -> Patterns:
        """Read what is in a .gitignore."""
        lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        return cls(line.removesuffix(b"\r") for line in lines)

    def decide(self, path: bytes, *, is_folder: bool) -> bool | None:
        """Tell whether a path is left out; None if no pattern is about it. The last that is decides.

        What is said of the folders above is not looked at.
        """
        name = path.rpartition(b"/")[2]
        best: _Pattern | None = None
        for pattern in (*self._plain.get(path, ()), *(self._plain.get(name, ()) if name != path else ())):
            if pattern.concerns(path, name, is_folder) and (best is None or pattern.order > best.order):
                best = pattern
        for pattern in self._others:
            if best is not None and pattern.order < best.order:
                break
            if pattern.concerns(path, name, is_folder):
                best = pattern
                break
        return None if best is None else not best.negative

    def leave_out(self, path: bytes) -> bool:
        """Tell whether a file is left out, by its own path or that of a folder above it."""
        folders = (path[:place] for place in range(len(path)) if path[place] == _SLASH)
        return any(self.decide(folder, is_folder=True) for folder in folders) or bool(
            self.decide(path, is_folder=False)
        )


class _Pattern:
    """A line that is a pattern."""

    def __init__(self, order: int, line: bytes) -> None:
        self.order = order
        self.negative = line.startswith(b"!")
        text = line[1:] if self.negative else line
        self.folders_only = text.endswith(b"/")
        text = text[:-1] if self.folders_only else text
        #: Whether it is about paths from where the file is; else it is about names, wherever they are.
        self.anchored = b"/" in text
        self.text = text.removeprefix(b"/")
        self.is_plain = not _WILDCARD.search(text)

    def concerns(self, path: bytes, name: bytes, is_folder: bool) -> bool:
        """Tell whether it is about what has this path, and this name at its end."""
        if self.folders_only and not is_folder:
            return False
        whole = path if self.anchored else name
        if self.is_plain:
            return self.text == whole
        # An expression longer than any path, which takes long to compile, is never needed.
        if self._parts is None or len(whole) < self._shortest or not whole.endswith(self._end):
            return False
        return self._expression.match(whole) is not None

    @cached_property
    def _parts(self) -> list[bytes] | None:
        return _parts(self.text, anchored=self.anchored)

    @cached_property
    def _shortest(self) -> int:
        """How many bytes a match has at least: all but the stars stand for one."""
        return sum(part not in (_STAR, _STARS) for part in self._parts or ())

    @cached_property
    def _end(self) -> bytes:
        """What a match ends with, as far as that is plain."""
        end = re.search(rb"[^*?\[\]\\/]*\Z", self.text)
        return end[0] if end else b""

    @cached_property
    def _expression(self) -> re.Pattern[bytes]:
        return _compiled(self._parts or [], ends_in_slash=self.text.endswith(b"/"))


def _without_end(line: bytes) -> bytes:
    """Take off the spaces at the end that no backslash keeps, and what follows a NUL, as in C."""
    line = line.partition(b"\0")[0]
    kept = line.rstrip(b" ")
    backslashes = len(kept) - len(kept.rstrip(b"\\"))
    return line[: len(kept) + 1] if backslashes % 2 and len(kept) < len(line) else kept


#: What a pattern consists of beside single characters, each written as a regular expression.
_STAR: Final = b"*"
_STARS: Final = b"**"
_SEPARATOR: Final = b"/"


def _compiled(parts: list[bytes], *, ends_in_slash: bool) -> re.Pattern[bytes]:
    """Return the regular expression of a pattern."""
    numbers = count()
    # Between the `**`, which span folders, are stretches; the first begins where the path does.
    stretches: list[list[bytes]] = [[]]
    for part in parts:
        if part == _STARS:
            stretches.append([])
        else:
            stretches[-1].append(part)
    first, *others = stretches
    expression = _stretch(first, numbers)
    for place, stretch in enumerate(others, 1):
        last = place == len(others)
        inside = _stretch(stretch, numbers)
        if last and not stretch and not ends_in_slash:
            expression += rb".*"
        elif last:
            expression += rb"(?:[^/]*/)*?" + inside
        else:
            expression += _once(rb"(?:[^/]*/)*?" + inside, numbers)
    return re.compile(expression + rb"\Z", re.DOTALL)


def _stretch(parts: list[bytes], numbers: count[int]) -> bytes:
    """Write what is between two `**`."""
    expression = b""
    for name in _split(parts, _SEPARATOR):
        start, *others = (b"".join(piece) for piece in _split(name, _STAR))
        expression += start
        for piece in others[:-1]:
            expression += _once(rb"[^/]*?" + piece, numbers) if piece else b""
        if others:
            expression += rb"[^/]*" + others[-1]
        expression += rb"/"
    return expression.removesuffix(b"/")


def _split(parts: list[bytes], at: bytes) -> list[list[bytes]]:
    found: list[list[bytes]] = [[]]
    for part in parts:
        if part == at:
            found.append([])
        else:
            found[-1].append(part)
    return found


def _once(expression: bytes, numbers: count[int]) -> bytes:
    """Write an expression whose first match is the only one that is tried (`(?>...)`, from Python 3.11)."""
    name = b"_%d" % next(numbers)
    return b"(?=(?P<%s>%s))(?P=%s)" % (name, expression, name)


def _parts(text: bytes, *, anchored: bool) -> list[bytes] | None:
    """Take a pattern apart, as git's wildmatch does; None if it can match nothing."""
    parts: list[bytes] = []
    # Git compares what is before the first wildcard by itself, and `**` may follow it.
    wildcard = _WILDCARD.search(text)
    first = wildcard.start() if wildcard else len(text)
    place = 0
    while place < len(text):
        character = text[place : place + 1]
        if character == b"\\":
            character = text[place + 1 : place + 2]
            if not character:
                return None
            parts.append(_SEPARATOR if character == b"/" else _byte(character[0]))
            place += 2
        elif character == b"*":
            end = place
            while text[end : end + 1] == b"*":
                end += 1
            before = not parts or parts[-1] in (_SEPARATOR, _STARS) or place == first
            after = text[end : end + 1] in (b"", b"/")
            if anchored and end - place > 1 and before and after:
                if parts[-1:] != [_STARS]:  # several in a row mean the same
                    parts.append(_STARS)
                end += 1  # the separator belongs to the folders that it spans, of which there may be none
            else:
                parts.append(_STAR)
            place = end
        elif character == b"[":
            found = _class(text, place + 1)
            if found is None:
                return None
            members, place = found
            parts.append(members)
        else:
            parts.append({b"?": b"[^/]", b"/": _SEPARATOR}.get(character) or _byte(character[0]))
            place += 1
    return parts


def _byte(value: int) -> bytes:
    return rb"\x%02x" % value


def _class(text: bytes, place: int) -> tuple[bytes, int] | None:
    """Read a class of characters from behind its `[`.

    Returns its regular expression and where it ends; None if it has no end, or a name that is none.
    """
    negative = text[place : place + 1] in (b"!", b"^")
    place += negative
    members: set[int] = set()
    before = 0  # what a range begins with, if it does
    start = place
    while place < len(text):
        value = text[place]
        if value == ord("]") and place > start:
            members = set(range(256)) - members if negative else members
            members.discard(_SLASH)
            inside = b"".join(map(_byte, sorted(members)))
            return (b"[%s]" % inside if inside else b"(?!)"), place + 1
        following = text[place + 1 : place + 2]
        if value == ord("\\"):
            if not following:
                return None
            before = following[0]
            members.add(before)
            place += 2
        elif value == ord("-") and before and following not in (b"", b"]"):
            place += 1
            if following == b"\\":
                place += 1
                following = text[place : place + 1]
                if not following:
                    return None
            members.update(range(before, following[0] + 1))
            before = 0
            place += 1
        elif value == ord("[") and following == b":":
            end = text.find(b"]", place + 2)
            if end < 0:
                return None
            name = text[place + 2 : end]
            if name.endswith(b":"):
                if name[:-1] not in _CLASSES:
                    return None
                members |= _CLASSES[name[:-1]]
                before = 0
                place = end + 1
            else:
                members.add(value)
                before = value
                place += 1
        else:
            members.add(value)
            before = value
            place += 1
    return None

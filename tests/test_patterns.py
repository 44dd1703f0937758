"""Patterns of .gitignore: git judges what they mean, and none takes long."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from time import perf_counter

import pytest

from wxtext.patterns import Patterns

#: What patterns are made of here, and names.
PIECES = (
    *(
        "a",
        "b",
        "ab",
        "*",
        "*",
        "**",
        "**/",
        "/**",
        "/",
        "/",
        "?",
        "[ab]",
        "[!a]",
        "[^b-]",
        "[a-c]",
        "[a-\\c]",
    ),
    *("[[:alpha:]]", "[]a]", "[a", "[a-", "[[:x:]]", "[[:alpha]", "[\\]a]", "[/]", "\\*", "\\a", "\\\\", "!"),
    *("#", " ", "\\ ", "\t", "页", "é", "[页]", "***", "-", "]", ".wxml"),
)
NAMES = (
    *(
        "a",
        "b",
        "ab",
        "c",
        "aa",
        "ba",
        "abc",
        "页",
        "é",
        "*",
        "a b",
        "-a",
        "]",
        "a.wxml",
        "ab.wxml",
        "!",
        "#a",
    ),
    *("a ", "\\", "[a", "A"),
)


def judged(folder: Path, paths: list[str]) -> dict[bytes, bool]:
    """What git leaves out of these paths."""
    done = subprocess.run(
        ["git", "check-ignore", "--verbose", "--non-matching", "-z", "--no-index", "--stdin"],
        cwd=folder,
        input="".join(f"{path}\0" for path in paths).encode(),
        capture_output=True,
        check=False,
    )
    fields = done.stdout.split(b"\0")
    return {
        path: pattern != b"" and not pattern.startswith(b"!")
        for pattern, path in zip(fields[2::4], fields[3::4], strict=True)
    }


def test_patterns_mean_what_git_makes_of_them(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git judges here")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    chance = random.Random(1)
    for _round in range(300):
        lines = ["".join(chance.choices(PIECES, k=chance.randint(1, 7))) for _ in range(chance.randint(1, 2))]
        data = (chance.choice(("\n", "\r\n")).join(lines) + chance.choice(("", "\n"))).encode()
        (tmp_path / ".gitignore").write_bytes(data)
        paths = sorted({"/".join(chance.choices(NAMES, k=chance.randint(1, 4))) for _ in range(40)})
        patterns = Patterns.read(data)
        found = {path: left_out(patterns, path) for path in map(str.encode, paths)}
        assert found == judged(tmp_path, paths), data


def left_out(patterns: Patterns, path: bytes) -> bool:
    """Go down to a path as git does: what is in a folder that is left out is not asked for."""
    names = path.split(b"/")
    above = (b"/".join(names[:end]) for end in range(1, len(names)))
    if any(patterns.decide(folder, is_folder=True) for folder in above):
        return True
    return bool(patterns.decide(path, is_folder=False))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        (b"old/", b"pages/old/a.wxml", True),
        (b"old/", b"pages/old", False),
        (b"*.wxml", b"pages/a.wxml", True),
        (b"/a.wxml", b"pages/a.wxml", False),
        (b"!a.wxml", b"a.wxml", False),
        (b"# a", b"# a", False),
        (b"a**/b", b"ax/y/b", True),  # as git has it, though documented otherwise
        (b"\xff*", b"\xffa", True),
        (b"\xef\xbb\xbfa", b"a", False),
        (b"a\\", b"a\\", False),
        (b"a\0b", b"a", True),
        (b"", b"", False),
        (b"/", b"a", False),
    ],
)
def test_one_pattern(pattern: bytes, path: bytes, expected: bool) -> None:
    assert Patterns([pattern]).leave_out(path) is expected


def test_a_mark_at_the_start_of_the_file_is_passed_over() -> None:
    assert Patterns.read(b"\xef\xbb\xbfa\r\nb  \n").leave_out(b"a")
    assert Patterns.read(b"a\r\nb  \n").leave_out(b"b")


@pytest.mark.parametrize(
    "pattern",
    [
        b"*a" * 40 + b"*b",
        b"**/" + b"*a*a*a*a*a*a*a*a*b/**/" * 8 + b"b",
        b"a/**/" * 60 + b"b",
        b"[a-z]*" * 60 + b"!",
        # Longer than any path, as far as they may not stand for nothing.
        b"*a" * 100_000 + b"*",
        b"?" * 200_000,
        b"[a-b]*" * 40_000,
        b"**/" * 80_000 + b"b*",
        b"/**" * 80_000 + b"b",
        b"**/*/" * 50_000 + b"*",
    ],
    ids=lambda pattern: repr(pattern[:12]),
)
@pytest.mark.parametrize("path", [b"a" * 255, b"/".join([b"a" * 31] * 125)])
def test_no_pattern_takes_long(pattern: bytes, path: bytes) -> None:
    patterns = Patterns([pattern])
    start = perf_counter()
    assert not patterns.leave_out(path)
    assert perf_counter() - start < 5  # by trying again, it would be longer than the world is old


def test_long_lists_of_names_are_looked_up() -> None:
    patterns = Patterns.read(b"".join(b"/pages/%d.wxml\n" % number for number in range(10_000)))
    start = perf_counter()
    assert (
        sum(patterns.decide(b"pages/%d.wxml" % number, is_folder=False) is True for number in range(20_000))
        == 10_000
    )
    assert perf_counter() - start < 5

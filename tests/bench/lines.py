"""How time and memory grow with one long hostile line: `python -m tests.bench.lines [WORD]...`.

Prints a table, one line a command and construct: for 1, 4, 16 and 64 MB the seconds of the processor and the
peak memory in MB, and the exponent of growth between the last two (1 is linear, 2 quadratic; of memory 0 is
flat). Exit codes other than 0 stand in brackets: what is too large, or holds no text, is refused. Words
choose the lines whose name contains one of them; `--most N` ends with N MB. The exit status is 1 if a time
grows faster than linearly.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

MEGABYTE: Final = 1 << 20
SIZES: Final = (1, 4, 16, 64)
#: An exponent above this is told, as in `tests.growth`, if it took so many seconds: less is noise.
LIMIT: Final = 1.5
LEAST: Final = 0.5
#: What takes longer, in seconds, is not run with a larger line.
PATIENCE: Final = 16.0

#: What a line repeats.
PIECES: Final = {
    "<": "<",
    "a<": "a<",
    "{{": "{{",
    "a{{": "a {{b ",
    "{{a}}": "{{a}} ",
    "backslashes": "\\",
    "\\n": "a\\n",
    "spaces": " ",
    "a and spaces": "a  ",
    "tabs": "a\t",
    "&": "&",
    "&lt;": "&lt;",
    "quotes": "\"'",
    "one word": "abcdefgh",
    "Chinese": "中文，",
    "emoji": "\U0001f469\u200d\U0001f4bb",
    "NUL": "\0",
    "a and NUL": "a\0",
    "mixed": "a < {{b}} \\n &amp; 中  \U0001f600\"'\0\\\\\t{",
}

#: What is done with it: the arguments of the command, and what is around the line.
COMMANDS: Final = {
    "convert": (["convert", "--no-bindings", "FILE", "-o", os.devnull], "", ""),
    "convert --bindings": (["convert", "--bindings", "FILE", "-o", os.devnull], "", ""),
    "convert --indent 2": (["convert", "--indent", "2", "FILE", "-o", os.devnull], "", ""),
    "convert skyline": (["convert", "--target", "skyline", "FILE", "-o", os.devnull], "", ""),
    "show": (["show", "FILE"], "<text>", "</text>"),
    "check": (["check", "FILE"], "<text>", "</text>"),
    "check --fix": (["check", "--fix", "FILE"], "<text>", "</text>"),
}


class Figure(NamedTuple):
    """What one run took."""

    seconds: float
    megabytes: float
    #: The exit code.
    status: int


def measure(arguments: Sequence[str]) -> Figure:
    """Run the command in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "wxtext", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _pid, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    peak = used.ru_maxrss / (MEGABYTE if sys.platform == "darwin" else 1 << 10)
    return Figure(used.ru_utime + used.ru_stime, peak, process.returncode)


def line(command: str, piece: str, size: int) -> bytes:
    """A line of so many megabytes, as the command reads it."""
    _arguments, before, after = COMMANDS[command]
    raw = piece.encode()
    return before.encode() + raw * (size * MEGABYTE // len(raw)) + after.encode() + b"\n"


def exponent(first: float, second: float, times: float) -> float:
    """How `second` grows over `first`, of `times` as much work."""
    return math.log(max(second, 1e-6) / max(first, 1e-6), times)


def run(command: str, piece: str, sizes: Sequence[int]) -> Iterator[tuple[int, Figure]]:
    """Yield each size with what it took."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.wxml" if command.startswith("check") else "a.txt")
        for size in sizes:
            file.write_bytes(line(command, piece, size))
            arguments = [str(file) if word == "FILE" else word for word in COMMANDS[command][0]]
            figure = measure(arguments)
            yield size, figure
            if figure.seconds > PATIENCE:
                return


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lines", description=__doc__)
    parser.add_argument("words", metavar="WORD", nargs="*")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest line, in MB")
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.most]
    base = measure(["--version"])
    bad = 0
    for command in COMMANDS:
        for name, piece in PIECES.items():
            title = f"{command}: {name}"
            if options.words and not any(word in title for word in options.words):
                continue
            sys.stdout.write(f"{title:32}")
            done: list[tuple[int, Figure]] = []
            for size, figure in run(command, piece, sizes):
                done.append((size, figure))
                sys.stdout.write(f"  {figure.seconds:7.2f} s {figure.megabytes:5.0f} MB")
                sys.stdout.write(f" ({figure.status})" if figure.status else "")
                sys.stdout.flush()
            if len(done) > 1:
                (small, before), (large, after) = done[-2:]
                times = large / small
                slope = exponent(before.seconds - base.seconds, after.seconds - base.seconds, times)
                memory = exponent(before.megabytes, after.megabytes, times)
                told = slope > LIMIT and after.seconds > LEAST
                bad += told
                sys.stdout.write(f"  {slope:5.2f} {memory:5.2f}{'  GROWS' * told}")
            sys.stdout.write("\n")
            sys.stdout.flush()
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

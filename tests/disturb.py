"""Disturb wxtext while it writes: `python -m tests.disturb save|kill --rounds 200`.

`save`: somebody saves the page at a random moment of `check --fix` and of `convert -o`; what was saved must
be there afterwards. `kill`: the command is killed (SIGKILL) at a random moment; the page must be whole, and
after the next run nothing else may lie beside it. The exit status is 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import wxtext
from tests.command import ENVIRONMENT

FIX: Final = ("check", "--unsafe-fixes", "page.wxml")
CONVERT: Final = ("convert", "notes.txt", "-o", "page.wxml")

LINES: Final = 3_000
BROKEN: Final = '<text decode="no">一</text>\n' * LINES
FIXED: Final = '<text decode="{{false}}">一</text>\n' * LINES
NOTES: Final = "".join(f"第 {number} 行\n\n" for number in range(LINES))
OLD: Final = "<!-- wxtext:begin -->\n旧\n<!-- wxtext:end -->"
NEW: Final = f"<!-- wxtext:begin -->\n{wxtext.convert(NOTES)}<!-- wxtext:end -->"


class Kind(NamedTuple):
    """A command that writes `page.wxml`, and what the page holds: before and after, in somebody's version."""

    arguments: tuple[str, ...]
    before: Callable[[int], str]
    after: Callable[[int], str]


KINDS: Final = {
    "fix": Kind(FIX, lambda n: f"<!-- {n} -->\n{BROKEN}", lambda n: f"<!-- {n} -->\n{FIXED}"),
    "convert": Kind(CONVERT, lambda n: f"<!-- {n} -->\n{OLD}\n", lambda n: f"<!-- {n} -->\n{NEW}\n"),
}


@contextmanager
def running(folder: Path, arguments: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a folder."""
    command = [sys.executable, "-m", "wxtext", *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        yield process


def duration(folder: Path, kind: Kind) -> float:
    """How long a command takes that nobody disturbs, in seconds."""
    prepare(folder, kind)
    begin = time.perf_counter()
    with running(folder, kind.arguments) as process:
        _out, err = process.communicate()
    assert process.returncode == 0, err
    assert page(folder) == kind.after(0)
    return time.perf_counter() - begin


def prepare(folder: Path, kind: Kind) -> None:
    """Begin anew."""
    (folder / "notes.txt").write_text(NOTES, "utf-8")
    (folder / "page.wxml").write_text(kind.before(0), "utf-8")


def page(folder: Path) -> str:
    return (folder / "page.wxml").read_text("utf-8")


def save(folder: Path, text: str, *, in_place: bool) -> None:
    """Save as editors do: into the file, or into another one that takes its place."""
    if in_place:
        (folder / "page.wxml").write_text(text, "utf-8")
    else:
        (folder / "other").write_text(text, "utf-8")
        (folder / "other").replace(folder / "page.wxml")


def disturbed_by_saving(folder: Path, kind: Kind, rounds: int, chance: random.Random) -> Counter[str]:
    """Save at random moments, once or a few times, and count what came of it."""
    seen: Counter[str] = Counter()
    whole = duration(folder, kind)
    for _round in range(rounds):
        prepare(folder, kind)
        times = chance.choice((1, 1, 1, 3, 6))
        with running(folder, kind.arguments) as process:
            for number in range(1, times + 1):
                time.sleep(chance.uniform(0, whole / times))
                save(folder, kind.before(number), in_place=chance.random() < 0.5)
            _out, err = process.communicate()
        text = page(folder)
        if text == kind.after(times):
            seen["saved, and worked on"] += 1
        elif text == kind.before(times):
            told = process.returncode == 2 and err.count("\n") == 1
            seen["saved, left alone and told" if told else "saved after the end"] += 1
        else:
            seen["LOST"] += 1
        if process.returncode not in (0, 1, 2) or "Traceback" in err:
            seen["FAILED"] += 1
    return seen


def disturbed_by_killing(folder: Path, kind: Kind, rounds: int, chance: random.Random) -> Counter[str]:
    """Kill at random moments, and count what came of it."""
    seen: Counter[str] = Counter()
    whole = duration(folder, kind)
    for _round in range(rounds):
        prepare(folder, kind)
        with running(folder, kind.arguments) as process:
            time.sleep(chance.uniform(0, whole))
            process.kill()
        text = page(folder)
        seen["before" if text == kind.before(0) else "after" if text == kind.after(0) else "HALF"] += 1
        seen["left something beside it"] += len(beside(folder)) > 0
        with running(folder, kind.arguments) as process:
            process.communicate()
        seen["STILL BESIDE IT after the next run"] += len(beside(folder)) > 0
        seen["NOT DONE by the next run"] += page(folder) != kind.after(0)
    return seen


def beside(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"page.wxml", "notes.txt"}


def failed(seen: Counter[str]) -> bool:
    """Whether anything happened that must not: it is written in capitals."""
    return any(count for name, count in seen.items() if name.split(" ")[0].isupper())


def main() -> int:
    """Disturb both commands, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("how", choices=("save", "kill"))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    disturb = disturbed_by_saving if options.how == "save" else disturbed_by_killing
    bad = False
    for name, kind in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            seen = disturb(Path(folder), kind, options.rounds, random.Random(options.seed))
        bad |= failed(seen)
        sys.stdout.write(f"{name}: {', '.join(f'{count} {what}' for what, count in seen.items() if count)}\n")
        sys.stdout.flush()
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())

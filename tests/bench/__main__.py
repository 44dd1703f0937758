"""Measure wxtext on a folder of long UTF-8 texts, against limits: `python -m tests.bench FOLDER`.

Prints ratios, never times: each is the median of rounds in which both sides run one after the other. The exit
status is 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import html
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import wxtext

ROUNDS = 7
START_ROUNDS = 21
MEGABYTE = 1_000_000
#: Streamed through `convert_lines`, in bytes of UTF-8.
STREAMED = 200 * MEGABYTE


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def ratio(work: Callable[[], object], base: Callable[[], object], rounds: int) -> float:
    """The median of how many times longer `work` takes than `base`, after one round to warm up."""
    return statistics.median([seconds(work) / seconds(base) for _ in range(rounds + 1)][1:])


def installed_command() -> list[str]:
    """The command as it is installed, which starts quicker than the module."""
    script = Path(sys.executable).with_name("wxtext")
    return [str(script)] if script.exists() else [sys.executable, "-m", "wxtext"]


def report(figures: Iterable[tuple[str, float, float]]) -> int:
    """Print each figure with its limit; return whether any exceeds it."""
    exceeded = False
    for name, figure, limit in figures:
        exceeded |= figure > limit
        sys.stdout.write(f"{figure:8.2f}  (at most {limit:.3g})  {name}{'  EXCEEDED' * (figure > limit)}\n")
        sys.stdout.flush()
    return int(exceeded)


def simple_work(data: Sequence[bytes]) -> None:
    """What any tool that makes markup of text does at least: decode, escape, encode."""
    for raw in data:
        html.escape(raw.decode()).encode()


def run(*command: str) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def peak_memory() -> int:
    """The peak memory of this process so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def stream(paths: Sequence[Path]) -> int:
    """Convert 200 MB of lines read again and again from files; give the peak memory in bytes."""

    def lines() -> Iterator[str]:
        left = STREAMED
        while True:
            for path in paths:
                with path.open("rb") as file:
                    for line in file:
                        yield line.decode("utf-8-sig")
                        left -= len(line)
                        if left < 0:
                            return

    for _ in wxtext.convert_lines(lines()):
        pass
    return peak_memory()


def measure(paths: Sequence[Path]) -> Iterator[tuple[str, float, float]]:
    """Each figure with its name and limit."""
    # First, since Linux counts what the parent process holds at that moment as a peak of its child.
    child = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--stream", *map(str, paths)],
        stdout=subprocess.PIPE,
        check=True,
    )
    yield "peak memory of streaming 200 MB, in MB", int(child.stdout) / MEGABYTE, 80

    data = [path.read_bytes().removeprefix(b"\xef\xbb\xbf") for path in paths]
    texts = [raw.decode() for raw in data]

    def converting(texts: Sequence[str], verify: bool) -> Callable[[], object]:
        return lambda: [wxtext.convert(text, verify=verify) for text in texts]

    def base() -> None:
        simple_work(data)

    yield "convert, unverified / escape, decode, encode", ratio(converting(texts, False), base, ROUNDS), 6
    yield "convert, verified / escape, decode, encode", ratio(converting(texts, True), base, ROUNDS), 25
    eightfold = converting([text * 8 for text in texts], True)
    yield "convert 8 times the text / the text", ratio(eightfold, converting(texts, True), 1), 10

    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.txt")
        small.write_text("关于我们\n\n　　第一段 with words\n    if (a < b) {\n", "utf-8")
        command = installed_command()

        def nothing() -> None:
            run(sys.executable, "-c", "pass")

        started = ratio(lambda: run(*command, "convert", str(small)), nothing, START_ROUNDS)
        yield "wxtext convert small.txt / python -c pass", started, 10
        started = ratio(lambda: run(*command, "--version"), nothing, START_ROUNDS)
        yield "wxtext --version / python -c pass", started, 5


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+", help="holds long texts, *.txt")
    parser.add_argument("--stream", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream:
        sys.stdout.write(f"{stream(options.folder)}\n")
        return 0
    paths = sorted(path for folder in options.folder for path in folder.glob("*.txt"))
    if not paths:
        parser.error("no *.txt there")
    return report(measure(paths))


if __name__ == "__main__":
    sys.exit(main())

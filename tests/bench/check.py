"""Measure `check` on a folder of WXML, against limits: `python -m tests.bench.check FOLDER`.

It is compared with eslint-plugin-wxml (needs `npm ci` in this folder) and with the compiler of glass-easel
(`npm ci` in tests/oracle), which only reads. Both have run over the files before; wxtext begins anew each
round, with nothing in its caches, and then runs once more. Prints ratios of times, never times. The exit
status is 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import wxtext
from tests.bench.__main__ import START_ROUNDS, installed_command, ratio, report, run, seconds
from wxtext.semantics import Target

FOLDER = Path(__file__).parent
ROUNDS = 5
#: How many times longer 8 times as much may take: quadratic work would take 64 times.
GROWTH = 16
TARGETS: tuple[Target, Target] = ("webview", "glass-easel")

#: What a reader that looks ahead, recurses, or goes back would take quadratic time for.
PATHOLOGICAL: dict[str, Callable[[int], str]] = {
    "nested tags": lambda count: "<view>" * count + "</view>" * count,
    "nested tags that are never closed": lambda count: "<text>" * count,
    "closing tags alone": lambda count: "</view>" * count,
    "nested <block> in <text>": lambda count: "<text>" + "<block> a" * count + "</block>" * count + "</text>",
    "nested <p> in <text>": lambda count: "<text>" + "<p>" * count + "a" + "</p>" * count + "</text>",
    "unclosed quotes": lambda count: '<view a="' * count,
    "unclosed quotes in a binding": lambda count: "<text>{{'" + "a {{'" * count,
    "{{": lambda count: "{{" * count,
    "<text>{{": lambda count: "<text>{{" * count,
    "{": lambda count: "<text>" + "{" * count + "</text>",
    "[ in a binding": lambda count: "<text>{{" + "[" * count + "}}</text>",
    "<": lambda count: "<" * count,
    "<!--": lambda count: "<!--" * count,
    "<wxs>": lambda count: "<wxs>" * count,
    "&": lambda count: "<text>" + "&" * count + "</text>",
    "backslashes": lambda count: "<text>" + "\\" * count + "</text>",
    "spaces": lambda count: "<text>" + "  \n" * count + "a</text>",
    "attributes": lambda count: "<text" + ' a="b"' * count + "/>",
    "one element beside another": lambda count: "<text space='x' selectable> a </text>" * count,
}


def measure(sources: Sequence[str]) -> Iterator[tuple[str, float, float]]:
    """Each figure with its name and limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sources.json")
        path.write_text(json.dumps(sources), "utf-8")
        others = subprocess.Popen(
            ["node", str(FOLDER / "linter.js"), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

        def other(word: str) -> float:
            assert others.stdin is not None
            assert others.stdout is not None
            others.stdin.write(f"{word}\n")
            others.stdin.flush()
            return float(others.stdout.readline())

        def ours(target: Target) -> tuple[float, float]:
            command = [sys.executable, "-m", "tests.bench.check", "--once", target, str(path)]
            output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            cold, warm = map(float, output.split())
            return cold, warm

        for target in TARGETS:
            rounds = [(*ours(target), other("eslint"), other("parse")) for _ in range(ROUNDS + 1)][1:]
            for index, state in enumerate(("cold", "warm")):
                eslint = statistics.median([times[index] / times[2] for times in rounds])
                parsing = statistics.median([times[index] / times[3] for times in rounds])
                yield f"check, {target}, {state} / eslint-plugin-wxml", eslint, 1 / 6
                yield f"check, {target}, {state} / glass-easel, parsing alone", parsing, 3
        others.communicate()

        small = Path(folder, "small.wxml")
        small.write_text("<view>\n  <text>关于我们\\n第一段</text>\n</view>\n", "utf-8")
        command = installed_command()
        started = ratio(
            lambda: run(*command, "check", str(small)),
            lambda: run(sys.executable, "-c", "pass"),
            START_ROUNDS,
        )
        yield "wxtext check small.wxml / python -c pass", started, 10

    for name, make in PATHOLOGICAL.items():
        eighth, whole = make(12_500), make(100_000)
        for target in TARGETS:
            figure = processor_seconds(whole, target) / processor_seconds(eighth, target)
            yield f"check, {target}: 8 times as much of {name}", figure, GROWTH


def processor_seconds(source: str, target: Target) -> float:
    """How long checking takes the processor at best."""

    def once() -> float:
        begin = time.process_time()
        wxtext.check(source, target=target)
        return time.process_time() - begin

    return min(once() for _ in range(3))


def cold_and_warm(sources: Sequence[str], target: Target) -> tuple[float, float]:
    """How long checking all takes in a process that has only loaded the rules, and how long once more."""

    def check_all() -> None:
        for source in sources:
            wxtext.check(source, target=target)

    wxtext.check("<text/>", target=target)
    return seconds(check_all), seconds(check_all)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.check", description=__doc__)
    parser.add_argument("folder", type=Path, help="holds *.wxml, at any depth")
    parser.add_argument("--once", choices=TARGETS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        cold, warm = cold_and_warm(json.loads(options.folder.read_text("utf-8")), options.once)
        sys.stdout.write(f"{cold} {warm}\n")
        return 0
    if not (FOLDER / "node_modules").is_dir():
        parser.error("run `npm ci` in tests/bench")
    raw = dict.fromkeys(path.read_bytes() for path in sorted(options.folder.rglob("*.wxml")))
    sources = [source.decode("utf-8", "replace") for source in raw]
    if not sources:
        parser.error("no *.wxml there")
    return report(measure(sources))


if __name__ == "__main__":
    sys.exit(main())

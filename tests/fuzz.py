"""Convert many random notes and ask the official compilers what they show.

    python -m tests.fuzz --cases 50000
    python -m tests.fuzz --contents --cases 20000

With --contents it is `wxtext.show` that is judged, by random WXML. Every case is made from the seed and its
number alone, so that one can be run again: `--seed 7 --only 1234`. Failing cases are made smaller and
printed; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

from tests import oracle as official
from tests.judge import Case, Values, judge, judge_contents
from tests.strategies import OPTIONS, random_content, random_notes, random_options

CHUNK = 200
#: So many failing cases of a chunk are made smaller, which takes about a second each.
SHRUNK = 3

Judge = Callable[[Sequence[Case]], "list[str | None]"]


def make_notes(random: Random) -> Case:
    """Notes to convert, with any options."""
    return Case(random_notes(random), random_options(random))


def make_content(random: Random) -> Case:
    """WXML to read; what Skyline shows of any but our own is not known."""
    return Case(random_content(random), {"target": random.choice(("webview", "glass-easel"))})


def failures(
    oracle: official.Oracle, seed: str, numbers: range, *, contents: bool = False
) -> Iterator[tuple[int, Case, str]]:
    """Judge the cases of these numbers; give those that fail and what is wrong, the first made smaller."""
    make = make_content if contents else make_notes
    verdicts_of: Judge = (
        functools.partial(judge_contents, oracle)
        if contents
        else functools.partial(judge, oracle, Values(oracle))
    )
    cases = [make(Random(f"{seed}:{number}")) for number in numbers]
    shrunk = 0
    for number, case, verdict in zip(numbers, cases, verdicts_of(cases), strict=True):
        if verdict is not None:
            shrunk += 1
            yield number, *(smaller(verdicts_of, case, verdict) if shrunk <= SHRUNK else (case, verdict))


def smaller(verdicts_of: Judge, case: Case, verdict: str) -> tuple[Case, str]:
    """A smaller case that is judged wrong too: default options first, then ever smaller parts taken out."""
    kind = verdict.split(maxsplit=1)[0]
    for name in case.options:
        plainer = Case(case.notes, {**case.options, name: OPTIONS[name][0]})
        if plainer != case:
            found = verdicts_of([plainer])[0]
            if found is not None and found.startswith(kind):
                case, verdict = plainer, found
    size = len(case.notes) // 2
    while size > 0:
        starts = range(0, len(case.notes), size)
        candidates = [Case(case.notes[:start] + case.notes[start + size :], case.options) for start in starts]
        for candidate, found in zip(candidates, verdicts_of(candidates), strict=True):
            if found is not None and found.startswith(kind):
                case, verdict = candidate, found
                break
        else:
            size //= 2
        size = min(size, len(case.notes))
    return case, verdict


def _work(seed: str, contents: bool, numbers: range) -> list[tuple[int, Case, str]]:
    with official.Oracle() as oracle:
        return list(failures(oracle, seed, numbers, contents=contents))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--contents", action="store_true", help="judge `show` instead of `convert`")
    parser.add_argument("--seed", default="wxtext")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--only", type=int, help="run the case of this number alone")
    options = parser.parse_args()
    if (reason := official.missing()) is not None:
        parser.error(reason)
    numbers = range(options.cases) if options.only is None else range(options.only, options.only + 1)
    chunks = [numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)]
    work = functools.partial(_work, options.seed, options.contents)
    begin, wrong = time.monotonic(), 0
    with multiprocessing.Pool(options.jobs) as pool:
        for done, found in enumerate(pool.imap(work, chunks), 1):
            for number, case, verdict in found:
                sys.stdout.write(f"case {number}: {case.notes!a} {case.options}\n  {verdict!a}\n\n")
                sys.stdout.flush()
            wrong += len(found)
            if done % 25 == 0:
                sys.stderr.write(f"{done * CHUNK} cases, {time.monotonic() - begin:.0f} s\n")
    seconds = time.monotonic() - begin
    sys.stdout.write(f"{len(numbers)} cases, {wrong} wrong (seed {options.seed}, {seconds:.0f} s)\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

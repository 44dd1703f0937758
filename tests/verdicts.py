"""Ask the official compilers about real pages and small mutations of them, and compare what wxtext reads.

    python -m tests.verdicts FOLDER
    python -m tests.verdicts FOLDER --mutations 20000
    python -m tests.verdicts FOLDER --mutations 4000 --compiler glass-easel
    python -m tests.verdicts FOLDER --cuts 6000 --compiler glass-easel

--cuts are pages that end anywhere. Without either it is the pages themselves, and the same with CRLF, a byte
order mark, entities and `="false"` planted: the verdict, that `check` never raises, and the text nodes, with
`wx:` attributes taken out.
Files that `<wxs>` refers to and the JavaScript in it are taken out first. Disagreements are printed; the exit
status is 1 if there are more than the accepted one in a thousand (wcc) or in a hundred (glass-easel).
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, get_args

import wxtext
from tests import oracle as official
from wxtext.layout import with_templates
from wxtext.semantics import Compiler, Target
from wxtext.wxml import Event, read

CHUNK = 100
ACCEPTED: dict[Compiler, float] = {"wcc": 0.001, "glass-easel": 0.01}

INSERTED = [
    "<",
    "{",
    '"',
    "/",
    ">",
    "}",
    "{{",
    "}}",
    "'",
    "=",
    " ",
    "&",
    "\\",
    "<!--",
    "-->",
    "</",
    "/>",
    ":",
]
INSERTED += [".", "\n", "!", "1", "?", "\u3000", "wx:else ", "-"]

# glass-easel never ends on white space in a tag that is not of ASCII.
HANGS = "white space in a tag that is not of ASCII"

_SCRIPT_SOURCE = re.compile(r"""(<wxs\b[^>]*?)\ssrc\s*=\s*(?:"[^"]*"|'[^']*')""")
_SCRIPT_BODY = re.compile(r"(<wxs\b[^>]*(?<!/)>).*?(</wxs>)", re.DOTALL)
_CONTROL = re.compile(r"""\swx[:-][a-z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?""")


def refused(result: dict[str, Any]) -> bool | None:
    """What a compiler says of a source; None if it was never asked, or its output failed at run time."""
    if "fatal" in result:
        return True if "unreachable" in str(result["fatal"]) else None
    if "error" not in result or "compiled" in result:
        return False
    return "not found from" not in str(result["error"]) or None


def mutated(chance: Random, source: str) -> str:
    """A page with one to three small faults."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if len(source) < 2:
            break
        at = chance.randrange(len(source) - 1)
        kind = chance.random()
        if kind < 0.3:
            source = source[:at] + source[at + 1 :]
        elif kind < 0.45:
            source = source[:at] + source[at] + source[at:]
        elif kind < 0.6:
            source = source[:at] + source[at + 1] + source[at] + source[at + 2 :]
        elif kind < 0.95:
            source = source[:at] + chance.choice(INSERTED) + source[at:]
        else:
            source = source[: max(at, 2)]
    # What stands in `<wxs>` is JavaScript, which is not looked at.
    return re.sub(r"(<wxs\b[^>]*>)[^<]*(</wxs>)", r"\1\2", source)


PLANTED: dict[str, Callable[[str], str]] = {
    "as they are": lambda source: source,
    "CRLF": lambda source: re.sub("\r?\n", "\r\n", source),
    "byte order mark": lambda source: "\ufeff" + source,
    "entities": lambda source: re.sub("(<text[^<>]*>)", r"\1&nbsp;&lt;&copy;", source),
    '="false"': lambda source: re.sub(r"<(text|view|image)(?=\s)", r'<\1 hidden="false"', source),
}


def pages(folder: Path) -> list[str]:
    """The distinct pages below a folder, without what `<wxs>` refers to and holds."""
    sources: dict[str, None] = {}
    for path in sorted(folder.rglob("*.wxml")):
        try:
            source = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        sources[_SCRIPT_BODY.sub(r"\1\2", _SCRIPT_SOURCE.sub(r"\1", source))] = None
    return [source for source in sources if source.strip()]


class Disagreement(NamedTuple):
    source: str
    #: What wxtext says, and what the compiler does.
    ours: str
    theirs: str


def disagreements(
    oracle: official.Oracle, compiler: Compiler, sources: Sequence[str]
) -> tuple[Counter[str], list[Disagreement]]:
    """Compare the verdicts on each source; count what the compiler says, or that it could not be asked."""
    found: list[Disagreement] = []
    counts = Counter[str]()
    asked = []
    for source in sources:
        for target in get_args(Target):
            wxtext.check(source, target=target)  # never raises
        refusals = read(source, compiler).refusals
        if compiler == "glass-easel" and any(refusal.message == HANGS for refusal in refusals):
            counts["skipped"] += 1
        else:
            asked.append((source, refusals))
    results = oracle.compile(compiler, [source for source, _ in asked])
    for (source, refusals), result in zip(asked, results, strict=True):
        theirs = refused(result)
        counts["skipped" if theirs is None else "refused" if theirs else "accepted"] += 1
        ours = bool(refusals)
        if compiler == "wcc":
            ours = any(problem.rule == "syntax" for problem in wxtext.check(source))
        if theirs is not None and ours != theirs:
            found.append(Disagreement(source, str(refusals[:1]), str(result.get("error", "accepted"))))
    return counts, found


def text_nodes(oracle: official.Oracle, sources: Sequence[str]) -> tuple[Counter[str], list[Disagreement]]:
    """Compare the text nodes of each source with those in wcc's tree."""
    found: list[Disagreement] = []
    counts = Counter[str]()
    plain = [_CONTROL.sub("", source) for source in sources]
    for source, result in zip(plain, oracle.compile("wcc", plain), strict=True):
        if "tree" not in result:
            counts["refused" if refused(result) else "skipped"] += 1
            continue
        counts["accepted"] += 1
        ours = list(_our_texts(read(source, "wcc").events))
        theirs = list(_texts(result["tree"]))
        # What data decide is as written in ours.
        same = [one == other or "{{" in one for one, other in zip(ours, theirs, strict=False)]
        if len(ours) != len(theirs) or not all(same):
            at = same.index(False) if False in same else len(same)
            found.append(Disagreement(source, repr(ours[at : at + 1]), repr(theirs[at : at + 1])))
    return counts, found


def _our_texts(events: list[Event]) -> Iterator[str]:
    hidden = 0  # elements that are open and show nothing here
    for kind, _start, _end, tag, text in with_templates(events, "wcc"):
        if kind == "open" and tag and not tag.self_closing:
            hidden += bool(hidden) or tag.role in {"define", "include", "import", "use"}
        elif kind == "close" and hidden:
            hidden -= 1
        elif kind == "text" and not hidden:
            yield text


def _texts(nodes: list[Any]) -> Iterator[str]:
    pending = nodes[::-1]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            yield node
        else:
            pending += reversed(node["children"])


Work = Callable[[official.Oracle, Sequence[str]], "tuple[Counter[str], list[Disagreement]]"]


def _in_process(work: Work, sources: Sequence[str]) -> tuple[Counter[str], list[Disagreement]]:
    with official.Oracle() as oracle:
        return work(oracle, sources)


def _verdicts(
    compiler: Compiler, oracle: official.Oracle, sources: Sequence[str]
) -> tuple[Counter[str], list[Disagreement]]:
    return disagreements(oracle, compiler, sources)


def run(pool: Any, title: str, work: Work, sources: Sequence[str], accepted: float) -> bool:
    """Compare all sources; print what is found, and tell whether it is as good as wanted."""
    counts = Counter[str]()
    wrong = 0
    chunks = [sources[start : start + CHUNK] for start in range(0, len(sources), CHUNK)]
    for some, found in pool.imap(functools.partial(_in_process, work), chunks):
        counts += some
        wrong += len(found)
        for disagreement in found:
            sys.stdout.write("  wxtext: {1}\n  compiler: {2}\n  {0!a}\n\n".format(*disagreement))
    asked = counts["accepted"] + counts["refused"]
    sys.stdout.write(
        f"{title}: {wrong} disagreements on {asked}, of which {counts['refused']} are refused "
        f"({counts['skipped']} not asked)\n"
    )
    sys.stdout.flush()
    return wrong <= accepted * asked


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.verdicts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="holds *.wxml, at any depth")
    parser.add_argument("--mutations", type=int, default=0, help="judge so many mutations instead")
    parser.add_argument("--cuts", type=int, default=0, help="judge so many pages that end too early instead")
    parser.add_argument("--compiler", choices=get_args(Compiler), default="wcc")
    parser.add_argument("--seed", default="wxtext")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    options = parser.parse_args()
    if (reason := official.missing()) is not None:
        parser.error(reason)
    sources = pages(options.folder)
    compiler: Compiler = options.compiler
    verdicts = functools.partial(_verdicts, compiler)
    accepted = ACCEPTED[compiler]
    with multiprocessing.Pool(options.jobs) as pool:
        chance = Random(f"{options.seed} {compiler}")
        small = [source for source in sources if 20 < len(source) < 6000]
        if options.cuts:
            chosen = [chance.choice(small) for _ in range(options.cuts)]
            cut = [source[: chance.randrange(1, len(source))] for source in chosen]
            return int(not run(pool, f"cuts, {compiler}", verdicts, cut, accepted))
        if options.mutations:
            mutations = [mutated(chance, chance.choice(small)) for _ in range(options.mutations)]
            return int(not run(pool, f"mutations, {compiler}", verdicts, mutations, accepted))
        good = True
        for title, plant in PLANTED.items():
            planted = [plant(source) for source in sources]
            good &= run(pool, f"pages, {title}, {compiler}", verdicts, planted, 0)
            if compiler == "wcc":
                good &= run(pool, f"text nodes, {title}", text_nodes, planted, 0)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())

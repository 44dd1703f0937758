"""How time grows with hostile pages: `python -m tests.growth [WORD]...`.

Prints a table, one line a construct and command: the seconds for n, 2n, 4n and 8n repetitions, n, and the
exponent of growth between the last three (1 is linear, 2 quadratic). Words choose the lines whose name
contains one of them. The exit status is 1 if an exponent exceeds 1.5.

With `--patterns` it tries every regular expression of the package on strings made to send it back and forth.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import itertools
import math
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, get_args

import wxtext
from wxtext.errors import WxmlError
from wxtext.lazy import Lazy
from wxtext.lint import Settings
from wxtext.semantics import Target

#: An exponent above this is told: of what is linear, caches and memory make up to 1.3.
LIMIT: Final = 1.5
#: The first of the four takes at least so long, in seconds, or is so long, in characters.
SHORTEST, LONGEST = 0.015, 200_000
#: What takes less, in seconds, is not told: where a page has just outgrown a cache of the processor, it may
#: seem to grow.
LEAST: Final = 0.12
#: A line that takes longer, in seconds, is not doubled any more.
PATIENCE: Final = 8.0

Make = Callable[[int], str]


def repeated(piece: str, before: str = "", after: str = "") -> Make:
    return lambda n: before + piece * n + after


def nested(opening: str, closing: str, before: str = "", after: str = "") -> Make:
    return lambda n: before + opening * n + "a" + closing * n + after


def in_text(piece: str) -> Make:
    return repeated(piece, "<text>", "</text>")


def numbered(piece: str, before: str = "", after: str = "") -> Make:
    return lambda n: before + "".join(piece.replace("#", str(i)) for i in range(n)) + after


#: What makes rules look closer at the text that it is in.
EVERYTHING: Final = "  a\\n C:\\new \\x41 \\' &amp;lt; &nbsp; \u200b {{'\\n'}} {{'\\x41'}} {{a}} \n\t"

CONSTRUCTS: Final[dict[str, Make]] = {
    # Elements, beside each other and in each other.
    **{
        f"{opening} beside": repeated(f"{opening}a{closing}\n")
        for opening, closing in (
            ("<text>", "</text>"),
            ("<text user-select>", "</text>"),
            ("<text selectable>", "</text>"),
            ("<text space='emsp' decode>", "</text>"),
            ("<view>", "</view>"),
            ("<VIEW>", "</VIEW>"),
            ("<my-part>", "</my-part>"),
            ("<block>", "</block>"),
            ("<slot>", "</slot>"),
            ("<template name='a'>", "</template>"),
            ("<wxs module='a'>", "</wxs>"),
            ("<div>", "</div>"),
            ("<view wx:for='{{a}}'>", "</view>"),
            ("<text wx:for='{{a}}'>", "</text>"),
            ("<text wx:if='{{a}}'>", "</text>"),
            ("<text><p>", "</p></text>"),
            ("<text><b>", "</b></text>"),
        )
    },
    **{
        f"{opening} nested": nested(opening, closing)
        for opening, closing in (
            ("<text>", "</text>"),
            ("<Text>", "</Text>"),
            ("<text user-select>", "</text>"),
            ("<text user-select>a\\n", "b</text>"),
            ("<text selectable>", "</text>"),
            ("<text wx:for='{{a}}'>", "</text>"),
            ("<text wx:if='{{a}}'>\n", "</text>\n"),
            ("<view>", "</view>"),
            ("<view> a ", " b </view>"),
            ("<view wx:for='{{a}}'>", "</view>"),
            ("<view style='white-space: pre'>", "</view>"),
            ("<block>", "</block>"),
            ("<block wx:if='{{a}}'>", "</block>"),
            ("<slot>", "</slot>"),
            ("<template name='a'>", "</template>"),
            ("<template name='a'><template is='a'/>", "</template>"),
            ("<div>", "</div>"),
            ("<my-part>", "</my-part>"),
        )
    },
    **{
        f"{opening} nested in <text>": nested(opening, closing, "<text>", "</text>")
        for opening, closing in (
            ("<block> a", "</block>"),
            ("<block wx:if='{{a}}'>\n", "</block>\n"),
            ("<block wx:for='{{a}}'>\n", "</block>\n"),
            ("<block wx:for='{{a}}'> ", " </block> "),
            ("<block wx:for='{{a}}'>{{' '}}", "{{' '}}</block>"),
            ("<block wx:if='{{a}}'> <!---->", " <!----></block> "),
            ("<slot> ", " </slot> "),
            ("<text> ", " </text> "),
            ("<text user-select> ", " </text> "),
            ("<text user-select='{{a}}'> ", " </text> "),
            ("<text wx:for='{{a}}'> ", " </text> "),
            ("<text hidden='{{a}}'> ", " </text> "),
            ("<view>", "</view>"),
            ("<p>", "</p>"),
            ("<p>\n", "\n</p>\n"),
            ("<b>", "</b>"),
            ("<div> ", " </div>"),
            ("<template name='a'>", "</template>"),
        )
    },
    "spaces and loops": repeated("<!----> <block wx:for='{{a}}'> </block>", "<text>", "</text>"),
    "spaces, then loops": lambda n: (
        "<text>" + " <!---->" * n + "<block wx:for='{{a}}'> </block>" * n + "</text>"
    ),
    "spaces, then slots": lambda n: "<text>" + "<slot>" * n + " <!---->" * n + "</slot>" * n + "</text>",
    "wx:if, wx:elif": repeated("<text wx:elif='{{a}}'>a\n</text>", "<text wx:if='{{a}}'>b</text>"),
    "wx:if, wx:elif in <text>": repeated(
        "<text wx:elif='{{a}}'> a\n</text>", "<text> <text wx:if='{{a}}'>b</text>", "</text>"
    ),
    "wx:else of its own": repeated("<view wx:if='{{a}}'/><view wx:else/>"),
    "wx:else without wx:if": repeated("<view wx:else/>"),
    "line breaks before wx:if": repeated("\\n<text wx:if='{{a}}'>b</text> ", "<text>", "</text>"),
    # Templates.
    "templates in a chain": numbered(
        "<template name='t#'>a<template is='t#' /></template>", after="<template is='t0'/>"
    ),
    "templates that use the next": lambda n: (
        "".join(f"<template name='t{i}'>a<template is='t{i + 1}'/></template>" for i in range(n))
        + "<template is='t0'/>"
    ),
    "templates that use the next twice": lambda n: (
        "".join(
            f"<template name='t{i}'>a<template is='t{i + 1}'/><template is='t{i + 1}'/></template>"
            for i in range(n)
        )
        + "<template is='t0'/>"
    ),
    "one template used": repeated("<template is='a'/>", "<template name='a'>b</template>"),
    "a long template used": lambda n: (
        "<template name='a'>" + "<text>b</text>" * n + "</template>" + "<template is='a'/>" * n
    ),
    "empty templates used": lambda n: "<template name='a'></template>" + "<template is='a'/>" * n,
    "<include>, <import>": repeated("<include src='a'/><import src='a'/>"),
    # Tags that are not closed, or not written as usual.
    **{
        f"{tag} unclosed": repeated(tag)
        for tag in (
            *("<text>", "<view>", "<view", "<text ", "<p>", "<block>", "<wxs>", "<wxs module='a'>", "<br>"),
            *("<template name='a'>", "<template is='a'>", "<slot>", "<include>", "<import>", "<Text>"),
            *(
                '<view a="',
                "<view a='",
                "<view a=",
                "<view a={{",
                '<view a="{{',
                "<!--",
                "<!",
                "<!a",
                "<![CDATA[",
            ),
            *(
                "<",
                "< ",
                "</",
                "</a",
                "</ ",
                "<>",
                "</>",
                "<a<",
                "<a/",
                "<_",
                "<-",
                "<a >b<",
                "<a b",
                "<text>{{",
            ),
            *(
                "{{",
                "{",
                "}}",
                "{{{",
                "{<",
                "{<a",
                "{<!--",
                "{{'",
                '{{"',
                "{{/*",
                "{{a",
                "{{a?",
                "{{[",
                "{{a+",
            ),
        )
    },
    "</view> alone": repeated("</view>"),
    "</text> in <view>": repeated("<view></text>"),
    "<a></b>": lambda n: "<a>" * n + "</b>" * n,
    "<a> and a closing tag of another": lambda n: "<a>" * n + "<b>" + "</a>" * n,
    "</text > nested": nested("<text>", "</text >"),
    "<view\\n> nested": nested("<view\n>", "</view\n>"),
    "<br>": in_text("a<br>"),
    "<br/>": in_text("a<br/>"),
    "</br>": in_text("a</br>"),
    "<br></br>": in_text("<br></br>"),
    "<br \\n": in_text("<br \n"),
    "<br '": in_text("<br '"),
    "<br> after spaces": in_text(" \n<br>"),
    "spaces before <br>": repeated(" ", "<text>", "<br><br></text>"),
    "spaces before <p>": lambda n: "<text>" + (" " * 20 + "<p>a</p>") * (n // 8) + "</text>",
    "<p> beside in <text>": in_text("<p>a</p>\n"),
    "<b> beside in <text>": in_text("<b>a</b>"),
    "<table> in <text>": in_text("<table>"),
    "> in values": repeated('<view a=">"/>'),
    "comments": repeated("<!-- a -->"),
    "comments in <text>": in_text("a<!-- a --> "),
    "comments that end wrongly": repeated("<!-- a ->\n"),
    "<!--- ->": repeated("- ", "<!--", "->\n"),
    "one long comment": repeated("a\n", "<!--", "-->"),
    "dashes in a comment": repeated("-", "<!--", ">"),
    "suppressions": repeated("<!-- wxtext-ignore loose-text --><view>a</view>"),
    "suppressions, no end": repeated("<!-- wxtext-ignore loose-text "),
    "suppressions of the file": repeated("<!-- wxtext-ignore-file loose-text -->a"),
    "suppressions that are unused": repeated("<!-- wxtext-ignore html-tag -->\n"),
    "suppressions of no rule": repeated("<!-- wxtext-ignore -->"),
    "suppressions of unknown rules": numbered("<!-- wxtext-ignore a# -->"),
    "unknown names in one suppression": numbered("a# ", "<!-- wxtext-ignore ", "-->"),
    "one name in a suppression": repeated("loose-text ", "<!-- wxtext-ignore ", "--><view>a</view>"),
    "suppressions nested": nested("<!-- wxtext-ignore loose-text --><view>a", "</view>"),
    # Attributes.
    "attributes of one tag": numbered(" a#='b'", "<text", "/>"),
    "attributes with : of one tag": numbered(" a#:b='b'", "<text", "/>"),
    "attributes without values": numbered(" a#", "<text", "/>"),
    "one attribute again and again": repeated(" a='b'", "<text", "/>"),
    "one attribute, other values": numbered(" a='#'", "<text", "/>"),
    "wx:if again and again": repeated(" wx:if='{{a}}'", "<text", "/>"),
    "attributes without spaces": repeated("a='b'", "<text ", "/>"),
    "= in a tag": repeated("=", "<text a", "/>"),
    "/ in a tag": repeated("/", "<text a ", "/>"),
    "quotes in a tag": repeated('"', "<text a ", "/>"),
    "names in a tag, unclosed": repeated("a ", "<text "),
    "spaces in a tag": repeated(" ", "<text a", "/>"),
    "spaces in a tag, unclosed": repeated(" ", "<text a"),
    "class:a in one tag": numbered(" class:a#='{{b}}'", "<view class='a'", "/>"),
    "style in one tag": numbered("a#:b;", "<view style='", "' style:a='b'/>"),
    "slot:a in one tag": numbered(" slot:a#='b'", "<view wx:if='{{a}}'", "/>"),
    "classes of one tag": numbered("a# ", "<view class='", "'/>"),
    "white-space in a style": repeated("; white-space : ", "<view style='", "'>a\\n</view>"),
    "one long value": repeated("a", "<text a='", "'/>"),
    "backslashes in a value": repeated("\\", "<text a='", "'/>"),
    "bindings in a value": repeated("{{a}} ", "<text a='", "'/>"),
    "constant bindings in a value": repeated("{{1}}", "<text wx:if='", "'/>"),
    "{{ in a value": repeated("{{", "<text wx:if='", "'/>"),
    "}} in a value": repeated("}}", "<text wx:if='{{", "'/>"),
    "! in a value": repeated("!", "<text wx:if='", "'/>"),
    "& in a value": repeated("&", "<text a='", "'/>"),
    "entities in a value": repeated("&lt;", "<text a='", "'/>"),
    "line feeds in a value": repeated("\n", "<text a='", "'/>"),
    "data of a template": repeated("a,", "<template is='a' data='{{", "b}}'/>"),
    "tags that differ": numbered("<view a='#'/>"),
    "shapes that differ": numbered("<view a#=''/>"),
    "names that differ": numbered("<view#/>"),
    "<text decode='false'>": repeated("<text decode='false' wx:if='a'>a</text>"),
    # Texts.
    **{
        f"{piece!r} in {place}": repeated(piece, before, after)
        for piece in (
            *("\\", "\\n", "\\\\", "\\\\n", "\\'", "\\x41", "\\ ", "\\n ", "C:\\new", "C:\\n", "C:\\a\\n{"),
            *("\\t", "&", "&#", "&lt", "&lt;", "&amp;", "&nbsp;", "&#160;", "&amp;lt;", "&B;", "&a", "&#x"),
            *(" ", "  a", "\t", "\r", "\r\n", "\n", "a\n", " \n", "a \n b", "\u3000", "\u00a0", "\u200b"),
            *(
                "\u200b\u200d",
                "\ufeff",
                "a\u200b",
                "\0",
                "\x01",
                "\0\n",
                "\u200d",
                "\U0001f600\u200d",
                "a ",
                "中",
            ),
            *(
                "{{a}}",
                "{{a}} ",
                "{{a}}\n",
                "{{'\\n'}}",
                "{{' '}} ",
                "{{}}",
                "{{a b}}",
                "{{'\\x41'}}",
                "a b ",
            ),
            *(
                "{{a}}{{a b}}",
                "{{'}}'}}",
                "<br>",
                "<!---->",
                "<text/>",
                "\\{{a}}",
                "{{a}}\\n",
                "}}{{",
                "}}{{'",
            ),
            *("\ud800", "\u0627\u200d", "{a}", "/*", "'", '"', "a<!---->\n", "<text>a\n</text>", "\n{{a}}\n"),
        )
        for place, before, after in (
            ("<text>", "<text>", "</text>"),
            ("<view>", "<view>", "</view>"),
            ("nothing", "", ""),
            ("<text> with all", f"<text>{EVERYTHING}", "x</text>"),
            ("<view> with all", f"<view>{EVERYTHING}", "x</view>"),
            ("<text> before all", "<text>", f"{EVERYTHING}</text>"),
            ("<view> before all", "<view>", f"{EVERYTHING}</view>"),
        )
    },
    "a break after a box": repeated("<text user-select>a\\n</text>b"),
    "boxes after boxes in each other": nested(
        "<text user-select>{{a}}</text><text user-select>{{a}}", "</text>"
    ),
    "boxes of several rows": repeated("<text user-select>a\\nb</text>"),
    "boxes of ever more rows": lambda n: "".join(
        "<text user-select>" + "a\\n" * (i % 50) + "b</text>" for i in range(n // 8)
    ),
    # Expressions.
    **{
        f"{piece!r} in a binding": repeated(piece, "<text>{{", after)
        for piece, after in (
            *(("(", "}}"), ("[", "}}"), ("{", "}}"), ("a(", "}}"), ("a[", "}}"), ("{a:", "}}"), ("!", "a}}")),
            *(("-", "a}}"), ("~", "1}}"), ("'a'+", "'b'}}"), ("a+", "b}}"), ("1+", "1}}"), ("a?b:", "c}}")),
            *(("a?", "c}}"), ("a.", "b}}"), ("a,", "b}}"), ("[1],", "1}}"), ("'", "}}"), ('"', "}}")),
            *(("\\", "}}"), ("'\\", "'}}"), ("/*", "}}"), ("/**/", "a}}"), (" ", "a}}"), ("a ", "}}")),
            *(("0", "}}"), ("9", "}}"), ("1.", "}}"), ("1e", "}}"), ("0x", "}}"), ("a", "}}"), ("}", "}}")),
            *(("'a'+'b'+", "c}}"), ("typeof ", "a}}"), ("...", "a}}"), ("a||", "b}}"), ("1==", "1}}")),
            *(("[1,", "1}}"), ("{a:1,", "}}"), ("''+[1]+", "1}}")),
        )
    },
    "[[1]] nested": nested("[", "]", "<text>{{", "}}</text>"),
    "(1) nested": nested("(", ")", "<text>{{", "}}</text>"),
    "'' + [[1]] nested": nested("''+[", "]", "<text>{{", "}}</text>"),
    "a string of digits that is no number": repeated("0", "<text>{{'", "x' * 1}}</text>"),
    "digits, then a letter": repeated("9", "<text>{{", "a}}</text>"),
    "one long string": repeated("a", "<text>{{'", "'}}</text>"),
    "escapes in a string": repeated("\\x41", "<text>{{'", "'}}</text>"),
    "backslashes in a string": repeated("\\\\", "<text>{{'", "'}}</text>"),
    "wx:if that exclude each other": numbered(
        "<text wx:if='{{a === #}}'> b  </text>", "<text>\n ", "</text>"
    ),
    "strings in one binding": repeated("'\\x41' + ", "<text>{{", "a}}</text>"),
    "line feeds in a string": repeated("\n", "<text>{{'", "'}}</text>"),
    "bindings that differ": numbered("{{a#}}", "<text>", "</text>"),
    # Scripts.
    "one long <wxs>": repeated("a < b;\n", "<wxs module='a'>", "</wxs>"),
    "</wxs in <wxs>": repeated("</wxs ", "<wxs module='a'>"),
    "</wxs and spaces": repeated(" ", "<wxs module='a'></wxs", "a"),
}

#: A page with all that an own rule can find.
XPATHS: Final = ("//@*", "//text", "//*[@wx:if]", "//text()", "//comment()", "count(//*) > 9999999")


def commands() -> dict[str, Callable[[str], object]]:
    """What is done with a page, by name."""
    from wxtext import fixer, lint, tree
    from wxtext.page import Page
    from wxtext.problem import Severity

    def show(source: str, target: Target) -> None:
        with suppress(WxmlError):
            wxtext.show(source, target)

    rules = [tree.rule("own", xpath, "", Severity.INFO) for xpath in XPATHS]

    def own_rules(source: str) -> None:
        page = Page(source, "glass-easel")
        for rule in rules:
            with suppress(tree.SlowXPathError):
                list(rule.check(page))

    every = Settings(info=True)
    found: dict[str, Callable[[str], object]] = {}
    for target in get_args(Target):
        found[f"check {target}"] = lambda source, target=target: lint.check(source, target, every)  # type: ignore[misc]
        found[f"show {target}"] = lambda source, target=target: show(source, target)  # type: ignore[misc]
        found[f"fix {target}"] = lambda source, target=target: fixer.fix(source, target, every, unsafe=True)  # type: ignore[misc]
    found["own rules"] = own_rules
    return found


def seconds(work: Callable[[], object], times: int = 2) -> float:
    """How long the work takes at best, without the collector."""
    best = math.inf
    for _ in range(times):
        gc.collect()
        gc.disable()
        begin = time.perf_counter()
        try:
            work()
        finally:
            best = min(best, time.perf_counter() - begin)
            gc.enable()
    return best


def growth(
    run: Callable[[int], Callable[[], object]], first: int = 250, times: int = 1
) -> tuple[int, list[float]]:
    """Measure n, 2n, 4n, 8n, n being so large that it takes a while; `run(n)` gives the work for n.

    What takes too long ends the list early.
    """
    n = first
    run(n)()  # to load what it needs
    while seconds(run(n), 1) < SHORTEST and n < LONGEST:
        n *= 2
    n //= 2
    measured: list[float] = []
    for factor in (1, 2, 4, 8):
        measured.append(seconds(run(n * factor), times))
        if measured[-1] > PATIENCE:
            break
    return n, measured


def exponent(measured: Sequence[float]) -> float:
    """The slope of the last three times, each twice as much work as the one before it."""
    last = measured[-3:]
    return math.log2(last[-1] / max(last[0], 1e-6)) / max(len(last) - 1, 1)


# --- Regular expressions ---------------------------------------------------------------------------------


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every regular expression that a module of the package holds, by name."""
    seen: set[tuple[str, int]] = set()
    for module_info in pkgutil.walk_packages(wxtext.__path__, "wxtext."):
        if module_info.name.endswith("__main__"):
            continue
        module = importlib.import_module(module_info.name)
        for name, value in vars(module).items():
            values = value.values() if isinstance(value, dict) else [value]
            for item in values:
                pattern = item.compiled() if isinstance(item, Lazy) else item
                if isinstance(pattern, re.Pattern) and (pattern.pattern, pattern.flags) not in seen:
                    seen.add((pattern.pattern, pattern.flags))
                    yield f"{module.__name__}.{name}", pattern
    from wxtext import expressions

    yield "usual_binding", expressions.usual_binding()
    yield "token wcc", expressions._token("wcc")
    yield "token glass-easel", expressions._token("glass-easel")


def hostile_strings(pattern: re.Pattern[str]) -> Iterator[tuple[str, Make]]:
    """Strings that repeat what the pattern speaks of, with something at the end that it does not expect."""
    spoken = [c for c in dict.fromkeys(pattern.pattern) if not c.isalnum()][:40]
    pieces = [*spoken, "a", "0", " ", "\n", "'", '"', "\\", "{{a", "<a ", "中"]
    pieces = list(dict.fromkeys([*pieces, *(x + y for x, y in itertools.product(pieces, "a ' \\\"-{<>"))]))
    pieces += [
        "a='b' ",
        "<br '",
        "<!--",
        "{{a}}",
        "{{a?b:",
        "\\n",
        "C:\\n",
        "-\n",
        "&amp;",
        "<!-- -\n",
        "x=\"'",
    ]
    for piece in pieces:
        for before in ("", "<a ", "{{", "'", "<!--", "<br "):
            yield f"{before}{piece!r}", lambda n, before=before, piece=piece: before + piece * n + "\x01"  # type: ignore[misc]


def measure_patterns() -> Iterator[tuple[str, str, float, float]]:
    """Yield the pattern, the string, and the times for n and 4n, where a search grows more than linearly.

    `match` at one place is tried first: what is searched for may well begin anywhere, and grow so.
    """
    for name, pattern in patterns():
        for how in ("match", "finditer"):
            worst = (0.0, "", 0.0)
            for title, make in hostile_strings(pattern):
                times = []
                for n in (1000, 4000):
                    text = make(n)
                    begin = time.perf_counter()
                    if how == "match":
                        pattern.match(text)
                    else:
                        for _match in pattern.finditer(text):
                            pass
                    times.append(time.perf_counter() - begin)
                if times[1] > 0.003 and times[1] / times[0] > 8:
                    worst = max(worst, (times[1], title, times[0]))
            if worst[0]:
                yield f"{name} ({how})", worst[1], worst[2], worst[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.growth", description=__doc__)
    parser.add_argument(
        "words", metavar="WORD", nargs="*", help="measure only lines with one of these in them"
    )
    parser.add_argument("--patterns", action="store_true", help="measure the regular expressions instead")
    options = parser.parse_args()
    write = sys.stdout.write
    gc.freeze()  # what is there already need not be looked through again and again
    bad = 0
    if options.patterns:
        for name, text, small, large in measure_patterns():
            write(f"{name:50} {text:20} {small:.4f} {large:.4f}\n")
            sys.stdout.flush()
        return 0
    for command, work in commands().items():
        for name, make in CONSTRUCTS.items():
            title = f"{command}: {name}".replace("\n", "\\n")
            if options.words and not any(word in title for word in options.words):
                continue

            def run(n: int, make: Make = make, work: Callable[[str], object] = work) -> Callable[[], object]:
                source = make(n)
                return lambda: work(source)

            try:
                n, measured = growth(run)
            except Exception as error:  # one fault must not hide what else there is
                bad += 1
                write(f"{title:60} RAISES {error!r:.60}\n")
                continue
            if exponent(measured) > LIMIT:  # another process may have been in the way: look again, at more
                n, measured = growth(run, n * 2, 2)
            slope = exponent(measured)
            told = slope > LIMIT and measured[-1] > LEAST
            bad += told
            times = " ".join(f"{figure:7.3f}" for figure in measured)
            write(f"{title:60} n={n:<7} {times:32} {slope:5.2f}{'  GROWS' * told}\n")
            sys.stdout.flush()
    write(f"{bad} grow\n")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

"""What an XPath expression may cost, and a process of its own for those that may cost much.

libxml2 evaluates an expression for as long as it takes: nothing can interrupt it, and a short one can take
days. So its cost is estimated before. A cheap one is evaluated at once; any other in a worker process, which
ends itself when the time is up. Usual rules on usual pages are cheap, so that most runs start no process.
"""

from __future__ import annotations

import atexit
import faulthandler
import functools
import os
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Final

from wxtext.errors import WxtextError
from wxtext.i18n import _

#: How long one expression may take on one page, in seconds; what it takes to read the page is not included.
SECONDS: Final = 2
#: How long an expression may be, in characters.
LONGEST: Final = 10_000
#: How much memory the worker process may use, in bytes, on systems that can limit it.
MEMORY: Final = 1 << 30

#: How many steps, as estimated, may be taken at once (about 20 nanoseconds each), and on which page: how
#: many nodes it may have. libxml2 sorts what it finds in quadratic time, so that this is a limit of its own.
_STEPS: Final = 20_000_000
LARGEST: Final = 4_000


class XPathError(WxtextError):
    """An expression is not XPath, or finds what has no place in the source."""


class SlowXPathError(XPathError):
    """An expression took more time or memory than it may, and was stopped."""


# --- What an expression costs ----------------------------------------------------------------------------

_TOKEN: Final = re.compile(
    r"""
      (?P<constant> "[^"]*" | '[^']*' | [0-9]+(?:\.[0-9]*)? | \.[0-9]+ )
    | (?P<name> [^\W\d][\w.-]*(?::(?!:)(?:[\w.-]+|\*))? )
    | (?P<sign> // | :: | != | <= | >= | \.\. | [^\s\w] )
    """,
    re.VERBOSE,
)

# From each node these lead to itself or to nodes that no other leads to.
_NARROW: Final = frozenset(("attribute", "child", "self"))
_NODE_TESTS: Final = frozenset(("comment", "node", "processing-instruction", "text"))
# Functions that look at no text; those whose value is a number.
_NUMBERS: Final = frozenset(("count", "last", "position"))
_FREE: Final = _NUMBERS | {"boolean", "false", "local-name", "name", "namespace-uri", "not", "true"}
_COMPARING: Final = frozenset(("=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "div", "mod"))
_WORDS: Final = frozenset(("and", "or", "div", "mod"))
# After these an operand is due, so that `*` and `div` are names.
_BEFORE_OPERAND: Final = frozenset(("", "@", "::", "(", "[", ",", "/", "//", "|", "and", "or")) | _COMPARING


class _Part:
    """An expression, or what stands in brackets in it, as far as it has been read."""

    __slots__ = ("compares", "function", "once", "path", "power", "single")

    def __init__(self, function: str = "", *, once: bool) -> None:
        #: The function whose arguments these are.
        self.function = function
        #: Whether it is evaluated once, and not for each of many nodes.
        self.once = once
        #: The power of the size of a page that the operands before this one may take.
        self.power = 0
        #: The same of the path being read; whether it is at no more than one node.
        self.path = 0
        self.single = True
        self.compares = False

    def wide(self) -> None:
        """Take a step that leads to many nodes: from many, libxml2 compares each it meets with all found."""
        self.path += 1 if self.single else 2
        self.single = False

    def step(self) -> None:
        """Take a step to children or attributes: all together they are no more than the page has nodes."""
        if self.once and not self.path:
            self.path = 1
        self.single = False

    def next_operand(self) -> None:
        self.power, self.path, self.single = max(self.power, self.path), 0, True

    def total(self) -> int:
        text = bool(self.function) and self.function not in _FREE
        return max(self.power, self.path) + self.compares + text


_Token = tuple[str, str]
_END: Final = ("sign", "")


def _operand_due(before: _Token) -> bool:
    return before[0] == "sign" and before[1] in _BEFORE_OPERAND


def _tokens(expression: str) -> list[_Token]:
    """Split an expression into tokens, each with its kind; `*`, `and` and the like are names or signs."""
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(expression):
        kind, text = str(match.lastgroup), match[0]
        if text == "*" or text in _WORDS:
            kind = "name" if _operand_due(tokens[-1] if tokens else _END) else "sign"
        tokens.append((kind, text))
    return tokens


def cost(expression: str) -> tuple[int, int]:
    """Estimate what an expression costs at most: its tokens, and the power of the size of a page.

    So many steps it takes for each token: the size raised to the power. It is an upper bound for what
    libxml2 does; an expression that is no XPath has one too.
    """
    tokens = _tokens(expression)
    parts = [_Part(once=True)]
    before = _END
    closed = ""  # the function whose bracket has just been closed
    for index, (kind, text) in enumerate(tokens):
        part = parts[-1]
        following = tokens[index + 1] if index + 1 < len(tokens) else _END
        if kind == "name":
            if following[1] == "::":
                if text not in _NARROW:
                    part.wide()
            elif following[1] != "(" or text in _NODE_TESTS:
                part.step()
        elif text in {"//", ".."} or (text == "/" and _operand_due(before)):
            part.wide()
        elif text == "[":
            parts.append(_Part(once=False))
        elif text == "(":
            called = before[0] == "name" and before[1] not in _NODE_TESTS
            parts.append(_Part(before[1] if called else "", once=part.once))
        elif text in {"]", ")"}:
            if len(parts) > 1:
                inner = parts.pop()
                parts[-1].path += inner.total()
                parts[-1].single &= text == "]"
                closed = inner.function
        elif text in _COMPARING:
            attribute = before[0] == "name" and index > 1 and tokens[index - 2][1] == "@"
            number = before[1] == ")" and closed in _NUMBERS
            part.compares |= not (following[0] == "constant" and (attribute or number))
            part.next_operand()
        elif text in {"|", ",", "and", "or"}:
            part.next_operand()
            if text == "|":
                part.power = max(part.power, 2)
        before = kind, text
    while len(parts) > 1:
        inner = parts.pop()
        parts[-1].path += inner.total()
    return len(tokens), parts[0].total()


def is_cheap(expression: str, size: int) -> bool:
    """Tell whether an expression takes little time, whatever it is, on a page of so many nodes."""
    if size > LARGEST:
        return False
    tokens, power = _cost(expression)
    steps: int = tokens * max(size, 2) ** min(power, 64)
    return steps <= _STEPS


_cost = functools.lru_cache(maxsize=64)(cost)


# --- The worker ------------------------------------------------------------------------------------------

#: Finds spans in a page that has been read, by an expression. Raises XPathError.
Find = Callable[[Any, str], list[tuple[int, int]]]

# It imports what this process would, and nothing from the current folder, which may be anybody's.
_START: Final = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from wxtext import tree; tree.work()"
)


class Worker:
    """A process that evaluates expressions one after the other; it is started when first needed."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def find(self, source: str, target: str, expression: str) -> list[tuple[int, int]]:
        """Return the spans that an expression finds in a page. Raises XPathError, SlowXPathError."""
        with self._lock:
            try:
                process = self._process or self._start()
                assert process.stdin is not None
                assert process.stdout is not None
                pickle.dump((source, target, expression), process.stdin)
                process.stdin.flush()
                found, error = pickle.load(process.stdout)
            except (OSError, EOFError, pickle.UnpicklingError) as failure:
                started = self._process is not None
                self.close()
                if started:
                    message = _("it takes more than {seconds} seconds, or too much memory, on this page")
                    raise SlowXPathError(message.format(seconds=SECONDS)) from failure
                raise XPathError(_("it may take long, and no process can be started for it")) from failure
            except BaseException:  # such as Ctrl-C: its answer would be taken for the next one
                self.close()
                raise
        if error is not None:
            raise XPathError(error)
        return list(found)

    def _start(self) -> subprocess.Popen[bytes]:
        if not sys.executable or getattr(sys, "frozen", False):  # a program that holds Python is not Python
            raise OSError
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert process.stdin is not None
        self._process = process
        pickle.dump(sys.path, process.stdin)
        process.stdin.flush()
        return process

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what could not be written any more
                pipe.close()
        process.wait()


@functools.lru_cache(maxsize=1)
def worker() -> Worker:
    """Return the worker of this process."""
    made = Worker()
    atexit.register(made.close)
    return made


def work(read: Callable[[str, Any], Any], find: Find) -> None:
    """Be the worker: answer what standard input asks, until it ends.

    `read` takes the source of a page and its target, and makes of them what `find` takes. A thread of C ends
    this process when the time is up, whatever it does then.
    """
    _limit_memory()
    questions: BinaryIO = sys.stdin.buffer
    answers: BinaryIO = sys.stdout.buffer
    while True:
        try:
            source, target, expression = pickle.load(questions)
        except (EOFError, KeyboardInterrupt):
            return
        answer: tuple[list[tuple[int, int]], str | None]
        try:
            page = read(source, target)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            answer = find(page, expression), None
        except XPathError as error:
            answer = [], str(error)
        except MemoryError:
            os._exit(1)
        faulthandler.cancel_dump_traceback_later()
        pickle.dump(answer, answers)
        answers.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    try:
        _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    except (OSError, ValueError):  # macOS knows it, and takes no limit
        pass

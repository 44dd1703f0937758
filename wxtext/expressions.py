"""The expressions in `{{ }}`: what the two compilers accept, where a binding ends, what a constant prints.

Both dialects are small parts of JavaScript. wcc (miniprogram-compiler 0.2.3) first looks for the `}}` outside
quotes and then reads what lies before it; glass-easel (glass-easel-template-compiler 1.1.0) reads an
expression and wants `}}` after it. One parser without recursion reads both, evaluating as it goes.
Offsets count code points from the start of the source.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from wxtext import javascript, lazy
from wxtext.caches import cached
from wxtext.i18n import _
from wxtext.javascript import UNDEFINED, NotConstant, Value
from wxtext.limits import BRACKET_LEVELS, WCC_STEPS
from wxtext.semantics import Compiler, glass_easel_literal, wcc_text

#: Values in messages are cut to so many characters.
_LONGEST_VALUE: Final = 60


class Message(str):
    """A message in English that can be said otherwise: its template, and what to put into its braces.

    A long value is cut, so that the message stays one line that people read.
    """

    __slots__ = ("template", "values")

    template: str
    values: dict[str, str]

    def __new__(cls, template: str, **values: str) -> Message:
        for name, value in values.items():
            if len(value) > _LONGEST_VALUE:
                values[name] = f"{value[:_LONGEST_VALUE]}…"
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template = template
        message.values = values
        return message

    def translated(self) -> str:
        """Say it in the reader's language."""
        template = _(self.template)
        return template.format(**self.values) if self.values else template


class ExpressionError(ValueError):
    """The compiler refuses the expression: where, and where it goes on reading, if it does."""

    def __init__(self, message: Message, offset: int, end: int | None = None) -> None:
        super().__init__(message, offset)
        self.message = message
        self.offset = offset
        self.end = end


#: What wcc refuses where it looks at no other fault of a binding.
UNCLOSED: Final = Message("`{{` without `}}`, or a quote in it is not closed")


class Binding(NamedTuple):
    """A binding that the compiler accepts."""

    #: The offset after its `}}`.
    end: int
    #: What it prints; None if that depends on data.
    text: str | None
    #: Whether there is no expression in it at all.
    empty: bool = False
    #: The constant that it is; an attribute that is one binding keeps its type.
    value: Value = UNDEFINED


# --- Tokens ----------------------------------------------------------------------------------------

_SINGLE: Final = r"'[^'\\]*(?:\\.[^'\\]*)*'"
_DOUBLE: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'

# What matters to wcc while it looks for the end of a binding: strings, a quote that no other closes, `}}`.
_WCC_LANDMARK: Final = lazy.pattern(rf"""{_SINGLE}|{_DOUBLE}|["']|\}}\}}""", re.DOTALL)


@functools.cache
def _token(compiler: Compiler) -> re.Pattern[str]:
    """Give the pattern of one token; compiled when it is first needed, for most text needs none."""
    if compiler == "wcc":
        # wcc takes a line feed in a string for its end, and passes over a string or a comment that has none.
        return re.compile(
            r"""
              (?P<string> '[^'\\\n]*(?:\\[^\n][^'\\\n]*)*(?:'|\\?\n)
                | "[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?:"|\\?\n) )
            | (?P<space> [ \t\r\n]+ | /\*(?:.*?\*/|.*) | ['"].* )
            | (?P<name> [A-Za-z_$][A-Za-z0-9_$]* )
            | (?P<number> [0-9]+(?:\.[0-9]*)? | \.[0-9]+ )
            | (?P<operator> \.\.\. | !(?:==?)? | ===? | && | \|\| | << | >> | [<>]=?
                | [-+*/%&|^~?:.,()\[\]{}] )
            """,
            re.DOTALL | re.VERBOSE,
        )
    # The look-aheads refuse operators of JavaScript that glass-easel does not have, such as `++` and `+=`.
    return re.compile(
        rf"""
          (?P<string> {_SINGLE} | {_DOUBLE} )
        | (?P<space> [ \t\n\v\f\r]+ | /\*(?:.*?\*/|.*) )
        | (?P<name> [A-Za-z_$][A-Za-z0-9_$]* )
        | (?P<number> 0x[0-9A-Fa-f]+ (?![A-Za-z0-9_$])
            | 0[0-7]+ (?![A-Za-z0-9_$])
            | (?!0[0-7]) (?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
              (?: e-?[0-9]+ (?![A-Za-z0-9_$]) | (?![A-Za-z0-9_$.]) ) )
        | (?P<operator> \.\.\. | \.(?!\.\.) | [!=]==? | && (?!=) | \|\| (?!=) | \?\? (?!=) | !
            | >>> (?!=) | << (?!=) | >> (?![>=]) | [<>]= | < (?![<=]) | > (?![>=])
            | \+ (?![+=]) | - (?![-=]) | \* (?![*/=]) | / (?![*/=]) | [%^] (?!=) | & (?![&=]) | \| (?![|=])
            | \? (?! \? | \.(?![0-9]) ) | [~:,()\[\]{{}}] )
        """,
        re.DOTALL | re.VERBOSE,
    )


_ESCAPE: Final = lazy.pattern(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([^xu])|)", re.DOTALL)
_ESCAPES: Final = {"r": "\r", "n": "\n", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}

_KEYWORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None, "undefined": UNDEFINED}

_LEVELS: Final = (
    ("||", "??"),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!=", "===", "!=="),
    ("<", ">", "<=", ">=", "instanceof"),
    ("<<", ">>", ">>>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PRECEDENCES: Final = {operator: level for level, equals in enumerate(_LEVELS, 1) for operator in equals}
_OPEN, _TERNARY, _PREFIX = -1, 0, 11

_WCC_LOOKS_AHEAD: Final = frozenset((".", "!", "!=", "==", "&", "|", "<", ">", "/"))


# --- The parser ------------------------------------------------------------------------------------


class _Frame:
    """What is open: an operator that awaits its right side, or a bracket of some kind."""

    __slots__ = ("due", "items", "key", "kind", "levels", "precedence", "spread", "value")

    def __init__(self, kind: str, precedence: int = _OPEN, value: Value = UNDEFINED, levels: int = 0) -> None:
        self.kind = kind
        self.precedence = precedence
        self.value = value  # the left side, the condition, or what is called or indexed
        self.levels = levels  # of what is around it
        self.items: list[tuple[str | None, Value]] = []  # of an array, a call or an object; None: spread
        self.key = ""
        self.spread = False  # whether `...` stands before the item
        self.due = False  # whether the item awaits its operand


class _Parser:
    """Reads one expression from `start` on, to `end` (wcc) or to the `}}` after it (glass-easel).

    With `data`, the inside of an object without its braces: `<template data>`.
    """

    def __init__(self, source: str, start: int, end: int, compiler: Compiler, data: bool) -> None:
        self._source = source
        self._end = end
        self._wcc = compiler == "wcc"
        self._match = _token(compiler).match
        self._data = data
        self._frames: list[_Frame] = []
        self.steps = 0
        self._levels = 0  # at the token at hand
        #: The most levels anywhere in the expression, as `limits.EXPRESSION` counts them.
        self.levels = 0
        #: Whether no name was met, so that the value is worth reckoning.
        self.constant = True
        self.value: Value = UNDEFINED
        self._callable = False  # whether `.`, `[` and `(` may follow the operand just read
        self.position = start
        self._next()

    def _next(self) -> None:
        """Go to the next token: its kind (`end` behind the last), text and offset."""
        while True:
            match = self._match(self._source, self.position, self._end)
            if match is None:
                self.at = self.position
                self._kind, self._text = "end" if self.at == self._end else "unknown", ""
                return
            self.at, self.position = match.span()
            assert match.lastgroup is not None
            self._kind = match.lastgroup
            if self._kind != "space":
                self._text = match[0]
                if self._kind in {"name", "number"} or self._text in _WCC_LOOKS_AHEAD:
                    self.steps += 1
                return

    @property
    def at_end(self) -> bool:
        """Whether nothing is left to read."""
        return self._kind == "end"

    def _unexpected(self) -> ExpressionError:
        if self._kind == "end":
            return ExpressionError(Message("the expression in `{{ }}` is not complete"), self.at)
        text = self._text or self._source[self.at]
        return ExpressionError(Message("unexpected `{text}` in an expression", text=text), self.at)

    def parse(self) -> None:
        """Read the whole expression."""
        operand_due = not (self._starts_object() and not self._key(self._push("object")))
        while operand_due or not self._finished():
            operand_due = self._operand() if operand_due else self._operator()

    def _starts_object(self) -> bool:
        """Tell whether the inside of an object lies ahead, as glass-easel allows in any binding."""
        if self._wcc or self._text == "...":
            return self._data if self._wcc else True
        if self._kind != "name":
            return False
        here = self._kind, self._text, self.at, self.position
        self._next()
        follows = self._text
        self._kind, self._text, self.at, self.position = here
        return follows in {":", ","} or (self._data and follows == "}")

    def _finished(self) -> bool:
        """Tell whether the expression ends here, with an operand complete."""
        if self._kind != "end" and self._text != "}":
            return False
        self._reduce(_TERNARY)
        if self._frames and self._frames[-1].kind == "{":
            return False
        if self._frames and self._frames[-1].kind == "object":
            self._close_item()
            self.value = self._reckon(_object, self._frames.pop().items, self._wcc)
        if self._frames or (self._kind == "end") != self._wcc:
            raise self._unexpected()
        return True

    def _push(self, kind: str, precedence: int = _OPEN) -> _Frame:
        frame = _Frame(kind, precedence, self.value, self._levels)
        self._frames.append(frame)
        self._deeper(BRACKET_LEVELS if kind in _CLOSERS else 1)
        return frame

    def _deeper(self, levels: int = 1) -> None:
        self._levels += levels
        self.levels = max(self.levels, self._levels)

    # Both of the following read one token, and tell whether an operand is due after it.

    def _operand(self) -> bool:
        kind, text = self._kind, self._text
        self._callable = not self._wcc
        if kind == "name":
            if text in _KEYWORDS:
                self.value = _KEYWORDS[text]
            elif not self._wcc and text in {"typeof", "void"}:
                self._push(text, _PREFIX)
                self._next()
                return True
            else:
                self.constant, self._callable = False, True
        elif kind == "number":
            self.value = _wcc_number(text, self.at) if self._wcc else self._glass_easel_number(text)
        elif kind == "string":
            self.value = (
                wcc_text(text[1:-1], before_quote=True) if self._wcc else _unescape(text[1:-1], self.at)
            )
        elif text == "-" or (text == "+" and not self._wcc):
            self._push(text, _PREFIX)
            self._next()
            return True
        elif text in {"!", "~"}:
            before = self._frames[-1] if self._frames else None
            if self._wcc and before and before.kind == "-" and before.precedence == _PREFIX:
                raise self._unexpected()
            self._push(text, _PREFIX)
            self._next()
            return True
        elif text in {"(", "[", "{"} and kind == "operator":
            frame = self._push(text)
            self._next()
            if text == "(":
                return True
            return self._item(frame, first=True) if text == "[" else self._key(frame)
        else:
            raise self._unexpected()
        self._next()
        return False

    def _glass_easel_number(self, text: str) -> float:
        """Return the value of a number, unless the JavaScript that glass-easel writes for it is broken."""
        value = _glass_easel_number(text)
        before = next((frame.kind for frame in reversed(self._frames) if frame.kind != "("), "")
        # It writes `inf`, which is no name of JavaScript, and `--1` where an integer has become negative.
        if value == math.inf or (value < 0 and before == "-"):
            raise ExpressionError(Message("`{text}` is too large a number", text=text), self.at)
        return value

    def _operator(self) -> bool:
        text = self._text
        if self._callable and text in {".", "[", "("}:
            return self._access()
        if text in _PRECEDENCES and (text != "instanceof" or not self._wcc):
            self._reduce(_PRECEDENCES[text])
            self._push(text, _PRECEDENCES[text])
        elif text == "?":
            self._reduce(_TERNARY + 1)
            self._push("?")
        else:
            self._reduce(_TERNARY)
            frame = self._frames[-1] if self._frames else None
            if frame is None:
                raise self._unexpected()
            if text == ":" and frame.kind == "?":
                frame.items.append(("", self.value))
                frame.kind, frame.precedence = ":", _TERNARY
                self._deeper()
            elif text == "," and frame.kind in {"[", "call"}:
                self._close_item()
                self._next()
                return self._item(frame, first=False)
            elif text == "," and frame.kind in {"{", "object"}:
                self._close_item()
                self._next()
                return self._key(frame)
            else:
                self._close(frame)
                return False
        self._next()
        return True

    def _access(self) -> bool:
        """Read `.name`, or the bracket that opens an index or the arguments of a call."""
        text = self._text
        self._next()
        if text == "(":
            return self._item(self._push("call"), first=True)
        if text == "[":
            self._push("index")
            return True
        if self._kind != "name" or (self._wcc and self._text in _KEYWORDS):
            raise self._unexpected()
        self.value = self._reckon(javascript.member, self.value, self._text)
        self._deeper()
        self._next()
        return False

    def _item(self, frame: _Frame, *, first: bool) -> bool:
        """Look at where an item of an array or an argument of a call may begin."""
        closer = "]" if frame.kind == "[" else ")"
        while self._text == "," and frame.kind == "[" and not self._wcc:
            frame.items.append(("", UNDEFINED))
            self._next()
            first = False
        if self._text == closer and (first or not self._wcc):
            self._close(frame)
            return False
        if frame.kind == "[" and self._text[:1] == "." and not self._wcc:
            if self._text != "...":
                raise self._unexpected()  # not even `.5`
            frame.spread = True
            self._next()
        frame.due = True
        return True

    def _key(self, frame: _Frame) -> bool:
        """Read the key of the next property of an object, and the properties that are a key alone."""
        while True:
            if self._text == "...":
                frame.spread = frame.due = True
                self._next()
                return True
            if self._kind == "name" and not (self._wcc and self._text in _KEYWORDS):
                frame.key = self._text
                self._next()
                if self._text == ":":
                    frame.due = True
                    self._next()
                    return True
                self.constant = False
                if self._text == ",":
                    self._next()
                    continue
            elif self._wcc or self._text != "}":
                raise self._unexpected()
            if frame.kind == "{":
                self._close(frame)
            elif self._kind != "end" and self._text != "}":
                raise self._unexpected()
            return False

    def _close_item(self) -> None:
        """Give the operand just read, if one was due, to the array, the call or the object that it is in."""
        frame = self._frames[-1]
        if frame.due:
            frame.items.append((None if frame.spread else frame.key, self.value))
        frame.due = frame.spread = False
        self._levels = frame.levels + BRACKET_LEVELS
        self.levels = max(self.levels, self._levels + len(frame.items))

    def _close(self, frame: _Frame) -> None:
        """Close the innermost bracket with the token at hand."""
        kind = frame.kind
        if self._text != _CLOSERS.get(kind):
            raise self._unexpected()
        self._close_item()
        self._frames.pop()
        self._levels = frame.levels
        self._next()
        self._callable = not self._wcc or kind in {"[", "index", "call"}
        if kind == "[":
            self.value = self._reckon(_array, frame.items)
        elif kind == "{":
            self.value = self._reckon(_object, frame.items, self._wcc)
        elif kind == "index":
            self.value = self._reckon(javascript.member, frame.value, self.value)
        elif kind == "call":  # wcc calls nothing but functions of the data and of wxs
            self.value = UNDEFINED
            self.constant &= self._wcc

    def _reduce(self, precedence: int) -> None:
        """Reckon what binds at least as tightly as the operator at hand."""
        while self._frames and self._frames[-1].precedence >= precedence:
            frame = self._frames.pop()
            if frame.precedence == _TERNARY:
                self.value = frame.items[0][1] if javascript.boolean(frame.value) else self.value
            elif frame.precedence < _PREFIX:
                operator = "||" if frame.kind == "??" else frame.kind  # glass-easel writes it so
                self.value = self._reckon(javascript.BINARY[operator], frame.value, self.value)
            elif frame.kind == "-" and self._wcc:
                self.value = self._reckon(javascript.BINARY["-"], 0.0, self.value)
            else:
                self.value = self._reckon(javascript.UNARY[frame.kind], self.value)

    def _reckon(self, function: Callable[..., Value], *operands: Any) -> Value:
        if self.constant:
            try:
                return function(*operands)
            except NotConstant:
                self.constant = False
        return UNDEFINED


_CLOSERS: Final = {"[": "]", "index": "]", "(": ")", "call": ")", "{": "}"}


def _array(items: list[tuple[str | None, Value]]) -> Value:
    array: list[Value] = []
    for key, value in items:
        if key is not None:
            array.append(value)
        elif isinstance(value, list):
            array += value
        else:
            raise NotConstant
    return array


def _object(items: list[tuple[str | None, Value]], wcc: bool) -> Value:
    if wcc and len(items) == 1 and items[0][0] is None:
        return items[0][1]  # wcc takes `{...a}` for `a`
    properties: dict[str, Value] = {}
    for key, value in items:
        if key is not None:
            properties[key] = value
        elif isinstance(value, dict):
            properties |= value
        elif isinstance(value, (list, str)):
            raise NotConstant
    return properties


def _wcc_number(text: str, offset: int) -> float:
    whole, point, _ = text.partition(".")
    if len(whole) > 1 and whole[0] == "0" and not set(whole) & {"8", "9"}:
        if point:  # wcc copies it, and the JavaScript that it writes is broken
            raise ExpressionError(Message("`{text}` is not a number", text=text), offset)
        return javascript.whole_number(whole, 8)
    return float(text)


def _glass_easel_number(text: str) -> float:
    if text.startswith("0x"):
        radix = 16
    elif "." in text or "e" in text:
        return float(text)
    else:
        radix = 8 if text[0] == "0" and not set(text) & {"8", "9"} else 10
    # Of 64 bits with a sign; 10**64 is a multiple of 2**64, so that the last 64 digits decide.
    integer = int(text[-64:] if radix == 10 else text, radix) & 0xFFFFFFFFFFFFFFFF
    return float(integer - (1 << 64) if integer >> 63 else integer)


def _unescape(text: str, offset: int) -> str:
    """Read the inside of a string as glass-easel does."""
    if "\\" not in text:
        return glass_easel_literal(text)

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if (code is None and match[3] is None) or (code is not None and 0xD800 <= int(code, 16) < 0xE000):
            raise ExpressionError(Message("illegal escape sequence in a string"), offset)
        return chr(int(code, 16)) if code else _ESCAPES.get(match[3], match[3])

    return glass_easel_literal(_ESCAPE.sub(character, text))


# --- Bindings --------------------------------------------------------------------------------------

# What needs no parser: one string without quotes and line feeds in it.
_PLAIN: Final = lazy.pattern(
    r"""\{\{[ \t]*(?:'([^'"\\\n]*(?:\\[^'"\n][^'"\\\n]*)*)'|"([^'"\\\n]*(?:\\[^'"\n][^'"\\\n]*)*)")"""
    r"""[ \t]*\}\}"""
)


def read_binding(source: str, start: int, compiler: Compiler, *, data: bool = False) -> Binding:
    """Read the binding whose `{{` is at `start`; with `data`, that of `<template data>`.

    Raises ExpressionError if the compiler refuses it.
    """
    plain = None if data else _PLAIN.match(source, start)
    if plain:
        text = plain[1] if plain[1] is not None else plain[2]
        if len(text) < WCC_STEPS // 4:  # a character is four bytes at most
            wcc = compiler == "wcc"
            text = wcc_text(text, before_quote=True) if wcc else _unescape(text, start)
            return Binding(plain.end(), text, value=text)
    usual = None if data else usual_binding().match(source, start)
    if usual and usual.end() - start < USUAL_LENGTH and not _OPERATORS.search(usual[0]):
        return Binding(usual.end(), None)
    if compiler == "wcc":
        end = wcc_binding_end(source, start)
        if end is None:
            raise ExpressionError(UNCLOSED, start)
        return _read_wcc(source, start, end, data)
    parser = _Parser(source, start + 2, len(source), compiler, data)
    if source.startswith("}}", parser.at):
        return Binding(parser.at + 2, "", empty=True)
    parser.parse()
    if not source.startswith("}}", parser.at):
        raise ExpressionError(Message("`}}` is missing after the expression"), parser.at)
    if not parser.constant:
        return Binding(parser.at + 2, None)
    text = "" if javascript.missing(parser.value) else javascript.string(parser.value)
    return Binding(parser.at + 2, text, value=parser.value)


def wcc_binding_end(source: str, start: int) -> int | None:
    """Say where wcc sees the binding at `start` end; None if it never does."""
    position = start + 2
    while match := _WCC_LANDMARK.search(source, position):
        position = match.end()
        if match[0] == "}}":
            return position
        if position - match.start() == 1:
            break
    return None


def _read_wcc(source: str, start: int, end: int, data: bool) -> Binding:
    inside = source[start + 2 : end - 2]
    try:
        _end, text, empty, value = _read_wcc_expression(inside.strip(" \t"), data)
    except ExpressionError as error:
        indent = len(inside) - len(inside.lstrip(" \t"))
        raise ExpressionError(error.message, start + 2 + indent + error.offset, end) from None
    return Binding(end, text, empty, value)


# Most expressions, which need no parser either: names, and what can be reckoned with them.
_NAME: Final = r"(?!(?:true|false|null|undefined)(?![\w$]))[A-Za-z_$][\w$]*"
_NUMBER: Final = r"(?:0|[1-9][0-9]*)(?![\w$.])"
_PATH: Final = rf"!?{_NAME}(?:\.{_NAME}|\[(?:{_NAME}|{_NUMBER})\])*"
_OPERAND: Final = rf"(?:{_PATH}|{_NUMBER}|'[^'\"\\\n]*'|true|false|null|undefined)"
_OPERATION: Final = rf"(?:[ ]*(?:[!=]==?|&&|\|\||[<>]=?|[-+*/%])[ ]*{_OPERAND})*"
_USUAL: Final = rf"{_PATH}{_OPERATION}(?:[ ]*\?[ ]*{_OPERAND}{_OPERATION}[ ]*:[ ]*{_OPERAND}{_OPERATION})?"

#: The pattern, with `re.ASCII`, of bindings that wcc accepts, and that data decide; none is longer than this.
#: glass-easel accepts them too, if what is no name to it is not in them.
USUAL_BINDING: Final = rf"\{{\{{[ ]*{_USUAL}[ ]*\}}\}}"
USUAL_LENGTH: Final = WCC_STEPS // 5  # a character is four bytes at most, and another step


# What is a name to wcc alone.
_OPERATORS: Final = lazy.pattern("typeof|void|instanceof")


@functools.cache
def usual_binding() -> re.Pattern[str]:
    """Give the pattern of bindings that need no parser."""
    return re.compile(USUAL_BINDING, re.ASCII)


@cached(8192)
def _read_wcc_expression(expression: str, data: bool) -> Binding:
    """Read an expression that stands alone, as if its binding ended at its start."""
    if len(expression) <= WCC_STEPS:
        parser = _Parser(expression, 0, len(expression), "wcc", data)
        if parser.at_end:
            return Binding(0, "", empty=True)
        parser.parse()
    if (
        len(expression) > WCC_STEPS
        or len(expression.encode("utf-8", "surrogatepass")) + parser.steps > WCC_STEPS
    ):
        raise ExpressionError(Message("the expression in `{{ }}` is too long for the compiler"), 0)
    if not parser.constant:
        return Binding(0, None)
    text = "" if parser.value is UNDEFINED else javascript.string(parser.value)
    return Binding(0, text, value=parser.value)


@cached(8192)
def accepts_bindings(text: str, compiler: Compiler) -> bool:
    """Tell whether the compiler accepts all bindings in the value of an attribute."""
    end = 0
    try:
        while (start := text.find("{{", end)) >= 0:
            end = read_binding(text, start, compiler).end
    except ExpressionError:
        return False
    return True


def levels(source: str, start: int, compiler: Compiler) -> int:
    """Return how many levels the binding at `start` has, as `limits.EXPRESSION` counts them; 0 if refused."""
    end = wcc_binding_end(source, start) if compiler == "wcc" else len(source) + 2
    data = False
    while end is not None:
        parser = _Parser(source, start + 2, end - 2, compiler, data)
        try:
            parser.parse()
        except ExpressionError:
            if data:
                break
            data = True  # perhaps it is the data of a `<template>`
        else:
            return parser.levels
    return 0


def accepts(expression: str, compiler: Compiler) -> bool:
    """Tell whether the compiler accepts the expression, as the whole of a binding in text."""
    try:
        return read_binding(f"{{{{{expression}}}}}", 0, compiler).end == len(expression) + 4
    except ExpressionError:
        return False


def evaluate(expression: str, compiler: Compiler) -> str | None:
    """Say what a constant expression prints in text; None if it uses data.

    Raises ExpressionError if the compiler refuses it.
    """
    binding = read_binding(f"{{{{{expression}}}}}", 0, compiler)
    if binding.end != len(expression) + 4:
        raise ExpressionError(Message("`}}` inside the expression"), binding.end - 4)
    return binding.text


def accepted_by_both(text: str, start: int) -> int | None:
    """Say where the binding at `start` ends if both compilers read it alike, and not as nothing."""
    try:
        # glass-easel stops at the first fault, while wcc first looks for the end.
        binding = read_binding(text, start, "glass-easel")
        alike = binding[:3] == read_binding(text, start, "wcc")[:3]
    except ExpressionError:
        return None
    return binding.end if alike and not binding.empty else None

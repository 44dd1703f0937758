"""Constant values as JavaScript reckons with them and prints them.

Only what expressions in WXML can reach without data: no functions, no prototypes. A value is None (null),
UNDEFINED, bool, float, str, list or dict; what cannot be told without running JavaScript raises NotConstant.
"""

from __future__ import annotations

import enum
import math
import operator
import re
from collections.abc import Callable
from typing import Final, TypeAlias

from wxtext import lazy


class Undefined(enum.Enum):
    """The type of UNDEFINED, the one value of JavaScript that Python has nothing like."""

    UNDEFINED = "undefined"


class NotConstant(Exception):  # noqa: N818 - it tells, it does not complain
    """The value depends on more than the expression itself."""


UNDEFINED: Final = Undefined.UNDEFINED
Value: TypeAlias = "bool | float | str | list[Value] | dict[str, Value] | Undefined | None"

_DECIMAL = lazy.pattern(r"[+-]?(?:Infinity|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\Z", re.ASCII)
_RADIX = lazy.pattern(r"0(?:[xX](?P<x>[0-9a-fA-F]+)|[oO](?P<o>[0-7]+)|[bB](?P<b>[01]+))\Z")
_RADIXES: Final = {"x": 16, "o": 8, "b": 2}
_INDEX = lazy.pattern(r"(?:0|[1-9][0-9]{0,8})\Z")
_WHITE_SPACE: Final = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)


#: Longer strings are not made: a sum of many would take time as the square of their number.
_LONGEST: Final = 1 << 16


def missing(value: Value) -> bool:
    """Tell null and undefined from all else."""
    return value is None or value is UNDEFINED


def boolean(value: Value) -> bool:
    """Tell whether a condition holds for the value."""
    if missing(value):
        return False
    if isinstance(value, (list, dict)):
        return True
    return bool(value) and value == value  # noqa: PLR0124 - NaN is false


def string(value: Value) -> str:
    """Write the value as `String(value)` does."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if value is UNDEFINED:
        return "undefined"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number_string(value)
    if isinstance(value, dict):
        return "[object Object]"
    return _join(value)


def _join(items: list[Value]) -> str:
    """Join the items of an array with commas; arrays in it may be nested to any depth."""
    pieces: list[str] = []
    pending: list[Value] = [items]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            for index in range(len(value) - 1, -1, -1):
                pending.append(value[index])
                if index:
                    pending.append(",")
        elif not missing(value):
            pieces.append(string(value))
    return "".join(pieces)


def _number_string(value: float) -> str:
    if value != value:  # noqa: PLR0124
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == int(value) and abs(value) < 2**53:
        return str(int(value))
    sign, value = ("-", -value) if value < 0 else ("", value)
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + ("" if fraction == "0" else fraction)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{point - 1:+d}"


def number(value: Value) -> float:
    """Read the value as `Number(value)` does."""
    if value is UNDEFINED or isinstance(value, dict):
        return math.nan
    if value is None:
        return 0.0
    if isinstance(value, (bool, float)):
        return float(value)
    text = string(value).strip(_WHITE_SPACE)
    if not text:
        return 0.0
    if match := _RADIX.match(text):
        assert match.lastgroup is not None
        return whole_number(match[match.lastgroup], _RADIXES[match.lastgroup])
    return float(text) if _DECIMAL.match(text) else math.nan


def whole_number(digits: str, radix: int) -> float:
    """Read digits of radix 2, 8 or 16, however many."""
    try:
        return float(int(digits, radix))
    except OverflowError:
        return math.inf


def _integer(value: Value) -> int:
    """Give the 32 bits that the operators on bits see, without a sign."""
    real = number(value)
    return int(real) & 0xFFFFFFFF if math.isfinite(real) else 0


def _signed(bits: int) -> float:
    bits &= 0xFFFFFFFF
    return float(bits - 0x100000000 if bits & 0x80000000 else bits)


def _primitive(value: Value) -> Value:
    return string(value) if isinstance(value, (list, dict)) else value


def strictly_equal(left: Value, right: Value) -> bool:
    """Compare as `===` does."""
    if isinstance(left, (list, dict)):
        return left is right
    return type(left) is type(right) and left == right


def loosely_equal(left: Value, right: Value) -> bool:
    """Compare as `==` does."""
    if missing(left) or missing(right):
        return missing(left) and missing(right)
    if isinstance(left, (list, dict)) and isinstance(right, (list, dict)):
        return left is right
    left, right = _primitive(left), _primitive(right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return number(left) == number(right)


def _plus(left: Value, right: Value) -> Value:
    left, right = _primitive(left), _primitive(right)
    if isinstance(left, str) or isinstance(right, str):
        text = string(left) + string(right)
        if len(text) > _LONGEST:
            raise NotConstant
        return text
    return number(left) + number(right)


def _divide(left: Value, right: Value) -> float:
    dividend, divisor = number(left), number(right)
    if divisor:
        return dividend / divisor
    if dividend != dividend or dividend == 0 or divisor != divisor:  # noqa: PLR0124
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)


def _remainder(left: Value, right: Value) -> float:
    try:
        return math.fmod(number(left), number(right))
    except ValueError:
        return math.nan


def _instance_of(_left: Value, _right: Value) -> Value:
    raise NotConstant  # there are no constructors without data


def _order(compare: Callable[[object, object], bool]) -> Callable[[Value, Value], bool]:
    def ordered(left: Value, right: Value) -> bool:
        left, right = _primitive(left), _primitive(right)
        if isinstance(left, str) and isinstance(right, str):  # by UTF-16 code units
            return compare(_units(left), _units(right))
        return compare(number(left), number(right))

    return ordered


def _units(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def _shift(value: Value, count: Value) -> tuple[int, int]:
    return int(_signed(_integer(value))), _integer(count) & 31


def _typeof(value: Value) -> str:
    if value is UNDEFINED:
        return "undefined"
    if value is None or isinstance(value, (list, dict)):
        return "object"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


BINARY: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "||": lambda a, b: a if boolean(a) else b,
    "&&": lambda a, b: b if boolean(a) else a,
    "|": lambda a, b: _signed(_integer(a) | _integer(b)),
    "^": lambda a, b: _signed(_integer(a) ^ _integer(b)),
    "&": lambda a, b: _signed(_integer(a) & _integer(b)),
    "==": loosely_equal,
    "!=": lambda a, b: not loosely_equal(a, b),
    "===": strictly_equal,
    "!==": lambda a, b: not strictly_equal(a, b),
    "<": _order(operator.lt),  # type: ignore[arg-type]
    ">": _order(operator.gt),  # type: ignore[arg-type]
    "<=": _order(operator.le),  # type: ignore[arg-type]
    ">=": _order(operator.ge),  # type: ignore[arg-type]
    "<<": lambda a, b: _signed(_shift(a, b)[0] << _shift(a, b)[1]),
    ">>": lambda a, b: _signed(_shift(a, b)[0] >> _shift(a, b)[1]),
    ">>>": lambda a, b: float(_integer(a) >> _shift(a, b)[1]),
    "+": _plus,
    "-": lambda a, b: number(a) - number(b),
    "*": lambda a, b: number(a) * number(b),
    "/": _divide,
    "%": _remainder,
    "instanceof": _instance_of,
}

UNARY: Final[dict[str, Callable[[Value], Value]]] = {
    "!": lambda a: not boolean(a),
    "~": lambda a: _signed(~_integer(a)),
    "+": number,
    "-": lambda a: -number(a),
    "typeof": _typeof,
    "void": lambda _: UNDEFINED,
}


def member(value: Value, key: Value) -> Value:
    """Take a property of the value: an own one, or UNDEFINED of null and undefined.

    Raises NotConstant for the properties that JavaScript itself adds, such as methods.
    """
    if missing(value):
        return UNDEFINED
    name = string(key)
    if isinstance(value, dict) and name in value:
        return value[name]
    if isinstance(value, (list, str)):
        if name == "length":
            return float(len(value) if isinstance(value, list) else len(_units(value)) // 2)
        if _INDEX.match(name):
            if isinstance(value, str) and len(_units(value)) // 2 != len(value):
                raise NotConstant  # half of a surrogate pair
            return value[int(name)] if int(name) < len(value) else UNDEFINED
    raise NotConstant

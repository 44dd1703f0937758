"""The expressions in `{{ }}`: what each compiler accepts, where a binding ends, what a constant prints."""

from __future__ import annotations

import math
import random
import re

import pytest

import wxtext
from tests.oracle import Oracle
from wxtext import javascript
from wxtext.expressions import ExpressionError, accepted_by_both, accepts, evaluate, read_binding
from wxtext.javascript import UNDEFINED, Value
from wxtext.semantics import Compiler

COMPILERS: tuple[Compiler, Compiler] = ("wcc", "glass-easel")

#: Whether wcc and whether glass-easel accept it, and the expressions, two spaces apart.
TABLE: dict[tuple[bool, bool], str] = {
    (True, True): r"""
        a  _a  $a  this  if  class  a.b  a .b  a. b  a.if  a.default  a[b]  a[b?c:d]  a['姓名']
        a.b.c[0]['x'].y  a()  a(1,2)  a(b)(c)  a['b'](1)  a({b:1})  a([1])  (a)  ((a))  1  1.5  .5  5.  01  08
        -a  - -1  -(-a)  !a  !!a  !-a  ~~a  ~!a  a+-b  a + b - c * d / e % f  a << b >> c  a & b | c ^ d
        a < b  a <= b  a > b  a >= b  a == b  a === b  a != b  a !== b  a && b || c  a<b<c
        a?b:c  a?b:c?d:e  a?b?c:d:e  a?.5:1  a?{b:1}:c  'x'  "x"  'a'+1  'a"b'  "a'b"  'a}}b'
        []  [1,2]  [a][0]  [1,2].length  [{a:1}]  ({a:1})  ({a,b})  ({...a})  ({a:1,...b})
        {a}  {a:1}  {a,b}  {...a}  {a:1,...b}  {a:{b:1} }  a /* c */ + b  /* c */
        true  false  null  undefined  typeof(a)
        """,
    (True, False): "--1  a--b  a<!--b  a/*b  [.5]  018",
    (False, True): r"""
        a ?? b  a instanceof B  typeof a  void 0  +1  +a  a+ +b  -!a  -~a  a>>>b  0x1F  1e5  1e-5
        'a'.length  'a'[0]  true.a  null.a  a.true  a.null  a.undefined  (a)(b)  (a||b).c  (a||b)[0]
        ({a:1}).a  {a:1}.a  [1,]  [,1]  [1,,2]  [...a]  a(b,)  {a:1,}  {}  ({true:1})
        a:1  a,b  ...a  a:1,  a:1,...b
        """,
    (False, False): r"""
        a.  a.1  a[]  a[b,c]  (a,b)  ()  a?b  a?:c  a?.b  a?.[0]  a**b  a<>b  a=b  a+=b  a=>b  ++a  a++  a--
        new A()  delete a  function(){}  a in b  a and b  1E5  1e+5  1_000  1n  0b1  0xg  1a  1.2.3
        010.5  'a''b'  `a`  a b  a;b  /x/  a // c  #a  a@b  a\b  姓名  a.姓名  ，  ？：  （）  ‘’  a　+b
        a(...b)  {'a':1}  {1:2}  {[a]:1}  {{a}}  {a:1,,b:2}  {,}  [1  (1  1)  a(,b)  a:b:c
        """,
}
ROWS = [(row, accepted) for accepted, rows in TABLE.items() for row in re.split(r"\s*\n\s*|  +", rows) if row]
#: Without a space between the braces of the binding and its own, or with white space of other kinds.
UNSPACED = [
    ("{{{a}}}", (False, True)),
    ("{{a:{b:1}}}", (False, True)),
    ("{{ {a:{b:1}}}}", (False, True)),
    ("{{}}", (True, True)),
    ("{{a\n+\t1\r}}", (True, True)),
    ("{{a\v+1}}", (False, True)),
    ("{{a\f+1}}", (False, True)),
    ("{{a\u00a0+1}}", (False, False)),
    ("{{'a\nb'}}", (False, True)),
    ("{{'\\u4e2d'}}", (True, True)),
    ("{{'\\u4e'}}", (True, False)),
    ("{{'\\ud83d'}}", (True, False)),
    ("{{'\\xg0'}}", (True, False)),
]
BINDINGS = [(f"{{{{ {row} }}}}", accepted) for row, accepted in ROWS] + UNSPACED
#: wcc takes these for accepted, but the JavaScript that it writes is none.
BROKEN = {"{{ 010.5 }}"}


def end_of_binding(source: str, compiler: Compiler) -> int | None:
    """Where the binding at the start ends; None if it is refused."""
    try:
        return read_binding(source, 0, compiler).end
    except ExpressionError:
        return None


@pytest.mark.parametrize(("source", "accepted"), BINDINGS)
def test_each_row_of_the_table(source: str, accepted: tuple[bool, bool]) -> None:
    assert tuple(end_of_binding(source, compiler) == len(source) for compiler in COMPILERS) == accepted


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_compilers_agree_with_the_table(oracle: Oracle, compiler: Compiler) -> None:
    bindings = [binding for binding in BINDINGS if binding[0] not in BROKEN]
    results = oracle.compile(compiler, [f"<text>{source}</text>" for source, _ in bindings])
    for (source, accepted), result in zip(bindings, results, strict=True):
        # A TypeError is one of the run time: that compiler accepts the expression.
        compiled = "tree" in result or "TypeError" in result.get("fatal", "")
        assert compiled == accepted[COMPILERS.index(compiler)], source


@pytest.mark.parametrize(
    ("source", "wcc", "glass_easel"),
    [
        ("{{a}}b}}", 5, 5),
        ("{{'}}'}}", 8, 8),
        ("{{{a:1}}}", None, 9),
        ("{{a/*}}*/}}", 7, 11),
        ("{{a/*'}}'*/}}", 13, 13),
        ("{{'\\'}}'}}", 10, 10),
        ("{{a", None, None),
        ("{{'a}}", None, None),
        ("{{ }}}", 5, 5),
    ],
)
def test_where_a_binding_ends(source: str, wcc: int | None, glass_easel: int | None) -> None:
    assert [end_of_binding(source, compiler) for compiler in COMPILERS] == [wcc, glass_easel]


@pytest.mark.parametrize(
    ("expression", "wcc", "glass_easel"),
    [
        ("'it'", "it", "it"),
        ("'a\\tb\\\\c\\\"d\\u3000\\x41\\\\'", "a\tb\\x5cc\\x22d\\u3000\\x41\\", 'a\tb\\c"d　A\\'),
        ("1+2*3", "7", "7"),
        ("'a'+1+true", "a1true", "a1true"),
        ("0.1+0.2", "0.30000000000000004", "0.30000000000000004"),
        ("1/3", "0.3333333333333333", "0.3333333333333333"),
        ("1/-0", "Infinity", "-Infinity"),
        ("0/0", "NaN", "NaN"),
        ("010+08", "16", "16"),
        ("null", "null", ""),
        ("undefined", "", ""),
        ("[1,[2,null],'x']", "1,2,,x", "1,2,,x"),
        ("({a:1})", "[object Object]", "[object Object]"),
        ("[{a:1,b:2}][0].b", "2", "2"),
        ("[1,2].length", "2", "2"),
        ("1<2?'y':'n'", "y", "y"),
        ("'10'<'9'", "true", "true"),
        ("'5'-2", "3", "3"),
        ("1<<31", "-2147483648", "-2147483648"),
        ("", "", ""),
        ("a", None, None),
        ("false&&a", None, None),
        ("[1].join", None, None),
    ],
)
def test_what_a_constant_prints(expression: str, wcc: str | None, glass_easel: str | None) -> None:
    assert (evaluate(expression, "wcc"), evaluate(expression, "glass-easel")) == (wcc, glass_easel)


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("1e21", "1e+21"),
        ("1e-7", "1e-7"),
        ("123456789012345680000.5", "123456789012345680000"),
        ("0x7fffffffffffffff", "9223372036854776000"),
        ("9223372036854775808", "-9223372036854776000"),
        ("-1>>>0", "4294967295"),
        ("0??1", "1"),  # glass-easel writes it as `||`
        ("typeof 1+typeof null", "numberobject"),
        ("{a:1}.a", "1"),
        ("a:1", "[object Object]"),
        ("...[1]", None),
        ("'😀'.length", "2"),
        ("'😀'[0]", None),
        ("[,].length", "1"),
    ],
)
def test_what_glass_easel_alone_reckons(expression: str, printed: str | None) -> None:
    assert evaluate(expression, "glass-easel") == printed


def test_errors_say_where() -> None:
    with pytest.raises(ExpressionError) as refusal:
        read_binding("ab{{ c + }}", 2, "wcc")
    assert (refusal.value.offset, refusal.value.end) == (8, 11)
    with pytest.raises(ExpressionError) as refusal:
        read_binding("ab{{ c + }}", 2, "glass-easel")
    assert refusal.value.offset == 9
    with pytest.raises(ExpressionError, match="inside"):
        evaluate("a}}b", "wcc")


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("{{name}}!", 8),
        ("{{ a ? 'x' : 'y' }}", 19),
        ("{{'\\u4e2d'}}", None),  # read differently
        ("{{null}}", None),
        ("{{ }}", None),  # would show nothing
        ("{{a--b}}", None),
        ("{{a/*}}*/}}", None),
        ("{{", None),
    ],
)
def test_accepted_by_both(line: str, end: int | None) -> None:
    assert accepted_by_both(line, 0) == end


def test_wcc_stops_at_long_expressions(oracle: Oracle) -> None:
    for length in (18_890, 18_900):
        expression = "'" + "x" * (length - 2) + "'"
        result = oracle.compile("wcc", [f"<text>{{{{{expression}}}}}</text>"])[0]
        assert accepts(expression, "wcc") == ("tree" in result)
        assert accepts(expression, "glass-easel")


@pytest.mark.parametrize("opening", ["(", "[", "!", "a[", "a(", "a?", "1+", "{a:", "'", "/*"])
def test_depth_and_length_do_no_harm(opening: str) -> None:
    for compiler in COMPILERS:
        assert not accepts(opening * 20_000, compiler)


TOKENS = r"""
    a b $x if this true null undefined typeof void instanceof 1 0 1.5 .5 5. 01 1e5 0x1F 'x' "y" 'a\'b' '\n'
    '\u4e2d' ( ) ( ) [ ] { } , : ? . ... + - * / % ! ~ && || & | ^ < > <= == === !== << >>> ?? = ++ -- /*c*/ '
"""
ATOMS = "1 2 0 5 1.5 .25 'x' 'ab' '' '3' true false null undefined [] [1] [1,2] [1,[2]] ({a:1})"
OPERATORS = "+ - * / % && || & | ^ < > <= >= == != === !== << >>"


def constant(chance: random.Random, depth: int) -> str:
    """A random constant expression of both dialects."""
    kind = chance.random()
    if depth == 0 or kind < 0.25:
        return chance.choice(ATOMS.split())
    left, right = constant(chance, depth - 1), constant(chance, depth - 1)
    if kind < 0.65:
        return f"{left} {chance.choice(OPERATORS.split())} {right}"
    if kind < 0.75:
        return chance.choice("!-~") + f"({left})"
    if kind < 0.85:
        return f"({left})"
    if kind < 0.93:
        return f"{left}?{right}:{left}"
    return f"[ {left}, {right}][{chance.randrange(3)}]"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_random_expressions(oracle: Oracle, compiler: Compiler) -> None:
    chance = random.Random(f"expressions {compiler}")
    expressions = [constant(chance, chance.randrange(5)) for _ in range(400)]
    for _ in range(400):
        words = [
            chance.choice(TOKENS.split()) + chance.choice(("", " ")) for _ in range(chance.randrange(1, 9))
        ]
        expressions.append("".join(words))
    sources = [f"{{{{{expression}}}}}" for expression in expressions]
    for source, result in zip(
        sources, oracle.compile(compiler, [f"<a>{s}</a>" for s in sources]), strict=True
    ):
        try:
            binding = read_binding(source, 0, compiler)
        except ExpressionError:
            assert "tree" not in result, source
            continue
        if binding.end == len(source) and binding.text is not None:
            assert "".join(result["tree"][0]["children"]) == binding.text, source
        elif binding.end == len(source) and "tree" not in result:
            assert "TypeError" in str(result), source


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (1e21, "1e+21"),
        (1.5e-7, "1.5e-7"),
        (-0.0, "0"),
        (0.000001, "0.000001"),
        (123456789.125, "123456789.125"),
        (2.0**70, "1.1805916207174113e+21"),
        (1e20, "100000000000000000000"),
        (math.nan, "NaN"),
        ([None, [UNDEFINED, 1.0]], ",,1"),
        ({"a": 1.0}, "[object Object]"),
    ],
)
def test_values_print_as_in_javascript(value: Value, printed: str) -> None:
    assert javascript.string(value) == printed


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("", 0),
        (" 0x1F ", 31),
        ("0b11", 3),
        ("1e3", 1000),
        (".5.", math.nan),
        ("Infinity", math.inf),
        (None, 0),
    ],
)
def test_values_as_numbers(value: Value, number: float) -> None:
    assert javascript.number(value) == pytest.approx(number, nan_ok=True)


DIGITS = "1234567890" * 800


@pytest.mark.parametrize(
    ("expression", "wcc", "glass_easel"),
    [
        (DIGITS, "Infinity", "-5994306948999214000"),
        (f"0x{'f' * 8_000}", None, "-1"),
        (f"0{'7' * 8_000}", "Infinity", "-1"),
        (f"1e-{DIGITS}", None, "0"),
        (f"1.{DIGITS}", "1.1234567890123457", "1.1234567890123457"),
        (f"'{DIGITS}'-0", "Infinity", "Infinity"),
        (f"'0x{'f' * 8_000}'-0", "Infinity", "Infinity"),
        (f"'0b{'1' * 1_024}'/1", "Infinity", "Infinity"),
        (f"1e{DIGITS}", None, None),
        (f"{DIGITS}.5", "Infinity", None),
        ("-9223372036854775807", "-9223372036854776000", "-9223372036854776000"),
        ("-9223372036854775808", "-9223372036854776000", None),
        ("1-(9223372036854775808)", "-9223372036854776000", None),
        ("18446744073709551617", "18446744073709552000", "1"),
    ],
)
def test_huge_numbers(oracle: Oracle, expression: str, wcc: str | None, glass_easel: str | None) -> None:
    """None is refused; or by glass-easel made into JavaScript that is broken, or fails when it runs."""
    source = f"<text>{{{{{expression}}}}}</text>"
    for compiler, printed in (("wcc", wcc), ("glass-easel", glass_easel)):
        [result] = oracle.compile(compiler, [source])
        assert ("".join(result["tree"][0]["children"]) if "tree" in result else None) == printed
        try:
            found = evaluate(expression, "wcc" if compiler == "wcc" else "glass-easel")
        except ExpressionError:
            found = None
        assert found == printed
    assert all(len(problem.message) < 200 for problem in wxtext.check(source, target="glass-easel"))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_random_huge_numbers(oracle: Oracle, compiler: Compiler) -> None:
    chance = random.Random(f"huge {compiler}")

    def digits(alphabet: str = "0123456789") -> str:
        count = chance.choice((*range(1, 26), 40, 100, 200, 300, 308, 309, 1_100, 5_000))
        return "".join(chance.choices(alphabet, k=count))

    def number() -> str:
        forms = (
            digits(),
            f"0x{digits('0123456789abcdefABCDEF')}",
            f"0{digits('01234567')}",
            f"{digits()}.{digits()}",
            f".{digits()}",
            f"{digits()}e{chance.choice(('', '-'))}{digits()[:4]}",
        )
        return chance.choice(forms)

    def expression() -> str:
        forms = (
            number(),
            f"-{number()}",
            f"'{number()}'-0",
            f"{number()} {chance.choice('+-*/%|&^<')} {number()}",
            f"{number()} {chance.choice(('<<', '>>', '==='))} {number()}",
            f"[1,2][{number()}]",
        )
        return chance.choice(forms)

    expressions = [expression() for _ in range(200)]
    results = oracle.compile(compiler, [f"<text>{{{{{each}}}}}</text>" for each in expressions])
    for each, result in zip(expressions, results, strict=True):
        try:
            printed = evaluate(each, compiler)
        except ExpressionError:
            assert "tree" not in result, each
            continue
        assert "tree" in result, (each, result)
        assert printed in {None, "".join(result["tree"][0]["children"])}, each

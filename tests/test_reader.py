"""How WXML is read: exact offsets, what the compilers refuse, and their own verdict on mutated pages."""

from __future__ import annotations

import inspect
import itertools
import random
import re

import pytest

from tests.oracle import Oracle
from tests.verdicts import INSERTED, mutated, refused
from wxtext.javascript import Value
from wxtext.semantics import Compiler
from wxtext.wxml import Document, Event, glass_easel, position, read, wcc

COMPILERS: tuple[Compiler, Compiler] = ("wcc", "glass-easel")

PAGES = [
    """\
<!-- a list -->
<wxs module="tool"></wxs>
<view class="list {{ dark ? 'dark' : '' }}" bindtap="onTap" data-at="{{at}}" hidden="{{ !items.length }}">
  <block wx:for="{{items}}" wx:for-item="row" wx:key="id">
    <text space="emsp" user-select decode>{{ row.name }}  &lt;{{ tool.price(row.price, 2) }}&gt;\\n</text>
    <image wx:if="{{ row.image }}" src="{{ row.image }}" mode="aspectFill" />
    <view wx:elif='{{ row["text"] }}'>{{ row.text }}</view>
    <view wx:else>无图</view>
  </block>
</view>
""",
    """\
<import src="../item.wxml"/>
<template name="pair"><view><text>{{ a }}</text>：<text>{{ b + 1 }}</text></view></template>
<template is="pair" data="{{ a: 1, b, ...rest }}"/>
<template is="{{ kind }}" data="{{...item}}" wx:if="{{ item }}"></template>
<include src="footer.wxml" wx:else />
<slot name="after"></slot>
""",
    """\
<scroll-view scroll-y style="height: {{ height }}px; {{ extra || '' }}" bindscroll="{{ handler }}">
  <my-cell
    title='标题 "一"'
    value="{{ [1, 2, 3][at] }}"
    model:checked="{{ checked }}"
    generic:item="my-item"
    catch:tap="onTap"
  >
    <text>价格：{{ '￥' + (price * 0.8) }}元，{ 原样 }</text>
    <view slot="footer" wx:for="{{ 3 }}" wx:for-index="i">{{ i }}<text wx:if="{{ i > 1 }}">!</text></view>
  </my-cell>
  <input value="{{ text }}" placeholder="a &amp; b" maxlength="-1" auto-focus />
</scroll-view>
""",
]


def pieces(source: str, events: list[Event]) -> list[tuple[str, str]]:
    return [(kind, source[start:end]) for kind, start, end, _, _ in events]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("page", PAGES)
def test_events_tell_the_whole_source(page: str, compiler: Compiler) -> None:
    document = read(page, compiler)
    assert document.refusals == []
    assert "".join(text for _, text in pieces(page, document.events)) == page
    depth = 0
    for kind, _, _, tag, _ in document.events:
        if kind in {"open", "close"}:
            assert tag is not None
            depth += 0 if kind == "open" and tag.self_closing else 1 if kind == "open" else -1
    assert depth == 0


@pytest.mark.parametrize("compiler", COMPILERS)
def test_offsets_of_attributes(compiler: Compiler) -> None:
    source = """ <my-a b c = "d" e='{{"f"}}' wx:g=''h="{{i}}"/>"""
    [_, (kind, start, end, tag, _)] = read(source, compiler).events
    assert (kind, source[start:end]) == ("open", source[1:])
    assert tag is not None
    assert tag.self_closing
    found = {
        attribute.name: (
            source[start + attribute.start : start + attribute.end],
            attribute.span and source[start + attribute.span[0] : start + attribute.span[1]],
            attribute.value,
            attribute.dynamic,
        )
        for attribute in tag.attributes.values()
    }
    dynamic = found.pop("h")
    assert (dynamic[:2], dynamic[3]) == (('h="{{i}}"', "{{i}}"), True)
    assert found == {
        "b": ("b", None, True, False),
        "c": ('c = "d"', "d", "d", False),
        "e": ("e='{{\"f\"}}'", '{{"f"}}', "f", False),
        "wx:g": ("wx:g=''", "", "", False),
    }


@pytest.mark.parametrize(
    ("value", "wcc", "glass_easel"),
    [
        ('"a"', "a", "a"),
        ("''", "", ""),
        (r'"\n\\n\x\""', '\n\nx"', r"\n\\n\x" + "\\"),
        (r"'\\a'", r"\a", r"\\a"),
        (r"""'{{"\\n"}}'""", "\n", "\\n"),
        ('"{{1}}"', 1.0, 1.0),
        ('"{{[true]}}"', [True], [True]),
        ('"a{{1}}"', "a1", "a1"),
        ('"{{null}}"', None, None),
        ('"&lt;"', "&lt;", "<"),
    ],
)
def test_values_of_attributes(value: str, wcc: Value, glass_easel: Value) -> None:
    for compiler, expected in zip(COMPILERS, (wcc, glass_easel), strict=True):
        tag = read(f"<a b={value}/>", compiler).events[0][3]
        assert tag is not None
        assert tag.attributes["b"].value == expected


@pytest.mark.parametrize(
    ("source", "wcc", "glass_easel"),
    [
        (
            "<a>b<!-- c --> <wxs module='d'> <e> </wxs></a>f",
            "open <a>|text b|comment <!-- c -->|space  |script <wxs module='d'> <e> </wxs>|close </a>|text f",
            "open <a>|text b|comment <!-- c -->|space  |script <wxs module='d'> <e> </wxs>|close </a>|text f",
        ),
        ("a{<b>{{'<c>'}}", "text a{<b>{{'<c>'}}", "text a{|open <b>|text {{'<c>'}}|close "),
        ("a <b", "text a ", "text a |open <b"),
        ("<a><b></a>", "open <a>|open <b>", "open <a>|open <b>|close |close </a>"),
        ("<a b='>'/>c", "open <a b='>'/>|text c", "open <a b='>'/>|text c"),
        ("<a b='{{\"'\"}}'/>", "", "open <a b='{{\"'\"}}'/>"),
        ("a<!b>c<!d", "text a", "text a|comment <!b>|text c|comment <!d"),
        ("<wxs>a", "script <wxs>a", "script <wxs>a"),
        ("a<!-- b", "text a|comment <!-- b", "text a|comment <!-- b"),
        ("&#10;<a/>", "text &#10;|open <a/>", "space &#10;|open <a/>"),
        ("{{}}<a/>{{''}}", "text {{}}|open <a/>|text {{''}}", "space {{}}|open <a/>|text {{''}}"),
    ],
)
def test_what_is_what(source: str, wcc: str, glass_easel: str) -> None:
    for compiler, expected in zip(COMPILERS, (wcc, glass_easel), strict=True):
        document = read(source, compiler)
        found = "|".join(f"{kind} {text}" for kind, text in pieces(source, document.events))
        assert found == expected


#: What the compilers refuse, and where: offsets, none if it is accepted.
REFUSED: list[tuple[str, list[int], list[int]]] = [
    ("<view>", [0], []),
    ("</view>", [0], []),
    ("<view></text></view>", [6], []),
    ("<view></view/>", [6], [12]),
    ("<view></view\n", [13], []),
    ("<view a=b></view>", [8], []),
    ("<view a='\n'/>", [8], []),
    ("<view a.b='c'/>", [7], []),
    ("<wx-a/>", [0], []),
    ("<3", [0], []),
    ("<a\u3000b/>", [2], [2]),
    ("{{ a b }}", [5], [5]),
    ("<a b='{{ c d }}'/>", [11], [11]),
    ("<a b='{{ c'/>", [6], [10, 0]),
    ("<block b='{{ c d }}'/>", [], [15]),
    ("<block wx:if='{{ c d }}'/>", [19], [19]),
    ("<a wx:if/>", [3], []),
    ("<a wx:else/>", [0], []),
    ("<a wx:if='{{b}}'/> <!-- --> <a wx:elif='{{b}}'/><a wx:else/>", [], []),
    ("<a wx:if='{{b}}'/>c<a wx:else/>", [19], []),
    ("<a wx:if='{{b}}' wx:for='{{c}}'/><a wx:else/>", [33], []),
    ("<a wx:if='{{b}}'/><a wx:else wx:for='{{c}}'/>", [18], []),
    ("<a wx:if='' wx:else/>", [0, 0], []),
    ("<a wx:for='{{b}}' wx:for-item='{{ c d }}' wx:key='{{ c d }}'/>", [55], []),
    ("<template is='a' data='{{b, c: 1}}'/>", [], []),
    ("<template is='a' data='{{b.c}}'/>", [26], []),
    ("<template is='a' data='b'/>", [23], []),
    ("<template is='a'>{{ b c }}</template>", [], [22]),
    ("<template/>", [], [0]),
    ("<import><template name='a'>{{ b c }}</template></import>", [32], [0, 32]),
    ("<include/>", [], [0]),
    ("<slot>a</slot>", [], [6]),
    ("<wxs></wxs>", [0], [0]),
    ("<wxs module='a-b'></wxs>", [5], []),
    (r"<wxs module='\a'/>", [], []),
    ("<template is='a' data='{{b, c&d}}'/>", [29], [29]),
    ("<wxs module='a' src='b'>c</wxs>", [0], [24]),
    ("<a class:b class='c b'/><a class:b class='c'/>", [], [11]),
    ("<a style:b='c' style='b: d'/><a style:b='c' style='{{d}}'/>", [], [15, 44]),
    ("<a slot:b wx:if='{{c}}'/><a let:b='{{1}}' wx:else/>", [], [3, 28]),
    ("&b; &#1 &#xD800; &#65;", [], [0]),
]


@pytest.mark.parametrize(("source", "wcc", "glass_easel"), REFUSED)
def test_refusals(source: str, wcc: list[int], glass_easel: list[int]) -> None:
    for compiler, offsets in zip(COMPILERS, (wcc, glass_easel), strict=True):
        assert [refusal.offset for refusal in read(source, compiler).refusals] == offsets


def test_several_conditions_in_one_tag(oracle: Oracle) -> None:
    attributes = ["wx:if='{{a}}'", "wx-if='{{a}}'", "wx:elif='{{a}}'", "wx:else", "wx:for='{{a}}'"]
    sources = [
        f"{before}<{name} {' '.join(some)}></{name.split()[0]}>{after}"
        for name in ("block", "view", "template is='b'")
        for count in (1, 2, 3)
        for some in itertools.permutations(attributes, count)
        for before in ("", "<view wx:if='{{a}}'/>")
        for after in ("", "<view wx:else/>")
    ]
    for source, result in zip(sources, oracle.compile("wcc", sources), strict=True):
        assert bool(read(source, "wcc").refusals) == refused(result), source


def test_what_breaks_the_code_of_wcc() -> None:
    for attribute in ("wx:key=\"{{b['c']}}\"", 'wx:for-item="b\'"', 'wx:for-index="b\\n"'):
        [(offset, _)] = read(f"<a wx:for='{{{{d}}}}' {attribute}/>", "wcc").refusals
        assert offset == 19 + attribute.index('"')
        assert read(f"<a {attribute}/>", "wcc").refusals == []


def test_refusals_can_be_said_otherwise() -> None:
    [(_, message)] = read("<a b.c='d'/>", "wcc").refusals
    assert message == "`.c` is not the name of an attribute"
    assert (message.template, message.values) == ("`{name}` is not the name of an attribute", {"name": ".c"})


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_compilers_refuse_the_same(oracle: Oracle, compiler: Compiler) -> None:
    sources = [source for source, *_ in REFUSED if "src=" not in source] + PAGES
    for source, result in zip(sources, oracle.compile(compiler, sources), strict=True):
        assert bool(read(source, compiler).refusals) == refused(result), source


LOOPED = 'wx:for="{{{{a}}}}"'
#: Where wcc looks at bindings closely, or only for their ends, or not at all.
PLACES = [
    *('<view class="{}"/>', '<block class="{}">x</block>', '<block wx:if="{{{{a}}}}" class="{}"/>'),
    *('<template name="{}"/>', '<template name="a" x="{}"/>', '<template is="{}"/>', '<slot name="{}"/>'),
    *('<template is="a" x="{}"/>', '<template is="a" data="{}"/>', '<template name="a" wx:for-item="{}"/>'),
    *('<import src="{}"/>', '<include src="{}"/>', '<include src="a" x="{}"/>', '<wxs module="m" x="{}"/>'),
    *('<import src="a" wx:if="{}"/>', '<include src="a" wx:if="{}"/>', '<view wx:for-item="{}"/>'),
    *(
        f'<{name} wx:for="{{{{{{{{a}}}}}}}}" wx:for-item="{{}}"/>'
        for name in ("view", "block", "template is")
    ),
    *(f'<{name} src="a" wx:for="{{{{{{{{a}}}}}}}}" wx:for-item="{{}}"/>' for name in ("include", "import")),
    *(f'<{name} src="a"><view class="{{}}"/></{name}>' for name in ("include", "import")),
    *(f'<{name} src="a"><block x="{{}}"/></{name}>' for name in ("include", "import")),
    *('<template is="a"><view class="{}"/></template>', '<import src="a"><include src="{}"/></import>'),
    *('<import src="a"><text>{}</text></import>', '<import src="a"><wxs module="m" x="{}"/></import>'),
]


@pytest.mark.parametrize("value", ["{{a", "{{'a}}", "{{a}", "x{{ {a: {b}}", "{{a b}}", "{{a}}", "a"])
def test_where_wcc_looks_at_bindings(value: str, oracle: Oracle) -> None:
    sources = [place.format(value) for place in PLACES]
    for source, result in zip(sources, oracle.compile("wcc", sources), strict=True):
        assert bool(read(source, "wcc").refusals) == refused(result), source


def test_a_script_from_a_file_holds_nothing(oracle: Oracle) -> None:
    held = ["", " \n\t", "//x\n", "var a", "\f", "\u3000", "<!-- x -->"]
    attributes = ["", ' src=""', " src", " src = ''", ' x="src"']
    sources = [f'<wxs module="m"{attribute}>{body}</wxs>' for attribute in attributes for body in held]
    for source, result in zip(sources, oracle.compile("wcc", sources), strict=True):
        if "don't need any content" in str(result):
            assert [refusal.offset for refusal in read(source, "wcc").refusals] == [0], source
        else:
            assert read(source, "wcc").refusals == [], source  # what is wrong with the JavaScript in it aside


@pytest.mark.parametrize("compiler", COMPILERS)
def test_mutated_pages(oracle: Oracle, compiler: Compiler) -> None:
    chance = random.Random(f"mutations {compiler}")
    sources = [mutated(chance, chance.choice(PAGES)) for _ in range(500)]
    for source, result in zip(sources, oracle.compile(compiler, sources), strict=True):
        document = read(source, compiler)
        assert refused(result) in {bool(document.refusals), None}, source
        assert all(0 <= offset <= len(source) for offset, _ in document.refusals)


NAMES = [
    *("view", "text", "block", "slot", "template", "import", "my-cell", "wx-view", "Text", "a:b", "x.y"),
    *("class", "style", "id", "wx:if", "wx:elif", "wx:else", "wx:for", "wx:key", "wx:for-item", "hidden"),
    *("bind:tap", "catchtap", "model:value", "style:color", "class:on", "slot:a", "let:b", "generic:a"),
]
WORTHS = [
    *("", "a", "a b", "{{a}}", "{{ a.b[0] }} c", "{{a ? 'x' : 'y'}}", "{{'x'}}", "{{ [1, b] }}", "{{f(a)}}"),
    *("{{ {a} }}", "{{true}}", "{{typeof a}}", "{{ void }}", "{{a", "{{a b}}", "{a}", "}}", "&lt;", "&x;"),
    *("a\\nb", "a\nb", "it's", "{{a['b']}}", "{{a instanceof b}}", "{{a > b}}", "x\ry", "*this", "<"),
    *("价格 {{n}} 元", "{{}}", "{{a}}{{b}}", '{{a["b"]}}', "{{'\\n'}}"),
]
BLANK = ["", " ", " ", " ", " ", " ", "\n  ", "\t", "\r\n", "\f", "\xa0"]
EQUALS = ["=", "=", "=", "=", "=", " = ", "= ", ""]


def random_tag(chance: random.Random) -> str:
    """A tag, most often written in a usual way."""
    quotes = chance.choice(['"', '"', '"', "'", "\"'"])
    pieces = ["<", chance.choice(NAMES[:11])]
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3))):
        pieces += [chance.choice(BLANK[1:]), chance.choice(NAMES[11:] if chance.random() < 0.9 else NAMES)]
        if chance.random() < 0.85:
            quote = chance.choice(quotes)
            pieces += [chance.choice(EQUALS), quote, chance.choice(WORTHS), quote]
    return "".join([*pieces, chance.choice(BLANK), chance.choice((">", ">", "/>"))])


def facts(document: Document) -> list[object]:
    """All that is said of the tags in a document, and what is refused."""
    tags = [tag for _, _, _, tag, _ in document.events if tag]
    return [
        *((tag.name, tag.names, tag.role, tag.self_closing, tag.plain, tag.attributes) for tag in tags),
        *((tag.dropped, list(tag.refusals)) for tag in tags),
        *(event[:3] for event in document.events),
        document.refusals,
    ]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_quick_ways_agree_with_the_slow_one(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(f"tags {compiler}")
    sources = [random_tag(chance) for _ in range(5000)]
    quick = [facts(read(source, compiler)) for source in sources]
    reader = wcc if compiler == "wcc" else glass_easel
    taken = sum(reader._accepted_tag(source) is not None for source in sources)
    assert 1000 < taken < 4000  # both kinds are there
    monkeypatch.setattr(reader, "_accepted_tag", lambda _text: None)
    monkeypatch.setattr(wcc, "_OPEN", re.compile("(?!)"))
    monkeypatch.setattr(reader, "_usual_tag", inspect.unwrap(reader._usual_tag))  # without what it keeps
    for source, expected in zip(sources, quick, strict=True):
        assert facts(read(source, compiler)) == expected, source


def test_every_prefix_is_read_to_its_end() -> None:
    for page in PAGES:
        for end in range(len(page)):
            for compiler in COMPILERS:
                document = read(page[:end], compiler)
                assert all(0 <= offset <= end for offset, _ in document.refusals)


def test_junk_is_read_to_its_end() -> None:
    chance = random.Random("junk")
    alphabet = [*INSERTED, "a", "<a", "<wxs>", "</wxs>", "<text", "</text", "\0", "\r", "wx:if", "<!", "&#"]
    for _ in range(3000):
        source = "".join(chance.choice(alphabet) for _ in range(chance.randrange(30)))
        for compiler in COMPILERS:
            events = read(source, compiler).events
            assert [start for _, start, *_ in events] == sorted(start for _, start, *_ in events)


def test_lines_and_columns() -> None:
    source = "a\n😀b\r\nc"
    assert [position(source, offset) for offset in (0, 2, 3, 6)] == [(1, 1), (2, 1), (2, 2), (3, 1)]


def test_offsets_behind_a_nul_count_in_the_whole_source() -> None:
    source = "a\0bc\n<text>x\0y\n</text>\0\0</text>\n{{d e}}"
    document = read(source, "wcc")
    assert [(kind, source[start:end]) for kind, start, end, _tag, _text in document.events] == [
        ("text", "a\0bc\n"),
        ("open", "<text>"),
        ("text", "x\0y\n"),
        ("close", "</text>\0\0</text>\n"),
        ("text", "{{d e}}"),
    ]
    (refusal,) = document.refusals
    assert source[refusal.offset :] == "e}}"


def test_a_lone_surrogate_is_a_character_like_others() -> None:
    assert len(read("<text>{{'\ud800' + a\ud800}}</text>", "wcc").refusals) == 1
    assert read("<text>{{a + '\ud800'}}</text>", "wcc").refusals == []

"""Notes and options to try: for hypothesis, and the same from a seed for tests that need many thousands.

The pieces are what may go wrong: characters that WXML, the compilers, the layout or Python's own idea of a
line treat specially, and the kinds of notes that people write.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

SPACES = [
    *" \t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "  ",
    "   ",
    "    ",
    "\t\t",
    " \t ",
    "\u3000\u3000",
    "\u2003\u2003",
    " " * 9,
    "\u3000" * 5,
]
BREAKS = ["\n", "\n\n", "\n\n\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029", "\n\r", "\r\r\n"]
REMOVED = ["\ufeff", "\0", "\x01", "\x08", "\x1b[0m", "\x1c", "\x1d", "\x1e", "\x1f", "\x7f", "\x80", "\x9f"]
SURROGATES = ["\ud800", "\udfff", "\ud83d", "\ude00"]
BACKSLASHES = [
    *("\\", "\\\\", "\\\\\\", "\\n", "\\t", "\\r", "\\'", '\\"', "\\0", "\\x41", "\\u3000", "\\ "),
    *("C:\\new\\table", "\\\\server\\"),
]
MARKUP = [
    *"<>{}&/'\"`=!-#;:$%()[]",
    *("{{", "}}", "{{{", "}}}", "{ {", "<text>", "</text>", "</view>", "<view>", "<image/>", "<br/>"),
    *("<!--", "-->", "<!-- c -->", "<!---->", "<!-- wxtext:begin -->", "<!-- wxtext:end -->"),
    *("<![CDATA[", "]]>", "<!DOCTYPE wxml>", "<?xml?>", "<wxs module='m'>", "{<", "{</text>", "{%"),
    *("[[", "[%", "]]", '" bindtap="x', "<3", "<-", "< ", "a<b", "a < b"),
]
BINDINGS = [
    *("{{'x'}}", '{{"x y"}}', "{{'x  y'}}", "{{' x'}}", "{{''}}", "{{'}}'}}", "{{'{{'}}", "{{'\\n'}}"),
    *("{{'\\\\'}}", "{{'a\\'b'}}", "{{'<b>'}}", "{{'\u3000'}}", "{{a}}", "{{ a }}", "{{a  +  b}}"),
    *("{{user.name}}", "{{list[0]}}", "{{a?b:'c'}}", "{{a<b}}", "{{!a}}", "{{1+2}}", "{{1 < 2}}"),
    *("{{true}}", "{{null}}", "{{undefined}}", "{{}}", "{{ }}", "{{a", "{{a}", "{{{a}}}", "{{{a:1}}}"),
    *("{{ {a:1} }}", "{{a ?? b}}", "{{+1}}", "{{[1,2]}}", "{{姓名}}", "{{a\tb}}", "{{a\t+\tb}}"),
    *("{{typeof(a)}}", "{{a}}{{b}}", "{{/* c */}}", "{{a--b}}", "{{0.1+0.2}}", "{{01}}", "{{.5}}"),
]
ENTITIES = [
    *("&lt;", "&gt;", "&amp;", "&nbsp;", "&ensp;", "&emsp;", "&quot;", "&apos;", "&amp;lt;", "&LT;"),
    *("&#10;", "&#xa;", "&#65", "&#65 b", "&#;", "&#x110000;", "R&#D", "&B;", "B&B", "AT&T", "&copy"),
    *("&frac12;", "&yen;", "&", "& ", "&&", "&;", "&中;", "&\n", "&1;"),
]
UNICODE = [
    *("\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e8\U0001f1f3", "e\u0301"),
    *("\u3099", "か\u3099", "\u200b", "\u200d", "\u2060", "\u00ad", "\u180e", "\u20dd", "\ufe0f"),
    *("\u202a", "\u2066", "\ufffd", "\ufffe", "ＡＢＣ", "ｶﾅ", "…", "——", "“”", "①", "￥", "，", "。", "《》"),
    *("한국어", "שלום", "ไทย"),
    *("\U00020000", "\U000e0001", "\ue000", "\U0010ffff", "½", "é", "ß", "Ω"),
]
WORDS = [
    *("a", "b", "n", "t", "r", "x", "word", "English words", "lt;", "nbsp;", "amp;", "'x'"),
    *("0", "1.5", "中", "文", "关于我们", "第一段文字。", "“引号”", "你好，世界！", "价格￥100"),
]
SNIPPETS = [
    "def f(x):\n    if x < 1 and y > 2:\n        return {'a': x}  # note\n\treturn [x]\n",
    'for (let i = 0; i < n; i++) {\n  console.log(`${a[i]} && "${b}"\\n`);\n}\n',
    '<view class="a">\n  <text space="emsp">{{item.name}}</text>\n</view>\n',
    'static const char *s = "a\\tb\\\\c";\n#define X(a) \\\n    (a)\n',
    "name\tage\tcity\n张三\t20\t北京\nBob  \t3\t上海\n",
    "    静夜思\n        李白\n\n  床前明月光，\n  疑是地上霜。\n",
    "　　话说天下大势，分久必合，合久必分。\n　　周末七国分争，并入于秦。\n",
    "# 标题\n\n- 第一 **粗**\n- 第二 `code <b>`\n\n> 引用 & more\n",
    "C:\\Users\\name\\temp\\readme.txt\n\\\\server\\share\n",
    "SELECT * FROM t WHERE a <> 'b' AND c <= 3;\n",
    '{\n  "key": {"a": [1, 2, {}]},\n  "re": "\\\\d+\\n"\n}\n',
    "1. 服务条款\n    1.1 用户应当……\n    1.2 Terms & Conditions apply.\n\n\n\n2. 隐私\n",
    "E = mc²; x ≤ y; a <b, c> d; 5 > 3; <-- arrow -->\n",
    "￥1,000.00　　合计：\t2,000\n\u3000\u3000备注：无\u3000\n",
    "a  b   c    d\te\t\tf\n",
    "if (a < b) {\n{{a}} {{ b }} {{'x'}}\n}\n",
]
LONG = [
    *("长" * 300, "x" * 300, "long words " * 40, "\\" * 200, "{" * 100, "<" * 100, "&" * 50),
    *(" " * 200 + "x", "{{" * 40),
]

ORDINARY = [WORDS, BREAKS, SPACES, SNIPPETS]
STRANGE = [MARKUP, BACKSLASHES, ENTITIES, BINDINGS, UNICODE, REMOVED, SURROGATES, LONG]
GROUPS = ORDINARY + STRANGE
#: How often each group is taken: long and rare things are taken seldom.
WEIGHTS = [8, 5, 5, 0.4, 5, 3, 3, 2, 2, 1, 0.3, 0.1]

#: What the pieces name in bindings. The values would be widened or broken by a careless conversion.
DATA: dict[str, Any] = {
    **{name: f"{name} of 数据" for name in ("a", "b", "n", "t", "r", "x", "word", "name")},
    "user": {"name": "<b> &amp; \\n"},
    "list": ["{{a}} 'q'"],
    "item": {"name": "条目 1"},
}

#: Every option that changes what is shown or how it is written, with the values worth trying.
OPTIONS: dict[str, list[Any]] = {
    "target": ["webview", "glass-easel", "skyline"],
    "space": ["auto", "ensp", "emsp", "nbsp"],
    "tab_width": [4, 4, 4, 8, 2, 1, 3],
    "indent": ["keep", "keep", "keep", "none", 0, 1, 2, 4],
    "paragraphs": ["auto", "auto", "line", "blank"],
    "blank_lines": ["keep", "keep", "one", "none"],
    "per": ["paragraph", "line", "file"],
    "view": [False, False, True],
    "user_select": [False, False, True],
    "class_": ["", "", "note", "note big_1 wide-2"],
    "bindings": [False, False, True],
    "strip_invisible": [False, False, True],
}


def random_notes(random: Random) -> str:
    """Notes from a seed: all groups, a few groups only, or lines of ordinary text."""
    kind = random.random()
    if kind < 0.1:
        groups, weights = ORDINARY, [1.0, 2, 1, 3]
    elif kind < 0.5:
        groups = random.sample(GROUPS, 3)
        weights = [WEIGHTS[GROUPS.index(group)] for group in groups]
    else:
        groups, weights = GROUPS, WEIGHTS
    count = random.choice((1, 2, 3, 5, 8, 13, 30))
    pieces = [random.choice(group) for group in random.choices(groups, weights, k=count)]
    if random.random() < 0.2:
        pieces[random.randrange(count)] = chr(random.randrange(0x110000))
    return "".join(pieces)


def random_options(random: Random) -> dict[str, Any]:
    """A combination of options from a seed."""
    return {name: random.choice(values) for name, values in OPTIONS.items()}


def notes() -> st.SearchStrategy[str]:
    """Notes for hypothesis; they shrink to few and simple pieces."""
    piece = st.one_of(*map(st.sampled_from, GROUPS), st.characters(exclude_categories=()))
    return st.lists(piece, max_size=20).map("".join)


def options() -> st.SearchStrategy[dict[str, Any]]:
    """All combinations of options for hypothesis."""
    return st.fixed_dictionaries({name: st.sampled_from(values) for name, values in OPTIONS.items()})


ATTRIBUTES = [
    *('space="ensp"', 'space="emsp"', "space='nbsp'", 'space="wide"', 'space=""', "space", 'space=" ensp"'),
    *("decode", 'decode=""', 'decode="false"', 'decode="{{true}}"', 'decode="{{false}}"', "decode='{{1}}'"),
    *("user-select", 'user-select="{{false}}"', 'selectable="true"', 'class="a"', 'id="b"', 'style="c:d"'),
    *(
        "space=\"{{'emsp'}}\"",
        'space="em&#115;p"',
        "hidden",
        'hidden="{{false}}"',
        'space="ensp" space="emsp"',
    ),
]
#: Bindings without data: whatever the compilers make of them, right or wrong.
CONSTANTS = [
    *(
        "{{'x'}}",
        '{{"a b"}}',
        "{{'  '}}",
        "{{' '}}",
        "{{''}}",
        "{{'\\n'}}",
        "{{'\\t'}}",
        "{{'\\\\'}}",
        "{{'\\\\n'}}",
    ),
    *(
        "{{'a\\'b'}}",
        "{{'<'}}",
        "{{'&'}}lt;",
        "{{'&nbsp;'}}",
        "{{'{{'}}",
        "{{'}}'}}",
        "{{'\u3000'}}",
        "{{'\\u3000'}}",
    ),
    *(
        "{{'a'+'b'}}",
        "{{1+2}}",
        "{{1<2}}",
        "{{!1}}",
        "{{null}}",
        "{{undefined}}",
        "{{}}",
        "{{ }}",
        "{{[1,2]}}",
    ),
    *(
        "{{'x' + 1}}",
        "{{true ? 'a' : 'b'}}",
        "{{0.1+0.2}}",
        "{{-1}}",
        "{{+1}}",
        "{{01}}",
        "{{1e5}}",
        "{{0x1F}}",
    ),
    *(
        "{{{a:1}}}",
        "{{ {a:1} }}",
        "{{'a'.length}}",
        "{{null ?? 'x'}}",
        "{{'a'",
        "{{`a`}}",
        "{{1",
        "{{x y}}",
    ),
]
CONTENT_BREAKS = ["\\n", "\n", "\n  ", "\r\n", " \\n "]
BRACES = ["<", "{", "}", "}}"]
NESTED = [
    "<!-- c -->",
    "<!---->",
    "<!-- \\n {{ </text> -->",
    "<!-- {{'x'}} -->",
    "<!--",
    "<block>b</block>",
    "<view>v</view>",
]


def random_content(random: Random, depth: int = 0) -> str:
    """One `<text>` of anything, as people write it or not, without data: WXML source from a seed."""
    groups = [WORDS, SPACES, CONTENT_BREAKS, BACKSLASHES, ENTITIES, CONSTANTS, NESTED, UNICODE, BRACES]
    weights = [6, 5, 5, 3, 4, 4, 1, 1, 0.2]
    count = random.choice((1, 2, 3, 5, 8))
    pieces = [random.choice(group) for group in random.choices(groups, weights, k=count)]
    for _ in range(random.choice((0, 0, 1, 2)) if depth < 3 else 0):
        pieces.insert(random.randint(0, len(pieces)), random_content(random, depth + 1))
    attributes = random.sample(ATTRIBUTES, random.choice((0, 0, 1, 1, 2)))
    return f"<{' '.join(['text', *attributes])}>{''.join(pieces)}</text>"

"""Rules about characters: entities, backslashes, and what no one sees."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest

from tests.oracle import Oracle
from tests.rules import TARGETS, fixed, found, messages
from wxtext.semantics import COMPILERS, RUN_TIME_ENTITIES, Target

NEW: tuple[Target, ...] = ("glass-easel", "skyline")


def texts(oracle: Oracle, target: Target, sources: list[str]) -> list[str | None]:
    """What the compiler makes of the text in each source; None if it refuses it."""

    def characters(tree: list[Any]) -> str:
        return "".join(node if isinstance(node, str) else characters(node["children"]) for node in tree)

    return [
        characters(result["tree"]) if "tree" in result else None
        for result in oracle.compile(COMPILERS[target], sources, {"a": True})
    ]


def samples(seed: int, parts: list[str], count: int = 300) -> list[str]:
    """Random texts of these parts."""
    choose = random.Random(seed)
    return ["".join(choose.choices(parts, k=choose.randint(1, 7))) for _ in range(count)]


class TestStaticLineBreak:
    @pytest.mark.parametrize("target", NEW)
    @pytest.mark.parametrize(
        ("text", "parts", "mended"),
        [
            (r"甲\n乙", [r"\n"], r"甲{{'\n'}}乙"),
            (r"\n\n甲\r\n乙", [r"\n\n", r"\r\n"], r"{{'\n\n'}}甲{{'\n'}}乙"),
            (r"{\n}", [r"\n"], r"{{'{\n'}}}"),
            (r"{{a}}\n{{b}}", [r"\n"], r"{{a}}{{'\n'}}{{b}}"),
            (r"C:\new\temp\n甲", [r"\n"], r"C:\new\temp{{'\n'}}甲"),
            (r"Q:\nWhy?", [r"\n"], r"Q:{{'\n'}}Why?"),
            (r"甲\\n\t\r\d", [], r"甲\\n\t\r\d"),
            (r"{{'\n'}}{{f(a, '\n')}}", [], r"{{'\n'}}{{f(a, '\n')}}"),
            (r"<!-- \n --><text>甲\n</text>", [r"\n"], r"<!-- \n --><text>甲{{'\n'}}</text>"),
        ],
    )
    def test_new_targets(self, target: Target, text: str, parts: list[str], mended: str) -> None:
        source = f"<text>{text}</text>"
        assert found("static-line-break", source, target) == [f"error: {part}" for part in parts]
        assert fixed("static-line-break", source, target) == f"<text>{mended}</text>"

    def test_webview(self) -> None:
        assert found("static-line-break", r"<text>甲\n乙</text>") == []

    @pytest.mark.parametrize("target", NEW)
    def test_outside_text_it_would_be_a_space(self, target: Target) -> None:
        source = r"<view>甲\n乙</view>"
        assert found("static-line-break", source, target) == [r"error: \n"]
        assert fixed("static-line-break", source, target) == source

    @pytest.mark.parametrize("target", NEW)
    def test_fixes_by_the_compilers(self, oracle: Oracle, target: Target) -> None:
        """What is mended breaks lines on every target; wcc takes a CR from it at most."""
        bodies = samples(1, [r"\n", r"\n", r"\r\n", "\\", "{", "}", "{{a}}", "n", "甲", " ", "&", "<!---->"])
        sources = [f"<text>甲{body}</text>" for body in bodies]
        mended = [fixed("static-line-break", source, target) for source in sources]
        seen = texts(oracle, target, mended)
        for source, before, after in zip(sources, texts(oracle, target, sources), seen, strict=True):
            if before is not None:
                assert after == re.sub(r"(?<!\\)(?:\\r)?\\n", "\n", before) or "\\\\" in source


class TestMisprintedBackslash:
    @pytest.mark.parametrize(
        ("text", "parts", "mended"),
        [
            (r"it\'s \"it\"", [r"\'", r"\"", r"\""], 'it\'s "it"'),
            (r"D:\\Notes", [r"\\"], r"D:{{'\\'}}Notes"),
            (r"\\\\d甲\\", [r"\\\\", r"\\"], r"{{'\\\\'}}d甲{{'\\'}}"),
            (r"甲\\{{a}}", [r"\\"], r"甲{{'\\'}}{{a}}"),
            (r"{\\x", [r"\\"], r"{{'{\\'}}x"),
            (r"\\\'", [r"\\\'"], r"{{'\\'}}'"),
            # Strings in bindings:
            (r"{{'it\'s'}}", [r"'it\'s'"], """{{"it's"}}"""),
            (r"{{a ? 'can\'t' : 'b'}}", [r"'can\'t'"], """{{a ? "can't" : 'b'}}"""),
            (r"{{ '\u4e2d\x41' }}", [r"'\u4e2d\x41'"], "{{ '中A' }}"),
            (r"{{'a\\b' + a}}", [r"'a\\b'"], r"{{('a\\' + 'b') + a}}"),
            (r"{{'a\\b\n'}}", [r"'a\\b\n'"], r"{{'a\\' + 'b\n'}}"),
            (r"""{{'"it\'s"'}}""", [r"""'"it\'s"'"""], """{{'"it' + "'s" + '"'}}"""),
            (r"{{'\u200b'}}", [r"'\u200b'"], r"{{'\u200b'}}"),
            # All is printed as it looks:
            (r"\d \甲 \u3000 \x41 \0 \n \t \r", [], None),
            (r"\\n \\\n \\' \\\\t", [], None),
            (r"{{'\n\t'}}{{'a\\'}}{{'\\n'}}{{'\d'}}{{a /* '\'' */}}", [], None),
            (r"<!-- \\x \' --><text class='{{a?\'b\':1}}'>甲</text>", [], None),
        ],
    )
    def test_webview(self, text: str, parts: list[str], mended: str | None) -> None:
        source = f"<text>{text}</text>"
        assert found("misprinted-backslash", source) == [f"error: {part}" for part in parts]
        assert fixed("misprinted-backslash", source) == f"<text>{text if mended is None else mended}</text>"

    def test_paths_are_advice(self) -> None:
        source = r"<text>C:\new\temp D:\a\readme.txt x:\nginx</text>"
        expected = [r"info: \n", r"info: \t", r"info: \r", r"info: \n"]
        assert found("misprinted-backslash", source) == expected
        mended = r"C:\new D:\readme".replace("\\", r"{{'\\'}}")
        assert fixed("misprinted-backslash", r"<text>C:\new D:\readme</text>") == f"<text>{mended}</text>"
        source = r"<text>Q:\nwhy A:\nso Name:\nanswer c:\n甲 \new C:\Users</text>"
        assert found("misprinted-backslash", source) == []

    def test_outside_text(self) -> None:
        assert fixed("misprinted-backslash", r"<view>it\'s</view>") == "<view>it's</view>"

    @pytest.mark.parametrize("target", NEW)
    def test_new_targets(self, target: Target) -> None:
        source = r"<text>it\'s D:\\Notes C:\new{{'\u4e2d\''}}</text>"
        assert found("misprinted-backslash", source, target) == []

    def test_fixes_by_the_compilers_in_text(self, oracle: Oracle) -> None:
        parts = [*"\\\\\\'\"nrtud甲 &{}", "{{a}}", "<!---->"]
        sources = [f"<text>甲{body}</text>" for body in samples(2, parts)]
        mended = [fixed("misprinted-backslash", source) for source in sources]
        seen = texts(oracle, "webview", mended)
        for before, after in zip(texts(oracle, "webview", sources), seen, strict=True):
            if before is not None:
                assert after == before.replace(r"\x5c", "\\").replace(r"\x27", "'").replace(r"\x22", '"')

    @pytest.mark.parametrize("expression", ["%s", "a ? %s : 'b'", "'a' + %s"])
    def test_fixes_by_the_compilers_in_bindings(self, oracle: Oracle, expression: str) -> None:
        """What is mended is what glass-easel has always read, on both compilers."""
        parts = [*"\\'\"nrtux41甲 ", r"\u4e2d", r"\x41", r"\'", r"\"", r"\\"]
        strings = [f"'{body}'" for body in samples(3, parts)]
        sources = ["<text>甲{{%s}}</text>" % (expression % string) for string in strings]
        mended = [fixed("misprinted-backslash", source) for source in sources]
        meant = texts(oracle, "glass-easel", sources)
        seen = zip(*(texts(oracle, target, mended) for target in ("webview", "glass-easel")), strict=True)
        for source, result, expected, both in zip(sources, mended, meant, seen, strict=True):
            if source != result:
                assert both == (expected, expected)


class TestUnportableEntity:
    @pytest.mark.parametrize(
        ("source", "parts", "mended"),
        [
            ("<text>1 &lt; 2</text>", ["&lt;"], "<text>1 {{'<'}} 2</text>"),
            ("<text>&amp;&gt;&nbsp;</text>", ["&amp;", "&gt;", "&nbsp;"], "<text>&>{{'\u00a0'}}</text>"),
            ("<text>&amp;lt; A&amp;B</text>", ["&amp;", "&amp;"], "<text>{{'&'}}lt; A{{'&'}}B</text>"),
            (
                "<text>&copy;&#169;&#xA9;&frac12;</text>",
                ["&copy;", "&#169;", "&#xA9;", "&frac12;"],
                "<text>©©©½</text>",
            ),
            ("<text>甲&#13;&#10;乙</text>", ["&#13;", "&#10;"], r"<text>甲\n\n乙</text>"),
            ("<text>{&#123;{{a}}</text>", ["&#123;"], "<text>{{'{{'}}{{a}}</text>"),
            ("<view>&nbsp;甲</view>", ["&nbsp;"], "<view>{{'\u00a0'}}甲</view>"),
            ("<text decode='{{false}}'>&lt;</text>", ["&lt;"], "<text decode='{{false}}'>{{'<'}}</text>"),
            ("<text decode><text>&gt;</text></text>", ["&gt;"], "<text decode><text>></text></text>"),
            # With `decode`:
            (f"<text decode>{''.join(RUN_TIME_ENTITIES)}</text>", [], None),
            ("<text decode><block>&lt;</block></text>", [], None),
            ("<text decode='{{a}}'>&lt;&copy;</text>", ["&copy;"], "<text decode='{{a}}'>&lt;©</text>"),
            (
                "<text decode>&LT;&#60;&hellip;</text>",
                ["&LT;", "&#60;", "&hellip;"],
                "<text decode>{{'<'}}{{'<'}}…</text>",
            ),
            ("<text decode>&#38;lt;&AMP;</text>", ["&#38;", "&AMP;"], "<text decode>&amp;lt;&amp;</text>"),
            # All is shown as it looks:
            ("<text>A & B &lt &B; &NBSP; &#B; &#x110000; &#; R&D;</text>", [], None),
            ("<text>{{a&&b}}{{'&lt;'}}<!-- &lt; --></text>", [], None),
            ("<text class='&lt;'>甲</text><rich-text nodes='&lt;b>'/>", [], None),
        ],
    )
    def test_webview(self, source: str, parts: list[str], mended: str | None) -> None:
        assert found("unportable-entity", source) == [f"error: {part}" for part in parts]
        assert fixed("unportable-entity", source) == (source if mended is None else mended)

    @pytest.mark.parametrize("target", NEW)
    @pytest.mark.parametrize(
        ("source", "parts", "mended"),
        [
            (
                "<text>R&#D &B; &NBSP;</text>",
                ["&#D", "&B;", "&NBSP;"],
                "<text>R{{'&'}}#D {{'&'}}B; {{'&'}}NBSP;</text>",
            ),
            ("<text>&#x110000;{&#;</text>", ["&#x110000;", "&#;"], "<text>{{'&'}}#x110000;{{'{&'}}#;</text>"),
            ("<view title='R&#D {{a&&b}}&B;'/>", ["&#D", "&B;"], "<view title='R&amp;#D {{a&&b}}&amp;B;'/>"),
            ("<text>&frac12; &there4;</text>", ["&frac12;", "&there4;"], "<text>½ ∴</text>"),
            ("<text>&lt;&LT;&nbsp;&#10;&copy;&#x41; &lt A & B</text>", [], None),
            ("<text>&amp;lt;{{a&&b}}</text>", [], None),
            ("<view title='a=1&b=2&lt;'/>", [], None),
        ],
    )
    def test_new_targets(self, target: Target, source: str, parts: list[str], mended: str | None) -> None:
        assert found("unportable-entity", source, target) == [f"error: {part}" for part in parts]
        assert fixed("unportable-entity", source, target) == (source if mended is None else mended)

    @pytest.mark.parametrize(
        ("entity", "mended"),
        [
            ("&amp;lt;", "{{'&'}}amp;lt;"),
            ("&#38;nbsp;", "{{'&'}}amp;nbsp;"),
            ("&AMP;amp;", "{{'&'}}amp;amp;"),
            ("&#x26;emsp;", "{{'&'}}amp;emsp;"),
        ],
    )
    @pytest.mark.parametrize("decode", ["decode", 'decode="{{a}}"'])
    def test_decoded_twice(self, entity: str, mended: str, decode: str) -> None:
        source = f"<text {decode}>{entity}</text>"
        assert found("unportable-entity", source, "glass-easel") == [f"warning: {entity}"]
        assert fixed("unportable-entity", source, "glass-easel") == f"<text {decode}>{mended}</text>"
        assert found("unportable-entity", source, "skyline") == []
        source = f"<text>{entity}</text><text decode>&amp;copy; &amp;#60; &amp; lt;</text>"
        assert found("unportable-entity", source, "glass-easel") == []

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("source", "part", "mended"),
        [
            ("<text>甲{{'&nbsp;'}}乙</text>", "&nbsp;", "<text>甲{{'\u00a0'}}乙</text>"),
            (
                '<text>甲{{ "&emsp;&ensp;" }}{{a}}</text>',
                "&emsp;&ensp;",
                "<text>甲{{'\u2003\u2002'}}{{a}}</text>",
            ),
            ("<view>{{'&nbsp;'}}</view>", "&nbsp;", "<view>{{'\u00a0'}}</view>"),
        ],
    )
    def test_spaces_by_name_in_a_binding(self, target: Target, source: str, part: str, mended: str) -> None:
        assert found("unportable-entity", source, target) == [f"error: {part}"]
        assert fixed("unportable-entity", source, target) == mended

    @pytest.mark.parametrize("target", TARGETS)
    def test_other_strings_in_bindings_are_meant(self, target: Target) -> None:
        for string in ("'&lt;'", "'用 &nbsp;'", "a + '&nbsp;'", "a ? '&nbsp;' : ''", "'&'"):
            assert found("unportable-entity", f"<text>{{{{{string}}}}}</text>", target) == []
        if target != "skyline":
            assert found("unportable-entity", "<text decode>{{'&nbsp;'}}</text>", target) == []

    def test_characters_that_cannot_be_told_are_named(self) -> None:
        assert messages("unportable-entity", "<text>&nbsp;&lt;&zwj;</text>") == [
            "`&nbsp;` is shown as it is typed; write `{{'\u00a0'}}` (U+00A0)",
            "`&lt;` is shown as it is typed; write `{{'<'}}`",
            "`&zwj;` is shown as it is typed; write U+200D",
        ]

    @pytest.mark.parametrize("decode", ["", " decode"])
    @pytest.mark.parametrize("target", TARGETS)
    def test_fixes_by_the_compilers(self, oracle: Oracle, target: Target, decode: str) -> None:
        """What is mended shows what HTML would show."""
        parts = ["&", "&amp;", "&lt;", "&nbsp;", "&copy;", "&#65;", "&#38;", "&#60;", "&#123;", "&foo;", "&#"]
        parts += ["&#x110000;", "&frac12;", "&AMP;", "&nbsp", "lt;", "amp;", "甲", "a", "#", ";", "{ ", "}"]
        sources = [f"<text{decode}>甲{body}</text>" for body in samples(4, [*parts, "{{a}}", "<!---->"])]
        mended = [fixed("unportable-entity", source, target) for source in sources]
        decodes = decode and target != "skyline"
        for source, after in zip(sources, texts(oracle, target, mended), strict=True):
            assert after is not None
            shown = after
            if decodes:
                shown = re.sub("|".join(RUN_TIME_ENTITIES), lambda match: RUN_TIME_ENTITIES[match[0]], after)
            body = (
                source.partition(">")[2]
                .removesuffix("</text>")
                .replace("<!---->", "\0")
                .replace("{{a}}", "\1")
            )
            expected = re.sub("&(?:#?[a-zA-Z0-9]+);", _html, body)
            assert shown == expected.replace("\0", "").replace("\1", "true")


def _html(match: re.Match[str]) -> str:
    known = match[0][1] == "#" or match[0][1:] in html.entities.html5
    characters = html.unescape(match[0])
    return characters if known and characters != "\ufffd" else match[0]


class TestByteOrderMark:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        "source", ["<view>甲</view>", "\n<text>甲</text>", "", "甲", "<text>1 < 2</text>", "</view>"]
    )
    def test_start(self, target: Target, source: str) -> None:
        assert found("byte-order-mark", f"\ufeff{source}", target) == ["warning: \ufeff"]
        assert fixed("byte-order-mark", f"\ufeff{source}", target) == source
        assert fixed("byte-order-mark", f"\ufeff\ufeff{source}", target) == source
        assert found("invisible-character", f"\ufeff{source}", target) == []

    @pytest.mark.parametrize("target", TARGETS)
    def test_elsewhere(self, target: Target) -> None:
        assert found("byte-order-mark", "<text>\ufeff</text>", target) == []


class TestInvisibleCharacter:
    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("\u200b", "U+200B (ZERO WIDTH SPACE)"),
            ("\u00ad\u00ad", "U+00AD (SOFT HYPHEN)"),
            ("\u2028", "U+2028 (LINE SEPARATOR)"),
            ("\u202e", "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
            ("\u200d", "U+200D (ZERO WIDTH JOINER)"),
            ("\ufeff", "U+FEFF (ZERO WIDTH NO-BREAK SPACE)"),
            ("\u3164", "U+3164 (HANGUL FILLER)"),
            ("\x08", "U+0008 (a control character)"),
            ("\x85", "U+0085 (a control character)"),
        ],
    )
    def test_text(self, target: Target, text: str, name: str) -> None:
        source = f"<view>\n<text>甲{text}乙</text></view>"
        assert found("invisible-character", source, target) == [f"warning: {text}"]
        assert messages("invisible-character", source, target) == [f"{name} shows nothing; remove it"]
        assert fixed("invisible-character", source, target) == "<view>\n<text>甲乙</text></view>"

    @pytest.mark.parametrize("target", TARGETS)
    def test_each_run_by_itself(self, target: Target) -> None:
        source = "<view>a \u200b\u200b\u200c b</view>{{a + '\u200b'}}"
        assert found("invisible-character", source, target) == [
            "warning: \u200b\u200b",
            "warning: \u200c",
            "warning: \u200b",
        ]
        assert fixed("invisible-character", source, target) == "<view>a  b</view>{{a + ''}}"

    @pytest.mark.parametrize("target", TARGETS)
    @pytest.mark.parametrize(
        "text",
        [
            "👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f 🏳\ufe0f\u200d🌈 👩🏽\u200d💻",
            "🏴\U000e0067\U000e0062\U000e007f 葛\U000e0100 1\ufe0f\u20e3",
            "می\u200cخواهم \u202aabc\u202c \u200e!",
            "क्\u200dष ภาษา\u200bไทย",
            "甲\u3000乙\u2003丙\u00a0丁\t\r\n戊",
        ],
    )
    def test_what_has_its_use(self, target: Target, text: str) -> None:
        assert found("invisible-character", f"<text>{text}</text>", target) == []

    @pytest.mark.parametrize("target", TARGETS)
    def test_only_text(self, target: Target) -> None:
        source = "<!-- \u200b --><wxs module='a'>var b = '\u200b'</wxs><text class='\u200b'>甲</text>"
        assert found("invisible-character", source, target) == []

    def test_not_mended_where_more_would_change(self) -> None:
        source = "<text>{\u200b{a}}</text>"
        assert found("invisible-character", source) == ["warning: \u200b"]
        assert fixed("invisible-character", source) == source

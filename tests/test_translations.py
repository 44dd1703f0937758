"""Chinese: nothing lacks its translation, translations say the same, and wide characters misalign nothing."""

from __future__ import annotations

import ast
import builtins
import gettext
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from hypothesis import given
from hypothesis import strategies as st

import wxtext
from tests import catalogue
from wxtext import i18n, reports
from wxtext.cli import main
from wxtext.rules import NAMES, load

ROOT = Path(wxtext.__file__).parents[1]
CHINESE = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
CODE = re.compile("`[^`]*`")

MESSAGES = [message for message in catalogue.read() if message.id]


def english(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def chinese(message: Message) -> str:
    assert message.string
    return message.string if isinstance(message.string, str) else message.string[0]


def test_the_catalogue_holds_what_the_code_holds() -> None:
    in_code = {message.id for message in catalogue.template()}
    assert {message.id for message in catalogue.read()} == in_code, "run `python -m tests.catalogue`"


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: english(message)[0][:40])
def test_a_message_is_translated(message: Message) -> None:
    assert not message.fuzzy
    assert CHINESE.search(chinese(message))
    # Code stays as it is; Chinese has a punctuation of its own.
    codes = {code for text in english(message) for code in CODE.findall(text)}
    assert set(CODE.findall(chinese(message))) == codes
    assert not re.search(r"[\u3400-\u9fff][,;:?!(]|[,;:?!)][\u3400-\u9fff]", chinese(message))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: english(message)[0][:40])
def test_a_translation_has_the_same_places_for_values(message: Message) -> None:
    wanted = [places(text) for text in english(message)]
    assert places(chinese(message)) in wanted


def places(message: str) -> set[str] | None:
    """What stands in braces; None if the message is no format."""
    try:
        parts = list(Formatter().parse(message))
        fields = {
            f"{name}!{conversion}:{form}" for _text, name, form, conversion in parts if name is not None
        }
    except ValueError:
        return None
    return fields if all(field[0].isalpha() for field in fields) else None


def test_what_gettext_reads_is_up_to_date() -> None:
    with catalogue.MO.open("rb") as file:
        found = gettext.GNUTranslations(file)
    for message in MESSAGES:
        if isinstance(message.id, str):
            assert found.gettext(message.id) == chinese(message), "run `python -m tests.catalogue`"
        else:
            one, more = english(message)
            assert found.ngettext(one, more, 2) == chinese(message)


#: What is looked up in the catalogue, at once or when it is told.
LOOKED_UP = {"_", "Message"}
#: Classes whose first arguments people read.
TOLD = {"Finding", "Notice", "Refusal", "say", "say_error"}
#: What in them is no language.
NAMES_OF_TABLES = {"tool.wxtext", ": [convert] "}


def texts_without_translation(tree: ast.AST) -> Iterator[str]:
    """Yield words in the arguments of what is raised or told, unless they are looked up in the catalogue."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in TOLD or (name.endswith("Error") and not hasattr(builtins, name)):
            for argument in node.args:
                yield from words(argument)


def words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in LOOKED_UP:
        return
    text = node.value if isinstance(node, ast.Constant) else None
    if isinstance(text, str) and text not in NAMES_OF_TABLES and re.search("[a-z]{2}", text):
        yield text
    for child in ast.iter_child_nodes(node):
        yield from words(child)


FILES = sorted(catalogue.PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(catalogue.PACKAGE)) for path in FILES])
def test_nothing_is_told_past_the_catalogue(path: Path) -> None:
    assert list(texts_without_translation(ast.parse(path.read_text("utf-8")))) == []


# --- what is printed -------------------------------------------------------------------------------


def run(*arguments: str, stdin: str = "", **environment: str) -> str:
    """What the command prints, to whichever output."""
    done = subprocess.run(
        [sys.executable, "-m", "wxtext", *arguments],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment},
        check=False,
    )
    return done.stdout


def width(text: str) -> int:
    """The columns of a text on a terminal."""
    return sum(
        0 if unicodedata.category(c) in {"Mn", "Me", "Cf"} else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


@pytest.mark.parametrize("command", ["", "convert", "check", "explain", "show"])
def test_help_is_in_chinese(command: str) -> None:
    shown = run("--lang", "zh", *command.split(), "--help", COLUMNS="80")
    assert shown.startswith("用法：")
    assert max(map(width, shown.splitlines())) <= 80
    # What is not Chinese is the names of options, values, files and programs.
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", re.sub(r"<!--.*?-->", "", shown))
    rows = [re.match(r"  (?:\S+ )*\S+  +(?=\S)", line) for line in shown.partition("选项：")[2].splitlines()]
    options = [row[0] for row in rows if row and row[0].lstrip().startswith("-")]
    assert len({width(option) for option in options}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_explanation_is_in_chinese(name: str) -> None:
    explanation = load(name).explanation
    i18n.use("zh")
    pieces = i18n.prose(explanation).split("\n\n")
    labels = {"错误写法：": "Bad:", "正确写法：": "Good:", "目标：": "Target: "}
    kept = re.sub("|".join(labels), lambda label: labels[label[0]], "\n\n".join(pieces))
    for piece, text, original in zip(pieces, kept.split("\n\n"), explanation.split("\n\n"), strict=True):
        if original.startswith((" ", "Bad:", "Good:", "Target:")):
            assert text == original  # examples are left alone
        else:
            assert piece.endswith(("。", "）"))


def test_the_list_of_rules_is_aligned() -> None:
    rows = [re.fullmatch(r"(\S+ +\S+  )(\S.*)", row) for row in run("--lang=zh", "explain").splitlines()]
    assert len({width(row[1]) for row in rows if row}) == 1
    assert len(rows) == len(NAMES)
    assert all(row and CHINESE.search(row[2]) for row in rows)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "--tarjet", "webview"], "没有选项"),
        (
            ["check", "--format", "web"],
            "'--format' 的值无效：'web' 不对，应为以下之一：'text', 'json'",
        ),
        (
            ["check", "--target", "web"],
            "--target：'web' 不对，应为以下之一：auto, webview, glass-easel, skyline",
        ),
        (["check", "--fix=1"], "选项 '--fix' 不带值"),
        (["show", "a", "b"], "多余的参数：b"),
        (["show"], "缺少参数 'PAGE'"),
        (["convert", "x", "-o"], "选项 '-o' 需要一个值"),
        (["chek"], "没有命令 'chek'。是不是想用 check？"),
        (["check", "nowhere.wxml"], "nowhere.wxml: 文件或目录不存在"),
        (["convert", "-", "--space", "wide"], "space：'wide' 不对，应为以下之一：auto, ensp, emsp, nbsp"),
        (["explain", "html"], "没有名为 'html' 的规则；是不是想写 'html-tag'？"),
    ],
)
def test_wrong_use_is_told_in_chinese(arguments: list[str], said: str) -> None:
    shown = run(*arguments, "--lang", "zh")
    assert shown.startswith("wxtext: 错误：")
    assert said in shown


def test_every_rule_speaks_chinese(tmp_path: Path) -> None:
    for name in NAMES:
        for kind, body in re.findall(
            r"^(Bad|Good):\n((?:    .*\n?|\n)+)", load(name).explanation, re.MULTILINE
        ):
            (tmp_path / f"{name}-{kind}.wxml").write_text(body, "utf-8")
    for target in ("webview", "glass-easel", "skyline"):
        shown = run("--lang", "zh", "check", "--info", "--target", target, str(tmp_path))
        found = re.findall(r"^\S+:\d+:\d+: (\S+) ([\w-]+): (.*)$", shown, re.MULTILINE)
        assert {severity for severity, _rule, _message in found} == {"错误", "警告", "建议"}
        for _severity, _rule, message in found:
            assert CHINESE.search(message)
            assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", re.sub("`[^`]*`|<[^>]*>|{{.*?}}", "", message)), (
                message
            )


# --- which language --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en_GB:en"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_CN:en"}, "zh"),
        ({"LANG": "C", "LANGUAGE": "zh"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_locale_decides(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
        if name in environment:
            monkeypatch.setenv(name, environment[name])
    assert i18n.language_of_locale() == language


def test_the_option_decides_before_the_locale(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = ["explain", "nothing"]
    for language, said in (("en", "no rule"), ("zh", "没有名为")):
        for arguments in (["--lang", language, *wrong], [*wrong, f"--lang={language}"]):
            assert main(arguments) == 2
            assert said in capsys.readouterr().err
    assert "unexpected extra argument" in run(*wrong, "--", "--lang", "zh")
    assert "'de' is not one of 'en', 'zh'" in run("--lang", "de", *wrong)


def test_the_library_speaks_english_until_told() -> None:
    probe = (
        "import wxtext, wxtext.i18n\n"
        "page = '<text>1<view>2</view></text>'\n"
        "print(wxtext.check(page)[0].message)\n"
        "wxtext.i18n.use('zh')\n"
        "print(wxtext.check(page)[0].message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        env={**os.environ, "LC_ALL": "zh_CN.UTF-8", "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    first, second = done.stdout.splitlines()
    assert first.isascii()
    assert CHINESE.search(second)


def test_english_loads_no_catalogue() -> None:
    probe = "import sys; from wxtext.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, encoding="utf-8", check=True)
    assert "wxtext.cli.group" in done.stdout
    assert "wxtext.cli.formatter" not in done.stdout


# --- markers ---------------------------------------------------------------------------------------

LINES = st.text(st.sampled_from("ab <>&{}中文，。“”…—ｶが\u3000é😀한"), min_size=1, max_size=200)


@given(LINES, st.data())
def test_a_marker_is_under_what_it_marks(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, len(line)))
    shown, indent, marked = reports.excerpt(line, start, end)
    above = between(shown, indent, indent + marked)
    assert above
    assert line.startswith(above, start)
    assert above == line[start:end] or f"{above}…" in shown


def between(text: str, start: int, end: int) -> str:
    """What is printed between two columns."""
    found, column = "", 0
    for character in text:
        if start <= column < end:
            found += character
        column += width(character)
    assert start < column
    return found


@pytest.mark.parametrize(
    ("line", "marked", "shown"),
    [
        ("中\t<b>", "<b>", "中  <b>"),
        ("中文\t\t文", "文", "中文        文"),
        ("é e\u0301 <b>", "<b>", "é e\u0301 <b>"),
        ("零\u200b宽<b>", "<b>", "零\\u200b宽<b>"),
        ("👨\u200d👩 <b>", "<b>", "👨\u200d👩 <b>"),
    ],
)
def test_a_marker_after_what_is_printed_otherwise(line: str, marked: str, shown: str) -> None:
    start = line.rindex(marked)
    indent = width(shown[: shown.rindex(marked)])
    assert reports.excerpt(line, start, start + len(marked)) == (shown, indent, width(marked))


def test_a_report_marks_wide_characters(tmp_path: Path) -> None:
    page = tmp_path / "page.wxml"
    page.write_text("<view>中文😀ｶﾅ\t<text>价格<view>￥五元</view></text></view>\n", "utf-8")
    for language in i18n.LANGUAGES:
        lines = run("--lang", language, "check", str(page)).splitlines()
        source, marker = lines[1:3]
        before, marked, _after = re.split("(<view>￥五元</view>)", source)
        assert marker == f"{'':4} │ " + " " * (width(before) - width("   1 │ ")) + "^" * width(marked)

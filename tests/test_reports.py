"""Reports: what people see, and what programs and services are promised."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import oracle
from tests.conftest import absent
from wxtext import reports
from wxtext.lint import Settings, check_on
from wxtext.problem import Edit, Problem, Severity, Span
from wxtext.reports import File, Report, Row, excerpt, render, summary
from wxtext.semantics import Target
from wxtext.tree import rule

SCHEMA = json.loads((Path(reports.__file__).parent / "report.schema.json").read_text("utf-8"))
SARIF = oracle.FOLDER / "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"

SOURCE = '<view>\r\n\t<text decode="no">价格 ￥5</text>\r\n</view>\n<text>\x1b[1m\u200b一\u3000二</text>\n'


def problem(part: str, severity: Severity = Severity.ERROR, *, fix: str | None = None) -> Problem:
    """A problem of this part of the source."""
    start = SOURCE.index(part)
    end = start + len(part)
    places = [
        (SOURCE.count("\n", 0, offset) + 1, offset - SOURCE.rfind("\n", 0, offset)) for offset in (start, end)
    ]
    edits = None if fix is None else (Edit(start, end, fix),)
    return Problem(
        "string-boolean", severity, f"{part!r} is wrong", Span(*places[0], *places[1]), edits, start, end
    )


ROWS = (
    Row(problem("no", fix="{{false}}")),
    Row(problem("￥5</text>\r\n</view>", Severity.WARNING), ("skyline",)),
    Row(problem("\u200b", Severity.INFO, fix="")),
    Row(problem("二")),
)
REPORT = Report(
    [File("页面/a,b:100%.wxml", SOURCE, ROWS), File("clean.wxml", "", ())], ["no.wxml: No such file"]
)
EMPTY = Report([File("clean.wxml", "", ())])


def rendered(report: Report, form: reports.Format, *, colour: bool = False) -> str:
    return "".join(render(report, form, colour=colour))


def test_text() -> None:
    assert rendered(REPORT, "text") == (
        "页面/a,b:100%.wxml:2:16: error string-boolean: 'no' is wrong\n"
        '   2 │     <text decode="no">价格 ￥5</text>\n'
        "     │                   ^^\n"
        "页面/a,b:100%.wxml:2:23: warning string-boolean: "
        "'￥5</text>\\r\\n</view>' is wrong (on skyline)\n"
        '   2 │     <text decode="no">价格 ￥5</text>\n'
        "     │                            ^^^^^^^^^^\n"
        "页面/a,b:100%.wxml:4:11: info string-boolean: '\\u200b' is wrong\n"
        "   4 │ <text>\\x1b[1m\\u200b一\u3000二</text>\n"
        "     │              ^^^^^^\n"
        "页面/a,b:100%.wxml:4:14: error string-boolean: '二' is wrong\n"
        "   4 │ <text>\\x1b[1m\\u200b一\u3000二</text>\n"
        "     │                        ^^\n"
        "2 errors, 1 warning, 1 piece of advice in 2 files; 2 can be fixed with --fix\n"
    )
    assert rendered(EMPTY, "text") == "no problems in 1 file\n"


def test_colours_change_nothing_else() -> None:
    coloured = rendered(REPORT, "text", colour=True)
    assert "\x1b[31merror\x1b[0m" in coloured
    for code in "0", "1", "2", "31", "33", "36":
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == rendered(REPORT, "text")


def test_summary() -> None:
    assert summary(EMPTY._replace(mended=1)) == "1 file fixed; no problems in 1 file"
    assert summary(EMPTY._replace(files=[], mended=2)) == "2 files fixed; no problems in 0 files"
    assert summary(Report([File("a", SOURCE, ROWS[3:])])) == "1 error in 1 file"


def width(text: str) -> int:
    """Columns of a text on a terminal, counted here for itself."""
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(character) in ("W", "F")
        else 1
        for character in text
    )


@given(
    st.text(st.sampled_from("ab<\t 中，“é\u0301\u200d\u200b\u3000\x1b\r\U0001f600"), max_size=400),
    st.integers(0, 400),
    st.integers(0, 60),
)
def test_markers_are_under_what_they_mark(line: str, start: int, length: int) -> None:
    line = f"{line[:start]}M{line[start:]}"
    start = line.index("M")
    shown, indent, marked = excerpt(line, start, start + length)
    assert width(shown[: shown.index("M")]) == indent
    assert marked >= 1
    assert width(shown) <= 122
    assert indent + marked <= max(width(shown), indent + 1)
    assert all(character.isprintable() or character in "\u3000\u200d" for character in shown)
    if width(line.expandtabs(4)) < 50 and line.isprintable():
        assert shown == line


def test_excerpts_of_long_lines() -> None:
    line = "一" * 1000 + "M" + "二" * 1000
    shown, indent, marked = excerpt(line, 1000, 1001)
    assert shown == "…" + "一" * 40 + "M" + "二" * 19 + "…"
    assert (indent, marked) == (81, 1)
    assert excerpt(line, 0, 2001) == ("一" * 60 + "…", 0, 120)
    assert excerpt("a", 1, 1) == ("a", 1, 1)


def test_long_lines_take_no_longer_than_short_ones() -> None:
    line = "<text>一</text>" * 100_000
    for offset in range(0, len(line), len(line) // 1000):
        assert len(excerpt(line, offset, offset + 6)[0]) < 130


def test_json_keeps_to_its_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for report in REPORT, EMPTY:
        jsonschema.validate(json.loads(rendered(report, "json")), SCHEMA)
    assert SCHEMA["properties"]["version"]["const"] == reports.VERSION


def test_the_schema_tells_all_that_there_is() -> None:
    """Whatever is added to the report has to be documented in its schema."""

    def closed(schema: Any) -> Any:
        if isinstance(schema, dict):
            schema = {key: closed(value) for key, value in schema.items()}
            return {**schema, "additionalProperties": False} if "properties" in schema else schema
        return [closed(value) for value in schema] if isinstance(schema, list) else schema

    jsonschema.validate(json.loads(rendered(REPORT, "json")), closed(SCHEMA))


def test_json() -> None:
    report = json.loads(rendered(REPORT, "json"))
    assert report["problems"][0] == {
        "path": "页面/a,b:100%.wxml",
        "rule": "string-boolean",
        "severity": "error",
        "message": "'no' is wrong",
        "targets": [],
        "line": 2,
        "column": 16,
        "end_line": 2,
        "end_column": 18,
        "start": 23,
        "end": 25,
        "unsafe": False,
        "fix": [{"start": 23, "end": 25, "text": "{{false}}"}],
    }
    assert report["problems"][1]["targets"] == ["skyline"]
    assert report["failures"] == ["no.wxml: No such file"]
    assert report["summary"] == {
        "files": 2,
        "errors": 2,
        "warnings": 1,
        "infos": 1,
        "fixable": 2,
        "unsafely_fixable": 0,
        "mended": 0,
    }


def test_sarif_keeps_to_the_official_schema() -> None:
    if not SARIF.is_file():
        absent("run `npm ci` in tests/oracle")
    schema = json.loads(SARIF.read_text("utf-8"))
    own = rule("no-style", "//@style", "use a class", Severity.WARNING)
    for report in REPORT, EMPTY, REPORT._replace(own_rules=[own], failures=()):
        jsonschema.Draft4Validator(schema).validate(json.loads(rendered(report, "sarif")))


def test_sarif() -> None:
    run = json.loads(rendered(REPORT, "sarif"))["runs"][0]
    first, second, third, _ = run["results"]
    driver = run["tool"]["driver"]
    assert driver["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "string-boolean"
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "%E9%A1%B5%E9%9D%A2/a%2Cb%3A100%25.wxml"
    assert place["region"] == {"startLine": 2, "startColumn": 16, "endLine": 2, "endColumn": 18}
    assert second["message"]["text"].endswith(" (on skyline)")
    assert third["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {
            "deletedRegion": {"charOffset": SOURCE.index("\u200b"), "charLength": 1},
            "insertedContent": {"text": ""},
        }
    ]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_sarif_names_files_elsewhere_by_their_uri(tmp_path: Path) -> None:
    path = tmp_path / "a b.wxml"
    report = Report([File(path.as_posix(), SOURCE, ROWS[:1])])
    result = json.loads(rendered(report, "sarif"))["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()


def test_github() -> None:
    file = "file=页面/a%2Cb%3A100%25.wxml"
    title = "title=wxtext string-boolean"
    assert rendered(REPORT, "github").splitlines() == [
        f"::error {file},line=2,endLine=2,col=16,endColumn=18,{title}::'no' is wrong",
        f"::warning {file},line=2,endLine=3,{title}::'￥5</text>\\r\\n</view>' is wrong (on skyline)",
        f"::notice {file},line=4,endLine=4,col=11,endColumn=12,{title}::'\\u200b' is wrong",
        f"::error {file},line=4,endLine=4,col=14,endColumn=15,{title}::'二' is wrong",
        "::error::no.wxml: No such file",
    ]


def test_github_escapes() -> None:
    bad = problem("no")._replace(message="100%\r\n::error::x,y:z")
    line = rendered(Report([File("a", SOURCE, [Row(bad)])]), "github")
    assert line.endswith("::100%25%0D%0A::error::x,y:z\n")
    assert line.count("\n") == 1


@pytest.mark.parametrize(
    ("targets", "expected"),
    [
        (("webview",), [("string-boolean", ("webview",))]),
        (("webview", "glass-easel"), [("string-boolean", ("webview", "glass-easel"))]),
    ],
)
def test_problems_of_several_targets_are_merged(
    targets: Sequence[Target], expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    source = '<!-- wxtext-ignore-file static-line-break -->\n<text decode="false">a</text>'
    settings = Settings(select=frozenset({"string-boolean"}))
    found = check_on(targets, source, settings)
    assert [(problem.rule, on) for problem, on in found] == expected

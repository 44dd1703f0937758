"""Somebody else's project, made to do harm: nothing in it runs, writes or reads outside, hangs or speaks.

It is made in a temporary folder. Its names, links and pipes are those of POSIX; what Windows has of the kind
is simulated elsewhere.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import ENVIRONMENT, Run, deep_folders
from tests.test_escapes import RAW
from wxtext.cli import FAULT

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="names, links and pipes of POSIX"),
    pytest.mark.usefixtures("_there"),
]

#: No command takes longer, in seconds of the processor, whatever else the machine does.
LONGEST = 10
#: What takes so many seconds hangs.
HANGING = 120

#: What would steer a terminal, a log or a build service.
STEERING = "\x1b]0;owned\x07\x9b31m\u202e\u2066"
#: Two problems, of which one has a safe fix.
BAD = '<text decode="no">a</text><text>1 &lt; 2</text>\n'
#: What the fix makes.
FIXED = "{{'<'}}"

NAMES = (
    "plain.wxml",
    "--baseline=x.wxml",
    "-",
    "::set-output name=a::b.wxml",
    "##[add-mask]a.wxml",
    "line\nfeed\r.wxml",
    f"{STEERING}.wxml",
    'quote"back\\slash\ttab.wxml',
    "%0A::error::x,y:z.wxml",
    "\udcff\udc80.wxml",
    "UPPER.WXML",
    f"{'长' * 80}.wxml",
)
SOURCES = (
    BAD,
    f'<text decode="no">{STEERING}</text>\n',
    '::set-output name=a::b\n##[add-mask]a ##vso[task.complete] <text decode="no">a</text>\r\n',
    f'<{STEERING} decode="{STEERING}"/><text decode="no"/>{{{{{STEERING}}}}}',
    f"<!-- wxtext-ignore {STEERING} -->{BAD}<text>{STEERING}",
    "<text>\0\ufeff</text>" + BAD,
)
#: What is imported while the command runs.
MODULES = ("charset_normalizer", "click", "difflib", "gettext", "jinja2", "json", "lxml", "tempfile")
CONFIGURATION = r"""
[per-file-ignores]
"*a*a*a*a*a*a*a*a*b" = ["string-boolean"]
"**/*a*a*a*a*a*a*/**/*a*a*a*a*a*b" = ["string-boolean"]
[rules]
own = {xpath = "//text", message = "\u001b]0;owned\u0007\u202e\n::set-output name=a::b\n##[add-mask]a"}
"""


@pytest.fixture
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go into the project, outside of which is something to protect."""
    outside = tmp_path / "outside"
    project = tmp_path / "project"
    for folder in outside, project:
        folder.mkdir()
    (outside / "victim.html").write_text(BAD, "utf-8")
    (outside / "secret.toml").write_text("password = 'hunter2'  # wxtext", "utf-8")
    monkeypatch.chdir(project)


def make_names() -> None:
    for number, name in enumerate(NAMES):
        Path(name).write_text(SOURCES[number % len(SOURCES)], "utf-8", newline="")
    Path("--baseline=pages").mkdir()
    Path("--baseline=pages", "x.wxml").write_text(BAD, "utf-8")
    Path("wxtext.toml").write_text(CONFIGURATION, "utf-8")


def make_links_and_pipes() -> None:
    links: dict[str, str | Path] = {
        "v.wxml": "../outside/victim.html",
        "absolute.wxml": Path("../outside/victim.html").resolve(),
        "folder": "../outside",
        "folder.wxml": "../outside",
        "self.wxml": "self.wxml",
        "up": ".",
        "zero.wxml": "/dev/zero",
        "zero.json": "/dev/zero",
        "linked.json": "../outside/secret.toml",
    }
    for name, target in links.items():
        Path(name).symlink_to(target)
    Path("linked.wxml").write_text(BAD, "utf-8")
    Path("chain").mkdir()
    for number in range(60):  # more than systems follow
        Path("chain", f"{number}.wxml").symlink_to(f"{number + 1}.wxml")
    for place in "pipe", "device":
        Path(place).mkdir()
        Path(place, "page.wxml").write_text(BAD, "utf-8")
    for name in "pipe/.gitignore", "pipe/wxtext.toml", "pipe/page.json", "pipe/app.json", "pipe/x.wxml":
        os.mkfifo(name)
    for name in ".gitignore", "wxtext.toml", "pyproject.toml", "page.json", "app.json":
        Path("device", name).symlink_to("/dev/zero")
    Path("patterns").mkdir()
    patterns = "*a*a*a*a*a*a*a*a*b", "**/" + "*a" * 30 + "/**/b", "*a" * 30_000 + "*", "**/" * 30_000 + "*b"
    Path("patterns", ".gitignore").write_text("\n".join(patterns), "utf-8")
    for number in range(20):
        Path("patterns", f"{'a' * 200}{number}.wxml").write_text(BAD, "utf-8")
    Path("patterns", f"{'b' * 250}.wxml").write_text(BAD, "utf-8")  # there is no longer name
    for name in MODULES:
        Path(f"{name}.py").write_text("open('../outside/ran', 'w')", "utf-8")
    with Path("huge.wxml").open("wb") as file:
        file.truncate(1 << 33)


def outside() -> dict[str, object]:
    """What is beside the project, and when it was written."""
    return {
        str(path): (path.read_bytes() if path.is_file() else None, path.stat().st_mtime_ns)
        for path in Path("../outside").rglob("*")
    }


def wxtext(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """Run a command in a process of its own, which has so much time."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "wxtext", *arguments],
        input=stdin,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=HANGING,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < LONGEST
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def assert_harmless(code: int, out: str, err: str, form: str = "text") -> None:
    """Nothing of the project speaks, and nothing has gone wrong that nobody foresaw."""
    assert code in (0, 1, 2)
    for text in out, err:
        assert "Traceback" not in text
        assert "hunter2" not in text
        assert not RAW.search(text.replace("\n", ""))
        assert not re.search(r"##\w*\[", text)
    for line in err.splitlines() + (out.splitlines() if form != "github" else []):
        assert not line.lstrip().startswith("::")
    if form == "github":
        assert all(re.match("::(error|warning|notice) ?(file=|::)?", line) for line in out.splitlines())
    elif form in ("json", "sarif"):
        json.loads(out)


FORMS = ("text", "json", "sarif", "github")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_reports(form: str, language: str) -> None:
    make_names()
    make_links_and_pipes()
    before = outside()
    code, out, err = wxtext("check", "--format", form, "--info", "--lang", language)
    assert_harmless(code, out, err, form)
    assert outside() == before
    # Everything that is a page has been looked at, and the device and the links were none.
    assert code == 2  # of the links to themselves
    assert "self.wxml: " in err
    assert "linked.json: " in err
    assert "plain.wxml" in out
    # Where the .json that says what shows a page cannot be read, the page is not checked.
    for name in "linked.json", "pipe/(app|page).json", "device/(app|page).json":
        assert len(re.findall(f": {name}|：{name}", err)) == 1
    assert "UPPER.WXML" in out
    assert f"{'b' * 250}.wxml" in out
    assert len(re.findall("huge.wxml: .*4194304", err)) == 1
    assert "victim" not in out
    assert len(re.findall("absolute.wxml.*folder", err)) == 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_way_to_name_a_file(language: str) -> None:
    make_names()
    for name in NAMES:
        for arguments in (["show"], ["convert"], ["check"], ["check", "--format", "github"]):
            code, out, err = wxtext("--lang", language, *arguments, "--", name)
            if arguments[0] == "check":
                assert_harmless(code, out, err, arguments[-1] if arguments[-1] in FORMS else "text")
            elif arguments[0] == "convert":  # marks of direction stay, which belong to the text
                assert not re.search("[\0-\x1f\x7f-\x9f]", out.replace("\n", ""))
            assert code != FAULT
            assert "Traceback" not in err
            assert not RAW.search(err.replace("\n", ""))
    assert sorted(path.name for path in Path().iterdir()) == sorted(
        [*NAMES, "--baseline=pages", "wxtext.toml"]
    )


def test_fixes() -> None:
    make_names()
    make_links_and_pipes()
    before = outside()
    code, out, err = wxtext("check", "--fix", ".")
    assert_harmless(code, out, err)
    assert outside() == before
    for name in "plain.wxml", "--baseline=pages/x.wxml", f"patterns/{'b' * 250}.wxml":
        assert FIXED in Path(name).read_text("utf-8")
    assert {path.name for path in Path().glob(".wxtext-*")} == set()
    # What is named is followed.
    assert wxtext("check", "--fix", "v.wxml")[0] in (0, 1)
    assert FIXED in Path("../outside/victim.html").read_text("utf-8")


def test_diffs() -> None:
    """Sources are in them as they are, for git; names are not."""
    make_names()
    before = {name: Path(name).read_bytes() for name in NAMES}
    code, out, err = wxtext("check", "--diff", ".")
    assert code == 1
    assert not RAW.search(err.replace("\n", ""))
    headers = [line for line in out.splitlines() if line.startswith(("--- ", "+++ "))]
    assert len(headers) > len(NAMES)
    assert not any(RAW.search(line.removesuffix("\t")) for line in headers)
    assert {name: Path(name).read_bytes() for name in NAMES} == before
    subprocess.run(["git", "apply", "--check"], input=out.encode(), check=True)


def test_own_rules_in_explanations() -> None:
    make_names()
    for arguments in ["explain"], ["explain", "own"], ["explain", "own", "--lang=zh"]:
        code, out, err = wxtext(*arguments)
        assert (code, err) == (0, "")
        assert_harmless(code, out, err)
        assert r"\x1b]0;owned\x07\u202e\n::set-output name=a::b\n#\x23[add-mask]a" in out


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 100_000,
        "x = " + "{a=" * 50_000,
        "a." * 100_000 + "a = 1",
        "target = 0x" + "f" * 200_000,
        f"'{STEERING}'",
        r'"\u001b]0;owned\u0007" = 1',
        r'target = "\u001b]0;owned\u0007"',
        "[rules]\n" + r'"\u001b]0;owned\u0007\n::set-output name=a::b" = {xpath = "//a", message = "m"}',
        "[per-file-ignores]\n" + "".join(f"'{'*a' * 9}{n}' = ['syntax']\n" for n in range(3_000)),
        "#" * (1 << 20),
        "\0",
    ],
    ids=lambda text: repr(text)[:20],
)
def test_configurations(text: str) -> None:
    make_names()
    for number in range(30):
        Path(f"{'a' * 200}{number}.wxml").write_text(BAD, "utf-8")
    Path("wxtext.toml").write_text(text, "utf-8")
    for arguments in ["check"], ["explain"], ["convert", "-"], ["convert", "-", "-o", "new.wxml"]:
        code, out, err = wxtext(*arguments)
        assert_harmless(code, out, err)
        lines = [line for line in err.splitlines() if "wxtext.toml" in line]
        assert len(lines) == (0 if text.startswith("[per-file-ignores]") else 1)
        assert all(len(line) < 300 for line in lines)


def test_a_configuration_from_outside_is_not_read() -> None:
    Path("a.wxml").write_text(BAD, "utf-8")
    Path("wxtext.toml").symlink_to("../outside/secret.toml")
    for arguments in ["check"], ["explain"], ["convert", "-"]:
        code, out, err = wxtext(*arguments)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert "is a link out of the project" in err
        assert "hunter2" not in err


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (os.mkfifo, "no such file"),
        (lambda template: template.symlink_to("/dev/zero"), "leads out of the folder"),
        (lambda template: template.symlink_to("../outside/secret.toml"), "leads out of the folder"),
        (lambda template: template.symlink_to("template.wxml.j2"), "no such file|leads out of the folder"),
        (lambda template: template.mkdir(), "Is a directory|no such file"),
        (lambda template: template.write_text('[% include "link" %]'), "link"),
        (lambda template: template.write_text('[% include "pipe" %]'), "pipe"),
        (lambda template: template.write_text('[% include "../outside/secret.toml" %]'), "secret"),
        (lambda template: template.write_text("[[ cycler.__init__.__globals__.os ]]"), "cycler"),
        (lambda template: template.write_text("[[ ''.__class__.__mro__ ]]"), "__class__"),
        (lambda template: template.write_text("[% for a in range(10 ** 9) %][% endfor %]"), "range"),
        (lambda template: template.write_text(f"{STEERING}[[ x.{STEERING} ]]"), "template"),
    ],
)
def test_templates(make: Callable[[Path], object], told: str) -> None:
    Path("link").symlink_to("../outside/secret.toml")
    os.mkfifo("pipe")
    Path("wxtext.toml").write_text('[convert]\ntemplate = "template.wxml.j2"', "utf-8")
    make(Path("template.wxml.j2"))
    before = outside()
    code, out, err = wxtext("convert", "-", "-o", "new.wxml", stdin="一".encode())
    assert_harmless(code, out, err)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(told, err)
    assert outside() == before
    assert not Path("new.wxml").exists()


def test_convert_into_it() -> None:
    make_names()
    make_links_and_pipes()
    before = outside()
    notes = f"一\x07{STEERING}\n::set-output name=a::b\n".encode()
    for output in ("new.wxml", "pipe/new.wxml", "device/page.wxml", "--fix.wxml", "patterns/new.wxml"):
        code, out, err = wxtext("convert", "-", f"--output={output}", stdin=notes)
        assert_harmless(code, out, err)
    assert outside() == before
    assert "一" in Path("new.wxml").read_text("utf-8")
    # Names of notes are in notices.
    Path(f"{STEERING}\n::error::.txt").write_bytes(notes)
    code, out, err = wxtext("convert", f"{STEERING}\n::error::.txt", "-o", "new.wxml")
    assert_harmless(code, out, err)
    assert r"\x1b]0;owned\x07\x9b31m" in err


def test_own_rules_without_end() -> None:
    rules = (
        "//*[count(ancestor::*[count(descendant::*)>0])>1e9]",
        "//*[count(//*[count(//*)>0])>1e9]",
        "//@*[count(//*[count(//@*)>0])>1e9]",
        "(" * 10_000 + "1" + ")" * 10_000,
    )
    for number, rule in enumerate(rules):
        Path(str(number)).mkdir()
        Path(f"{number}/wxtext.toml").write_text(f'[rules]\no = {{xpath = "{rule}", message = "m"}}', "utf-8")
        Path(f"{number}/a.wxml").write_text("<view a='b'>" * 3_000 + BAD + "</view>" * 3_000, "utf-8")
        code, out, err = wxtext("check", str(number))
        assert_harmless(code, out, err)
        assert (code, err.count("\n")) == (2, 1)
        assert "rule 'o'" in err


def test_deep_folders() -> None:
    Path("a.wxml").write_text(BAD, "utf-8")
    for depth in 490, 5_000:
        with deep_folders("d", depth):
            deep = Path(*["d"] * 490, "x.wxml")
            deep.write_text(BAD, "utf-8")
            code, out, err = wxtext("check")
            assert_harmless(code, out, err)
            assert code == (1 if depth == 490 else 2)
            assert out.count("string-boolean") == 2
            assert err.count("\n") == (depth > 490)


def test_40_000_links_to_themselves() -> None:
    Path("a.wxml").write_text(BAD, "utf-8")
    Path("links").mkdir()
    for number in range(40_000):
        Path("links", f"{number}.wxml").symlink_to(f"{number}.wxml")
    code, out, err = wxtext("check")
    assert_harmless(code, out, err)
    assert (code, err.count("\n")) == (2, 40_000)


def test_40_000_links_that_lead_out() -> None:
    Path("a.wxml").write_text(BAD, "utf-8")
    Path("links").mkdir()
    for number in range(40_000):
        Path("links", f"{number}.wxml").symlink_to("../../outside/victim.html")
    code, out, err = wxtext("check")
    assert_harmless(code, out, err)
    assert code == 1
    named = "links/0.wxml, links/1.wxml, links/10.wxml"
    assert err == f".: links that lead out of it are left out: {named} and 39997 more\n"


def test_a_pipe_that_is_named_is_read() -> None:
    os.mkfifo("pipe.wxml")
    for command in "show", "check":
        with subprocess.Popen(
            [sys.executable, "-m", "wxtext", command, "pipe.wxml"], stdout=subprocess.PIPE, env=ENVIRONMENT
        ) as running:
            Path("pipe.wxml").write_text(BAD, "utf-8")
            assert running.communicate(timeout=HANGING)[0] != b""


def hostile_texts(chance: random.Random) -> Iterator[str]:
    pieces = (
        *"\x1b\x07\x9b\x85\0\r\t\u202e\u2066\u200f\ufeff\u2028#[]:, ab中<>&{}'\"/\\",
        "::error::",
        "##[group]",
    )
    while True:
        yield "".join(chance.choices(pieces, k=chance.randint(1, 12)))


def test_random_names_messages_and_sources(run: Run) -> None:
    """The law: whatever there is, no output holds a control character or a mark of direction."""
    texts = hostile_texts(random.Random(7))
    for _round in range(60):
        name = next(texts).replace("/", "").replace("\0", "").strip(".") + ".wxml"
        source = f"{next(texts)}<text decode='no'>{next(texts)}</text>{next(texts)}"
        message = next(texts)
        Path(name).write_text(source, "utf-8", newline="")
        dumped = json.dumps(message, ensure_ascii=True)
        Path("wxtext.toml").write_text(f'[rules]\no = {{xpath = "//text", message = {dumped}}}', "utf-8")
        for form in FORMS:
            result = run("check", "--info", "--format", form)
            assert_harmless(*result, form)
        for arguments in ["explain", "o"], ["explain"], ["check", "--", name], ["check", f"--{name}"]:
            assert_harmless(*run(*arguments))
        assert run("show", "--", name).code != FAULT
        Path(name).unlink()

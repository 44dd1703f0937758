"""The command line: what is printed where, exit codes, and what a user may do wrong."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

import wxtext
from tests.command import ENVIRONMENT, ROOT, Result, Run
from tests.test_escapes import RAW
from wxtext import i18n, lint, render
from wxtext.cli.convert import command as convert_command
from wxtext.cli.group import COMMANDS
from wxtext.errors import SelfCheckError
from wxtext.options import Options

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals, pipes and devices")
pytestmark = pytest.mark.usefixtures("_in_tmp_path")


@pytest.fixture
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def process(
    *arguments: str, stdin: bytes = b"", shell: str = '"$@"', env: dict[str, str] | None = None
) -> Result:
    """Run a command in a process of its own, started by a line of shell if there is one to start it."""
    command = [sys.executable, "-m", "wxtext", *arguments]
    done = subprocess.run(
        command if sys.platform == "win32" else ["sh", "-c", shell, "sh", *command],
        input=stdin,
        capture_output=True,
        check=False,
        env=ENVIRONMENT | (env or {}),
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the self-check fail when much has been converted."""

    def convert_lines(*_: object, **__: object) -> Iterator[str]:
        yield "<text>" * 2_000_000
        raise SelfCheckError(7, "typed", "shown")

    monkeypatch.setattr(render, "convert_lines", convert_lines)


# Help and version.


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"wxtext {wxtext.__version__}\n", "")


def test_help_fits_a_screen(run: Run) -> None:
    for option in "-h", "--help":
        code, out, err = run(option)
        assert (code, err) == (0, "")
        assert all(name in out for name in COMMANDS)
        assert len(out.splitlines()) < 24
        assert max(map(len, out.splitlines())) <= 80


def test_no_command_is_wrong_use_answered_with_help(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err == run("--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, run: Run) -> None:
    code, out, err = run(command, "-h")
    assert (code, err) == (0, "")
    assert out.isascii()
    assert out.startswith(f"Usage: wxtext {command} [OPTIONS] ")


def test_every_option_of_the_library_is_one_of_the_command(run: Run) -> None:
    parameters = {parameter.name: parameter for parameter in convert_command.params}
    text = " ".join(run("convert", "--help").out.split())
    for name, default in Options._field_defaults.items():
        flag = f"--{name.strip('_').replace('_', '-')}"
        assert parameters[name].opts == [flag]
        if default:
            described = text.partition(f" {flag} ")[2].partition(" --")[0]
            assert "(default" in described
            assert str(default) in described or "as typed (default)" in described


@pytest.mark.parametrize(
    ("option", "typed", "values"),
    [
        ("paragraphs", "", ["auto", "line", "blank"]),
        ("paragraphs", "L", ["line"]),
        ("indent", "", ["keep", "none"]),
        ("target", "s", ["skyline"]),
        ("space", "e", ["ensp", "emsp"]),
    ],
)
def test_values_are_completed(option: str, typed: str, values: list[str]) -> None:
    [parameter] = [parameter for parameter in convert_command.params if parameter.name == option]
    completed = parameter.shell_complete(click.Context(convert_command), typed)
    assert [item.value for item in completed] == values


def test_values_are_known_in_any_case(run: Run) -> None:
    given = run("convert", "-", "--target", "Skyline", "--space", "EMSP", "--per", "LINE", stdin="a  b\nc")
    assert given == run("convert", "-", "--target=skyline", "--space=emsp", "--per=line", stdin="a  b\nc")
    assert given.code == 0
    code, _out, err = run("convert", "-", "--indent", "1" * 5000, stdin="a")
    assert code == 2
    assert "is not a whole number from 0 to 20" in err


# Convert.


def test_convert_prints_wxml(run: Run) -> None:
    notes = (ROOT / "examples" / "notes.txt").read_text(encoding="utf-8")
    Path("记 录.txt").write_text(notes, encoding="utf-8")
    expected = (0, wxtext.convert(notes), "")
    assert run("convert", "记 录.txt") == expected
    assert run("convert", "-", stdin=notes) == expected
    assert run("convert", "-", "-o", "-", stdin=notes.replace("\n", "\r\n")) == expected
    assert process("convert", "记 录.txt") == expected
    assert process("convert", "-", stdin=notes.encode("utf-16")) == expected


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("--target skyline --space nbsp", {"target": "skyline", "space": "nbsp"}),
        ("--tab-width 8 --indent none", {"tab_width": 8, "indent": "none"}),
        ("--indent 2 --blank-lines one", {"indent": 2, "blank_lines": "one"}),
        ("--per line --view --user-select", {"per": "line", "view": True, "user_select": True}),
        ("--class note --bindings", {"class_": "note", "bindings": True}),
        ("--template page --no-verify", {"template": "page", "verify": False}),
        ("--paragraphs line --strip-invisible", {"paragraphs": "line", "strip_invisible": True}),
    ],
)
def test_options_reach_the_library(
    arguments: str, options: dict[str, object], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def convert_lines(lines: Iterator[str], **given: object) -> Iterator[str]:
        del given["on_notice"]
        return iter([*lines, f" {sorted(given.items())}\n"])

    monkeypatch.setattr(render, "convert_lines", convert_lines)
    names = ("view", "user_select", "bindings", "strip_invisible")
    flags = {**dict.fromkeys(names, False), "verify": True, "target": "webview"}
    code, out, err = run("convert", "-", *arguments.split(), stdin="notes")
    assert (code, err) == (0, "")
    assert out == f"notes {sorted((flags | options).items())}\n"


def test_empty_notes_give_empty_output(run: Run) -> None:
    nothing = "-:1:1: there is no text in the notes, and none was written\n"
    for empty in b"", b"\n \r\n", b"\xef\xbb\xbf", b"\xff\xfe":
        assert run("convert", "-", stdin=empty) == (0, "", nothing)
    assert run("convert", "-", "-o", "page.wxml") == (0, "", nothing)
    assert Path("page.wxml").read_bytes() == b"<!-- wxtext:begin -->\n<!-- wxtext:end -->\n"


def test_notices_say_where(run: Run) -> None:
    assert run("convert", "-", stdin="甲\n乙\x07丙\x07\x00") == (
        0,
        "<text>甲\\n乙丙</text>\n",
        "-:2:2: removed U+0007 (control character), which cannot be shown, 2 times in all\n"
        "-:2:5: removed U+0000 (control character), which cannot be shown\n",
    )


def test_a_guessed_encoding_is_named(run: Run) -> None:
    Path("notes.txt").write_bytes("请输入手机号".encode("gbk"))
    assert run("convert", "notes.txt") == (
        0,
        "<text>请输入手机号</text>\n",
        "notes.txt: read as GB18030\n",
    )
    assert run("convert", "notes.txt", "--encoding", "gbk") == (0, "<text>请输入手机号</text>\n", "")


def test_other_encodings_of_a_short_text_are_named(run: Run) -> None:
    Path("notes.txt").write_bytes("권리".encode("cp949"))
    code, _output, said = run("convert", "notes.txt")
    assert code == 0
    assert said.startswith("notes.txt: read as GB18030, but so short a text may as well be in EUC-KR")
    assert said.endswith("if it comes out wrong, name its --encoding\n")
    assert run("convert", "notes.txt", "--encoding", "euc-kr") == (0, "<text>권리</text>\n", "")


def test_bytes_that_cannot_be_read(run: Run) -> None:
    Path("notes.txt").write_bytes("第一段".encode() + b"\xff")
    reason = (
        "wxtext: error: notes.txt: the byte at offset 9 is not valid UTF-8; name the right one with "
        "--encoding, or go on past bad bytes with --errors replace\n"
    )
    assert run("convert", "notes.txt") == (2, "", reason)
    assert run("convert", "notes.txt", "-o", "page.wxml") == (2, "", reason)
    assert {path.name for path in Path().iterdir()} == {"notes.txt"}
    assert run("convert", "notes.txt", "--errors", "replace") == (
        0,
        "<text>第一段\ufffd</text>\n",
        "notes.txt: bytes that are not valid UTF-8 and become U+FFFD: 1, at offset 9\n",
    )


def test_writing_into_a_page(run: Run) -> None:
    page = "<view>\r\n<!-- wxtext:begin --><!-- wxtext:end -->\r\n</view>"
    Path("page.wxml").write_bytes(page.encode())
    for _ in range(2):
        assert run("convert", "-", "-o", "page.wxml", stdin="甲") == (0, "", "")
        assert (
            Path("page.wxml").read_bytes()
            == page.replace("--><!--", "-->\r\n<text>甲</text>\r\n<!--").encode()
        )


def test_names_that_are_no_good(run: Run) -> None:
    assert run("convert", "").err == "wxtext: error: '': is not the name of a file\n"
    Path("-x.txt").write_text("一", encoding="utf-8")
    hint = "A file whose name begins with - is written ./-x.txt.\n"
    for command in "convert", "show":
        result = run(command, "-x.txt")
        assert (result.code, result.out) == (2, "")
        assert hint in result.err
    assert hint not in run("convert", "-y.txt").err
    assert run("convert", "./-x.txt") == (0, "<text>一</text>\n", "")


def test_more_than_a_package_may_have_is_told(run: Run) -> None:
    Path("notes.txt").write_text("一" * 720_000, encoding="utf-8")
    told = "notes.txt: gives 2.1 MB of WXML; a package of a Mini Program may have 2 MB in all\n"
    assert run("convert", "notes.txt").err == told
    assert run("convert", "notes.txt", "-o", "page.wxml").err == told
    Path("notes.txt").write_text("一" * 690_000, encoding="utf-8")
    assert run("convert", "notes.txt").err == ""


def test_a_page_of_others_is_replaced_only_by_force(run: Run) -> None:
    Path("page.wxml").write_text("<view/>", encoding="utf-8")
    code, out, err = run("convert", "-", "-o", "page.wxml", stdin="甲")
    assert (code, out) == (2, "")
    assert err.startswith("wxtext: error: page.wxml: was not written by wxtext; replace it with --force, or ")
    assert err.count("\n") == 1
    assert Path("page.wxml").read_text(encoding="utf-8") == "<view/>"
    assert run("convert", "-", "-o", "page.wxml", "--force", stdin="甲") == (0, "", "")
    assert "<view/>" not in Path("page.wxml").read_text(encoding="utf-8")


@pytest.mark.usefixtures("broken")
def test_nothing_is_written_if_the_self_check_fails(run: Run) -> None:
    reason = "wxtext: error: line 7 would show as 'shown' instead of 'typed'; this is a bug in wxtext: "
    code, out, err = run("convert", "-")
    assert (code, out) == (3, "")
    assert err.startswith(reason)
    assert err.count("\n") == 1
    Path("page.wxml").touch()
    code, out, err = run("convert", "-", "-o", "page.wxml")
    assert (code, out) == (3, "")
    assert err.startswith(reason)
    assert {path: path.stat().st_size for path in Path().iterdir()} == {Path("page.wxml"): 0}


# Show.


def test_show_prints_the_text(run: Run) -> None:
    Path("page.wxml").write_text("<text>一\\n{{'{'}}</text>", encoding="utf-8")
    assert run("show", "page.wxml") == (0, "一\n{\n", "")
    assert run("show", "-", "--target", "skyline", stdin="<text>一\\n</text>") == (0, "一\\n\n", "")
    assert process("show", "page.wxml") == (0, "一\n{\n", "")
    assert run("show", "-") == (0, "", "")


def test_show_reads_no_page_that_no_package_could_hold(run: Run) -> None:
    most = 4 << 20
    page = b"<text>" + b"a" * (most - 13) + b"</text>"
    assert run("show", "-", stdin=page) == (0, "a" * (most - 13) + "\n", "")
    message = f"wxtext: error: page.wxml: is not read, because it is larger than {most} bytes\n"
    Path("page.wxml").write_bytes(page + b"\n")
    assert run("show", "page.wxml") == (2, "", message)


def test_show_sees_a_byte_order_mark(run: Run) -> None:
    assert run("show", "-", stdin=b"\xef\xbb\xbf<text>a</text>") == (0, "\ufeffa\n", "")


def test_show_says_where_the_compiler_refuses(run: Run) -> None:
    Path("page.wxml").write_text("<text>\n 1 < 2</text>", encoding="utf-8")
    code, out, err = run("show", "page.wxml")
    assert (code, out) == (2, "")
    assert err.startswith("page.wxml:2:")
    assert err.count("\n") == 1
    assert run("show", "page.wxml", "--target", "glass-easel").code == 0


def test_show_reads_utf8_alone(run: Run) -> None:
    assert run("show", "-", stdin="<text>甲</text>".encode("gbk")) == (
        2,
        "",
        "wxtext: error: -: the byte at offset 6 is not valid UTF-8, which WXML has to be; "
        "it looks like GB18030: save it as UTF-8\n",
    )


def test_show_shows_what_was_converted(run: Run) -> None:
    notes = (ROOT / "examples" / "notes.txt").read_text(encoding="utf-8")
    for target in "webview", "glass-easel", "skyline":
        assert run("convert", "-", "--target", target, "-o", "page.wxml", stdin=notes).code == 0
        assert run("show", "page.wxml", "--target", target).out.splitlines()[-1] == "line two: if (a < b) {"


# Wrong use.


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["conver"], "No such command 'conver'. Did you mean convert?\nTry 'wxtext --help'."),
        (
            ["notes.txt"],
            "No such command 'notes.txt'. Did you mean convert or check or explain or show?",
        ),
        (["--verison"], "No such option"),
        (["convert"], "Missing argument 'NOTES'.\nTry 'wxtext convert --help'."),
        (["show"], "Missing argument 'PAGE'.\nTry 'wxtext show --help'."),
        (["convert", "a", "b"], "Got unexpected extra argument (b)\nTry 'wxtext convert --help'."),
        (["convert", "a", "--errors", "x"], "Invalid value for '--errors'"),
        (["convert", "a", "-o"], "Option '-o' requires an argument."),
        (["convert", "-", "--space", "em"], "--space: 'em' is not one of auto, ensp, emsp, nbsp"),
        (["convert", "-", "--tab-width", "x"], "--tab-width: 'x' is not a whole number from 1 to 16"),
        (
            ["convert", "-", "--indent", "-1"],
            "--indent: '-1' is not a whole number from 0 to 20, keep or none",
        ),
        (["convert", "-", "--indent", "²"], "--indent: '²' is not a whole number from 0 to 20, keep or none"),
        (["convert", "-", "--class", 'a"b'], "--class: 'a\"b' is no class name"),
        (["convert", "-", "--template", "no"], "template no: no such file"),
        (["convert", "-", "--encoding", "gbk2"], "no encoding is called 'gbk2'; did you mean gbk or gb2312?"),
        (["convert", "missing.txt"], "missing.txt: No such file or directory"),
        (["show", "missing.wxml"], "missing.wxml: No such file or directory"),
        (
            ["show", "-", "--target", "web"],
            "--target: 'web' is not one of auto, webview, glass-easel, skyline",
        ),
        (["convert", "a\nb\x1b[0m\udcff.txt"], r"a\nb\x1b[0m\udcff.txt: No such file or directory"),
    ],
)
def test_wrong_use(arguments: list[str], message: str, run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"wxtext: error: {message}")
    assert err.count("\n") <= 2


@pytest.mark.parametrize("option", ["\x1b]0;x\x07", "\u202e", "a\n::set-output name=a::b"])
def test_what_is_typed_is_quoted_visibly(option: str, run: Run) -> None:
    Path("page.wxml").touch()
    for arguments in (
        [option],
        [f"--{option}"],
        ["check", f"--{option}"],
        ["check", "--target", option],
        ["check", "--select", option],
        ["show", "a", option],
        ["show", option],
        ["explain", option],
        ["convert", "-", "--space", option],
        ["convert", "-", "--template", option],
        ["convert", "-", "--encoding", option],
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert not RAW.search(err.replace("\n", ""))
        assert all(line.startswith(("wxtext: error: ", "Try '")) for line in err.splitlines())


def test_near_options_are_named(run: Run) -> None:
    assert "--space" in run("convert", "-", "--spcae", "emsp").err


# The process.


def imported(*arguments: str, stdin: bytes = b"") -> set[str]:
    """Return which of the costly modules a command imports."""
    code = (
        "import sys; from wxtext.cli import main; code = main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin,
        capture_output=True,
        check=True,
        env=ENVIRONMENT,
    )
    costly = {"wxtext.frequency", "jinja2", "lxml", "wxtext.blocks", "wxtext.layout", "wxtext.render"}
    return costly & set(done.stderr.decode().split())


def test_only_what_is_used_is_imported() -> None:
    assert imported("--version") == set()
    assert imported("--help") == set()
    assert imported("convert", "--help") == set()
    assert imported("show", "-") == {"wxtext.layout"}
    assert "wxtext.frequency" not in imported("convert", "-", stdin="中".encode())
    assert "wxtext.frequency" in imported("convert", "-", stdin="中文".encode("gbk"))


def test_importing_the_command_line_imports_hardly_anything() -> None:
    code = "import sys; before = {*sys.modules}; import wxtext.cli; print(*sorted({*sys.modules} - before))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=ENVIRONMENT, text=True
    )
    ours = {name for name in done.stdout.split() if name.partition(".")[0] in {"click", "wxtext"}}
    assert ours == {"wxtext", "wxtext.cli", "wxtext.i18n"}


@posix
def test_a_terminal_that_is_ascii_alone() -> None:
    notes = "中\x07文".encode()
    for env in {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}:
        assert process("convert", "-", stdin=notes, env=env).out == "<text>中文</text>\n"
        code, out, err = process("convert", "没有.txt", env=env)
        assert (code, out) == (2, "")
        assert err.startswith("wxtext: error: \\u")
        assert err.endswith(".txt: No such file or directory\n")


@posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_is_no_error(unbuffered: str) -> None:
    Path("notes.txt").write_text("\n\n一二三四五六七八九十" * 14_000, encoding="utf-8")
    shell = '{ "$@"; echo $? >&2; } | head -n 1'
    env = {"PYTHONUNBUFFERED": unbuffered}
    code, out, err = process("convert", "notes.txt", "--no-verify", shell=shell, env=env)
    assert (code, out[:13], err) == (0, r"<text>\n\n一二三", "141\n")
    assert process("--help", shell='{ sleep 0.1; "$@"; echo $? >&2; } | true').err == "141\n"


@posix
def test_standard_streams_that_are_closed_or_full() -> None:
    Path("notes.txt").write_text("一", encoding="utf-8")
    closed = "wxtext: error: -: standard {} is closed\n"
    assert process("convert", "-", shell='"$@" <&-') == (2, "", closed.format("input"))
    assert process("convert", "notes.txt", shell='"$@" >&-') == (2, "", closed.format("output"))
    assert process("show", "missing.wxml", shell='"$@" 2>&-') == (2, "", "")
    assert process("convert", "notes.txt", shell='"$@" <&- 2>&-') == (0, "<text>一</text>\n", "")
    if Path("/dev/full").exists():
        full = "wxtext: error: -: No space left on device\n"
        assert process("convert", "notes.txt", shell='"$@" >/dev/full') == (2, "", full)
        code, out, err = process("--help", shell='"$@" >/dev/full')
        assert (code, out) == (2, "")
        assert err.startswith("wxtext: error: ")
        assert err.count("\n") == 1


#: Runs a command that gets a signal when the content of its temporary file has been written.
SIGNALLED = """
import os, signal, sys
from pathlib import Path
from wxtext.cli import main

def fsync(_file):
    print(len([*Path().glob(".wxtext-*")]), flush=True)
    os.kill(os.getpid(), int(sys.argv[1]))

os.fsync = fsync
signal.signal(signal.SIGINT, signal.default_int_handler)  # what ignores it, such as nohup, hands that on
sys.exit(main(sys.argv[2:]))
"""


@posix
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_what_is_interrupted_leaves_everything_as_it_was(sent: signal.Signals, code: int) -> None:
    Path("notes.txt").write_text("一二三四五六七八九十\n" * 1_000, encoding="utf-8")
    Path("page.wxml").touch()
    command = [sys.executable, "-c", SIGNALLED, str(sent.value), "convert", "notes.txt", "-o", "page.wxml"]
    result = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (code, b"1\n", b"")
    assert {path.name: path.stat().st_size > 0 for path in Path().iterdir()} == {
        "notes.txt": True,
        "page.wxml": False,
    }


@posix
def test_who_types_is_told_how_it_ends() -> None:
    import pty

    for command in "convert", "check", "show":
        keyboard, terminal = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "wxtext", command, "-"],
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            # What ignores SIGINT, such as nohup, hands that on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
        ) as running:
            os.close(terminal)
            assert running.stderr is not None
            try:
                assert running.stderr.readline().startswith(b"Reading what you type; it ends with Ctrl-D")
                for _attempt in range(60):  # one that comes just before reading begins is not seen
                    running.send_signal(signal.SIGINT)
                    with suppress(subprocess.TimeoutExpired):
                        running.wait(timeout=1)
                        break
                assert running.communicate() == (b"", b"")
            finally:
                running.kill()
        os.close(keyboard)
        assert running.returncode == 130


@posix
@pytest.mark.parametrize("command", ["show", "check --diff", "convert"])
def test_a_terminal_sees_no_control_characters(command: str) -> None:
    import pty

    page = Path("page.wxml")
    page.write_text('<text decode="no">a\tb\x1b]0;x\x07\u202e\n</text>\n', "utf-8")
    kept = "\u202e" if command == "convert" else "\x1b]0;x\x07\u202e"  # WXML may have no control characters
    arguments = [sys.executable, "-m", "wxtext", *command.split(), "page.wxml"]
    terminal, output = pty.openpty()
    with subprocess.Popen(arguments, stdout=output, stderr=subprocess.PIPE, env=ENVIRONMENT) as running:
        os.close(output)
        shown = b""
        while piece := read_terminal(terminal):
            shown += piece
        assert b"On a terminal, invisible characters are printed as escapes" in running.communicate()[1]
    os.close(terminal)
    assert kept.encode("unicode_escape") in shown
    assert not RAW.search(shown.decode().replace("\r\n", "").replace("\t", ""))
    piped = process(*command.split(), "page.wxml").out
    assert kept in piped


def read_terminal(terminal: int) -> bytes:
    """Read what there is; nothing when the other side is closed, which Linux calls an error."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252:strict", "ascii", "gbk", "utf-8"])
def test_help_in_chinese_goes_to_any_output(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wxtext", "--lang=zh", "check", "--help"],
        capture_output=True,
        env={**ENVIRONMENT, "PYTHONIOENCODING": encoding},
        check=True,
    )
    has_chinese = encoding in ("gbk", "utf-8")
    text = done.stdout.decode(encoding if has_chinese else "ascii")
    assert text.startswith("用法：wxtext check" if has_chinese else "Usage: wxtext check")
    assert done.stderr == b""


def test_help_in_chinese_goes_to_any_output_of_who_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO()
    output = io.TextIOWrapper(data, "latin-1", errors="strict")
    monkeypatch.setattr(sys, "stdout", output)
    for arguments in ["--help"], ["show", "--help"]:
        assert wxtext_main("--lang=zh", *arguments) == 0
    assert output.errors == "strict"
    output.flush()
    assert data.getvalue().startswith(b"Usage: ")


# A fault that nobody foresaw.


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what looks at sources raise for those that name an exception."""

    def check_on(targets: object, source: str, settings: object) -> object:
        for error in (MemoryError, RecursionError, KeyError, UnicodeError, RuntimeError):
            if error.__name__ in source:
                raise error("\x1b[31m\nwhy")
        return real(targets, source, settings)  # type: ignore[arg-type]

    real = lint.check_on
    monkeypatch.setattr(lint, "check_on", check_on)


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize("error", ["MemoryError", "RecursionError", "UnicodeError", "RuntimeError"])
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_fault_in_one_file_leaves_the_reports_of_the_others(error: str, form: str, run: Run) -> None:
    Path("a.wxml").write_text('<text decode="no">a</text>', "utf-8")
    Path("b.wxml").write_text(error, "utf-8")
    Path("c.wxml").write_text('<text decode="no">c</text>', "utf-8")
    code, out, err = run("check", "--format", form)
    assert code == 4
    assert err == (
        f"wxtext: error: b.wxml: {error}: \\x1b[31m\\nwhy; this is a bug of wxtext: "
        "please report it, with what --debug shows\n"
    )
    assert out.count("string-boolean") >= 2
    assert "Traceback" not in out
    assert not RAW.search(out.replace("\n", ""))


@pytest.mark.usefixtures("faulty")
def test_a_fault_writes_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fix_on(*_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr("wxtext.fixer.fix_on", fix_on)
    page = Path("a.wxml")
    page.write_text('<text decode="no">a</text>', "utf-8")
    assert run("check", "--fix").code == 4
    assert page.read_text("utf-8") == '<text decode="no">a</text>'


@pytest.mark.usefixtures("faulty")
def test_the_trace_of_a_fault_is_there_for_who_asks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.wxml").write_text("KeyError", "utf-8")
    for arguments in ["check", "--debug"], ["--debug", "check"], ["check", "a.wxml", "--debug"]:
        code, _out, err = run(*arguments)
        assert code == 4
        first, *_trace, last = err.splitlines()
        assert first == "Traceback (most recent call last):"
        assert last.startswith("wxtext: error: a.wxml: KeyError: ")
        assert not RAW.search(err.replace("\n", ""))
    monkeypatch.setenv("WXTEXT_DEBUG", "1")
    assert run("check").err.startswith("Traceback")
    monkeypatch.setenv("WXTEXT_DEBUG", "0")
    assert run("check").err.startswith("wxtext: error: ")
    assert "No such file" in run("check", "--", "--debug").err


@pytest.mark.parametrize("command", ["convert", "show"])
def test_a_fault_is_one_line_in_every_command(
    command: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> object:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("wxtext.screen.look", broken)
    monkeypatch.setattr("wxtext.render.convert_lines", broken)
    assert run(command, "-", stdin="a") == (
        4,
        "",
        "wxtext: error: ZeroDivisionError: division by zero; this is a bug of wxtext: "
        "please report it, with what --debug shows\n",
    )


# In a process of somebody else.


def state() -> list[object]:
    import gettext

    handler = signal.getsignal(signal.SIGTERM)
    errors = getattr(sys.stdout, "errors", None)
    return [i18n.language(), gettext.textdomain(), os.environ.get("LANGUAGE"), handler, errors, sys.stdout]


@pytest.mark.parametrize("language", [None, "", "de"])
def test_a_call_leaves_the_process_as_it_was(
    language: str | None, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.wxml").write_text('<text decode="no">a</text>', "utf-8")
    monkeypatch.delenv("LANGUAGE")
    if language is not None:
        monkeypatch.setenv("LANGUAGE", language)
    before = state()
    for arguments in (
        ["check", "--fix", "--lang", "zh"],
        ["convert", "-", "-o", "new.wxml", "--lang=zh"],
        ["convert", "-", "-o", "nowhere/new.wxml", "--lang=zh"],
        ["--lang=zh", "--help"],
        ["--lang=zh", "--no-such-option"],
    ):
        run(*arguments)
        now = state()
        assert now[:-1] == before[:-1]
    assert "错误" in run("--lang", "zh", "show", "nowhere").err
    assert "error" in run("show", "nowhere").err


def test_a_call_reads_configurations_anew(run: Run) -> None:
    Path("a.wxml").write_text('<text decode="no">a</text>', "utf-8")
    Path("wxtext.toml").write_text('ignore = ["string-boolean"]', "utf-8")
    assert wxtext_main("check") == 0
    Path("wxtext.toml").write_text("", "utf-8")
    assert wxtext_main("check") == 1
    run("--version")


def wxtext_main(*arguments: str) -> int:
    from wxtext.cli import main

    return main(arguments)


def test_calls_in_threads(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    page = "<text>1 &lt; 2</text>"
    for number in range(40):
        Path(f"{number}.wxml").write_text(page, "utf-8")
    before = state()

    def call(number: int) -> int:
        return wxtext_main(
            "--lang", ("en", "zh")[number % 2], "check", "--fix", f"{number}.wxml", f"none{number}"
        )

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(call, range(40))] == [2] * 40
    assert state()[:-1] == before[:-1]
    assert all(page not in Path(f"{number}.wxml").read_text("utf-8") for number in range(40))
    lines = capfdbinary.readouterr().err.decode().splitlines()
    for number in range(40):
        (line,) = (line for line in lines if f"none{number}:" in line or f"none{number}：" in line)
        assert ("错误" in line) is bool(number % 2)


# Pages of the user's own.

AROUND = {
    "in a text, on Skyline": ("<text><!-- wxtext:begin --><!-- wxtext:end --></text>", "skyline"),
    "in an attribute": ('<view a="<!-- wxtext:begin --><!-- wxtext:end -->"/>', "webview"),
    "in a script": ('<wxs module="m"><!-- wxtext:begin --><!-- wxtext:end --></wxs>', "webview"),
    "after a brace": ("<view>{<!-- wxtext:begin --><!-- wxtext:end --></view>", "webview"),
    "in a row": ("<text>前</text><!-- wxtext:begin --><!-- wxtext:end --><text>后</text>", "webview"),
    "among too much": ("<view/>" * 400 + "<!-- wxtext:begin --><!-- wxtext:end -->", "glass-easel"),
}


@pytest.mark.parametrize(("page", "target"), AROUND.values(), ids=AROUND)
def test_text_is_not_put_where_it_would_not_show(page: str, target: str, run: Run) -> None:
    paragraphs = 1_990 if len(page) > 1_000 else 2
    Path("notes.txt").write_text("".join(f"  {number}\n" for number in range(paragraphs)), encoding="utf-8")
    Path("page.wxml").write_text(page, encoding="utf-8")
    code, out, err = run("convert", "notes.txt", "-o", "page.wxml", "--target", target)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("wxtext: error: page.wxml: ")
    assert Path("page.wxml").read_text(encoding="utf-8") == page
    assert run("convert", "notes.txt", "-o", "page.wxml", "--target", target, "--no-verify").code == 0


def test_a_page_that_was_broken_before_is_told_of(run: Run) -> None:
    Path("notes.txt").write_text("一\n", encoding="utf-8")
    Path("page.wxml").write_text("<view>\n<!-- wxtext:begin --><!-- wxtext:end -->\n", encoding="utf-8")
    code, out, err = run("convert", "notes.txt", "-o", "page.wxml")
    assert (code, out) == (0, "")
    assert err == "page.wxml: the compiler refuses what it makes, at 1:1: `<view>` is never closed\n"
    assert "<text>一</text>" in Path("page.wxml").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", [".", "./", "/", ""])
def test_no_file_to_write(place: str, run: Run) -> None:
    Path("notes.txt").write_text("一\n", encoding="utf-8")
    code, out, err = run("convert", "notes.txt", "-o", place)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("wxtext: error: ")


def test_a_page_of_an_unknown_target_is_not_written(run: Run) -> None:
    Path("app.json").write_text("{renderer: 'skyline'}", "utf-8")
    result = run("convert", "-", "-o", "a.wxml", stdin="text")
    assert (result.code, result.out, Path("a.wxml").exists()) == (2, "", False)
    assert result.err.startswith("wxtext: error: app.json:1:2: this is no JSON: ")
    assert run("convert", "-", "-o", "a.wxml", "--target", "skyline", stdin="text").code == 0

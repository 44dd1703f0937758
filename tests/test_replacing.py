"""Files that are replaced while somebody else saves, or the run is killed; and what is kept of them."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import disturb
from tests.command import ENVIRONMENT, Run
from wxtext import replacing, writing
from wxtext.errors import SourceError
from wxtext.replacing import Changed, Version
from wxtext.sources import open_source
from wxtext.writing import update_file, write_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="no such files, signals and permissions")

BAD = '<text decode="no">一</text>\n'
FIXED = '<text decode="{{false}}">一</text>\n'
LEFT = ".wxtext-0123456789abcdef.tmp"

pytestmark = pytest.mark.usefixtures("_in_tmp_path")


@pytest.fixture
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(writing, "_PAUSE", 0)
    replacing.clear_leftovers.cache_clear()


def write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8", newline="")


def read(name: str = "page.wxml") -> str:
    return Path(name).read_bytes().decode()


def beside() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"page.wxml", "notes.txt"}


def saving(monkeypatch: pytest.MonkeyPatch, *saves: Callable[[], object]) -> None:
    """Have each of these happen once, just before what was written has come to the disk."""
    real = replacing._to_disk
    waiting = list(saves)

    def to_disk(file: object) -> None:
        if waiting:
            waiting.pop(0)()
        real(file)  # type: ignore[arg-type]

    monkeypatch.setattr(replacing, "_to_disk", to_disk)


def in_place(text: str) -> Callable[[], object]:
    return lambda: write("page.wxml", text)


def by_renaming(text: str) -> Callable[[], object]:
    def save() -> None:
        write("other", text)
        Path("other").replace("page.wxml")

    return save


def same_size_and_time(text: str) -> Callable[[], object]:
    def save() -> None:
        status = Path("page.wxml").stat()
        write("page.wxml", text)
        os.utime("page.wxml", ns=(status.st_atime_ns, status.st_mtime_ns))
        assert Path("page.wxml").stat().st_size == status.st_size

    return save


# Saved meanwhile.


@pytest.mark.parametrize("save", [in_place, by_renaming])
def test_what_is_saved_while_it_is_fixed_is_fixed(
    save: Callable[[str], Callable[[], object]], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("page.wxml", BAD)
    saving(monkeypatch, save(f"<view/>{BAD}"))
    assert run("check", "--unsafe-fixes").code == 0
    assert read() == f"<view/>{FIXED}"
    assert beside() == set()


def test_neither_size_nor_time_tell_a_version(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("page.wxml", BAD)
    saving(monkeypatch, same_size_and_time(BAD.replace("一", "二")))
    assert run("check", "--unsafe-fixes").code == 0
    assert read() == FIXED.replace("一", "二")


@pytest.mark.parametrize("save", [in_place, by_renaming])
def test_what_is_saved_again_and_again_is_left_alone(
    save: Callable[[str], Callable[[], object]], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("page.wxml", BAD)
    saving(monkeypatch, save(f"1{BAD}"), save(f"2{BAD}"))
    code, _out, err = run("check", "--unsafe-fixes")
    assert (code, err) == (
        2,
        "wxtext: error: page.wxml: is being saved by another program again and again; left as it is, "
        "try again later\n",
    )
    assert read() == f"2{BAD}"
    assert beside() == set()


def test_what_is_saved_in_order_needs_no_fix(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("page.wxml", BAD)
    saving(monkeypatch, in_place("<text>好</text>\n"))
    code, out, _err = run("check", "--unsafe-fixes")
    assert (code, out) == (0, "no problems in 1 file\n")
    assert read() == "<text>好</text>\n"


def test_what_is_deleted_meanwhile_stays_deleted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("page.wxml", BAD)
    saving(monkeypatch, Path("page.wxml").unlink)
    code, _out, err = run("check", "--unsafe-fixes")
    assert (code, err) == (2, "wxtext: error: page.wxml: No such file or directory\n")
    assert beside() == set()
    assert not Path("page.wxml").exists()


def converted(text: str = "一") -> str:
    return f"<!-- wxtext:begin -->\n<text>{text}</text>\n<!-- wxtext:end -->"


@pytest.mark.parametrize("save", [in_place, by_renaming])
def test_what_is_saved_around_the_markers_is_kept(
    save: Callable[[str], Callable[[], object]], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("notes.txt", "一\n")
    write("page.wxml", f"<view>{converted('旧')}</view>")
    saving(monkeypatch, save(f"<view>新</view><view>{converted('旧')}</view>"))
    assert run("convert", "notes.txt", "-o", "page.wxml").code == 0
    assert read() == f"<view>新</view><view>{converted()}</view>"
    saving(monkeypatch, save("1"), save("2"))
    write("notes.txt", "二\n")
    code, _out, err = run("convert", "notes.txt", "-o", "page.wxml")
    assert code == 2
    assert "page.wxml: was not written by wxtext" in err
    assert read() == "1"
    assert beside() == set()


def test_a_page_that_is_saved_again_and_again_is_left_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("notes.txt", "一\n")
    write("page.wxml", converted("旧"))
    saving(monkeypatch, in_place(f"<view/>{converted('旧')}"), in_place(f"<b/>{converted('旧')}"))
    code, _out, err = run("convert", "notes.txt", "-o", "page.wxml")
    assert code == 2
    assert err.startswith("wxtext: error: page.wxml: is being saved by another program again and again; ")
    assert read() == f"<b/>{converted('旧')}"


def test_a_file_that_comes_meanwhile_is_not_overwritten(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("notes.txt", "一\n")
    saving(monkeypatch, in_place("theirs"))
    code, _out, err = run("convert", "notes.txt", "-o", "page.wxml")
    assert (code, read()) == (2, "theirs")
    assert "page.wxml: was not written by wxtext" in err
    assert beside() == set()


@posix
def test_permissions_that_change_meanwhile_are_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("page.wxml", BAD)
    saving(monkeypatch, lambda: Path("page.wxml").chmod(0o640))
    assert run("check", "--unsafe-fixes").code == 0
    assert (read(), stat.S_IMODE(Path("page.wxml").stat().st_mode)) == (FIXED, 0o640)


def test_replacing_takes_what_was_read() -> None:
    write("page.wxml", "old")
    with pytest.raises(Changed):
        replacing.replace(Path("page.wxml"), [b"new"], Version.of([b"older"]), print)
    replacing.replace(Path("page.wxml"), [b"n", b"ew"], Version.of([b"o", b"ld"]), print)
    assert read() == "new"
    with pytest.raises(Changed):
        replacing.create(Path("page.wxml"), [b"newer"])
    assert (read(), beside()) == ("new", set())


@posix
@pytest.mark.parametrize("kind", disturb.KINDS.values(), ids=disturb.KINDS)
def test_saving_at_random_moments(kind: disturb.Kind) -> None:
    seen = disturb.disturbed_by_saving(Path.cwd(), kind, 6, random.Random(1))
    assert not disturb.failed(seen), seen


# Killed meanwhile.


@posix
@pytest.mark.parametrize("kind", disturb.KINDS.values(), ids=disturb.KINDS)
def test_killing_at_random_moments(kind: disturb.Kind) -> None:
    seen = disturb.disturbed_by_killing(Path.cwd(), kind, 6, random.Random(1))
    assert not disturb.failed(seen), seen


#: Where a run is killed: the file beside the page is there, is written, is complete, is on the disk.
STEPS = ("os.fdopen", "os.fchown", "os.fsync", "pathlib.Path.replace")


@posix
@pytest.mark.parametrize("step", STEPS)
def test_what_a_killed_run_leaves_is_cleared_by_the_next(step: str, run: Run) -> None:
    program = f"""
import os, pathlib, signal, sys
from wxtext.cli import main
{step} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
main(["check", "--unsafe-fixes", "page.wxml"])
"""
    write("page.wxml", BAD)
    killed = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert read() == BAD
    assert len(beside()) == 1
    assert run("check", "--unsafe-fixes").code == 0
    assert (read(), beside()) == (FIXED, set())


@posix
def test_what_a_run_leaves_that_was_killed_after_it_made_a_new_file(run: Run) -> None:
    program = """
import os, pathlib, signal
from wxtext.cli import main
pathlib.Path.unlink = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
main(["convert", "notes.txt", "-o", "page.wxml"])
"""
    write("notes.txt", "一\n")
    subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, check=False)
    assert len(beside()) == 1
    written = read()
    assert run("convert", "notes.txt", "-o", "page.wxml") == (0, "", "")
    assert (read(), beside()) == (written, set())


@posix
def test_only_what_dead_runs_left_is_cleared(run: Run) -> None:
    others = (
        ".wxtext-notes",
        ".wxtext-0123456789abcdef",
        f"a{LEFT}",
        f"{LEFT}.bak",
        ".wxtext-ABCDEF0123456789.tmp",
    )
    for name in others:
        write(name, "mine")
    Path(LEFT.replace("0", "1")).mkdir()
    Path(LEFT.replace("0", "2")).symlink_to("mine")
    os.mkfifo(LEFT.replace("0", "3"))
    write(LEFT, "left")
    write("page.wxml", BAD)
    kept = beside() - {LEFT}
    assert run("check", "--unsafe-fixes").code == 0
    assert (read(), beside()) == (FIXED, kept)


@posix
def test_what_a_run_is_writing_is_not_cleared(run: Run) -> None:
    program = """
import sys
from pathlib import Path
from wxtext import replacing
with replacing._beside(Path(), 0o600) as (file, path):
    print(path.name, flush=True)
    sys.stdin.read()
"""
    write("page.wxml", BAD)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        name = other.stdout.readline().strip()
        assert run("check", "--unsafe-fixes").code == 0
        assert beside() == {name}
        other.communicate("")
    assert (read(), beside()) == (FIXED, set())


def test_nothing_lies_beside_the_page_before_its_text_is_complete() -> None:
    write("notes.txt", "一")
    seen: set[str] = set()

    def pieces() -> list[str]:
        seen.update(beside())
        return ["一"]

    with open_source("notes.txt") as source:
        write_file("page.wxml", (piece for _ in "ab" for piece in pieces()), source)
    assert (seen, beside()) == (set(), set())


# What is kept.


@posix
def test_hard_links_are_told_of(run: Run) -> None:
    write("page.wxml", BAD)
    Path("second.txt").hardlink_to("page.wxml")
    code, _out, err = run("check", "--unsafe-fixes")
    place = Path("page.wxml").resolve()
    lost = "its other names (hard links), which keep the old content"
    assert (code, err) == (0, f"{place}: replaced, but without {lost}\n")
    assert (read(), read("second.txt")) == (FIXED, BAD)


@pytest.mark.skipif(sys.platform != "linux", reason="only there can Python read them")
def test_attributes_are_kept(run: Run) -> None:
    if sys.platform == "linux":
        write("page.wxml", BAD)
        try:
            os.setxattr("page.wxml", "user.note", b"\0mine")
        except OSError:
            pytest.skip("the file system has none")
        assert run("check", "--unsafe-fixes").err == ""
        assert (read(), os.getxattr("page.wxml", "user.note")) == (FIXED, b"\0mine")


@pytest.mark.skipif(sys.platform != "linux", reason="only there can Python read them")
def test_attributes_that_cannot_be_kept_are_told_of(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    if sys.platform == "linux":
        write("page.wxml", BAD)
        try:
            os.setxattr("page.wxml", "user.note", b"mine")
        except OSError:
            pytest.skip("the file system has none")
        monkeypatch.setattr(os, "setxattr", refuse)
        code, _out, err = run("check", "--unsafe-fixes")
        assert code == 0
        assert err.endswith("page.wxml: replaced, but without its attribute user.note\n")


#: An access control list: the owner reads and writes, user 1234 reads, the group and others nothing.
ACL = (
    b"\2\0\0\0"
    b"\1\0\6\0\xff\xff\xff\xff"
    b"\2\0\4\0\xd2\4\0\0"
    b"\4\0\0\0\xff\xff\xff\xff"
    b"\x10\0\4\0\xff\xff\xff\xff"
    b"\x20\0\0\0\xff\xff\xff\xff"
)


@pytest.mark.skipif(sys.platform != "linux", reason="only there can Python read them")
def test_access_control_lists_are_kept_and_none_is_added(run: Run) -> None:
    if sys.platform == "linux":
        access = "system.posix_acl_access"
        write("page.wxml", BAD)
        write("plain.wxml", BAD)
        try:
            os.setxattr("page.wxml", access, ACL)
            os.setxattr(".", "system.posix_acl_default", ACL)
        except OSError:
            pytest.skip("the file system has none")
        modes = [stat.S_IMODE(Path(name).stat().st_mode) for name in ("page.wxml", "plain.wxml")]
        assert run("check", "--unsafe-fixes").err == ""
        assert os.getxattr("page.wxml", access) == ACL
        assert access not in os.listxattr("plain.wxml")
        assert [stat.S_IMODE(Path(name).stat().st_mode) for name in ("page.wxml", "plain.wxml")] == modes


@posix
def test_an_owner_that_cannot_be_kept_is_told_of(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    if sys.platform != "win32":
        write("page.wxml", BAD)
        if os.getuid():
            pytest.skip("only root gives files away")
        os.chown("page.wxml", 1234, 5678)
        monkeypatch.setattr(os, "fchown", refuse)
        assert run("check", "--unsafe-fixes").err.endswith("page.wxml: replaced, but without its owner\n")


def test_file_and_folder_come_to_the_disk_in_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    real_fsync, real_replace = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        real_fsync(handle)

    def replace(path: Path, target: Path) -> Path:
        done.append("rename")
        return real_replace(path, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    write("page.wxml", BAD)
    assert run("check", "--unsafe-fixes").code == 0
    expected = ["file", "rename", "folder"]
    assert done == (expected[:2] if sys.platform == "win32" else expected)


# Windows, where what another program holds open cannot be replaced.


def held(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.replace
    left = times

    def replace(path: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left >= 0:
            raise PermissionError(13, "Access is denied")
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(replacing, "_WINDOWS", True)
    monkeypatch.setattr(replacing, "_PATIENCE", (0,) * 20)


def test_a_file_that_is_held_open_for_a_while_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    write("page.wxml", "old")
    held(19, monkeypatch)
    assert update_file("page.wxml", "old", lambda _: "new") == ("new", True)
    assert read() == "new"


def test_a_file_that_is_held_open_for_long_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("page.wxml", BAD)
    held(20, monkeypatch)
    place = Path("page.wxml").resolve()
    code, _out, err = run("check", "--unsafe-fixes")
    assert (code, err) == (
        2,
        f"wxtext: error: {place}: another program holds it open; close it there, and try again\n",
    )
    assert (read(), beside()) == (BAD, set())


# Open files of the process.


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "/dev/./stdout"])
def test_standard_output_is_written_to_and_not_replaced(name: str) -> None:
    if name.startswith("/proc") and not Path("/proc/self/fd").exists():
        pytest.skip("no such folder")
    Path("link").symlink_to("/dev/stdout")
    write("notes.txt", "一\n")
    command = f'(echo before; "$0" -m wxtext convert notes.txt -o {name}; echo after) > out.txt'
    subprocess.run(["/bin/sh", "-c", command, sys.executable], env=ENVIRONMENT, check=True)
    assert read("out.txt") == "before\n<text>一</text>\nafter\n"
    assert beside() == {"link", "out.txt"}


@posix
def test_other_descriptors_are_written_to(run: Run) -> None:
    write("notes.txt", "一\n")
    for output in "/dev/stderr 2> err.txt", "/dev/fd/7 7> seven.txt":
        command = f'"$0" -m wxtext convert notes.txt -o {output}'
        subprocess.run(["/bin/sh", "-c", command, sys.executable], env=ENVIRONMENT, check=True)
    assert read("err.txt") == read("seven.txt") == "<text>一</text>\n"
    code, _out, err = run("convert", "notes.txt", "-o", "/dev/fd/87")
    assert (code, err) == (2, f"wxtext: error: /dev/fd/87: {os.strerror(9)}\n")


@posix
def test_what_is_read_from_a_descriptor_is_not_replaced() -> None:
    write("page.wxml", BAD)
    done = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m wxtext check --unsafe-fixes /dev/stdin < page.wxml', sys.executable],
        env=ENVIRONMENT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == ("wxtext: error: /dev/stdin: is no file that can be replaced; use - and pipes\n")
    assert read() == BAD


def test_what_cannot_be_replaced_is_named() -> None:
    Path("folder").mkdir()
    with pytest.raises(SourceError, match=r"^folder: is no file that can be replaced; use - and pipes$"):
        update_file("folder", "", lambda _: "new")

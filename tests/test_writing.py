"""Files that are written: what stays untouched, what is kept, what is left when something goes wrong."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_sources import SIMPLIFIED
from wxtext import sources, writing
from wxtext.errors import SourceError
from wxtext.sources import Source, open_source
from wxtext.writing import END, write_file

pytestmark = pytest.mark.usefixtures("_in_tmp_path")


@pytest.fixture
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# Files written.

FRAMED = b"<!-- wxtext:begin -->\n<text>\xe4\xb8\x80</text>\n<!-- wxtext:end -->\n"
PIECES = ("<text>", "一", "</text>\n")


@pytest.fixture
def source() -> Iterator[Source]:
    Path("notes.txt").write_text("一", encoding="utf-8")
    with open_source("notes.txt") as opened:
        yield opened


def left_behind() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"notes.txt", "page.wxml"}


def not_written(path: str, source: Source, *, force: bool = False) -> str:
    """Try to write, and return why that is refused; nothing may have changed."""
    before = {name: (name.stat().st_mtime_ns, name.stat().st_ino) for name in Path().iterdir()}
    with pytest.raises(SourceError) as raised:
        write_file(path, PIECES, source, force=force)
    assert before == {name: (name.stat().st_mtime_ns, name.stat().st_ino) for name in Path().iterdir()}
    return str(raised.value)


def test_a_new_file(source: Source) -> None:
    mask = os.umask(0o027)
    try:
        write_file("page.wxml", PIECES, source)
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(mask)
    assert Path("page.wxml").read_bytes() == FRAMED
    if sys.platform != "win32":
        assert stat.S_IMODE(Path("page.wxml").stat().st_mode) == 0o640
    assert left_behind() == set()


def test_a_file_that_would_not_change_is_not_touched(source: Source) -> None:
    write_file("page.wxml", PIECES, source)
    os.utime("page.wxml", (1, 1))
    inode = Path("page.wxml").stat().st_ino
    write_file("page.wxml", PIECES, source, force=True)
    assert (Path("page.wxml").stat().st_ino, Path("page.wxml").stat().st_mtime) == (inode, 1)
    write_file("page.wxml", (*PIECES, "\n"), source)
    assert Path("page.wxml").stat().st_mtime > 1
    assert left_behind() == set()


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"", FRAMED),
        (FRAMED, FRAMED),
        (b"<!-- wxtext:begin --><!-- wxtext:end -->", FRAMED[:-1]),
        (
            b"<view>\r\n  <!-- wxtext:begin -->\r\nold\r\n  <!-- wxtext:end -->\r\n</view>",
            b"<view>\r\n  " + FRAMED[:-1].replace(b"\n", b"\r\n").replace(END, b"  " + END) + b"\r\n</view>",
        ),
        (
            b"a" * (writing._CHUNK - 5) + b"<!-- wxtext:begin -->" + b"b" * 9999 + b"<!-- wxtext:end -->c",
            b"a" * (writing._CHUNK - 5) + FRAMED[:-1] + b"c",
        ),
    ],
)
def test_what_is_between_the_markers_is_replaced(
    page: bytes, expected: bytes, force: bool, source: Source
) -> None:
    Path("page.wxml").write_bytes(page)
    write_file("page.wxml", PIECES, source, force=force)
    assert Path("page.wxml").read_bytes() == expected
    assert left_behind() == set()


@pytest.mark.parametrize(
    "page",
    [
        b"<view/>",
        b"\n",
        b"<!-- wxtext:begin --> <!-- wxtext:start --> <!-- wxtext: end -->",
        b"<!-- wxtext:end --><!-- wxtext:begin -->",
        FRAMED + FRAMED,
        b"<!-- wxtext:begin -->" + FRAMED,
        b"<!-- wxtext:end -->",
    ],
)
def test_other_files_are_replaced_only_by_force(page: bytes, source: Source) -> None:
    Path("page.wxml").write_bytes(page)
    reason = not_written("page.wxml", source)
    if writing.BEGIN in page or writing.END in page:
        assert reason == (
            "page.wxml: has marker comments, but not one <!-- wxtext:begin --> and then one "
            "<!-- wxtext:end -->; correct them, or replace the whole file with --force"
        )
    else:
        assert reason == (
            "page.wxml: was not written by wxtext; replace it with --force, or say where in it the text is "
            "to stand with <!-- wxtext:begin --> and <!-- wxtext:end -->"
        )
    write_file("page.wxml", PIECES, source, force=True)
    assert Path("page.wxml").read_bytes() == FRAMED


def test_missing_folders_are_made_and_nothing_is_left_of_them_if_that_fails(source: Source) -> None:
    write_file("pages/about/about.wxml", PIECES, source)
    assert Path("pages/about/about.wxml").read_bytes() == FRAMED

    def pieces() -> Iterator[str]:
        yield "x"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_file("new/page.wxml", pieces(), source)
    assert not Path("new").exists()


#: Pages, with `|` where text begins and `^` where it ends, and whether it may be written there.
_POSITIONS = [
    ("|^", True),
    ("<view>\n|\n^\n</view>\n", True),
    ("<view>\n  |\n  ^\n  <text>中</text>\n</view>\n", True),
    ("<view>\n\t|\n\t<text>老</text>\n\t^\n</view>", True),
    ("<view><view>中</view>|老^</view>", True),
    ("中\n|\n老\n^\n文", True),
    ("^\n|\n", False),
    ("|\n|\n^\n", False),
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "gbk", "utf-16", "big5"])
@pytest.mark.parametrize(("page", "right"), _POSITIONS)
def test_pages_are_right_afterwards_or_refused_and_untouched(
    page: str, right: bool, codec: str, line_end: str, source: Source
) -> None:
    for spaces in "", " ", "\t  ":
        begin, end = (f"<!--{spaces}wxtext:{name}{spaces}-->" for name in ("begin", "end"))
        text = page.replace("\n", line_end)
        old = text.replace("|", begin).replace("^", end).encode(codec)
        Path("page.wxml").write_bytes(old)
        foreign = codec == "utf-16" or (codec in {"gbk", "big5"} and not text.isascii())
        if foreign or not right or codec == "utf-8-sig":
            reason = not_written("page.wxml", source)
            assert Path("page.wxml").read_bytes() == old
            expected = "not valid UTF-8" if foreign else "byte order mark" if right else "has marker comments"
            assert expected in reason
            continue
        write_file("page.wxml", PIECES, source)
        new = Path("page.wxml").read_bytes().decode()
        line_end_here = line_end if "\n" in page else "\n"
        before, _, rest = text.partition("|")
        indent = rest.partition("^")[0].rpartition(line_end)[2] if "\n" in rest.partition("^")[0] else ""
        expected = f"{before}{begin}{line_end_here}<text>一</text>{line_end_here}{indent}{end}"
        assert new == expected + rest.partition("^")[2]


def test_the_encoding_of_a_page_is_named(source: Source) -> None:
    Path("page.wxml").write_bytes(
        "<view>中文页面\n<!-- wxtext:begin --><!-- wxtext:end --></view>".encode("gbk")
    )
    assert not_written("page.wxml", source) == (
        "page.wxml: the byte at offset 6 is not valid UTF-8, which WXML has to be; "
        "it looks like GB18030: save it as UTF-8"
    )


def test_text_that_holds_a_marker_is_not_written(source: Source) -> None:
    with pytest.raises(
        SourceError, match=r"^page\.wxml: the converted text holds a wxtext marker of its own$"
    ):
        write_file("page.wxml", ["<!-- wxtext", ":end -->"], source)
    assert not Path("page.wxml").exists()
    assert left_behind() == set()


def test_the_input_is_never_overwritten(source: Source) -> None:
    Path("hard.txt").hardlink_to("notes.txt")
    Path("soft.txt").symlink_to("notes.txt")
    for path in "notes.txt", "./notes.txt", "hard.txt", "soft.txt":
        assert not_written(path, source, force=True) == f"{path}: is the input, which is never overwritten"
    assert Path("notes.txt").read_text(encoding="utf-8") == "一"


def test_standard_input_is_never_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("notes.txt").write_bytes(b"a")
    with Path("notes.txt").open(encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with open_source("-") as source:
            reason = not_written("notes.txt", source, force=True)
    assert reason == "notes.txt: is the input, which is never overwritten"


def test_places_where_no_file_can_be(source: Source) -> None:
    Path("folder").mkdir()
    no_file = "is not the name of a file"
    assert not_written("folder", source) == f"folder: {no_file}"
    assert not_written("folder/", source) == f"folder/: {no_file}"
    assert not_written("new/", source) == f"new/: {no_file}"
    assert not_written("", source) == f"'': {no_file}"
    assert not_written("notes.txt/page.wxml", source) == f"notes.txt/page.wxml: {os.strerror(errno.ENOTDIR)}"
    name = "a" * 300
    assert not_written(name, source) == f"{name}: {os.strerror(errno.ENAMETOOLONG)}"


def test_a_write_protected_file_is_not_replaced(source: Source) -> None:
    Path("page.wxml").write_bytes(FRAMED)
    Path("page.wxml").chmod(0o444)
    assert not_written("page.wxml", source, force=True) == "page.wxml: is write-protected"
    Path("page.wxml").chmod(0o644)


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions")
def test_permissions_are_kept(source: Source) -> None:
    Path("page.wxml").touch()
    for mode in 0o600, 0o666, 0o755, 0o2664:
        Path("page.wxml").chmod(mode)
        write_file("page.wxml", [f"{mode}"], source)
        assert stat.S_IMODE(Path("page.wxml").stat().st_mode) == mode


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root may do everything")
def test_what_is_not_permitted(source: Source) -> None:
    denied = os.strerror(errno.EACCES)
    Path("secret.txt").touch(mode=0)
    with pytest.raises(SourceError, match=f"^secret.txt: {denied}$"), open_source("secret.txt"):
        pass
    Path("page.wxml").touch(mode=0o200)
    assert not_written("page.wxml", source) == f"page.wxml: {denied}"
    Path("page.wxml").chmod(0o044)
    assert not_written("page.wxml", source) == "page.wxml: is write-protected"
    Path("folder").mkdir(mode=0o500)
    assert not_written("folder/page.wxml", source) == f"folder/page.wxml: {denied}"


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root gives files away")
def test_the_owner_stays(source: Source) -> None:
    Path("page.wxml").touch()
    os.chown("page.wxml", 1234, 5678)
    write_file("page.wxml", PIECES, source)
    status = Path("page.wxml").stat()
    assert (status.st_uid, status.st_gid) == (1234, 5678)


def test_symbolic_links_are_followed(source: Source) -> None:
    Path("real").mkdir()
    Path("real/page.wxml").touch()
    Path("link.wxml").symlink_to("real/page.wxml")
    Path("new.wxml").symlink_to("real/new.wxml")
    Path("loop.wxml").symlink_to("loop.wxml")
    for name in "link.wxml", "new.wxml":
        write_file(name, PIECES, source)
        assert Path(name).is_symlink()
    assert {path.name: path.read_bytes() for path in Path("real").iterdir()} == {
        "page.wxml": FRAMED,
        "new.wxml": FRAMED,
    }
    with pytest.raises(SourceError, match=f"^loop.wxml: {os.strerror(errno.ELOOP)}$"):
        write_file("loop.wxml", PIECES, source)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in directories")
def test_pipes_and_devices_get_the_text_alone(source: Source) -> None:
    os.mkfifo("pipe")
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(Path("pipe").read_bytes()))
    reader.start()
    write_file("pipe", PIECES, source)
    reader.join()
    assert received == ["".join(PIECES).encode()]
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    write_file(os.devnull, PIECES, source)
    if Path("/dev/full").exists():
        with pytest.raises(SourceError, match=f"^/dev/full: {os.strerror(errno.ENOSPC)}$"):
            write_file("/dev/full", PIECES, source)


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("old", [None, FRAMED])
def test_what_fails_half_way_leaves_everything_as_it_was(
    old: bytes | None, fault: type[BaseException], source: Source
) -> None:
    if old is not None:
        Path("page.wxml").write_bytes(old)

    def pieces() -> Iterator[str]:
        yield "x" * 1_000_000
        raise fault

    with pytest.raises(fault):
        write_file("page.wxml", pieces(), source)
    assert (Path("page.wxml").read_bytes() if Path("page.wxml").exists() else None) == old
    assert left_behind() == set()


def test_a_full_disk_leaves_everything_as_it_was(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("page.wxml").write_bytes(b"<!-- wxtext:begin -->old<!-- wxtext:end -->")

    class Full(io.FileIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", lambda handle, _mode: Full(handle, "r+"))
    assert not_written("page.wxml", source) == f"page.wxml: {os.strerror(errno.ENOSPC)}"


# Scale.


@pytest.mark.skipif(sys.platform == "win32", reason="no such measure of memory")
def test_memory_stays_flat() -> None:
    program = (
        "import resource, sys\n"
        "from wxtext.sources import open_source\n"
        "from wxtext.writing import END, write_file\n"
        "with open_source('notes.txt') as source:\n"
        "    write_file('page.wxml', source.lines(), source)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )

    def peak(repeat: int, codec: str) -> int:
        Path("notes.txt").write_bytes(SIMPLIFIED.encode(codec) * repeat)
        Path("page.wxml").unlink(missing_ok=True)
        done = subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(sources.__file__).parents[1])},
        )
        return int(done.stdout) // (1024 if sys.platform == "darwin" else 1)

    for codec in "utf-8", "gb18030":
        assert peak(100_000, codec) < peak(10_000, codec) + 8_000  # kilobytes

"""What is made visible before anybody sees it, and what reads it stays able to."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wxtext.escapes import in_diff, in_json, one_line, visible

#: What no terminal and no log may get: C0 and C1, marks of direction, halves of surrogate pairs.
RAW = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
#: Text with all of it, and with what begins a command of a build service.
HOSTILE = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from("\x1b\x07\x9b\n\r\t\0\u202e\u2066\u200f\udcff\ud800#[]: ab中\u3000\u200d"),
    )
) | st.sampled_from(
    ("::set-output name=a::b", " \t::error::x", "a##[add-mask]x", "##vso[task.complete]", "a::b")
)


@given(HOSTILE)
def test_what_is_visible(text: str) -> None:
    assert not RAW.search(visible(text))
    assert visible(visible(text)) == visible(text)
    assert not RAW.search(visible(text, "\n\t").translate({9: None, 10: None}))
    line = one_line(text)
    assert not RAW.search(line)
    assert not line.lstrip().startswith("::")
    assert not re.search(r"##\w*\[", line, re.ASCII)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("价格 ￥5\u3000é e\u0301 👨\u200d👩", "价格 ￥5\u3000é e\u0301 👨\u200d👩"),
        ("\x1b]0;a\x07", r"\x1b]0;a\x07"),
        ("a\u202eb\u2066", r"a\u202eb\u2066"),
        ("a\tb\nc\r", r"a\tb\nc\r"),
        ("\udcff\x9b", r"\udcff\x9b"),
        ("::set-output name=a::b", r"\x3a:set-output name=a::b"),
        ("\u3000::error::x", "\u3000\\x3a:error::x"),
        ("a ##[add-mask]b ##vso[c] ## [d] #e[f]", r"a #\x23[add-mask]b #\x23vso[c] ## [d] #e[f]"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(HOSTILE)
def test_json_means_the_same(text: str) -> None:
    dumped = in_json(json.dumps(text, ensure_ascii=False))
    assert not RAW.search(dumped)
    assert not re.search(r"##\w*\[", dumped, re.ASCII)
    assert json.loads(dumped.encode()) == re.sub("[\ud800-\udfff]", "\ufffd", text)


NAMES = (
    "页面.wxml",
    "a b.wxml",
    'q"\\.wxml',
    "t\tn\nr\r.wxml",
    "\x1b[31m.wxml",
    "\u202e.wxml",
    "\udcff中.wxml",
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("name", NAMES)
def test_git_takes_the_names_in_a_diff(name: str, tmp_path: Path) -> None:
    header = in_diff(f"a/{name}")
    assert not RAW.search(header.removesuffix("\t"))
    if shutil.which("git") is None:
        pytest.skip("git judges here")
    (tmp_path / name).write_text("old\n", "utf-8")
    diff = f"--- {header}\n+++ {in_diff(f'b/{name}')}\n@@ -1 +1 @@\n-old\n+new\n"
    subprocess.run(["git", "apply"], cwd=tmp_path, input=os.fsencode(diff), check=True)
    assert (tmp_path / name).read_text("utf-8") == "new\n"

"""Large and hostile notes: time grows as the notes do."""

from __future__ import annotations

import time

import pytest

import wxtext

SMALL, LARGE = 2_000, 16_000

HOSTILE = {
    "backslashes": "\\",
    "tags": "<a",
    "entities": "&a",
    "braces": "{",
    "bindings that never close": "{{",
    "bindings that close at the end": "{{a + 'x' + ",
    "bindings in strings": "{{'{{' + ",
    "bindings": "{{a}} ",
    "lines": "a\n",
    "paragraphs": "  a b\n\n",
    "runs of spaces": "a  b\t",
    "controls": "\x01",
}


@pytest.mark.parametrize("target", ["webview", "skyline"])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_time_is_linear(piece: str, target: wxtext.semantics.Target) -> None:
    def duration(count: int) -> float:
        start = time.process_time()
        wxtext.convert(piece * count + "}}", target=target, bindings=True)
        return time.process_time() - start

    duration(100)
    small = max(min(duration(SMALL) for _ in range(3)), 0.002)
    # Were it quadratic, it would be 64 times.
    assert duration(LARGE) < small * (LARGE / SMALL) * 4

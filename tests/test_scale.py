"""Large and hostile notes: time grows as the notes do."""

from __future__ import annotations

import gc
import time

import pytest

import wxtext

SMALL, LARGE = 4_000, 32_000

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
        # What other tests have left is not to be looked through while time is taken.
        gc.collect()
        gc.disable()
        try:
            start = time.process_time()
            wxtext.convert(piece * count + "}}", target=target, bindings=True)
            return time.process_time() - start
        finally:
            gc.enable()

    duration(100)
    small = max(min(duration(SMALL) for _ in range(3)), 0.004)
    # Were it quadratic, it would be 64 times.
    assert min(duration(LARGE) for _ in range(2)) < small * (LARGE / SMALL) * 4

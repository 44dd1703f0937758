"""WeChat's official compilers as test oracles.

`Oracle` keeps one Node process that answers for both compilers; see `oracle.js` beside this file.
The compilers come from npm (`npm ci` in this folder) and are needed by the tests alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def missing() -> str | None:
    """Say why the compilers cannot be run here, or None if they can."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (FOLDER / "node_modules" / "miniprogram-compiler").is_dir():
        return "run `npm ci` in tests/oracle"
    return None


class Oracle:
    """A running `oracle.js`, restarted whenever the glass-easel compiler has crashed it.

    `stack` is node's stack, in kB; None is its own size, 984 kB in 64-bit node.
    """

    def __init__(self, stack: int | None = 4000) -> None:
        self._stack = stack
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def _ask(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        if self._process is None:
            stack = [] if self._stack is None else [f"--stack-size={self._stack}"]
            self._process = subprocess.Popen(
                ["node", *stack, str(FOLDER / "oracle.js")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"oracle.js ended with {self._process.wait()}")
        results: list[dict[str, Any]] = json.loads(line)
        if results and "fatal" in results[-1]:
            self.close()
        return results

    def compile(
        self, compiler: str, sources: list[str], data: dict[str, Any] | None = None, batch: int = 100
    ) -> list[dict[str, Any]]:
        """Compile each source and evaluate it with `data`.

        Answers `{"tree": [...]}` (glass-easel: and `"warnings"`), `{"error": ...}` or `{"fatal": ...}` for
        each. What a batch holds is compiled in one process.
        """
        return self._in_batches({"compiler": compiler, "data": data or {}}, sources, batch)

    def texts(self, compiler: str, sources: list[str], batch: int = 1000) -> list[dict[str, Any]]:
        """Compile each source as `compile` does, but answer `{"text": ...}`: all its text nodes, joined."""
        return self._in_batches({"compiler": compiler, "data": {}, "brief": True}, sources, batch)

    def _in_batches(self, request: dict[str, Any], sources: list[str], batch: int) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = []
        while len(results) < len(sources):
            part = sources[len(results) : len(results) + batch]
            results += self._ask({**request, "sources": part})
        return results

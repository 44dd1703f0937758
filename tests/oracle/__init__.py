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

    `stack` is node's stack, in kB; None is its own size, 984 kB in 64-bit node. `machine_stack` is that of
    the process and of wcc, in kB; None is the machine's, 8 MB on Linux (1 MB on Windows, not to be set).
    """

    def __init__(self, stack: int | None = 4000, machine_stack: int | None = None) -> None:
        self._stack = stack
        self._machine_stack = machine_stack
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
            command = ["node", str(FOLDER / "oracle.js")]
            if self._stack is not None:
                command.insert(1, f"--stack-size={self._stack}")
            if self._machine_stack is not None:
                command = ["sh", "-c", f'ulimit -S -s {self._machine_stack}; exec "$@"', "sh", *command]
            self._process = subprocess.Popen(
                command,
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
            status, self._process = self._process.wait(), None
            raise RuntimeError(f"oracle.js ended with {status}")
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

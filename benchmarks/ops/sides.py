"""The two processes: this tree's torch and the real PyTorch."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


class Died(Exception):
    """The process ended instead of answering."""


def environment(peer: bool) -> dict[str, str]:
    """What a process of one of the two sees."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    if peer:
        return plain
    return plain | {"PYTHONPATH": os.pathsep.join([str(_HERE), *(p for p in sys.path if p)])}


class Side:
    """One of the two: an interpreter with its torch."""

    def __init__(self, python: str, peer: bool, clock: str = "wall") -> None:
        self._python, self._environment, self._clock = python, environment(peer), clock
        self._worker = self._start()

    def _start(self) -> subprocess.Popen[str]:
        self._ready = False
        return subprocess.Popen(
            [self._python, "-W", "ignore", str(_HERE / "worker.py"), self._clock],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self._environment,
        )

    def ask(self, request: dict[str, Any], limit: float | None = None) -> dict[str, Any]:
        """The worker's answer; `absent` with the reason if there is no such case. Raises Died.

        A worker that takes longer than the limit, in seconds, is ended. Its start does not count.
        """
        assert self._worker.stdin and self._worker.stdout
        if not self._ready:
            # Before the request: an answer that came with this line would lie in Python's buffer,
            # where select() does not see it.
            self._worker.stdout.readline()
            self._ready = True
        with contextlib.suppress(BrokenPipeError):
            self._worker.stdin.write(json.dumps(request) + "\n")
            self._worker.stdin.flush()
        if limit is not None and not select.select([self._worker.stdout], [], [], limit)[0]:
            self._worker.kill()
            self._worker.wait()
            self._worker = self._start()
            raise Died(f"no answer in {limit:.0f} seconds")
        line = self._worker.stdout.readline()
        if not line:
            status = self._worker.wait()
            self._worker = self._start()
            raise Died(f"{self._python}: the worker ended with status {status}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Ends the worker."""
        assert self._worker.stdin
        self._worker.stdin.close()
        self._worker.wait()

    def run(self, program: str) -> tuple[float, str]:
        """Seconds and output of a program in a fresh interpreter."""
        start = time.perf_counter()
        done = subprocess.run(
            [self._python, "-c", program],
            cwd=os.sep,  # Not where another torch may be.
            env=self._environment,
            text=True,
            capture_output=True,
            check=True,
        )
        return time.perf_counter() - start, done.stdout

    def import_seconds(self) -> float:
        """What `import torch` adds to the start of Python."""
        return self.run("import torch")[0] - self.run("pass")[0]

    def peak_megabytes(self, case: str | None = None) -> float:
        """The most memory that a fresh interpreter held to import torch, or for a case's calls."""
        program = "import resource, torch\n"
        if case is not None:
            program += f"import sys; sys.path.insert(0, {str(_HERE)!r}); from cases import CASES\n"
            program += f"torch.manual_seed(0); call = CASES[{case!r}](); call(); call()\n"
        program += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        return float(self.run(program)[1]) / 1024

    def installed_megabytes(self) -> float:
        """The size of the package's files, followed through links."""
        folder = self.run("import torch; print(torch.__path__[0])")[1].strip()
        files = {
            os.path.realpath(os.path.join(directory, name))
            for directory, _, names in os.walk(folder, followlinks=True)
            for name in names
            if "__pycache__" not in directory and "_solib" not in directory
        }
        return sum(os.path.getsize(file) for file in files) / 2**20

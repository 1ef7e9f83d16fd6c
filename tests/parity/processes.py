"""The two processes: PyTorch's, whose answers are recorded, and this tree's."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compare import file_name

_HERE = Path(__file__).resolve().parent
_PATIENCE = 120  # Seconds for one case.


class Peer:
    """The interpreter with the real PyTorch, and the directory of what it answered."""

    def __init__(self, python: str, cache: Path, sample: bool) -> None:
        self._command = [python, "-W", "ignore", str(_HERE / "record.py")] + (
            ["--sample"] if sample else []
        )
        version = "import importlib.metadata as m; print(m.version('torch'))"
        done = subprocess.run([python, "-c", version], capture_output=True, text=True, env=_plain())
        if done.returncode:
            sys.exit(
                f"--peer {python} has no PyTorch; it needs torch, numpy and expecttest:\n"
                f"{done.stderr}\n    python3 -m pip install torch numpy expecttest"
            )
        key = hashlib.sha256(done.stdout.encode() + bytes(sample))
        for source in ("record.py", "run.py", "values.py"):
            key.update((_HERE / source).read_bytes())
        self.directory = cache / key.hexdigest()[:16]
        self.directory.mkdir(parents=True, exist_ok=True)
        self._list = self.directory / "operators.json"
        if not self._list.exists():
            self._run("--list", str(self._list))

    def operators(self) -> dict[str, Any]:
        """The database: full names with their facts."""
        found: dict[str, Any] = json.loads(self._list.read_text(encoding="utf-8"))
        return found

    def path(self, name: str) -> Path:
        """Where an operator's cases are."""
        return self.directory / file_name(name)

    def record(self, names: list[str]) -> None:
        """Makes what is not there yet."""
        missing = [name for name in names if not self.path(name).exists()]
        if missing:
            print(f"PyTorch answers for {len(missing)} operators", file=sys.stderr)
            self._run("--directory", str(self.directory), "--operators", *missing)

    def _run(self, *arguments: str) -> None:
        done = subprocess.run([*self._command, *arguments], env=_plain(), stdout=subprocess.DEVNULL)
        if done.returncode:
            sys.exit("PyTorch's process failed; its message is above")


def _plain() -> dict[str, str]:
    """The environment without this tree's packages."""
    return {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


class Runner:
    """A process that runs cases, of this tree's PyTorch or another's; replaced when it dies."""

    def __init__(self, python: str | None = None, megabytes: int = 0) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        path = os.pathsep.join([str(_HERE), *(p for p in sys.path if p)])
        self._environment = {**os.environ, "PYTHONPATH": path} if python is None else _plain()
        self._command = [python or sys.executable, "-W", "ignore", str(_HERE / "run.py")]
        # Sanitizers take terabytes of addresses.
        if megabytes and "LD_PRELOAD" not in os.environ:
            limit = f'ulimit -v {megabytes * 1024} && exec "$@"'
            self._command = ["/bin/sh", "-c", limit, "sh", *self._command]

    def run(self, path: Path, offset: int) -> dict[str, Any]:
        """The outcome of the case at an offset of a file."""
        if self.process is None:
            self.process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self._environment,
            )
        process = self.process
        assert process.stdin and process.stdout
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(f"{offset} {path}\n".encode())
            process.stdin.flush()
        # One request has one answer, so none waits in this process's buffer.
        if not select.select([process.stdout], [], [], _PATIENCE)[0]:
            process.kill()
        try:
            answer: dict[str, Any] = pickle.load(process.stdout)
            return answer
        except (EOFError, pickle.UnpicklingError):
            self.process = None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            return {"died": f"the process ended with status {process.wait()}"}

    def close(self) -> None:
        """Ends the process."""
        if self.process is not None and self.process.stdin:
            self.process.stdin.close()
            self.process.wait()


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file with their offsets."""
    with path.open("rb") as file:
        while True:
            offset = file.tell()
            try:
                yield offset, pickle.load(file)
            except EOFError:
                return

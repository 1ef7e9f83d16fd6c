"""Runs a test file in processes of its own: a crash or a hang costs one test and not the rest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def _read(log: Path) -> tuple[dict[str, tuple[str, str]], str | None, bool]:
    """The outcomes, the test that is running, and whether all have run."""
    outcomes: dict[str, tuple[str, str]] = {}
    running: str | None = None
    complete = False
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            continue  # The process died while it wrote.
        if value is None:
            complete = True
        elif isinstance(value, str):
            running = value
        else:
            outcomes[value[0]] = (value[1], value[2])
            running = None
    return outcomes, running, complete


def run_file(
    command: list[str],
    file: Path,
    environment: dict[str, str],
    *,
    helpers: Path | None = None,
    only: str | None = None,
    patience: float = 120,
    share: float = 1,
    seed: str = "",
) -> dict[str, tuple[str, str]]:
    """What became of each test of `file`.

    Args:
      command: the Python of the torch under test.
      file: the test file.
      environment: of the processes.
      helpers: the directory of an installed PyTorch, where its test helpers are taken from.
      only: a part of the names of the tests to run.
      patience: seconds that one test may take.
      share: how many of the tests run; `seed` draws them.
      seed: any text.

    Raises:
      RuntimeError: the file cannot be imported; the text has the end of its output.
    """
    with tempfile.TemporaryDirectory() as directory:
        log, done = Path(directory, "log"), Path(directory, "done")
        lost: dict[str, tuple[str, str]] = {}
        while True:
            outcomes, _, _ = _read(log)
            done.write_text("\n".join([*outcomes, *lost]), encoding="utf-8")
            words = [*command, "-W", "ignore", str(_HERE / "child.py"), str(file), str(log)]
            words += ["--done", str(done)]
            words += ["--helpers", str(helpers)] if helpers else []
            words += ["--only", only] if only else []
            words += ["--share", str(share), "--seed", seed]
            with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
                process = subprocess.Popen(
                    words, env=environment, stdout=output, stderr=output, start_new_session=True
                )
                hung = _wait(process, log, patience)
                output.seek(0)
                text = output.read()
            outcomes, running, complete = _read(log)
            if complete and running is None:
                return {**outcomes, **lost}
            if running is None or running in lost:
                raise RuntimeError(f"{file.name} does not run:\n{text[-2000:]}")
            code = process.returncode
            reason = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
            lost[running] = (
                ("hung", f"no end after {patience:.0f} s") if hung else ("crashed", reason)
            )


def _wait(process: subprocess.Popen[str], log: Path, patience: float) -> bool:
    """Waits for the end, or ends a process that has written nothing for too long."""
    size, since = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(0.05)
        now = log.stat().st_size if log.exists() else 0
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > patience:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
    return False

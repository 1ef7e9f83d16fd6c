"""Runs the commands of an extension's build: with Ninja where there is one, else by itself."""

from __future__ import annotations

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """One command.

    Attributes:
      output: the file that it makes.
      inputs: the files that it is given.
      command: its words.
      depfile: where it lists what else it read; empty when it does not.
    """

    output: str
    inputs: tuple[str, ...]
    command: tuple[str, ...]
    depfile: str = ""


def find_ninja() -> str | None:
    """Ninja of the environment or of PATH; None where there is none."""
    try:
        from ninja import BIN_DIR
    except ImportError:
        BIN_DIR = ""
    # The package may be there without its program, which is elsewhere than pip puts it.
    return os.path.join(BIN_DIR, "ninja") if BIN_DIR else shutil.which("ninja")


def is_ninja_available() -> bool:
    """Whether extensions are built by Ninja."""
    return find_ninja() is not None


def _jobs() -> int:
    text = os.environ.get("MAX_JOBS", "")
    if text and not re.fullmatch("0*[1-9][0-9]*", text):
        raise RuntimeError(f"MAX_JOBS={text}: wanted a number from 1. Type: MAX_JOBS=4")
    return int(text) if text else os.cpu_count() or 1


def _escape(path: str) -> str:
    return path.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def _ninja_file(steps: Sequence[Step]) -> str:
    lines = ["ninja_required_version = 1.3"]
    for number, step in enumerate(steps):
        command = shlex.join(step.command).replace("$", "$$")
        lines += ["", f"rule step_{number}", f"  command = {command}"]
        if step.depfile:
            lines += [f"  depfile = {_escape(step.depfile)}", "  deps = gcc"]
        inputs = " ".join(_escape(path) for path in step.inputs)
        lines.append(f"build {_escape(step.output)}: step_{number} {inputs}")
    return "\n".join(lines) + "\n"


def _fail(what: str, output: str) -> None:
    raise RuntimeError(f"Error building extension: {what} failed:\n{output}")


def _run_ninja(ninja: str, directory: Path, steps: Sequence[Step], verbose: bool) -> None:
    (directory / "build.ninja").write_text(_ninja_file(steps), encoding="utf-8")
    command = [ninja, "-j", str(_jobs())] + (["-v"] if verbose else [])
    done = subprocess.run(
        command,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if verbose:
        print(done.stdout, end="")
    if done.returncode != 0:
        _fail(shlex.join(command), done.stdout)


def _read_depfile(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    return [one.replace("\0", " ") for one in text.replace("\\ ", "\0").split(":", 1)[1].split()]


def _is_fresh(directory: Path, step: Step, done: dict[str, list[str]]) -> bool:
    output = directory / step.output
    if not output.exists() or done.get(step.output) != list(step.command):
        return False
    read = list(step.inputs)
    if step.depfile:
        if not (directory / step.depfile).exists():
            return False
        read += _read_depfile(directory / step.depfile)
    built = output.stat().st_mtime_ns
    paths = [directory / path for path in read]
    return all(path.exists() and path.stat().st_mtime_ns <= built for path in paths)


def _run_step(directory: Path, step: Step, verbose: bool) -> None:
    if verbose:
        print(shlex.join(step.command))
    result = subprocess.run(
        step.command,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        _fail(shlex.join(step.command), result.stdout)


def run(directory: Path, steps: Sequence[Step], verbose: bool = False, ninja: bool = True) -> None:
    """Brings every output up to date.

    Args:
      directory: where the commands run; relative paths start there.
      steps: commands; those of one output's inputs come before it.
      verbose: whether commands are printed.
      ninja: whether Ninja may be used.

    Raises:
      RuntimeError: a command failed; the message has its output.
    """
    program = find_ninja() if ninja else None
    if program:
        _run_ninja(program, directory, steps, verbose)
        return
    record = directory / ".commands.json"
    done = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    made = {step.output for step in steps}
    waves = [[step for step in steps if not made & set(step.inputs)]]
    waves.append([step for step in steps if step not in waves[0]])
    with concurrent.futures.ThreadPoolExecutor(_jobs()) as pool:
        for wave in waves:
            stale = [step for step in wave if not _is_fresh(directory, step, done)]
            list(pool.map(lambda step: _run_step(directory, step, verbose), stale))
            done |= {step.output: list(step.command) for step in stale}
    record.write_text(json.dumps(done), encoding="utf-8")

"""This checkout and its Bazel, for programs that `bazel run` starts."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

# Bazel's exit status where a target could not be loaded, analysed or built.
_SOME_FAILED = 1


def workspace() -> Path:
    """The checkout that `bazel run` was called in."""
    return Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])


def from_here(path: Path) -> Path:
    """A path as the user typed it, from the folder where `bazel run` was called."""
    return Path(os.environ.get("BUILD_WORKING_DIRECTORY", workspace())) / path


@contextlib.contextmanager
def writing(path: Path, instead: str) -> Iterator[None]:
    """Ends the program where a file cannot be written, with what to type instead."""
    try:
        yield
    except OSError as error:
        sys.exit(f"cannot write {path} ({error.strerror}). Name another place: {instead}")


def split(words: Sequence[str], default: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tells targets, which begin with `//`, `-//`, `:` or `@`, from options of Bazel.

    Args:
      words: of the command line.
      default: the targets where there are none.

    Returns:
      The targets, and the other words. Ends the program where one is neither a target, an option
      nor the value of the option before it.
    """
    # Bazel also takes targets of the checkout without the slashes, such as c10/core:all.
    plain = re.compile(r"\w[\w./+-]*(:[\w.+-]+|/\.\.\.)")
    words = [f"//{word}" if plain.fullmatch(word) else word for word in words]
    targets = [word for word in words if word.removeprefix("-").startswith(("//", ":", "@"))]
    options = [word for word in words if word not in targets]
    for before, word in pairwise(["", *words]):
        if not word.startswith(("-", "//", ":", "@")) and (before[:1] != "-" or "=" in before):
            sys.exit(f"{word} is no target and no option. Targets are such as //c10/core or //...")
    return targets or list(default), options


def expression(targets: Sequence[str]) -> str:
    """Targets of a command line in Bazel's query language, where `-//x` leaves out."""
    kept = " + ".join(target for target in targets if not target.startswith("-")) or "//..."
    return kept + "".join(f" - {target[1:]}" for target in targets if target.startswith("-"))


def only_built(targets: Sequence[str]) -> list[str]:
    """Options with which cquery and aquery take of `//...` what `bazel build //...` takes.

    Without them they also analyse targets tagged `manual`, often errors on purpose, and fetch what
    only those need.
    """
    wild = re.compile(r".*(\.\.\.|:all|:\*|:all-targets)")
    named = [target for target in targets if not target.startswith("-")]
    return ["--build_tag_filters=-manual"] if all(map(wild.fullmatch, named)) else []


def bazel(command: str, *arguments: str, partial: bool = False) -> str:
    """Runs this checkout's Bazel. Ends the program where Bazel fails.

    Args:
      command: of Bazel.
      arguments: after it.
      partial: whether to go on if Bazel fails with some of the targets; `--keep_going` is among
        the arguments then.

    Returns:
      What it printed; its errors go to the terminal.
    """
    quiet = ["--noshow_progress", "--ui_event_filters=-info,-warning"]
    line = [str(workspace() / "bazelw"), command, *quiet, *arguments]
    done = subprocess.run(line, cwd=workspace(), stdout=subprocess.PIPE, check=False, text=True)
    if done.returncode not in ((0, _SOME_FAILED) if partial else (0,)):
        sys.exit(f"Bazel stopped with the error above. It ran: {' '.join(line)}")
    return done.stdout

"""A checkout of the tree with an output base of its own, and what its builds compile."""

from __future__ import annotations

import json
import os
import pwd
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.lint.tree import tree_files

Tree = Mapping[str, str]

# All of the tree that is compiled.
PRODUCTS = ("//torch", "//aten:libtorch_cpu")
# Files that are malformed on purpose come back as they were.
_ANY_BYTES = "surrogateescape"
COMPILER = "tests/budget/reading_compiler.sh"
TENSOR_CLASS = "aten/src/ATen/core/TensorBody.h"


@dataclass(frozen=True)
class Compilation:
    """A compile action that a build ran, or took from the cache.

    Attributes:
      output: the object file, from the root of the outputs.
      inputs: every file that it may read.
      hit: whether a cache had the answer.
    """

    output: str
    inputs: frozenset[str]
    hit: bool

    @property
    def source(self) -> str:
        """Name of the source, without its ending."""
        return Path(self.output).name.split(".")[0]


def compilations(log: str) -> list[Compilation]:
    """The compile actions of `--execution_log_json_file`; those up to date are not in it."""
    return [
        Compilation(
            output=_below_bin(entry["listedOutputs"][-1]),
            inputs=frozenset(file["path"] for file in entry["inputs"]),
            hit=entry["cacheHit"],
        )
        for entry in _objects(log)
        if entry["mnemonic"] == "CppCompile"
    ]


@dataclass(frozen=True)
class Link:
    """An action that makes a library of objects or of other libraries.

    Attributes:
      output: the library, from the root of the outputs.
      inputs: what it is made of, likewise.
      interface: whether it writes a library's symbols alone, so that its output stays the same
        unless these change.
    """

    output: str
    inputs: frozenset[str]
    interface: bool


_INTERFACE = "InterfaceLibrary"


def _library(path: str) -> str:
    """A path below the outputs; of an interface the name alone, because links lead to it."""
    return Path(path).name if path.endswith(".ifso") else _below_bin(path)


def links(log: str) -> list[Link]:
    """The archives, libraries and interfaces of the same log."""
    return [
        Link(
            output=_library(entry["listedOutputs"][0]),
            inputs=frozenset(_library(file["path"]) for file in entry["inputs"]),
            interface=entry["mnemonic"] == _INTERFACE,
        )
        for entry in _objects(log)
        if entry["mnemonic"] in ("CppArchive", "CppLink", _INTERFACE)
    ]


def linked(compiled: Iterable[Compilation], among: Iterable[Link], *, symbols: bool) -> set[str]:
    """The shared libraries that are linked again after some compilations.

    With `symbols` these change what a library exports, so that its users are linked again too.
    """
    among = [link for link in among if symbols or not link.interface]
    new = {compilation.output for compilation in compiled}
    while True:
        more = {link.output for link in among if link.inputs & new} - new
        if not more:
            return {name for name in new if name.endswith(".so")}
        new |= more


def actions_ran(log: str) -> Counter[str]:
    """How many actions of each mnemonic ran, of the same log; what a cache answered did not."""
    return Counter(entry["mnemonic"] for entry in _objects(log) if not entry["cacheHit"])


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects one after another."""
    decoder = json.JSONDecoder()
    position = 0
    while position < len(text):
        entry, position = decoder.raw_decode(text, position)
        yield entry
        while position < len(text) and text[position].isspace():
            position += 1


def _below_bin(path: str) -> str:
    """A path without the folder of a configuration's outputs."""
    return re.sub(r"^bazel-out/[^/]+/bin/", "", path)


@dataclass(frozen=True)
class Checkout:
    """A copy of the tree.

    Attributes:
      root: the copy.
      output_base: where Bazel keeps what belongs to it.
      settings: options of every command.
    """

    root: Path
    output_base: Path
    settings: tuple[str, ...]

    @staticmethod
    def of(source: Path, root: Path, output_base: Path, settings: tuple[str, ...]) -> Checkout:
        """Copies a tree."""
        hidden = [source / name for name in (".bazelignore", ".bazelrc", ".bazelversion")]
        for path in [*tree_files(source), *hidden]:
            target = root / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
            target.chmod(path.stat().st_mode)
        # No personal settings: a disk cache would answer what the remote cache is asked.
        lines = "".join(f"build {setting}\n" for setting in settings)
        (root / ".bazelrc.user").write_text(lines, encoding="utf-8")
        return Checkout(root, output_base, settings)

    def bazel(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs Bazel in the checkout."""
        line = ["./bazelw", f"--output_base={self.output_base}", command, *arguments]
        # A test has no home, and bazelw keeps there what it found out about this machine.
        environment = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}
        return subprocess.run(
            line, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )

    def must(self, command: str, *arguments: str) -> str:
        """Runs Bazel, and ends the program where it fails."""
        result = self.bazel(command, *arguments)
        if result.returncode != 0:
            sys.exit(f"bazel {command} {' '.join(arguments)}\nfailed:\n{result.stderr[-8000:]}")
        return result.stdout

    def build(self, *options: str) -> list[Compilation]:
        """Builds all, and says what was compiled or taken from the cache."""
        self.must("build", f"--execution_log_json_file={self._log}", *options, *PRODUCTS)
        return compilations(self._log.read_text(encoding="utf-8"))

    def links(self) -> list[Link]:
        """The archives, libraries and interfaces of the last build, made or from the cache."""
        return links(self._log.read_text(encoding="utf-8"))

    def ran(self) -> Counter[str]:
        """How many actions of each mnemonic the last build ran."""
        return actions_ran(self._log.read_text(encoding="utf-8"))

    @property
    def _log(self) -> Path:
        return self.output_base.with_name(self.output_base.name + ".log")

    def update(self) -> None:
        """Refreshes the generated files that are checked in."""
        self.must("run", "//tools:update")

    def files(self) -> dict[str, str]:
        """Its sources."""
        return {
            str(path.relative_to(self.root)): path.read_text(encoding="utf-8", errors=_ANY_BYTES)
            for path in tree_files(self.root)
        }

    def become(self, files: Tree) -> None:
        """Makes its sources these, and touches only what differs."""
        now = self.files()
        for path in now.keys() - files.keys():
            (self.root / path).unlink()
        self.write({path: text for path, text in files.items() if now.get(path) != text})

    def write(self, files: Tree) -> None:
        """Changes some of its sources."""
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            mode = target.stat().st_mode if target.exists() else None
            target.write_text(text, encoding="utf-8", errors=_ANY_BYTES)
            if mode is not None:
                target.chmod(mode)

    def read_by(self, compilation: Compilation) -> frozenset[str]:
        """The files that a compilation did read, by what the compiler wrote down."""
        path = Path(self.root, "bazel-bin", compilation.output).with_suffix(".d")
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        return frozenset(os.path.normpath(word) for word in text.split()[1:])


def reading_compiler(source: Path, scratch: Path) -> tuple[str, ...]:
    """Settings with which a compiler that makes no code stands in for the real one."""
    compiler = scratch / "compiler.sh"
    compiler.write_bytes((source / COMPILER).read_bytes())
    compiler.chmod(0o755)
    # Bazel hides /tmp from actions.
    return (f"--repo_env=CC={compiler}", f"--sandbox_add_mount_pair={scratch}")


def generated(path: str) -> bool:
    """Whether a header is one that the operators decide."""
    below = _below_bin(path)
    return below != path and (below.startswith("aten/src/ATen/ops/") or below == TENSOR_CLASS)

"""Workspaces that are built with the tree's own configurations, by a Bazel inside a test."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tools.lint.tree import tree_files

# Three actions, one after the other; the middle one makes a blob of some size.
SMALL_BUILD = """
genrule(
    name = "first",
    srcs = ["input.txt"],
    outs = ["first.txt"],
    cmd = "tr a-z A-Z < $< > $@",
)

genrule(
    name = "second",
    srcs = ["first.txt"],
    outs = ["second.txt"],
    cmd = "for i in 1 2 3 4 5 6 7 8; do cat $<; done > $@",
)

genrule(
    name = "third",
    srcs = ["second.txt"],
    outs = ["third.txt"],
    cmd = "sort $< > $@",
)
"""
INPUT = "".join(f"line {number * 7919 % 1000}\n" for number in range(1000))


def expected(name: str) -> str:
    """What the small workspace must build."""
    first = INPUT.upper()
    lines = {"first": first, "second": first * 8}
    lines["third"] = "".join(sorted(lines["second"].splitlines(True)))
    return lines[name]


@dataclass
class Built:
    """How a build ended.

    Attributes:
      status: Bazel's exit status.
      said: all that it printed.
    """

    status: int
    said: str

    @property
    def _processes(self) -> str:
        """What Bazel counts: "1 internal, 2 remote cache hit"."""
        # A line of progress names the runner processwrapper-sandbox.
        found = re.search(r"^INFO: \d+ process(?:es)?: (.*)\.$", self.said, re.MULTILINE)
        return found[1] if found else ""

    def processes(self, kind: str) -> int:
        """How many actions ended as `remote cache hit`, `local`, `remote`..."""
        found = re.search(rf"(\d+) [\w-]*{kind}", self._processes)
        return int(found[1]) if found else 0

    @property
    def actions(self) -> int:
        """How many ran or were hits, those inside Bazel aside."""
        kinds = re.findall(r"(\d+) ([a-z][\w -]*)", self._processes)
        return sum(int(number) for number, kind in kinds if kind != "internal")


@dataclass
class Workspace:
    """A checkout and its own Bazel server.

    Attributes:
      root: the checkout.
      output_base: Bazel's folder for it.
    """

    root: Path
    output_base: Path

    def settings(self, *lines: str) -> None:
        """Writes .bazelrc.user."""
        (self.root / ".bazelrc.user").write_text("".join(f"{line}\n" for line in lines))

    def bazel(self, command: str, *arguments: str, **environment: str) -> Built:
        """Runs Bazel."""
        home = pwd.getpwuid(os.getuid()).pw_dir
        startup = [f"--output_base={self.output_base}", "--max_idle_secs=120"]
        result = subprocess.run(
            ["./bazelw", *startup, command, *arguments],
            cwd=self.root,
            env={"PATH": os.environ.get("PATH", os.defpath), "HOME": home, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Built(result.returncode, result.stdout)

    def build(self, *arguments: str, **environment: str) -> Built:
        """Builds."""
        return self.bazel("build", "--color=no", "--curses=no", *arguments, **environment)

    def output(self, path: str) -> bytes:
        """What a build made."""
        return (self.root / "bazel-bin" / path).read_bytes()

    def digests(self) -> dict[str, str]:
        """Every output file, by its path below bazel-bin.

        Not what Bazel writes only where an action ran: the compiler's lists of headers, and the
        arguments of workers.
        """
        beside = (".d", ".params", ".runfiles_manifest", "MANIFEST")
        top = (self.root / "bazel-bin").resolve()
        return {
            str(path.relative_to(top)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(top.rglob("*"))
            if path.is_file() and not path.name.endswith(beside)
        }

    def close(self) -> None:
        """Stops its server."""
        self.bazel("shutdown")


def copy_bazelw(tree: Path, root: Path) -> None:
    """Copies what `./bazelw` reads of the tree into a workspace."""
    tools = [f"tools/{name}.py" for name in ("failed_download", "nearest_option", "run_bazel")]
    for name in ("bazelw", *tools, ".bazelversion", ".bazelrc"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tree / name, root / name)


def small_workspace(tree: Path, root: Path) -> Workspace:
    """A workspace of three actions, with the tree's configurations."""
    copy_bazelw(tree, root)
    for folder in ("config", "remote"):
        shutil.copytree(tree / folder, root / folder, ignore=shutil.ignore_patterns("BUILD.bazel"))
    (root / "third_party").symlink_to(tree / "third_party")
    (root / ".bazelignore").write_text("third_party\n")
    modules = (tree / "MODULE.bazel").read_text(encoding="utf-8")
    dependencies = re.findall(r"^(?:bazel_dep|local_path_override)\([^)]*\)", modules, re.MULTILINE)
    (root / "MODULE.bazel").write_text("\n".join(['module(name = "small")', *dependencies, ""]))
    (root / "BUILD.bazel").write_text(SMALL_BUILD)
    (root / "input.txt").write_text(INPUT)
    return Workspace(root, root.with_name(f"{root.name}-output"))


def tree_checkout(tree: Path, root: Path) -> Workspace:
    """The tree itself, at another path and with an output base of its own."""
    for path in [*tree_files(tree), tree / ".bazelrc", tree / ".bazelversion"]:
        target = root / path.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return Workspace(root, root.with_name(f"{root.name}-output"))

"""A workspace of somebody else's that depends on this module by `bazel_dep`, nothing patched."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

BAZEL = Path("/usr/bin/bazel")
INSTALLED = Path("/usr/share/bazel")


def can_run() -> bool:
    """Whether this machine has the distribution's Bazel, whose modules need no registry."""
    return BAZEL.exists() and (INSTALLED / "embedded_tools").exists()


def _system_flags(root: Path) -> list[str]:
    """This tree's --config=system, as another workspace says it."""
    lines = (root / ".bazelrc").read_text(encoding="utf-8").splitlines()
    flags = [line.removeprefix("common:system ") for line in lines if "--override_module" in line]
    # Bazel refuses an override of a module that no other module depends on.
    module = (root / "MODULE.bazel").read_text(encoding="utf-8")
    own = re.findall(r'^bazel_dep\((?=.*\bdev_dependency\b).*?name = "(\w+)"', module, re.MULTILINE)
    assert own
    flags = [flag for flag in flags if flag.split("=")[1] not in own]
    assert flags
    registries = [
        f"--registry=file://{root}/{one}" for one in ("registry", "third_party/system_registry")
    ]
    return [flag.replace("%workspace%", str(root)) for flag in [*registries, *flags]]


def make_workspace(root: Path, directory: Path) -> Path:
    """The workspace, in a directory that also gets its output.

    Args:
      root: the checkout of this module.
      directory: an empty directory.

    Returns:
      The workspace's root.
    """
    copy = directory / "consumer"
    shutil.copytree(root / "tests/package/consumer", copy)
    with (copy / ".bazelrc").open("a", encoding="utf-8") as rc:
        rc.writelines(f"common {flag}\n" for flag in [*_system_flags(root), "--lockfile_mode=off"])
        rc.write("build --jobs=2\n")
    return copy


def add_prebuilt(workspace: Path, name: str, path: Path | None = None) -> None:
    """Declares another installed torch; without a path that of python3."""
    given = f', path = "{path}"' if path else ""
    with (workspace / "MODULE.bazel").open("a", encoding="utf-8") as module:
        module.write(f'torch.prebuilt(name = "{name}"{given})\nuse_repo(torch, "{name}")\n')


def _run(
    workspace: Path, words: Sequence[str], show: bool = False, **variables: str
) -> subprocess.CompletedProcess[str]:
    startup = [f"--output_user_root={workspace.parent}/output", "--nosystem_rc", "--nohome_rc"]
    startup += [f"--install_base={INSTALLED}", "--trust_install_base", "--max_idle_secs=60"]
    # A server that does not live long: its own code is compiled quickly, not well.
    startup += ["--host_jvm_args=-XX:TieredStopAtLevel=1"]
    return subprocess.run(
        [str(BAZEL), *startup, *words],
        capture_output=not show,
        check=False,
        cwd=workspace,
        # Its owner's home: pip's settings are there.
        env={"PATH": os.environ["PATH"], "HOME": pwd.getpwuid(os.getuid()).pw_dir, **variables},
        text=True,
    )


def bazel(workspace: Path, *words: str, show: bool = False, **variables: str) -> str:
    """Runs Bazel in the workspace.

    Args:
      workspace: where.
      *words: a command such as `build`, its flags and targets.
      show: whether its output goes to this program's, and not into the result.
      **variables: further environment.

    Returns:
      What it said.
    """
    done = _run(workspace, words, show, **variables)
    assert done.returncode == 0, done.stderr
    return done.stderr or ""


def refused(workspace: Path, *words: str, **variables: str) -> str:
    """What Bazel says of a command that fails, in one line."""
    done = _run(workspace, words, **variables)
    assert done.returncode != 0, done.stderr
    return " ".join(done.stderr.split())

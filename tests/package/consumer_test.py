"""A workspace of somebody else's depends on this module by `bazel_dep`, and nothing is patched."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.lint.tree import source_root

ROOT = source_root()
BAZEL = Path("/usr/bin/bazel")
INSTALLED = Path("/usr/share/bazel")

pytestmark = pytest.mark.skipif(
    not (BAZEL.exists() and (INSTALLED / "embedded_tools").exists()),
    reason="needs the distribution's Bazel, whose modules need no registry of the network's",
)


def system_flags() -> list[str]:
    """This tree's --config=system, as another workspace says it."""
    lines = (ROOT / ".bazelrc").read_text(encoding="utf-8").splitlines()
    flags = [line.removeprefix("common:system ") for line in lines if "--override_module" in line]
    assert flags
    registries = [f"--registry=file://{ROOT}/{one}" for one in ("registry", "third_party/registry")]
    return [flag.replace("%workspace%", str(ROOT)) for flag in [*registries, *flags]]


def bazel(workspace: Path, command: str, *words: str) -> str:
    """Runs Bazel in the workspace; what it said."""
    startup = [f"--output_user_root={workspace.parent}/output", "--nosystem_rc", "--nohome_rc"]
    startup += [f"--install_base={INSTALLED}", "--trust_install_base", "--max_idle_secs=60"]
    done = subprocess.run(
        [str(BAZEL), *startup, command, *words],
        capture_output=True,
        check=False,
        cwd=workspace,
        # Its owner's home: pip's settings are there.
        env={"PATH": os.environ["PATH"], "HOME": pwd.getpwuid(os.getuid()).pw_dir},
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    copy = tmp_path / "consumer"
    shutil.copytree(ROOT / "tests/package/consumer", copy)
    with (copy / ".bazelrc").open("a", encoding="utf-8") as rc:
        rc.writelines(f"common {flag}\n" for flag in [*system_flags(), "--lockfile_mode=off"])
        rc.write("build --jobs=2\n")
    return copy


def test_another_workspace_builds_with_torch(workspace: Path) -> None:
    """All of it is analysed; libc10 is built, linked and run, and the extension is compiled.

    TORCH_CONSUMER=build builds and runs everything, all of torch too, which takes as long as that.
    """
    try:
        if os.environ.get("TORCH_CONSUMER") == "build":
            assert "//:scale_test" in bazel(workspace, "test", "//...")
            return
        said = bazel(workspace, "build", "--nobuild", "//...")
        assert re.search(r"Analyzed [4-9] targets", said), said
        bazel(workspace, "test", "//:device_test")
        said = bazel(workspace, "build", "//:scale.so", "--output_groups=compilation_outputs")
        objects = list((workspace / "bazel-bin").glob("_objs/scale.so/scale*.o"))
        assert len(objects) == 1, said
        assert not list((workspace / "bazel-bin").glob("external/torch*/aten/*.so"))
    finally:
        bazel(workspace, "shutdown")

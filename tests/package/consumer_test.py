"""Another workspace: all of it is analysed; of torch only what is quick is compiled there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.package.consumer_workspace import bazel, can_run, make_workspace
from tools.lint.tree import source_root

pytestmark = pytest.mark.skipif(not can_run(), reason="needs the distribution's Bazel")


def test_another_workspace_builds_with_torch(tmp_path: Path) -> None:
    """libc10 is built and run, the extension is compiled; consumer.py builds and runs it all."""
    workspace = make_workspace(source_root(), tmp_path)
    try:
        said = bazel(workspace, "build", "--nobuild", "//...")
        assert re.search(r"Analyzed [4-9] targets", said), said
        bazel(workspace, "test", "//:device_test")
        said = bazel(workspace, "build", "//:scale.so", "--output_groups=compilation_outputs")
        objects = list((workspace / "bazel-bin").glob("_objs/scale.so/scale*.o"))
        assert len(objects) == 1, said
        assert not list((workspace / "bazel-bin").glob("external/torch*/aten/*.so"))
    finally:
        bazel(workspace, "shutdown")

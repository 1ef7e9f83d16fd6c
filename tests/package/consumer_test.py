"""Another workspace: all of it is analysed; of torch only what is quick is compiled there.

An extension of an installed torch is built and run there.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.package.consumer_workspace import (
    add_prebuilt,
    bazel,
    can_run,
    make_workspace,
    refused,
)
from tools.lint.tree import source_root

pytestmark = pytest.mark.skipif(not can_run(), reason="needs the distribution's Bazel")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One for all tests, since a server takes long to start."""
    made = make_workspace(source_root(), tmp_path_factory.mktemp("workspace"))
    (made / "wheel").symlink_to(Path(os.environ["WHEEL"]).resolve())
    with (made / ".bazelrc").open("a", encoding="utf-8") as rc:
        rc.write("build --compilation_mode=fastbuild\n")  # The sooner compiled; nothing is timed.
    yield made
    bazel(made, "shutdown")


def test_another_workspace_builds_with_torch(workspace: Path) -> None:
    """libc10 is built and run, the extension is compiled; consumer.py builds and runs it all."""
    said = bazel(workspace, "build", "--nobuild", "//...")
    assert re.search(r"Analyzed [4-9] targets", said), said
    bazel(workspace, "test", "//:device_test")
    said = bazel(workspace, "build", "//:scale.so", "--output_groups=compilation_outputs")
    objects = list((workspace / "bazel-bin").glob("_objs/scale.so/scale*.o"))
    assert len(objects) == 1, said
    assert not list((workspace / "bazel-bin").glob("external/torch*/aten/*.so"))


def test_an_extension_of_a_wheel_runs(workspace: Path) -> None:
    bazel(workspace, "test", "--config=prebuilt", "//:scale_test", "--test_output=errors")
    assert (workspace / "bazel-bin/scale.so").exists()
    assert not list((workspace / "bazel-bin").glob("external/torch*/aten/*.so"))


_PYTHON = f"{sys.version_info[0]}{sys.version_info[1]}"


def package(root: Path, python: str = _PYTHON, version: str = "2.13.0+bazel.0.1") -> Path:
    """What an installed torch looks like, of empty files."""
    libraries = [f"lib/lib{name}.so" for name in ("c10", "torch_cpu", "torch_python")]
    for name in ("__init__.py", "include/torch/extension.h", *libraries):
        (root / "torch" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "torch" / name).touch()
    (root / f"torch/_C.cpython-{python}-{os.uname().machine}-linux-gnu.so").touch()
    (root / "torch/version.py").write_text(f'__version__ = "{version}"\ncuda: str | None = None\n')
    (root / f"torch-{version}.dist-info").mkdir()
    return root


def test_an_installed_torch_that_will_not_do(workspace: Path, tmp_path: Path) -> None:
    several = tmp_path / "several"
    several.mkdir()
    for name in ("one.whl", "two.whl"):
        (several / name).touch()
    archive = tmp_path / "torch.tar.gz"
    archive.touch()
    another = package(tmp_path / "another")
    next(another.glob("*.dist-info")).rename(another / "torch-2.9.1.dist-info")
    half = package(tmp_path / "half")
    (half / "torch/lib/libtorch_cpu.so").unlink()
    two = package(tmp_path / "two")
    (two / "torch/_C.cpython-37-x86_64-linux-gnu.so").touch()
    wanted = {
        "absent": (tmp_path / "absent", "absent does not exist. Wanted a wheel of this torch"),
        "archive": (archive, "torch.tar.gz is no wheel. Wanted a wheel of this torch"),
        "several": (several, f'holds 2 wheels. Name one: torch.prebuilt(path = "{several}/'),
        "another": (another, f"{another} is no installed wheel of this torch"),
        "half": (
            half,
            f"{half} is not complete: torch/lib/libtorch_cpu.so is missing. Install its wheel "
            "again: pip install --force-reinstall --no-deps bazel-bin/torch/wheel/*.whl, in",
        ),
        "two": (two, "wanted one of Linux, as _C.cpython-311-x86_64-linux-gnu.so"),
        "other": (
            package(tmp_path / "other", "37", "2.13.0+bazel.0.0"),
            "is torch 2.13.0+bazel.0.0, and the rules",
        ),
    }
    for name, (path, _) in wanted.items():
        add_prebuilt(workspace, name, path)
    for name, (_, message) in wanted.items():
        sdk = f"--@torch//torch/sdk=@{name}//:torch"
        said = refused(workspace, "build", "--nobuild", "//:scale", sdk)
        assert message in said, said
    assert "is built for CPython 3.7, and this build is for" in said


def test_the_torch_of_python3(workspace: Path, tmp_path: Path) -> None:
    def command(name: str) -> list[str]:
        add_prebuilt(workspace, name)
        return ["build", "--nobuild", "//:scale", f"--@torch//torch/sdk=@{name}//:torch"]

    installed = package(tmp_path / "site")
    bazel(workspace, *command("installed"), PYTHONPATH=str(installed))
    # None in the modules stands for a package that is not installed.
    (installed / "sitecustomize.py").write_text("import sys; sys.modules['torch'] = None\n")
    said = refused(workspace, *command("nothing"), PYTHONPATH=str(installed))
    # pip's own torch is PyTorch, so the advice names a wheel of a checkout.
    advice = "Make a wheel in a checkout, ./bazelw build //torch:wheel, and name or install it"
    assert f"has no torch. {advice}: torch.prebuilt(path = " in said, said
    (installed / "sitecustomize.py").write_text("import os; print(flush=True); os._exit(3)\n")
    said = refused(workspace, *command("broken"), PYTHONPATH=str(installed))
    assert "cannot say where its torch is:" in said, said

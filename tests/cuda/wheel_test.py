"""The wheel of a build with CUDA: unpacked by itself, it imports and refuses without a GPU."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

WHEEL = next(Path(os.environ["WHEEL"]).glob("*.whl"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(WHEEL) as wheel:
        wheel.extractall(folder)
    return folder


def test_it_has_what_extensions_compile_against(installed: Path) -> None:
    for header in ("c10/cuda/CUDAStream.h", "c10/cuda/CUDAGuard.h", "ATen/cuda/CUDAContext.h"):
        assert (installed / "torch/include" / header).is_file()


def calls_cublas(installed: Path) -> bool:
    return b"libcublas.so" in (installed / "torch/lib/libtorch_cuda.so").read_bytes()


def test_it_asks_for_the_package_whose_library_it_loads(installed: Path) -> None:
    metadata = next(installed.glob("*.dist-info/METADATA")).read_text()
    assert ("Requires-Dist: nvidia-cublas==" in metadata) == calls_cublas(installed)


def test_it_imports_alone_and_says_what_it_is(installed: Path) -> None:
    if calls_cublas(installed):
        pytest.skip("it needs NVIDIA's package beside it")
    script = (
        "import torch; print(torch.__file__, torch.version.cuda, torch._C._cuda_getArchFlags(), "
        "torch.ones(2).sum().item(), torch.cuda.is_available())"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        cwd=installed,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(installed)},
        text=True,
    )
    assert result.returncode == 0, result.stderr
    file, version, rest = result.stdout.strip().split(" ", 2)
    assert Path(file).parent == installed / "torch"
    assert f'cuda: str | None = "{version}"' in (installed / "torch/version.py").read_text()
    assert "sm_" in rest
    assert " 2.0 " in rest

"""What a user reads where Vulkan does not work, or has no memory left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch


def run(library: Path, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that has loaded the library, with these variables."""
    text = f"import torch\ntorch.ops.load_library({str(library)!r})\n{program}"
    return subprocess.run(
        [sys.executable, "-c", text],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )


MAKE = "torch.empty(1, device='vulkan')"


def test_no_loader(library: Path) -> None:
    result = run(library, MAKE, TORCH_VULKAN_LIBRARY="/nowhere/libvulkan.so.1")
    assert result.returncode == 1
    assert (
        "There is no Vulkan loader: /nowhere/libvulkan.so.1 cannot be opened. Install it "
        "(on Debian: apt-get install libvulkan1 mesa-vulkan-drivers), or name it: "
        "TORCH_VULKAN_LIBRARY=/path/to/libvulkan.so.1"
    ) in result.stderr


def test_another_library_than_a_loader(library: Path) -> None:
    result = run(library, MAKE, TORCH_VULKAN_LIBRARY="libm.so.6")
    assert result.returncode == 1
    assert (
        "libm.so.6 is no Vulkan loader: it has no vkGetInstanceProcAddr. Unset TORCH_VULKAN_LIBRARY"
        in result.stderr
    )


@pytest.mark.usefixtures("device")
def test_no_driver(library: Path) -> None:
    result = run(
        library, MAKE, VK_ICD_FILENAMES="/nowhere.json", VK_DRIVER_FILES="/nowhere.json",
        TORCH_VULKAN_VALIDATION="0",
    )  # fmt: skip
    assert result.returncode == 1
    assert "Install" in result.stderr
    assert "driver" in result.stderr
    assert "apt-get install mesa-vulkan-drivers" in result.stderr


@pytest.mark.usefixtures("device")
def test_no_memory(library: Path) -> None:
    program = (
        "kept = []\ntry:\n"
        "    for _ in range(100): kept.append(torch.zeros(1 << 20, device='vulkan'))\n"
        "except torch.OutOfMemoryError as error: print(error, len(kept))\n"
        "kept.clear()\nprint(torch.ones(1 << 22, device='vulkan').sum().item())"
    )
    result = run(library, program, TORCH_VULKAN_MEMORY_MIB="48")
    assert result.returncode == 0, result.stderr
    assert "Vulkan out of memory. Tried to allocate 4.00 MiB on vulkan:0 (" in result.stdout
    assert (
        "Tensors hold 48.00 MiB of 48.00 MiB taken from the driver; its budget is 48.00 MiB. 12"
        in result.stdout
    )
    # What is given back is there again, also in one piece.
    assert "4194304.0" in result.stdout


@pytest.mark.usefixtures("device")
def test_a_budget_that_is_no_number(library: Path) -> None:
    result = run(library, MAKE, TORCH_VULKAN_MEMORY_MIB="2G")
    assert (
        "TORCH_VULKAN_MEMORY_MIB is '2G'; it is a number of mebibytes, such as 512."
        in result.stderr
    )


@pytest.mark.usefixtures("device")
def test_a_tensor_larger_than_shaders_reach() -> None:
    with pytest.raises(
        RuntimeError, match=r"A tensor of \d+\.\d+ MiB is more than vulkan:0 \(.*can be given"
    ):
        torch.empty(1 << 40, device="vulkan", dtype=torch.uint8)


@pytest.mark.usefixtures("device")
def test_a_device_that_is_not_there() -> None:
    with pytest.raises(
        RuntimeError, match=r"There is no device vulkan:7: Vulkan has \d+, vulkan:0 to vulkan:\d+"
    ):
        torch.empty(1, device="vulkan:7")


@pytest.mark.usefixtures("device")
def test_pipelines_are_kept(library: Path, tmp_path: Path) -> None:
    result = run(
        library, "print((torch.ones(3, device='vulkan') + 1).cpu())", XDG_CACHE_HOME=str(tmp_path)
    )
    assert result.returncode == 0, result.stderr
    files = list((tmp_path / "torch" / "vulkan").glob("*.pipelines"))
    assert len(files) == 1
    # A file that is not the driver's is passed over.
    files[0].write_bytes(b"nonsense")
    again = run(
        library,
        "print((torch.ones(3, device='vulkan') + 1).cpu())",
        XDG_CACHE_HOME=str(tmp_path),
        TORCH_VULKAN_VALIDATION="0",
    )
    assert again.returncode == 0, again.stderr
    assert again.stdout == result.stdout

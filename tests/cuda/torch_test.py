"""The whole of torch with CUDA, where there is no GPU: what its libraries hold, need and export,
that it imports, and that it refuses with the reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nvidia
import pytest
import torch

LIBRARIES = Path(torch.__file__).parent / "lib"
CUDA_LIBRARIES = ("libc10_cuda.so", "libtorch_cuda.so")
EXTRA_ARCHS = ["sm_" + arch.replace(".", "") for arch in os.environ["EXTRA_ARCHS"].split()]
DRIVER = Path(os.environ["DRIVER"]).resolve()
CUOBJDUMP = next(
    path for directory in nvidia.__path__ for path in Path(directory).rglob("bin/cuobjdump")
)
# Libraries of the system; all others must be beside the module.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|gomp)\.so\.\d+|ld-linux.*\.so\.\d+")
# Names that a library of the tree may export, demangled, before any `<` or `(`: those of its
# namespaces and of the C interface, and instances of the standard library's templates, which every
# C++ library has.
EXPORTED = re.compile(r".*\b(at|c10|torch|std)::|_|typeinfo|(aoti_)?torch_\w+$")


def lines(*command: object) -> list[str]:
    """What a program prints."""
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout.splitlines()


def run(script: str, **environment: str) -> str:
    """What a Python program with this torch prints."""
    result = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def images(option: str) -> set[str]:
    """The device images in libtorch_cuda.so, such as `sm_80`."""
    listing = lines(CUOBJDUMP, option, LIBRARIES / "libtorch_cuda.so")
    return {line.split(".")[-2] for line in listing if line.startswith(("ELF", "PTX"))}


def test_the_library_holds_the_architectures_asked_for() -> None:
    asked = torch._C._cuda_getArchFlags().split()  # type: ignore[attr-defined]
    assert asked
    # Extra architectures of single files, if the generation that they extend was requested.
    extra = {arch for arch in EXTRA_ARCHS if arch.rstrip("af") in asked}
    assert images("--list-elf") == extra | {arch for arch in asked if arch.startswith("sm_")}
    ptx = {arch.replace("compute_", "sm_") for arch in asked if arch.startswith("compute_")}
    assert images("--list-ptx") == ptx


def needed_by(library: str) -> list[str]:
    """The libraries that one loads."""
    dynamic = lines("readelf", "--dynamic", "--wide", LIBRARIES / library)
    return [found[1] for line in dynamic if (found := re.search(r"NEEDED.*\[(.*)\]", line))]


@pytest.mark.parametrize("library", CUDA_LIBRARIES)
def test_what_it_needs_is_there(library: str) -> None:
    needed = needed_by(library)
    beside = {path.name for path in LIBRARIES.iterdir()}
    assert needed
    assert [name for name in needed if name not in beside and not SYSTEM.fullmatch(name)] == []
    assert "libcudart" not in " ".join(needed)  # the runtime is linked in, the driver is not


@pytest.mark.parametrize(
    ("name", "linked"),
    [
        ("cublas", "libcublas*"),
        ("cudnn", "libcudnn"),
        ("cupti", "libcupti"),
        ("cusparseLt", "libcusparseLt"),
        ("nccl", "libnccl"),
    ],
)
def test_a_library_is_linked_where_its_option_brings_it(name: str, linked: str) -> None:
    needed = {library for library in needed_by("libtorch_cuda.so") if name in library}
    assert needed == {path.name for path in LIBRARIES.glob(f"{linked}.so.*")}


@pytest.mark.parametrize("library", CUDA_LIBRARIES)
def test_it_exports_the_names_of_the_tree_alone(library: str) -> None:
    symbols = lines("nm", "--dynamic", "--defined-only", "--demangle", LIBRARIES / library)
    names = [line.split(" ", 2)[2] for line in symbols if line.count(" ") >= 2]
    strangers = [name for name in names if not EXPORTED.match(re.split("[<(]", name)[0])]
    assert names
    assert strangers == []
    assert not any(re.match(r"cu[A-Z]|cuda[A-Z]|__cuda", name) for name in names)


def test_every_symbol_is_found() -> None:
    assert run("import torch; print(torch.cuda.device_count())", LD_BIND_NOW="1").isdigit()


NO_GPU = """
import torch
assert not torch.cuda.is_available() and torch.cuda.device_count() == 0
torch.manual_seed(0)
torch.zeros(1).add(1)
try:
    torch.zeros(1, device="cuda")
except RuntimeError as error:
    print(str(error).splitlines()[0])
"""


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_driver_it_says_so() -> None:
    assert run(NO_GPU) == (
        "No CUDA GPUs are available: Found no NVIDIA driver on your system. Please check that you "
        "have an NVIDIA GPU and installed a driver from "
        "https://www.nvidia.com/Download/index.aspx"
    )


VERSION = torch._C._cuda_getCompiledVersion()  # type: ignore[attr-defined]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(
    ("version", "error", "reason"),
    [
        (
            12040,
            0,
            "the NVIDIA driver is for CUDA 12.4, this build needs "
            f"{VERSION // 1000}.{VERSION % 1000 // 10}. Update the driver.",
        ),
        (
            VERSION,
            100,
            "the NVIDIA driver found no GPU. Is CUDA_VISIBLE_DEVICES empty?",
        ),
        (
            VERSION,
            803,
            "the NVIDIA driver's kernel module is of another version than its library. Restart the "
            "machine, or install the driver anew.",
        ),
        (VERSION, 999, "unknown error (cudaErrorUnknown)"),
    ],
)
def test_what_is_wrong_with_a_driver_is_named(version: int, error: int, reason: str) -> None:
    environment = {
        "LD_LIBRARY_PATH": str(DRIVER.parent),
        "DRIVER_VERSION": str(version),
        "DRIVER_INIT": str(error),
    }
    assert run(NO_GPU, **environment) == f"No CUDA GPUs are available: {reason}"


def test_a_process_that_asked_may_fork() -> None:
    script = "import os, torch; torch.cuda.is_available(); pid = os.fork()\n"
    script += "torch.ones(3).sum()\n"
    script += "if pid == 0: os._exit(0)\nprint(os.waitpid(pid, 0)[1])"
    assert run(script) == "0"

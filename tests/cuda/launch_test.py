"""A program whose device code was compiled apart from its host code, for each architecture."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nvidia

LAUNCH = os.environ["LAUNCH"]
CUOBJDUMP = next(
    path for directory in nvidia.__path__ for path in Path(directory).rglob("bin/cuobjdump")
)


def images(option: str) -> list[str]:
    """The device images that cuobjdump finds, such as `sm_80`."""
    listing = subprocess.run(
        [CUOBJDUMP, option, LAUNCH], check=True, capture_output=True, text=True
    ).stdout
    return [line.split(".")[-2] for line in listing.splitlines()]


def test_the_program_holds_the_architectures_asked_for() -> None:
    assert images("--list-elf") == ["sm_80", "sm_90"]


def test_ptx_is_kept_where_it_was_asked_for() -> None:
    assert images("--list-ptx") == ["sm_90"]


def test_kernels_are_registered_under_the_names_that_the_device_code_has() -> None:
    """The runtime looks for every kernel at start, and says what it lacks to launch one."""
    output = subprocess.run([LAUNCH], check=True, capture_output=True, text=True).stdout
    assert output.strip() in {
        "cudaSuccess",
        "cudaErrorInsufficientDriver",
        "cudaErrorNoDevice",
        "cudaErrorIllegalAddress",
    }


def test_an_edit_of_a_header_compiles_only_what_includes_it() -> None:
    """Bazel leaves a compile alone when only headers change that its last run did not read."""
    lists = [Path(path) for path in os.environ["UNREAD_HEADERS"].split()]
    assert sorted(path.name for path in lists) == [
        "kernels.sm_80.unused",
        "kernels.sm_90.unused",
        "kernels.unused",
    ]
    for path in lists:
        unread = path.read_text(encoding="utf-8").splitlines()
        assert "tests/cuda/unused.cuh" in unread, path
        assert "tests/cuda/scale.cuh" not in unread, path
        assert "tests/cuda/kernels.h" not in unread, path

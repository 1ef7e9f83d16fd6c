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

"""Kernels of ATen and of an extension, written and generated, compiled for two architectures."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nvidia
import pytest

CUOBJDUMP = next(
    path for directory in nvidia.__path__ for path in Path(directory).rglob("bin/cuobjdump")
)


def images(option: str, device_code: str) -> set[str]:
    """The device images in an object file, such as `sm_80`."""
    listing = subprocess.run(
        [CUOBJDUMP, option, device_code], check=True, capture_output=True, text=True
    ).stdout
    lines = [line for line in listing.splitlines() if line.startswith(("ELF", "PTX"))]
    return {line.split(".")[-2] for line in lines}


@pytest.mark.parametrize("device_code", os.environ["DEVICE_CODE"].split())
def test_it_holds_the_architectures_asked_for(device_code: str) -> None:
    assert images("--list-elf", device_code) == {"sm_80", "sm_90"}
    assert images("--list-ptx", device_code) == {"sm_90"}

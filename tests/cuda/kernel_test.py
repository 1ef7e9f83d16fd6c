"""A kernel of ATen, compiled for two architectures."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nvidia

DEVICE_CODE = os.environ["DEVICE_CODE"]
CUOBJDUMP = next(
    path for directory in nvidia.__path__ for path in Path(directory).rglob("bin/cuobjdump")
)


def images(option: str) -> set[str]:
    """The device images in the object file, such as `sm_80`."""
    listing = subprocess.run(
        [CUOBJDUMP, option, DEVICE_CODE], check=True, capture_output=True, text=True
    ).stdout
    lines = [line for line in listing.splitlines() if line.startswith(("ELF", "PTX"))]
    return {line.split(".")[-2] for line in lines}


def test_it_holds_the_architectures_asked_for() -> None:
    assert images("--list-elf") == {"sm_80", "sm_90"}
    assert images("--list-ptx") == {"sm_90"}

"""Large blocks of the CPU's memory serve again instead of going back to the system."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_PROGRAM = """
import resource, torch
x = torch.ones(2 << 20)
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def step():
    return (x.neg().abs() + x).sum()
step()
before = faults()
for _ in range(20):
    step()
print(faults() - before)
"""
# The pages of a tensor of 8 MiB, huge or not.
_PAGES = 2048


def _faults(**environment: str) -> int:
    plain = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    plain |= {"THP_MEM_ALLOC_ENABLE": "0", "MALLOC_MMAP_THRESHOLD_": "131072"}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env=plain | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout)


def test_results_of_one_size_touch_no_new_pages() -> None:
    if not _is_glibc():
        pytest.skip("other C libraries do not tell how large a block is")
    assert _faults() < _PAGES
    # Two results at least are new in each of twenty steps.
    assert _faults(PYTORCH_NO_CPU_MEMORY_CACHING="1") > 40 * _PAGES


def _is_glibc() -> bool:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") is not None
    except (ValueError, OSError):
        return False

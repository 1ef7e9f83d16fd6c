"""torch.backends.cudnn and torch.cuda.nvtx, in builds with and without what they call."""

from __future__ import annotations

import pytest
import torch
from torch.backends import cudnn

HAS_NVTX = hasattr(torch._C, "_cuda_nvtxMark")
SWITCHES = {"enabled": True, "benchmark": False, "deterministic": False, "allow_tf32": True}


def test_the_library_says_whether_it_is_there() -> None:
    version = cudnn.version()
    assert version is None or version >= 90000
    assert cudnn.is_available() == (version is not None and torch.cuda.is_available())


def switches() -> dict[str, bool]:
    return {name: getattr(cudnn, name) for name in SWITCHES}


def test_switches_are_kept() -> None:
    assert switches() == SWITCHES
    torch.backends.cudnn.benchmark = True
    assert torch.backends.cudnn.benchmark
    with cudnn.flags(enabled=False, deterministic=True):
        assert switches() == {
            "enabled": False,
            "benchmark": False,
            "deterministic": True,
            "allow_tf32": True,
        }
    assert torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = False
    assert switches() == SWITCHES
    with pytest.raises(TypeError, match="torch.backends.cudnn.enabled is True or False, not 1"):
        cudnn.enabled = 1  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="has no attribute 'fast'"):
        _ = cudnn.fast  # type: ignore[attr-defined]
    # Convolutions of the CPU do not ask.
    with cudnn.flags(enabled=True, benchmark=True):
        assert torch.conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2)).item() == 4


@pytest.mark.skipif(HAS_NVTX, reason="this build has NVTX")
def test_without_nvtx_ranges_are_refused_with_the_option() -> None:
    for call in (
        lambda: torch.cuda.nvtx.range_push("a"),
        torch.cuda.nvtx.range_pop,
        lambda: torch.cuda.nvtx.mark("a"),
        lambda: torch.cuda.nvtx.range_start("a"),
        lambda: torch.cuda.nvtx.range_end(1),
    ):
        with pytest.raises(RuntimeError, match="NVTX functions not installed.*--nvtx"):
            call()


@pytest.mark.skipif(not HAS_NVTX, reason="this build has no NVTX")
def test_ranges_without_a_profiler() -> None:
    nvtx = torch.cuda.nvtx
    # Without a profiler every answer is NVTX_NO_PUSH_POP_TRACKING, -2.
    assert nvtx.range_push("outer") == -2
    assert nvtx.range_pop() == -2
    nvtx.range_end(nvtx.range_start("across threads"))
    nvtx.mark("now")

    @nvtx.range("{} of {}", 1, 2)
    def function() -> int:
        return 3

    assert function() == 3
    with pytest.raises(TypeError, match="the name of a range must be a str, not int"):
        nvtx.range_push(3)  # type: ignore[arg-type]

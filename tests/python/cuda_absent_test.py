"""torch.cuda in a build without CUDA: programs that ask first run on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

pytestmark = pytest.mark.skipif(torch.version.cuda is not None, reason="this build has CUDA")


def test_a_program_that_asks_first() -> None:
    assert not torch.cuda.is_available()
    assert not torch.cuda.is_initialized()
    assert torch.cuda.device_count() == 0
    assert torch.cuda.get_arch_list() == []
    torch.cuda.manual_seed_all(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    assert torch.ones(2, device=device).device.type == "cpu"


def test_a_program_that_watches_its_memory() -> None:
    torch.cuda.empty_cache()
    assert torch.cuda.memory_stats() == {}
    assert torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated() == 0
    assert torch.cuda.memory_reserved() == torch.cuda.max_memory_reserved() == 0
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        torch.cuda.mem_get_info()


@pytest.mark.parametrize(
    "function", ["current_device", "get_device_capability", "get_device_name", "synchronize"]
)
def test_what_needs_a_device(function: str) -> None:
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        getattr(torch.cuda, function)()


@pytest.mark.parametrize(
    "use",
    [
        lambda: torch.ones(2, device="cuda"),
        lambda: torch.tensor([1.0], device="cuda:0"),
        lambda: torch.ones(2).to("cuda"),
        lambda: torch.ones(2).cuda(),
        lambda: torch.ones(2).cuda(0),
        lambda: torch.ones(2).cuda("cuda"),
        lambda: torch.nn.Linear(2, 2).cuda(),
        lambda: torch.nn.Linear(2, 2).to("cuda"),
    ],
)
def test_tensors_on_a_device_that_is_not_there(use: Callable[[], Any]) -> None:
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled.*--config=cuda"):
        use()


def test_former_names_of_memory() -> None:
    for name in ("memory_cached", "max_memory_cached"):
        with pytest.warns(FutureWarning, match=f"`torch.cuda.{name}` has been renamed to"):
            assert getattr(torch.cuda, name)() == 0
    for name in ("reset_max_memory_allocated", "reset_max_memory_cached"):
        with (
            pytest.warns(FutureWarning, match=f"torch.cuda.{name} now calls"),
            pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"),
        ):
            getattr(torch.cuda, name)()


def test_mixed_precision_on_no_gpu() -> None:
    assert torch.cuda.amp.common.amp_definitely_not_available()


def test_a_default_device_that_is_not_there() -> None:
    torch.set_default_device("cuda")
    try:
        with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
            torch.ones(2)
    finally:
        torch.set_default_device(None)

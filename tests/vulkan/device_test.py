"""What Python asks of a device, which torch.mps asks of Apple's, answered by Vulkan's."""

from __future__ import annotations

import random

import pytest
import torch
from torch._compute_device import ComputeDevice
from torch.mps.event import Event

pytestmark = pytest.mark.usefixtures("device")

VULKAN = ComputeDevice("vulkan", "this process has no Vulkan backend")
ABSENT = ComputeDevice("mps", "no such backend here")


class VulkanEvent(Event):
    _device = VULKAN


def test_memory_is_counted_and_given_back() -> None:
    VULKAN.empty_cache()
    before = VULKAN.memory_allocated()
    VULKAN.reset_peak_memory_stats()
    assert VULKAN.max_memory_allocated() == before
    elements = random.randrange(1 << 16, 1 << 20)
    x = torch.zeros(elements, device="vulkan")
    during = VULKAN.memory_allocated()
    assert during - before >= 4 * elements
    assert VULKAN.memory_reserved() >= during
    del x
    assert VULKAN.memory_allocated() == before
    assert VULKAN.max_memory_allocated() >= during
    free, limit = VULKAN.mem_get_info()
    assert limit - free == VULKAN.memory_reserved()
    VULKAN.empty_cache()
    assert VULKAN.memory_reserved() >= VULKAN.memory_allocated()
    assert VULKAN.mem_get_info()[0] >= free


def test_memory_is_limited_to_a_fraction() -> None:
    recommended = VULKAN.recommended_memory()
    VULKAN.empty_cache()
    try:
        VULKAN.set_memory_fraction((VULKAN.memory_reserved() + 0.5) / recommended)
        with pytest.raises(torch.OutOfMemoryError, match=r"Vulkan out of memory\. Tried"):
            torch.empty(64 << 20, dtype=torch.uint8, device="vulkan")
        assert VULKAN.recommended_memory() == recommended
        VULKAN.set_memory_fraction(0.0)
        assert VULKAN.mem_get_info()[1] > recommended
    finally:
        VULKAN.set_memory_fraction(1.0)
    assert VULKAN.mem_get_info()[1] == recommended
    with pytest.raises(TypeError, match="Invalid type for fraction argument, must be `float`"):
        VULKAN.set_memory_fraction(1)
    with pytest.raises(ValueError, match=r"Invalid fraction value: 2\.5\. Allowed range: 0~2"):
        VULKAN.set_memory_fraction(2.5)


def test_work_is_waited_for() -> None:
    x = torch.randn(64, 64, device="vulkan")
    for _ in range(3):
        x = (x @ x).tanh()
    VULKAN.synchronize()
    assert VULKAN.is_idle()
    table = torch.randn(5, 3, device="vulkan")
    torch.nn.functional.embedding(torch.tensor([7], device="vulkan"), table)
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        VULKAN.synchronize("vulkan:0")
    VULKAN.synchronize()


def test_events_measure_what_is_between_them() -> None:
    first, last = VulkanEvent(enable_timing=True), VulkanEvent(enable_timing=True)
    with pytest.raises(RuntimeError, match="both events must be recorded"):
        first.elapsed_time(last)
    first.record()
    torch.ones(100, device="vulkan").exp()
    last.record()
    last.wait()
    last.synchronize()
    assert last.query()
    assert first.elapsed_time(last) > 0 > last.elapsed_time(first)
    with pytest.raises(RuntimeError, match="both events need enable_timing=True"):
        first.elapsed_time(VulkanEvent())


def test_devices_are_chosen_by_index_and_name() -> None:
    assert VULKAN.is_built() and VULKAN.is_available()
    assert VULKAN.device_count() == torch._C._device_count("vulkan")
    VULKAN.set_device(0)
    VULKAN.set_device("vulkan:0")
    assert VULKAN.current_device() == 0
    assert VULKAN.device_name() == VULKAN.device_name(0) != ""
    with pytest.raises(RuntimeError, match="There is no device vulkan:99"):
        VULKAN.set_device(99)
    with pytest.raises(ValueError, match="expected a device of type 'vulkan', but got 'cpu'"):
        VULKAN.synchronize("cpu")
    with pytest.raises(
        NotImplementedError, match="max_memory_reserved: the vulkan backend has none"
    ):
        VULKAN.max_memory_reserved()


def test_vulkan_is_no_accelerator() -> None:
    accelerator = torch.accelerator.current_accelerator()
    assert accelerator is None or accelerator.type != "vulkan"


def test_a_device_without_its_library() -> None:
    if ABSENT.is_built():
        pytest.skip("this build has it")
    assert not ABSENT.is_available() and ABSENT.device_count() == 0
    with pytest.raises(RuntimeError, match="no such backend here"):
        ABSENT.synchronize()

"""torch.backends and torch.accelerator answer truly in any build, with and without the devices."""

from __future__ import annotations

import importlib

import pytest
import torch
from torch import accelerator, backends

# Devices by the module of torch.backends that is about them.
DEVICES = ["cuda", "mps", "vulkan"]


@pytest.mark.parametrize("name", DEVICES)
def test_what_is_built_and_what_is_there(name: str) -> None:
    module = importlib.import_module(f"torch.backends.{name}")
    assert getattr(backends, name) is module
    count = torch._C._device_count(name)
    assert module.is_built() is (count is not None)
    if hasattr(module, "is_available"):
        assert module.is_available() is bool(count)
    if not count:
        with pytest.raises((AssertionError, RuntimeError)):
            torch.empty(2, device=name).fill_(1)


def test_other_modules_agree() -> None:
    assert torch.is_vulkan_available() is backends.vulkan.is_available()
    assert backends.cuda.is_built() is (torch.version.cuda is not None)
    assert torch.mps.is_available() is backends.mps.is_available()
    assert torch.xpu.is_available() is bool(torch._C._device_count("xpu"))
    assert torch.cuda.is_available() is bool(torch._C._device_count("cuda"))
    assert torch._C._device_count("cpu") in (None, 1)


def test_the_accelerator_is_one_that_is_built() -> None:
    device = accelerator.current_accelerator()
    assert (device is None) is not (backends.cuda.is_built() or backends.mps.is_built())
    assert device is None or torch._C._device_count(device.type) is not None
    assert accelerator.is_available() is (accelerator.device_count() > 0)


@pytest.mark.skipif(backends.mps.is_built(), reason="this build has it")
def test_what_torch_mps_says_without_its_backend() -> None:
    state = torch.get_rng_state()
    torch.mps.manual_seed(3)
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.mps.device_count() == 0
    asked = [torch.mps.synchronize, torch.mps.empty_cache, torch.mps.seed, torch.mps.Event]
    asked += [lambda: torch.mps.set_per_process_memory_fraction(0.5)]
    asked += [torch.mps.current_allocated_memory, torch.mps.driver_allocated_memory]
    asked += [backends.mps.get_name, torch.mps.recommended_max_memory, torch.mps.get_rng_state]
    for function in asked:
        with pytest.raises(RuntimeError, match=r"without the MPS backend.*--config=mps"):
            function()
    with pytest.raises(
        NotImplementedError, match="torch.mps.compile_shader: this release is without"
    ):
        torch.mps.compile_shader("")
    assert not torch.mps.profiler.is_metal_capture_enabled()
    assert not torch.mps.profiler.is_capturing_metal()
    for name in ("start", "stop", "profile", "metal_capture"):
        with pytest.raises(
            NotImplementedError,
            match=f"torch.mps.profiler.{name}: this release is without Metal's traces; time with",
        ):
            getattr(torch.mps.profiler, name)()


def test_counts_of_no_device() -> None:
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda, ipu, xpu"):
        torch._C._device_count("abacus")
    with pytest.raises(TypeError):
        torch._C._device_count(3)  # type: ignore[arg-type]


def test_switches_of_products() -> None:
    matmul = backends.cuda.matmul
    assert not matmul.allow_tf32
    matmul.allow_tf32 = True
    assert torch.backends.cuda.matmul.allow_tf32
    matmul.allow_tf32 = False
    with pytest.raises(RuntimeError, match="matmul.allow_tf32 expects a bool, but got int"):
        matmul.allow_tf32 = 1  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="Unknown attribute fast"):
        matmul.fast = True  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="Unknown attribute fast"):
        _ = matmul.fast  # type: ignore[attr-defined]


def test_what_this_release_cannot_choose_is_refused_by_name() -> None:
    with pytest.raises(NotImplementedError, match="torch.backends.cuda.preferred_linalg_library: "):
        backends.cuda.preferred_linalg_library()
    with pytest.raises(NotImplementedError, match="torch.backends.mps.get_core_count: "):
        backends.mps.get_core_count()


@pytest.mark.skipif(backends.mps.is_built(), reason="the backend knows")
def test_the_version_of_macos_is_known_to_the_backend_alone() -> None:
    message = r"Cannot execute isOnMacOSorNewer\(\) without MPS backend"
    with pytest.raises(RuntimeError, match=message):
        backends.mps.is_macos13_or_newer()

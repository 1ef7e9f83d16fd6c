"""torch.cuda where there is no GPU: it can be asked, and it refuses with a reason."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.cuda._capability import check_capability, has_code_for

COMPILED = hasattr(torch._C, "_cuda_init")
without_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")


@without_gpu
def test_asking_is_safe() -> None:
    assert torch.cuda.is_available() is False
    assert torch.cuda.device_count() == 0
    assert torch.cuda.is_initialized() is False
    assert torch.cuda.get_arch_list() == []
    assert torch.cuda.is_bf16_supported() is False
    assert issubclass(torch.cuda.OutOfMemoryError, RuntimeError)
    assert torch.OutOfMemoryError is torch.cuda.OutOfMemoryError
    torch.cuda.manual_seed(1)
    torch.cuda.manual_seed_all(1)


@pytest.mark.skipif(COMPILED, reason="this build has CUDA")
def test_a_build_without_cuda_says_so() -> None:
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled.*--config=cuda"):
        torch.cuda.current_device()
    with pytest.raises(RuntimeError, match="not compiled with CUDA enabled"):
        torch.Generator(device="cuda")
    with pytest.raises(RuntimeError, match="pinned memory needs CUDA"):
        torch.empty(1, pin_memory=True)
    assert not torch.ones(1).is_pinned()


@pytest.mark.skipif(not COMPILED, reason="this build has no CUDA")
@without_gpu
def test_a_build_with_cuda_tells_why_there_is_no_gpu() -> None:
    for use in (
        torch.cuda.init,
        torch.cuda.current_device,
        lambda: torch.zeros(1, device="cuda"),
        lambda: torch.zeros(1).cuda(),
        lambda: torch.Generator(device="cuda"),
    ):
        with pytest.raises(RuntimeError, match="No CUDA GPUs are available: ..."):
            use()


@pytest.mark.parametrize(
    ("capability", "archs", "expected"),
    [
        ((8, 0), ["sm_80"], True),
        ((8, 6), ["sm_80"], True),
        ((8, 0), ["sm_86"], False),
        ((9, 0), ["sm_80"], False),
        ((9, 0), ["sm_80", "compute_80"], True),
        ((7, 5), ["sm_80", "compute_80"], False),
        ((9, 0), ["sm_90a"], True),
        ((10, 0), ["sm_90a", "compute_90a"], False),
        ((10, 3), ["sm_100f"], True),
        ((12, 0), ["sm_100f", "sm_120"], True),
        ((12, 0), [], False),
    ],
)
def test_which_gpus_find_code(
    capability: tuple[int, int], archs: list[str], expected: bool
) -> None:
    assert has_code_for(capability, archs) is expected


def test_a_gpu_without_code_is_told_what_to_build(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"_cuda_getArchOption": "8.0"}
    monkeypatch.setattr("torch.cuda._capability.call", answers.__getitem__)
    with pytest.warns(UserWarning) as caught:
        check_capability(1, (9, 0), ["sm_80"])
    assert str(caught[0].message) == (
        "GPU 1 has compute capability 9.0, and this build has code for sm_80. Build with "
        '--cuda_archs="8.0;9.0".'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_capability(0, (8, 6), ["sm_80"])


def test_devices_are_named_in_every_way() -> None:
    from torch.cuda._runtime import device_index

    assert device_index(3) == 3
    assert device_index("cuda:1") == 1
    assert device_index(torch.device("cuda", 2)) == 2
    with pytest.raises(ValueError, match="Expected a cuda device, but got: cpu"):
        device_index("cpu")
    with pytest.raises(TypeError, match="Expected an int, a str, a torch.device or None"):
        device_index(1.5)

"""The random numbers of GPUs. Where there is none, seeding does nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import _C
from torch._tensor import Tensor
from torch.cuda._devices import device_count
from torch.cuda._runtime import Device, call, device_index, is_compiled


def _generator(device: Device = None) -> _C.Generator:
    """The default generator of a GPU."""
    found: Any = call("_cuda_getDefaultGenerator", device_index(device))
    return found  # type: ignore[no-any-return, unused-ignore]


def get_rng_state(device: Device = "cuda") -> Tensor:
    """The state of a GPU's default generator.

    Args:
        device: the GPU.

    Returns:
        A uint8 tensor on the CPU, a copy.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     state = torch.cuda.get_rng_state()
        ...     x = torch.rand(2, device="cuda")
        ...     torch.cuda.set_rng_state(state)
        ...     assert torch.equal(x, torch.rand(2, device="cuda"))
    """
    return _generator(device).get_state()


def get_rng_state_all() -> list[Tensor]:
    """The states of the default generators of all GPUs, a uint8 tensor each; empty without one.

    Example::

        >>> torch.cuda.set_rng_state_all(torch.cuda.get_rng_state_all())
    """
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state: Tensor, device: Device = "cuda") -> None:
    """Restores the state of a GPU's default generator.

    Args:
        new_state: what `get_rng_state` returned.
        device: the GPU.

    Raises:
        RuntimeError: if there is no GPU, or if `new_state` is not such a state.
        AssertionError: in a build without CUDA.
    """
    _generator(device).set_state(new_state)


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Restores the states of all GPUs' default generators.

    Args:
        new_states: what `get_rng_state_all` returned, one for each GPU.
    """
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def manual_seed(seed: int) -> None:
    """Seeds the default generator of the current GPU. Does nothing without a GPU.

    Args:
        seed: an int64 or uint64.

    Example::

        >>> torch.cuda.manual_seed(0)
    """
    if device_count() > 0:
        _generator().manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seeds the default generators of all GPUs, even before CUDA is initialized.

    Does nothing without a GPU.

    Args:
        seed: an int64 or uint64.

    Example::

        >>> torch.cuda.manual_seed_all(0)
    """
    if is_compiled():
        call("_cuda_manualSeedAll", int(seed))


def seed() -> None:
    """Seeds the default generator of the current GPU from the system's entropy.

    Does nothing without a GPU.
    """
    if device_count() > 0:
        _generator().seed()


def seed_all() -> None:
    """Seeds the default generators of all GPUs with one number from the system's entropy.

    Does nothing without a GPU.
    """
    if device_count() > 0:
        manual_seed_all(_generator(0).seed())


def initial_seed() -> int:
    """The seed from which the default generator of the current GPU started.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    return int(_generator().initial_seed())

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
    found: Any = call("getDefaultGenerator", device_index(device))
    return found  # type: ignore[no-any-return, unused-ignore]


def get_rng_state(device: Device = "cuda") -> Tensor:
    """The state of a GPU's default generator.

    Args:
        device: the GPU.

    Returns:
        A uint8 tensor on the CPU, a copy.
    """
    return _generator(device).get_state()


def get_rng_state_all() -> list[Tensor]:
    """The states of all GPUs' generators."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state: Tensor, device: Device = "cuda") -> None:
    """Restores the state of a GPU's default generator.

    Args:
        new_state: what `get_rng_state` returned.
        device: the GPU.
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
    """Seeds the default generator of the current GPU; without one this does nothing.

    Args:
        seed: any int64 or uint64.
    """
    if device_count() > 0:
        _generator().manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seeds the default generators of all GPUs, before the first is used too; wakes up no driver.

    Args:
        seed: any int64 or uint64.
    """
    if is_compiled():
        call("manualSeedAll", int(seed))


def seed() -> None:
    """Seeds the generator of the current GPU from the system's entropy."""
    if device_count() > 0:
        _generator().seed()


def seed_all() -> None:
    """Seeds the generators of all GPUs with one number from the system's entropy."""
    if device_count() > 0:
        manual_seed_all(_generator(0).seed())


def initial_seed() -> int:
    """The seed that the current GPU's generator started from."""
    return int(_generator().initial_seed())

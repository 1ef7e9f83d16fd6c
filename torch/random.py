"""The default random number generator."""

from __future__ import annotations

from collections.abc import Generator as _Generator
from contextlib import contextmanager

from torch import _C
from torch._tensor import Tensor


def manual_seed(seed: int) -> _C.Generator:
    """Seeds the default generators, those of GPUs too, and returns the CPU's."""
    from torch.cuda.random import manual_seed_all

    manual_seed_all(seed)
    return _C.default_generator.manual_seed(int(seed))


def seed() -> int:
    """Seeds the default generator from the system's entropy; returns the seed."""
    return _C.default_generator.seed()


def initial_seed() -> int:
    """The seed the default generator started from."""
    return _C.default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The default generator's state, a byte tensor."""
    return _C.default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Restores a state that `get_rng_state` gave."""
    _C.default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: object = None, enabled: bool = True) -> _Generator[None]:
    """Restores the default generator's state at the end of the block."""
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)

"""The default random number generator."""

from __future__ import annotations

import copyreg as _copyreg
from collections.abc import Callable as _Callable
from collections.abc import Generator as _Generator
from contextlib import contextmanager
from typing import Any as _Any

from torch import _C, _absent
from torch._tensor import Tensor

default_generator = _C.default_generator


def _make_generator(device: str, seed: int, state: Tensor) -> _C.Generator:
    generator = _C.Generator(device=device)
    generator.manual_seed(seed)
    generator.set_state(state)
    return generator


def _reduce_generator(
    generator: _C.Generator,
) -> tuple[_Callable[..., _C.Generator], tuple[_Any, ...]]:
    state = generator.get_state()
    return _make_generator, (str(generator.device), generator.initial_seed(), state)


# A generator is pickled and copied with its state.
_copyreg.pickle(_C.Generator, _reduce_generator)


def manual_seed(seed: int) -> _C.Generator:
    """Seeds the default generators, those of GPUs too.

    Args:
        seed: any int64 or uint64; negative ones count as seed + 2^64.

    Returns:
        The CPU's default generator.

    Example::

        >>> _ = torch.manual_seed(5)
        >>> torch.initial_seed()
        5
    """
    from torch.cuda.random import manual_seed_all

    manual_seed_all(seed)
    return _C.default_generator.manual_seed(int(seed))


def seed() -> int:
    """Seeds the CPU's default generator from the system's entropy.

    Returns:
        The seed, an int.

    Example::

        >>> torch.seed() == torch.initial_seed()
        True
    """
    return _C.default_generator.seed()


def initial_seed() -> int:
    """The seed from which the CPU's default generator started, an int.

    Example::

        >>> _ = torch.manual_seed(5)
        >>> torch.initial_seed()
        5
    """
    return _C.default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the CPU's default generator, a copy.

    Returns:
        A uint8 tensor.

    Example::

        >>> state = torch.get_rng_state()
        >>> first = torch.rand(2)
        >>> torch.set_rng_state(state)
        >>> torch.equal(first, torch.rand(2))
        True
    """
    return _C.default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Restores the state of the CPU's default generator.

    Args:
        new_state: what `get_rng_state` returned.

    Raises:
        RuntimeError: the tensor is no such state.

    Example::

        >>> torch.set_rng_state(torch.get_rng_state())
    """
    _C.default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: object = None, enabled: bool = True) -> _Generator[None]:
    """Restores the state of the CPU's default generator at the end of a block.

    Args:
        devices: kept for PyTorch's signature; generators of GPUs are left alone.
        enabled: False does nothing.

    Example::

        >>> state = torch.get_rng_state()
        >>> with torch.random.fork_rng():
        ...     _ = torch.rand(2)
        >>> torch.equal(state, torch.get_rng_state())
        True
    """
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


__getattr__ = _absent.explain(__name__)

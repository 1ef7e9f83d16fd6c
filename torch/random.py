"""The default random number generator."""

from __future__ import annotations

import copyreg as _copyreg
import warnings as _warnings
from collections.abc import Callable as _Callable
from collections.abc import Generator as _Generator
from collections.abc import Iterable as _Iterable
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


_warned_of_all_devices = False


@contextmanager
def fork_rng(
    devices: _Iterable[_Any] | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str = "cuda",
) -> _Generator[None]:
    """Restores the states of default generators at the end of a block: the CPU's and GPUs'.

    Args:
        devices: the GPUs, by index, name or device; none of them for an empty list, all of them if
            None, which warns where there are several.
        enabled: False does nothing.
        device_type: the kind of the devices, "cuda" or "mps".

    Raises:
        RuntimeError: torch has no module of `device_type`.

    Example::

        >>> state = torch.get_rng_state()
        >>> with torch.random.fork_rng():
        ...     _ = torch.rand(2)
        >>> torch.equal(state, torch.get_rng_state())
        True
    """
    import torch

    global _warned_of_all_devices
    kind = torch.device(device_type).type
    if kind == "meta":
        yield
        return
    module = getattr(torch, kind, None)
    if module is None:
        raise RuntimeError(
            f"torch has no module of `{kind}`, you should register a module by `torch._register_device_module`."
        )
    if not enabled:
        yield
        return
    chosen = list(range(module.device_count()) if devices is None else devices)
    if devices is None and len(chosen) > 1 and not _warned_of_all_devices:
        name = kind.upper()
        _warnings.warn(
            f"{name} reports that you have {len(chosen)} available devices, and you have used {_caller} without explicitly specifying which devices are being used. "
            f"For safety, we initialize *every* {name} device by default, which can be quite slow if you have a lot of {name}s. "
            f"If you know that you are only making use of a few {name} devices, set the environment variable {name}_VISIBLE_DEVICES or the '{_devices_kw}' keyword argument of {_caller} with the set of devices you are actually using. "
            "For example, if you are using CPU only, set device.upper()_VISIBLE_DEVICES= or devices=[]; "
            f"if you are using device 0 only, set {name}_VISIBLE_DEVICES=0 or devices=[0].  "
            f"To initialize all devices and suppress this warning, set the '{_devices_kw}' keyword argument to `range(torch.{kind}.device_count())`.",
            stacklevel=3,
        )
        _warned_of_all_devices = True
    state = get_rng_state()
    states = [module.get_rng_state(device) for device in chosen]
    try:
        yield
    finally:
        set_rng_state(state)
        for device, its_state in zip(chosen, states, strict=True):
            module.set_rng_state(its_state, device)


__getattr__ = _absent.explain(__name__)

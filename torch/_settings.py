"""Settings of the whole process: determinism, precision of products, repeated warnings."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import _C

_DEBUG_MODES = {"default": 0, "warn": 1, "error": 2}
_PRECISIONS = ("highest", "high", "medium")

_precision = "highest"
_interop_threads = 1


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Asks for operators that give the same bits in each run.

    Those of the CPU do, except `max_unpool` and `put_`, which raise RuntimeError from then on, or
    warn with `warn_only`. Memory that nothing initialized gets NaN or the largest integer, unless
    `torch.utils.deterministic.fill_uninitialized_memory` is False. On CUDA convolutions choose such
    algorithms from then on; operators that add with atomics, such as `index_add_` and
    `scatter_add_`, cannot, and a warning says so.

    Example::

        >>> torch.use_deterministic_algorithms(True)
        >>> torch.are_deterministic_algorithms_enabled()
        True
        >>> torch.use_deterministic_algorithms(False)
    """
    if not isinstance(mode, bool):
        raise TypeError(
            f"use_deterministic_algorithms(): argument 'mode' must be bool, not {type(mode).__name__}"
        )
    _set_deterministic(mode, warn_only)


def _set_deterministic(mode: bool, warn_only: bool) -> None:
    from torch import cuda
    from torch.backends import cudnn

    cudnn.deterministic = mode
    if mode and cuda.is_available():
        warnings.warn(
            "operators that add with atomics on CUDA, such as index_add_ and scatter_add_, have no deterministic algorithm in this release and do not raise an error",
            stacklevel=3,
        )
    _C._set_deterministic_algorithms(mode, warn_only=warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms` is on."""
    return _C._get_deterministic_algorithms()


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """What `warn_only` was in the last call of `use_deterministic_algorithms`."""
    return _C._get_deterministic_algorithms_warn_only()


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The setting of `torch.use_deterministic_algorithms` as a number or a word.

    Args:
        debug_mode: 0 or "default" for any algorithm, 1 or "warn" for a warning of those that may
            give other bits, 2 or "error" for an error.

    Raises:
        TypeError: neither a number nor a word.
        RuntimeError: another one.

    Example::

        >>> torch.set_deterministic_debug_mode("warn")
        >>> torch.get_deterministic_debug_mode()
        1
        >>> torch.set_deterministic_debug_mode(0)
    """
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _DEBUG_MODES:
            raise RuntimeError(
                f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
            )
        debug_mode = _DEBUG_MODES[debug_mode]
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(
            f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}"
        )
    _set_deterministic(debug_mode > 0, debug_mode == 1)


def get_deterministic_debug_mode() -> int:
    """0, 1 or 2: see `set_deterministic_debug_mode`."""
    if not _C._get_deterministic_algorithms():
        return 0
    return 1 if _C._get_deterministic_algorithms_warn_only() else 2


def set_float32_matmul_precision(precision: str) -> None:
    """How exact products of float32 matrices have to be: "highest", "high" or "medium".

    It permits operators to be less exact. No operator here makes use of it.
    """
    global _precision
    if precision not in _PRECISIONS:
        raise RuntimeError(
            f"{precision} is not one of {_PRECISIONS}: give torch.set_float32_matmul_precision one of these words"
        )
    _precision = precision


def get_float32_matmul_precision() -> str:
    """The word that `set_float32_matmul_precision` was given."""
    return _precision


def set_warn_always(b: bool, /) -> None:
    """Says whether a warning that C++ gives once is given each time. Python's filters come after.

    Args:
        b: True or False, which it is at first.
    """
    _C._set_warnAlways(b)


def is_warn_always_enabled() -> bool:
    """What `set_warn_always` was given; False at first."""
    return _C._get_warnAlways()


def _deprecated(name: str, instead: str) -> None:
    warnings.warn(
        f"torch.{name} is deprecated. Please use torch.{instead} instead.",
        DeprecationWarning,
        stacklevel=3,
    )


def is_autocast_cpu_enabled() -> bool:
    """`torch.is_autocast_enabled("cpu")`."""
    _deprecated("is_autocast_cpu_enabled()", "is_autocast_enabled('cpu')")
    return _C.is_autocast_enabled("cpu")


def set_autocast_cpu_enabled(enabled: bool) -> None:
    """Deprecated: `torch.set_autocast_enabled("cpu", enabled)`.

    Args:
        enabled: whether autocast is on for this thread.
    """
    _deprecated("set_autocast_cpu_enabled(enabled)", "set_autocast_enabled('cpu', enabled)")
    _C.set_autocast_enabled("cpu", enabled)


def get_autocast_cpu_dtype() -> _C.dtype:
    """`torch.get_autocast_dtype("cpu")`."""
    _deprecated("get_autocast_cpu_dtype()", "get_autocast_dtype('cpu')")
    return _C.get_autocast_dtype("cpu")


def set_autocast_cpu_dtype(dtype: _C.dtype) -> None:
    """Deprecated: `torch.set_autocast_dtype("cpu", dtype)`.

    Args:
        dtype: the lower precision.
    """
    _deprecated("set_autocast_cpu_dtype(dtype)", "set_autocast_dtype('cpu', dtype)")
    _C.set_autocast_dtype("cpu", dtype)


def get_autocast_gpu_dtype() -> _C.dtype:
    """`torch.get_autocast_dtype("cuda")`."""
    _deprecated("get_autocast_gpu_dtype()", "get_autocast_dtype('cuda')")
    return _C.get_autocast_dtype("cuda")


def set_autocast_gpu_dtype(dtype: _C.dtype) -> None:
    """Deprecated: `torch.set_autocast_dtype("cuda", dtype)`.

    Args:
        dtype: the lower precision.
    """
    _deprecated("set_autocast_gpu_dtype(dtype)", "set_autocast_dtype('cuda', dtype)")
    _C.set_autocast_dtype("cuda", dtype)


def get_device_module(device: Any = None) -> Any:
    """The module of a kind of device, such as `torch.cuda`.

    Args:
        device: a device or its name; the machine's GPU if None, else the CPU.

    Raises:
        RuntimeError: there is no such module.

    Example::

        >>> torch.get_device_module("cpu") is torch.cpu
        True
    """
    if device is None:
        found = torch.accelerator.current_accelerator()
        name = "cpu" if found is None else found.type
    else:
        name = torch.device(device).type
    module = getattr(torch, name, None)
    if module is None:
        raise RuntimeError(
            f"Device '{name}' does not have a corresponding module registered as 'torch.{name}'."
        )
    return module


__all__ = [
    "are_deterministic_algorithms_enabled",
    "get_autocast_cpu_dtype",
    "get_autocast_gpu_dtype",
    "get_deterministic_debug_mode",
    "get_device_module",
    "get_float32_matmul_precision",
    "is_autocast_cpu_enabled",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_warn_always_enabled",
    "set_autocast_cpu_dtype",
    "set_autocast_cpu_enabled",
    "set_autocast_gpu_dtype",
    "set_deterministic_debug_mode",
    "set_float32_matmul_precision",
    "set_warn_always",
    "use_deterministic_algorithms",
]


def set_num_interop_threads(num: int) -> None:
    """Sets what `get_num_interop_threads` answers; operators run one after another whatever it is.

    Raises:
        RuntimeError: a number below 1, or no integer.

    Example::

        >>> torch.set_num_interop_threads(2)
        >>> torch.get_num_interop_threads()
        2
    """
    global _interop_threads
    if not isinstance(num, int):
        raise RuntimeError(f"set_num_interop_threads expects an int, but got {type(num).__name__}")
    if num < 1:
        raise RuntimeError("set_num_interop_threads expects a positive integer")
    _interop_threads = num


def get_num_interop_threads() -> int:
    """What `set_num_interop_threads` was given last; 1 before."""
    return _interop_threads


def set_flush_denormal(mode: bool) -> bool:
    """Makes the calling thread take denormal numbers as zero, or no longer.

    Args:
        mode: True for zero, False for their value.

    Returns:
        Whether this processor can: x86-64 and AArch64.

    Raises:
        RuntimeError: `mode` is no bool.

    Example::

        >>> torch.set_flush_denormal(True)
        True
        >>> torch.tensor([1e-323], dtype=torch.float64)
        tensor([0.], dtype=torch.float64)
        >>> torch.set_flush_denormal(False)
        True
    """
    return _C._set_flush_denormal(mode)

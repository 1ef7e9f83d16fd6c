"""Tensors on NVIDIA's GPUs.

The backend wakes up when it is first used, so that importing this is free, and safe on a machine
without a driver: there `is_available()` is False, and whatever needs a GPU says why there is none.
"""

from __future__ import annotations

from typing import Any

from torch import _absent
from torch._C import OutOfMemoryError
from torch.cuda import amp as amp
from torch.cuda import nccl as nccl
from torch.cuda import nvtx as nvtx
from torch.cuda._capability import check_capability as _check_capability
from torch.cuda._devices import (
    can_device_access_peer,
    current_device,
    device,
    device_count,
    device_of,
    get_arch_list,
    get_device_capability,
    get_device_name,
    get_device_properties,
    set_device,
    synchronize,
)
from torch.cuda._runtime import call as _call
from torch.cuda.graphs import CUDAGraph, graph, is_current_stream_capturing
from torch.cuda.memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_stats,
    reset_accumulated_memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_memory_stats,
)
from torch.cuda.random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from torch.cuda.streams import (
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    current_stream,
    default_stream,
    set_stream,
    stream,
)

_initialized = False


def is_available() -> bool:
    """Whether this build has CUDA and there is a GPU with a driver. Never raises.

    Returns:
        False in a build without CUDA, without a driver and without a GPU.

    Example::

        >>> device = "cuda" if torch.cuda.is_available() else "cpu"
    """
    return device_count() > 0


def is_initialized() -> bool:
    """Whether CUDA was initialized in this process, by `init` or by the first use.

    Returns:
        False before that, and in a process that was forked from an initialized one.

    Example::

        >>> torch.cuda.is_initialized() and not torch.cuda.is_available()
        False
    """
    return _initialized and not _call("_cuda_isInBadFork")


def init() -> None:
    """Initializes CUDA, which otherwise happens at the first use. A second call does nothing.

    Warns if a GPU has a compute capability for which this build has no code.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     torch.cuda.init()
    """
    global _initialized
    _call("_cuda_init")
    if not _initialized:
        _initialized = True
        for index in range(device_count()):
            _check_capability(index, get_device_capability(index), get_arch_list())


def _lazy_init() -> None:
    init()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether the current GPU computes with bfloat16. False without a GPU.

    Args:
        including_emulation: if False, only hardware support counts, which compute capability 8.0
            and later have.

    Example::

        >>> half = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    """
    return is_available() and (including_emulation or get_device_capability()[0] >= 8)


def ipc_collect() -> None:
    """Frees memory that was shared with other processes. This build shares none.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    init()


_explain = _absent.explain(__name__)


def __getattr__(name: str) -> Any:
    from torch import _tensor_types

    kind = _tensor_types.CUDA_TENSOR_TYPES.get(name)
    return _explain(name) if kind is None else kind


__all__ = [
    "CUDAGraph",
    "Event",
    "ExternalStream",
    "OutOfMemoryError",
    "Stream",
    "StreamContext",
    "can_device_access_peer",
    "current_device",
    "current_stream",
    "default_stream",
    "device",
    "device_count",
    "device_of",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state",
    "get_rng_state_all",
    "graph",
    "init",
    "initial_seed",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_current_stream_capturing",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_cached",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_cached",
    "memory_reserved",
    "memory_stats",
    "reset_accumulated_memory_stats",
    "reset_max_memory_allocated",
    "reset_max_memory_cached",
    "reset_peak_memory_stats",
    "seed",
    "seed_all",
    "set_device",
    "set_rng_state",
    "set_rng_state_all",
    "set_stream",
    "stream",
    "synchronize",
]

"""GPUs: how many, which, and what they are."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Any

from torch.cuda._runtime import Device, call, device_index, is_compiled


@dataclass(frozen=True)
class CudaDeviceProperties:
    """What the driver tells of a GPU. Sizes are in bytes."""

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int
    warp_size: int
    max_threads_per_multi_processor: int
    regs_per_multiprocessor: int
    shared_memory_per_block: int
    shared_memory_per_multiprocessor: int
    L2_cache_size: int
    is_integrated: bool
    is_multi_gpu_board: bool


def device_count() -> int:
    """Number of GPUs; 0 in a build without CUDA and where there is no driver."""
    return int(call("getDeviceCount")) if is_compiled() else 0


def current_device() -> int:
    """Index of the current GPU."""
    return int(call("getDevice"))


def set_device(device: Device) -> None:
    """Makes a GPU current; a negative index changes nothing."""
    index = device_index(device)
    if index >= 0:
        call("setDevice", index)


def get_device_properties(device: Device = None) -> CudaDeviceProperties:
    """Name, compute capability, memory and more of a GPU."""
    return CudaDeviceProperties(**call("getDeviceProperties", device_index(device)))


def get_device_name(device: Device = None) -> str:
    """The name of a GPU."""
    return get_device_properties(device).name


def get_device_capability(device: Device = None) -> tuple[int, int]:
    """The compute capability of a GPU, such as (9, 0)."""
    properties = get_device_properties(device)
    return properties.major, properties.minor


def get_arch_list() -> list[str]:
    """For which GPUs this build has code: `sm_80`, `compute_90`; empty without a GPU."""
    if device_count() == 0:
        return []
    return list(call("getArchFlags").split())


def can_device_access_peer(device: Device, peer_device: Device) -> bool:
    """Whether one GPU reads the memory of another."""
    return bool(call("canDeviceAccessPeer", device_index(device), device_index(peer_device)))


def synchronize(device: Device = None) -> None:
    """Waits for all work of a GPU."""
    index = device_index(device)
    with _Current(index):
        call("synchronize")


class _Current:
    """Makes a GPU current for a block; a negative index changes nothing."""

    def __init__(self, index: int) -> None:
        self.idx = index
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx >= 0:
            self.prev_idx = call("exchangeDevice", self.idx)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.prev_idx >= 0:
            call("exchangeDevice", self.prev_idx)


class device(_Current):
    """A block in which a GPU is the current one; None changes nothing."""

    def __init__(self, device: Device) -> None:
        super().__init__(-1 if device is None else device_index(device))


class device_of(_Current):
    """A block in which the GPU of a tensor is current; one on the CPU changes nothing."""

    def __init__(self, obj: Any) -> None:
        super().__init__(device_index(obj.device) if obj.is_cuda else -1)

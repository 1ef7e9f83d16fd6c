"""GPUs: how many, which, and what they are."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Any

from torch.cuda._runtime import Device, call, device_index, is_compiled


@dataclass(frozen=True)
class CudaDeviceProperties:
    """The properties of a GPU, as the driver reports them.

    Attributes:
        name: of the model.
        major, minor: the compute capability.
        total_memory: in bytes.
        multi_processor_count: the number of streaming multiprocessors (SMs).
        warp_size: threads in a warp.
        max_threads_per_multi_processor: threads that an SM holds at a time.
        regs_per_multiprocessor: 32-bit registers of an SM.
        shared_memory_per_block: in bytes, without opting in to more.
        shared_memory_per_multiprocessor: in bytes.
        L2_cache_size: in bytes.
        is_integrated: whether the GPU shares the memory of the CPU.
        is_multi_gpu_board: whether there are more GPUs on its board.
    """

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
    """The number of GPUs; 0 in a build without CUDA and without a driver. Never raises.

    Example::

        >>> gpus = [torch.device("cuda", i) for i in range(torch.cuda.device_count())]
    """
    return int(call("_cuda_getDeviceCount")) if is_compiled() else 0


def current_device() -> int:
    """The index of the GPU on which tensors are made and kernels run by default.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> torch.cuda.current_device() if torch.cuda.is_available() else 0
        0
    """
    return int(call("_cuda_getDevice"))


def set_device(device: Device) -> None:
    """Makes a GPU the current one of this thread. A `with torch.cuda.device(...)` block is safer.

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1". A negative index changes
            nothing.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no such GPU.

    Example::

        >>> for index in range(torch.cuda.device_count()):
        ...     torch.cuda.set_device(index)
    """
    index = device_index(device)
    if index >= 0:
        call("_cuda_setDevice", index)


def get_device_properties(device: Device = None) -> CudaDeviceProperties:
    """The name, compute capability, memory and other properties of a GPU.

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1"; the current one if None.

    Returns:
        A `CudaDeviceProperties`. Sizes are in bytes.

    Raises:
        AssertionError: in a build without CUDA, or if there is no such GPU.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> for index in range(torch.cuda.device_count()):
        ...     properties = torch.cuda.get_device_properties(index)
        ...     print(properties.name, properties.total_memory >> 30, "GiB")
    """
    return CudaDeviceProperties(**call("_cuda_getDeviceProperties", device_index(device)))


def get_device_name(device: Device = None) -> str:
    """The name of a GPU's model, such as "NVIDIA H100 80GB HBM3".

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1"; the current one if None.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    return get_device_properties(device).name


def get_device_capability(device: Device = None) -> tuple[int, int]:
    """The compute capability of a GPU as (major, minor), such as (9, 0).

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1"; the current one if None.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     has_tensor_cores = torch.cuda.get_device_capability() >= (7, 0)
    """
    properties = get_device_properties(device)
    return properties.major, properties.minor


def get_arch_list() -> list[str]:
    """The GPU architectures that this build has code for; empty without a GPU.

    Returns:
        `sm_80` for machine code, `compute_90` for PTX, which the driver compiles for later GPUs.

    Example::

        >>> all(arch.startswith(("sm_", "compute_")) for arch in torch.cuda.get_arch_list())
        True
    """
    if device_count() == 0:
        return []
    return list(call("_cuda_getArchFlags").split())


def can_device_access_peer(device: Device, peer_device: Device) -> bool:
    """Whether a GPU can read the memory of another one directly.

    Args:
        device: the GPU that reads.
        peer_device: the GPU whose memory is read.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    return bool(call("_cuda_canDeviceAccessPeer", device_index(device), device_index(peer_device)))


def synchronize(device: Device = None) -> None:
    """Blocks until all work that was queued on a GPU is done.

    Kernels run asynchronously: synchronize before you take the time of a computation.

    Args:
        device: the GPU, as a device, an index or a text such as "cuda:1"; the current one if None.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     torch.cuda.synchronize()
    """
    index = device_index(device)
    with _Current(index):
        call("_cuda_synchronize")


class _Current:
    """Makes a GPU current for a block; a negative index changes nothing."""

    def __init__(self, index: int) -> None:
        self.idx = index
        self.prev_idx = -1

    def __enter__(self) -> None:
        if self.idx >= 0:
            self.prev_idx = call("_cuda_exchangeDevice", self.idx)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.prev_idx >= 0:
            call("_cuda_exchangeDevice", self.prev_idx)


class device(_Current):
    """A context manager that makes a GPU the current one.

    Args:
        device: the GPU, as a device, an index or a text. None and negative indices change nothing.

    Example::

        >>> with torch.cuda.device(None):
        ...     x = torch.ones(2)
    """

    def __init__(self, device: Device) -> None:
        super().__init__(-1 if device is None else device_index(device))


class device_of(_Current):
    """A context manager that makes the GPU of a tensor the current one.

    Args:
        obj: a tensor; one on the CPU changes nothing.

    Example::

        >>> with torch.cuda.device_of(torch.ones(2)):
        ...     y = torch.ones(2)
    """

    def __init__(self, obj: Any) -> None:
        super().__init__(device_index(obj.device) if obj.is_cuda else -1)

"""The functions of the CUDA backend in torch._C, which a build without CUDA lacks."""

from __future__ import annotations

from typing import Any

from torch import _C

Device = Any  # int | str | torch.device | None, as PyTorch's functions take it


def is_compiled() -> bool:
    """Whether this build has the CUDA backend."""
    return hasattr(_C, "_cuda_init")


def call(name: str, *args: Any) -> Any:
    """Calls a function of `torch._C`.

    Args:
        name: its whole name, such as "_cuda_getDevice", so that a search finds who calls it.
        *args: its arguments.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    if not is_compiled():
        raise AssertionError(
            "Torch not compiled with CUDA enabled. Install a build with it, or make one: "
            "./bazelw build //torch:wheel --config=cuda"
        )
    return getattr(_C, name)(*args)


def device_index(device: Device = None) -> int:
    """The index of a GPU.

    Args:
        device: an index, which is not checked, a text such as "cuda:1", a `torch.device`, or None
            for the current one.

    Raises:
        ValueError: a device of another kind.
        TypeError: anything else.
        AssertionError: in a build without CUDA, where the current GPU is asked for.
    """
    if isinstance(device, int) and not isinstance(device, bool):
        return device
    if isinstance(device, str):
        device = _C.device(device)
    if isinstance(device, _C.device):
        if device.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}")
        if device.index is not None:
            return int(device.index)
    elif device is not None:
        raise TypeError(f"Expected an int, a str, a torch.device or None, but got {device!r}")
    return int(call("_cuda_getDevice"))

"""Hooks on the tensors that the graph of a computation keeps for the backward pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._tensor import Tensor

__all__ = ["disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]


class saved_tensors_hooks:
    """Packs every tensor that is saved for the backward pass while the context is open.

    `pack_hook(tensor)` is called when an operation saves a tensor and may return anything;
    `unpack_hook(packed)` is called when the tensor is needed and returns a tensor of the same
    value, dtype and device. The innermost pair is in effect. `pack_hook` gets the tensor itself,
    a parameter as a Parameter, and must not change it in place; otherwise saving it raises
    RuntimeError. TypeError if `unpack_hook` returns anything but a tensor.

    Keep `tensor.detach()`, not `tensor`: an operation's result refers to the graph, which refers
    to what `pack_hook` returned, and Python frees no such cycle.
    """

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        torch._C._autograd._push_saved_tensors_default_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args: object) -> None:
        torch._C._autograd._pop_saved_tensors_default_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keeps the tensors that are saved for the backward pass on the CPU, and copies them back when
    they are needed.

    Args:
        pin_memory, device_type: kept for PyTorch's signature; copies lie in usual memory.

    Example::

        >>> x = torch.ones(2, requires_grad=True)
        >>> with torch.autograd.graph.save_on_cpu():
        ...     y = (x * x).sum()
        >>> y.backward()
        >>> x.grad
        tensor([2., 2.])
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(
            lambda tensor: (tensor.device, tensor.detach().cpu()),
            lambda packed: packed[1].to(packed[0]),
        )


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Makes `saved_tensors_hooks` raise RuntimeError inside.

    Args:
        error_message: what it says.

    Raises:
        RuntimeError: hooks are in effect already.

    Example::

        >>> with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        ...     pass
    """
    previous = torch._C._autograd._saved_tensors_hooks_get_disabled_error_message()
    torch._C._autograd._saved_tensors_hooks_disable(error_message)
    try:
        yield
    finally:
        if previous is None:
            torch._C._autograd._saved_tensors_hooks_enable()
        else:
            torch._C._autograd._saved_tensors_hooks_disable(previous)

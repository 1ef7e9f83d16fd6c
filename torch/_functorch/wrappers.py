"""`torch._C._functorch`: no tensor wraps another here, which is the answer to every question."""

from __future__ import annotations

from typing import NoReturn

from torch import _absent
from torch._tensor import Tensor


def is_batchedtensor(tensor: Tensor) -> bool:
    """False: `vmap` gives its function entries of a batch, which are tensors like others."""
    return False


def is_gradtrackingtensor(tensor: Tensor) -> bool:
    """False: functions of `torch.func` follow tensors as `backward` does."""
    return False


def is_legacy_batchedtensor(tensor: Tensor) -> bool:
    """False, as `is_batchedtensor`."""
    return False


def is_functionaltensor(tensor: Tensor) -> bool:
    """False: nothing here makes functions out of writes."""
    return False


def is_functorch_wrapped_tensor(tensor: Tensor) -> bool:
    """False: it is none of these."""
    return False


def maybe_get_level(tensor: Tensor) -> int:
    """-1: no function has wrapped the tensor."""
    return -1


def maybe_get_bdim(tensor: Tensor) -> int:
    """-1: the tensor has no dimension that a function hides."""
    return -1


def maybe_current_level() -> None:
    """None: no function wraps tensors now."""


def peek_interpreter_stack() -> None:
    """None: no function wraps tensors now."""


def get_unwrapped(tensor: Tensor) -> NoReturn:
    """Raises: there is nothing in the tensor."""
    raise RuntimeError("No wrappers present!")


__getattr__ = _absent.names_of(
    "torch._C._functorch",
    _absent.FUNCTORCH,
    functions="_add_batch_dim _remove_batch_dim _unwrap_batched _wrap_for_grad _unwrap_for_grad"
    " _vmap_increment_nesting _vmap_decrement_nesting _grad_increment_nesting"
    " _grad_decrement_nesting current_level",
)

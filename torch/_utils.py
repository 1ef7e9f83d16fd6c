"""What pickled tensors name: the functions that make them again.

Their names and arguments are part of PyTorch's file format.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

import torch
from torch import _C
from torch._tensor import Tensor

# By its former place, which files name.
from torch._tensor import _rebuild_from_type_v2 as _rebuild_from_type_v2


def _element_size(dtype: Any) -> int:
    """Bytes of an element of `dtype`."""
    return int(dtype.itemsize)


def _get_device_index(device: Any, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index of a device, which is an index itself, a `torch.device`, its name, or None.

    Args:
        device: whose index.
        optional: whether a device without index, or None, means the accelerator's current device.
        allow_cpu: whether the CPU has the index -1.

    Raises:
        ValueError: the CPU without `allow_cpu`, or a device without index that is not `optional`.
    """
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = torch.device(device)
    if isinstance(device, torch.device):
        if device.type == "cpu":
            if allow_cpu:
                return -1
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        if device.index is not None:
            return device.index
    if optional:
        return torch.accelerator.current_device_index()
    raise ValueError(
        f"Expected a torch.device with a specified index or an integer, but got:{device}"
    )


def _rebuild_tensor(
    storage: Any, storage_offset: int, size: Sequence[int], stride: Sequence[int]
) -> Tensor:
    """The tensor of a typed storage that has this geometry."""
    return _C._tensor_from_storage(
        storage._untyped_storage, storage.dtype, storage_offset, size, stride
    )


def _with_bits(tensor: Tensor, metadata: Any) -> Tensor:
    """The conjugate or the negative where one was saved: files have the memory as it was."""
    if not metadata:
        return tensor
    if metadata.get("conj"):
        tensor = tensor._conj()
    if metadata.get("neg"):
        tensor = tensor._neg_view()
    return tensor.detach()


def _bits_of(tensor: Tensor) -> dict[str, bool]:
    """What `_with_bits` has to know of a tensor; empty for most."""
    bits = {"conj": tensor.is_conj(), "neg": tensor.is_neg()}
    return {name: value for name, value in bits.items() if value}


def _rebuild_tensor_v2(
    storage: Any,
    storage_offset: int,
    size: Sequence[int],
    stride: Sequence[int],
    requires_grad: bool,
    backward_hooks: Any,
    metadata: Any = None,
) -> Tensor:
    """As `_rebuild_tensor`, with what autograd has to know."""
    tensor = _with_bits(_rebuild_tensor(storage, storage_offset, size, stride), metadata)
    if requires_grad:
        tensor.requires_grad_()
    tensor._backward_hooks = backward_hooks or None
    return tensor


def _rebuild_tensor_v3(
    storage: Any,
    storage_offset: int,
    size: Sequence[int],
    stride: Sequence[int],
    requires_grad: bool,
    backward_hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    """For the dtypes that have no typed storage of their own."""
    tensor = _C._tensor_from_storage(storage, dtype, storage_offset, size, stride)
    tensor = _with_bits(tensor, metadata)
    if requires_grad:
        tensor.requires_grad_()
    tensor._backward_hooks = backward_hooks or None
    return tensor


def _rebuild_meta_tensor_no_storage(
    dtype: Any, size: Sequence[int], stride: Sequence[int], requires_grad: bool
) -> Tensor:
    """A tensor of the meta device has no storage to keep."""
    import torch

    return torch.empty_strided(
        tuple(size), tuple(stride), dtype=dtype, device="meta", requires_grad=requires_grad
    )


def _rebuild_parameter(data: Tensor, requires_grad: bool, backward_hooks: Any) -> Tensor:
    """A Parameter on the memory of `data`."""
    from torch.nn.parameter import Parameter

    parameter = Parameter(data, requires_grad)
    parameter._backward_hooks = backward_hooks or None
    return parameter


def _rebuild_parameter_with_state(
    data: Tensor, requires_grad: bool, backward_hooks: Any, state: Any
) -> Tensor:
    """A Parameter with attributes."""
    return _set_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _set_state(tensor: Tensor, state: Any) -> Tensor:
    """Sets attributes: a dict of them, or such a dict and the values of the slots."""
    attributes, slots = state if isinstance(state, tuple) else (state, None)
    for values in (attributes, slots):
        for name, value in (values or {}).items():
            setattr(tensor, name, value)
    return tensor


def _state_of(tensor: Tensor) -> Any:
    """What `__getstate__` of a subclass returns; else what `_set_state` takes.

    That is None when the tensor has no attributes.
    """
    own = getattr(type(tensor), "__getstate__", None)
    if own is not None and own is not getattr(object, "__getstate__", None):
        return own(tensor)
    names = [
        name
        for cls in type(tensor).__mro__
        for name in cls.__dict__.get("__slots__", ())
        if not isinstance(cls.__dict__["__slots__"], str)
    ]
    slots = {name: getattr(tensor, name) for name in names if hasattr(tensor, name)}
    if slots:
        return (tensor.__dict__, slots)
    return tensor.__dict__ or None


# Errors on their way between threads and processes.


class ExceptionWrapper:
    """The exception that is being handled, to be raised again in another thread or process.

    Args:
      exc_info: what `sys.exc_info()` gives, which is taken if it is None.
      where: stands in the text of the error that is raised again.
    """

    def __init__(self, exc_info: Any = None, where: str = "in background") -> None:
        found: Any = sys.exc_info() if exc_info is None else exc_info
        kind, value, trace = found
        self.exc_type: type[BaseException] = kind
        self.exc_msg = "".join(traceback.format_exception(kind, value, trace))
        self.where = where

    def reraise(self) -> NoReturn:
        """Raises the same kind of exception, with the text of the first one and its places."""
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            raise KeyError(KeyErrorMessage(message))
        try:
            error = self.exc_type(message)
        except Exception:
            raise RuntimeError(message) from None
        try:
            raise error
        finally:
            del error  # Its traceback holds this frame.


class KeyErrorMessage(str):
    """A text that a KeyError shows as it is, without quotes and escapes."""

    def __repr__(self) -> str:
        return str(self)


# Tensors in one, for communication in buckets.


def _flatten_dense_tensors(tensors: Sequence[Tensor]) -> Tensor:
    """The elements of all tensors, which have one dtype and device, in one of one dimension."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    return _C._VariableFunctions.cat([tensor.contiguous().view(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat: Tensor, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Views of what `_flatten_dense_tensors` made, in the shapes of `tensors`."""
    parts = flat.split([tensor.numel() for tensor in tensors])
    return tuple(part.view(tensor.shape) for part, tensor in zip(parts, tensors, strict=True))


def _take_tensors(tensors: Iterable[Tensor], size_limit: int) -> Iterator[list[Tensor]]:
    """Lists of tensors of one type, of at most `size_limit` bytes unless one alone is larger."""
    buckets: dict[str, tuple[list[Tensor], int]] = {}
    for tensor in tensors:
        kind = str(tensor.type())
        size = tensor.numel() * tensor.element_size()
        bucket, bytes_ = buckets.get(kind, ([], 0))
        if bucket and bytes_ + size > size_limit:
            yield bucket
            bucket, bytes_ = [], 0
        buckets[kind] = ([*bucket, tensor], bytes_ + size)
    for bucket, _ in buckets.values():
        if bucket:
            yield bucket


def _reorder_tensors_as(
    tensors: Iterable[Tensor], ordered_tensors: Iterable[Tensor]
) -> tuple[Tensor, ...]:
    """`tensors`, which are sorted by type, in the order of types of `ordered_tensors`."""
    by_type: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        by_type.setdefault(str(tensor.type()), []).append(tensor)
    iterators = {kind: iter(found) for kind, found in by_type.items()}
    return tuple(next(iterators[str(tensor.type())]) for tensor in ordered_tensors)


def _get_available_device_type() -> str | None:
    """The type of this machine's accelerator, or None."""
    from torch import accelerator

    device = accelerator.current_accelerator(check_available=True)
    return None if device is None else device.type


def _get_device_module(device_type: str) -> Any:
    """The module of a type of device: `torch.cuda` of "cuda"."""
    import torch

    module = getattr(torch, device_type, None)
    if module is None:
        raise RuntimeError(
            f"Device '{device_type}' does not have a corresponding module registered as 'torch.{device_type}'."
        )
    return module

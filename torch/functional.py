"""Functions of torch written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import _C
from torch._tensor import Tensor


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Splits into views of the given size, the last one smaller, or of the given sizes."""
    return tensor.split(split_size_or_sections, dim)


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:
    """The p-norm over `dim`, or over everything."""
    order = 2.0 if p in ("fro", None) else p
    return _C._linalg.linalg_vector_norm(input, order, dim, keepdim, dtype=dtype)


def unique(input: Tensor, sorted: bool = True) -> Tensor:
    """The distinct elements of `input` as one sorted dimension."""
    flat = input.reshape(-1).sort()[0]
    if flat.numel() < 2:
        return flat
    changed = flat[1:] != flat[:-1]
    return _C._VariableFunctions.cat([flat[:1], flat[1:][changed]])


def frombuffer(
    buffer: Any,
    *,
    dtype: Any,
    count: int = -1,
    offset: int = 0,
    requires_grad: bool = False,
) -> Tensor:
    """A one-dimensional tensor on the memory of a Python buffer, from byte `offset` on."""
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    size, item = view.nbytes, dtype.itemsize
    if size == 0 or count == 0:
        raise ValueError(f"both buffer length ({size}) and count ({count}) must not be 0")
    if not 0 <= offset < size:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({size} bytes) minus 1"
        )
    left = size - offset
    if count > 0 and count * item > left:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({size} bytes)"
        )
    if count < 0 and left % item:
        raise ValueError(
            f"buffer length ({left} bytes) after offset ({offset} bytes) must be a multiple of "
            f"element size ({item})"
        )
    if view.readonly:
        import warnings

        warnings.warn(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. "
            "This means you can write to the underlying (supposedly non-writable) buffer using the "
            "tensor. You may want to copy the buffer to protect its data or make it writable "
            "before converting it to a tensor. This type of warning will be suppressed for the "
            "rest of this program.",
            stacklevel=2,
        )
    length = count if count > 0 else left // item
    storage = _C.UntypedStorage._share_buffer(buffer, offset, length * item)
    tensor = _C._tensor_from_storage(storage, dtype, 0, (length,), (1,))
    return tensor.requires_grad_() if requires_grad else tensor


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """`obj` as a tensor on the same memory if it has one and `copy` allows it, else a copy."""
    if isinstance(obj, Tensor):
        tensor, shares = obj, True
    elif hasattr(obj, "__dlpack__") or type(obj).__name__ == "PyCapsule":
        from torch import from_dlpack

        tensor, shares = from_dlpack(obj), True
    elif isinstance(obj, (bytes, bytearray, memoryview)):
        tensor = frombuffer(obj, dtype=_C.get_default_dtype() if dtype is None else dtype)
        shares = True
    else:
        tensor = _C._VariableFunctions.tensor(obj, dtype=dtype, device=device)  # type: ignore[attr-defined]
        shares = False
    converted = tensor.to(
        dtype=tensor.dtype if dtype is None else dtype,
        device=tensor.device if device is None else device,
    )
    shares = shares and converted.data_ptr() == tensor.data_ptr()
    if copy is False and not shares:
        raise ValueError(
            f"can't alias arbitrary sequence into a tensor: {type(obj).__name__} has other memory, "
            "dtype or device; leave out copy=False"
        )
    result = converted.clone() if copy and shares else converted
    if not requires_grad:
        return result.detach() if result.requires_grad else result
    return result.requires_grad_()

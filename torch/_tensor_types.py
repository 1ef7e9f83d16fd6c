"""torch.FloatTensor, torch.cuda.LongTensor and the others: PyTorch's old names of a dtype on a kind
of device.

    >>> isinstance(torch.ones(2), torch.FloatTensor), torch.LongTensor([1, 2])
    (True, tensor([1, 2]))
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import _C

_NAMES = {
    "DoubleTensor": torch.float64,
    "FloatTensor": torch.float32,
    "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16,
    "LongTensor": torch.int64,
    "IntTensor": torch.int32,
    "ShortTensor": torch.int16,
    "CharTensor": torch.int8,
    "ByteTensor": torch.uint8,
    "BoolTensor": torch.bool,
}


class tensortype(type):
    """The class of these names: `isinstance` looks at the dtype and the device of a tensor."""

    dtype: torch.dtype
    is_cuda: bool
    is_sparse = False

    def __instancecheck__(cls, instance: object) -> bool:
        return (
            isinstance(instance, torch.Tensor)
            and instance.dtype is cls.dtype
            and instance.device.type == ("cuda" if cls.is_cuda else "cpu")
            and instance.layout is torch.strided
        )

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__name__}'>"

    @property
    def layout(cls) -> torch.layout:
        """Always `torch.strided`."""
        return torch.strided

    def __call__(cls, *args: Any, **kwargs: Any) -> torch.Tensor:
        if not cls.is_cuda:
            return legacy_tensor(cls.dtype, torch.device("cpu"), args, kwargs)
        if not torch.cuda.is_available():
            raise TypeError(
                f"type {cls.__module__}.{cls.__name__} not available. Torch not compiled with CUDA enabled."
            )
        return legacy_tensor(cls.dtype, torch.device("cuda"), args, kwargs)


def legacy_tensor(
    dtype: torch.dtype, device: torch.device, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> torch.Tensor:
    """What `torch.FloatTensor(*args)` makes: a tensor of given sizes without values, of the values
    of a sequence, a view of another tensor, or a tensor on the memory of a storage."""
    wanted = torch.device(kwargs.pop("device", None) or device)
    sizes = None if args else kwargs.pop("size", None)
    if kwargs:
        raise TypeError(
            f"new() received an invalid keyword argument '{next(iter(kwargs))}'; use torch.tensor(data, dtype=..., device=...) instead"
        )
    if wanted.type != device.type:
        raise RuntimeError(
            f"legacy constructor expects device type: {device.type} but device type: "
            f"{wanted.type} was passed"
        )
    if sizes is not None:
        args = tuple(sizes)
    if all(isinstance(a, int) and not isinstance(a, bool) for a in args):
        return torch.empty(args or (0,), dtype=dtype, device=wanted)
    if len(args) != 1:
        raise TypeError(
            f"new() received an invalid combination of arguments - got ({', '.join(type(a).__name__ for a in args)}), but expected one of:\n"
            " * (*, torch.device device = None)\n"
            " * (torch.Storage storage)\n"
            " * (Tensor other)\n"
            " * (tuple of ints size, *, torch.device device = None)\n"
            " * (object data, *, torch.device device = None)\n"
        )
    (data,) = args
    if isinstance(data, torch.Size):
        return torch.empty(data, dtype=dtype, device=wanted)
    if isinstance(data, torch.Tensor):
        if data.dtype is not dtype or data.device.type != device.type:
            raise TypeError(f"expected {_name(dtype, device)} (got {data.type()})")
        return torch.ops.aten.alias(data)
    if isinstance(data, (torch.UntypedStorage, torch.TypedStorage)):
        if isinstance(data, torch.TypedStorage) and data.dtype is not dtype:
            raise RuntimeError(
                f"Expected a Storage of type {dtype} or an UntypedStorage, but got type {data.dtype} for argument 1 'storage'"
            )
        memory = data.untyped()
        size = memory.nbytes() // dtype.itemsize
        return _C._tensor_from_storage(memory, dtype, 0, (size,), (1,))
    if isinstance(data, (str, bytes)) or not hasattr(data, "__len__"):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    return torch.tensor(data, dtype=dtype, device=wanted)


def _name(dtype: torch.dtype, device: torch.device) -> str:
    name = next(name for name, of in _NAMES.items() if of is dtype)
    return "torch." + ("cuda." if device.type == "cuda" else "") + name


def find_type(name: str) -> Any:
    """The type of a name such as "torch.FloatTensor"; None where there is none."""
    short = name.removeprefix("torch.")
    if short.startswith("cuda."):
        return CUDA_TENSOR_TYPES.get(short.removeprefix("cuda."))
    return TENSOR_TYPES.get(short)


def _make(name: str, dtype: torch.dtype, module: str) -> Any:
    body = {"__module__": module, "dtype": dtype, "is_cuda": module == "torch.cuda"}
    return tensortype(name, (), body)


#: By name; those of torch.cuda apart.
TENSOR_TYPES = {name: _make(name, dtype, "torch") for name, dtype in _NAMES.items()}
CUDA_TENSOR_TYPES = {name: _make(name, dtype, "torch.cuda") for name, dtype in _NAMES.items()}


def set_default_tensor_type(t: Any) -> None:
    """Sets the dtype of tensors made without one, by a type or its name.

    Raises TypeError for types whose numbers are no floating-point numbers, and for those of
    torch.cuda: `torch.set_default_device("cuda")` is how to make tensors there.

    Example::

        >>> torch.set_default_tensor_type(torch.DoubleTensor)
        >>> torch.ones(1).dtype
        torch.float64
        >>> torch.set_default_tensor_type("torch.FloatTensor")
    """
    if isinstance(t, str):
        name = t
        t = find_type(name)
        if t is None:
            raise TypeError(f"invalid type object: no type is called '{name}'")
    if not isinstance(t, tensortype):
        raise TypeError("invalid type object")
    if not t.dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if t.is_cuda and torch.version.cuda is None:
        raise TypeError(
            f"type torch.cuda.{t.__name__} not available. Torch not compiled with CUDA enabled."
        )
    if t.is_cuda:
        raise TypeError(
            f'type torch.cuda.{t.__name__} cannot be the default; use torch.set_default_device("cuda") and torch.set_default_dtype'
        )
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and torch.set_default_device() as alternatives.",
        UserWarning,
        stacklevel=2,
    )
    torch.set_default_dtype(t.dtype)

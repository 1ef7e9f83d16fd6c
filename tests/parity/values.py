"""Values as both PyTorchs read them: plain Python data that pickles without torch or NumPy.

A tensor's bytes travel with its size, strides and offset, so that an expanded, overlapping or
permuted argument arrives as it was. Everything here runs in either process.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import torch

# NumPy's type with the same bytes. NumPy has no bfloat16.
_NUMPY_TYPES = {
    "bool": np.uint8,
    "uint8": np.uint8,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "float16": np.float16,
    "bfloat16": np.int16,
    "float32": np.float32,
    "float64": np.float64,
    "complex64": np.complex64,
    "complex128": np.complex128,
}

_MOST_BYTES = 1 << 26


class Untranslatable(Exception):
    """A value that has no form outside its process: a function, a sparse tensor."""


def name(value: Any) -> str:
    """The name of a dtype, layout or memory format in torch."""
    return str(value).removeprefix("torch.")


def bytes_of(tensor: Any) -> bytes:
    """The elements of a strided tensor in row-major order."""
    dtype = name(tensor.dtype)
    if dtype not in _NUMPY_TYPES or tensor.layout != torch.strided:
        raise Untranslatable(f"a tensor of {tensor.dtype} and {tensor.layout}")
    if tensor.is_meta:
        return b""
    plain = tensor.detach()
    if hasattr(torch, "_is_zerotensor") and torch._is_zerotensor(plain):
        plain = torch.zeros_like(plain)  # PyTorch's zeros without memory.
    for resolve in ("resolve_conj", "resolve_neg"):
        if hasattr(plain, resolve):
            plain = getattr(plain, resolve)()
    if dtype == "bfloat16":
        plain = plain.contiguous().view(torch.int16)
    return np.ascontiguousarray(plain.numpy()).tobytes()


def tensor_of(data: bytes, dtype: str) -> Any:
    """A one-dimensional tensor of its own memory."""
    array = np.frombuffer(data, _NUMPY_TYPES[dtype]).copy()
    tensor = torch.from_numpy(array)
    return tensor if name(tensor.dtype) == dtype else tensor.view(getattr(torch, dtype))


def result(value: Any) -> Any:
    """What an operator returned, to be compared: a tensor's own facts, its elements in order."""
    if isinstance(value, torch.Tensor):
        return {
            "kind": "tensor",
            "dtype": name(value.dtype),
            "shape": tuple(value.shape),
            "strides": tuple(value.stride()),
            "requires_grad": value.requires_grad,
            "view": value._base is not None,
            "data": bytes_of(value),
        }
    if isinstance(value, torch.Size):
        return {"kind": "Size", "items": [int(item) for item in value]}
    if isinstance(value, (tuple, list)):
        return {"kind": type(value).__name__, "items": [result(item) for item in value]}
    if isinstance(value, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
        return {"kind": type(value).__name__, "name": str(value)}
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return {"kind": type(value).__name__, "value": value}
    if isinstance(value, np.ndarray):
        return {"kind": "ndarray", "shape": value.shape, "value": value.tolist()}
    raise Untranslatable(f"a result of {type(value)}")


class Encoder:
    """Arguments as data; each tensor and each storage once, however often it is used."""

    def __init__(self) -> None:
        self.storages: list[bytes] = []
        self.tensors: list[dict[str, Any]] = []
        self._seen: dict[int, dict[str, Any]] = {}
        self._seen_storages: dict[int, int] = {}
        self._alive: list[Any] = []

    def know(self, value: Any, reference: dict[str, Any]) -> None:
        """Makes later uses of `value` refer to what a step gave."""
        self._seen[id(value)] = reference
        self._alive.append(value)

    def knows(self, value: Any) -> bool:
        """Whether `value` came up already."""
        return id(value) in self._seen

    def encode(self, value: Any) -> Any:
        """`value` as data; raises Untranslatable."""
        if isinstance(value, torch.Tensor):
            if id(value) not in self._seen:
                self.know(value, {"kind": "input", "index": self._tensor(value)})
            return self._seen[id(value)]
        if value is None or isinstance(value, (str, bool)) or type(value) in (int, float, complex):
            return value
        if isinstance(value, torch.Size):
            return {"kind": "Size", "items": [int(item) for item in value]}
        if isinstance(value, (tuple, list)):
            kind = "list" if isinstance(value, list) else "tuple"
            return {"kind": kind, "items": [self.encode(item) for item in value]}
        if isinstance(value, dict):
            items = [(self.encode(k), self.encode(v)) for k, v in value.items()]
            return {"kind": "dict", "items": items}
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            return {"kind": "constant", "name": name(value)}
        if isinstance(value, torch.device):
            return {"kind": "device", "name": str(value)}
        if isinstance(value, slice):
            parts = [self.encode(part) for part in (value.start, value.stop, value.step)]
            return {"kind": "slice", "items": parts}
        if value is Ellipsis:
            return {"kind": "ellipsis"}
        if value in (bool, int, float, complex):
            return {"kind": "type", "name": value.__name__}
        if isinstance(value, np.ndarray):
            return {"kind": "array", "value": value.tolist(), "dtype": str(value.dtype)}
        if isinstance(value, np.generic):
            return {"kind": "number", "value": value.item(), "dtype": str(value.dtype)}
        if isinstance(value, torch.Generator):
            return {"kind": "generator", "seed": value.initial_seed()}
        raise Untranslatable(f"an argument of {type(value)}")

    def _tensor(self, tensor: Any) -> int:
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
            raise Untranslatable(f"an argument of {type(tensor)}")
        if tensor.layout != torch.strided or name(tensor.dtype) not in _NUMPY_TYPES:
            raise Untranslatable(f"an argument of {tensor.dtype} and {tensor.layout}")
        if tensor.device.type not in ("cpu", "meta"):
            raise Untranslatable(f"an argument on {tensor.device}")
        description = {
            "dtype": name(tensor.dtype),
            "shape": tuple(tensor.shape),
            "strides": tuple(tensor.stride()),
            "offset": tensor.storage_offset(),
            "requires_grad": tensor.requires_grad,
            "storage": None if tensor.is_meta else self._storage(tensor),
        }
        if tensor.is_conj() or tensor.is_neg():
            # Of a conjugate or a negative the numbers count, not the bits.
            plain = tensor.detach().resolve_conj().resolve_neg()
            description |= {"strides": tuple(plain.stride()), "offset": 0}
            description["storage"] = self._storage(plain)
        self.tensors.append(description)
        return len(self.tensors) - 1

    def _storage(self, tensor: Any) -> int:
        storage = tensor.untyped_storage()
        if storage.nbytes() > _MOST_BYTES:
            raise Untranslatable(f"a storage of {storage.nbytes()} bytes")
        # Storages without memory all have address 0.
        key = storage.data_ptr() or -id(tensor)
        if key not in self._seen_storages:
            self._alive.append(storage)
            self._seen_storages[key] = len(self.storages)
            self.storages.append(ctypes.string_at(storage.data_ptr(), storage.nbytes()))
        return self._seen_storages[key]


class Decoder:
    """The inverse of Encoder, in either process."""

    def __init__(self, storages: list[bytes], tensors: list[dict[str, Any]]) -> None:
        self._bases: dict[tuple[int, str], Any] = {}
        self._storages = storages
        self.inputs = [self._tensor(tensor) for tensor in tensors]
        self.steps: list[list[Any]] = []

    def _tensor(self, description: dict[str, Any]) -> Any:
        shape, strides = description["shape"], description["strides"]
        dtype = description["dtype"]
        if description["storage"] is None:
            tensor = torch.empty_strided(shape, strides, dtype=getattr(torch, dtype), device="meta")
        else:
            key = (description["storage"], dtype)
            if key not in self._bases:
                data = self._storages[key[0]]
                size = np.dtype(_NUMPY_TYPES[dtype]).itemsize
                self._bases[key] = tensor_of(data[: len(data) // size * size], dtype)
            tensor = self._bases[key].as_strided(shape, strides, description["offset"]).detach()
        return tensor.requires_grad_() if description["requires_grad"] else tensor

    def decode(self, value: Any) -> Any:
        """The value that was encoded."""
        if not isinstance(value, dict):
            return value
        kind = value["kind"]
        if kind == "input":
            return self.inputs[value["index"]]
        if kind == "output":
            return self.steps[value["step"]][value["index"]]
        if kind in ("tuple", "list", "Size", "slice"):
            items = [self.decode(item) for item in value["items"]]
            if kind == "slice":
                return slice(*items)
            return {"tuple": tuple, "list": list, "Size": torch.Size}[kind](items)
        if kind == "dict":
            return {self.decode(k): self.decode(v) for k, v in value["items"]}
        if kind == "constant":
            return getattr(torch, value["name"])
        if kind == "device":
            return torch.device(value["name"])
        if kind == "ellipsis":
            return Ellipsis
        if kind == "type":
            return {"bool": bool, "int": int, "float": float, "complex": complex}[value["name"]]
        if kind == "array":
            return np.array(value["value"], dtype=value["dtype"])
        if kind == "number":
            return np.dtype(value["dtype"]).type(value["value"])
        if kind == "generator":
            return torch.Generator().manual_seed(value["seed"])
        raise AssertionError(f"unknown kind {kind}")


def leaves(value: Any) -> list[Any]:
    """The tensors of a tree of tuples, lists and dicts, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return []

"""Random calls of the operators of native_functions.yaml, as cases of tests/parity.

The same seed makes the same calls. Arguments fit together often enough that kernels run, and are
wrong often enough that every check is met: sizes that overflow, negative dimensions, dtypes that do
not go together, tensors that overlap or lie on no device that computes.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable
from typing import Any

from tools.codegen.model import (
    Argument,
    BaseTy,
    BaseType,
    ListType,
    NativeFunction,
    OptionalType,
    Type,
    Variant,
)

_SIZES = {
    "float32": ("f", 4),
    "float64": ("d", 8),
    "int64": ("q", 8),
    "int32": ("i", 4),
    "int16": ("h", 2),
    "int8": ("b", 1),
    "uint8": ("B", 1),
    "bool": ("B", 1),
    "float16": ("e", 2),
    "bfloat16": ("h", 2),
    "complex64": ("f", 8),
    "complex128": ("d", 16),
}
_DTYPES = ["float32"] * 6 + ["int64"] * 3 + ["bool"] * 2 + list(_SIZES)
_HUGE = [2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1, -(2**31), -(2**63)]
_FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 1e-30, 1e30, float("inf"), float("-inf"), float("nan")]
_STRINGS = ["none", "tanh", "mean", "sum", "trunc", "floor", "constant", "reflect", "", "nonsense"]

# What they give is whatever memory held, or comes from outside the arguments.
UNDEFINED = {"empty", "empty_like", "empty_strided", "new_empty", "resize_", "resize_as_"}


def tree(value: Any) -> Any:
    """Plain values as the cases of tests/parity hold them."""
    if isinstance(value, (tuple, list)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {"kind": kind, "items": [tree(item) for item in value]}
    return value


def python_names(function: NativeFunction) -> list[str]:
    """The public names under which Python calls a function."""
    name = str(function.func.name.name)
    names = []
    if Variant.function in function.variants:
        module = {None: "_VariableFunctions", "nn": "_nn", "linalg": "_linalg"}
        where = module.get(function.python_module, f"_{function.python_module}")
        names.append(f"torch._C.{where}.{name}")
    if Variant.method in function.variants:
        names.append(f"torch.Tensor.{name}")
    return names


class Generator:
    """Makes cases from a seed."""

    def __init__(self, functions: Iterable[NativeFunction], seed: int) -> None:
        self._functions = [f for f in functions if python_names(f)]
        self._random = random.Random(seed)
        self._storages: list[bytes] = []
        self._tensors: list[dict[str, Any]] = []

    def case(self) -> dict[str, Any]:
        """One call of one function."""
        function = self._random.choice(self._functions)
        self._name = str(function.func.name.name)
        self._storages, self._tensors = [], []
        self._shape = self._new_shape()
        self._dtype = self._random.choice(_DTYPES)
        positional: list[Any] = []
        keyword: list[tuple[str, Any]] = []
        schema = function.func.arguments
        outs = []
        for argument in schema.flat_all:
            if argument.name in {a.name for a in schema.out}:
                outs.append(self._value(argument.type))
            elif argument.default is not None and self._random.random() < 0.5:
                continue
            elif argument in schema.flat_kwarg_only or keyword:
                keyword.append((argument.name, self._argument(argument)))
            else:
                positional.append(self._argument(argument))
        if outs:
            out = {"kind": "tuple", "items": outs} if len(outs) > 1 else outs[0]
            keyword.append(("out", out))
        gradients = self._random.random() < 0.5 and not outs
        for tensor in self._tensors if gradients else ():
            tensor["requires_grad"] = (
                tensor["dtype"][0] in "fbc" and tensor["dtype"] != "bool"
            ) and self._random.random() < 0.7
        name = self._random.choice(python_names(function))
        arguments = {"kind": "tuple", "items": positional}
        return {
            "steps": [(name, arguments, {"kind": "dict", "items": keyword})],
            "storages": self._storages,
            "tensors": self._tensors,
            "result": None,
            "targets": None,
            "gradients": gradients,
            "second": gradients and self._dtype == "float64",
        }

    def _argument(self, argument: Argument) -> Any:
        if argument.name == "n" and "_polynomial_" in self._name:
            # The time is proportional to the degree, as PyTorch's: 2**31 is no hang.
            return self._random.randint(-3, 40)
        if argument.name in ("dim", "dims", "dim0", "dim1", "dim2") and self._random.random() < 0.8:
            dims = len(self._shape)
            small = self._random.randint(-dims - 1, dims)
            return tree([small]) if argument.type.is_list_like() else small
        if argument.name in ("index", "indices", "target") and argument.type.is_tensor_like():
            kept, self._dtype = self._dtype, self._random.choice(["int64", "int64", self._dtype])
            value = self._value(argument.type)
            self._dtype = kept
            return value
        return self._value(argument.type)

    def _value(self, type_: Type) -> Any:
        pick = self._random
        if isinstance(type_, OptionalType):
            return None if pick.random() < 0.4 else self._value(type_.elem)
        if isinstance(type_, ListType):
            elements = [self._value(type_.elem) for _ in range(pick.choice([0, 1, 1, 2, 2, 3, 5]))]
            if type_.elem == BaseType(BaseTy.int) and pick.random() < 0.3:
                elements = list(self._shape)
            return {"kind": pick.choice(["list", "tuple"]), "items": elements}
        assert isinstance(type_, BaseType), type_
        match type_.name:
            case BaseTy.Tensor:
                if pick.random() < 0.01:
                    return None
                return self._tensor()
            case BaseTy.int | BaseTy.SymInt | BaseTy.DeviceIndex:
                return pick.choice(_HUGE) if pick.random() < 0.08 else pick.randint(-3, 6)
            case BaseTy.bool | BaseTy.SymBool:
                return pick.random() < 0.5
            case BaseTy.float:
                return pick.choice(_FLOATS) if pick.random() < 0.3 else pick.uniform(-2, 2)
            case BaseTy.Scalar:
                return pick.choice(
                    [pick.randint(-3, 5), pick.uniform(-2, 2), pick.choice(_FLOATS), True]
                    + [complex(pick.uniform(-1, 1), 1), pick.choice(_HUGE)]
                )
            case BaseTy.str:
                return pick.choice(_STRINGS)
            case BaseTy.ScalarType:
                return {"kind": "constant", "name": pick.choice(_DTYPES)}
            case BaseTy.Layout:
                return {"kind": "constant", "name": "strided"}
            case BaseTy.MemoryFormat:
                names = ["contiguous_format", "channels_last", "preserve_format"]
                return {"kind": "constant", "name": pick.choice(names)}
            case BaseTy.Device:
                return {
                    "kind": "device",
                    "name": pick.choice(["cpu", "cpu", "cpu", "meta", "cuda"]),
                }
            case BaseTy.Generator:
                return {"kind": "generator", "seed": 7}
        return None

    def _new_shape(self) -> tuple[int, ...]:
        dims = self._random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
        return tuple(self._random.choice([0, 1, 2, 2, 3, 3, 4, 7, 17]) for _ in range(dims))

    def _near_shape(self) -> tuple[int, ...]:
        """The shape of the call, one that broadcasts with it, or another."""
        chance = self._random.random()
        if chance < 0.6:
            return self._shape
        if chance < 0.8:
            shape = [size if self._random.random() < 0.6 else 1 for size in self._shape]
            return tuple(shape[self._random.randint(0, len(shape)) :])
        if chance < 0.9 and len(self._shape) > 1:
            return (*self._shape[:-2], self._shape[-1], self._random.randint(1, 4))
        return self._new_shape()

    def _tensor(self) -> dict[str, Any]:
        pick = self._random
        dtype = self._dtype if pick.random() < 0.7 else pick.choice(_DTYPES)
        shape = self._near_shape()
        order = list(range(len(shape)))
        if pick.random() < 0.3:
            pick.shuffle(order)
        strides = [0] * len(shape)
        extent = 1
        for dim in order[::-1]:
            strides[dim] = extent
            extent *= max(shape[dim], 1)
        offset = 0
        if pick.random() < 0.25:
            step, offset = pick.choice([1, 2, 3]), pick.choice([0, 1, 5])
            strides = [stride * step for stride in strides]
            if strides and pick.random() < 0.5:
                strides[pick.randrange(len(strides))] = 0  # Expanded, or overlapping.
        reach = offset + 1 + sum((s - 1) * t for s, t in zip(shape, strides, strict=True) if s > 1)
        storage: int | None = None
        if pick.random() > 0.03:  # A meta tensor has none.
            storage = len(self._storages)
            self._storages.append(self._elements(dtype, reach))
        self._tensors.append(
            {
                "dtype": dtype,
                "shape": shape,
                "strides": tuple(strides),
                "offset": offset if storage is not None else 0,
                "requires_grad": False,
                "storage": storage,
            }
        )
        return {"kind": "input", "index": len(self._tensors) - 1}

    def _elements(self, dtype: str, count: int) -> bytes:
        code, size = _SIZES[dtype]
        pick = self._random
        number = count * size // struct.calcsize(code)
        if dtype == "bool":
            values: list[Any] = [pick.randint(0, 1) for _ in range(number)]
        elif dtype == "bfloat16":
            single = struct.pack(f"<{number}f", *(pick.uniform(-3, 3) for _ in range(number)))
            return b"".join(single[i + 2 : i + 4] for i in range(0, len(single), 4))
        elif code in "fde":
            values = [pick.uniform(-3, 3) for _ in range(number)]
            if pick.random() < 0.15 and code != "e":
                values[pick.randrange(number)] = pick.choice(_FLOATS)
        else:
            values = [pick.randint(0 if code == "B" else -2, 4) for _ in range(number)]
        return struct.pack(f"<{number}{code}", *values)

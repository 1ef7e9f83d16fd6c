"""`torch._foreach_add` and its kind: an operator on each tensor of a list.

Optimizers outside of torch use them. `torch._foreach_X(tensors, ...)` returns a tuple of results;
`torch._foreach_X_(tensors, ...)` writes them into the tensors and returns the list. The second
operand is a list of tensors, one number, a list of numbers, or a tensor of no dimensions.

Example::

    >>> torch._foreach_add([torch.ones(2), torch.zeros(1)], [1.0, 5.0])
    (tensor([2., 2.]), tensor([5.]))
    >>> torch._foreach_mul_([torch.ones(2)], 3)
    [tensor([3., 3.])]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import _C, _absent
from torch._tensor import Tensor

_Tensors = Sequence[Tensor]

# Operators of one tensor. Each has a form in place.
_UNARY = [
    "abs",
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "frac",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "neg",
    "reciprocal",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]
# Operators of two, by the names of torch: with tensors, and with a number.
_BINARY = {
    "add": ("add", "add"),
    "sub": ("sub", "sub"),
    "mul": ("mul", "mul"),
    "div": ("div", "div"),
    "pow": ("pow", "pow"),
    "clamp_max": ("minimum", "clamp_max"),
    "clamp_min": ("maximum", "clamp_min"),
    "maximum": ("maximum", "clamp_min"),
    "minimum": ("minimum", "clamp_max"),
}
_WITH_ALPHA = ("add", "sub")
_WITH_TENSOR = ("add", "mul", "div")


def _check(tensors: Any, name: str, argument: int = 0) -> _Tensors:
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(f"{name}() expects a list or tuple of tensors, but got {tensors!r}")
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"expected Tensor as element {index} in argument {argument}, but got {type(tensor).__name__}"
            )
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    return tensors


def _same_number(first: Sequence[Any], second: Sequence[Any]) -> None:
    if len(first) == len(second):
        return
    if isinstance(second[0] if second else None, Tensor):
        raise RuntimeError(
            f"Tensor lists must have the same number of tensors, got {len(first)} and {len(second)}"
        )
    raise RuntimeError("Tensor list must have same number of elements as scalar list.")


def _operands(tensors: _Tensors, other: Any) -> Sequence[Any]:
    """The operand of each tensor."""
    if isinstance(other, (list, tuple)):
        _same_number(tensors, other)
        return other
    return [other] * len(tensors)


def _function(name: str) -> Callable[..., Any]:
    """A function of torch; of a name that ends in "_", the method."""
    found: Callable[..., Any] = getattr(Tensor if name.endswith("_") else torch, name)
    return found


def _result(tensors: _Tensors, in_place: bool, results: list[Tensor]) -> Any:
    return tensors if in_place else tuple(results)


def _unary(name: str) -> Callable[..., Any]:
    function = _function(name)

    def foreach(self: _Tensors) -> Any:
        tensors = _check(self, f"_foreach_{name}")
        return _result(tensors, name.endswith("_"), [function(t) for t in tensors])

    return foreach


def _binary(name: str) -> Callable[..., Any]:
    in_place = name.endswith("_")
    end = "_" if in_place else ""
    plain = name.removesuffix("_")
    of_tensors, of_numbers = (getattr(torch, n) for n in _BINARY[plain])

    def foreach(self: Any, other: Any, *, alpha: Any = None) -> Any:
        if plain == "pow" and not in_place and not isinstance(self, (list, tuple)):
            return tuple(torch.pow(self, t) for t in _check(other, "_foreach_pow"))
        tensors = _check(self, f"_foreach_{name}")
        with_tensor = isinstance(other, Tensor)
        with_list = isinstance(other, (list, tuple)) and any(
            isinstance(o, Tensor) for o in other[:1]
        )
        if with_tensor and plain not in _WITH_TENSOR:
            if other.dim() != 0:
                raise TypeError(
                    f"_foreach_{name}() expects a number, numbers or a list of tensors, but got a tensor of {other.dim()} dimensions"
                )
            other, with_tensor = other.item(), False
        if with_tensor and other.dim() != 0:
            raise RuntimeError(
                f"scalar tensor expected to be 0 dim but it has {other.dim()} dimensions and {other.numel()} elements."
            )
        if alpha is not None and (plain not in _WITH_ALPHA or not (with_tensor or with_list)):
            raise TypeError(f"_foreach_{name}() takes alpha only with tensors to add or subtract")
        if name == "add_" and not with_list and not isinstance(other, (list, tuple)):
            native = _C._VariableFunctions._foreach_add_
            native(tensors, other, **({} if alpha is None else {"alpha": alpha}))
            return tensors
        options = {} if alpha is None else {"alpha": alpha}
        results = []
        for tensor, operand in zip(tensors, _operands(tensors, other), strict=True):
            function = of_tensors if isinstance(operand, Tensor) else of_numbers
            if in_place:
                function = getattr(tensor, function.__name__ + end, None)
                if function is None:  # maximum and minimum have no form in place
                    tensor.copy_(of_tensors(tensor, operand))
                else:
                    function(operand, **options)
            else:
                results.append(function(tensor, operand, **options))
        return _result(tensors, in_place, results)

    return foreach


def _ternary(name: str) -> Callable[..., Any]:
    function = _function(name)

    def foreach(
        self: _Tensors, tensor1: _Tensors, tensor2: _Tensors, scalars: Any = None, *, value: Any = 1
    ) -> Any:
        tensors = _check(self, f"_foreach_{name}")
        if isinstance(scalars, Tensor):
            if scalars.dim() != 1:
                raise RuntimeError(
                    f"Expected packed scalar Tensor to be of dimension 1. Got {scalars.dim()} instead."
                )
            scalars = scalars.tolist()
        numbers = _operands(tensors, value if scalars is None else scalars)
        _same_number(tensors, tensor1)
        _same_number(tensors, tensor2)
        results = [
            function(t, a, b, value=number)
            for t, a, b, number in zip(tensors, tensor1, tensor2, numbers, strict=True)
        ]
        return _result(tensors, name.endswith("_"), results)

    return foreach


def _lerp(name: str) -> Callable[..., Any]:
    function = _function(name)

    def foreach(self: _Tensors, tensors1: _Tensors, weight: Any = None, **named: Any) -> Any:
        tensors = _check(self, f"_foreach_{name}")
        weights = _operands(tensors, named.pop("weights", weight))
        if named:
            raise TypeError(f"_foreach_{name}() got an unexpected argument {next(iter(named))!r}")
        _same_number(tensors, tensors1)
        results = [function(t, e, w) for t, e, w in zip(tensors, tensors1, weights, strict=True)]
        return _result(tensors, name.endswith("_"), results)

    return foreach


def _copy_(self: _Tensors, src: _Tensors, non_blocking: bool = False) -> Any:
    tensors = _check(self, "_foreach_copy_")
    _same_number(tensors, _check(src, "_foreach_copy_", 1))
    for to, from_ in zip(tensors, src, strict=True):
        to.copy_(from_, non_blocking)
    return tensors


def _zero_(self: _Tensors) -> Any:
    for tensor in _check(self, "_foreach_zero_"):
        tensor.zero_()
    return self


def _clone(self: _Tensors, *, memory_format: Any = torch.preserve_format) -> Any:
    return tuple(t.clone(memory_format=memory_format) for t in _check(self, "_foreach_clone"))


def _max(self: _Tensors) -> Any:
    return tuple(t.max() for t in _check(self, "_foreach_max"))


def _norm(self: _Tensors, ord: Any = 2, dtype: Any = None) -> Any:
    tensors = _check(self, "_foreach_norm")
    return tuple(torch.linalg.vector_norm(t, ord, dtype=dtype) for t in tensors)


def _powsum(self: _Tensors, ord: Any = 2, dtype: Any = None) -> Any:
    tensors = _check(self, "_foreach_powsum")
    for tensor in tensors:
        if not (tensor.is_floating_point() or tensor.is_complex()):
            raise NotImplementedError(
                f"_foreach_powsum() expects floating point or complex tensors, but got {tensor.dtype}"
            )
    return tuple(t.abs().pow(ord).sum(dtype=dtype) for t in tensors)


def _mm(self: _Tensors, mat2: _Tensors) -> Any:
    tensors = _check(self, "_foreach_mm")
    _same_number(tensors, mat2)
    return tuple(a.mm(b) for a, b in zip(tensors, mat2, strict=True))


_made: dict[str, Callable[..., Any]] = {
    "clone": _clone,
    "copy_": _copy_,
    "max": _max,
    "mm": _mm,
    "norm": _norm,
    "powsum": _powsum,
    "zero_": _zero_,
}


def names() -> list[str]:
    """The functions of this module, as torch has them."""
    both = [*_UNARY, *_BINARY, "addcdiv", "addcmul", "lerp"]
    found = [*_made, *both, *(f"{name}_" for name in both)]
    return sorted({f"_foreach_{name}" for name in found})


def __getattr__(name: str) -> Any:
    if name not in names():
        raise _absent.attribute_error(__name__, name)
    short = name.removeprefix("_foreach_")
    plain = short.removesuffix("_")
    if short not in _made:
        maker = (
            _unary
            if plain in _UNARY
            else _binary
            if plain in _BINARY
            else _lerp
            if plain == "lerp"
            else _ternary
        )
        _made[short] = maker(short)
    made = _made[short]
    made.__name__ = made.__qualname__ = name
    made.__module__ = "torch"
    return made

"""Every structured operator runs on the Meta device, where tensors have a shape and no memory, and
gives there the sizes, strides and dtypes that it gives on the CPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from tools.codegen.model import (
    Argument,
    BaseTy,
    BaseType,
    NativeFunction,
    NativeFunctionsGroup,
    group_functions,
)
from tools.codegen.parse import parse_native_yaml

_NATIVE = Path("aten/src/ATen/native")
_DTYPES = (torch.float32, torch.int64, torch.bool, torch.complex64, torch.bfloat16)

# What an argument of a name is, where its type does not say it.
_BY_NAME: dict[str, Any] = {
    "dim": 1,
    "dims": [1],
    "n": 1,
    "k": 2,
    "p": 2,
    "maxnorm": 1.0,
    "reduction": 1,
    "ignore_index": -100,
    "decimals": 1,
    "half_to_float": False,
    "is_result": False,
    "self_is_result": False,
    "rounding_mode": "floor",
    "reduce": "amax",
    "stable": True,
}


def _new(dtype: torch.dtype, *shape: int) -> Any:
    return (torch.arange(math.prod(shape)).reshape(shape) % 2).to(dtype)


def _index(*shape: int) -> Any:
    return torch.zeros(shape, dtype=torch.int64)


# Arguments of operators whose tensors are not all alike.
_ARGUMENTS: dict[str, Callable[[torch.dtype], tuple[Any, ...]]] = {
    "cat": lambda t: ([_new(t, 2, 3), _new(t, 2, 1)], 1),
    "mm": lambda t: (_new(t, 2, 3), _new(t, 3, 4)),
    "bmm": lambda t: (_new(t, 3, 2, 3), _new(t, 3, 3, 4)),
    "addmm": lambda t: (_new(t, 4), _new(t, 2, 3), _new(t, 3, 4)),
    "addmv": lambda t: (_new(t, 3), _new(t, 3, 4), _new(t, 4)),
    "baddbmm": lambda t: (_new(t, 1, 1, 4), _new(t, 3, 2, 3), _new(t, 3, 3, 4)),
    "linalg_cross": lambda t: (_new(t, 2, 3), _new(t, 1, 3)),
    "linalg_ldl_factor_ex": lambda t: (_new(t, 3, 3),),
    "linalg_ldl_solve": lambda t: (
        torch.ones(3).diag().to(t),
        torch.arange(1, 4, dtype=torch.int32),
        _new(t, 3, 2),
    ),
    "glu": lambda t: (_new(t, 3, 4), 1),
    "gather": lambda t: (_new(t, 3, 4), 1, _index(2, 3)),
    "scatter.src": lambda t: (_new(t, 3, 4), 1, _index(2, 3), _new(t, 2, 3)),
    "scatter.value": lambda t: (_new(t, 3, 4), 1, _index(2, 3), 1),
    "scatter.reduce": lambda t: (_new(t, 3, 4), 1, _index(2, 3), _new(t, 2, 3), "add"),
    "scatter.value_reduce": lambda t: (_new(t, 3, 4), 1, _index(2, 3), 1, "add"),
    "scatter_add": lambda t: (_new(t, 3, 4), 1, _index(2, 3), _new(t, 2, 3)),
    "scatter_reduce.two": lambda t: (_new(t, 3, 4), 1, _index(2, 3), _new(t, 2, 3), "amax"),
    "index_copy": lambda t: (_new(t, 3, 4), 1, _index(2), _new(t, 3, 2)),
    "index_reduce": lambda t: (_new(t, 3, 4), 1, _index(2), _new(t, 3, 2), "amax"),
    "nll_loss_forward": lambda t: (_new(t, 3, 4), _index(3), None, 1, -100),
    "nll_loss_backward": lambda t: (
        _new(t, 1)[0],
        *(_new(t, 3, 4), _index(3), None, 1, -100, _new(t, 1)[0]),
    ),
    "_softmax_backward_data": lambda t: (_new(t, 3, 4), _new(t, 3, 4), 1, t),
    "_log_softmax_backward_data": lambda t: (_new(t, 3, 4), _new(t, 3, 4), 1, t),
    "any.dims": lambda t: (_new(t, 3, 4, 5), [0, 2]),
    "all.dims": lambda t: (_new(t, 3, 4, 5), [0, 2]),
}


_LAPACK = torch._build_settings.LAPACK


def _groups() -> dict[str, NativeFunctionsGroup]:
    parsed = parse_native_yaml(_NATIVE / "native_functions.yaml", _NATIVE / "tags.yaml")
    groups = group_functions(parsed.functions)
    return {
        str(group.functional.func.name): group
        for group in groups
        if isinstance(group, NativeFunctionsGroup)
        and group.structured
        # Eigen has no such factorization.
        and ("ldl" not in str(group.functional.func.name) or "OpenBLAS" in _LAPACK)
    }


_GROUPS = _groups()


def _value(argument: Argument, dtype: torch.dtype, shape: tuple[int, ...]) -> Any:
    """By the argument's type or, if that leaves it open, by its name; None for the default."""
    if argument.type.is_tensor_like():
        return _new(dtype, *shape)
    if argument.name in _BY_NAME:
        value = _BY_NAME[argument.name]
        return [value] if argument.name == "dim" and argument.type.is_list_like() else value
    if argument.type.is_base_ty_like(BaseTy.Scalar):
        return 1
    if argument.default is not None:
        return None
    raise AssertionError(f"no value for {argument}")


def _calls(name: str, dtype: torch.dtype) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Arguments: equal shapes, shapes that broadcast, and tensors that are not contiguous."""
    arguments = _GROUPS[name].functional.func.arguments
    if name in _ARGUMENTS:
        values = list(_ARGUMENTS[name](dtype))
        count = len([*arguments.flat_positional])
        names = [a.name for a in arguments.flat_kwarg_only]
        yield values[:count], dict(zip(names, values[count:], strict=False))
        return
    named = {a.name: _value(a, dtype, ()) for a in arguments.flat_kwarg_only}
    named = {key: value for key, value in named.items() if value is not None}
    for shapes, transposed in (
        (((3, 4), (3, 4), (3, 4)), False),
        (((2, 3, 4), (3, 4), (4,)), False),
        (((3, 4), (3, 4), (3, 4)), True),
    ):
        left = iter(shapes)
        values = []
        for a in arguments.flat_positional:
            shape = next(left) if a.type.is_tensor_like() else ()
            value = _value(a, dtype, shape)
            if value is None:
                break  # The rest have defaults.
            values.append(value.t() if transposed and a.type.is_tensor_like() else value)
        yield values, named


def _on_meta(value: Any) -> Any:
    if isinstance(value, list):
        return [_on_meta(item) for item in value]
    if not isinstance(value, torch.Tensor):
        return value
    return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="meta")


def _facts(results: Any) -> list[tuple[Any, ...]]:
    tensors = results if isinstance(results, (tuple, list)) else [results]
    return [(tuple(t.shape), t.stride(), t.dtype) for t in tensors]


def _operator(f: NativeFunction) -> Any:
    name = f.func.name
    return getattr(getattr(torch.ops.aten, str(name.name)), name.overload_name or "default")


def _outputs(f: NativeFunction, device: str, results: list[tuple[Any, ...]]) -> dict[str, Any]:
    return {
        a.name: torch.empty(0, dtype=dtype, device=device)
        for a, (_, _, dtype) in zip(f.func.arguments.out, results, strict=True)
    }


@pytest.mark.parametrize("name", sorted(_GROUPS))
def test_meta_agrees_with_the_cpu(name: str) -> None:
    group = _GROUPS[name]
    call = _operator(group.functional)
    ran = 0
    for dtype in _DTYPES:
        for arguments, named in _calls(name, dtype):
            try:
                expected = _facts(call(*arguments, **named))
            except (RuntimeError, IndexError, NotImplementedError):
                continue  # Not for this dtype, or not for these shapes.
            ran += 1
            there = _on_meta(arguments)
            named = {key: _on_meta(value) for key, value in named.items()}
            results = call(*there, **named)
            assert _facts(results) == expected
            tensors = results if isinstance(results, (tuple, list)) else [results]
            assert all(t.device.type == "meta" for t in tensors)

            outputs = _outputs(group.out, "meta", expected)
            _operator(group.out)(*there, **named, **outputs)
            assert [(s, d) for s, _, d in _facts(list(outputs.values()))] == [
                (s, d) for s, _, d in expected
            ]
            if group.inplace is not None and expected[0][2] == dtype:
                self = next(i for i, v in enumerate(there) if isinstance(v, torch.Tensor))
                if tuple(there[self].shape) == expected[0][0]:
                    before = _facts(there[self])
                    assert _operator(group.inplace)(*there, **named) is there[self]
                    assert _facts(there[self]) == before
    assert ran > 0, "nothing ran on the CPU"


def test_memory_is_not_touched() -> None:
    """A shape that no machine has memory for."""
    huge = torch.empty(2**20, 2**20, device="meta")
    assert torch.mm(huge, huge).shape == (2**20, 2**20)
    assert (huge + 1).sum(0).shape == (2**20,)
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        torch.mm(huge, torch.empty(3, 3, device="meta"))


_MODES = {1: ("nearest", "nearest-exact", "linear"), 2: ("nearest", "bilinear", "bicubic"), 3: ("nearest", "trilinear")}  # fmt: skip


@pytest.mark.parametrize(("dims", "mode"), [(d, mode) for d in _MODES for mode in _MODES[d]])
def test_upsampling_of_meta_tensors(dims: int, mode: str) -> None:
    x = torch.empty(2, 3, *[4] * dims)
    formats = [torch.contiguous_format] + [torch.channels_last] * (dims == 2)
    for memory_format in formats:
        facts = []
        for device in ("cpu", "meta"):
            y = x.to(device).contiguous(memory_format=memory_format).requires_grad_()
            z = torch.nn.functional.interpolate(y, scale_factor=1.5, mode=mode)
            (grad,) = torch.autograd.grad(z.sum(), y)
            facts.append(_facts([z, grad]))
        assert facts[0] == facts[1]
    huge = torch.empty(2**20, 1, *[2] * (dims - 1), 2**30, device="meta")
    assert torch.nn.functional.interpolate(huge, scale_factor=2, mode=mode).size(-1) == 2**31
    with pytest.raises(RuntimeError, match="[Ii]nput and output sizes should be greater than 0"):
        torch.nn.functional.interpolate(huge, size=[0] * dims, mode=mode)


def test_all_structured_operators_are_here() -> None:
    # Nothing that the table names has left the file.
    assert set(_ARGUMENTS) <= set(_GROUPS)
    assert BaseType(BaseTy.Tensor) in {
        r.type for g in _GROUPS.values() for r in g.functional.func.returns
    }
    assert len(_GROUPS) > 150

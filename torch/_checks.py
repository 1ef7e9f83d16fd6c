"""Checks of conditions, for libraries: `torch._check(condition, message)` and its family.

`message` is a function of no arguments, called only when the condition is False; its result is made
into text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import _C
from torch._tensor import Tensor
from torch._torch_function import handle_torch_function

_Message = Callable[[], Any] | None

_DEFAULT = "Expected cond to be True, but got False: give a message that says what was expected"


def _assert(condition: Any, message: Any) -> None:
    """Raises AssertionError with `message` unless the condition holds, for programs that PyTorch
    records: theirs is a tensor.
    """
    if type(condition) is not Tensor and _C._has_torch_function((condition,)):
        handle_torch_function(_assert, (condition,), condition, message)
    elif not condition:
        raise AssertionError(message)


def _assert_tensor_metadata(
    a: Tensor,
    size: Sequence[int] | None = None,
    stride: Sequence[int] | None = None,
    dtype: Any = None,
    *,
    device: Any = None,
    layout: Any = None,
) -> None:
    """Raises RuntimeError unless a tensor has what is given: size, strides, dtype and so on."""
    expected = {"sizes": size, "strides": stride, "dtype": dtype}
    if size is not None:
        expected["sizes"] = list(size)
    if stride is not None:
        expected["strides"] = list(stride)
    found = {"sizes": list(a.shape), "strides": list(a.stride()), "dtype": a.dtype}
    expected["device"] = None if device is None else _C.device(device)
    expected["layout"] = layout
    found |= {"device": a.device, "layout": a.layout}
    for what, value in expected.items():
        if value is not None and value != found[what]:
            raise RuntimeError(f"Tensor {what} mismatch! Expected: {value}, Got: {found[what]}")


def _check_with(error_type: type[Exception], cond: bool, message: _Message = None) -> None:
    """Raises `error_type` with the message if `cond` is False; TypeError if it is no bool."""
    if not isinstance(cond, bool):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        raise error_type(_DEFAULT)
    if not callable(message):
        raise TypeError("message must be a callable")
    raise error_type(str(message()))


def _check(cond: bool, message: _Message = None) -> None:
    """Raises RuntimeError if `cond` is False."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond: bool, message: _Message = None) -> None:
    """Raises IndexError if `cond` is False."""
    _check_with(IndexError, cond, message)


def _check_value(cond: bool, message: _Message = None) -> None:
    """Raises ValueError if `cond` is False."""
    _check_with(ValueError, cond, message)


def _check_type(cond: bool, message: _Message = None) -> None:
    """Raises TypeError if `cond` is False."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond: bool, message: _Message = None) -> None:
    """Raises NotImplementedError if `cond` is False."""
    _check_with(NotImplementedError, cond, message)


def _check_is_size(i: int, message: _Message = None, *, max: int | None = None) -> None:
    """Raises RuntimeError if `i` is negative, or larger than `max`."""
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_tensor_all(cond: Tensor, message: _Message = None) -> None:
    """Raises RuntimeError if an element of a tensor of bools is False."""
    if not isinstance(cond, Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if str(cond.dtype) != "torch.bool":
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check(bool(cond.all()), message)

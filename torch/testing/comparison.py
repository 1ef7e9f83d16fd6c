"""assert_close: values that are equal but for rounding."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

# Relative and absolute tolerance by dtype; all others must be equal.
_TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}
# Those of assert_allclose.
_OLD_TOLERANCES = {
    torch.float16: (1e-3, 1e-3),
    torch.float32: (1e-4, 1e-5),
    torch.float64: (1e-5, 1e-8),
}
_NUMBER_DTYPES: dict[type, torch.dtype] = {
    int: torch.int64,
    float: torch.float64,
    complex: torch.complex128,
}

_Message = str | Callable[[str], str] | None


@dataclass(frozen=True)
class _Options:
    rtol: float | None
    atol: float | None
    equal_nan: bool
    allow_subclasses: bool
    check_device: bool
    check_dtype: bool
    check_layout: bool
    check_stride: bool
    # Where in the containers a value is, as an expression: `['a'][1]`.
    place: str = ""
    message: _Message = None

    def tolerances(self, *dtypes: torch.dtype) -> tuple[float, float]:
        """Relative and absolute tolerance for values of these dtypes."""
        if self.rtol is not None and self.atol is not None:
            return self.rtol, self.atol
        defaults = [_TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        return max(r for r, _ in defaults), max(a for _, a in defaults)

    def at(self, key: Any) -> _Options:
        """The options for an item of a container."""
        return replace(self, place=f"{self.place}[{key!r}]")

    def fail(self, text: str) -> None:
        """Raises the AssertionError."""
        if self.place:
            text += f"\n\nThe failure occurred for item {self.place}"
        if callable(self.message):
            text = self.message(text)
        raise AssertionError(self.message if isinstance(self.message, str) else text)


def _headline(kind: str, rtol: float, atol: float) -> str:
    return f"{kind} are not {'equal' if rtol == atol == 0 else 'close'}!\n\n"


def _difference(kind: str, value: Any, place: str, allowed: float, exact: bool) -> str:
    tolerance = "" if exact else f" (up to {allowed} allowed)"
    return f"{kind} difference: {value}{place}{tolerance}"


def _compare_numbers(
    actual: Any, expected: Any, rtol: float, atol: float, options: _Options
) -> None:
    if actual == expected:
        return
    if options.equal_nan and cmath.isnan(actual) and cmath.isnan(expected):
        return
    difference = abs(actual - expected)
    if math.isfinite(difference) and difference <= atol + rtol * abs(expected):
        return
    relative = math.inf if expected == 0 else difference / abs(expected)
    exact = rtol == atol == 0
    options.fail(
        _headline("Scalars", rtol, atol)
        + f"Expected {expected} but got {actual}.\n"
        + _difference("Absolute", difference, "", atol, exact)
        + "\n"
        + _difference("Relative", relative, "", rtol, exact)
    )


def _index_of(position: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The index of an element by its position among all."""
    index = []
    for size in reversed(shape):
        position, rest = divmod(position, size)
        index.append(rest)
    return tuple(reversed(index))


def _attributes(actual: torch.Tensor, expected: torch.Tensor, options: _Options) -> None:
    """Compares everything but the values."""
    checks = [
        (True, "shape", actual.shape, expected.shape),
        (options.check_layout, "layout", actual.layout, expected.layout),
        (options.check_device, "device", actual.device, expected.device),
        (options.check_dtype, "dtype", actual.dtype, expected.dtype),
        (options.check_stride, "stride()", actual.stride(), expected.stride()),
    ]
    for wanted, name, first, second in checks:
        if wanted and first != second:
            options.fail(f"The values for attribute '{name}' do not match: {first} != {second}.")


def _compare_tensors(actual: torch.Tensor, expected: torch.Tensor, options: _Options) -> None:
    _attributes(actual, expected, options)
    if actual.is_meta or expected.is_meta:
        return
    rtol, atol = options.tolerances(actual.dtype, expected.dtype)
    common = torch.promote_types(actual.dtype, expected.dtype)
    actual = actual.detach().cpu().to(common)
    expected = expected.detach().cpu().to(common)
    matches = torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if bool(matches.all()):
        return
    if actual.dim() == 0:
        _compare_numbers(actual.item(), expected.item(), rtol, atol, options)
    if not (common.is_floating_point or common.is_complex):
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    absolute = (actual - expected).abs()
    relative = absolute / expected.abs()
    lines = []
    count, total = matches.numel() - int(matches.sum().item()), matches.numel()
    lines.append(f"Mismatched elements: {count} / {total} ({count / total:.1%})")
    exact = rtol == atol == 0
    for kind, values, allowed in (("absolute", absolute, atol), ("relative", relative, rtol)):
        flat = values.masked_fill(matches, 0).reshape(-1)
        position = int(flat.argmax().item())
        place = f" at index {_index_of(position, actual.shape)}"
        lines.append(_difference(f"Greatest {kind}", flat[position].item(), place, allowed, exact))
    options.fail(_headline("Tensor-likes", rtol, atol) + "\n".join(lines))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def _is_array(value: object) -> bool:
    return isinstance(value, torch.Tensor) or type(value).__module__ == "numpy"


def _compare(actual: Any, expected: Any, options: _Options) -> None:
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        missing = sorted(set(expected) - set(actual), key=str)
        additional = sorted(set(actual) - set(expected), key=str)
        if missing or additional:
            options.fail(
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {missing}\n"
                f"Additional keys in the actual mapping: {additional}"
            )
        for key in expected:
            _compare(actual[key], expected[key], options.at(key))
        return
    texts = (str, bytes)
    if (
        isinstance(actual, Sequence)
        and isinstance(expected, Sequence)
        and not isinstance(actual, texts)
        and not isinstance(expected, texts)
    ):
        if len(actual) != len(expected):
            options.fail(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        for index, (first, second) in enumerate(zip(actual, expected, strict=True)):
            _compare(first, second, options.at(index))
        return
    if actual is None or expected is None:
        if actual is not expected:
            options.fail(f"None mismatch: {actual} is not {expected}")
        return
    if isinstance(actual, bool) and isinstance(expected, bool):
        if actual is not expected:
            options.fail(f"Booleans mismatch: {actual} is not {expected}")
        return
    if _is_number(actual) and _is_number(expected):
        if options.check_dtype and type(actual) is not type(expected):
            options.fail(f"The (d)types do not match: {type(actual)} != {type(expected)}.")
        dtypes = (_NUMBER_DTYPES[type(actual)], _NUMBER_DTYPES[type(expected)])
        _compare_numbers(actual, expected, *options.tolerances(*dtypes), options)
        return
    if _is_array(actual) and _is_array(expected):
        related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
        if related and (options.allow_subclasses or type(actual) is type(expected)):
            _compare_tensors(torch.as_tensor(actual), torch.as_tensor(expected), options)
            return
    raise TypeError(
        f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."
    )


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: _Message = None,
) -> None:
    """Raises AssertionError unless `|actual - expected| <= atol + rtol * |expected|` everywhere.

    Takes tensors, arrays, numbers, and sequences and mappings of them. The tolerances depend on
    the dtype unless both are given. `msg` replaces the text of the error or makes it anew.
    """
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
        )
    options = _Options(
        rtol,
        atol,
        equal_nan,
        allow_subclasses,
        check_device,
        check_dtype,
        check_layout,
        check_stride,
        message=msg,
    )
    _compare(actual, expected, options)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """The older `assert_close`, which takes NaN for equal and compares no dtypes.

    Args:
        actual, expected: tensors, or what `torch.tensor` takes.
        rtol, atol: both or none: for float16 then (1e-3, 1e-3), for float32 (1e-4, 1e-5), for
            float64 (1e-5, 1e-8), the larger ones if dtypes differ, and 0 for others.
        msg: replaces the text of the error.

    Raises:
        AssertionError: they differ.

    Example::

        >>> torch.testing.assert_allclose(torch.tensor([1.00001]), [1.0])
    """
    if not isinstance(actual, torch.Tensor):
        actual = torch.tensor(actual)
    if not isinstance(expected, torch.Tensor):
        expected = torch.tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        found = [_OLD_TOLERANCES.get(x.dtype, (0.0, 0.0)) for x in (actual, expected)]
        rtol, atol = max(r for r, _ in found), max(a for _, a in found)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_dtype=False,
        msg=msg or None,
    )


__all__ = ["assert_allclose", "assert_close"]

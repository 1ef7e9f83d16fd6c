"""How tensors print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class PrintOptions:
    """The numbers behind `torch.set_printoptions`."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PRINT_OPTS = PrintOptions()

_PROFILES = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, math.inf, 3, 80),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Sets the options given; `profile` is "default", "short" or "full" and comes first."""
    options = PRINT_OPTS
    if profile is not None:
        if profile not in _PROFILES:
            raise ValueError(f"unknown profile {profile!r}; there are {', '.join(_PROFILES)}")
        (
            options.precision,
            options.threshold,
            options.edgeitems,
            options.linewidth,
        ) = _PROFILES[profile]
    if precision is not None:
        options.precision = precision
    if threshold is not None:
        options.threshold = threshold
    if edgeitems is not None:
        options.edgeitems = edgeitems
    if linewidth is not None:
        options.linewidth = linewidth
    options.sci_mode = sci_mode


def _flatten(values: Any) -> list[Any]:
    if not isinstance(values, list):
        return [values]
    if values and isinstance(values[0], list):
        return [x for row in values for x in _flatten(row)]
    return values


class _Formatter:
    """Chooses one format for all elements: integers, fixed point, or scientific."""

    def __init__(self, dtype: Any, values: Sequence[Any]) -> None:
        self.floating = dtype.is_floating_point
        self.int_mode = False
        self.sci_mode = False
        self.width = 1
        precision = PRINT_OPTS.precision
        if not self.floating:
            self.width = max((len(str(v)) for v in values), default=1)
            return
        shown = [v for v in values if v != 0 and math.isfinite(v)]
        if not shown:
            # PyTorch gives these no common width, and heeds no sci_mode.
            self.int_mode = bool(values)
            return
        largest = max(abs(v) for v in shown)
        smallest = min(abs(v) for v in shown)
        self.int_mode = all(v == math.ceil(v) for v in shown)
        wide = largest / smallest > 1000.0 or largest > 1.0e8
        if self.int_mode:
            self.sci_mode = wide
        else:
            self.sci_mode = wide or smallest < 1.0e-4
        if PRINT_OPTS.sci_mode is not None:
            self.sci_mode = PRINT_OPTS.sci_mode
        if self.sci_mode:
            self.width = max(1, *(len(f"{v:.{precision}e}") for v in shown))
        elif self.int_mode:
            self.width = max(1, *(len(f"{v:.0f}") + 1 for v in shown))
        else:
            self.width = max(1, *(len(f"{v:.{precision}f}") for v in shown))

    def format(self, value: Any) -> str:
        """The text of an element, padded on the left."""
        if not self.floating:
            text = str(value)
        elif self.sci_mode:
            text = f"{value:{self.width}.{PRINT_OPTS.precision}e}"
        elif self.int_mode:
            text = f"{value:.0f}"
            if math.isfinite(value):
                text += "."
        else:
            text = f"{value:.{PRINT_OPTS.precision}f}"
        return text.rjust(self.width)


class _ComplexFormatter:
    """Formats real and imaginary parts, each with a width of its own."""

    def __init__(self, dtype: Any, values: Sequence[complex]) -> None:
        real_dtype = dtype.to_real()
        self.real = _Formatter(real_dtype, [v.real for v in values])
        self.imag = _Formatter(real_dtype, [v.imag for v in values])
        self.width = self.real.width + self.imag.width + 1

    def format(self, value: complex) -> str:
        """`1.+2.j`."""
        real, imag = self.real.format(value.real), self.imag.format(value.imag).lstrip()
        if imag[0] in "+-":
            return f"{real}{imag}j"
        return f"{real}+{imag}j"


def _vector_str(values: list[Any], size: int, indent: int, summarize: bool, formatter: Any) -> str:
    edge = PRINT_OPTS.edgeitems
    per_line = max(1, (PRINT_OPTS.linewidth - indent) // (formatter.width + 2))
    if summarize and not edge:
        return "[...]"
    if summarize and size > 2 * edge:
        data = [formatter.format(v) for v in values[:edge]]
        data.append(" ...")
        data += [formatter.format(v) for v in values[-edge:]]
    else:
        data = [formatter.format(v) for v in values]
    lines = [data[i : i + per_line] for i in range(0, len(data), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"


def _nested_str(
    values: Any, shape: Sequence[int], indent: int, summarize: bool, formatter: Any
) -> str:
    """`values` are nested lists which summarising has already cut to the edges."""
    if not shape:
        return formatter.format(values)
    if len(shape) == 1:
        return _vector_str(values, shape[0], indent, summarize, formatter)
    edge = PRINT_OPTS.edgeitems
    parts = [_nested_str(v, shape[1:], indent + 1, summarize, formatter) for v in values]
    if summarize and shape[0] > 2 * edge:
        parts = parts[:edge] + ["..."] + parts[-edge:] if edge else ["..."]
    separator = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return "[" + separator.join(parts) + "]"


def _edges(tensor: Any) -> Any:
    """The elements that a summary shows, as nested lists."""
    edge = PRINT_OPTS.edgeitems
    if tensor.dim() == 0:
        return tensor.tolist()
    size = tensor.size(0)
    if size > 2 * edge:
        rows = [*range(edge), *range(size - edge, size)]
    else:
        rows = list(range(size))
    if tensor.dim() == 1:
        return [tensor[i].item() for i in rows]
    return [_edges(tensor[i]) for i in rows]


def _tensor_str(tensor: Any, indent: int) -> str:
    if tensor.numel() == 0:
        return "[]"
    if tensor.dtype in (torch.float16, torch.bfloat16):
        tensor = tensor.float()
    summarize = tensor.numel() > PRINT_OPTS.threshold
    values = _edges(tensor) if summarize else tensor.tolist()
    make = _ComplexFormatter if tensor.dtype.is_complex else _Formatter
    formatter = make(tensor.dtype, _flatten(values))
    return _nested_str(values, tensor.shape, indent, summarize, formatter)


def _add_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    parts = [text]
    last_line = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > PRINT_OPTS.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            last_line = indent + len(suffix)
        else:
            parts.append(", " + suffix)
            last_line += len(suffix) + 2
    parts.append(")")
    return "".join(parts)


def _grad_suffix(tensor: Any) -> str | None:
    try:
        grad_fn = tensor.grad_fn
    except RuntimeError:
        # A view whose base was changed in a way that has no gradient.
        return "grad_fn=<Invalid>"
    if grad_fn is not None:
        return f"grad_fn=<{type(grad_fn).__name__}>"
    if tensor.requires_grad:
        return "requires_grad=True"
    return None


def _str(self: Any, *, tensor_contents: str | None = None) -> str:
    """The text of `print(tensor)`."""
    from torch.autograd.grad_mode import no_grad

    plain = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)
    prefix = "tensor(" if type(self) in plain else f"{type(self).__name__}("
    indent = len(prefix)
    suffixes: list[str] = []
    default = torch.get_default_dtype()
    with no_grad():
        data = self.detach()
        if self.device.type != "cpu":
            suffixes.append(f"device='{self.device}'")
        is_usual = self.dtype in (default, torch.int64, torch.bool, default.to_complex())
        if self.is_meta:
            suffixes.append("size=" + str(tuple(self.shape)))
            if self.dtype != default:
                suffixes.append("dtype=" + str(self.dtype))
            text = "..."
        elif self.numel() == 0:
            if self.dim() != 1:
                suffixes.append("size=" + str(tuple(self.shape)))
            if self.dtype != default:
                suffixes.append("dtype=" + str(self.dtype))
            text = "[]"
        else:
            if not is_usual:
                suffixes.append("dtype=" + str(self.dtype))
            text = tensor_contents if tensor_contents is not None else _tensor_str(data, indent)
    grad = _grad_suffix(self)
    if grad is not None:
        suffixes.append(grad)
    text = _add_suffixes(prefix + text, suffixes, indent)
    marked = type(self) not in plain and isinstance(self, torch.nn.Parameter)
    return f"Parameter({text})" if marked else text

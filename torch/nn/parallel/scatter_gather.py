"""Pieces of a batch on each device, and the batch of the pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def is_namedtuple(obj: Any) -> bool:
    """Whether an object is one of a namedtuple's class.

    Args:
        obj: anything.

    Example::

        >>> from torch.nn.parallel.scatter_gather import is_namedtuple
        >>> is_namedtuple(torch.zeros(1).max(0)), is_namedtuple((1, 2))
        (False, False)
    """
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def _device(device: Any) -> torch.device:
    return torch.device("cuda", device) if isinstance(device, int) else torch.device(device)


def scatter(inputs: Any, target_gpus: Sequence[Any], dim: int = 0) -> Any:
    """`inputs` once for each device: tensors in pieces of `dim`, other objects as they are.

    Tensors within tuples, lists and dicts are split too. There may be fewer pieces than devices.

    Args:
        inputs: tensors, and tuples, lists and dicts of them.
        target_gpus: the devices, by index or as `torch.device` takes them.
        dim: the dimension that is split, as by `Tensor.chunk`.

    Returns:
        What each device gets. A tensor already on its device is a view of the input.

    Example::

        >>> torch.nn.parallel.scatter(torch.arange(4), ["cpu", "cpu"])
        (tensor([0, 1]), tensor([2, 3]))
    """
    count = len(target_gpus)

    def pieces(obj: Any) -> Any:
        if isinstance(obj, Tensor):
            chunks = obj.chunk(count, dim)
            return tuple(c.to(_device(d)) for c, d in zip(chunks, target_gpus, strict=False))
        if is_namedtuple(obj):
            return [type(obj)(*args) for args in zip(*map(pieces, obj), strict=False)]
        if isinstance(obj, tuple) and len(obj) > 0:
            return list(zip(*map(pieces, obj), strict=False))
        if isinstance(obj, list) and len(obj) > 0:
            return [list(i) for i in zip(*map(pieces, obj), strict=False)]
        if isinstance(obj, dict) and len(obj) > 0:
            return [type(obj)(i) for i in zip(*map(pieces, obj.items()), strict=False)]
        return [obj for _ in target_gpus]

    return pieces(inputs)


def scatter_kwargs(
    inputs: Any, kwargs: dict[str, Any] | None, target_gpus: Sequence[Any], dim: int = 0
) -> tuple[tuple[Any, ...], tuple[dict[str, Any], ...]]:
    """Positional and keyword arguments for each device; as many of each.

    Args:
        inputs: the positional arguments, a tuple.
        kwargs: the keyword arguments.
        target_gpus: the devices, as for `scatter`.
        dim: the dimension in which tensors are split.

    Returns:
        A tuple of tuples and a tuple of dicts, one for each device.

    Example::

        >>> from torch.nn.parallel.scatter_gather import scatter_kwargs
        >>> scatter_kwargs((torch.arange(2),), {"n": 3}, ["cpu", "cpu"])
        (((tensor([0]),), (tensor([1]),)), ({'n': 3}, {'n': 3}))
    """
    scattered = list(scatter(inputs, target_gpus, dim)) if inputs else []
    named = list(scatter(kwargs, target_gpus, dim)) if kwargs else []
    missing = len(named) - len(scattered)
    scattered.extend(() for _ in range(missing))
    named.extend({} for _ in range(-missing))
    return tuple(scattered), tuple(named)


def gather(outputs: Any, target_device: Any, dim: int = 0) -> Any:
    """The outputs of several devices as one, on `target_device`.

    Args:
        outputs: what each device gave: tensors, or tuples, lists and dicts of them.
        target_device: where the result is, by index or as `torch.device` takes it; -1 is the CPU.
        dim: the dimension along which tensors are joined; numbers of no dimension become a vector.

    Returns:
        A copy, of the structure of one output.

    Example::

        >>> torch.nn.parallel.gather([torch.ones(1), torch.zeros(1)], "cpu")
        tensor([1., 0.])
    """
    device = torch.device("cpu") if target_device == -1 else _device(target_device)

    def joined(values: Any) -> Any:
        first = values[0]
        if isinstance(first, Tensor):
            rows = [v.to(device) for v in values]
            if all(r.dim() == 0 for r in rows) and dim == 0:
                return torch.stack(rows)
            return torch.cat(rows, dim)
        if first is None:
            return None
        if isinstance(first, dict):
            if not all(len(first) == len(d) for d in values):
                raise ValueError("All dicts must have the same number of keys")
            return type(first)((k, joined([d[k] for d in values])) for k in first)
        if is_namedtuple(first):
            return type(first)._make(map(joined, zip(*values, strict=True)))
        return type(first)(map(joined, zip(*values, strict=True)))

    return joined(outputs)


__all__ = ["gather", "scatter", "scatter_kwargs"]

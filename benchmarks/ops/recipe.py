"""Calls whose tensors are described instead of stored, so that both processes make the same ones.

A recipe is a case of tests/parity (calls by public name, their arguments as data) in which a tensor
says how it is filled: a distribution, its bounds and a seed.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import run
import torch
import values

Call = Callable[[], Any]

LAYOUTS = ("transposed", "channels_last", "expanded", "strided")


def _random(shape: tuple[int, ...], fill: dict[str, Any], seed: int) -> Any:
    """The elements, as an array of float64, int64 or bool."""
    random = np.random.default_rng(seed)
    kind, low, high = fill["kind"], fill["low"], fill["high"]
    if kind == "bool":
        return random.random(shape, np.float32) < high
    if kind == "integer":
        found = random.integers(low, high, shape, np.int64, endpoint=True)
    else:
        found = random.random(shape, np.float32) * (high - low) + low
    if fill["sorted"]:
        found.sort(axis=-1)
    matrix = fill["matrix"]
    if matrix is not None:
        n = shape[-1]
        if matrix == "lower":
            found = np.tril(found) + n * np.eye(n)
        elif matrix == "upper":
            found = np.triu(found) + n * np.eye(n)
        else:
            found = (found + np.swapaxes(found, -1, -2)) / 2
            if matrix == "positive":
                found = found + 2 * n * max(abs(low), abs(high), 1) * np.eye(n)
    return found


def _laid_out(tensor: Any, layout: str) -> Any:
    """The same shape and elements in another layout; an expanded tensor repeats its first row."""
    if layout == "transposed":
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "channels_last":
        return tensor.contiguous(memory_format=torch.channels_last)
    if layout == "expanded":
        return tensor[:1].contiguous().expand(tensor.shape)
    if layout == "strided":
        return torch.stack((tensor, tensor), -1)[..., 0]
    return tensor


def suits(layout: str, shape: tuple[int, ...]) -> bool:
    """Whether a tensor of this shape has the layout, and it is another than the contiguous one."""
    if layout == "transposed":
        return len(shape) >= 2 and min(shape[-2:]) > 1
    if layout == "channels_last":
        return len(shape) == 4 and shape[1] > 1 and shape[2] * shape[3] > 1
    if layout == "expanded":
        return len(shape) >= 1 and shape[0] > 1
    return layout == "strided" and len(shape) >= 1


def tensor_of(description: dict[str, Any], seed: int) -> Any:
    """The tensor that a recipe describes."""
    shape = tuple(description["shape"])
    dtype = getattr(torch, description["dtype"])
    array = _random(shape, description["fill"], seed)
    if dtype.is_complex:
        array = array + 1j * _random(shape, description["fill"], seed + 1)
    tensor = torch.from_numpy(np.asarray(array)).to(dtype)
    tensor = _laid_out(tensor, description["layout"]).detach()
    return tensor.requires_grad_() if description["requires_grad"] else tensor


class _Decoder(values.Decoder):
    def __init__(self, recipe: dict[str, Any]) -> None:
        super().__init__([], [])
        self.inputs = [tensor_of(t, 10 * index) for index, t in enumerate(recipe["tensors"])]


def call_of(recipe: dict[str, Any]) -> Call:
    """The call that is timed: all steps, or the gradients of what they returned."""
    gc.collect()
    torch.manual_seed(0)
    decoder = _Decoder(recipe)
    for name, args, kwargs in recipe["steps"][:-1]:
        found = run.function(name)(*decoder.decode(args), **decoder.decode(kwargs))
        decoder.steps.append(values.leaves(found))
    name, args, kwargs = recipe["steps"][-1]
    function = run.function(name)
    args, kwargs = decoder.decode(args), decoder.decode(kwargs)
    if not recipe["backward"]:
        return lambda: function(*args, **kwargs)
    last = function(*args, **kwargs)
    decoder.steps.append(values.leaves(last))
    targets = last if recipe["targets"] is None else decoder.decode(recipe["targets"])
    targets = [target for target in values.leaves(targets) if target.requires_grad]
    inputs = [tensor for tensor in decoder.inputs if tensor.requires_grad]
    if not inputs or not targets:
        raise RuntimeError("nothing to differentiate")
    seeds = [torch.ones_like(target) for target in targets]
    grad = torch.autograd.grad
    return lambda: grad(targets, inputs, seeds, retain_graph=True, allow_unused=True)

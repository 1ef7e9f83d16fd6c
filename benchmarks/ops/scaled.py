"""Makes recipes from the samples of PyTorch's operator database; runs with the peer's interpreter.

A sample is small and valid. It grows by one factor for all dimensions whose sizes are equal to one
of some sizes that are drawn; integers in its arguments that stand for these sizes grow too. What
PyTorch refuses is drawn again, which the smallest size tells; what takes it too long gets smaller.
"""

from __future__ import annotations

import math
import random
import time
import warnings
from typing import Any

import numpy as np
import recipe as recipes
import record
import torch
import values
from torch.testing._internal.common_methods_invocations import op_db

DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "bool", "complex64")
SIZES = (10**3, 10**5, 10**7)
_LONGEST = 0.1  # Seconds of one call of PyTorch.
_TRIES = 12
_SAMPLES = 64  # So many of an operator, or as many as come in so many seconds, are chosen from.
_SAMPLING = 1.0
_BYTES = 1 << 30  # Of one tensor, and of a result.


class Unsuitable(Exception):
    """No recipe like that was found."""


def operators() -> dict[str, Any]:
    """Each operator of the database: its name, dtypes, and those that have gradients."""
    found = {}
    for op in op_db:
        dtypes = [d for d in DTYPES if getattr(torch, d) in op.supported_dtypes("cpu")]
        backward = op.supported_backward_dtypes("cpu") if op.supports_autograd else ()
        found[record.full_name(op)] = {
            "name": op.name,
            "dtypes": dtypes,
            "backward": [d for d in dtypes if getattr(torch, d) in backward],
        }
    return found


def _samples(name: str, dtype: str, backward: bool) -> tuple[Any, list[Any]]:
    op = next(op for op in op_db if record.full_name(op) == name)
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = []
        end = time.perf_counter() + _SAMPLING
        for sample in op.sample_inputs("cpu", getattr(torch, dtype), requires_grad=backward):
            found.append(sample)
            if len(found) == _SAMPLES or time.perf_counter() > end:
                break
        return op, found


def _matrix(array: Any) -> str | None:
    """What kind of square matrix it is, where that decides whether an operator takes it."""
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 2:
        return None
    if array.size == 0 or array.dtype.kind not in "fc":
        return None
    if not np.isfinite(array).all():
        return None
    for kind, triangle in (("lower", np.tril), ("upper", np.triu)):
        if np.array_equal(triangle(array), array):
            return kind
    if not np.allclose(array, np.conj(np.swapaxes(array, -1, -2)), rtol=1e-3, atol=1e-3):
        return None
    return "positive" if np.linalg.eigvalsh(array).min() > 0 else "symmetric"


def _fill(array: Any) -> dict[str, Any]:
    """How to draw elements like those of an array."""
    fill = {"kind": "real", "low": -1.0, "high": 1.0, "sorted": False, "matrix": None}
    if array.size == 0:
        return fill
    if array.dtype.kind == "b":
        return fill | {"kind": "bool", "high": float(array.mean())}
    fill["sorted"] = bool(
        array.ndim and array.shape[-1] > 2 and (np.diff(array.real, axis=-1) >= 0).all()
    )
    fill["matrix"] = _matrix(array)
    if array.dtype.kind in "iu":
        low, high = int(array.min()), int(array.max())
        return fill | {"kind": "integer", "low": low, "high": high}
    plain = np.concatenate([array.real.ravel(), array.imag.ravel()])
    plain = plain[np.isfinite(plain)]
    if array.dtype.kind == "f":
        plain = array[np.isfinite(array)]
    if plain.size:
        fill |= {"low": float(plain.min()), "high": float(plain.max())}
    return fill


def _array(description: dict[str, Any], storages: list[bytes]) -> Any:
    """A sample's tensor as NumPy has it."""
    tensor = values.Decoder(storages, [description | {"requires_grad": False}]).inputs[0]
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.float()
    return tensor.numpy()


def _mapped(value: Any, sizes: dict[int, int], inside: bool, everywhere: bool) -> Any:
    """Arguments with sizes in lists, or all integers that are sizes, replaced."""
    if isinstance(value, bool):
        return value
    if type(value) is int:
        return sizes.get(value, value) if inside or everywhere else value
    if isinstance(value, dict) and value["kind"] in ("tuple", "list", "Size"):
        # The outermost tuple is that of the arguments.
        items = [_mapped(item, sizes, True, everywhere) for item in value["items"]]
        return value | {"items": items}
    if isinstance(value, dict) and value["kind"] == "dict":
        items = [(k, _mapped(v, sizes, False, everywhere)) for k, v in value["items"]]
        return value | {"items": items}
    return value


def _arguments(step: Any, sizes: dict[int, int], how: str) -> Any:
    name, args, kwargs = step
    if how == "kept":
        return step
    items = [_mapped(item, sizes, False, how == "all") for item in args["items"]]
    return [name, args | {"items": items}, _mapped(kwargs, sizes, False, how == "all")]


class _Sample:
    """One sample of an operator, taken apart."""

    def __init__(self, op: Any, sample: Any, backward: bool) -> None:
        self.case = record._trace(op.op, sample, sample.output_process_fn_grad)
        if "raised" in self.case:
            raise Unsuitable(self.case["raised"])
        if any(t["storage"] is None for t in self.case["tensors"]):
            raise Unsuitable("meta tensors")
        tensors = self.case["tensors"]
        self.sizes = sorted({n for t in tensors for n in t["shape"] if n > 1})
        self.arrays = [_array(t, self.case["storages"]) for t in tensors]
        self.fills = [_fill(a) for a in self.arrays]
        self.backward = backward

    def grown(
        self, chosen: list[int], elements: int, layouts: list[str], how: str
    ) -> dict[str, Any]:
        """A recipe whose largest tensor has about so many elements."""
        tensors = self.case["tensors"]
        most, dimensions = 1, 0
        for tensor in tensors:
            count = math.prod(tensor["shape"])
            grows = sum(n in chosen for n in tensor["shape"])
            if count and (grows, count) > (dimensions, most):
                most, dimensions = count, grows
        if tensors and not dimensions:
            raise Unsuitable("nothing that grows")
        if tensors:
            factor = (elements / most) ** (1 / dimensions)
            sizes = {n: max(1, round(n * factor)) for n in chosen}
        else:
            sizes = {n: round(elements ** (1 / len(chosen))) for n in chosen}
        new = []
        for tensor, fill in zip(tensors, self.fills, strict=True):
            shape = [sizes.get(n, n) for n in tensor["shape"]]
            fill = dict(fill)
            if fill["kind"] == "integer" and fill["low"] >= 0:
                # Places of a dimension: as far as the smallest dimension that they fit.
                fits = [n for n in self.sizes if n > fill["high"]]
                if fits and fits[0] in sizes:
                    high = (fill["high"] + 1) * sizes[fits[0]] // fits[0] - 1
                    fill["high"] = max(high, fill["low"])
            new.append(
                {
                    "dtype": tensor["dtype"],
                    "shape": shape,
                    "fill": fill,
                    "layout": "contiguous",
                    "requires_grad": tensor["requires_grad"],
                }
            )
        largest = max(new, key=lambda t: math.prod(t["shape"]), default=None)
        if largest is not None:
            if math.prod(largest["shape"]) * 8 > _BYTES:
                raise Unsuitable("too large")
            shape = tuple(largest["shape"])
            special = largest["fill"]["matrix"] is not None
            largest["layout"] = next(
                (
                    layout
                    for layout in layouts
                    if recipes.suits(layout, shape) and not (special and layout == "expanded")
                ),
                "contiguous",
            )
        steps = [_arguments(step, sizes, how) for step in self.case["steps"]]
        return {
            "steps": steps,
            "targets": self.case["targets"],
            "tensors": new,
            "backward": self.backward,
        }

    def integers(self) -> list[int]:
        """Sizes in the arguments of a call without tensors."""
        found = set()

        def look(value: Any) -> None:
            if type(value) is int and value > 1:
                found.add(value)
            elif isinstance(value, dict):
                for item in value.get("items", ()):
                    look(item[1] if value["kind"] == "dict" else item)

        for _, args, kwargs in self.case["steps"]:
            look(args)
            look(kwargs)
        return sorted(found)


def _tried(recipe: dict[str, Any]) -> tuple[recipes.Call, float]:
    """The call that a recipe describes, and how long PyTorch takes; raises what PyTorch raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call = recipes.call_of(recipe)
        start = time.perf_counter()
        call()
        taken = time.perf_counter() - start
        if taken <= 10 * _LONGEST:  # The first call prepares what others find.
            start = time.perf_counter()
            call()
            taken = time.perf_counter() - start
        return call, taken


def _fitting(
    sample: _Sample, chosen: list[int], elements: int, layouts: list[str]
) -> tuple[dict[str, Any], recipes.Call]:
    """The largest recipe up to so many elements that PyTorch runs in time, and its call."""
    reason = ""
    for how in ("lists", "all", "kept"):
        try:
            _tried(sample.grown(chosen, min(elements, min(SIZES)), layouts, how))
            # Larger ones are likely to run as well.
            for smaller in (1, 8, 64, 512):
                if elements // smaller < 500:
                    break
                found = sample.grown(chosen, elements // smaller, layouts, how)
                call, taken = _tried(found)
                if taken <= _LONGEST:
                    return found, call
                reason = f"{taken:.2f} seconds"
        except Unsuitable:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
    raise Unsuitable(reason)


def make(
    operator: str, dtype: str, elements: int, contiguous: bool, backward: bool, seed: int
) -> tuple[dict[str, Any], recipes.Call]:
    """A recipe of an operator, and the call that it describes; raises Unsuitable."""
    draw = random.Random(f"{operator} {dtype} {elements} {contiguous} {backward} {seed}")
    op, samples = _samples(operator, dtype, backward)
    if not samples:
        raise Unsuitable("no samples")
    reason = ""
    torch.set_num_threads(1)
    for _ in range(_TRIES):
        try:
            sample = _Sample(op, draw.choice(samples), backward)
            sizes = sample.sizes if sample.case["tensors"] else sample.integers()
            if not sizes:
                raise Unsuitable("only tensors of one element")
            chosen = draw.sample(sizes, draw.randint(1, len(sizes)))
            layouts = [""] if contiguous else draw.sample(recipes.LAYOUTS, len(recipes.LAYOUTS))
            return _fitting(sample, chosen, elements, layouts)
        except (Unsuitable, values.Untranslatable) as error:
            reason = str(error)
    raise Unsuitable(reason)

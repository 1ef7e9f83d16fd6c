"""Compares what two PyTorchs answered to the same case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

_TYPES = {
    "bool": np.uint8,
    "bfloat16": np.uint16,
}


# Their elements are whatever the memory held.
_UNINITIALIZED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty"}
_UNINITIALIZED |= {"new_empty_strided"}


def file_name(operator: str) -> str:
    """The file of an operator of the database."""
    return re.sub(r"[^A-Za-z0-9_.]", "-", operator) + ".pickle"


@dataclass(frozen=True)
class Difference:
    """What differs (`values`, `strides`, `error type` and so on) and how."""

    kind: str
    text: str


def array_of(tensor: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The elements of a recorded tensor; bfloat16 as float32."""
    data = np.frombuffer(tensor["data"], _TYPES.get(tensor["dtype"], tensor["dtype"]))
    if tensor["dtype"] == "bfloat16":
        data = (data.astype(np.uint32) << 16).view(np.float32)
    return data.reshape(tensor["shape"])


# PyTorch's own tolerances by the dtype of a result: relative and absolute.
_TOLERANCES = {
    "bfloat16": (1.6e-2, 1e-5),
    "complex128": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "float16": (1e-3, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
}

# The distance of 1 to the next number.
_EPSILON = {"bfloat16": 2.0**-7, "float16": 2.0**-10}


def _strides(tensor: dict[str, Any]) -> list[int]:
    """The strides that matter: not those of dimensions of size 1 or of empty tensors."""
    if 0 in tensor["shape"]:
        return []
    return [t for s, t in zip(tensor["shape"], tensor["strides"], strict=True) if s != 1]


def _elements(ours: Any, theirs: Any, rtol: float, atol: float) -> str | None:
    """How the elements of two tensors of one shape and dtype differ."""
    if bool(ours["data"]) != bool(theirs["data"]):
        return "elements here or there alone: the other is on the meta device"
    if not ours["data"]:
        return None
    ours, theirs = array_of(ours), array_of(theirs)
    with np.errstate(all="ignore"):
        if ours.dtype.kind in "fc":
            wide = np.complex128 if ours.dtype.kind == "c" else np.float64
            close = np.isclose(ours.astype(wide), theirs.astype(wide), rtol, atol, equal_nan=True)
        else:
            close = ours == theirs
    if close.all():
        return None
    first = tuple(int(i) for i in np.argwhere(~close)[0])
    return (
        f"{int((~close).sum())} of {close.size} elements; "
        f"at {first} {ours[first]!r}, PyTorch {theirs[first]!r}"
    )


def _trees(ours: Any, theirs: Any, rtol: float, atol: float, layout: bool) -> Iterator[Difference]:
    """Differences of two results."""
    if ours["kind"] != theirs["kind"]:
        yield Difference("type", f"{ours['kind']}, PyTorch {theirs['kind']}")
    elif theirs["kind"] == "tensor":
        for fact in ("dtype", "shape"):
            if ours[fact] != theirs[fact]:
                yield Difference(fact, f"{ours[fact]}, PyTorch {theirs[fact]}")
                return
        if layout and _strides(ours) != _strides(theirs):
            text = f"{ours['strides']}, PyTorch {theirs['strides']} for {theirs['shape']}"
            yield Difference("strides", text)
        for fact in ("requires_grad", "view") if layout else ():
            if ours[fact] != theirs[fact]:
                yield Difference(fact, f"{ours[fact]}, PyTorch {theirs[fact]}")
        default = _TOLERANCES.get(theirs["dtype"], (0.0, 0.0))
        rtol, atol = max(rtol, default[0]), max(atol, default[1])
        if not layout and theirs["dtype"] in _EPSILON and theirs["data"]:
            # Sums of gradients are rounded in another order: errors are relative to the largest.
            largest = np.abs(
                np.nan_to_num(array_of(theirs).astype(float), posinf=0, neginf=0)
            ).max()
            atol = max(atol, 4 * _EPSILON[theirs["dtype"]] * float(largest))
        if text := _elements(ours, theirs, rtol, atol):
            yield Difference("values", text)
    elif "items" in theirs:
        if len(ours["items"]) != len(theirs["items"]):
            text = f"{len(ours['items'])} items, PyTorch {len(theirs['items'])}"
            yield Difference("shape", text)
            return
        for one, other in zip(ours["items"], theirs["items"], strict=True):
            if isinstance(other, dict):
                yield from _trees(one, other, rtol, atol, layout)
            elif one != other:
                yield Difference("values", f"{ours['items']}, PyTorch {theirs['items']}")
    elif "value" in theirs:
        one, other = ours["value"], theirs["value"]
        if isinstance(other, (int, float, complex)):
            same = bool(np.isclose(one, other, rtol, atol, equal_nan=True))
        else:
            same = one == other
        if not same:
            yield Difference("values", f"{one!r}, PyTorch {other!r}")
    elif ours != theirs:
        yield Difference("values", f"{ours}, PyTorch {theirs}")


def _errors(ours: Any, theirs: Any, regex: str | None) -> Iterator[Difference]:
    if "error" in ours and "error" not in theirs:
        yield Difference("raises", f"{ours['error']}: {ours['message']}")
    elif "error" not in ours:
        yield Difference("accepts", f"PyTorch {theirs['error']}: {theirs['message']}")
    elif ours["error"] != theirs["error"]:
        text = f"{ours['error']}: {ours['message']}; PyTorch {theirs['error']}: {theirs['message']}"
        yield Difference("error type", text)
    elif regex and not re.search(regex, ours["message"]) and ours["message"] != theirs["message"]:
        yield Difference("message", f"{ours['message']!r}; PyTorch {theirs['message']!r}")


def differences(record: dict[str, Any], ours: dict[str, Any]) -> Iterator[Difference]:
    """All differences of an outcome from the recorded one."""
    theirs, rtol, atol = record["outcome"], record["rtol"], record["atol"]
    if record["check"].startswith("out"):
        # What is written into another dtype has the digits that it was computed with.
        least = _TOLERANCES.get(record["dtype"], _TOLERANCES["float32"])
        rtol, atol = max(rtol, least[0]), max(atol, least[1])
    if ours.get("died"):
        yield Difference("crash", ours["died"])
    elif "untranslatable" in ours:
        yield Difference("type", ours["untranslatable"])
    elif "absent" in ours:
        yield Difference("absent", ours["absent"])
    elif "error" in ours or "error" in theirs:
        yield from _errors(ours, theirs, record["case"].get("regex"))
    else:
        found = _trees(ours["result"], theirs["result"], rtol, atol, True)
        undefined = record["operator"].split(".")[0] in _UNINITIALIZED
        yield from (d for d in found if not (undefined and d.kind == "values"))
        if ours["written"].keys() != theirs["written"].keys():
            text = f"to {sorted(ours['written'])}, PyTorch to {sorted(theirs['written'])}"
            yield Difference("written", text)
        else:
            for index, tensor in theirs["written"].items():
                yield from _trees(ours["written"][index], tensor, rtol, atol, False)
        yield from _gradients(ours, theirs, rtol, atol)


def _gradients(ours: Any, theirs: Any, rtol: float, atol: float) -> Iterator[Difference]:
    if "gradient_error" in theirs:
        if ours.get("gradient_error") != theirs["gradient_error"]:
            text = f"{ours.get('gradient_error')}: {ours.get('message')}"
            text += f"; PyTorch {theirs['gradient_error']}: {theirs['message']}"
            yield Difference("gradient error", text)
        return
    if "gradient_error" in ours:
        yield Difference("gradients", f"{ours['gradient_error']}: {ours['message']}")
        return
    for order in ("gradients", "second"):
        if (order in ours) != (order in theirs):
            yield Difference(order, f"{order in ours}, PyTorch {order in theirs}")
            continue
        here, there = ours.get(order, []), theirs.get(order, [])
        if len(here) != len(there):
            yield Difference(order, f"{len(here)} of them, PyTorch {len(there)}")
            continue
        for index, (one, other) in enumerate(zip(here, there, strict=True)):
            for difference in _trees(one, other, rtol, atol, False):
                yield Difference(order, f"by {index}: {difference.kind}: {difference.text}")

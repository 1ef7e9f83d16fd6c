"""From samples to a batch: numbers become tensors, tensors are stacked, containers stay."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import torch
from torch import _absent

_MESSAGE = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def _is_numpy(value: object) -> bool:
    return type(value).__module__ == "numpy"


def _mapping_like(model: Any, values: dict[Any, Any]) -> Any:
    """A mapping of the class of `model`; a dict where the class cannot be made that way."""
    try:
        if isinstance(model, MutableMapping):
            result = copy.copy(model)
            result.update(values)
            return result
        return type(model)(values)
    except TypeError:
        return values


def _sequence_like(model: Any, values: list[Any]) -> Any:
    """A sequence of the class of `model`; a list where the class cannot be made that way."""
    if isinstance(model, tuple):
        return values
    try:
        if isinstance(model, MutableSequence):
            result = copy.copy(model)
            result[:] = values
            return result
        return type(model)(values)
    except TypeError:
        return values


def _check_array(array: Any) -> None:
    """NumPy's strings and objects have no tensor."""
    if re.search(r"[SaUO]", array.dtype.str) is not None:
        raise TypeError(_MESSAGE.format(array.dtype))


def default_collate(batch: Any) -> Any:
    """A batch out of a list of samples of the same structure.

    Tensors, arrays and numbers are stacked along a new first dimension; dicts, tuples and lists
    keep their form; texts become lists.

    Args:
        batch: the samples.

    Raises:
        TypeError: samples of a type for which no batch is known.
        RuntimeError: tensors or lists of different sizes.

    Example::

        >>> torch.utils.data.default_collate([{"x": 1}, {"x": 2}])
        {'x': tensor([1, 2])}
    """
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(list(batch), 0)
    if _is_numpy(first):
        if first.shape == ():
            return torch.as_tensor(list(batch) if first.dtype.kind in "SU" else _scalars(batch))
        _check_array(first)
        return torch.stack([torch.as_tensor(array) for array in batch], 0)
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        values = {key: default_collate([sample[key] for sample in batch]) for key in first}
        return _mapping_like(first, values)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = list(zip(*batch, strict=True))
        return _sequence_like(first, [default_collate(column) for column in columns])
    raise TypeError(_MESSAGE.format(type(first)))


def _scalars(batch: Any) -> Any:
    """NumPy scalars as one array of their dtype."""
    import numpy

    array = numpy.asarray(batch)
    _check_array(array)
    return array


def default_convert(data: Any) -> Any:
    """NumPy arrays inside a sample as tensors; everything else stays.

    Args:
        data: a sample: arrays, or dicts, tuples and lists of them.

    Example::

        >>> torch.utils.data.default_convert(["a", 1])
        ['a', 1]
    """
    if isinstance(data, (torch.Tensor, str, bytes)):
        return data
    if _is_numpy(data):
        text = data.dtype.kind in "SUO"
        return data if text else torch.as_tensor(data)
    if isinstance(data, Mapping):
        return _mapping_like(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(value) for value in data))
    if isinstance(data, Sequence):
        return _sequence_like(data, [default_convert(value) for value in data])
    return data


__getattr__ = _absent.explain(__name__)

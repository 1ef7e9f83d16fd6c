"""From samples to a batch: numbers become tensors, tensors are stacked, containers stay."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import torch
from torch import _absent
from torch._tensor import Tensor

_Map = dict[Any, Callable[..., Any]]

# In the dtypes of NumPy's texts and objects, which no tensor has.
np_str_obj_array_pattern = re.compile(r"[SaUO]")

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
            for place, value in enumerate(values):  # not every sequence takes a slice
                result[place] = value
            return result
        return type(model)(values)
    except TypeError:
        return values


def _check_array(array: Any) -> None:
    """NumPy's strings and objects have no tensor."""
    if np_str_obj_array_pattern.search(array.dtype.str) is not None:
        raise TypeError(_MESSAGE.format(array.dtype))


def collate_tensor_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Stacks tensors of one shape along a new first dimension: `torch.stack(batch)`.

    Args:
        batch: the tensors.
        collate_fn_map: not looked at.

    Example::

        >>> from torch.utils.data._utils.collate import collate_tensor_fn
        >>> collate_tensor_fn([torch.zeros(3), torch.ones(3)]).shape
        torch.Size([2, 3])
    """
    return torch.stack(list(batch), 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Stacks arrays of one shape, as a tensor.

    Args:
        batch: the arrays.
        collate_fn_map: not looked at.

    Raises:
        TypeError: arrays of texts or objects.
    """
    first = batch[0]
    if first.shape == ():
        return collate_numpy_scalar_fn(batch)
    _check_array(first)
    return torch.stack([torch.as_tensor(array) for array in batch], 0)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Makes one tensor, of their dtype, of numbers of NumPy.

    Args:
        batch: the numbers.
        collate_fn_map: not looked at.

    Raises:
        TypeError: texts or objects.
    """
    import numpy

    array = numpy.asarray(batch)
    _check_array(array)
    return torch.as_tensor(array)


def collate_float_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Makes one tensor, in float64, of Python's floats.

    Args:
        batch: the numbers.
        collate_fn_map: not looked at.

    Example::

        >>> from torch.utils.data._utils.collate import collate_float_fn
        >>> collate_float_fn([0.5, 1.5])
        tensor([0.5000, 1.5000], dtype=torch.float64)
    """
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Makes one tensor, in int64, of Python's integers.

    Args:
        batch: the numbers.
        collate_fn_map: not looked at.

    Example::

        >>> from torch.utils.data._utils.collate import collate_int_fn
        >>> collate_int_fn([3, 4])
        tensor([3, 4])
    """
    return torch.tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Texts and bytes: the list itself, without a copy.

    Args:
        batch: a list of samples.
        collate_fn_map: not looked at.

    Example::

        >>> torch.utils.data.default_collate(["a", "b"])
        ['a', 'b']
    """
    return batch


# What `default_collate_fn_map` is; NumPy's types are added when they are met or asked for.
_default_map: _Map = {
    Tensor: collate_tensor_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def _know_numpy() -> _Map:
    """`_default_map` with NumPy's types, before Python's numbers: some derive from these."""
    try:
        import numpy
    except ImportError:
        return _default_map
    if numpy.ndarray not in _default_map:
        rest = dict(_default_map)
        _default_map.clear()
        _default_map[Tensor] = rest.pop(Tensor)
        _default_map[numpy.ndarray] = collate_numpy_array_fn
        scalars = (numpy.bool_, numpy.number, numpy.object_)
        _default_map[scalars] = collate_numpy_scalar_fn
        _default_map.update(rest)
    return _default_map


def collate(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """A batch out of a list of samples of the same structure, by a function for each type.

    Dicts, tuples and lists keep their form, and their elements are collated.

    Args:
        batch: the samples.
        collate_fn_map: by type or tuple of types, `f(batch, *, collate_fn_map)`. The type of the
            first sample decides; then the first key that it is an instance of.

    Raises:
        TypeError: samples of a type for which there is no function.
        RuntimeError: tensors or lists of different sizes.

    Example::

        >>> from torch.utils.data._utils.collate import collate, default_collate_fn_map
        >>> def longest(batch, *, collate_fn_map=None):
        ...     return max(batch, key=len)
        >>> collate([("a", 1), ("bc", 2)], collate_fn_map={**default_collate_fn_map, str: longest})
        ['bc', tensor([1, 2])]
    """
    first = batch[0]
    functions = collate_fn_map or {}
    if type(first) in functions:
        return functions[type(first)](batch, collate_fn_map=collate_fn_map)
    for types, function in functions.items():
        if isinstance(first, types):
            return function(batch, collate_fn_map=collate_fn_map)

    def inner(samples: Any) -> Any:
        return collate(samples, collate_fn_map=collate_fn_map)

    if isinstance(first, Mapping):
        return _mapping_like(first, {key: inner([one[key] for one in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(inner(column) for column in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = list(zip(*batch, strict=True))
        return _sequence_like(first, [inner(column) for column in columns])
    raise TypeError(_MESSAGE.format(type(first)))


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
    if "numpy" in sys.modules:
        _know_numpy()
    return collate(batch, collate_fn_map=_default_map)


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


_explain = _absent.explain(__name__)


def __getattr__(name: str) -> Any:
    if name == "default_collate_fn_map":
        return _know_numpy()
    return _explain(name)

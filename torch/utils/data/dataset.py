"""Data sets: samples by number, or one after the other."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import torch

_T = TypeVar("_T", covariant=True)


class Dataset(Generic[_T]):
    """Samples by number: subclasses define `__getitem__` and mostly `__len__`.

    With `__getitems__`, which takes a list of numbers, a loader asks for a whole batch. `a + b` is
    their `ConcatDataset`.

    Raises:
        NotImplementedError: a subclass has no `__getitem__`.

    Example::

        >>> class Squares(torch.utils.data.Dataset):
        ...     def __getitem__(self, index):
        ...         return index**2
        ...     def __len__(self):
        ...         return 4
        >>> [Squares()[i] for i in range(4)]
        [0, 1, 4, 9]
    """

    def __getitem__(self, index: Any) -> _T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[Any]) -> ConcatDataset[Any]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T]):
    """Samples one after the other: subclasses define `__iter__`.

    Every worker of a loader goes through all of it unless `__iter__` asks `get_worker_info`. `a +
    b` is their `ChainDataset`.

    Raises:
        NotImplementedError: a subclass has no `__iter__`.

    Example::

        >>> class Count(torch.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(4))
        >>> [batch.tolist() for batch in torch.utils.data.DataLoader(Count(), batch_size=2)]
        [[0, 1], [2, 3]]
    """

    def __iter__(self) -> Iterator[_T]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Dataset[Any]) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[torch.Tensor, ...]]):
    """The rows of tensors; a sample is a tuple with one row of each.

    Args:
        *tensors: tensors of the same first size.

    Raises:
        AssertionError: the first sizes differ.

    Example::

        >>> data = torch.utils.data.TensorDataset(torch.arange(3), torch.arange(3) ** 2)
        >>> data[2]
        (tensor(2), tensor(4))
    """

    def __init__(self, *tensors: torch.Tensor) -> None:
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[torch.Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset[Any]):
    """Several data sets side by side: a sample is a tuple or, by keyword, a dict.

    Args:
        *args: data sets of the same length.
        **kwargs: or the same with names.

    Raises:
        ValueError: the lengths differ, or both kinds of arguments are given.

    Example::

        >>> data = torch.utils.data.StackDataset(image=[1, 2], label=["a", "b"])
        >>> data[1]
        {'image': 2, 'label': 'b'}
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise ValueError(
                "Supported either tuple-like input/output (via args) or dict-like (via kwargs), but both types are given."
                if args
                else "At least one dataset should be passed"
            )
        self.datasets: Any = kwargs or args
        lengths = {len(dataset) for dataset in (kwargs.values() if kwargs else args)}
        if len(lengths) > 1:
            raise ValueError("Size mismatch between datasets")
        self._length = lengths.pop()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """The samples of a batch, read at once where a data set can."""

        def read(dataset: Any) -> list[Any]:
            many = getattr(dataset, "__getitems__", None)
            if not callable(many):
                return [dataset[index] for index in indices]
            items = many(indices)
            if len(items) != len(indices):
                raise ValueError(
                    "Nested dataset's output size mismatch. "
                    f"Expected {len(indices)}, got {len(items)}"
                )
            return list(items)

        if isinstance(self.datasets, dict):
            columns = {name: read(dataset) for name, dataset in self.datasets.items()}
            return [{name: c[i] for name, c in columns.items()} for i in range(len(indices))]
        return list(zip(*(read(dataset) for dataset in self.datasets), strict=True))

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[_T]):
    """Several data sets one behind the other.

    Args:
        datasets: data sets with a length.

    Raises:
        AssertionError: there is none, or one is an `IterableDataset`.
        ValueError: a negative number before the first sample.

    Example::

        >>> data = torch.utils.data.ConcatDataset([[1, 2], [3]])
        >>> len(data), data[2]
        (3, 3)
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """The lengths of data sets, each with those before it: where each one ends.

        Example::

            >>> torch.utils.data.ConcatDataset.cumsum([[1, 2], [3]])
            [2, 3]
        """
        return list(itertools.accumulate(len(each) for each in sequence))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> _T:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        if which > 0:
            index -= self.cumulative_sizes[which - 1]
        return self.datasets[which][index]


class ChainDataset(IterableDataset[Any]):
    """Several iterable data sets one behind the other.

    Args:
        datasets: each an `IterableDataset`.

    Raises:
        AssertionError: one is something else; when the samples are asked for.

    Example::

        >>> class Count(torch.utils.data.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(2))
        >>> list(torch.utils.data.ChainDataset([Count(), Count()]))
        [0, 1, 0, 1]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self.datasets)


class Subset(Dataset[_T]):
    """The samples of a data set that a list of numbers names.

    Args:
        dataset: where the samples come from.
        indices: their numbers, in the order wanted.

    Example::

        >>> list(torch.utils.data.Subset(["a", "b", "c"], [2, 0]))
        ['c', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> _T:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        chosen = [self.indices[i] for i in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            return self.dataset.__getitems__(chosen)
        return [self.dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any,
    lengths: Sequence[int | float],
    generator: torch.Generator | None = None,
) -> list[Subset[Any]]:
    """Disjoint random parts of a data set.

    Args:
        dataset: has a length.
        lengths: of the parts; or fractions that add up to 1, where rounding down leaves rests for
            the first parts.
        generator: where random numbers come from; the default generator if None.

    Returns:
        A `Subset` for each length.

    Raises:
        ValueError: the lengths do not add up, or a fraction is not in [0, 1].

    Example::

        >>> train, test = torch.utils.data.random_split(range(10), [0.7, 0.3])
        >>> len(train), len(test)
        (7, 3)
    """
    sizes = [int(length) for length in lengths]
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for index, fraction in enumerate(lengths):
            if not 0 <= fraction <= 1:
                raise ValueError(f"Fraction at index {index} is not between 0 and 1")
        sizes = [math.floor(len(dataset) * fraction) for fraction in lengths]
        # What rounding left over goes to the first parts, one each.
        for index in range(len(dataset) - sum(sizes)):
            sizes[index % len(sizes)] += 1
        for index, size in enumerate(sizes):
            if size == 0:
                warnings.warn(
                    f"Length of split at index {index} is 0. This might result in an empty dataset.",
                    stacklevel=2,
                )
    if sum(sizes) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = torch.randperm(
        len(dataset), generator=torch.default_generator if generator is None else generator
    ).tolist()
    ends = itertools.accumulate(sizes)
    return [Subset(dataset, order[end - n : end]) for n, end in zip(sizes, ends, strict=True)]

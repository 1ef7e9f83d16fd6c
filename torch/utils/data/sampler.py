"""The orders in which a data set is read."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Generic, TypeVar

import torch

_T = TypeVar("_T", covariant=True)


class Sampler(Generic[_T]):
    """The order of samples: numbers, or lists of them for batches. Subclasses define `__iter__`.

    Raises:
        NotImplementedError: a subclass has no `__iter__`.

    Example::

        >>> class Backwards(torch.utils.data.Sampler):
        ...     def __iter__(self):
        ...         return iter([2, 1, 0])
        >>> list(torch.utils.data.DataLoader(["a", "b", "c"], sampler=Backwards()))
        [['c'], ['b'], ['a']]
    """

    def __iter__(self) -> Iterator[_T]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """First to last.

    Args:
        data_source: what has a length.

    Example::

        >>> list(torch.utils.data.SequentialSampler("abc"))
        [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def _generator_of(generator: torch.Generator | None) -> torch.Generator:
    """`generator`, or a new one that the default generator seeds."""
    if generator is not None:
        return generator
    seed = int(torch.empty((), dtype=torch.int64).random_().item())
    return torch.Generator().manual_seed(seed)


class RandomSampler(Sampler[int]):
    """A random order, another each time.

    Args:
        data_source: what has a length.
        replacement: whether a number may come again before the others.
        num_samples: how many are drawn; the length if None.
        generator: where random numbers come from; None draws its seed from the default generator.

    Raises:
        TypeError: `replacement` is no bool.
        ValueError: `num_samples` is not positive.

    Example::

        >>> sorted(torch.utils.data.RandomSampler("abc"))
        [0, 1, 2]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got {replacement=}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={self.num_samples}"
            )

    @property
    def num_samples(self) -> int:
        """How many positions an epoch has."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count = len(self.data_source)
        generator = _generator_of(self.generator)
        if self.replacement:
            # In portions: the numbers of a long epoch need not all be there at once.
            for _ in range(self.num_samples // 32):
                draw = torch.randint(count, (32,), dtype=torch.int64, generator=generator)
                yield from draw.tolist()
            size = (self.num_samples % 32,)
            draw = torch.randint(count, size, dtype=torch.int64, generator=generator)
            yield from draw.tolist()
            return
        for _ in range(self.num_samples // count):
            yield from torch.randperm(count, generator=generator).tolist()
        # Drawn also where none is left, as in PyTorch, so that the next epoch has the same order.
        left = self.num_samples % count
        yield from torch.randperm(count, generator=generator)[:left].tolist()

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Given numbers in a random order, another each time.

    Args:
        indices: the numbers.
        generator: where random numbers come from; the default generator if None.

    Example::

        >>> sorted(torch.utils.data.SubsetRandomSampler([2, 5, 7]))
        [2, 5, 7]
    """

    def __init__(self, indices: Sequence[int], generator: torch.Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for i in torch.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Random numbers i with probability weights[i] / sum(weights).

    Args:
        weights: one for each sample, not negative.
        num_samples: how many are drawn.
        replacement: whether a number may come again.
        generator: where random numbers come from; the default generator if None.

    Raises:
        ValueError: `num_samples` is not positive, `replacement` is no bool, or weights are no
            vector.

    Example::

        >>> list(torch.utils.data.WeightedRandomSampler([0.0, 1.0], 3))
        [1, 1, 1]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: torch.Generator | None = None,
    ) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        if not isinstance(replacement, bool):
            raise ValueError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        self.weights = torch.as_tensor(weights, dtype=torch.double)
        if self.weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        chosen = torch.multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        )
        yield from chosen.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[Any]]):
    """The numbers of another sampler in lists.

    Args:
        sampler: gives numbers.
        batch_size: how many make a list.
        drop_last: whether a last list that is not full is left out.

    Raises:
        ValueError: `batch_size` is not positive, or `drop_last` is no bool.

    Example::

        >>> list(torch.utils.data.BatchSampler(range(5), 2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        numbers = iter(self.sampler)
        while batch := list(itertools.islice(numbers, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        whole, rest = divmod(count, self.batch_size)
        return whole + (rest > 0 and not self.drop_last)

"""The order in which one of several processes reads a data set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized
from typing import Any

import torch
from torch import distributed
from torch.utils.data.sampler import Sampler


class DistributedSampler(Sampler[Any]):
    """The share of a data set that the process `rank` of `num_replicas` reads.

    Samples go to processes in turn: process r gets those at r, r + num_replicas, ... of an order
      that all
    processes agree on, since `seed + epoch` makes it. Every process gets equally many: the first
    samples come again at the end, or the last ones are left out with `drop_last`.

    Args:
        dataset: has a length N.
        num_replicas: how many processes there are; by default those of torch.distributed.
        rank: the number of this one, from 0; by default that of torch.distributed.
        shuffle: whether the order is random.
        seed: of the random order, the same in all processes.
        drop_last: whether N is rounded down to a multiple of `num_replicas`, and not up.

    Raises:
        RuntimeError: `num_replicas` or `rank` is not given, and there is no torch.distributed.
        ValueError: `rank` is not in [0, num_replicas).

    Example::

        >>> from torch.utils.data.distributed import DistributedSampler
        >>> list(DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False))
        [1, 3, 0]
    """

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            if not distributed.is_available():
                raise RuntimeError(
                    "Requires distributed package to be available: this release is without torch.distributed; give num_replicas and rank"
                )
            num_replicas = distributed.get_world_size() if num_replicas is None else num_replicas
            rank = distributed.get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        self.shuffle = shuffle
        self.seed = seed
        length = len(dataset)
        self.num_samples = length // num_replicas if drop_last else math.ceil(length / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        length = len(self.dataset)
        if self.shuffle:
            generator = torch.Generator().manual_seed(self.seed + self.epoch)
            order = torch.randperm(length, generator=generator).tolist()
        else:
            order = list(range(length))
        if not self.drop_last and order:
            order = order * math.ceil(self.total_size / length)
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the epoch, which gives each epoch another order.

        Call it in every process before it begins an epoch. Without it all epochs have one order.

        Args:
            epoch: the number.

        Example::

            >>> from torch.utils.data import DistributedSampler
            >>> sampler = DistributedSampler(range(8), num_replicas=2, rank=0)
            >>> first = list(sampler)
            >>> sampler.set_epoch(1)
            >>> first == list(sampler)
            False
        """
        self.epoch = epoch


__all__ = ["DistributedSampler"]

"""The processes that read samples for a loader."""

from __future__ import annotations

import importlib.util
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch
from torch._utils import ExceptionWrapper


@dataclass
class WorkerInfo:
    """What a data set in a worker may want to know; `get_worker_info` returns it.

    Attributes:
        id: the number of the worker, from 0.
        num_workers: how many there are.
        seed: of this worker's random numbers in this epoch.
        dataset: this worker's copy of the data set.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dataclass_fields__ or name in self.__dict__:
            raise RuntimeError("Cannot assign attributes to WorkerInfo objects")
        super().__setattr__(name, value)


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """The worker that this process is; None in the main process.

    Returns:
        An object with `id`, `num_workers`, `seed` and `dataset`, the copy of this worker.

    Example::

        >>> torch.utils.data.get_worker_info() is None
        True
    """
    return _info


@dataclass(frozen=True)
class End:
    """An iterable data set has no more samples in this worker."""


class Fetcher:
    """Makes batches out of the numbers of samples, or out of what comes next.

    Args:
        dataset: the data set.
        iterable: whether it has an order of its own, and no numbers.
        batched: whether numbers come in lists.
        collate: makes a batch of a list of samples; of a single sample what it becomes.
        drop_last: whether a last batch that is not full is left out.
    """

    def __init__(
        self,
        dataset: Any,
        iterable: bool,
        batched: bool,
        collate: Callable[[Any], Any],
        drop_last: bool,
    ) -> None:
        self.dataset = dataset
        self.batched = batched
        self.collate = collate
        self.drop_last = drop_last
        self.samples: Iterator[Any] | None = iter(dataset) if iterable else None

    def __call__(self, index: Any) -> Any:
        """The batch, or the sample, of `index`; StopIteration at the end of an iterable one."""
        if self.samples is not None:
            return self.collate(self._next(index))
        if not self.batched:
            return self.collate(self.dataset[index])
        many = getattr(self.dataset, "__getitems__", None)
        if many is not None:
            return self.collate(many(index))
        return self.collate([self.dataset[i] for i in index])

    def _next(self, index: Any) -> Any:
        assert self.samples is not None
        if not self.batched:
            return next(self.samples)
        batch = [sample for _, sample in zip(index, self.samples, strict=False)]
        if not batch or (self.drop_last and len(batch) < len(index)):
            raise StopIteration
        return batch


def _generate_state(base_seed: int, worker_id: int) -> list[int]:
    """The seed of NumPy's random numbers in a worker: four numbers of 32 bits, PyTorch's."""
    import numpy

    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    state: list[int] = numpy.random.SeedSequence(entropy).generate_state(4).tolist()
    return state


def work(
    info: WorkerInfo,
    indices: Any,
    results: Any,
    make_fetcher: Callable[[], Fetcher],
    init: Callable[[int], None] | None,
) -> None:
    """What a worker does: takes (task, index) until it gets None, gives (task, worker, data).

    Args:
        info: what `get_worker_info` says in it.
        indices: the queue that tasks come by.
        results: the queue that data go by; an error goes instead of data.
        make_fetcher: makes the `Fetcher`, at each epoch.
        init: the program's own function, called first with the worker's number.
    """
    global _info
    _info = info
    torch.set_num_threads(1)
    random.seed(info.seed)
    torch.manual_seed(info.seed)
    if importlib.util.find_spec("numpy") is not None:
        import numpy

        numpy.random.seed(_generate_state(info.seed - info.id, info.id))
    parent = os.getppid()
    where = f"in DataLoader worker process {info.id}"
    ready = init is None

    def begin() -> Fetcher | ExceptionWrapper:
        nonlocal ready
        try:
            if init is not None and not ready:
                init(info.id)
                ready = True
            return make_fetcher()
        except Exception:
            return ExceptionWrapper(where=where)

    fetcher = begin()
    while True:
        message = indices.get()
        if message is None or os.getppid() != parent:
            results.cancel_join_thread()  # Nobody waits for results of an epoch that was left.
            return
        if message == "restart":
            fetcher = begin()
            continue
        task, index = message
        if isinstance(fetcher, ExceptionWrapper):
            results.put((task, info.id, pickled(fetcher, where)))
            continue
        try:
            data = fetcher(index)
        except StopIteration:
            data = End()
        except Exception:
            data = ExceptionWrapper(where=where)
        results.put((task, info.id, pickled(data, where)))


class _CopyingPickler(ForkingPickler):
    """Sends bytes of memory that is shared, too: its file would have to be fetched from a worker
    that may have ended."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for storage in (torch.TypedStorage, torch.UntypedStorage):
            self.dispatch_table.pop(storage, None)


def pickled(data: Any, where: str) -> bytes:
    """The data as bytes; what cannot be sent becomes the error that says so.

    A queue pickles in a thread of its own, whose error nobody would hear of.
    """
    try:
        return bytes(_CopyingPickler.dumps(data))
    except Exception:
        if isinstance(data, ExceptionWrapper):  # Its class is of no module.
            data.exc_type = RuntimeError
            return bytes(_CopyingPickler.dumps(data))
        return pickled(ExceptionWrapper(where=where), where)

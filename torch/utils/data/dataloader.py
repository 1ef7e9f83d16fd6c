"""class DataLoader: batches of a data set, read here or by worker processes."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import pickle
import queue
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

import torch
from torch import _absent
from torch._utils import ExceptionWrapper
from torch.utils.data.collate import default_collate, default_convert
from torch.utils.data.dataset import IterableDataset
from torch.utils.data.pin_memory import pin_memory
from torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler
from torch.utils.data.worker import End, Fetcher, WorkerInfo, work
from torch.utils.data.worker import get_worker_info as get_worker_info

# PyTorch's names of the types of two arguments.
_collate_fn_t: TypeAlias = Callable[[Any], Any]
_worker_init_fn_t: TypeAlias = Callable[[int], None]

# How often a loader that waits looks whether its workers still live, in seconds.
_CHECK_INTERVAL = 1.0


def _context(context: Any, num_workers: int) -> Any:
    """What `multiprocessing_context` says, checked."""
    if context is None:
        return None
    if num_workers == 0:
        raise ValueError(
            f"multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers={num_workers}"
        )
    if isinstance(context, str):
        methods = multiprocessing.get_all_start_methods()
        if context not in methods:
            raise ValueError(
                f"multiprocessing_context option should specify a valid start method in {methods!r}, but got multiprocessing_context={context!r}"
            )
        return multiprocessing.get_context(context)
    if not isinstance(context, multiprocessing.context.BaseContext):
        raise TypeError(
            f"multiprocessing_context option should be a valid context object or a string specifying the start method, but got multiprocessing_context={context}"
        )
    return context


class DataLoader:
    """Iterates over the batches of a data set, one epoch after the other.

    Args:
        dataset: a `Dataset`, anything with `__getitem__` and a length, or an `IterableDataset`.
        batch_size: the samples of a batch; None gives single samples.
        shuffle: whether the order is random, another each epoch.
        sampler: gives the numbers of the samples instead.
        batch_sampler: gives lists of numbers instead of sampler, size, order and `drop_last`.
        num_workers: how many processes read ahead; 0 reads in this one. Batches keep their order.
        collate_fn: makes a batch out of a list of samples; `default_collate` if None.
        pin_memory: whether the tensors of batches go to page-locked memory, from which copies to
            the GPU are faster; without a GPU it warns and has no effect.
        drop_last: whether a last batch that is not full is left out.
        timeout: the most seconds that a batch of a worker may take; 0 waits for ever.
        worker_init_fn: is called in each worker with its number.
        multiprocessing_context: how workers are started.
        generator: where random orders and the seeds of the workers come from.
        prefetch_factor: how many batches each worker reads ahead; 2 if None.
        persistent_workers: whether workers live from epoch to epoch.
        pin_memory_device: kept for PyTorch's signature; warns.
        in_order: whether the batches of workers come in the order of the samples; else the first
            that is ready comes first.

    Raises:
        ValueError: options that exclude one another, or that an `IterableDataset` does not take.
        RuntimeError: a worker died, or was late; when batches are asked for.

    Example::

        >>> loader = torch.utils.data.DataLoader(range(5), batch_size=2)
        >>> [batch.tolist() for batch in loader]
        [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: _collate_fn_t | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: _worker_init_fn_t | None = None,
        multiprocessing_context: Any = None,
        generator: torch.Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
            )
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = _context(multiprocessing_context, num_workers)
        self.generator = generator
        self.persistent_workers = persistent_workers
        self.in_order = in_order
        self._warn_of_workers()
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            self._refuse_order(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
            )
        if sampler is None:
            if self._iterable:
                sampler = itertools.repeat(None)
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        batched = batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if batched else default_convert)
        self._workers: _Workers | None = None
        # What an iterable data set said to be its length, once somebody asked.
        self._counted: int | None = None
        # The epoch of workers that stay; packages end them through it.
        self._iterator: _BaseDataLoaderIter | None = None
        self._initialized = True

    def _warn_of_workers(self) -> None:
        """More processes than processors make each batch wait."""
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
        most = processors or os.cpu_count()
        if most is not None and self.num_workers > most:
            warnings.warn(
                f"This DataLoader will create {self.num_workers} worker processes in total. Our suggested max number of worker in current system is {most}, which is smaller than what this DataLoader is going to create. Please be aware that excessive worker creation might get DataLoader running slow or even freeze, lower the worker number to avoid potential slowness/freeze if necessary.",
                stacklevel=3,
            )

    def _pins(self) -> bool:
        """Whether batches are pinned; warns where that was asked for and cannot be had."""
        if not self.pin_memory:
            return False
        if self.pin_memory_device:
            warnings.warn(
                f"pin_memory_device is deprecated, the current accelerator will be used as the device,ignore pin_memory_device='{self.pin_memory_device}'.",
                stacklevel=4,
            )
        device = torch.accelerator.current_accelerator(check_available=True)
        if device is None:
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.",
                stacklevel=4,
            )
        elif device.type == "mps":
            warnings.warn(
                "'pin_memory' argument is set as true but not supported on MPS now, device pinned memory won't be used.",
                stacklevel=4,
            )
        return device is not None and device.type != "mps"

    # Trainers outside of this package ask how the samples become batches.

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    @staticmethod
    def _refuse_order(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
        given = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        for name, value in given.items():
            if value is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                )

    def __setattr__(self, name: str, value: Any) -> None:
        fixed = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset")
        if "_initialized" in self.__dict__ and name in (*fixed, "persistent_workers"):
            raise ValueError(f"{name} attribute should not be set after DataLoader is initialized")
        super().__setattr__(name, value)

    def _fetcher(self) -> Fetcher:
        return Fetcher(
            self.dataset,
            self._iterable,
            self.batch_sampler is not None,
            self.collate_fn,
            self.drop_last,
        )

    def __len__(self) -> int:
        if not self._iterable:
            return len(self.sampler if self.batch_sampler is None else self.batch_sampler)  # type: ignore[arg-type]
        count = len(self.dataset)
        self._counted = count
        if self.batch_size is None:
            return count
        whole, rest = divmod(count, self.batch_size)
        return whole + (rest > 0 and not self.drop_last)

    def __iter__(self) -> Iterator[Any]:
        indices = iter(self.sampler if self.batch_sampler is None else self.batch_sampler)
        if self._workers is None:
            # Drawn in every epoch, so that the random numbers of new workers differ.
            draw = torch.empty((), dtype=torch.int64).random_(generator=self.generator)
            seed = int(draw.item())
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self, self._read_here(indices))
        if self._workers is None:
            workers = _Workers(self, seed)
            if self.persistent_workers:
                self._workers = workers
        else:
            workers = self._workers
            workers.restart()
        batches = _MultiProcessingDataLoaderIter(self, workers.run(indices, workers.epoch), workers)
        self._iterator = batches if self.persistent_workers else None
        return batches

    def _read_here(self, indices: Iterator[Any]) -> Iterator[Any]:
        fetcher = self._fetcher()
        for index in indices:
            try:
                batch = fetcher(index)
            except StopIteration:
                return
            except Exception as error:
                batch = _Failed(error)
            yield batch
            del batch


class _Failed:
    """An error in place of a batch."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class _BaseDataLoaderIter:
    """One epoch. An error takes the place of its batch alone: the next batches can still be had."""

    def __init__(self, loader: DataLoader, batches: Iterator[Any]) -> None:
        self._loader = loader
        self._batches = batches
        self._yielded = 0
        self._pin_memory = loader._pins()

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def __len__(self) -> int:
        return len(self._loader)

    def __next__(self) -> Any:
        batch = next(self._batches)
        self._yielded += 1
        counted = self._loader._counted
        if counted is not None and self._yielded > counted:
            warnings.warn(
                f"Length of IterableDataset {self._loader.dataset} was reported to be {counted} (when accessing len(dataloader)), but {self._yielded} samples have been fetched. "
                + (
                    "For multiprocessing data-loading, this could be caused by not properly configuring the IterableDataset replica at each worker: see torch.utils.data.get_worker_info."
                    if self._loader.num_workers
                    else ""
                ),
                stacklevel=2,
            )
        try:
            if isinstance(batch, _Failed):
                raise batch.error
            if isinstance(batch, ExceptionWrapper):
                batch.reraise()
            return pin_memory(batch) if self._pin_memory else batch
        finally:
            del batch  # The error's traceback holds this frame; a cycle would keep the workers.


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """An epoch that this process reads."""


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """An epoch that workers read."""

    def __init__(self, loader: DataLoader, batches: Iterator[Any], workers: _Workers) -> None:
        super().__init__(loader, batches)
        self._pool = workers
        self._workers = list(workers.processes)

    def _shutdown_workers(self) -> None:
        """Ends the processes; the loader's next epoch starts others."""
        if self._loader._workers is self._pool:
            self._loader._workers = None
        self._pool.stop()


class _Workers:
    """The processes of a loader: each has its queue of tasks, all share one for results."""

    def __init__(self, loader: DataLoader, seed: int) -> None:
        context = loader.multiprocessing_context
        if context is None or isinstance(context, str):
            context = multiprocessing.get_context(context)
        self.owner = os.getpid()
        self.loader = loader
        self.epoch = 0
        self.results = context.Queue()
        self.queues = []
        self.processes = []
        for number in range(loader.num_workers):
            indices = context.SimpleQueue()
            info = WorkerInfo(number, loader.num_workers, seed + number, loader.dataset)
            fetcher = partial(
                Fetcher,
                loader.dataset,
                loader._iterable,
                loader.batch_sampler is not None,
                loader.collate_fn,
                loader.drop_last,
            )
            process = context.Process(
                target=work,
                args=(info, indices, self.results, fetcher, loader.worker_init_fn),
                daemon=True,
            )
            process.start()
            self.queues.append(indices)
            self.processes.append(process)

    def restart(self) -> None:
        """A new epoch: iterable data sets begin again, and the one before has no more batches."""
        self.epoch += 1
        for indices in self.queues:
            indices.put("restart")

    def run(self, indices: Iterator[Any], epoch: int) -> Iterator[Any]:
        """The batches of an epoch in the order of `indices`."""
        ahead = self.loader.num_workers * (self.loader.prefetch_factor or 1)
        active = list(range(self.loader.num_workers))
        turn = itertools.count()
        arrived: dict[int, Any] = {}
        sent = waiting_for = 0
        tasks = enumerate(indices)

        def send() -> int:
            """Gives the next task to the next worker that still has samples."""
            if not active:
                return 0
            for task, index in tasks:
                self.queues[active[next(turn) % len(active)]].put(((epoch, task), index))
                return 1
            return 0

        try:
            for _ in range(ahead):
                sent += send()
            while waiting_for < sent and epoch == self.epoch:
                following = waiting_for
                while following not in arrived:
                    (of_epoch, task), worker, data = self._receive()
                    if of_epoch != epoch:
                        continue  # That one was left early.
                    arrived[task] = data
                    if isinstance(data, End) and worker in active:
                        active.remove(worker)
                    if not self.loader.in_order:
                        following = task
                data = arrived.pop(following)
                waiting_for += 1
                sent += send()
                if not isinstance(data, End):
                    yield data
                del data
        finally:
            if self.loader._workers is not self:
                self.stop()

    def _receive(self) -> Any:
        waited = 0.0
        while True:
            pause = min(self.loader.timeout, _CHECK_INTERVAL) or _CHECK_INTERVAL
            try:
                task, worker, data = self.results.get(timeout=pause)
                return task, worker, pickle.loads(data)
            except queue.Empty:
                waited += pause
            dead = [str(p.pid) for p in self.processes if not p.is_alive()]
            if dead:
                raise RuntimeError(
                    f"DataLoader worker (pid(s) {', '.join(dead)}) exited unexpectedly"
                )
            if self.loader.timeout and waited >= self.loader.timeout:
                raise RuntimeError(f"DataLoader timed out after {self.loader.timeout} seconds")

    def stop(self) -> None:
        """Ends the processes."""
        if not self.processes:
            return  # It was done.
        for indices in self.queues:
            # The garbage collector may have closed it before it came here.
            with contextlib.suppress(OSError):
                indices.put(None)
        for process in self.processes:
            process.join(timeout=_CHECK_INTERVAL)
            if process.is_alive():
                process.terminate()
        self.processes = []
        self.results.close()

    def __del__(self) -> None:
        # A copy in a forked worker is not the one that started the processes.
        if self.owner == os.getpid() and self.processes and self.processes[0].is_alive():
            self.stop()


__getattr__ = _absent.explain(__name__)

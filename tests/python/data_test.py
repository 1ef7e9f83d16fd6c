"""torch.utils.data: data sets, samplers, batches, worker processes."""

from __future__ import annotations

import collections
import os
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
import torch.utils.data._utils.collate
import torch.utils.data._utils.pin_memory
from torch.utils import data
from torch.utils.data import worker

Point = collections.namedtuple("Point", ["x", "y"])


class Numbers(data.Dataset[int]):
    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int) -> int:
        return index * 10


class Stream(data.IterableDataset[int]):
    """0 to 6, shared out among the workers."""

    def __iter__(self) -> Iterator[int]:
        info = data.get_worker_info()
        first, step = (info.id, info.num_workers) if info else (0, 1)
        return iter(range(first, 7, step))


def test_tensor_dataset() -> None:
    dataset = data.TensorDataset(torch.arange(4), torch.arange(4) * 2)
    assert len(dataset) == 4
    assert [t.item() for t in dataset[3]] == [3, 6]
    with pytest.raises(AssertionError, match="Size mismatch between tensors"):
        data.TensorDataset(torch.ones(2), torch.ones(3))


def test_combined_datasets() -> None:
    both = Numbers() + Numbers()
    assert len(both) == 20
    assert [both[9], both[10], both[-1]] == [90, 0, 90]
    with pytest.raises(ValueError, match="absolute value of index should not exceed"):
        both[-21]
    with pytest.raises(AssertionError, match="should not be an empty iterable"):
        data.ConcatDataset([])
    with pytest.raises(AssertionError, match="does not support IterableDataset"):
        data.ConcatDataset([Stream()])
    assert list(Stream() + Stream()) == [*range(7), *range(7)]
    assert data.StackDataset(a=Numbers(), b=Numbers())[2] == {"a": 20, "b": 20}
    assert data.StackDataset(Numbers(), Numbers())[2] == (20, 20)
    with pytest.raises(ValueError, match="Size mismatch between datasets"):
        data.StackDataset(range(2), range(3))
    with pytest.raises(NotImplementedError, match="should implement __getitem__"):
        data.Dataset()[0]


def test_random_split() -> None:
    parts = data.random_split(range(10), [7, 3], torch.Generator().manual_seed(1))
    assert [len(p) for p in parts] == [7, 3]
    assert sorted([*parts[0], *parts[1]]) == list(range(10))
    again = data.random_split(range(10), [7, 3], torch.Generator().manual_seed(1))
    assert list(again[0]) == list(parts[0])
    assert [len(p) for p in data.random_split(range(6), [0.5, 0.3, 0.2])] == [4, 1, 1]
    with pytest.raises(ValueError, match="Sum of input lengths does not equal the length"):
        data.random_split(range(10), [7, 2])


def test_samplers() -> None:
    assert list(data.SequentialSampler(range(3))) == [0, 1, 2]
    order = list(data.RandomSampler(range(100)))
    assert sorted(order) == list(range(100))
    assert order != list(range(100))
    assert sorted(data.RandomSampler(range(3), num_samples=6)) == [0, 0, 1, 1, 2, 2]
    drawn = list(data.RandomSampler(range(3), replacement=True, num_samples=50))
    assert len(drawn) == 50
    assert set(drawn) == {0, 1, 2}
    assert sorted(data.SubsetRandomSampler([5, 7])) == [5, 7]
    batches = data.BatchSampler(range(5), 2, drop_last=False)
    assert list(batches) == [[0, 1], [2, 3], [4]]
    assert len(batches) == 3
    assert list(data.BatchSampler(range(5), 2, drop_last=True)) == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match="batch_size should be a positive integer value"):
        data.BatchSampler(range(5), 0, False)
    with pytest.raises(ValueError, match="num_samples should be a positive integer value"):
        data.RandomSampler([])


def test_seed_decides_the_order() -> None:
    torch.manual_seed(5)
    first = [b.tolist() for b in data.DataLoader(range(20), batch_size=6, shuffle=True)]
    torch.manual_seed(5)
    assert [b.tolist() for b in data.DataLoader(range(20), batch_size=6, shuffle=True)] == first


def test_collate() -> None:
    collate = data.default_collate
    assert collate([1, 2]).tolist() == [1, 2]
    assert collate([1.0, 2.0]).dtype is torch.float64
    assert collate([torch.ones(2), torch.zeros(2)]).tolist() == [[1, 1], [0, 0]]
    assert collate(["a", "b"]) == ["a", "b"]
    result = collate([{"a": 1, "b": [1, "x"]}, {"a": 2, "b": [2, "y"]}])
    assert result["a"].tolist() == [1, 2]
    assert result["b"][0].tolist() == [1, 2]
    assert result["b"][1] == ("x", "y")
    point = collate([Point(1, 2), Point(3, 4)])
    assert isinstance(point, Point)
    assert point.y.tolist() == [2, 4]
    with pytest.raises(RuntimeError, match="each element in list of batch should be of equal size"):
        collate([[1], [1, 2]])
    with pytest.raises(TypeError, match="batch must contain tensors, numpy arrays, numbers, dicts"):
        collate([object()])


@pytest.mark.parametrize("workers", [0, 2])
def test_loader(workers: int) -> None:
    loader = data.DataLoader(Numbers(), batch_size=4, num_workers=workers)
    assert len(loader) == 3
    for _ in range(2):
        assert [b.tolist() for b in loader] == [[0, 10, 20, 30], [40, 50, 60, 70], [80, 90]]
    short = data.DataLoader(Numbers(), batch_size=4, drop_last=True, num_workers=workers)
    assert len(list(short)) == len(short) == 2
    single = data.DataLoader(Numbers(), batch_size=None, num_workers=workers)
    assert list(single) == [i * 10 for i in range(10)]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_loader_of_a_stream(workers: int) -> None:
    loader = data.DataLoader(Stream(), batch_size=2, num_workers=workers)
    seen = [number for batch in loader for number in batch.tolist()]
    assert sorted(seen) == list(range(7))


def test_workers_stay_and_can_be_left_early() -> None:
    loader = data.DataLoader(Numbers(), num_workers=2, persistent_workers=True)
    first = next(iter(loader))
    assert first.tolist() == [0]
    assert [b.item() for b in loader] == [i * 10 for i in range(10)]
    assert [b.item() for b in loader] == [i * 10 for i in range(10)]


class Seeded(data.Dataset[float]):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> float:
        info = data.get_worker_info()
        assert info is not None
        assert info.dataset is self
        return torch.rand(1).item()


def test_workers_have_seeds_of_their_own() -> None:
    torch.manual_seed(0)
    loader = data.DataLoader(Seeded(), num_workers=2)
    first = [b.item() for b in loader]
    second = [b.item() for b in loader]
    assert len({*first, *second}) == 8
    torch.manual_seed(0)
    assert [b.item() for b in loader] == first


class OfNumPy(Seeded):
    def __getitem__(self, index: int) -> int:
        return int(np.random.randint(1 << 30))


def test_workers_have_numbers_of_numpy_of_their_own() -> None:
    torch.manual_seed(0)
    loader = data.DataLoader(OfNumPy(), num_workers=2)
    first = [b.item() for b in loader]
    assert len({*first, *(b.item() for b in loader)}) == 8
    torch.manual_seed(0)
    np.random.seed(1)
    assert [b.item() for b in loader] == first
    # PyTorch's numbers.
    state = worker._generate_state(123456789012, 3)
    assert state == [769313048, 1460814176, 2980110427, 1364817390]


class Broken(data.Dataset[int]):
    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        if index == 1:
            raise ValueError("sample 1 is broken")
        return index


class Deadly(Broken):
    def __getitem__(self, index: int) -> int:
        os._exit(1)


def test_errors_of_workers() -> None:
    with pytest.raises(ValueError) as caught:
        list(data.DataLoader(Broken(), num_workers=1))
    text = str(caught.value)
    assert text.startswith("Caught ValueError in DataLoader worker process 0.\nOriginal Traceback")
    assert "ValueError: sample 1 is broken" in text
    with pytest.raises(RuntimeError, match=r"DataLoader worker \(pid\(s\) \d+\) exited unexpected"):
        list(data.DataLoader(Deadly(), num_workers=1, timeout=60))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_workers": -1}, "num_workers option should be non-negative"),
        ({"timeout": -1}, "timeout option should be non-negative"),
        ({"prefetch_factor": 2}, "prefetch_factor option could only be specified in multiproc"),
        ({"persistent_workers": True}, "persistent_workers option needs num_workers > 0"),
        ({"batch_size": None, "drop_last": True}, "batch_size=None option disables auto-batch"),
        ({"shuffle": True, "sampler": [0]}, "sampler option is mutually exclusive with shuffle"),
        ({"batch_sampler": [[0]], "batch_size": 2}, "batch_sampler option is mutually exclusive"),
        ({"batch_size": 0}, "batch_size should be a positive integer value"),
    ],
)
def test_options_that_contradict(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        data.DataLoader(Numbers(), **options)


def test_streams_have_one_order() -> None:
    with pytest.raises(ValueError, match="expected unspecified shuffle option, but got shuffle=Tr"):
        data.DataLoader(Stream(), shuffle=True)
    with pytest.raises(ValueError, match="batch_size attribute should not be set after DataLoader"):
        data.DataLoader(Numbers()).batch_size = 3


class _Failing(data.Dataset):
    def __getitem__(self, index: int) -> Any:
        if index == 1:
            raise KeyError("a\nb")
        if index == 2:
            raise _of_no_module()("c")
        return (lambda: 0) if index == 3 else index

    def __len__(self) -> int:
        return 5


def _of_no_module() -> type[Exception]:
    class LocalError(Exception):
        pass

    return LocalError


def _same(batch: Any) -> Any:
    return batch


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_takes_the_place_of_its_batch_alone(workers: int) -> None:
    # Python 3.14 sends workers what they run: a function with a name.
    loader = data.DataLoader(_Failing(), batch_size=None, num_workers=workers, collate_fn=_same)
    batches = iter(loader)
    found: list[Any] = []
    while True:
        try:
            found.append(next(batches))
        except StopIteration:
            break
        except Exception as error:
            found.append(type(error).__name__ + ": " + str(error)[:60])
    assert len(found) == 5 and len(batches) == 5
    assert (found[0], found[4]) == (0, 4)
    assert found[1].startswith("KeyError: ")
    if workers:
        # What cannot be sent is an error, and nobody waits for it.
        assert found[1].startswith("KeyError: Caught KeyError in DataLoader worker process 0.\n")
        assert found[2].startswith("RuntimeError: Caught RuntimeError in DataLoader worker")
        assert "Caught" in found[3]


@pytest.mark.parametrize("drop_last", [False, True])
def test_shares_of_several_processes(drop_last: bool) -> None:
    samplers = [
        data.DistributedSampler(range(11), num_replicas=3, rank=rank, drop_last=drop_last, seed=5)
        for rank in range(3)
    ]
    for epoch in range(2):
        for sampler in samplers:
            sampler.set_epoch(epoch)
        shares = [list(sampler) for sampler in samplers]
        assert {len(share) for share in shares} == {3 if drop_last else 4} == {len(samplers[0])}
        assert len({index for share in shares for index in share}) == (9 if drop_last else 11)
    assert list(data.DistributedSampler(range(2), num_replicas=5, rank=4, shuffle=False)) == [0]
    with pytest.raises(
        ValueError, match=r"Invalid rank 3, rank should be in the interval \[0, 2\]"
    ):
        data.DistributedSampler(range(3), num_replicas=3, rank=3)
    with pytest.raises(RuntimeError, match="Requires distributed package to be available"):
        data.DistributedSampler(range(3))


def test_orders_of_epochs_are_numbers_of_the_generator() -> None:
    """One more permutation is drawn at the end of an epoch, as PyTorch has it."""
    count, generator, numbers = 7, torch.Generator(), torch.Generator()
    generator.manual_seed(3)
    numbers.manual_seed(3)
    sampler = data.RandomSampler(range(count), generator=generator)
    for _ in range(3):
        assert list(sampler) == torch.randperm(count, generator=numbers).tolist()
        torch.randperm(count, generator=numbers)
    drawn = data.RandomSampler(range(count), True, 40, generator)
    for _ in range(2):
        parts = [torch.randint(count, (size,), generator=numbers) for size in (32, 8)]
        assert list(drawn) == torch.cat(parts).tolist()


def test_workers_end_when_a_program_says_so() -> None:
    loader = data.DataLoader(range(6), batch_size=2, num_workers=2, persistent_workers=True)
    first = [batch.tolist() for batch in loader]
    epoch = loader._iterator
    assert isinstance(epoch, data.dataloader._MultiProcessingDataLoaderIter)
    processes = list(epoch._workers)
    assert all(process.is_alive() for process in processes)
    epoch._shutdown_workers()
    assert not any(process.is_alive() for process in processes)
    loader._iterator = None
    assert [batch.tolist() for batch in loader] == first
    here = iter(data.DataLoader(range(2)))
    assert isinstance(here, data.dataloader._BaseDataLoaderIter)
    assert not isinstance(here, data.dataloader._MultiProcessingDataLoaderIter)


def test_the_second_epoch_of_workers_that_stay_draws_an_order_alone() -> None:
    """The seed of the workers comes from the generator too, once."""
    generator = torch.Generator().manual_seed(1)
    loader = data.DataLoader(
        range(7),
        shuffle=True,
        num_workers=1,
        persistent_workers=True,
        generator=torch.Generator().manual_seed(1),
    )
    sampler = data.RandomSampler(range(7), generator=generator)
    torch.empty((), dtype=torch.int64).random_(generator=generator)
    for _ in range(2):
        assert [batch.item() for batch in loader] == list(sampler)


class _Pinned:
    def pin_memory(self) -> str:
        return "pinned"


_Pair = collections.namedtuple("_Pair", ["left", "right"])


def test_pinned_batches_keep_their_structure() -> None:
    pin = torch.utils.data._utils.pin_memory.pin_memory  # type: ignore[attr-defined]
    batch = {"a": (_Pinned(), 1), "b": ["x", _Pinned()], "c": _Pair(b"y", [_Pinned()])}
    expected = {"a": ("pinned", 1), "b": ["x", "pinned"], "c": _Pair(b"y", ["pinned"])}
    assert pin(batch) == expected
    assert type(pin(batch)["c"]) is _Pair
    assert pin(collections.OrderedDict(a=_Pinned())) == collections.OrderedDict(a="pinned")


@pytest.mark.parametrize("workers", [0, 1])
def test_pinning_loaders(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    """Batches are pinned on a machine with an accelerator; elsewhere the loader warns."""
    loader = data.DataLoader(
        [_Pinned(), _Pinned()], 2, collate_fn=tuple, num_workers=workers, pin_memory=True
    )

    def accelerator(name: str | None) -> None:
        device = None if name is None else torch.device(name)
        monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda **_: device)

    accelerator("cuda")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(loader) == [("pinned", "pinned")]
    for name, message in [(None, "no accelerator is found"), ("mps", "not supported on MPS")]:
        accelerator(name)
        with pytest.warns(UserWarning, match=f"'pin_memory' argument is set.*{message}"):
            (batch,) = loader
        assert isinstance(batch[0], _Pinned)
    loader.pin_memory_device = "cuda"
    accelerator("cuda")
    with pytest.warns(UserWarning, match="ignore pin_memory_device='cuda'"):
        assert list(loader) == [("pinned", "pinned")]


def test_functions_by_type() -> None:
    collate = torch.utils.data._utils.collate  # type: ignore[attr-defined]
    longest = {**collate.default_collate_fn_map, str: lambda batch, **_: max(batch, key=len)}
    assert collate.collate([("a", 1), ("bcd", 2)], collate_fn_map=longest)[0] == "bcd"
    arrays = [np.ones(2), np.zeros(2)]
    assert collate.collate(arrays, collate_fn_map=longest).tolist() == [[1, 1], [0, 0]]
    for function, batch, expected in (
        (collate.collate_tensor_fn, [torch.ones(1)] * 2, [[1], [1]]),
        (collate.collate_float_fn, [0.5, 1.5], [0.5, 1.5]),
        (collate.collate_int_fn, [1, 2], [1, 2]),
        (collate.collate_numpy_array_fn, arrays, [[1, 1], [0, 0]]),
        (collate.collate_numpy_scalar_fn, [np.int16(3)], [3]),
    ):
        assert function(batch).tolist() == expected
    assert collate.collate_numpy_scalar_fn([np.int16(3)]).dtype == torch.int16
    assert collate.collate_str_fn(["a"]) == ["a"]
    with pytest.raises(
        TypeError, match="batch must contain tensors, numpy arrays.*found <class 'int'>"
    ):
        collate.collate([1])


class Slow(data.Dataset[int]):
    """One sample takes long."""

    def __getitem__(self, index: int) -> int:
        if index == 2:
            time.sleep(2)
        return index

    def __len__(self) -> int:
        return 8


@pytest.mark.parametrize("persistent", [False, True])
def test_batches_in_the_order_in_which_they_are_ready(persistent: bool) -> None:
    loader = data.DataLoader(Slow(), num_workers=2, in_order=False, persistent_workers=persistent)
    found = [int(batch) for batch in loader]
    assert sorted(found) == list(range(8)) and found.index(3) < found.index(2)
    if persistent:
        next(iter(loader))  # Left early: its other results do not reach the next epoch.
        assert sorted(int(batch) for batch in loader) == list(range(8))
    assert [int(batch) for batch in data.DataLoader(Slow(), num_workers=2)] == list(range(8))


def test_a_new_epoch_ends_the_one_before() -> None:
    loader = data.DataLoader(
        range(16), num_workers=2, batch_size=2, shuffle=True, persistent_workers=True
    )
    for _ in range(3):
        left = iter(loader)
        next(left)
        assert sorted(x for batch in loader for x in batch.tolist()) == list(range(16))
        assert list(left) == []


class Late(data.IterableDataset[int]):
    """Fails in the first epoch."""

    failed = False

    def __iter__(self) -> Iterator[int]:
        if not self.failed:
            self.failed = True
            raise ValueError("not yet")
        return iter(range(4))


def test_workers_begin_the_next_epoch_after_a_failure() -> None:
    loader = data.DataLoader(Late(), num_workers=1, batch_size=2, persistent_workers=True)
    with pytest.raises(ValueError, match="not yet"):
        list(loader)
    assert [batch.tolist() for batch in loader] == [[0, 1], [2, 3]]


class Endless(data.IterableDataset[int]):
    """More samples than it says."""

    def __iter__(self) -> Iterator[int]:
        return iter(range(6))

    def __len__(self) -> int:
        return 4


def test_a_data_set_with_more_samples_than_it_says() -> None:
    loader = data.DataLoader(Endless(), batch_size=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len([sample for sample in loader]) == 6, "list() would ask for the length"  # noqa: C416
    assert len(loader) == 4
    epoch = iter(loader)
    assert [next(epoch) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.warns(UserWarning, match="reported to be 4 .* but 5 samples have been fetched"):
        next(epoch)


def test_more_workers_than_processors_warn() -> None:
    with pytest.warns(UserWarning, match="1000 worker processes .* slow or even freeze"):
        data.DataLoader(range(3), num_workers=1000)


def test_what_trainers_ask_of_loaders_and_workers() -> None:
    loader = data.DataLoader(range(4), num_workers=1)
    assert loader._auto_collation and loader._index_sampler is loader.batch_sampler
    single = data.DataLoader(range(4), batch_size=None)
    assert not single._auto_collation and single._index_sampler is single.sampler
    epoch = iter(loader)
    (process,) = epoch._workers
    assert isinstance(process.pid, int)
    list(epoch)
    info = torch.utils.data.worker.WorkerInfo(0, 2, 3, [])
    assert repr(info) == "WorkerInfo(id=0, num_workers=2, seed=3, dataset=[])"
    for name in ("id", "other"):
        with pytest.raises(RuntimeError, match="Cannot assign attributes to WorkerInfo objects"):
            setattr(info, name, 1)


def test_samples_of_several_data_sets_at_once() -> None:
    class Many(data.Dataset[int]):
        def __init__(self, lost: int = 0) -> None:
            self.lost = lost

        def __getitem__(self, index: int) -> int:
            return index * 10

        def __getitems__(self, indices: list[int]) -> list[int]:
            return [i * 100 for i in indices][self.lost :]

        def __len__(self) -> int:
            return 4

    stack = data.StackDataset
    assert stack(Many(), "abcd").__getitems__([3, 0]) == [(300, "d"), (0, "a")]
    assert stack(x=Many(), y="abcd").__getitems__([1]) == [{"x": 100, "y": "b"}]
    with pytest.raises(ValueError, match="output size mismatch. Expected 2, got 1"):
        stack(Many(lost=1)).__getitems__([0, 1])
    with pytest.raises(ValueError, match="Supported either tuple-like input/output .* both types"):
        stack(Many(), y="abcd")
    with pytest.raises(ValueError, match="At least one dataset should be passed"):
        stack()


def test_errors_travel_with_their_text() -> None:
    from torch._utils import ExceptionWrapper

    class Odd(Exception):
        def __init__(self, one: int, two: int) -> None:
            super().__init__(one, two)

    for error, kind in (
        (ValueError("v"), ValueError),
        (KeyError("k"), KeyError),
        (Odd(1, 2), RuntimeError),
    ):
        try:
            raise error
        except Exception:
            wrapped = ExceptionWrapper(where="in a thread")
        with pytest.raises(
            kind, match=f"Caught {type(error).__name__} in a thread.\nOriginal Trac"
        ):
            wrapped.reraise()


def test_sequences_that_take_no_slice_keep_their_class() -> None:
    batch = data.default_collate([collections.deque([1, 2]), collections.deque([3, 4])])
    assert type(batch) is collections.deque
    assert [column.tolist() for column in batch] == [[1, 3], [2, 4]]
    assert type(data.default_convert(collections.deque([1]))) is collections.deque


def test_a_part_without_samples_warns() -> None:
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0. This might result in"):
        parts = torch.utils.data.random_split([3], [0.5, 0.5])
    assert [len(part) for part in parts] == [1, 0]

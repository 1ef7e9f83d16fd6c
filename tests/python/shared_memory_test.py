"""Memory that processes share: `Tensor.share_memory_`, `Module.share_memory`."""

from __future__ import annotations

import gc
import os
import pickle
from multiprocessing.reduction import ForkingPickler
from typing import Any

import pytest
import torch
import torch.multiprocessing as mp
from torch import Tensor, nn


def add_one(*tensors: Tensor) -> None:
    for tensor in tensors:
        tensor.add_(1)


def train(model: nn.Module) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()


def receive(queue: Any, answers: Any) -> None:
    shared, copied = queue.get()
    add_one(shared, copied)
    answers.put((shared.is_shared(), copied.is_shared(), shared.requires_grad, shared.stride()))


def run(start: str, target: Any, *arguments: Any) -> None:
    process = mp.get_context(start).Process(target=target, args=arguments)
    process.start()
    process.join(60)
    assert process.exitcode == 0


def test_the_tensor_and_its_views_move() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    view = x[1]
    assert not x.is_shared()
    assert x.share_memory_() is x
    assert x.is_shared() and view.is_shared() and x.untyped_storage().is_shared()
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]] and view.tolist() == [3, 4, 5]
    view.zero_()
    assert x.sum() == 3
    assert x.data_ptr() == x.share_memory_().data_ptr()
    assert not x.clone().is_shared()
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        x.resize_(100)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_another_process_writes(start: str) -> None:
    shared = torch.zeros(2, 3, dtype=torch.int16).share_memory_()
    copied = torch.zeros(2)
    run(start, add_one, shared, shared[:, 1:].t(), copied)
    assert shared.tolist() == [[1, 2, 2], [1, 2, 2]]
    assert copied.tolist() == [0, 0]


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_another_process_trains(start: str) -> None:
    model = nn.Linear(2, 1).share_memory()
    before = [p.detach().clone() for p in model.parameters()]
    for _ in range(2):
        run(start, train, model)
    assert all(p.is_shared() for p in model.parameters())
    for now, then in zip(model.parameters(), before, strict=True):
        torch.testing.assert_close(now.detach(), then - 2)


def test_a_queue_sends_the_memory() -> None:
    context = mp.get_context("fork")
    queue, answers = context.Queue(), context.Queue()
    shared = torch.zeros(3, 2).t().share_memory_().requires_grad_()
    copied = torch.zeros(2)
    process = context.Process(target=receive, args=(queue, answers))
    process.start()
    with torch.no_grad():
        queue.put((shared.detach(), copied))
        assert answers.get(timeout=60) == (True, False, False, (1, 2))
    process.join(60)
    assert shared.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert copied.tolist() == [0, 0]


def test_files_have_the_values() -> None:
    x = torch.arange(3.0).share_memory_()
    again = pickle.loads(pickle.dumps(x))
    assert again.tolist() == [0, 1, 2] and not again.is_shared()


def test_the_memory_ends_with_the_last_tensor() -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    tensors = [torch.ones(n).share_memory_() for n in (0, 1, 5000)]
    three = len(os.listdir("/proc/self/fd")) - before
    assert three >= 3
    view = tensors[2][4999:]
    del tensors
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before + three // 3
    assert view.item() == 1
    del view
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


class Rows(torch.utils.data.Dataset[Tensor]):
    def __init__(self) -> None:
        self.rows = torch.arange(6.0).reshape(3, 2).share_memory_()

    def __len__(self) -> int:
        return 3

    def __getitem__(self, place: int) -> Tensor:
        return self.rows[place]


def test_a_worker_sends_copies() -> None:
    loader = torch.utils.data.DataLoader(Rows(), batch_size=None, num_workers=1)
    found = list(loader)
    assert [row.tolist() for row in found] == [[0, 1], [2, 3], [4, 5]]
    assert not any(row.is_shared() for row in found)


def test_what_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="memory of meta cannot be shared; move the"):
        torch.ones(2, device="meta").share_memory_()
    with pytest.raises(TypeError, match="wanted a storage, but got int"):
        torch.UntypedStorage(1)._take_memory(1)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="wanted 1 bytes, but got 2"):
        torch.UntypedStorage(1)._take_memory(torch.UntypedStorage(2))
    assert ForkingPickler.dumps(torch.ones(1))

"""nn.DataParallel and nn.parallel without a GPU: pieces on the CPU."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import parallel

Pair = namedtuple("Pair", ["a", "b"])
TWO = ["cpu", "cpu"]


def test_data_parallel_calls_its_module() -> None:
    net = nn.DataParallel(nn.Linear(3, 2))
    x = torch.randn(4, 3)
    assert torch.equal(net(x), net.module(x))
    assert sorted(net.state_dict()) == ["module.bias", "module.weight"]
    assert net.device_ids == []


def test_scatter_splits_tensors_wherever_they_are() -> None:
    x = torch.arange(6)
    given: Any = ({"x": x, "n": 3}, [x, Pair(x, "s")])
    first, second = parallel.scatter(given, TWO)
    assert first[0]["x"].tolist() == [0, 1, 2]
    assert second[0]["n"] == 3
    assert second[1][0].tolist() == [3, 4, 5]
    assert isinstance(second[1][1], Pair)
    assert second[1][1].a.tolist() == [3, 4, 5]


def test_gather_is_the_inverse_of_scatter() -> None:
    x = torch.randn(5, 2)
    pieces = parallel.scatter({"x": x}, TWO)
    assert torch.equal(parallel.gather(pieces, "cpu")["x"], x)
    losses = [torch.tensor(1.0), torch.tensor(2.0)]
    assert parallel.gather(losses, "cpu").tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="same number of keys"):
        parallel.gather([{"a": x}, {}], "cpu")


def test_gradients_of_replicas_are_summed_in_the_original() -> None:
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1)).double().eval()
    x = torch.randn(6, 3, dtype=torch.float64)
    replicas = parallel.replicate(net, TWO)
    pieces = [(p,) for p in parallel.scatter(x, TWO)]
    outputs = parallel.parallel_apply(replicas, pieces)
    whole = parallel.gather(outputs, "cpu")
    torch.testing.assert_close(whole, net(x))
    found = torch.autograd.grad(whole.pow(2).sum(), list(net.parameters()))
    expected = torch.autograd.grad(net(x).pow(2).sum(), list(net.parameters()))
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b)


def test_an_error_in_one_module_is_raised() -> None:
    with pytest.raises(RuntimeError, match="shape"):
        parallel.parallel_apply(
            [nn.Linear(2, 1), nn.Linear(2, 1)], [torch.ones(1, 2), torch.ones(1, 5)]
        )


def test_distributed_training_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="nn.DataParallel splits batches"):
        parallel.DistributedDataParallel(nn.Linear(1, 1))

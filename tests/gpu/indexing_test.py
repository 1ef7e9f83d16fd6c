"""Taking and writing elements by indices and masks, and embeddings."""

from __future__ import annotations

import inputs as gen
import pytest
import torch
from torch.nn import functional

F = functional
DTYPES = [torch.float64, torch.float32, torch.float16, torch.uint8, torch.int64, torch.bool]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_index(dtype: torch.dtype, device: torch.device) -> None:
    t = gen.random((17, 33, 5), dtype)
    rows = torch.randint(-17, 17, (7, 3))
    columns = torch.randint(-33, 33, (3,))
    mask = torch.rand(17, 33) < 0.3
    for layout, there in gen.layouts(t, device):
        r, c, m = rows.to(device), columns.to(device), mask.to(device)
        assert torch.equal(there[r].cpu(), t[rows]), layout
        assert torch.equal(there[r, c].cpu(), t[rows, columns]), layout
        assert torch.equal(there[:, c].cpu(), t[:, columns]), layout
        assert torch.equal(there[r, :, c % 5].cpu(), t[rows, :, columns % 5]), layout
        assert torch.equal(there[m].cpu(), t[mask]), layout
        assert torch.equal(there.index_select(1, c % 33).cpu(), t.index_select(1, columns % 33))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_write(dtype: torch.dtype, device: torch.device) -> None:
    t = gen.random((40, 9), dtype)
    places = torch.randperm(40)[:11]
    values = gen.random((11, 9), dtype)
    mask = torch.rand(40, 9) < 0.5
    here, there = t.clone(), t.to(device)
    here[places] = values
    there[places.to(device)] = values.to(device)
    assert torch.equal(there.cpu(), here)
    assert torch.equal(there.masked_fill(mask.to(device), 1).cpu(), here.masked_fill(mask, 1))
    selected = there.masked_select(mask.to(device))
    assert torch.equal(selected.cpu(), here.masked_select(mask))


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_accumulate(dtype: torch.dtype, device: torch.device) -> None:
    t, places = gen.random((9, 5), dtype), torch.randint(0, 9, (200,))
    values = gen.random((200, 5), dtype, -1, 1)
    reference = t.double().index_put((places,), values.double(), accumulate=True)
    there = t.to(device).index_put((places.to(device),), values.to(device), accumulate=True)
    # Every addition rounds to the element's type.
    gen.assert_close(there, reference, dtype, "index_put", factor=4, scale=10)
    added = t.to(device).index_add(0, places.to(device), values.to(device))
    gen.assert_close(added, reference, dtype, "index_add", factor=4, scale=10)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_gather_scatter(dtype: torch.dtype, device: torch.device) -> None:
    t = gen.random((13, 8, 3), dtype)
    for dim in range(3):
        shape = [13, 8, 3]
        shape[dim] = 6
        index = torch.randint(0, t.shape[dim], shape)
        for layout, there in gen.layouts(t, device):
            gathered = there.gather(dim, index.to(device))
            assert torch.equal(gathered.cpu(), t.gather(dim, index)), (dim, layout)
    order = torch.argsort(torch.rand(13, 8, 3), 0)
    source = gen.random((13, 8, 3), dtype)
    scattered = t.to(device).scatter(0, order.to(device), source.to(device))
    assert torch.equal(scattered.cpu(), t.scatter(0, order, source))


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_scatter_add(dtype: torch.dtype, device: torch.device) -> None:
    t, index = gen.random((6, 5), dtype), torch.randint(0, 6, (100, 5))
    source = gen.random((100, 5), dtype, -1, 1)
    there = t.to(device).scatter_add(0, index.to(device), source.to(device))
    reference = t.double().scatter_add(0, index, source.double())
    gen.assert_close(there, reference, dtype, "scatter_add", factor=4, scale=10)


def test_nonzero(device: torch.device) -> None:
    for shape in [(), (0, 3), (5,), (4096,), (70001,), (33, 65), (3, 4, 5, 6)]:
        for density in (0.0, 0.1, 1.0):
            t = torch.rand(shape) < density
            assert torch.equal(t.to(device).nonzero().cpu(), t.nonzero()), (shape, density)


@pytest.mark.parametrize("dtype", gen.FLOATS, ids=str)
def test_embedding(dtype: torch.dtype, device: torch.device) -> None:
    for features in (1, 7, 64, 768):
        table, index = gen.random((50, features), dtype, -1, 1), torch.randint(0, 50, (9, 13))
        there = gen.leaf(table, device)
        here = gen.leaf(table)
        out = F.embedding(index.to(device), there, padding_idx=3)
        expected = F.embedding(index, here, padding_idx=3)
        assert torch.equal(out.detach().cpu(), table[index])
        grad = gen.random(tuple(expected.shape), dtype, -1, 1)
        out.backward(grad.to(device))
        expected.backward(grad.double())
        gen.assert_close(there.grad, here.grad, dtype, "embedding's gradient", factor=4)

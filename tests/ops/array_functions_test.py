"""Factories, shapes, order, indexing, products and random numbers against NumPy in float64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from tests.ops.arrays import RNG, close, tensor

# ---- factories


def test_linspace_and_logspace() -> None:
    for steps in (0, 1, 2, 7, 50):
        close(torch.linspace(-2, 3, steps, dtype=torch.float64), np.linspace(-2, 3, steps))
        close(torch.logspace(-1, 2, steps, dtype=torch.float64), np.logspace(-1, 2, steps), 1e-11)
    assert torch.linspace(0, 10, 5, dtype=torch.int64).tolist() == [0, 2, 5, 7, 10]
    with pytest.raises(RuntimeError, match="number of steps must be non-negative"):
        torch.linspace(0, 1, -1)


def test_triangles() -> None:
    for offset in (-2, 0, 1, 9):
        expected = np.tril_indices(4, offset, 5)
        assert torch.tril_indices(4, 5, offset).tolist() == [e.tolist() for e in expected]
        expected = np.triu_indices(4, offset, 5)
        assert torch.triu_indices(4, 5, offset).tolist() == [e.tolist() for e in expected]


# ---- shapes


def test_stacks_and_splits() -> None:
    a, b = RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3))
    x, y = tensor(a), tensor(b)
    for name in ("hstack", "vstack", "dstack", "column_stack"):
        close(getattr(torch, name)((x, y)), getattr(np, name)((a, b)))
        close(getattr(torch, name)((x[0], y[0])), getattr(np, name)((a[0], b[0])))
    wide = RNG.normal(size=(4, 6, 2))
    for parts in (3, [1, 4]):
        for name in ("vsplit", "hsplit"):
            count = parts if isinstance(parts, list) else 2
            for mine, theirs in zip(
                getattr(torch, name)(tensor(wide), count),
                getattr(np, name)(wide, count),
                strict=True,
            ):
                close(mine, theirs)
    for mine, theirs in zip(
        torch.tensor_split(tensor(wide), 4, 1), np.array_split(wide, 4, 1), strict=True
    ):
        close(mine, theirs)
    with pytest.raises(RuntimeError, match="not divisible by the split_size 4"):
        torch.hsplit(tensor(wide), 4)


def test_reordering() -> None:
    a = RNG.normal(size=(3, 4, 2))
    x = tensor(a)
    close(torch.roll(x, 5), np.roll(a, 5))
    close(torch.roll(x, (1, -3), (0, 1)), np.roll(a, (1, -3), (0, 1)))
    for k in range(-2, 5):
        close(torch.rot90(x, k, (1, 2)), np.rot90(a, k, (1, 2)))
    close(torch.tile(x, (2, 1)), np.tile(a, (2, 1)))
    close(torch.fliplr(x), np.fliplr(a))
    close(torch.flipud(x), np.flipud(a))
    close(torch.repeat_interleave(x, 3, dim=1), np.repeat(a, 3, 1))
    close(torch.repeat_interleave(x, torch.tensor([2, 0, 1]), dim=0), np.repeat(a, [2, 0, 1], 0))
    for mine, theirs in zip(
        torch.meshgrid(x[0, :, 0], x[:, 0, 1], indexing="xy"),
        np.meshgrid(a[0, :, 0], a[:, 0, 1], indexing="xy"),
        strict=True,
    ):
        close(mine, theirs)


def test_diagonals() -> None:
    a = RNG.normal(size=(4, 5))
    for k in (-2, 0, 3):
        close(torch.diag(tensor(a), k), np.diag(a, k))
        close(torch.diag(tensor(a[0]), k), np.diag(a[0], k))
        close(torch.diagflat(tensor(a), k), np.diagflat(a, k))
    close(torch.trace(tensor(a)), np.trace(a))
    close(torch.diag_embed(tensor(a)).diagonal(dim1=-2, dim2=-1), a)


# ---- order, scans, statistics


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_order_statistics(dim: int) -> None:
    a = RNG.normal(size=(5, 7, 3))
    x = tensor(a)
    values, indices = x.median(dim)
    close(values, np.sort(a, dim).take((a.shape[dim] - 1) // 2, dim))
    close(x.gather(dim, indices.unsqueeze(dim)).squeeze(dim), values.tolist())
    values, indices = x.kthvalue(2, dim)
    close(values, np.sort(a, dim).take(1, dim))
    for q in (0.0, 0.3, 1.0):
        for how in ("linear", "lower", "higher", "midpoint", "nearest"):
            close(
                x.quantile(q, dim, interpolation=how),
                np.quantile(a, q, dim, method=how),
                1e-10,
            )
    holes = np.where(RNG.random(a.shape) < 0.3, np.nan, a)
    close(torch.nanquantile(tensor(holes), 0.4, dim), np.nanquantile(holes, 0.4, dim), 1e-10)
    close(torch.nansum(tensor(holes), dim), np.nansum(holes, dim))
    close(torch.nanmean(tensor(holes), dim), np.nanmean(holes, dim))


def test_mode_is_the_most_frequent_element() -> None:
    x = torch.tensor([[3, 1, 3, 1, 2], [5, 5, 4, 4, 4]])
    values, indices = x.mode(1)
    assert values.tolist() == [1, 4]
    assert x.gather(1, indices.unsqueeze(1)).squeeze(1).tolist() == [1, 4]


def test_scans() -> None:
    a = RNG.normal(size=(4, 9))
    x = tensor(a)
    for dim in (0, 1):
        close(x.cumprod(dim), np.cumprod(a, dim))
        close(x.logcumsumexp(dim), np.log(np.cumsum(np.exp(a), dim)), 1e-11)
        close(x.cummax(dim)[0], np.maximum.accumulate(a, dim))
        close(x.cummin(dim)[0], np.minimum.accumulate(a, dim))
        close(x.diff(dim=dim), np.diff(a, axis=dim))
        close(
            torch.trapezoid(x, dim=dim),
            getattr(np, "trapezoid", getattr(np, "trapz", None))(a, axis=dim),
        )
    close(torch.cov(x), np.cov(a), 1e-11)
    close(torch.corrcoef(x), np.corrcoef(a), 1e-11)
    for mine, theirs in zip(torch.gradient(x), np.gradient(a), strict=True):
        close(mine, theirs)
    for step in (0.3, 2 - 1j):
        # NumPy drops the imaginary part for real values.
        expected = np.gradient(a * (step / step), step)
        for mine, theirs in zip(torch.gradient(x, spacing=step), expected, strict=True):
            close(mine, theirs)
    low, high = x.aminmax(dim=1)
    close(low, a.min(1))
    close(high, a.max(1))


def test_counts() -> None:
    a = RNG.integers(0, 6, 40)
    x = torch.tensor(a.tolist())
    assert torch.bincount(x, minlength=9).tolist() == np.bincount(a, minlength=9).tolist()
    weights = RNG.normal(size=40)
    close(torch.bincount(x, tensor(weights)), np.bincount(a, weights))
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    expected = np.unique(a, return_inverse=True, return_counts=True)
    assert [values.tolist(), inverse.tolist(), counts.tolist()] == [e.tolist() for e in expected]
    rows = RNG.integers(0, 2, (9, 2))
    assert (
        torch.unique(torch.tensor(rows.tolist()), dim=0).tolist()
        == np.unique(rows, axis=0).tolist()
    )
    again, counts = torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True)
    assert (again.tolist(), counts.tolist()) == ([1, 2, 1], [2, 1, 1])
    b = RNG.normal(size=100)
    expected_counts, _ = np.histogram(b, 7, (-1, 2))
    close(torch.histc(tensor(b), 7, -1, 2), expected_counts)
    assert torch.count_nonzero(x).item() == np.count_nonzero(a)


def test_search() -> None:
    edges, values = np.sort(RNG.normal(size=9)), RNG.normal(size=(3, 4))
    for right in (False, True):
        expected = np.searchsorted(edges, values, side="right" if right else "left")
        assert (
            torch.searchsorted(tensor(edges), tensor(values), right=right).tolist()
            == expected.tolist()
        )
        assert (
            torch.bucketize(tensor(values), tensor(edges), right=right).tolist()
            == expected.tolist()
        )
    a, b = RNG.integers(0, 9, (3, 4)), RNG.integers(0, 9, 4)
    assert (
        torch.isin(torch.tensor(a.tolist()), torch.tensor(b.tolist())).tolist()
        == np.isin(a, b).tolist()
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int64])
@pytest.mark.parametrize("count", [1, 2, 40])
def test_searchsorted_through_a_sorter(dtype: torch.dtype, count: int) -> None:
    rows = tensor(RNG.integers(-50, 50, (3, 100)), dtype)
    values = tensor(RNG.integers(-60, 60, (3, count)), dtype)
    ordered, sorter = rows.sort(-1)
    for right in (False, True):
        wanted = torch.searchsorted(ordered, values, right=right)
        assert torch.equal(torch.searchsorted(rows, values, right=right, sorter=sorter), wanted)
        one = torch.searchsorted(rows[1], values[1], right=right, sorter=sorter[1])
        assert torch.equal(one, wanted[1])


# ---- indexing


def test_take_put_and_fill() -> None:
    a = RNG.normal(size=(3, 4))
    x = tensor(a)
    index = torch.tensor([[0, -1], [5, 5]])
    close(torch.take(x, index), np.take(a, index.tolist()))
    put = a.copy()
    np.put(put, [1, 7], [9.0, 8.0])
    close(x.put(torch.tensor([1, 7]), torch.tensor([9.0, 8.0]).double()), put)
    order = np.argsort(a, 1)
    close(torch.take_along_dim(x, torch.tensor(order.tolist()), 1), np.take_along_axis(a, order, 1))
    filled = a.copy()
    filled[:, [0, 2]] = 7
    close(x.index_fill(1, torch.tensor([0, 2]), 7), filled)
    copied = a.copy()
    copied[[2, 0]] = a[:2]
    close(x.index_copy(0, torch.tensor([2, 0]), x[:2]), copied)


@pytest.mark.parametrize("dims", [(2, 0), (3, 0), (0, 2), (0, 3)])
def test_slices_of_other_shapes_are_refused(dims: tuple[int, int]) -> None:
    target, source = (torch.ones((2,) * d if d == dims[0] else (1,) * d) for d in dims)
    with pytest.raises(RuntimeError, match="must have same slice shapes. Destination slice shape"):
        target.index_copy(0, torch.tensor(0), source)
    with pytest.raises(RuntimeError, match="must have same slice shapes. Destination slice shape"):
        target.index_reduce(0, torch.tensor(0), source, "amax")
    close(
        torch.zeros(2).double().index_copy(0, torch.tensor(1), torch.tensor(3.0).double()),
        np.array([0, 3.0]),
    )


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("how", ["sum", "prod", "mean", "amax", "amin"])
def test_reductions_by_index(how: str, own: bool) -> None:
    a, src = RNG.normal(size=4), RNG.normal(size=7)
    index = RNG.integers(0, 3, 7)
    groups = [
        [a[i]] * own + [s for s, place in zip(src, index, strict=True) if place == i]
        for i in range(4)
    ]
    combine = {"sum": np.sum, "prod": np.prod, "mean": np.mean, "amax": np.max, "amin": np.min}[how]
    expected = [combine(g) if len(g) > own else a[i] for i, g in enumerate(groups)]
    x, s, i = tensor(a), tensor(src), torch.tensor(index.tolist())
    close(x.scatter_reduce(0, i, s, how, include_self=own), expected)
    if how != "sum":
        close(x.index_reduce(0, i, s, how, include_self=own), expected)
    expanded = tensor(a).sum().expand(4)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        expanded.scatter_reduce_(0, i, s, how, include_self=own)


# ---- contractions


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij,jk", [(2, 3), (3, 4)]),
        ("bij,bjk->bki", [(5, 2, 3), (5, 3, 4)]),
        ("i,j->ji", [(2,), (3,)]),
        ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]),
        ("ij->ji", [(2, 3)]),
        ("...ij,...jk->...ik", [(4, 1, 2, 3), (5, 3, 2)]),
        ("ij,ik,il->jkl", [(3, 2), (3, 4), (3, 2)]),
        ("ab,b,bc,ca->", [(2, 3), (3,), (3, 4), (4, 2)]),
        ("iij,jk->ik", [(2, 2, 3), (3, 4)]),
    ],
)
def test_einsum(equation: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [RNG.normal(size=shape) for shape in shapes]
    close(torch.einsum(equation, *map(tensor, arrays)), np.einsum(equation, *arrays))


@pytest.mark.parametrize(
    ("equation", "shapes", "message"),
    [
        ("ij,jk", [(2, 3)], "fewer operands were provided than specified in the equation"),
        ("i", [(2,), (2,)], "more operands were provided than specified in the equation"),
        ("i,i->i", [(3,), (2,)], "subscript i has size 2 for operand 1 which does not broadcast"),
        ("...,...", [(3,), (2,)], r"subscript \.\.\. has size 2 for operand 1"),
        ("a,..b", [(3,), (2,)], "found '.' for operand 1 that is not part of any ellipsis"),
        ("...a...", [(3,)], "found '.' for operand 0 for which an ellipsis was already found"),
        ("a->a...a...", [(3,)], "found '.' for the output for which an ellipsis was already"),
        ("a,b1", [(3,), (2,)], "invalid subscript given at index 3 in the equation string"),
        ("a->1", [(3,)], "invalid subscript given at index 3 in the equation string"),
    ],
)
def test_wrong_equations(equation: str, shapes: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        torch.einsum(equation, *[torch.ones(shape) for shape in shapes])


def test_cross_products_of_layouts_and_types() -> None:
    v, w = RNG.normal(size=(4, 3, 5)), RNG.normal(size=(1, 3, 5))
    expected = np.cross(v, w, axis=1)
    close(torch.linalg.cross(tensor(v), tensor(w), dim=1), expected)
    turned = [tensor(x).transpose(0, 2).contiguous().transpose(0, 2) for x in (v, w)]
    close(torch.linalg.cross(*turned, dim=1), expected)
    # The result may be an argument.
    x = tensor(v)
    close(torch.linalg.cross(x, tensor(w), dim=1, out=x), expected)
    found = torch.linalg.cross(torch.from_numpy(v + 1j), torch.from_numpy(w - 2j), dim=1)
    assert np.allclose(found.numpy(), np.cross(v + 1j, w - 2j, axis=1))
    big = torch.tensor([2**31 - 1, 5, 7], dtype=torch.int32)
    wanted = np.cross(big.numpy().astype(np.int64), np.array([3, 2**30, 9])).astype(np.int32)
    other = torch.tensor([3, 2**30, 9], dtype=torch.int32)
    assert torch.linalg.cross(big, other).tolist() == wanted.tolist()
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.linalg.cross(torch.ones(3, dtype=torch.bool), torch.ones(3, dtype=torch.bool))


def test_other_products() -> None:
    a, b = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(4, 3, 5))
    x, y = tensor(a), tensor(b)
    close(torch.tensordot(x, y, dims=([2, 1], [0, 1])), np.tensordot(a, b, ([2, 1], [0, 1])))
    close(torch.tensordot(x, y.permute(0, 1, 2), dims=1), np.tensordot(a, b, 1))
    close(torch.kron(x[0], y[0]), np.kron(a[0], b[0]))
    close(torch.inner(x, y.permute(2, 1, 0)), np.inner(a, b.transpose(2, 1, 0)))
    v, w = RNG.normal(size=(6, 3)), RNG.normal(size=(6, 3))
    close(torch.linalg.cross(tensor(v), tensor(w)), np.cross(v, w))
    close(torch.vdot(tensor(v[0]), tensor(w[0])), np.vdot(v[0], w[0]))
    for p in (0.0, 1.0, 2.0, 3.5, math.inf):
        expected = [[np.linalg.norm(r - s, p) for s in w] for r in v]
        close(torch.cdist(tensor(v), tensor(w), p), expected)
    base, m, n = (
        RNG.normal(size=(2, 3, 5)),
        RNG.normal(size=(2, 3, 4)),
        RNG.normal(size=(2, 4, 5)),
    )
    close(
        torch.baddbmm(tensor(base), tensor(m), tensor(n), beta=0.5, alpha=2),
        0.5 * base + 2 * m @ n,
    )
    close(torch.addbmm(tensor(base[0]), tensor(m), tensor(n)), base[0] + (m @ n).sum(0))
    close(
        torch.addr(tensor(base[0, :, :3]), tensor(v[0]), tensor(w[0])),
        base[0, :, :3] + np.outer(v[0], w[0]),
    )


# ---- random numbers


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.complex64])
def test_uniform_numbers_are_below_the_end(dtype: Any) -> None:
    x = torch.empty(20000, dtype=dtype).uniform_(1, 2)
    parts = torch.view_as_real(x) if dtype.is_complex else x
    assert 1 <= parts.min().item() < 1.01
    assert 1.99 < parts.max().item() < 2
    assert abs(parts.to(torch.float64).mean().item() - 1.5) < 0.02


def test_distributions_have_their_moments() -> None:
    n = 40000
    x = torch.empty(n, dtype=torch.float64)
    assert abs(x.exponential_(2.0).mean().item() - 0.5) < 0.02
    assert abs(x.geometric_(0.25).mean().item() - 4) < 0.2
    assert abs(x.log_normal_(0.0, 0.5).log().mean().item()) < 0.02
    assert abs(x.cauchy_(1.0, 0.5).median().item() - 1) < 0.03
    rates = torch.full((n,), 30.0)
    assert abs(torch.poisson(rates).mean().item() - 30) < 0.2
    assert abs(torch.poisson(rates / 10).var().item() - 3) < 0.2
    chosen = torch.multinomial(torch.tensor([1.0, 0.0, 3.0]), n, replacement=True)
    counts = torch.bincount(chosen, minlength=3).tolist()
    assert counts[1] == 0
    assert abs(counts[2] / n - 0.75) < 0.02
    assert sorted(torch.multinomial(torch.ones(5), 5).tolist()) == [0, 1, 2, 3, 4]
    drawn = torch.normal(torch.full((n,), 3.0), torch.full((n,), 2.0))
    assert abs(drawn.mean().item() - 3) < 0.06
    assert abs(drawn.std().item() - 2) < 0.06


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 2.0, 3.5, math.inf])
def test_gradients_of_distances(p: float) -> None:
    """With create_graph they go through tensors of all differences, without through none."""
    for batch1, batch2 in [((), ()), ((3,), (1,)), ((2, 1), (3,))]:
        x = tensor(RNG.normal(size=(*batch1, 5, 37)), grad=True)
        y = tensor(RNG.normal(size=(*batch2, 4, 37)), grad=True)
        with torch.no_grad():
            y[..., 0, :] = x.reshape(-1, 5, 37)[0, 0]  # A distance of 0.
            y[..., 1, 0] = x.reshape(-1, 5, 37)[0, 1, 0]  # A difference of 0.
        out = torch.cdist(x, y, p, compute_mode="donot_use_mm_for_euclid_dist")
        seed = tensor(RNG.normal(size=tuple(out.shape)))
        quick = torch.autograd.grad(out, (x, y), seed, retain_graph=True)
        slow = torch.autograd.grad(out, (x, y), seed, create_graph=True)
        for found, wanted in zip(quick, slow, strict=True):
            close(found, wanted.detach().numpy())
    z = tensor(RNG.normal(size=(6, 3)), grad=True)
    out = torch.nn.functional.pdist(z, p)
    seed = tensor(RNG.normal(size=tuple(out.shape)))
    (quick,) = torch.autograd.grad(out, z, seed, retain_graph=True)
    (slow,) = torch.autograd.grad(out, z, seed, create_graph=True)
    close(quick, slow.detach().numpy())

"""`out=` of operators whose kernel copies what the functional variant returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

aten = torch.ops.aten
_X = torch.randn(2, 3, 4, 4)
_IMAGES = _X.to(memory_format=torch.channels_last)
_A = torch.randn(3, 4, 4) + 4 * torch.eye(4)
_SYMMETRIC = _A + _A.mT
_LOG = torch.randn(5, 3).log_softmax(1)
_TARGET = torch.tensor([0, 2, 1, 1, 0])
_CLASSES = torch.tensor([[0, 2, -1], [1, -1, -1], [0, 1, 2], [2, -1, 0], [-1, 0, 0]])

# The functional overload, the one with out=, the arguments, and the names of the results.
_CASES: list[tuple[Any, Any, tuple[Any, ...], tuple[str, ...]]] = [
    (aten._linalg_svd.default, aten._linalg_svd.U, (_A,), ("U", "S", "Vh")),
    (aten._linalg_eigh.default, aten._linalg_eigh.eigenvalues, (_SYMMETRIC,), ("eigenvalues", "eigenvectors")),
    (aten._linalg_det.default, aten._linalg_det.result, (_A,), ("result", "LU", "pivots")),
    (aten._linalg_slogdet.default, aten._linalg_slogdet.sign, (_A,), ("sign", "logabsdet", "LU", "pivots")),
    (aten._linalg_solve_ex.default, aten._linalg_solve_ex.result, (_A, _A.mT), ("result", "LU", "pivots", "info")),
    (aten.histogram.bin_ct, aten.histogram.bin_ct_out, (_X, 7), ("hist", "bin_edges")),
    (aten.histogram.bins_tensor, aten.histogram.bins_tensor_out, (_X, torch.linspace(-1, 1, 5)), ("hist", "bin_edges")),
    (aten.nll_loss.default, aten.nll_loss.out, (_LOG, _TARGET), ("out",)),
    (aten.binary_cross_entropy.default, aten.binary_cross_entropy.out, (_LOG.exp(), _LOG.exp()), ("out",)),
    (aten.multi_margin_loss.default, aten.multi_margin_loss.out, (_LOG, _TARGET), ("out",)),
    (aten.multilabel_margin_loss.default, aten.multilabel_margin_loss.out, (_LOG, _CLASSES), ("out",)),
    (aten.adaptive_avg_pool2d.default, aten.adaptive_avg_pool2d.out, (_IMAGES, [2, 2]), ("out",)),
    (aten._fft_c2c.default, aten._fft_c2c.out, (_X.to(torch.cfloat), [1], 0, True), ("out",)),
    (
        aten.max_pool2d_with_indices_backward.default, aten.max_pool2d_with_indices_backward.grad_input,
        (_IMAGES[..., :2, :2], _IMAGES, [2, 2], [2, 2], [0, 0], [1, 1], False, torch.zeros(2, 3, 2, 2, dtype=torch.int64)),
        ("grad_input",),
    ),
    (
        aten._native_batch_norm_legit.no_stats, aten._native_batch_norm_legit.no_stats_out,
        (_X, None, None, True, 0.1, 1e-5), ("out", "save_mean", "save_invstd"),
    ),
]  # fmt: skip
_every = pytest.mark.parametrize(
    ("functional", "out", "args", "names"), _CASES, ids=lambda value: str(value)[:40]
)


def _results(values: Any) -> tuple[torch.Tensor, ...]:
    return values if isinstance(values, tuple) else (values,)


@_every
def test_new_and_given_memory(functional: Any, out: Any, args: Any, names: tuple[str, ...]) -> None:
    expected = _results(functional(*args))
    new = {name: torch.empty(0, dtype=x.dtype) for name, x in zip(names, expected, strict=True)}
    found = _results(out(*args, **new))
    assert [x.data_ptr() for x in found] == [x.data_ptr() for x in new.values()]
    for one, other in zip(found, expected, strict=True):
        assert torch.equal(one, other)
        assert one.stride() == other.stride()
    given = {
        name: x.new_zeros((*x.shape, 2))[..., 0] for name, x in zip(names, expected, strict=True)
    }
    strides = [x.stride() for x in given.values()]
    for one, other in zip(_results(out(*args, **given)), expected, strict=True):
        assert torch.equal(one, other)
    assert [x.stride() for x in given.values()] == strides


@_every
def test_other_types_and_gradients(
    functional: Any, out: Any, args: Any, names: tuple[str, ...]
) -> None:
    expected = _results(functional(*args))
    wrong = {name: torch.empty(0, dtype=torch.int16) for name in names}
    with pytest.raises(
        RuntimeError, match="Expected out tensor to have dtype .* but got short int"
    ):
        out(*args, **wrong)
    tracked = [
        x.clone().requires_grad_() if torch.is_tensor(x) and x.is_floating_point() else x
        for x in args
    ]
    if not any(torch.is_tensor(x) and x.requires_grad for x in tracked):
        return
    new = {name: torch.empty(0, dtype=x.dtype) for name, x in zip(names, expected, strict=True)}
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        out(*tracked, **new)
    with torch.no_grad():
        out(*tracked, **new)


@pytest.mark.parametrize(
    ("call", "sizes"),
    [
        (lambda out: aten.unbind_copy.int_out(_X, 1, out=out), [(2, 4, 4)] * 3),
        (lambda out: aten.split_copy.Tensor_out(_X, 2, 1, out=out), [(2, 2, 4, 4), (2, 1, 4, 4)]),
        (lambda out: torch.unbind_copy(_X, 1, out=out), [(2, 4, 4)] * 3),
        (lambda out: torch.unbind_copy(_X, 1, out=tuple(out)), [(2, 4, 4)] * 3),
        (lambda out: torch.split_copy(_X, 2, 1, out=out), [(2, 2, 4, 4), (2, 1, 4, 4)]),
        (
            lambda out: torch.split_with_sizes_copy(_X, [1, 2], 1, out=out),
            [(2, 1, 4, 4), (2, 2, 4, 4)],
        ),
    ],
)
def test_lists(call: Callable[[list[torch.Tensor]], None], sizes: list[tuple[int, ...]]) -> None:
    out = [torch.empty(0) for _ in sizes]
    assert call(out) is None
    assert [tuple(x.shape) for x in out] == sizes
    assert torch.equal(
        torch.cat([x.flatten() for x in out]).sort().values, _X.flatten().sort().values
    )
    with pytest.raises(RuntimeError, match="Expected a list of . out tensors, but got 1"):
        call([torch.empty(0)])


def test_running_statistics_are_written() -> None:
    mean, variance = torch.zeros(3), torch.ones(3)
    out = {name: torch.empty(0) for name in ("out", "save_mean", "save_invstd")}
    aten._native_batch_norm_legit.out(_X, None, None, mean, variance, True, 0.1, 1e-5, **out)
    torch.testing.assert_close(mean, _X.mean((0, 2, 3)) / 10)
    assert torch.equal(
        out["save_mean"], aten._native_batch_norm_legit.no_stats(_X, None, None, True, 0.1, 1e-5)[1]
    )


def test_python_functions() -> None:
    U, S, Vh = torch.empty(0), torch.empty(0), torch.empty(0)
    torch._linalg_svd(_A, out=(U, S, Vh))
    torch.testing.assert_close(U @ S.diag_embed() @ Vh, _A)
    hist, edges = torch.empty(0), torch.empty(0)
    assert torch.histogram(_X, 7, out=(hist, edges))[0] is hist
    assert torch.equal(hist, torch.histogram(_X, 7).hist)
    loss = torch.empty(())
    assert torch._C._nn.nll_loss(_LOG, _TARGET, out=loss) is loss

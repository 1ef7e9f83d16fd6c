"""torch.nn.utils: normed and orthogonal weights, fused layers, layers without values."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import utils
from torch.nn.utils import fusion, init, parametrizations, spectral_norm, weight_norm


@pytest.mark.parametrize("dim", [0, 1, None])
def test_weight_norm(dim: int | None) -> None:
    layer = nn.Linear(4, 3).double()
    x = torch.randn(5, 4, dtype=torch.float64)
    before = layer(x)
    assert weight_norm(layer, dim=dim) is layer
    assert sorted(n for n, _ in layer.named_parameters()) == ["bias", "weight_g", "weight_v"]
    torch.testing.assert_close(layer(x), before)
    with torch.no_grad():
        layer.weight_g.mul_(2)
    torch.testing.assert_close(layer(x) - layer.bias, 2 * (before - layer.bias))
    layer(x).sum().backward()
    assert layer.weight_g.grad is not None
    with pytest.raises(RuntimeError, match="Cannot register two weight_norm hooks"):
        weight_norm(layer)
    utils.remove_weight_norm(layer)
    assert sorted(n for n, _ in layer.named_parameters()) == ["bias", "weight"]
    torch.testing.assert_close(layer(x) - layer.bias, 2 * (before - layer.bias))
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found"):
        utils.remove_weight_norm(layer)


def test_spectral_norm() -> None:
    cases: list[tuple[Any, tuple[int, ...], bool]] = [
        (nn.Conv2d(2, 3, 3), (1, 2, 5, 5), False),
        (nn.ConvTranspose2d(3, 2, 3), (1, 3, 5, 5), True),
        (nn.Linear(18, 3), (1, 18), False),
    ]
    for layer, shape, transposed in cases:
        spectral_norm(layer, n_power_iterations=50)
        layer(torch.randn(shape))
        rows = layer.weight.transpose(0, 1) if transposed else layer.weight
        largest = torch.linalg.svdvals(rows.flatten(1))[0]
        torch.testing.assert_close(largest, torch.ones(()), atol=1e-3, rtol=0)
        assert {"weight_orig", "weight_u", "weight_v"} <= set(layer.state_dict())
        weight = layer.weight.detach().clone()
        layer.eval()
        utils.remove_spectral_norm(layer)
        torch.testing.assert_close(layer.weight.detach(), weight, atol=1e-3, rtol=0)
    with pytest.raises(ValueError, match="spectral_norm of 'weight' not found"):
        utils.remove_spectral_norm(layer)
    with pytest.raises(ValueError, match="n_power_iterations=0"):
        spectral_norm(nn.Linear(1, 1), n_power_iterations=0)


@pytest.mark.parametrize("kind", ["matrix_exp", "cayley", "householder", None])
@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
@pytest.mark.parametrize("trivial", [True, False])
def test_orthogonal_weights(kind: str | None, shape: tuple[int, int], trivial: bool) -> None:
    layer = nn.Linear(shape[1], shape[0]).double()
    parametrizations.orthogonal(layer, orthogonal_map=kind, use_trivialization=trivial)
    unit = torch.eye(min(shape), dtype=torch.float64)

    def product(w: Any) -> Any:
        return w @ w.T if shape[0] <= shape[1] else w.T @ w

    torch.testing.assert_close(product(layer.weight), unit)
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    layer(torch.randn(2, shape[1], dtype=torch.float64)).square().sum().backward()
    optimizer.step()
    torch.testing.assert_close(product(layer.weight), unit)
    q = torch.linalg.qr(torch.randn(max(shape), min(shape), dtype=torch.float64))[0]
    q = q.T if shape[0] < shape[1] else q
    if not trivial and (kind in ("matrix_exp", "cayley") or (kind is None and shape == (4, 4))):
        with pytest.raises(NotImplementedError, match="when use_trivialization=False"):
            layer.weight = q
    else:
        layer.weight = q
        torch.testing.assert_close(layer.weight.detach(), q)


def test_errors_of_orthogonal_weights() -> None:
    with pytest.raises(ValueError, match="orthogonal_map has to be one of"):
        parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="x")
    with pytest.raises(ValueError, match="Expected a matrix or batch of matrices"):
        parametrizations.orthogonal(nn.Linear(2, 2), "bias")
    with pytest.raises(ValueError, match="no parameter or buffer with name 'none'"):
        parametrizations.orthogonal(nn.Linear(2, 2), "none")
    with pytest.raises(ValueError, match="does not support complex tensors"):
        layer = nn.Linear(2, 2, dtype=torch.complex64)
        parametrizations.orthogonal(layer, orthogonal_map="householder")


def test_householder_product() -> None:
    a = torch.randn(2, 5, 3, dtype=torch.float64)
    tau = torch.randn(2, 3, dtype=torch.float64)
    vectors = a.tril(-1) + torch.eye(5, 3, dtype=torch.float64)
    expected = torch.eye(5, dtype=torch.float64).expand(2, 5, 5)
    for i in range(3):
        v = vectors[..., i : i + 1]
        expected = expected @ (
            torch.eye(5, dtype=torch.float64) - tau[..., i, None, None] * v @ v.mT
        )
    torch.testing.assert_close(torch.linalg.householder_product(a, tau), expected[..., :3])
    assert torch.autograd.gradcheck(
        torch.linalg.householder_product,
        (a.clone().requires_grad_(), tau.clone().requires_grad_()),
    )
    with pytest.raises(RuntimeError, match="must be greater than or equal to input.shape"):
        torch.linalg.householder_product(a.mT, tau)
    with pytest.raises(RuntimeError, match="must be greater than or equal to tau.shape"):
        torch.linalg.householder_product(a, torch.ones(2, 4, dtype=torch.float64))
    with pytest.raises(RuntimeError, match="does not match input dtype"):
        torch.linalg.householder_product(a, tau.float())


def test_householder_product_is_stored_by_columns_and_casts_to_out_only_safely() -> None:
    a, tau = torch.randn(2, 5, 3), torch.randn(2, 3)
    expected = torch.linalg.householder_product(a, tau)
    assert expected.stride() == (15, 1, 5)
    for out in (torch.empty(0), torch.empty(2, 3, 5).mT, torch.empty(2, 5, 3, dtype=torch.float64)):
        torch.linalg.householder_product(a, tau, out=out)
        torch.testing.assert_close(out, expected.to(out.dtype), rtol=0, atol=0)
    out = torch.empty(0)
    assert torch.linalg.householder_product(a, tau, out=out) is out
    assert out.stride() == (15, 1, 5)
    with pytest.raises(RuntimeError, match="to be safely castable from Float dtype"):
        torch.linalg.householder_product(a, tau, out=torch.empty(2, 5, 3, dtype=torch.int64))


def test_fused_layers() -> None:
    cases: list[tuple[Any, Any, Any, bool]] = [
        (nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), (4, 2, 5, 5), False),
        (nn.Conv1d(2, 4, 3, groups=2, bias=False), nn.BatchNorm1d(4), (4, 2, 5), False),
        (nn.ConvTranspose2d(2, 3, 3), nn.BatchNorm2d(3, affine=False), (4, 2, 5, 5), True),
    ]
    for conv, bn, shape, transpose in cases:
        x = torch.randn(shape)
        bn(conv(x))
        conv.eval()
        bn.eval()
        fused = utils.fuse_conv_bn_eval(conv, bn, transpose)
        torch.testing.assert_close(fused(x), bn(conv(x)), atol=1e-5, rtol=1e-4)
    linear, norm = nn.Linear(3, 4).eval(), nn.BatchNorm1d(4)
    norm(torch.randn(9, 4))
    norm.eval()
    x = torch.randn(2, 3)
    torch.testing.assert_close(utils.fuse_linear_bn_eval(linear, norm)(x), norm(linear(x)))
    with pytest.raises(AssertionError, match="Fusion only for eval!"):
        utils.fuse_conv_bn_eval(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1))
    with pytest.raises(AssertionError, match="track_running_stats=True"):
        utils.fuse_conv_bn_eval(
            nn.Conv2d(1, 1, 1).eval(), nn.BatchNorm2d(1, track_running_stats=False).eval()
        )
    with pytest.raises(AssertionError, match="they are 4 and 3"):
        utils.fuse_linear_bn_eval(linear, nn.BatchNorm1d(3).eval())


def test_layers_without_values_and_formats_of_weights() -> None:
    layer = utils.skip_init(nn.Linear, 5, 1)
    assert layer.weight.shape == (1, 5)
    assert layer.weight.device.type == "cpu"
    assert utils.skip_init(nn.Linear, 5, 1, device="meta").weight.is_meta
    with pytest.raises(RuntimeError, match="Expected a Module"):
        utils.skip_init(int)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="must support a 'device' arg"):
        utils.skip_init(nn.Tanh)
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Linear(2, 2))
    utils.convert_conv2d_weight_memory_format(net, torch.channels_last)
    assert net[0].weight.is_contiguous(memory_format=torch.channels_last)


def test_old_names_of_initial_values() -> None:
    for name, args in [("constant", (3.0,)), ("uniform", ()), ("xavier_normal", ()), ("eye", ())]:
        with pytest.warns(FutureWarning, match=f"nn.init.{name}` is now deprecated"):
            getattr(nn.init, name)(torch.empty(2, 2), *args)


def test_doctests() -> None:
    for module in (parametrizations, fusion, init):
        results = doctest.testmod(module, extraglobs={"torch": torch})
        assert results.attempted > 0
        assert results.failed == 0


def test_gains_and_tensors_without_elements() -> None:
    for wrong in (True, "yes", torch.ones(1)):
        with pytest.raises(ValueError, match="negative_slope .* not a valid number"):
            nn.init.calculate_gain("leaky_relu", wrong)  # type: ignore[arg-type]
    for fill in (nn.init.kaiming_uniform_, nn.init.kaiming_normal_):
        with pytest.warns(UserWarning, match="Initializing zero-element tensors is a no-op"):
            fill(torch.empty(0, 3))


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_recurrent_layers_take_computed_weights(kind: str) -> None:
    plain = getattr(torch.nn, kind)(3, 4, dtype=torch.float64)
    normed = getattr(torch.nn, kind)(3, 4, dtype=torch.float64)
    normed.load_state_dict(plain.state_dict())
    utils.parametrizations.weight_norm(normed, "weight_hh_l0")
    x = torch.rand(5, 2, 3, dtype=torch.float64)
    torch.testing.assert_close(normed(x)[0], plain(x)[0])
    with torch.no_grad():
        normed.parametrizations.weight_hh_l0.original0.zero_()
        plain.weight_hh_l0.zero_()
    torch.testing.assert_close(normed(x)[0], plain(x)[0])
    assert normed._flat_weights_names == list(plain._parameters)
    assert [p is q for p, q in zip(plain._flat_weights, plain.parameters(), strict=True)] == [
        True
    ] * 4

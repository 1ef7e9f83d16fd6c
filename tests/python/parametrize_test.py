"""torch.nn.utils.parametrize and parametrizations."""

from __future__ import annotations

import doctest
from copy import deepcopy

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import parametrizations, parametrize


class Symmetric(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.triu() + x.triu(1).mT

    def right_inverse(self, x: Tensor) -> Tensor:
        return x.triu()


class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return 2 * x

    def right_inverse(self, x: Tensor) -> Tensor:
        return x / 2


def test_parametrizations_are_applied_one_after_another() -> None:
    layer = nn.Linear(3, 3)
    before = layer.weight
    value = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Symmetric())
    parametrize.register_parametrization(layer, "weight", Double())
    original = layer.parametrizations.weight.original
    assert original is before
    expected = 2 * (value.triu() + value.triu(1).mT)
    torch.testing.assert_close(layer.weight, expected)
    x = torch.randn(2, 3)
    torch.testing.assert_close(layer(x), x @ expected.mT + layer.bias)
    layer(x).sum().backward()
    assert original.grad is not None
    assert "parametrizations.weight.original" in layer.state_dict()
    layer.weight = 4 * expected
    torch.testing.assert_close(layer.weight, 4 * expected)
    assert parametrize.type_before_parametrizations(layer) is nn.Linear


def test_removing_gives_the_layer_back() -> None:
    for leave in (True, False):
        layer = nn.Linear(3, 3)
        parametrize.register_parametrization(layer, "weight", Double(), unsafe=False)
        original = layer.parametrizations.weight.original.detach().clone()
        value = layer.weight.detach().clone()
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=leave)
        assert type(layer) is nn.Linear
        assert not parametrize.is_parametrized(layer)
        assert isinstance(layer.weight, nn.Parameter)
        torch.testing.assert_close(layer.weight.detach(), value if leave else original)


def test_cached_blocks_compute_once() -> None:
    layer = nn.Linear(3, 3)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    assert layer.weight is not layer.weight
    with parametrize.cached():
        assert layer.weight is layer.weight
    assert layer.weight is not layer.weight


def test_copies_are_independent() -> None:
    layer = parametrizations.weight_norm(nn.Linear(2, 2))
    twin = deepcopy(layer)
    with torch.no_grad():
        twin.parametrizations.weight.original0.zero_()
    assert (twin.weight == 0).all()
    assert (layer.weight != 0).any()
    with pytest.raises(RuntimeError, match=r"only supported through state_dict\(\)"):
        layer.__getstate__()


@pytest.mark.parametrize("dim", [0, 1, None])
def test_weight_norm_keeps_the_weight_and_splits_its_length(dim: int | None) -> None:
    layer = nn.Conv1d(2, 3, 4).double()
    value = layer.weight.detach().clone()
    parametrizations.weight_norm(layer, dim=dim)
    torch.testing.assert_close(layer.weight, value)
    g = layer.parametrizations.weight.original0
    with torch.no_grad():
        g.fill_(2)
    norms = (
        layer.weight.norm()
        if dim is None
        else layer.weight.transpose(0, dim).flatten(1).norm(dim=1)
    )
    torch.testing.assert_close(norms, torch.full_like(norms, 2.0))
    with pytest.raises(ValueError, match="Cannot leave unparametrized"):
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    parametrize.remove_parametrizations(layer, "weight")
    assert isinstance(layer.weight, nn.Parameter)


@pytest.mark.parametrize("make", [lambda: nn.Linear(5, 4), lambda: nn.ConvTranspose2d(3, 4, 2)])
def test_spectral_norm_has_norm_one(make: object) -> None:
    layer = parametrizations.spectral_norm(make().double(), n_power_iterations=50)  # type: ignore[operator]
    for _ in range(20):
        weight = layer.weight
    rows = weight.transpose(0, 1) if weight.dim() == 4 else weight
    largest = torch.linalg.svdvals(rows.flatten(1).detach())[0]
    torch.testing.assert_close(largest, torch.ones_like(largest), rtol=1e-6, atol=0)
    layer.eval()
    assert torch.equal(layer.weight, layer.weight)


def test_errors() -> None:
    class Wider(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return torch.cat([x, x])

    with pytest.raises(ValueError, match="may not change the shape of the tensor"):
        parametrize.register_parametrization(nn.Linear(2, 2), "weight", Wider())

    class Half(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x

        def right_inverse(self, x: Tensor) -> Tensor:
            return x.half()

    class First(Half):
        def right_inverse(self, x: Tensor) -> Tensor:
            return x[:1]

    for inverse, what in ((Half(), "dtype"), (First(), "shape")):
        layer = nn.Linear(2, 2)
        parametrize.register_parametrization(layer, "weight", Double())
        with pytest.raises(ValueError, match=f"must have the same {what} as module.weight"):
            parametrize.register_parametrization(layer, "weight", inverse)
        assert len(layer.parametrizations.weight) == 1
    with pytest.raises(ValueError, match="does not have a parameter.*name 'scale'"):
        parametrize.register_parametrization(nn.Linear(2, 2), "scale", Double())
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        parametrize.remove_parametrizations(nn.Linear(2, 2), "weight")
    with pytest.raises(ValueError, match="has no parameter or buffer with name 'scale'"):
        parametrizations.spectral_norm(nn.Linear(2, 2), "scale")
    with pytest.raises(ValueError, match="n_power_iterations to be positive"):
        parametrizations.spectral_norm(nn.Linear(2, 2), n_power_iterations=0)


def test_docstrings_run() -> None:
    for module in (parametrize, parametrizations):
        assert doctest.testmod(module, extraglobs={"torch": torch}).failed == 0

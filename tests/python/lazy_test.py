"""Layers that take their sizes from the first input."""

from __future__ import annotations

import copy
import doctest
import pickle
import warnings
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.modules import lazy
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy

pytestmark = pytest.mark.filterwarnings("ignore:Lazy modules")

LAYERS: list[tuple[type[Any], tuple[Any, ...], type[Any], tuple[int, ...]]] = [
    (nn.LazyLinear, (5,), nn.Linear, (2, 3)),
    (nn.LazyConv1d, (4, 2), nn.Conv1d, (2, 3, 5)),
    (nn.LazyConv2d, (4, 2), nn.Conv2d, (2, 3, 5, 5)),
    (nn.LazyConv3d, (4, 2), nn.Conv3d, (2, 3, 5, 5, 5)),
    (nn.LazyConvTranspose1d, (4, 2), nn.ConvTranspose1d, (2, 3, 5)),
    (nn.LazyConvTranspose2d, (4, 2), nn.ConvTranspose2d, (2, 3, 5, 5)),
    (nn.LazyConvTranspose3d, (4, 2), nn.ConvTranspose3d, (3, 5, 5, 5)),
    (nn.LazyBatchNorm1d, (), nn.BatchNorm1d, (2, 3)),
    (nn.LazyBatchNorm2d, (), nn.BatchNorm2d, (2, 3, 5, 5)),
    (nn.LazyBatchNorm3d, (), nn.BatchNorm3d, (2, 3, 5, 5, 5)),
    (nn.LazyInstanceNorm1d, (), nn.InstanceNorm1d, (3, 5)),
    (nn.LazyInstanceNorm2d, (), nn.InstanceNorm2d, (2, 3, 5, 5)),
    (nn.LazyInstanceNorm3d, (), nn.InstanceNorm3d, (2, 3, 5, 5, 5)),
]


@pytest.mark.parametrize(("kind", "args", "becomes", "shape"), LAYERS)
def test_the_first_input_makes_the_usual_layer(
    kind: type[Any], args: tuple[Any, ...], becomes: type[Any], shape: tuple[int, ...]
) -> None:
    layer = kind(*args)
    assert layer.has_uninitialized_params()
    assert all(is_lazy(p) for p in layer.parameters())
    x = torch.randn(shape)
    result = layer(x)
    assert type(layer) is becomes
    sizes = (3, *args)
    options = {"affine": True, "track_running_stats": True} if "Instance" in kind.__name__ else {}
    usual = becomes(*sizes, **options)
    usual.load_state_dict(layer.state_dict())
    assert {n: p.shape for n, p in usual.named_parameters()} == {
        n: p.shape for n, p in layer.named_parameters()
    }
    assert repr(layer) == repr(usual)
    torch.testing.assert_close(layer.eval()(x), usual.eval()(x))
    result.sum().backward()
    assert all(type(p) is nn.Parameter and p.grad is not None for p in layer.parameters())


@pytest.mark.parametrize("bias", [True, False])
def test_values_are_those_that_the_usual_layer_starts_with(bias: bool) -> None:
    layer = nn.LazyLinear(5, bias=bias)
    torch.manual_seed(3)
    layer(torch.ones(1, 4))
    torch.manual_seed(3)
    usual = nn.Linear(4, 5, bias=bias)
    torch.testing.assert_close(layer.state_dict(), usual.state_dict())


def test_states_before_the_first_call() -> None:
    full = nn.Linear(3, 2)
    layer = nn.LazyLinear(2)
    layer.load_state_dict(full.state_dict())
    assert layer.weight.shape == (2, 3)
    torch.testing.assert_close(layer(torch.ones(1, 3)), full(torch.ones(1, 3)))
    first, second = nn.LazyLinear(2), nn.LazyLinear(2)
    second.load_state_dict(first.state_dict())
    assert second.has_uninitialized_params()
    with pytest.raises(RuntimeError, match="shape of an uninitialized parameter"):
        full.load_state_dict(first.state_dict())
    assert copy.deepcopy(first).has_uninitialized_params()
    assert is_lazy(pickle.loads(pickle.dumps(first.weight)))
    assert first.double().weight.dtype == torch.float64
    first(torch.ones(1, 7, dtype=torch.float64))
    assert first.weight.shape == (2, 7)
    assert first.weight.dtype == torch.float64


def test_what_cannot_be_done_before_the_first_call() -> None:
    layer = nn.LazyLinear(2)
    with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
        _ = layer.weight + 1
    with pytest.raises(RuntimeError, match="Can't access the shape"):
        _ = layer.weight.shape
    with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter"):
        torch.optim.SGD(layer.parameters(), 0.1).step()
        torch.mul(layer.weight, 2)
    with pytest.raises(RuntimeError, match="Expected 3D .* or 4D .* input to LazyConv2d"):
        nn.LazyConv2d(2, 1)(torch.ones(1, 2))
    with pytest.raises(ValueError, match="in_channels must be divisible by groups"):
        nn.LazyConv1d(2, 1, groups=2)(torch.ones(1, 3, 4))


def test_arguments_by_position_are_those_of_the_usual_layer() -> None:
    layer = nn.LazyConv2d(4, 3, 1, 1, 1, 2, False, "reflect")
    layer(torch.ones(1, 2, 5, 5))
    assert repr(layer) == repr(nn.Conv2d(2, 4, 3, 1, 1, 1, 2, False, "reflect"))
    other = nn.LazyConvTranspose1d(4, 3, 2, 1, 1, 2, False, 1)
    other(torch.ones(1, 2, 5))
    assert repr(other) == repr(nn.ConvTranspose1d(2, 4, 3, 2, 1, 1, 2, False, 1))
    with pytest.raises(TypeError, match="multiple values for argument 'bias'"):
        nn.LazyConv1d(4, 3, 1, 0, 1, 1, False, bias=True)


@pytest.mark.parametrize(("kind", "args", "becomes", "shape"), LAYERS)
def test_copies_and_files_before_the_first_call(
    kind: type[Any], args: tuple[Any, ...], becomes: type[Any], shape: tuple[int, ...]
) -> None:
    layer = kind(*args, dtype=torch.float64)
    x = torch.randn(shape, dtype=torch.float64)
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert twin(x).dtype == torch.float64
        assert type(twin) is becomes
        assert not twin._forward_pre_hooks
        twin(x)
        # The first is what it was.
        assert type(layer) is kind
        assert len(layer._forward_pre_hooks) == 1
    layer(x)
    assert type(layer) is becomes


@pytest.mark.parametrize(("kind", "args", "becomes", "shape"), LAYERS)
def test_another_type_before_the_first_call(
    kind: type[Any], args: tuple[Any, ...], becomes: type[Any], shape: tuple[int, ...]
) -> None:
    layer = kind(*args).double()
    assert layer.has_uninitialized_params()
    assert layer(torch.randn(shape, dtype=torch.float64)).dtype == torch.float64
    floating = [v for v in layer.state_dict().values() if v.is_floating_point()]
    assert {v.dtype for v in floating} <= {torch.float64}
    assert {type(v) for v in layer.buffers()} <= {torch.Tensor}


def test_a_layer_of_ones_own() -> None:
    class Scale(lazy.LazyModuleMixin, nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.factor = UninitializedParameter()
            self.register_buffer("offset", UninitializedBuffer())

        def initialize_parameters(self, x: torch.Tensor, *, by: float) -> None:
            with torch.no_grad():
                self.factor.materialize(x.shape[-1:])
                self.factor.fill_(by)
                self.offset.materialize((1,))
                self.offset.zero_()

        def forward(self, x: torch.Tensor, *, by: float) -> torch.Tensor:
            result: torch.Tensor = x * self.factor + self.offset
            return result

    layer = Scale()
    assert layer(torch.ones(2, 3), by=4.0).tolist() == [[4, 4, 4]] * 2
    assert [n for n, _ in layer.named_buffers()] == ["offset"]
    layer(torch.ones(2, 3), by=9.0)

    class Half(Scale):
        def initialize_parameters(self, x: torch.Tensor, *, by: float) -> None:
            pass

    with pytest.raises(RuntimeError, match="Half has not been fully initialized"):
        Half()(torch.ones(1), by=1.0)


def test_it_warns_and_its_examples_run() -> None:
    with pytest.warns(UserWarning, match="Lazy modules are a new feature"):
        nn.LazyLinear(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in (lazy, nn.parameter):
            results = doctest.testmod(module, extraglobs={"torch": torch})
            assert results.attempted > 0
            assert results.failed == 0


@pytest.mark.parametrize("norm", [nn.utils.spectral_norm, nn.utils.weight_norm])
@pytest.mark.filterwarnings("ignore")
def test_norms_of_weights_want_a_shape(norm: Any) -> None:
    with pytest.raises(ValueError, match="can't have uninitialized parameters. Make sure to run"):
        norm(nn.LazyLinear(2))


@pytest.mark.parametrize("kind", [nn.LazyBatchNorm1d, nn.LazyInstanceNorm1d])
def test_normalization_without_bias(kind: Any) -> None:
    norm = kind(affine=True, bias=False)
    norm(torch.ones(2, 3, 4))
    assert norm.weight.shape == (3,)
    assert norm.bias is None
    assert nn.SyncBatchNorm(3, bias=False).bias is None

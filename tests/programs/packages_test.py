"""Packages of others make of tensors what they make of NumPy's arrays.

The programs of `everyday` run, and give the same twice; ./bazelw run //tests/programs compares all
programs with PyTorch.
"""

from __future__ import annotations

import importlib
import random
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import opt_einsum
import pytest
import safetensors.numpy
import safetensors.torch
import torch
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce
from torch import nn
from torch.autograd import gradcheck

_HERE = Path(__file__).resolve().parent
_RNG = np.random.default_rng()


def _both(*shape: int) -> tuple[Any, Any]:
    array = _RNG.standard_normal(shape)
    return array, torch.from_numpy(array.copy())


@pytest.mark.parametrize(
    "use",
    [
        lambda x: rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=2, q=3),
        lambda x: rearrange([x, x], "two b c h w -> (two b) h w c"),
        lambda x: rearrange(x, "b ... -> ... b 1"),
        lambda x: reduce(x, "b c (h 2) (w 3) -> h w c b", "max"),
        lambda x: reduce(x, "b c h w -> b 1 1 w", "mean"),
        lambda x: reduce(x, "b c h w -> c", "prod"),
        lambda x: repeat(x, "b c h w -> b (h h2) w (c r)", h2=2, r=3),
        lambda x: einsum(x, x, "b c h w, b d h w -> b c d"),
        lambda x: pack([x, x[:, 0]], "b * w")[0],
        lambda x: unpack(x, [[2], [1, 1]], "b * h w")[1],
    ],
)
def test_einops(use: Any) -> None:
    array, tensor = _both(2, 3, 4, 6)
    expected, found = use(array), use(tensor)
    assert isinstance(found, torch.Tensor)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-12)


def test_layers_of_einops() -> None:
    mix = EinMix("b n c -> b n d", weight_shape="c d", bias_shape="d", c=12, d=5)
    net = nn.Sequential(
        Rearrange("b c (h p) (w q) -> b (h w) (c p q)", p=2, q=2),
        mix,
        Reduce("b n d -> b d", "sum"),
    ).double()
    array, tensor = _both(2, 3, 4, 6)
    patches = rearrange(array, "b c (h p) (w q) -> b (h w) (c p q)", p=2, q=2)
    weight, bias = (p.detach().numpy().reshape(-1, 5) for p in mix.parameters())
    np.testing.assert_allclose(net(tensor).detach().numpy(), (patches @ weight + bias).sum(1))
    assert gradcheck(net, (tensor.requires_grad_(),))


@pytest.mark.parametrize("optimize", ["greedy", "optimal", "branch-2"])
def test_opt_einsum(optimize: Any) -> None:
    pairs = [_both(*shape) for shape in ((4, 5), (5, 6), (6, 4, 3), (3,))]
    arrays, tensors = [a for a, _ in pairs], [t.requires_grad_() for _, t in pairs]
    text = "ab,bc,cad,d->ad"
    expected = np.einsum(text, *arrays)
    found = opt_einsum.contract(text, *tensors, optimize=optimize)
    np.testing.assert_allclose(found.detach().numpy(), expected, rtol=1e-10, atol=1e-12)
    expression = opt_einsum.contract_expression(text, *(a.shape for a in arrays))
    np.testing.assert_allclose(expression(*tensors).detach().numpy(), expected, rtol=1e-10)
    assert gradcheck(lambda *t: opt_einsum.contract(text, *t, optimize=optimize), tensors)


def test_safetensors(tmp_path: Path) -> None:
    path = str(tmp_path / "a.safetensors")
    kinds = "float64 float32 float16 int64 int32 int16 int8 uint8 bool"
    arrays = {kind: (10 * _RNG.standard_normal((3, 4))).astype(kind) for kind in kinds.split()}
    safetensors.numpy.save_file(arrays, path)
    found = safetensors.torch.load_file(path)
    assert {name: str(t.dtype) for name, t in found.items()} == {k: f"torch.{k}" for k in arrays}
    safetensors.torch.save_file(found | {"half": found["float32"].bfloat16()}, path)
    assert safetensors.torch.load_file(path)["half"].dtype == torch.bfloat16
    safetensors.torch.save_file(found, path)
    back = safetensors.numpy.load_file(path)
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array)
    tied, other = (nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3)) for _ in range(2))
    for net in (tied, other):
        net[1].weight = net[0].weight
    safetensors.torch.save_model(tied, path)
    safetensors.torch.load_model(other, path)
    pairs = zip(tied.parameters(), other.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("name", sorted(path.stem for path in _HERE.glob("everyday/*.py")))
def test_everyday_programs(name: str) -> None:
    sys.path.insert(0, str(_HERE))
    program = importlib.import_module(f"everyday.{name}")
    results = []
    for _ in range(2):
        random.seed(0)
        np.random.seed(0)
        torch.manual_seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.append(program.run())
    assert len(results[0]) > 0
    for key, value in results[0].items():
        assert value.isfinite().all(), key
        torch.testing.assert_close(value, results[1][key], rtol=0, atol=0)

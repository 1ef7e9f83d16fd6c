"""torch.nn.utils.prune: which elements go, and how pruned modules behave."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn.utils import prune


def test_the_smallest_elements_go() -> None:
    layer = nn.Linear(6, 5)
    original = layer.weight.detach().clone()
    prune.l1_unstructured(layer, "weight", amount=0.3)
    gone = layer.weight == 0
    assert int(gone.sum()) == 9
    assert original.abs()[gone].max() <= original.abs()[~gone].min()
    assert torch.equal(layer.weight[~gone], original[~gone])
    assert sorted(layer.state_dict()) == ["bias", "weight_mask", "weight_orig"]


def test_slices_go_and_methods_combine() -> None:
    layer = nn.Conv2d(3, 6, 2)
    norms = layer.weight.detach().double().norm(dim=(1, 2, 3))
    prune.ln_structured(layer, "weight", amount=2, n=2, dim=0)
    assert set(norms.argsort()[:2].tolist()) == set(
        (layer.weight_mask.sum((1, 2, 3)) == 0).nonzero().flatten().tolist()
    )
    prune.l1_unstructured(layer, "weight", amount=5)
    assert int((layer.weight_mask == 0).sum()) == 2 * 12 + 5
    prune.random_structured(layer, "weight", amount=1, dim=0)
    assert int((layer.weight_mask == 0).all(3).all(2).all(1).sum()) == 3
    (hook,) = layer._forward_pre_hooks.values()
    assert isinstance(hook, prune.PruningContainer) and len(hook) == 3


def test_a_pruned_module_trains_and_is_made_plain() -> None:
    layer = nn.Linear(4, 3)
    prune.random_unstructured(layer, "weight", amount=5)
    mask = layer.weight_mask.clone()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    x = torch.randn(8, 4)
    layer(x).square().sum().backward()
    grad = layer.weight_orig.grad
    assert grad is not None and torch.equal(grad == 0, mask == 0)
    optimizer.step()
    expected = x.double() @ (layer.weight_orig * mask).double().T + layer.bias.double()
    torch.testing.assert_close(layer(x).double(), expected, rtol=1e-5, atol=1e-5)
    assert prune.is_pruned(prune.identity(nn.Linear(1, 1), "bias"))
    prune.remove(layer, "weight")
    assert not prune.is_pruned(layer)
    assert isinstance(layer.weight, nn.Parameter)
    torch.testing.assert_close(layer(x).double(), expected, rtol=1e-5, atol=1e-5)


def test_several_parameters_share_an_amount() -> None:
    small, large = nn.Linear(3, 2), nn.Linear(2, 2)
    with torch.no_grad():
        small.weight.mul_(0.01)
    both = [(small, "weight"), (large, "weight")]
    prune.global_unstructured(both, prune.L1Unstructured, amount=6)
    assert int(small.weight_mask.sum()) == 0 and int(large.weight_mask.sum()) == 4
    scores = {(large, "weight"): -torch.ones(2, 2)}
    custom = [(large, "weight"), (nn.Linear(2, 2), "weight")]
    prune.global_unstructured(custom, prune.L1Unstructured, importance_scores=scores, amount=1)
    assert int((large.weight_mask == 0).sum() + (custom[1][0].weight == 0).sum()) == 1


def test_mistakes_say_what_is_wrong() -> None:
    layer = nn.Linear(3, 2)
    with pytest.raises(AssertionError, match=r"shape torch.Size\(\[2, 3\]\) must match self.mask"):
        prune.custom_from_mask(layer, "weight", torch.ones(3))
    assert sorted(layer.state_dict()) == ["bias", "weight"]
    layer = nn.Linear(3, 2)
    for amount in (1.5, -1):
        with pytest.raises(ValueError, match=f"amount={amount} should either be a float in the"):
            prune.l1_unstructured(layer, "bias", amount=amount)
    with pytest.raises(TypeError, match="Invalid type for amount: x. Must be int or float"):
        prune.l1_unstructured(layer, "bias", amount="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="amount=50 should be smaller than the number of"):
        prune.l1_unstructured(layer, "bias", amount=50)
    assert sorted(dict(layer.named_parameters())) == ["bias", "weight"]
    with pytest.raises(ValueError, match="Structured pruning can only be applied to multidim"):
        prune.ln_structured(layer, "bias", 1, n=2, dim=0)
    with pytest.raises(ValueError, match="Parameter 'weight' of module .* has to be pruned before"):
        prune.remove(layer, "weight")
    with pytest.raises(TypeError, match='Only "unstructured" PRUNING_TYPE supported'):
        prune.global_unstructured([(layer, "weight")], prune.LnStructured, amount=1, n=2)


def test_a_mistake_leaves_what_was_pruned_before() -> None:
    layer = nn.Linear(3, 2)
    prune.l1_unstructured(layer, "weight", amount=2)
    mask = layer.weight_mask.clone()
    mistakes: tuple[Callable[[], object], ...] = (
        lambda: prune.l1_unstructured(layer, "weight", amount=50),
        lambda: prune.custom_from_mask(layer, "weight", torch.ones(3)),
        lambda: prune.l1_unstructured(layer, "weight", 1, importance_scores=torch.ones(3)),
    )
    for _ in range(2):
        for wrong in mistakes:
            with pytest.raises((ValueError, AssertionError)):
                wrong()
            assert torch.equal(layer.weight_mask, mask)
        with torch.no_grad():
            layer.weight_orig += 1
        layer(torch.ones(1, 3))
        assert torch.equal(layer.weight, layer.weight_orig * mask)
        prune.random_unstructured(layer, "weight", amount=1)
        mask = layer.weight_mask.clone()
    assert int(mask.sum()) == 2
    prune.remove(layer, "weight")
    assert sorted(layer.state_dict()) == ["bias", "weight"]


def test_amounts_are_checked_by_the_names_of_pytorch() -> None:
    prune._validate_pruning_amount(0.3, 0)
    prune._validate_pruning_amount(20, 20)
    with pytest.raises(ValueError, match="amount=20 should be smaller than the number of .*=19"):
        prune._validate_pruning_amount(20, 19)
    assert prune._compute_nparams_toprune(0.4, 17) == 7
    assert prune._compute_nparams_toprune(1, 15) == 1

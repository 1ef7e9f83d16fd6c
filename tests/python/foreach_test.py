"""torch._foreach_*: each function beside the one of torch that it calls, on fresh random lists."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, _foreach

Tensors = list[Tensor]


def tensors(low: float = 0.5) -> Tensors:
    """Between `low` and `low` + 0.4."""
    shapes = [(3,), (), (2, 5), (0,)]
    return [torch.rand(shape, dtype=torch.float64) * 0.4 + low for shape in shapes]


def check(name: str, expected: Tensors, values: Tensors, *args: Any, **kwargs: Any) -> None:
    """The function and, where there is one, its form in place."""
    found = getattr(torch, f"_foreach_{name}")(values, *args, **kwargs)
    assert isinstance(found, tuple)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, equal_nan=True)
    in_place = getattr(torch, f"_foreach_{name}_", None)
    if in_place is None:
        return
    written = copy.deepcopy(values)
    assert in_place(written, *args, **kwargs) is written
    for one, other in zip(written, expected, strict=True):
        torch.testing.assert_close(one, other, equal_nan=True)


@pytest.mark.parametrize("name", _foreach._UNARY)
def test_one_operand(name: str) -> None:
    values = tensors()
    check(name, [getattr(torch, name)(x) for x in values], values)


@pytest.mark.parametrize("name", sorted(_foreach._BINARY))
def test_two_operands(name: str) -> None:
    values, others = tensors(), tensors(0.3)
    numbers = torch.rand(4, dtype=torch.float64).tolist()
    function = getattr(torch, {"clamp_max": "minimum", "clamp_min": "maximum"}.get(name, name))
    check(name, [function(x, y) for x, y in zip(values, others, strict=True)], values, others)
    as_tensors = [torch.tensor(n, dtype=torch.float64) for n in numbers]
    listed = [function(x, y) for x, y in zip(values, as_tensors, strict=True)]
    check(name, listed, values, numbers)
    check(name, [function(x, as_tensors[0]) for x in values], values, numbers[0])
    check(name, [function(x, as_tensors[1]) for x in values], values, as_tensors[1])
    if name in ("add", "sub"):
        expected = [function(x, y, alpha=3) for x, y in zip(values, others, strict=True)]
        check(name, expected, values, others, alpha=3)


@pytest.mark.parametrize("name", ["addcmul", "addcdiv"])
def test_three_operands(name: str) -> None:
    x, y, z = tensors(), tensors(0.2), tensors(1.0)
    numbers = torch.rand(4, dtype=torch.float64)
    function = getattr(torch, name)
    rows = list(zip(x, y, z, numbers.tolist(), strict=True))
    check(name, [function(a, b, c) for a, b, c, _ in rows], x, y, z)
    check(name, [function(a, b, c, value=2) for a, b, c, _ in rows], x, y, z, value=2)
    for scalars in (numbers, numbers.tolist()):
        check(name, [function(a, b, c, value=n) for a, b, c, n in rows], x, y, z, scalars)


def test_lerp() -> None:
    x, y, w = tensors(), tensors(0.2), tensors()
    check("lerp", [torch.lerp(*row) for row in zip(x, y, w, strict=True)], x, y, w)
    check("lerp", [torch.lerp(a, b, 0.3) for a, b in zip(x, y, strict=True)], x, y, 0.3)
    check("lerp", [torch.lerp(a, b, 0.3) for a, b in zip(x, y, strict=True)], x, y, weight=0.3)


def test_others() -> None:
    x = tensors()[:3]
    check("norm", [a.abs().sum() for a in x], x, 1)
    check("norm", [(a * a).sum().sqrt() for a in x], x)
    check("powsum", [(a**3).sum() for a in x], x, 3)
    check("max", [a.max() for a in x], x)
    found = torch._foreach_pow(2, x)
    assert [f.tolist() for f in found] == [(2**a).tolist() for a in x]
    copies = torch._foreach_clone(x)
    assert all(torch.equal(a, b) and a is not b for a, b in zip(x, copies, strict=True))
    assert torch._foreach_zero_(x) is x
    assert [a.abs().sum().item() for a in x] == [0, 0, 0]
    assert torch._foreach_copy_(x, copies) is x
    assert all(torch.equal(a, b) for a, b in zip(x, copies, strict=True))
    matrices = [torch.randn(2, 3), torch.randn(4, 5)]
    check("mm", [m @ m.t() for m in matrices], matrices, [m.t() for m in matrices])


def test_gradients_go_through() -> None:
    x = [t.requires_grad_() for t in tensors()[:3]]
    sum(y.sum() for y in torch._foreach_mul(x, x)).backward()
    for t in x:
        torch.testing.assert_close(t.grad, 2 * t.detach())


def test_what_is_wrong_is_said() -> None:
    x = tensors()
    with pytest.raises(RuntimeError, match="Tensor list must have at least one tensor"):
        torch._foreach_add([], 1)
    with pytest.raises(RuntimeError, match="same number of tensors, got 4 and 2"):
        torch._foreach_add(x, x[:2])
    with pytest.raises(RuntimeError, match="same number of elements as scalar list"):
        torch._foreach_mul(x, [1.0])
    with pytest.raises(RuntimeError, match="same number of elements as scalar list"):
        torch._foreach_add_([torch.ones(2)], [])
    with pytest.raises(RuntimeError, match="scalar tensor expected to be 0 dim but it has 1 dim"):
        torch._foreach_add(x, torch.ones(2))
    with pytest.raises(RuntimeError, match="Expected packed scalar Tensor to be of dimension 1"):
        torch._foreach_addcmul(x, x, x, torch.ones(2, 2))
    with pytest.raises(TypeError, match="expects a list or tuple of tensors, but got 'a'"):
        torch._foreach_neg("a")
    with pytest.raises(TypeError, match="takes alpha only with tensors"):
        torch._foreach_add(x, 1, alpha=2)
    with pytest.raises(TypeError, match="list of tensors, but got a tensor of 1 dimensions"):
        torch._foreach_pow(x, torch.ones(2))
    with pytest.raises(TypeError, match="expected Tensor as element 0 in argument 1, but got int"):
        torch._foreach_copy_(x[:2], [2, 3])
    with pytest.raises(TypeError, match="expected Tensor as element 1 in argument 0, but got str"):
        torch._foreach_neg([torch.ones(1), "a"])
    with pytest.raises(
        NotImplementedError, match="floating point or complex .*but got torch.int64"
    ):
        torch._foreach_powsum([torch.arange(3)])
    with pytest.raises(AttributeError, match="_foreach_none"):
        torch._foreach_none  # noqa: B018
    assert not hasattr(torch, "_foreach_none")

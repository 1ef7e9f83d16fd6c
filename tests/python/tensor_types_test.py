"""torch.FloatTensor and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import _tensor_types

NAMES = sorted(_tensor_types.TENSOR_TYPES)


@pytest.mark.parametrize("name", NAMES)
def test_a_type_is_a_dtype_on_a_kind_of_device(name: str) -> None:
    kind = getattr(torch, name)
    x = torch.ones(2).to(kind.dtype)
    assert x.type() == f"torch.{name}"
    assert isinstance(x, kind)
    assert not isinstance(x, getattr(torch.cuda, name))
    assert [n for n in NAMES if isinstance(x, getattr(torch, n))] == [name]
    assert torch.zeros(2).type(kind).dtype is kind.dtype
    assert torch.zeros(2).type(f"torch.{name}").dtype is kind.dtype
    assert repr(kind) == f"<class 'torch.{name}'>"
    assert not kind.is_cuda
    assert getattr(torch.cuda, name).is_cuda


class _Named(torch.Tensor):
    pass


@pytest.mark.parametrize(
    "make", [torch.Tensor, torch.DoubleTensor, torch.ones(1).double().new, _Named]
)
def test_gradients_flow_through_a_tensor_made_of_one(
    make: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    for source in (x, x * 2):
        made = make(source)
        assert made is not source
        assert made._base is source
        (grad,) = torch.autograd.grad((made * source.detach()).sum(), source)
        torch.testing.assert_close(grad, source.detach())
    assert not make(x.detach()).requires_grad


def test_sizes_values_tensors_and_storages_make_one() -> None:
    assert torch.IntTensor().shape == (0,)
    assert torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.FloatTensor(torch.Size([4])).shape == (4,)
    assert torch.LongTensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    integers = torch.ones(2, dtype=torch.int32)
    assert torch.Tensor(integers).dtype is torch.int32
    assert torch.Tensor(integers).data_ptr() == integers.data_ptr()
    same = torch.DoubleTensor(x)
    assert same.data_ptr() == x.data_ptr()
    again = torch.DoubleTensor(x.storage())
    again[0] = 7
    assert x[0] == 7
    assert x.new([1, 2]).dtype is torch.float64
    assert x.new(2, 2).shape == (2, 2)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: torch.FloatTensor(torch.ones(2).long()),
            TypeError,
            r"expected torch.FloatTensor \(got torch.LongTensor\)",
        ),
        (lambda: torch.FloatTensor(2.5), TypeError, r"data must be a sequence \(got float\)"),
        (lambda: torch.FloatTensor("ab"), TypeError, r"data must be a sequence \(got str\)"),
        (
            lambda: torch.FloatTensor([1.0], dtype=torch.int),
            TypeError,
            "invalid keyword argument 'dtype'; use torch.tensor",
        ),
        (
            lambda: torch.FloatTensor([1.0], device="meta"),
            RuntimeError,
            "expects device type: cpu but device type: meta",
        ),
        (lambda: torch.FloatTensor([1.0], 2), TypeError, r"got \(list, int\), but expected one of"),
        (
            lambda: torch.ones(1).type("torch.WideTensor"),
            ValueError,
            "invalid type: 'torch.WideTensor'",
        ),
        (
            lambda: torch.set_default_tensor_type("torch.WideTensor"),
            TypeError,
            "no type is called 'torch.WideTensor'",
        ),
        (
            lambda: torch.set_default_tensor_type(torch.LongTensor),
            TypeError,
            "only floating-point types",
        ),
        (
            lambda: torch.set_default_tensor_type(torch.cuda.FloatTensor),
            TypeError,
            "set_default_device" if torch.version.cuda else "Torch not compiled with CUDA enabled",
        ),
        (lambda: torch.set_default_tensor_type(3), TypeError, "invalid type object"),
    ],
)
def test_errors(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.skipif(torch.cuda.is_available(), reason="has CUDA")
def test_without_cuda() -> None:
    with pytest.raises(TypeError, match=r"torch.cuda.FloatTensor not available"):
        torch.cuda.FloatTensor(2)


def test_the_default_type_is_set_with_a_warning() -> None:
    before = torch.get_default_dtype()
    try:
        with pytest.warns(UserWarning, match="please use torch.set_default_dtype"):
            torch.set_default_tensor_type(torch.DoubleTensor)
        assert torch.ones(1).dtype == torch.float64
        assert torch.Storage is torch.DoubleStorage
    finally:
        torch.set_default_dtype(before)

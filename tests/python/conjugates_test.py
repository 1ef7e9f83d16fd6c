"""Conjugates and negatives are views: only a bit is set, and the memory is that of the tensor."""

from __future__ import annotations

import copy
import io
import pickle
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck


def complex_tensor(*shape: int, dtype: torch.dtype = torch.complex128) -> Tensor:
    return torch.randn(*shape, dtype=dtype)


def array(tensor: Tensor) -> Any:
    return tensor.detach().resolve_conj().resolve_neg().numpy()


# ---- what they are


def test_the_bits() -> None:
    x = complex_tensor(3)
    assert not x.is_conj()
    assert x.conj().is_conj()
    assert torch.is_conj(x.conj())
    assert not x.conj().conj().is_conj()
    assert not x.conj().is_neg()
    assert x.conj().imag.is_neg()
    assert torch.is_neg(x.conj().imag)
    assert not x.conj().real.is_neg()
    assert not x.imag.is_neg()
    assert x._neg_view().real.is_neg()
    assert not x._neg_view().conj().imag.is_neg()
    assert x._neg_view().is_neg()
    assert not x._neg_view()._neg_view().is_neg()
    real = torch.randn(3)
    assert real.conj() is real
    with pytest.raises(RuntimeError, match="_conj is only supported for complex tensors"):
        real._conj()


def test_they_share_memory() -> None:
    x = complex_tensor(2, 3)
    before = x.numpy().copy()
    y = x.conj()
    assert y.data_ptr() == x.data_ptr()
    assert y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    x[0, 1] = 3 + 4j
    assert y[0, 1].item() == 3 - 4j
    y[1, 2] = 5 + 6j
    assert x[1, 2].item() == 5 - 6j
    y.imag.fill_(7)
    assert (x.imag == -7).all()
    before[0, 1], before[1, 2] = 3 + 4j, 5 - 6j
    np.testing.assert_array_equal(x.real.numpy(), before.real)


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.H,
        lambda x: x.mH,
        lambda x: x.adjoint(),
        lambda x: torch.adjoint(x),
        lambda x: x.conj().t()[1:].unsqueeze(0),
        lambda x: x.t().conj().reshape(3, 2).expand(2, 3, 2)[0],
        lambda x: x.conj().detach().t(),
        lambda x: x.conj().unbind(1)[0],
        lambda x: x.conj().split(1)[0],
        lambda x: x.conj().contiguous(),
        lambda x: x.conj().to(x.dtype),
        lambda x: x.conj().as_strided((2,), (3,)),
        lambda x: x.conj().diagonal(),
        lambda x: x.conj().view(6),
        lambda x: x.conj().squeeze(),
    ],
)
def test_views_keep_the_bit(view: Callable[[Tensor], Tensor]) -> None:
    x = complex_tensor(2, 3)
    y = view(x)
    assert y.is_conj()
    assert y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()


@pytest.mark.parametrize(
    "function",
    [
        Tensor.clone,
        Tensor.resolve_conj,
        Tensor.conj_physical,
        lambda y: y + 1,
        lambda y: y.to(torch.complex64),
        lambda y: y.to(y.dtype, copy=True),
        lambda y: y.t().contiguous(),
        lambda y: torch.empty_like(y).fill_(0),
        copy.deepcopy,
        lambda y: torch.cat([y, y]),
        lambda y: y.neg(),
        lambda y: y @ y.mH,
    ],
)
def test_results_have_none(function: Callable[[Tensor], Tensor]) -> None:
    y = complex_tensor(2, 3).conj()
    result = function(y)
    assert not result.is_conj()
    assert result.untyped_storage().data_ptr() != y.untyped_storage().data_ptr()


def test_resolving() -> None:
    x = complex_tensor(4)
    y = x.conj()
    np.testing.assert_array_equal(y.resolve_conj().numpy(), x.numpy().conj())
    assert x.resolve_conj() is x
    assert y.resolve_neg() is y
    imaginary = y.imag
    np.testing.assert_array_equal(imaginary.resolve_neg().numpy(), -x.numpy().imag)
    two = x.conj()._neg_view()
    assert not two.resolve_conj().is_neg()
    np.testing.assert_array_equal(two.resolve_neg().numpy(), -x.numpy().conj())


# ---- what looks at memory


def test_numpy() -> None:
    x = complex_tensor(3)
    for refused in (Tensor.numpy, Tensor.__array__, np.asarray):
        with pytest.raises(
            RuntimeError,
            match=r"Can't call numpy\(\) on Tensor that has conjugate bit set. Use tensor.resolve_conj\(\).numpy\(\) instead.",
        ):
            refused(x.conj())
        with pytest.raises(
            RuntimeError,
            match=r"Can't call numpy\(\) on Tensor that has negative bit set. Use tensor.resolve_neg\(\).numpy\(\) instead.",
        ):
            refused(x.conj().imag)
    np.testing.assert_array_equal(x.conj().numpy(force=True), x.numpy().conj())
    np.testing.assert_array_equal(x.conj().imag.numpy(force=True), -x.numpy().imag)


def test_other_types() -> None:
    x = complex_tensor(3)
    with pytest.raises(RuntimeError, match="view_as_real doesn't work on unresolved conjugated"):
        torch.view_as_real(x.conj())
    with pytest.raises(RuntimeError, match="is not supported for conjugate view tensors when"):
        x.conj().view(torch.int64)
    with pytest.raises(RuntimeError, match="is not supported for tensors with negative bit set"):
        x.conj().imag.view(torch.int64)
    negative = torch.view_as_real(x._neg_view())
    assert negative.is_neg()
    assert torch.view_as_complex(negative).is_neg()
    np.testing.assert_array_equal(array(torch.view_as_complex(negative)), -x.numpy())


def test_dlpack() -> None:
    x = complex_tensor(3)
    for export in (Tensor.__dlpack__, torch.utils.dlpack.to_dlpack, torch.from_dlpack):
        with pytest.raises(BufferError, match="Can't export tensors with the conjugate bit set"):
            export(x.conj())
        with pytest.raises(BufferError, match="Can't export tensors with the negative bit set"):
            export(x.conj().imag)


def test_python_numbers() -> None:
    x = complex_tensor(2, 2)
    assert x.conj().tolist() == x.numpy().conj().tolist()
    assert x.conj().imag.tolist() == (-x.numpy().imag).tolist()
    assert x[0, 0].conj().item() == x[0, 0].item().conjugate()
    assert complex(x[0, 0].conj()) == x[0, 0].item().conjugate()
    assert float(x[0, 0].conj().imag) == -x[0, 0].item().imag
    assert repr(x.conj()) == repr(x.conj().resolve_conj())
    assert repr(x.conj().imag) == repr(-x.imag)
    assert torch.equal(torch.tensor(x.conj()), x.conj_physical())
    assert torch.equal(torch.stack(list(x.conj())), x.conj_physical())


def test_addresses() -> None:
    x = complex_tensor(3)
    y = x[1:].conj()
    assert y.data_ptr() == x.data_ptr() + 16
    assert not y.is_set_to(x[1:])
    assert y.is_set_to(x.conj()[1:])


def test_set_and_data() -> None:
    x, y = complex_tensor(3), complex_tensor(2)
    plain = torch.empty(0, dtype=x.dtype)
    plain.set_(x.conj())
    assert not plain.is_conj()
    assert plain.data_ptr() == x.data_ptr()
    conjugate = complex_tensor(2).conj()
    conjugate.set_(y)
    assert conjugate.is_conj()
    assert torch.equal(conjugate, y.conj_physical())
    plain.data = y.conj()
    assert plain.is_conj()
    assert torch.equal(plain, y.conj_physical())
    assert torch.nn.Parameter(x.conj()).is_conj()


@pytest.mark.parametrize("legacy", [False, True])
def test_files(legacy: bool) -> None:
    x = complex_tensor(2, 3)
    negative = torch.randn(3)._neg_view()
    written = {"x": x, "conj": x.conj(), "neg": negative, "both": x.conj()._neg_view()}
    file = io.BytesIO()
    torch.save(written, file, _use_new_zipfile_serialization=not legacy)
    file.seek(0)
    for read in (torch.load(file), pickle.loads(pickle.dumps(written))):
        for name, tensor in written.items():
            assert read[name].is_conj() == tensor.is_conj()
            assert read[name].is_neg() == tensor.is_neg()
            assert read[name].is_leaf
            assert not read[name]._is_view()
            np.testing.assert_array_equal(array(read[name]), array(tensor))
    read = torch.load(io.BytesIO(file.getvalue()))
    read["x"].zero_()
    assert (read["conj"] == 0).all()


def test_requires_grad_in_files() -> None:
    x = complex_tensor(3).conj().detach().requires_grad_()
    read = pickle.loads(pickle.dumps(x))
    assert read.is_conj()
    assert read.requires_grad
    assert torch.equal(read, x)
    copied = copy.deepcopy(x)
    assert copied.requires_grad
    assert torch.equal(copied, x)


# ---- writing


def test_out() -> None:
    a, b, memory = complex_tensor(3), complex_tensor(3), complex_tensor(3)
    out = memory.conj()
    assert torch.add(a, b, out=out) is out
    np.testing.assert_array_equal(memory.numpy(), (a.numpy() + b.numpy()).conj())
    small = torch.empty(0, dtype=a.dtype).conj()
    assert torch.add(a, b, out=small) is small
    assert small.is_conj()
    np.testing.assert_array_equal(array(small), a.numpy() + b.numpy())
    values, indices = torch.randn(4), torch.empty(0, dtype=torch.int64)
    negative = torch.empty(4)._neg_view()
    torch.sort(values, out=(negative, indices))
    assert negative.is_neg()
    np.testing.assert_array_equal(array(negative), np.sort(values.numpy()))


def test_in_place_on_shared_memory() -> None:
    x = complex_tensor(3)
    before = x.numpy().copy()
    assert x.add_(x.conj()) is x
    np.testing.assert_array_equal(x.numpy(), before + before.conj())
    x.copy_(torch.from_numpy(before))
    y = x.conj()
    assert y.mul_(x) is y
    np.testing.assert_allclose(x.numpy(), (before.conj() * before).conj())
    x.copy_(torch.from_numpy(before))
    x.copy_(x.conj())
    np.testing.assert_array_equal(x.numpy(), before.conj())
    x.conj().copy_(x)
    np.testing.assert_array_equal(x.numpy(), before)
    y = x.conj()
    y.add_(y)
    np.testing.assert_array_equal(x.numpy(), 2 * before)
    with pytest.raises(RuntimeError, match="refers to a single memory location"):
        x.conj().expand(2, 3).add_(1)


def test_in_place_views() -> None:
    x = complex_tensor(2, 3)
    y = x.conj()
    assert y.t_() is y
    assert y.is_conj()
    assert y.shape == (3, 2)
    y.unsqueeze_(0).squeeze_(0).transpose_(0, 1)
    assert y.data_ptr() == x.data_ptr()
    np.testing.assert_array_equal(array(y), x.numpy().conj())
    y.resize_(2, 2)
    np.testing.assert_array_equal(array(y), x.numpy().conj().ravel()[:4].reshape(2, 2))


def test_copies_between_dtypes() -> None:
    x, real = complex_tensor(3), torch.randn(3, dtype=torch.float64)
    single = torch.empty(3, dtype=torch.complex64).conj()
    single.copy_(x.conj())
    np.testing.assert_allclose(array(single), x.numpy().conj(), rtol=1e-6)
    single.copy_(x)
    np.testing.assert_allclose(array(single), x.numpy(), rtol=1e-6)
    x.conj().copy_(real)
    np.testing.assert_array_equal(x.numpy(), real.numpy())
    integers = torch.zeros(3, dtype=torch.int64)._neg_view()
    integers.copy_(torch.tensor([1.5, -2.5, 3.0]))
    assert integers.tolist() == [1, -2, 3]
    x.conj().copy_(complex_tensor(1).fill_(2 + 3j))
    assert x.tolist() == [2 - 3j] * 3


def test_lists() -> None:
    x, y = complex_tensor(3), complex_tensor(3)
    before = x.numpy().copy(), y.numpy().copy()
    torch._foreach_add_([x.conj(), y], [torch.ones(3) * 1j, torch.ones(3)])
    np.testing.assert_array_equal(x.numpy(), before[0] - 1j)
    np.testing.assert_array_equal(y.numpy(), before[1] + 1)
    joined = torch.stack([x.conj(), y, x])
    np.testing.assert_array_equal(
        joined.numpy(), np.stack([x.numpy().conj(), y.numpy(), x.numpy()])
    )
    picked = x.conj()[torch.tensor([0, 2])]
    np.testing.assert_array_equal(picked.numpy(), x.numpy().conj()[[0, 2]])
    x.conj()[torch.tensor([0, 2])] = 1j
    assert x[0].item() == -1j


def test_an_error_leaves_memory_alone() -> None:
    x = complex_tensor(3)
    before = x.numpy().copy()
    with pytest.raises(RuntimeError):
        x.conj().add_(complex_tensor(4))
    np.testing.assert_array_equal(x.numpy(), before)


# ---- autograd


def test_gradients() -> None:
    z = complex_tensor(3, 2).requires_grad_()
    functions: list[Callable[[Tensor], Any]] = [
        lambda x: x.conj(),
        lambda x: x.conj() * x,
        lambda x: x.conj().imag,
        lambda x: x.conj().resolve_conj() * 2j,
        lambda x: x._neg_view().conj().real,
        lambda x: x.mH @ x,
        lambda x: x.conj().imag.resolve_neg() ** 2,
        lambda x: torch.view_as_real(x._neg_view()),
        lambda x: x.conj().clone().t(),
        lambda x: (x * 1).conj().mul_(2j),
        lambda x: (x * 1).conj().imag.mul_(3),
    ]
    for function in functions:
        assert gradcheck(function, z)
        assert gradgradcheck(function, z)


def test_gradients_of_changes_through_views() -> None:
    def through(view: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
        def function(x: Tensor, y: Tensor) -> Tensor:
            base = x * 1
            view(base).mul_(view(y))
            return base

        return function

    inputs = [complex_tensor(2, 3).requires_grad_() for _ in range(2)]
    views: list[Callable[[Tensor], Tensor]] = [
        lambda x: x.conj(),
        lambda x: x.conj()[0],
        lambda x: x.t().conj()[1:],
        lambda x: x.conj().imag,
        lambda x: x[:, 1].conj()._neg_view(),
        lambda x: torch.view_as_real(x._neg_view())[..., 0],
        lambda x: x.conj().conj().real,
    ]
    for view in views:
        assert gradcheck(through(view), inputs)


def test_a_leaf_with_a_bit() -> None:
    x = complex_tensor(3).conj().detach().requires_grad_()
    assert x.is_conj()
    assert x.is_leaf
    (x * x.conj()).real.sum().backward()
    np.testing.assert_allclose(array(x.grad), 2 * array(x))

    def function(y: Tensor) -> Tensor:
        start = torch.zeros(3, dtype=y.dtype).conj().detach()
        start.copy_(y)
        start[1:].conj().mul_(2j)
        return start

    assert gradcheck(function, complex_tensor(3).requires_grad_())


def test_gradients_share_no_memory() -> None:
    x, y = (complex_tensor(3).requires_grad_() for _ in range(2))
    weights = complex_tensor(3)
    (x.conj() + y).backward(weights)
    assert not x.grad.is_conj()
    np.testing.assert_array_equal(x.grad.numpy(), weights.numpy().conj())
    x.grad.zero_()
    assert (weights != 0).all()
    assert (y.grad != 0).all()


def test_saved_tensors_notice_changes() -> None:
    x = complex_tensor(3).requires_grad_()
    base = x * 1
    y = (base.conj() ** 2).sum()
    base.conj().add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.abs().backward()


def test_inference_mode() -> None:
    with torch.inference_mode():
        x = complex_tensor(2, 3)
        assert x.conj().is_conj()
        assert x.conj().imag.is_neg()
        np.testing.assert_array_equal((x.conj() + 1).numpy(), x.numpy().conj() + 1)
        x.conj().mul_(1j)
        copied = torch.as_strided_copy(x.conj()[:, ::2], (2,), (1,))
        np.testing.assert_array_equal(copied.numpy(), x.numpy().conj().ravel()[:2])


# ---- random chains


@dataclass
class View:
    """A tensor beside a model: where its real and imaginary parts are in the memory, and with what
    signs; a real tensor has the first part alone.
    """

    tensor: Tensor
    memory: Any
    places: Any  # (..., 1 or 2), of integers
    signs: Any

    @property
    def is_complex(self) -> bool:
        return bool(self.places.shape[-1] == 2)

    def value(self) -> Any:
        parts = self.memory[self.places] * self.signs
        return parts[..., 0] + 1j * parts[..., 1] if self.is_complex else parts[..., 0]

    def write(self, value: Any, where: Any = ...) -> None:
        parts = np.stack([np.real(value), np.imag(value)][: self.places.shape[-1]], axis=-1)
        target = self.places[where]
        self.memory[target] = np.broadcast_to(parts, target.shape) * self.signs[where]

    def seen(self, tensor: Tensor, change: Callable[[Any], Any]) -> View:
        """A view whose model is the same change of places and of signs, all but the last axis."""
        return View(tensor, self.memory, change(self.places), change(self.signs))

    def check(self) -> None:
        expected = self.value()
        np.testing.assert_array_equal(self.tensor.clone().numpy(), expected)
        np.testing.assert_array_equal(np.array(self.tensor.tolist()), expected)


def fresh(rng: np.random.Generator, shape: tuple[int, ...], is_complex: bool) -> View:
    parts = 2 if is_complex else 1
    memory = rng.integers(-9, 10, size=int(np.prod(shape)) * parts).astype(np.float64)
    data = torch.from_numpy(memory.copy())
    tensor = torch.view_as_complex(data.view(*shape, 2)) if is_complex else data.view(shape)
    places = np.arange(memory.size).reshape(*shape, parts)
    return View(tensor, memory, places, np.ones_like(places))


def random_view(view: View, pick: random.Random) -> View:
    """Another view of the same memory."""
    t, dims = view.tensor, view.tensor.dim()
    kinds = ["conj", "neg", "real", "imag", "reim", "select", "slice", "transpose", "unsqueeze"]
    kind = pick.choice([*kinds, "conj", "neg", "detach", "complex", "permute"])
    both = view.places, view.signs
    if kind == "conj" and view.is_complex:
        return View(t.conj(), view.memory, view.places, view.signs * np.array([1, -1]))
    if kind == "neg":
        return View(t._neg_view(), view.memory, view.places, -view.signs)
    if kind == "real" and view.is_complex:
        return View(t.real, view.memory, *(a[..., :1] for a in both))
    if kind == "imag" and view.is_complex:
        return View(t.imag, view.memory, *(a[..., 1:] for a in both))
    if kind == "reim" and view.is_complex and not t.is_conj():
        return View(torch.view_as_real(t), view.memory, *(a[..., None] for a in both))
    if kind == "complex" and not view.is_complex and dims and t.size(-1) == 2:
        try:
            made = torch.view_as_complex(t)
        except RuntimeError:  # The strides do not allow it.
            return view
        return View(made, view.memory, *(a[..., 0] for a in both))
    if kind == "select" and dims > 1:
        dim, index = pick.randrange(dims), 0
        return view.seen(t.select(dim, index), lambda a: np.take(a, index, axis=dim))
    if kind == "slice" and dims and t.size(0) > 1:
        step = pick.choice((1, 2))
        return view.seen(t[1::step], lambda a: a[1::step])
    if kind == "transpose" and dims > 1:
        return view.seen(t.transpose(0, -1), lambda a: np.swapaxes(a, 0, dims - 1))
    if kind == "permute" and dims > 1:
        order = pick.sample(range(dims), dims)
        return view.seen(t.permute(order), lambda a: np.transpose(a, [*order, dims]))
    if kind == "unsqueeze" and dims < 4:
        return view.seen(t.unsqueeze(0), lambda a: a[None])
    return view.seen(t.detach(), lambda a: a)


def random_write(
    view: View, others: list[View], pick: random.Random, rng: np.random.Generator
) -> None:
    """A change of the memory through a view, and of its model."""
    t, value = view.tensor, view.value()
    number = (
        complex(*rng.integers(-3, 4, size=2)) if view.is_complex else float(rng.integers(-3, 4))
    )
    operand = rng.integers(-3, 4, size=value.shape) + (1j if view.is_complex else 0)
    if not view.is_complex:
        operand = operand.astype(np.float64)
    other = torch.from_numpy(np.asarray(operand))
    match pick.choice(
        ("add", "fill", "copy", "out", "neg", "conj", "item", "mask", "view", "zero")
    ):
        case "add":
            assert t.add_(other) is t
            view.write(value + operand)
        case "fill":
            t.fill_(number)
            view.write(np.full_like(value, number))
        case "copy":
            t.copy_(other.conj() if view.is_complex else other)
            view.write(np.conj(operand))
        case "out":
            torch.sub(other, 1, out=t)
            view.write(operand - 1)
        case "neg":
            t.neg_()
            view.write(-value)
        case "conj":
            t.conj_physical_()
            view.write(np.conj(value))
        case "item" if t.dim():
            t[0] = number
            view.write(np.full_like(value[0], number), 0)
        case "mask":
            mask = rng.integers(0, 2, size=value.shape).astype(bool)
            t[torch.from_numpy(np.asarray(mask))] = number
            view.write(np.where(mask, number, value))
        case "view":
            same = [o for o in others if o.tensor.shape == t.shape and o.tensor.dtype == t.dtype]
            source = pick.choice([*same, view])
            expected = value + source.value()
            t.add_(source.tensor.clone())
            view.write(expected)
        case _:
            t.zero_()
            view.write(np.zeros_like(value))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_random_chains(seed: int, mode: Callable[[], Any]) -> None:
    pick, rng = random.Random(seed), np.random.default_rng(seed)
    with mode():
        shape = tuple(pick.choices((1, 2, 3), k=pick.randint(1, 3)))
        views = [fresh(rng, shape, pick.random() < 0.8)]
        for _ in range(25):
            if pick.random() < 0.6:
                views.append(random_view(pick.choice(views), pick))
            else:
                random_write(pick.choice(views), views, pick, rng)
            for view in views:
                view.check()
        view = pick.choice(views)
        total = view.tensor.sum().item()
        assert total == view.value().sum()
        flat = view.tensor.reshape(-1)
        both = torch.cat([flat, flat.conj()])
        values = view.value().ravel()
        np.testing.assert_array_equal(array(both), np.concatenate([values, values.conj()]))
        product = torch.dot(flat, flat).item()
        np.testing.assert_allclose(product, (values * values).sum())


def test_a_copy_into_memory_that_overlaps() -> None:
    values = complex_tensor(3)
    source = torch.stack([values[:2], values[1:]])
    target = torch.zeros(3, dtype=values.dtype).as_strided((2, 2), (1, 1))
    bits = target._neg_view().conj()
    bits.copy_(source)
    assert torch.equal(bits.resolve_conj().resolve_neg(), source)
    assert torch.equal(target, -source.conj().resolve_conj())

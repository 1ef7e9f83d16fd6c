"""Small members of Tensor, layouts, result_type of numbers, Variable and GradientEdge."""

from __future__ import annotations

import copy
import doctest
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd import Variable, variable
from torch.autograd.graph import GradientEdge, get_gradient_edge


def test_set_shares_memory() -> None:
    source = torch.arange(12.0).reshape(3, 4)
    x: Any = torch.empty(0)
    version = x._version
    assert x.set_(source) is x
    assert x.shape == (3, 4)
    assert x.is_set_to(source)
    assert x._version > version
    x[0, 0] = 9
    assert source[0, 0] == 9
    x.set_(source.untyped_storage(), 4, (2, 2), (1, 4))
    assert x.tolist() == [[4, 8], [5, 9]]
    x.set_(source.storage())
    assert x.shape == (12,)
    x.set_(source, 1, (2,), (3,))
    assert x.tolist() == [1, 4]
    assert not x.is_set_to(source)
    with pytest.raises(TypeError, match="'source' must be a Tensor or a Storage, not int"):
        x.set_(3)
    assert x.set_().shape == (0,)
    with pytest.raises(RuntimeError, match="Could not set tensor of type"):
        x.set_(torch.ones(1, dtype=torch.int64))
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        torch.ones(1, requires_grad=True).set_(x)


def test_functions_of_python_on_elements() -> None:
    x = torch.arange(6).reshape(2, 3).T
    assert x.apply_(lambda v: v * v) is x
    assert x.tolist() == [[0, 9], [1, 16], [4, 25]]
    y = torch.zeros(3, 2)
    y.map_(torch.tensor([1.0, 2.0]), lambda a, b: a + b)
    assert y.tolist() == [[1, 2]] * 3
    y.map2_(y, torch.tensor(10.0), lambda a, b, c: a + b * c)
    assert y.tolist() == [[11, 22]] * 3
    with pytest.raises(RuntimeError, match="Can't call apply_.* on Variable that requires grad"):
        torch.ones(1, requires_grad=True).apply_(abs)
    with pytest.raises(TypeError, match="only implemented on CPU tensors"):
        torch.ones(1, device="meta").apply_(abs)
    with pytest.raises(TypeError, match="expected a tensor of torch.float32"):
        y.map_(torch.ones(2, dtype=torch.int64), lambda a, b: a)
    with pytest.raises(TypeError, match="must be real number, not str"):
        y.apply_(lambda v: "1")
    with pytest.raises(TypeError, match="'list' object cannot be interpreted as an integer"):
        x.apply_(lambda v: [v])


def test_names_that_dir_lists_are_there() -> None:
    x = torch.ones(2, 2, dtype=torch.complex64)
    names = dir(x)
    assert {"shape", "imag", "add_", "grad"} <= set(names)
    assert "to_sparse" not in names
    assert [name for name in names if not hasattr(x, name)] == []


def test_old_names() -> None:
    x: Any = torch.tensor([2.0])
    assert x.__div__(4).item() == 0.5
    assert x.__rdiv__(4).item() == 2
    y = torch.tensor([3.0, 7.0, 49.0])
    assert y.__rdiv__(torch.tensor(3.0)).equal(y.reciprocal() * 3.0)
    assert x.__idiv__(2) is x
    assert x.item() == 1
    assert x.__long__() == 1
    assert x.__nonzero__() is True
    assert x.name is None
    assert x.volatile is False
    assert not x.is_distributed()
    assert x.storage_type() is torch.FloatStorage
    assert torch.ones(2, 3, 4).permute(2, 0, 1).dim_order() == (1, 2, 0)


def test_variables() -> None:
    x = torch.ones(2, dtype=torch.float64)
    v = Variable(x, requires_grad=True)
    assert type(v) is Tensor
    assert v.requires_grad
    assert v.data_ptr() == x.data_ptr()
    assert not Variable(v * 2).requires_grad
    assert isinstance(x, Variable)
    assert not isinstance(3, Variable)
    assert Variable().shape == (0,)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got list"):
        Variable([1])  # type: ignore[arg-type]
    results = doctest.testmod(variable, extraglobs={"torch": torch})
    assert results.attempted > 0
    assert results.failed == 0


def test_small_functions() -> None:
    places = torch.tensor([0, 7, 11])
    rows, columns = torch.unravel_index(places, (3, 4))
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 2], [0, 3, 3])
    with pytest.raises(TypeError, match="to be integer dtype"):
        torch.unravel_index(torch.ones(1), (3,))
    with pytest.warns(UserWarning, match="torch.range is deprecated"):
        assert torch.range(1, 4).tolist() == [1, 2, 3, 4]  # type: ignore[attr-defined]
    with pytest.warns(UserWarning), pytest.raises(RuntimeError, match="step must be nonzero"):
        torch.range(1, 4, 0)  # type: ignore[attr-defined]
    out = torch.zeros(7, dtype=torch.float64)
    with pytest.warns(UserWarning):
        assert torch.range(1, 3, 0.5, out=out) is out  # type: ignore[attr-defined]
    assert out.tolist() == [1, 1.5, 2, 2.5, 3]
    square = torch.zeros(2, 3)
    with pytest.warns(UserWarning):
        torch.range(0, 3, out=square[:, 1:])  # type: ignore[attr-defined]
    assert square.tolist() == [[0, 0, 1], [0, 2, 3]]
    with pytest.warns(UserWarning), pytest.raises(RuntimeError, match="dtype of out parameter"):
        torch.range(1, 3, out=out, dtype=torch.float32)  # type: ignore[attr-defined]
    assert torch.typename(torch.ones(1)) == "torch.FloatTensor"
    assert torch.typename(torch.nn.Linear(1, 1)) == "torch.nn.modules.linear.Linear"
    assert torch.is_storage(torch.ones(1).storage())
    assert torch.is_storage(torch.ones(1).untyped_storage())
    assert not torch.is_storage(torch.ones(1))
    assert not torch.is_conj(torch.ones(1))
    assert not torch.is_neg(torch.ones(1))
    assert not torch.is_inference(torch.ones(1))
    assert torch.newaxis is None


def test_layouts_are_names() -> None:
    names = "strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged _mkldnn"
    layouts = [getattr(torch, name) for name in names.split()]
    assert len(set(layouts)) == 8
    assert all(isinstance(layout, torch.layout) for layout in layouts)
    assert torch.ones(1).layout is torch.strided
    assert torch.ones(1).layout != torch.sparse_coo
    assert repr(torch.sparse_csr) == "torch.sparse_csr"
    assert pickle.loads(pickle.dumps(torch.strided)) is torch.strided
    with pytest.raises(RuntimeError, match="[Ss]trided|layout"):
        torch.empty(1, layout=torch.sparse_coo)


def test_edges_stand_for_tensors() -> None:
    x = torch.randn(3, requires_grad=True)
    middle = x.exp()
    loss = (middle * 3).sum()
    edge = get_gradient_edge(middle)
    (grad,) = torch.autograd.grad(loss, edge, retain_graph=True)
    assert grad.tolist() == [3, 3, 3]
    root = get_gradient_edge(loss)
    (grad,) = torch.autograd.grad(root, x, retain_graph=True)
    torch.testing.assert_close(grad, 3 * x.detach().exp())
    (grad,) = torch.autograd.grad([edge], [x], [torch.ones(3)], retain_graph=True)
    torch.testing.assert_close(grad, x.detach().exp())
    torch.autograd.backward(root, retain_graph=True)
    assert x.grad is not None
    torch.testing.assert_close(x.grad, 3 * x.detach().exp())
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        torch.autograd.grad(edge, x)
    with pytest.raises(RuntimeError, match=r"Mismatch in shape: grad_output\[0\] .*\(\[4\]\)"):
        torch.autograd.grad(root, x, torch.ones(4))
    other = get_gradient_edge(torch.rand(2, requires_grad=True))
    with pytest.raises(RuntimeError, match="materialize_grads cannot be used"):
        torch.autograd.grad(loss, other, materialize_grads=True)
    with pytest.raises(IndexError, match="names output 7 of"):
        torch.autograd.grad(loss, GradientEdge(edge.node, 7))


def test_linspace_of_tensors_has_no_gradient() -> None:
    start = torch.tensor(1.0, requires_grad=True)
    assert not torch.linspace(start, 2.0, 3).requires_grad
    assert torch.linspace(start, 2.0, 3).tolist() == [1, 1.5, 2]
    assert not torch.logspace(0.0, start, 2).requires_grad


def test_channels_last_stays() -> None:
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    pool = torch.nn.functional.adaptive_avg_pool2d
    assert pool(x, (1, 1)).stride() == (3, 1, 3, 3)
    assert pool(x, (2, 2)).is_contiguous(memory_format=torch.channels_last)
    y = torch.randn(2, 3, 4, 5, 6).to(memory_format=torch.channels_last_3d)
    for layer in (torch.nn.BatchNorm3d(3), torch.nn.BatchNorm3d(3).eval()):
        assert layer(y).stride() == y.stride()
    assert torch.empty(0).resize_as_(x, memory_format=torch.preserve_format).stride() == x.stride()
    one = pool(x, (1, 1))
    torch.testing.assert_close(one, x.mean((2, 3), keepdim=True))


def test_the_order_of_dimensions_may_be_ambiguous() -> None:
    x = torch.empty(2, 3, 4, 5)
    assert x.dim_order(ambiguity_check=True) == (0, 1, 2, 3)
    assert x.transpose(0, 1).dim_order(ambiguity_check=True) == (1, 0, 2, 3)
    last = torch.empty(2, 3, 1, 5).to(memory_format=torch.channels_last)
    formats = [torch.contiguous_format, torch.channels_last]
    assert last.dim_order(ambiguity_check=formats) == (0, 2, 3, 1)
    for tensor, check in ((last, True), (torch.empty(2, 1, 2, 2), formats)):
        with pytest.raises(RuntimeError, match="does not have unique dim order"):
            tensor.dim_order(ambiguity_check=check)
    with pytest.raises(TypeError, match="must be a bool or a list of memory formats"):
        x.dim_order(ambiguity_check="yes")  # type: ignore[arg-type]


def test_generators_are_pickled_with_their_state() -> None:
    generator = torch.Generator().manual_seed(11)
    torch.rand(3, generator=generator)
    copies = [pickle.loads(pickle.dumps(generator)), copy.deepcopy(generator)]
    expected = torch.rand(5, generator=generator)
    for other in copies:
        assert other.initial_seed() == 11
        assert torch.equal(torch.rand(5, generator=other), expected)


def test_torch_has_no_name_that_pytorch_lacks() -> None:
    assert not hasattr(torch, "unique_dim")
    values, counts = torch.unique(torch.tensor([[1, 1], [1, 1]]), dim=0, return_counts=True)
    assert (values.tolist(), counts.tolist()) == ([[1, 1]], [2])


class NoSequence:
    """What has a length and no elements."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        raise TypeError


def test_tensors_of_what_is_no_sequence() -> None:
    assert torch.tensor(NoSequence(0)).shape == (0,)
    with pytest.raises(ValueError, match="could not determine the shape of object type 'NoSeq"):
        torch.tensor(NoSequence(2))


def test_type_and_new_take_the_legacy_forms() -> None:
    x = torch.ones(2, dtype=torch.int32)
    assert x.type(torch.Tensor).dtype == torch.get_default_dtype()
    assert x.new(size=(2, 3)).shape == (2, 3)
    assert x.new(size=(2, 3)).dtype == torch.int32
    assert torch.Storage is torch.FloatStorage


@pytest.mark.parametrize(
    "make",
    [
        lambda **given: torch.zeros(2, **given),
        lambda **given: torch.full((2,), 3.0, **given),
        lambda **given: torch.linspace(0, 1, 2, **given),
        lambda **given: torch.randn(2, **given),
    ],
)
def test_a_factory_marks_its_out_as_requiring_a_gradient(make: Callable[..., torch.Tensor]) -> None:
    out = torch.empty(2)
    assert make(out=out, requires_grad=True) is out
    assert out.requires_grad
    assert not make(out=torch.empty(2)).requires_grad
    with pytest.raises(RuntimeError, match="floating point and complex dtype can require"):
        torch.arange(2, out=torch.empty(2, dtype=torch.int64), requires_grad=True)


def test_what_programs_of_old_versions_call() -> None:
    x = torch.tensor([[0, 5], [7, 0]])
    assert x.nonzero_static(size=3).tolist() == [[0, 1], [1, 0], [-1, -1]]
    assert torch.nonzero_static(x, size=1, fill_value=9).tolist() == [[0, 1]]
    assert torch.nonzero_static(torch.tensor(3), size=2).shape == (2, 0)
    with pytest.raises(RuntimeError, match="'size' must be an non-negative integer"):
        x.nonzero_static(size=-1)
    assert x.to_dense() is x
    assert x.to_dense(torch.float64).dtype is torch.float64
    with pytest.warns(UserWarning, match="non-inplace resize is deprecated"):
        assert x.resize(4).tolist() == [0, 5, 7, 0]
    with pytest.warns(UserWarning, match="non-inplace resize_as is deprecated"):
        assert x.resize_as(torch.ones(4)).shape == (4,)
    assert torch.equal(torch.from_dlpack(torch.to_dlpack(x)), x)


def test_products_of_bytes() -> None:
    a = torch.randint(-128, 128, (3, 300), dtype=torch.int8)
    b = torch.randint(-128, 128, (300, 2), dtype=torch.int8)
    found = torch._int_mm(a, b)
    assert found.dtype is torch.int32
    assert torch.equal(found.long(), (a.double() @ b.double()).long())
    out = torch.zeros(3, 2, dtype=torch.int32)
    assert torch._int_mm(a, b, out=out) is out and torch.equal(out, found)
    for left, right, message in (
        (a[0], b, "dimension 2 but got 1 and 2"),
        (a.int(), b, "dtype int8 but got torch.int32"),
        (a, b[1:], r"self.size\(1\) needs to match mat2.size\(0\) but got 300 and 299"),
    ):
        with pytest.raises(RuntimeError, match=message):
            torch._int_mm(left, right)


@pytest.mark.parametrize("default", [torch.float16, torch.float32, torch.float64])
def test_operators_of_two_numbers(default: torch.dtype) -> None:
    """The default dtype gives two numbers theirs, as a number beside a tensor has it."""
    previous = torch.get_default_dtype()
    torch.set_default_dtype(default)
    try:
        for name in ("add", "sub", "mul", "div", "true_divide", "floor_divide", "multiply"):
            assert getattr(torch, name)(2.5, 0.5).dtype is default
            assert getattr(torch, name)(2.5, 2).dtype is default
        assert torch.div(3, 2).dtype is default
        assert torch.add(1, 2).dtype is torch.add(1, True).dtype is torch.int64
        assert torch.mul(True, False).dtype is torch.bool
        if default is not torch.float16:
            complex_default = torch.complex64 if default is torch.float32 else torch.complex128
            assert torch.add(1j, 2.0).dtype is torch.mul(1j, 2j).dtype is complex_default
        # A tensor without dimensions is no number.
        double = torch.tensor(2.0, dtype=torch.float64)
        assert torch.add(double, 1.5).dtype is torch.add(double, double).dtype is torch.float64
    finally:
        torch.set_default_dtype(previous)


def test_the_complex_dtype_of_a_dtype() -> None:
    pairs = {"float16": "complex32", "bfloat16": "complex64", "float64": "complex128"}
    for real, wanted in pairs.items():
        assert getattr(torch, real).to_complex() is getattr(torch, wanted)
    assert torch.complex64.to_complex() is torch.complex64
    for dtype, name in ((torch.int32, "Int"), (torch.bool, "Bool")):
        with pytest.raises(RuntimeError, match=f"Unknown Complex ScalarType for {name}"):
            dtype.to_complex()
    for limits in (torch.finfo, torch.iinfo):
        text = f"{limits.__name__}(): argument 'type' (position 1) must be torch.dtype, not int"
        with pytest.raises(TypeError, match=re.escape(text)):
            limits(3)  # type: ignore[arg-type]


def test_processors_have_numbers_that_tensors_do_not_keep() -> None:
    assert torch.device("cpu:1").index == 1
    x = torch.ones(2, device="cpu:1")
    assert x.device == torch.device("cpu")
    assert (x + torch.ones(2)).tolist() == [2, 2]


def test_attention_by_the_name_of_the_kernel() -> None:
    layer = torch.nn.MultiheadAttention(8, 2, batch_first=True, dtype=torch.float64)
    q, k, v = (torch.randn(3, length, 8, dtype=torch.float64) for length in (4, 5, 5))
    keys = torch.rand(3, 5) > 0.7
    keys[:, 0] = False
    pairs = torch.eye(4, 5, dtype=torch.bool)
    parameters = (
        layer.in_proj_weight,
        layer.in_proj_bias,
        layer.out_proj.weight,
        layer.out_proj.bias,
    )
    for mask, kind, named in (
        (None, None, {}),
        (pairs, 0, {"attn_mask": pairs}),
        (keys, 1, {"key_padding_mask": keys}),
        (pairs.expand(3, 2, 4, 5), 2, {"attn_mask": pairs}),
    ):
        for average in (True, False):
            wanted = layer(q, k, v, average_attn_weights=average, **named)
            found = torch._native_multi_head_attention(
                q, k, v, 8, 2, *parameters, mask, average_attn_weights=average, mask_type=kind
            )
            torch.testing.assert_close(found, wanted)
    assert torch._native_multi_head_attention(q, k, v, 8, 2, *parameters, None, False)[1] is None
    with pytest.raises(RuntimeError, match="mask_type should be 0, 1 or 2"):
        torch._native_multi_head_attention(q, k, v, 8, 2, *parameters, keys)
    with pytest.raises(RuntimeError, match="3-D `query` with last dim 6"):
        torch._native_multi_head_attention(q, k, v, 6, 2, *parameters)
    with pytest.raises(RuntimeError, match="8 is not divisible by `num_heads` 3"):
        torch._native_multi_head_attention(q, k, v, 8, 3, *parameters)
    projections = torch.randn(3, 4, 24, dtype=torch.float64)
    found = torch._transform_bias_rescale_qkv(projections, layer.in_proj_bias, 2)
    for part, scale, each in zip(
        (projections + layer.in_proj_bias).split(8, -1), (2, 1, 1), found, strict=True
    ):
        torch.testing.assert_close(each.transpose(1, 2).flatten(2), part / scale)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradients_of_convolutions_as_functions(n: int) -> None:
    convolution = getattr(torch.nn.functional, f"conv{n}d")
    x = torch.randn((2, 4) + (7,) * n, dtype=torch.float64, requires_grad=True)
    weight = torch.randn((6, 2) + (3,) * n, dtype=torch.float64, requires_grad=True)
    for stride in (2, (2,) * n):
        y = convolution(x, weight, None, stride, 1, 1, 2)
        grad = torch.randn_like(y)
        wanted = torch.autograd.grad(y, (x, weight), grad)
        functions = torch.nn.grad
        by_input = getattr(functions, f"conv{n}d_input")(x.shape, weight, grad, stride, 1, 1, 2)
        by_weight = getattr(functions, f"conv{n}d_weight")(x, weight.shape, grad, stride, 1, 1, 2)
        torch.testing.assert_close((by_input, by_weight), wanted)
    assert torch.nn.functional.grad is torch.nn.grad  # type: ignore[attr-defined]


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32, torch.bool])
def test_asarray_of_numbers_of_numpy(dtype: torch.dtype) -> None:
    numpy = pytest.importorskip("numpy")
    for number in (numpy.float32(1.5), numpy.bool_(True), numpy.int8(3)):
        found = torch.asarray(number, dtype=dtype)
        assert found.dtype == dtype and found == torch.asarray(number).to(dtype)


def test_bases_of_classes_are_no_classes_of_objects() -> None:
    for base in (torch._C.TensorBase, torch._C.StorageBase):
        with pytest.raises(RuntimeError, match=f"Cannot directly construct {base.__name__}; sub"):
            base()
        assert isinstance(type("Own", (base,), {})(), base)

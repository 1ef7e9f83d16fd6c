"""Wrong arguments: the texts are PyTorch's, because users search for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

A = torch.ones(2, 3)

CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: torch.zeros(["a"]),
        TypeError,
        "zeros(): argument 'size' (position 1) must be tuple of ints, but found element of type str at pos 0",
    ),
    (
        lambda: F.pad(A, [1.5, 1]),
        TypeError,
        "pad(): argument 'pad' (position 2) must be tuple of ints, but found element of type float at pos 0",
    ),
    (
        lambda: torch.int32.to_complex(),
        RuntimeError,
        "Unknown Complex ScalarType for Int",
    ),
    (
        lambda: torch.add(A, "x"),
        TypeError,
        "add(): argument 'other' (position 2) must be Tensor, not str",
    ),
    (
        lambda: A.add("x"),
        TypeError,
        "add(): argument 'other' (position 1) must be Tensor, not str",
    ),
    (
        lambda: torch.add(A, 1, alpha="x"),
        TypeError,
        "add(): argument 'alpha' must be Number, not str",
    ),
    (
        lambda: torch.add(A, 1, 2, 3),
        TypeError,
        "add() takes 2 positional arguments but 4 were given",
    ),
    (
        lambda: torch.transpose(A, 1),
        TypeError,
        'transpose() missing 1 required positional arguments: "dim1"',
    ),
    (
        lambda: A.transpose(),
        TypeError,
        'transpose() missing 2 required positional argument: "dim0", "dim1"',
    ),
    (
        lambda: torch.transpose(A, 1, 2, 3),
        TypeError,
        "transpose() takes 3 positional arguments but 4 were given",
    ),
    (
        lambda: A.unsqueeze(3, 4),
        TypeError,
        "unsqueeze() takes 1 positional argument but 2 were given",
    ),
    (
        lambda: A.unsqueeze(3, dim=4),
        TypeError,
        "unsqueeze() got multiple values for argument 'dim'",
    ),
    (
        lambda: A.unsqueeze(0, dimx=4),
        TypeError,
        "unsqueeze() got an unexpected keyword argument 'dimx'",
    ),
    (
        lambda: torch._C._nn.mse_loss(A, A, 3, 4),
        TypeError,
        "mse_loss() takes from 2 to 3 positional arguments but 4 were given",
    ),
    (
        lambda: torch.sigmoid(1),
        TypeError,
        "sigmoid(): argument 'input' (position 1) must be Tensor, not int",
    ),
    (lambda: A.sigmoid(1), TypeError, "TensorBase.sigmoid() takes no arguments (1 given)"),
    (
        lambda: torch.zeros("a"),
        TypeError,
        "zeros(): argument 'size' (position 1) must be tuple of ints, not str",
    ),
    (
        lambda: torch.zeros(2, "a"),
        TypeError,
        "zeros(): argument 'size' failed to unpack the object at pos 2 with error "
        '"type must be tuple of ints,but got str"',
    ),
    (
        lambda: torch.ones(2, dtype=3),
        TypeError,
        "ones(): argument 'dtype' must be torch.dtype, not int",
    ),
    (
        lambda: torch.empty(2, 3, memory_format=3),
        TypeError,
        "empty(): argument 'memory_format' must be torch.memory_format, not int",
    ),
    (
        lambda: torch.reshape(A, 2.0),
        TypeError,
        "reshape(): argument 'shape' (position 2) must be tuple of ints, not float",
    ),
    (
        lambda: torch.cat(A),
        TypeError,
        "cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
    ),
    (
        lambda: torch.cat([A, 1]),
        TypeError,
        "expected Tensor as element 1 in argument 0, but got int",
    ),
    (
        lambda: torch.index_select(A, 0, [1]),
        TypeError,
        "index_select(): argument 'index' (position 3) must be Tensor, not list",
    ),
    (
        lambda: torch.squeeze(A, 1.0),
        TypeError,
        "squeeze() received an invalid combination of arguments - got (Tensor, float), but "
        "expected one of:\n"
        " * (Tensor input)\n"
        " * (Tensor input, int dim)\n"
        "      didn't match because some of the arguments have invalid types: (Tensor, !float!)\n"
        " * (Tensor input, tuple of ints dim)\n"
        "      didn't match because some of the arguments have invalid types: (Tensor, !float!)\n",
    ),
    (
        lambda: torch.squeeze(A, foo=1),
        TypeError,
        "squeeze() received an invalid combination of arguments - got (Tensor, foo=int), but "
        "expected one of:\n"
        " * (Tensor input)\n"
        " * (Tensor input, int dim)\n"
        "      didn't match because some of the keywords were incorrect: foo\n"
        " * (Tensor input, tuple of ints dim)\n"
        "      didn't match because some of the keywords were incorrect: foo\n",
    ),
    (
        lambda: torch.max(A, "x"),
        TypeError,
        "max() received an invalid combination of arguments - got (Tensor, str), but expected "
        "one of:\n"
        " * (Tensor input, *, Tensor out = None)\n"
        " * (Tensor input, Tensor other, *, Tensor out = None)\n"
        " * (Tensor input, int dim, bool keepdim = False, *, tuple of Tensors out = None)\n",
    ),
    (
        lambda: A.view(),
        TypeError,
        "view() received an invalid combination of arguments - got (), but expected one of:\n"
        " * (torch.dtype dtype)\n"
        " * (tuple of ints size)\n",
    ),
    (
        lambda: A.to(3, 4),
        TypeError,
        "to() received an invalid combination of arguments - got (int, int), but expected one "
        "of:\n"
        " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, "
        "bool copy = False, *, torch.memory_format memory_format = None)\n"
        " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, "
        "torch.memory_format memory_format = None)\n"
        " * (Tensor tensor, bool non_blocking = False, bool copy = False, *, "
        "torch.memory_format memory_format = None)\n",
    ),
    (lambda: A + "x", TypeError, "unsupported operand type(s) for +: 'Tensor' and 'str'"),
    (lambda: A @ 1, TypeError, "unsupported operand type(s) for @: 'Tensor' and 'int'"),
    (lambda: A < "x", TypeError, "'<' not supported between instances of 'Tensor' and 'str'"),
    (lambda: A.item(), RuntimeError, "a Tensor with 6 elements cannot be converted to Scalar"),
    (
        lambda: bool(A),
        RuntimeError,
        "Boolean value of Tensor with more than one value is ambiguous",
    ),
    (lambda: int(A), ValueError, "only one element tensors can be converted to Python scalars"),
    (lambda: len(torch.tensor(1)), TypeError, "len() of a 0-d tensor"),
    (lambda: list(torch.tensor(1)), TypeError, "iteration over a 0-d tensor"),
    (
        lambda: A.size(5),
        IndexError,
        "Dimension out of range (expected to be in range of [-2, 1], but got 5)",
    ),
    (
        lambda: A.size("x"),
        TypeError,
        "size(): argument 'dim' (position 1) must be int, not str",
    ),
    (
        lambda: torch.tensor([[1], [2, 3]]),
        ValueError,
        "expected sequence of length 1 at dim 1 (got 2)",
    ),
    (lambda: torch.tensor(["a"]), ValueError, "too many dimensions 'str'"),
    (lambda: torch.tensor(object()), RuntimeError, "Could not infer dtype of object"),
    (
        lambda: torch.tensor([1], requires_grad=True),
        RuntimeError,
        "Only Tensors of floating point and complex dtype can require gradients",
    ),
    (lambda: torch.tensor(2**70), ValueError, "Overflow when unpacking long long"),
    (
        lambda: torch.empty(2, 2**63),
        TypeError,
        "empty(): argument 'size' failed to unpack the object at pos 2 with error "
        '"Overflow when unpacking long long"',
    ),
    (
        lambda: torch.tensor([300], dtype=torch.uint8),
        RuntimeError,
        "value cannot be converted to type uint8 without overflow",
    ),
    (lambda: torch.Tensor("x"), TypeError, "new(): invalid data type 'str'"),
    (lambda: torch.device("cpu:x"), RuntimeError, "Invalid device string: 'cpu:x'"),
    (
        lambda: torch.device(1, 2),
        TypeError,
        "device(): argument 'type' (position 1) must be str, not int",
    ),
    (lambda: torch.dtype(), TypeError, "cannot create 'torch.dtype' instances"),
    (
        lambda: torch.Size([1, "a"]),
        TypeError,
        "torch.Size() takes an iterable of 'int' (item 1 is 'str')",
    ),
    (
        lambda: torch.set_default_dtype(torch.int),
        TypeError,
        "only floating-point types are supported as the default type",
    ),
    (lambda: torch.from_numpy(1), TypeError, "expected np.ndarray (got int)"),
    (
        lambda: A.requires_grad_("x"),
        TypeError,
        "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not str",
    ),
    (lambda: A.type("torch.Foo"), ValueError, "invalid type: 'torch.Foo'"),
    (lambda: A.nofoo, AttributeError, "'Tensor' object has no attribute 'nofoo'"),
    # Accepted until a program was compared with PyTorch.
    (
        lambda: F.binary_cross_entropy(torch.ones(2), torch.ones(2, dtype=torch.long)),
        RuntimeError,
        "Found dtype Long but expected Float",
    ),
    (
        lambda: F.soft_margin_loss(torch.ones(2, 1), torch.ones(3)),
        RuntimeError,
        "output with shape [2, 1] doesn't match the broadcast shape [2, 3]",
    ),
    (
        lambda: torch.bernoulli(torch.tensor([1])),
        NotImplementedError,
        "\"bernoulli_tensor_cpu_p_\" not implemented for 'Long'",
    ),
    (lambda: A.expand(-5, 2, 3), RuntimeError, "numel: integer multiplication overflow"),
    (
        lambda: F.scaled_dot_product_attention(A, A, A, torch.ones(2, 2), is_causal=True),
        RuntimeError,
        "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
    ),
    # Dtypes that differ.
    (
        lambda: nn.Linear(3, 4)(A.double()),
        RuntimeError,
        "mat1 and mat2 must have the same dtype, but got Double and Float",
    ),
    (
        lambda: torch.addmm(A, torch.ones(2, 2), A.int()),
        RuntimeError,
        "self and mat2 must have the same dtype, but got Float and Int",
    ),
    (
        lambda: A @ torch.ones(3, dtype=torch.int),
        RuntimeError,
        "addmv input tensors must have the same dtype, but got Int, Float, and Int",
    ),
    (
        lambda: torch.bmm(A[None], A.T[None].int()),
        RuntimeError,
        "expected scalar type Float but found Int",
    ),
    (
        lambda: F.conv1d(A[None], torch.ones(1, 2, 1).double()),
        RuntimeError,
        "expected scalar type Float but found Double",
    ),
    (
        lambda: F.conv1d(A[None], torch.ones(1, 2, 1), torch.ones(1).double()),
        RuntimeError,
        "Input type (float) and bias type (double) should be the same",
    ),
    (
        lambda: F.cross_entropy(A, torch.ones(2)),
        RuntimeError,
        "expected target dtype to be Long or Byte, but got Float",
    ),
    (
        lambda: A.masked_fill(torch.ones(2, 3, dtype=torch.long), 0),
        RuntimeError,
        "masked_fill_ only supports boolean masks, but got mask with dtype long int",
    ),
    (
        lambda: F.scaled_dot_product_attention(A, A, A.double()),
        RuntimeError,
        "Expected query, key, and value to have the same dtype, but got query.dtype: float "
        "key.dtype: float and value.dtype: double instead.",
    ),
    (
        lambda: A.gather(1, A),
        RuntimeError,
        "gather(): Expected dtype int32/int64 for index",
    ),
    (
        lambda: torch.rand(2, dtype=torch.long),
        NotImplementedError,
        "\"check_uniform_bounds\" not implemented for 'Long'",
    ),
    # Sizes that differ, and layers.
    (
        lambda: nn.LayerNorm((3, 4))(A),
        RuntimeError,
        "Given normalized_shape=[3, 4], expected input with shape [*, 3, 4], but got input of "
        "size[2, 3]",
    ),
    (
        lambda: torch.arange(3).masked_scatter(torch.tensor([True] * 3), torch.tensor([1])),
        RuntimeError,
        "Number of elements of source < number of ones in mask",
    ),
    (
        lambda: F.max_unpool2d(torch.ones(1, 1, 1, 1), torch.tensor([[[[30]]]]), 2),
        RuntimeError,
        "Found an invalid max index: 30 (output volumes are of size 2x2)",
    ),
    (
        lambda: F.batch_norm(A, torch.ones(3), None),
        RuntimeError,
        "running_var must be defined in evaluation mode",
    ),
    (
        lambda: nn.ConvTranspose1d(2, 4, 3, stride=2)(A[None], output_size=(20,)),
        ValueError,
        "requested an output size of (20,), but valid sizes range from [7] to [8] (for an input of "
        "torch.Size([3]))",
    ),
    (
        lambda: nn.Linear(2, 3, device="meta").to("cpu"),
        NotImplementedError,
        "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
        "torch.nn.Module.to() when moving module from meta to a different device.",
    ),
    (
        lambda: nn.Hardtanh(1, -1),
        AssertionError,
        "max_val (-1) must be greater than min_val (1)",
    ),
    (
        lambda: nn.init.kaiming_normal_(torch.empty(2, 3), mode="foo"),
        ValueError,
        "Mode foo not supported, please use one of ['fan_in', 'fan_out']",
    ),
    (
        lambda: torch.optim.LBFGS([nn.Parameter(A)]).step(),
        TypeError,
        "LBFGS.step() missing 1 required positional argument: 'closure'",
    ),
    (lambda: torch._assert(False, "as it says"), AssertionError, "as it says"),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_message(case: int) -> None:
    call, kind, text = CASES[case]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text


def test_weights_of_another_dtype() -> None:
    x = torch.tensor([0.5, 0.25], requires_grad=True)
    loss = F.binary_cross_entropy(x, torch.ones(2), torch.tensor([1.0, 3.0]).double())
    assert loss.dtype is torch.float32
    loss.backward()
    assert x.grad is not None and x.grad.tolist() == [-1.0, -6.0]


def test_shapes_that_do_not_broadcast() -> None:
    with pytest.raises(RuntimeError, match="must match the size of tensor b"):
        torch.ones(2, 3) + torch.ones(2, 4)


def test_keywords_numpy_uses() -> None:
    assert torch.sum(x=A, axis=0).tolist() == [2.0, 2.0, 2.0]


def test_out_is_returned() -> None:
    out = torch.empty(2, 3)
    assert torch.add(A, 1, out=out) is out
    assert out.tolist() == [[2.0] * 3] * 2


def test_namedtuple_results() -> None:
    result = torch.max(torch.tensor([[1.0, 5.0], [7.0, 2.0]]), 1)
    assert result.values.tolist() == [5.0, 7.0]
    assert result.indices.tolist() == [1, 0]
    assert repr(result) == (
        "torch.return_types.max(\nvalues=tensor([5., 7.]),\nindices=tensor([1, 0]))"
    )


def test_none_stands_for_a_list_that_is_empty_by_default() -> None:
    x = torch.randn(2, 3)
    assert torch.equal(torch.amax(x, dim=None), x.max())
    assert torch.equal(x.amin(None), x.min())
    assert torch.equal(torch.max_pool1d(x, 2, None), torch.max_pool1d(x, 2))
    with pytest.raises(TypeError, match=r"argument 'dims' \(position 2\) must be tuple of ints"):
        torch.flip(x, None)


def test_a_wrong_element_of_a_list_is_named() -> None:
    text = (
        "argument 'dims' (position 1) must be tuple of ints, but found element of type str at pos 0"
    )
    with pytest.raises(TypeError, match=re.escape(text)):
        torch.ones(2).flip(["a"])
    # By name PyTorch tells the type of the list.
    with pytest.raises(TypeError, match="argument 'dims' must be tuple of ints, not list"):
        torch.ones(2).flip(dims=["a"])

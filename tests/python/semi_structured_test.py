"""2:4 sparse matrices, with products of dense matrices in place of cuSPARSELt's."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.backends import cusparselt
from torch.nn.functional import linear
from torch.sparse import SparseSemiStructuredTensorCUSPARSELT as Sparse
from torch.sparse import to_sparse_semi_structured

HAS_LIBRARY = cusparselt.version() is not None


def matrix(rows: int = 16, columns: int = 32, dtype: torch.dtype = torch.float16) -> torch.Tensor:
    """The first two of four neighbours in even rows, and others in odd ones."""
    dense = torch.randint(1, 4, (rows, columns)).to(dtype)
    neighbours = dense.view(rows, -1, 4)
    neighbours[0::2, :, 2:] = 0
    neighbours[1::2, :, 1:3] = 0
    return dense


class Library:
    """Does what cuSPARSELt does, on the CPU; what is compressed is the dense matrix."""

    def __init__(self) -> None:
        self.algorithms: list[int] = []

    def compress(self, input: torch.Tensor) -> torch.Tensor:
        return input.clone()

    def multiply(
        self,
        compressed_A: torch.Tensor,
        dense_B: torch.Tensor,
        bias: torch.Tensor | None = None,
        transpose_result: bool = False,
        alg_id: int = 0,
    ) -> torch.Tensor:
        step = Sparse._DTYPE_SHAPE_CONSTRAINTS[dense_B.dtype].dense_min_cols
        assert dense_B.shape[1] > 0 and dense_B.shape[1] % step == 0
        self.algorithms.append(alg_id)
        result = compressed_A.double() @ dense_B.double()
        if bias is not None:
            result = result + bias.double()[:, None]
        result = result.to(dense_B.dtype)
        return result.t().contiguous() if transpose_result else result


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    found = Library()
    monkeypatch.setattr(torch, "_cslt_compress", found.compress)
    monkeypatch.setattr(torch, "_cslt_sparse_mm", found.multiply)
    return found


def compressed(dense: torch.Tensor, **kwargs: Any) -> Sparse:
    """What from_dense does after it has seen that the matrix is on CUDA."""
    parts = dict.fromkeys(("meta", "packed_t", "meta_t", "compressed_swizzled_bitmask"))
    found: Any = Sparse(dense.shape, packed=torch._cslt_compress(dense), **parts, **kwargs)
    result: Sparse = found
    return result


def test_products(library: Library) -> None:
    dense = matrix()
    sparse = compressed(dense)
    right = torch.randint(-3, 4, (32, 5)).half()
    expected = dense @ right
    for result in (
        sparse @ right,
        sparse.mm(right),
        torch.mm(sparse, right),
        torch.matmul(sparse, right),
    ):
        assert type(result) is torch.Tensor
        assert torch.equal(result, expected)
    left = torch.randint(-3, 4, (3, 32)).half()
    assert torch.equal(left @ sparse.t(), left @ dense.t())
    bias = torch.arange(16).half()
    assert torch.equal(torch.addmm(bias, left, sparse.t()), bias + left @ dense.t())
    batch = torch.randint(-3, 4, (2, 3, 32)).half()
    assert torch.equal(linear(batch, sparse, bias), batch @ dense.t() + bias)
    assert torch.equal(linear(batch, sparse), batch @ dense.t())
    assert (sparse @ right[:, :0]).shape == (16, 0)


def test_it_looks_like_the_matrix(library: Library) -> None:
    dense = matrix()
    sparse = compressed(dense)
    assert sparse.shape == (16, 32) and sparse.dtype == torch.float16 and sparse.dim() == 2
    assert sparse.size(1) == 32 and sparse.numel() == 512 and sparse.device == dense.device
    assert sparse.t().shape == (32, 16) and sparse.t().t().shape == (16, 32)
    assert repr(sparse) == "SparseSemiStructuredTensorCUSPARSELT(shape=torch.Size([16, 32]))"
    assert torch.equal(sparse.to_dense(), dense)
    assert torch.equal(sparse.t().to_dense(), dense.t())
    assert torch.equal(sparse.cpu(), dense)
    for same in (sparse.detach(), sparse.clone(), copy.deepcopy(sparse)):
        assert type(same) is Sparse
        assert torch.equal(same.to_dense(), dense)


def test_the_algorithm_is_the_one_asked_for(library: Library) -> None:
    _ = compressed(matrix(), alg_id_cusparselt=3).t().t() @ torch.ones(32, 8).half()
    assert library.algorithms == [3]


@pytest.mark.parametrize("grad", [True, False])
def test_it_is_the_weight_of_a_layer(library: Library, grad: bool) -> None:
    layer = torch.nn.Linear(32, 16).half()
    layer.weight.data.copy_(matrix())
    expected = copy.deepcopy(layer)
    layer.weight = torch.nn.Parameter(compressed(expected.weight.detach()), requires_grad=grad)
    assert [name for name, _ in layer.named_parameters()] == ["weight", "bias"]
    for network in (layer, copy.deepcopy(layer)):
        x = torch.randint(-2, 3, (4, 32)).half().requires_grad_()
        y = x.detach().clone().requires_grad_()
        assert torch.equal(network(x), expected(y))
        network(x).sum().backward()
        expected.zero_grad()
        expected(y).sum().backward()
        assert torch.equal(x.grad, y.grad)
        assert torch.equal(network.bias.grad, expected.bias.grad)
        if grad:
            assert torch.equal(network.weight.grad, expected.weight.grad)
        else:
            assert network.weight.grad is None


def test_gradients_from_the_left(library: Library) -> None:
    dense = matrix(dtype=torch.float32).requires_grad_()
    sparse = compressed(dense.detach(), requires_grad=True)
    x = torch.randint(-3, 4, (32, 4)).float().requires_grad_()
    y = x.detach().clone().requires_grad_()
    (sparse @ x).square().sum().backward()
    (dense @ y).square().sum().backward()
    assert torch.equal(x.grad, y.grad)
    assert torch.equal(sparse.grad, dense.grad)


def test_second_derivatives_are_refused(library: Library) -> None:
    sparse = compressed(matrix(dtype=torch.float32), requires_grad=True)
    x = torch.ones(32, 4, requires_grad=True)
    (grad,) = torch.autograd.grad((sparse @ x).square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiate twice"):
        grad.sum().backward()


def refused(action: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        action()
    assert text in str(caught.value)


def test_other_operations_are_refused(library: Library) -> None:
    sparse = compressed(matrix(), requires_grad=True)
    x = torch.ones(32, 8).half()
    only = "SparseSemiStructuredTensorCUSPARSELT only supports a specific set of operations, "
    refused(lambda: sparse + 1, NotImplementedError, only + "can't perform requested op (add)")
    refused(lambda: torch.relu(sparse), NotImplementedError, "requested op (relu)")
    refused(
        lambda: torch.sparse.SparseSemiStructuredTensor.from_dense(x),
        NotImplementedError,
        "SparseSemiStructuredTensor has no library: use SparseSemiStructuredTensorCUSPARSELT",
    )
    refused(lambda: setattr(sparse, "data", x), NotImplementedError, "(data.__set__)")
    refused(lambda: sparse.t(), NotImplementedError, "no gradient of t(): call it after detach()")
    refused(
        lambda: sparse.detach().t() @ x[:16], NotImplementedError, "compressed as its transpose"
    )
    refused(lambda: sparse @ x.float(), NotImplementedError, "A and B have the same data type")
    refused(lambda: sparse @ x[:31], RuntimeError, "cannot be multiplied (16x32 and 31x8)")
    refused(lambda: sparse @ x[None], NotImplementedError, "Broadcasting is not implemented")
    refused(lambda: linear(sparse, x.t()), NotImplementedError, "only the weight of `linear`")
    refused(
        lambda: torch.addmm(x, x.t(), sparse.detach().t()), NotImplementedError, "only bias dim=1"
    )


@pytest.mark.parametrize(
    ("dense", "text"),
    [
        (torch.ones(32), "Error original_tensor.dim = 1 is not supported!"),
        (matrix().t(), "Error original_tensor is not contiguous!"),
        (matrix(dtype=torch.float64), "dtype torch.float64 is not a supported dtype for"),
        (matrix(8), "must be larger or equal than and a multiple of (16, 16)"),
        (
            torch.ones(16, 16).half(),
            "has 4 of 4 neighbours in a row that are not zero. Set all but 2",
        ),
        (
            matrix(8, 8, torch.float32),
            "has 2 of 2 neighbours in a row that are not zero. Set all but 1",
        ),
    ],
)
def test_what_cannot_be_compressed(dense: torch.Tensor, text: str) -> None:
    from torch.sparse import semi_structured

    refused(lambda: semi_structured._check(dense, Sparse), RuntimeError, text)


def test_the_cpu_is_refused() -> None:
    refused(
        lambda: to_sparse_semi_structured(matrix()),
        RuntimeError,
        "Error original_tensor.device= cpu is not supported! Only CUDA tensors",
    )
    refused(
        lambda: torch._cslt_compress(matrix()),
        NotImplementedError,
        "Could not run 'aten::_cslt_compress' with arguments from the 'CPU' backend",
    )


def test_the_library_says_whether_it_is_there() -> None:
    version = cusparselt.version()
    assert version is None or version >= 800
    assert cusparselt.is_available() == HAS_LIBRARY

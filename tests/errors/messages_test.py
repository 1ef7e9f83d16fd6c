"""What a user reads after a mistake: PyTorch's exception, and its exact text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

ones = torch.ones


def leaf(*shape: int) -> Tensor:
    """A tensor that gathers gradients."""
    return torch.ones(*shape, requires_grad=True)


def backward_twice() -> None:
    x = leaf(2)
    y = (x * x).sum()
    y.backward()
    y.backward()


def change_what_was_saved() -> None:
    x = leaf(2)
    y = x.exp()
    y.add_(1)
    y.sum().backward()


CASES: list[tuple[str, Callable[[], object], type[Exception], str]] = [
    # Shapes.
    (
        "broadcast",
        lambda: ones(2, 3) + ones(4),
        RuntimeError,
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
    ),
    (
        "matmul",
        lambda: ones(2, 3) @ ones(2, 3),
        RuntimeError,
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
    ),
    (
        "linear",
        lambda: nn.Linear(3, 2)(ones(2, 4)),
        RuntimeError,
        "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x2)",
    ),
    (
        "assign_shape",
        lambda: ones(3, 4).__setitem__(0, ones(3)),
        RuntimeError,
        "The expanded size of the tensor (4) must match the existing size (3) at non-singleton "
        "dimension 0.  Target sizes: [4].  Tensor sizes: [3]",
    ),
    (
        "assign_dtype",
        lambda: ones(3).__setitem__(torch.tensor([0]), torch.tensor([1])),
        RuntimeError,
        "Index put requires the source and destination dtypes match, got Float for the "
        "destination and Long for the source.",
    ),
    (
        "assign_mask",
        lambda: torch.arange(4).__setitem__(torch.arange(4) > 0, ones(2)),
        RuntimeError,
        "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result of "
        "shape [3]",
    ),
    (
        "out_device",
        lambda: torch.zeros(2, device="meta", out=ones(2)),
        RuntimeError,
        "device type meta does not match device type of out parameter (cpu)",
    ),
    (
        "out_layout",
        lambda: torch.zeros(2, layout=torch.sparse_coo, out=ones(2)),
        RuntimeError,
        "layout Sparse does not match layout of out parameter (Strided)",
    ),
    (
        "legacy_device",
        lambda: torch.Tensor(2, 3, device="cuda"),
        RuntimeError,
        "legacy constructor expects device type: cpu; use torch.empty(size, device=...) or "
        "torch.tensor(data, device=...) for another device",
    ),
    (
        "nonzero_tuple_out",
        lambda: torch.nonzero(ones(2), as_tuple=True, out=torch.empty(2, 1).long()),
        RuntimeError,
        "nonzero does not support the out kwarg when as_tuple is True",
    ),
    (
        "complex_of_many",
        lambda: complex(ones(2)),
        ValueError,
        "only one element tensors can be converted to Python scalars",
    ),
    (
        "randint_complex",
        lambda: torch.randint(6, (2,), dtype=torch.complex64),
        RuntimeError,
        "check_random_bounds handles only integral, floating-point and boolean types",
    ),
    (
        "fill_setting",
        lambda: setattr(torch.utils.deterministic, "fill_uninitialized_memory", 1),
        RuntimeError,
        "expected a bool, but got int",
    ),
    (
        "deterministic_setting",
        lambda: torch.use_deterministic_algorithms(1),  # type: ignore[arg-type]
        TypeError,
        "use_deterministic_algorithms(): argument 'mode' must be bool, not int",
    ),
    (
        "cummax_out",
        lambda: torch.cummax(
            ones(2), 0, out=(torch.empty(2, dtype=torch.int16), torch.empty(2, dtype=torch.int64))
        ),
        RuntimeError,
        "cummax(): expected scalar_type Float but found Short",
    ),
    (
        "grid_batch",
        lambda: torch.grid_sampler(ones(5, 5, 5, 5), ones(1, 5, 2), 0, 0, False),
        RuntimeError,
        "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
        "[5, 5, 5, 5] and grid with sizes [1, 5, 2]",
    ),
    (
        "storage_dtype",
        lambda: torch.tensor(torch.LongStorage([1, 2]), dtype=torch.int32),
        RuntimeError,
        "Expected a Storage of type Int or an UntypedStorage, but got Long",
    ),
    (
        "amax_of_nothing",
        lambda: ones(0).amax(),
        RuntimeError,
        "amax(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
        "reduction dim with the 'dim' argument.",
    ),
    (
        "var_of_integers",
        lambda: torch.arange(3).var(),
        RuntimeError,
        "std and var only support floating point and complex dtypes",
    ),
    ("tensor_of_text", lambda: torch.tensor("a"), TypeError, "new(): invalid data type 'str'"),
    ("mm_vector", lambda: torch.mm(ones(3), ones(3, 2)), RuntimeError, "self must be a matrix"),
    (
        "bmm",
        lambda: torch.bmm(ones(2, 3, 4), ones(3, 4, 5)),
        RuntimeError,
        "Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [3, 4].",
    ),
    (
        "view",
        lambda: ones(2, 3).view(4),
        RuntimeError,
        "shape '[4]' is invalid for input of size 6",
    ),
    (
        "reshape",
        lambda: ones(2, 3).reshape(-1, 4),
        RuntimeError,
        "shape '[-1, 4]' is invalid for input of size 6",
    ),
    (
        "expand",
        lambda: ones(2).expand(3, 3),
        RuntimeError,
        "The expanded size of the tensor (3) must match the existing size (2) at non-singleton "
        "dimension 1.  Target sizes: [3, 3].  Tensor sizes: [2]",
    ),
    (
        "cat",
        lambda: torch.cat([ones(2, 3), ones(3, 2)]),
        RuntimeError,
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 2 for "
        "tensor number 1 in the list.",
    ),
    (
        "stack",
        lambda: torch.stack([ones(2), ones(3)]),
        RuntimeError,
        "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1",
    ),
    (
        "negative_size",
        lambda: torch.empty(2, -1),
        RuntimeError,
        "Trying to create tensor with negative dimension -1: [2, -1]",
    ),
    (
        "ragged",
        lambda: torch.tensor([[1, 2], [3]]),
        ValueError,
        "expected sequence of length 2 at dim 1 (got 1)",
    ),
    # Dimensions and indices.
    (
        "dimension",
        lambda: ones(2, 3).sum(dim=5),
        IndexError,
        "Dimension out of range (expected to be in range of [-2, 1], but got 5)",
    ),
    (
        "same_dimension_twice",
        lambda: ones(2, 3).permute(0, 0),
        RuntimeError,
        "permute(): duplicate dims are not allowed.",
    ),
    (
        "index",
        lambda: ones(3)[5],
        IndexError,
        "index 5 is out of bounds for dimension 0 with size 3",
    ),
    (
        "too_many_indices",
        lambda: ones(3)[0, 0],
        IndexError,
        "too many indices for tensor of dimension 1",
    ),
    (
        "index_select",
        lambda: torch.index_select(ones(2, 2), 0, torch.tensor([5])),
        IndexError,
        "index out of range in self",
    ),
    (
        "gather",
        lambda: ones(2, 2).gather(1, torch.tensor([[9]])),
        RuntimeError,
        "index 9 is out of bounds for dimension 1 with size 2",
    ),
    (
        "class_of_no_score",
        lambda: nn.functional.cross_entropy(ones(2, 3), torch.tensor([0, 5])),
        IndexError,
        "Target 5 is out of bounds.",
    ),
    # Element types.
    (
        "mm_dtypes",
        lambda: torch.mm(ones(2, 3), ones(3, 2, dtype=torch.float64)),
        RuntimeError,
        "expected m1 and m2 to have the same dtype, but got: float != double",
    ),
    (
        "in_place_dtype",
        lambda: ones(2, dtype=torch.int32).add_(1.5),
        RuntimeError,
        "result type Float can't be cast to the desired output type Int",
    ),
    (
        "out_dtype",
        lambda: torch.add(ones(2), ones(2), out=ones(2, dtype=torch.int64)),
        RuntimeError,
        "result type Float can't be cast to the desired output type Long",
    ),
    (
        "no_kernel_for_dtype",
        lambda: ones(4).bitwise_and(ones(4)),
        NotImplementedError,
        "\"bitwise_and_cpu\" not implemented for 'Float'",
    ),
    # Values.
    (
        "item",
        lambda: ones(2).item(),
        RuntimeError,
        "a Tensor with 2 elements cannot be converted to Scalar",
    ),
    (
        "bool",
        lambda: bool(ones(3)),
        RuntimeError,
        "Boolean value of Tensor with more than one value is ambiguous",
    ),
    (
        "randint",
        lambda: torch.randint(0, 0, (2,)),
        RuntimeError,
        "random_ expects 'from' to be less than 'to', but got from=0 >= to=0",
    ),
    # Arguments.
    (
        "no_overload",
        lambda: ones(2).view("x"),  # type: ignore[call-overload]
        TypeError,
        "view() received an invalid combination of arguments - got (str), but expected one of:",
    ),
    (
        "wrong_argument",
        lambda: torch.add(ones(1), "x"),  # type: ignore[call-overload]
        TypeError,
        "add(): argument 'other' (position 2) must be Tensor, not str",
    ),
    (
        "unknown_keyword",
        lambda: ones(2).add(ones(2), beta=2),  # type: ignore[call-overload]
        TypeError,
        "add() got an unexpected keyword argument 'beta'",
    ),
    (
        "no_parameters",
        lambda: torch.optim.SGD([], lr=0.1),
        ValueError,
        "optimizer got an empty parameter list",
    ),
    (
        "learning_rate",
        lambda: torch.optim.SGD([leaf(1)], lr=-1.0),
        ValueError,
        "Invalid learning rate: -1.0",
    ),
    # Autograd.
    (
        "backward_twice",
        backward_twice,
        RuntimeError,
        "Trying to backward through the graph a second time (or directly access saved tensors "
        "after they have already been freed). Saved intermediate values of the graph are freed "
        "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
        "backward through the graph a second time or if you need to access saved tensors after "
        "calling backward.",
    ),
    (
        "no_history",
        lambda: ones(2).backward(),
        RuntimeError,
        "element 0 of tensors does not require grad and does not have a grad_fn",
    ),
    (
        "backward_of_many",
        lambda: leaf(2).mul(2).backward(),
        RuntimeError,
        "grad can be implicitly created only for scalar outputs",
    ),
    (
        "changed_after_saving",
        change_what_was_saved,
        RuntimeError,
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [2]], which is output 0 of Exp, is at version 1; expected "
        "version 0 instead. Hint: enable anomaly detection to find the operation that failed to "
        "compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
    ),
    (
        "leaf_in_place",
        lambda: leaf(2).add_(1),
        RuntimeError,
        "a leaf Variable that requires grad is being used in an in-place operation.",
    ),
    (
        "integers_have_no_gradient",
        lambda: torch.ones(2, dtype=torch.int64, requires_grad=True),
        RuntimeError,
        "Only Tensors of floating point and complex dtype can require gradients",
    ),
]


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_message(action: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        action()
    assert str(caught.value).split("\n")[0] == message
    assert type(caught.value) is error


def test_a_failed_operation_leaves_its_arguments_alone() -> None:
    x = ones(2, dtype=torch.int32)
    with pytest.raises(RuntimeError):
        x.add_(1.5)
    assert x.tolist() == [1, 1]


def test_guide_quotes_messages_that_exist() -> None:
    """Each heading of the guide's part on running is a message above, numbers left open."""
    guide = Path("docs/errors.md").read_text(encoding="utf-8").split("## While running\n")[1]
    headings = re.findall(r"^### `(.*)`$", guide, re.MULTILINE)
    assert headings
    messages = [case[3] for case in CASES]
    for heading in headings:
        pattern = ".*".join(re.escape(part) for part in heading.split("…"))
        assert any(re.match(pattern, message) for message in messages), heading

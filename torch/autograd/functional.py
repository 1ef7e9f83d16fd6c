"""Jacobians, Hessians and their products with vectors, by reverse-mode differentiation.

`func` takes and gives one tensor or a tuple of them; results are nested the same way, outputs
outside, inputs inside. `strict` refuses functions whose output does not depend on an input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor

_Tensors = Tensor | Sequence[Tensor]


# What all of them have in common.
_ARGUMENTS = """
Args:
    func: takes the inputs and returns a tensor or a tuple of tensors.
    inputs: a tensor or a tuple of tensors.
    v: the vector, of the shape of what it is multiplied with; None is 1 for one element.
    create_graph: whether the results can be differentiated.
    strict: whether an output that does not depend on an input is an error, instead of zeros.

Raises:
    TypeError: inputs or outputs are no tensors.
    RuntimeError: v is missing or has another shape; with `strict`, independent outputs.
"""


def _as_tuple(value: Any, what: str = "", function: str = "") -> tuple[bool, tuple[Tensor, ...]]:
    """Whether the tensors came in a tuple, and the tensors."""
    is_tuple = isinstance(value, tuple)
    tensors = value if is_tuple else (value,)
    for index, tensor in enumerate(tensors):
        if isinstance(tensor, Tensor):
            continue
        if is_tuple:
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at index {index} has type {type(tensor)}."
            )
        raise TypeError(
            f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} has type {type(tensor)}."
        )
    return is_tuple, tensors


def _tuple_postprocess(values: tuple[Any, ...], is_tuple: bool) -> Any:
    return values if is_tuple else values[0]


def _call(
    func: Callable[..., Any], inputs: _Tensors, function: str, create_graph: bool
) -> tuple[tuple[Tensor, ...], bool, tuple[Tensor, ...], bool]:
    """Runs `func` on inputs of its own: inputs and outputs as tuples, and what they were."""
    in_tuple, given = _as_tuple(inputs, "inputs", function)
    # With create_graph the result must depend on the caller's tensors, so they are viewed.
    own = tuple(
        x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_()
        for x in given
    )
    out_tuple, outputs = _as_tuple(func(*own), "outputs of the user-provided function", function)
    return own, in_tuple, outputs, out_tuple


# What `strict` refuses: gradients through which nothing flows.
_INDEPENDENT = {
    "back": "The output of the user-provided function is independent of input {}. This is not "
    "allowed in strict mode.",
    "jacobian": "Output {output} of the user-provided function is independent of input {}. This is "
    "not allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {} in the "
    "grad_outputs when using the double backward trick to compute forward mode gradients. This is "
    "not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {}. This is "
    "not allowed in strict mode.",
}
# And values that cannot be differentiated.
_CONSTANT = {
    "outputs": "Output {} of the user-provided function does not require gradients. The outputs "
    "must be computed in a differentiable manner from the input when running in strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided "
    "function with respect to input {} is independent of the input. This is not allowed in strict "
    "mode. You should ensure that your function is twice differentiable and that the jacobian "
    "depends on the inputs (this would be violated by a linear function for example).",
    "jacobian_graph": "The jacobian of the user-provided function is independent of input {}. This "
    "is not allowed in strict mode when create_graph=True.",
}


def _check_differentiable(values: Sequence[Tensor], what: str, strict: bool) -> None:
    for index, value in enumerate(values):
        if strict and not value.requires_grad:
            raise RuntimeError(_CONSTANT[what].format(index))


def _gradient(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    vectors: Sequence[Tensor | None],
    create_graph: bool,
    strict: bool,
    stage: str = "back",
    output: int = 0,
) -> tuple[Tensor, ...]:
    """The gradients, zeros where nothing flows."""
    active = [(o, v) for o, v in zip(outputs, vectors, strict=True) if o.requires_grad]
    grads: Sequence[Tensor | None] = [None] * len(inputs)
    if active:
        grads = torch.autograd.grad(
            [o for o, _ in active],
            inputs,
            [v for _, v in active],
            retain_graph=True,
            create_graph=create_graph,
            allow_unused=True,
        )
    for index, grad in enumerate(grads):
        if grad is None and strict:
            raise RuntimeError(_INDEPENDENT[stage].format(index, output=output))
    return tuple(
        torch.zeros_like(x) if g is None else g for x, g in zip(inputs, grads, strict=True)
    )


def _construct_standard_basis_for(
    tensors: Sequence[Tensor], tensor_numels: Sequence[int]
) -> tuple[Tensor, ...]:
    """For each tensor the columns that belong to it of the identity matrix over all their elements.

    Packages take Jacobians with it.
    """
    total, before, result = sum(tensor_numels), 0, []
    for tensor, count in zip(tensors, tensor_numels, strict=True):
        basis = tensor.new_zeros(total, count)
        basis.diagonal(-before).fill_(1)
        result.append(basis)
        before += count
    return tuple(result)


def _check_vectors(
    v: Any, like: tuple[Tensor, ...], is_tuple: bool, function: str, owner: str
) -> tuple[Tensor, ...]:
    """The vectors of a product; ones for a single element when none are given."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(
                f"The vector v can only be None if {owner} a single Tensor with a single element."
            )
        return (torch.ones_like(like[0]),)
    _, vectors = _as_tuple(v, "v", function)
    if len(vectors) != len(like) and not is_tuple:
        raise RuntimeError("The given v should contain a single Tensor.")
    if len(vectors) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(vectors)}."
        )
    for index, (vector, tensor) in enumerate(zip(vectors, like, strict=True)):
        if vector.size() != tensor.size():
            entry = f"Entry {index} in " if is_tuple else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {tensor.size()} but got {vector.size()}."
            )
    return vectors


def _grad_postprocess(values: tuple[Tensor, ...], create_graph: bool) -> tuple[Tensor, ...]:
    return values if create_graph else tuple(v.detach() for v in values)


@documented_by(_ARGUMENTS)
def vjp(
    func: Callable[..., Any],
    inputs: _Tensors,
    v: _Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs of a function, and v^T J with its Jacobian J.

    Example::

        >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
        >>> torch.autograd.functional.vjp(torch.square, x, v)
        (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with torch.enable_grad():
        own, in_tuple, outputs, out_tuple = _call(func, inputs, "vjp", create_graph)
        _check_differentiable(outputs, "outputs", strict)
        vectors = _check_vectors(v, outputs, out_tuple, "vjp", "the user-provided function returns")
        grads = _gradient(outputs, own, vectors, create_graph, strict)
        _check_differentiable(grads, "jacobian_graph", strict and create_graph)
    return (
        _tuple_postprocess(_grad_postprocess(outputs, create_graph), out_tuple),
        _tuple_postprocess(_grad_postprocess(grads, create_graph), in_tuple),
    )


@documented_by(_ARGUMENTS)
def jvp(
    func: Callable[..., Any],
    inputs: _Tensors,
    v: _Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The outputs of a function, and J v with its Jacobian J.

    It differentiates the vector-Jacobian product with respect to its vector, in which that is
    linear.

    Example::

        >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
        >>> torch.autograd.functional.jvp(torch.square, x, v)
        (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with torch.enable_grad():
        own, in_tuple, outputs, out_tuple = _call(func, inputs, "jvp", create_graph)
        _check_differentiable(outputs, "outputs", strict)
        vectors = _check_vectors(
            v, own, in_tuple, "jvp", "the input to the user-provided function is"
        )
        dummies = tuple(torch.zeros_like(o, requires_grad=True) for o in outputs)
        grads = _gradient(outputs, own, dummies, True, strict)
        products = _gradient(grads, dummies, vectors, create_graph, strict, "back_trick")
        _check_differentiable(products, "jacobian_graph", strict and create_graph)
    return (
        _tuple_postprocess(_grad_postprocess(outputs, create_graph), out_tuple),
        _tuple_postprocess(_grad_postprocess(products, create_graph), out_tuple),
    )


@documented_by(_ARGUMENTS)
def jacobian(
    func: Callable[..., Any],
    inputs: _Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian: for output i and input j a tensor of shape output_i.shape + input_j.shape.

    Args:
        vectorize: kept for PyTorch's signature.
        strategy: "reverse-mode", or with `vectorize` "forward-mode"; both go backward here.

    Raises:
        NotImplementedError: "forward-mode" without `vectorize`.
        RuntimeError: `strict` with `vectorize`.

    Example::

        >>> torch.autograd.functional.jacobian(torch.square, torch.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    return _jacobian(func, inputs, create_graph, strict, vectorize, strategy, "jacobian")


def _jacobian(
    func: Callable[..., Any],
    inputs: _Tensors,
    create_graph: bool,
    strict: bool,
    vectorize: bool,
    strategy: str,
    function: str,
) -> Any:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        if create_graph and function == "jacobian":
            raise NotImplementedError(
                'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
            )
        if not vectorize:
            raise NotImplementedError(
                f'torch.autograd.functional.{function}: computing {function} with forward-mode AD is currently only supported when `vectorize=True`: set it, or use strategy="reverse-mode"'
            )
    if strict and vectorize:
        raise RuntimeError(
            f"torch.autograd.functional.{function}: `strict=True` and `vectorized=True` are not supported together. Please either set `strict=False` or `vectorize=False`."
        )
    with torch.enable_grad():
        own, in_tuple, outputs, out_tuple = _call(func, inputs, function, create_graph)
        _check_differentiable(outputs, "outputs", strict)
        rows = []
        for row, output in enumerate(outputs):
            flat = output.reshape(-1)
            columns = [
                _gradient(
                    [element],
                    own,
                    [torch.ones_like(element)],
                    create_graph,
                    strict,
                    "jacobian",
                    row,
                )
                for element in flat.unbind(0)
            ]
            if create_graph:
                for column in columns:
                    _check_differentiable(column, "jacobian_graph", strict)
            blocks = []
            for index, x in enumerate(own):
                shape = output.shape + x.shape
                if columns:
                    block = torch.stack([column[index] for column in columns]).reshape(shape)
                else:
                    block = torch.zeros(shape, dtype=x.dtype, device=x.device)
                blocks.append(block if create_graph else block.detach())
            rows.append(_tuple_postprocess(tuple(blocks), in_tuple))
    return _tuple_postprocess(tuple(rows), out_tuple)


def _scalar_of(outputs: Any, function: str) -> Tensor:
    """The one element that a function must give to have a Hessian."""
    is_tuple, tensors = _as_tuple(outputs, "outputs of the user-provided function", function)
    if is_tuple:
        raise RuntimeError(
            f"The function given to {function} should return a single Tensor, not a tuple"
        )
    if tensors[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {function} should contain a single element"
        )
    return tensors[0].reshape(())


def _gradient_of(func: Callable[..., Any], function: str, strict: bool) -> Callable[..., Any]:
    """The gradient of a scalar function, as a function of the same inputs."""

    def gradient(*inputs: Tensor) -> tuple[Tensor, ...]:
        output = _scalar_of(func(*inputs), function)
        _check_differentiable([output], "outputs", strict)
        grads = _gradient([output], inputs, [torch.ones_like(output)], True, False)
        _check_differentiable(grads, "jacobian", strict)
        return grads

    return gradient


@documented_by(_ARGUMENTS)
def hessian(
    func: Callable[..., Any],
    inputs: _Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function with one element: for inputs i and j a tensor of shape
    input_i.shape + input_j.shape.

    Args:
        vectorize: kept for PyTorch's signature.
        outer_jacobian_strategy: "reverse-mode", or with `vectorize` "forward-mode"; both go
            backward here.

    Raises:
        RuntimeError: the output has several elements.

    Example::

        >>> def cubes(x):
        ...     return (x**3).sum()
        >>> torch.autograd.functional.hessian(cubes, torch.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    gradient = _gradient_of(func, "hessian", strict)
    in_tuple = isinstance(inputs, tuple)
    result = _jacobian(
        gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy, "hessian"
    )
    return result if in_tuple else result[0]


@documented_by(_ARGUMENTS)
def vhp(
    func: Callable[..., Any],
    inputs: _Tensors,
    v: _Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The output of a function with one element, and v^T H with its Hessian H.

    Example::

        >>> x, v = torch.tensor([1.0, 2.0]), torch.ones(2)
        >>> torch.autograd.functional.vhp(lambda x: (x**3).sum(), x, v)
        (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product(func, inputs, v, create_graph, strict, "vhp")


def _hessian_product(
    func: Callable[..., Any],
    inputs: _Tensors,
    v: _Tensors | None,
    create_graph: bool,
    strict: bool,
    function: str,
) -> tuple[Any, Any]:
    with torch.enable_grad():
        own, in_tuple, outputs, out_tuple = _call(func, inputs, function, create_graph)
        _check_differentiable(outputs, "outputs", strict)
        output = _scalar_of(_tuple_postprocess(outputs, out_tuple), function)
        vectors = _check_vectors(
            v, own, in_tuple, function, "the input to the user-provided function is"
        )
        grads = _gradient([output], own, [torch.ones_like(output)], True, strict)
        _check_differentiable(grads, "jacobian", strict)
        products = _gradient(grads, own, vectors, create_graph, strict, "double_back")
    return (
        _tuple_postprocess(_grad_postprocess(outputs, create_graph), out_tuple),
        _tuple_postprocess(_grad_postprocess(products, create_graph), in_tuple),
    )


@documented_by(_ARGUMENTS)
def hvp(
    func: Callable[..., Any],
    inputs: _Tensors,
    v: _Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The output of a function with one element, and H v with its Hessian H, which is symmetric.

    Example::

        >>> x, v = torch.tensor([1.0, 2.0]), torch.ones(2)
        >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, v)
        (tensor(9.), tensor([ 6., 12.]))
    """
    return _hessian_product(func, inputs, v, create_graph, strict, "hvp")


__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

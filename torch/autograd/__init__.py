"""Automatic differentiation of tensors."""

from __future__ import annotations

import contextlib
import functools
import importlib
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import _C, _absent
from torch._tensor import Tensor
from torch.autograd.function import Function
from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from torch.autograd.gradcheck import gradcheck, gradgradcheck
from torch.autograd.graph import GradientEdge
from torch.autograd.variable import Variable

if TYPE_CHECKING:
    from torch.autograd import functional as functional
    from torch.autograd.anomaly_mode import detect_anomaly as detect_anomaly
    from torch.autograd.anomaly_mode import set_detect_anomaly as set_detect_anomaly

_TensorOrTensors = Tensor | GradientEdge | Sequence[Tensor] | Sequence[GradientEdge]

_engine = _C._ImperativeEngine()


def _make_grads(
    outputs: Sequence[Any], grads: Sequence[Tensor | None]
) -> tuple[Tensor | None, ...]:
    new_grads: list[Tensor | None] = []
    for index, (out, grad) in enumerate(zip(outputs, grads, strict=False)):
        if not isinstance(out, Tensor):
            new_grads.append(grad)  # A GradientEdge, whose shape the engine knows.
        elif isinstance(grad, Tensor):
            if out.shape != grad.shape:
                raise RuntimeError(
                    f"Mismatch in shape: grad_output[{index}] has a shape of {grad.shape} and output[{index}] has a shape of {out.shape}."
                )
            if out.dtype.is_complex != grad.dtype.is_complex:
                raise RuntimeError(
                    "For complex Tensors, both grad_output and output are required to have the same dtype. "
                    f"Mismatch in dtype: grad_output[{index}] has a dtype of {grad.dtype} and output[{index}] has a dtype of {out.dtype}."
                )
            new_grads.append(grad)
        elif grad is None:
            if not out.requires_grad:
                new_grads.append(None)
                continue
            if out.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if not out.dtype.is_floating_point:
                raise RuntimeError(
                    f"grad can be implicitly created only for real scalar outputs but got {out.dtype}"
                )
            new_grads.append(torch.ones_like(out))
        else:
            raise TypeError(
                f"gradients can be either Tensors or None, but got {type(grad).__name__}"
            )
    return tuple(new_grads)


def _as_tuple(value: _TensorOrTensors) -> tuple[Any, ...]:
    return (value,) if isinstance(value, (Tensor, GradientEdge)) else tuple(value)


def _grads_for(
    grads: Tensor | Sequence[Tensor | None] | None, count: int
) -> tuple[Tensor | None, ...]:
    if grads is None:
        return (None,) * count
    if isinstance(grads, Tensor):
        return (grads,)
    return tuple(grads)


class _Repeated(threading.local):
    """Whether a function is called for the next entry of a batch after this one, in which case its
    graph stays: `vmap` calls once for each entry what PyTorch calls once for all."""

    now = False

    @contextlib.contextmanager
    def __call__(self, again: bool) -> Iterator[None]:
        before = self.now
        self.now = before or again
        try:
            yield
        finally:
            self.now = before


_repeated = _Repeated()


def backward(
    tensors: _TensorOrTensors,
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | Sequence[Tensor | None] | None = None,
    inputs: _TensorOrTensors | None = None,
) -> None:
    """Adds the gradients of `tensors` to the `.grad` of the leaves of their graph, or of `inputs`.

    Args:
        tensors: what is differentiated.
        grad_tensors: the vector of the vector-Jacobian product for each of them, of its shape; None
            is 1 for a tensor with one element.
        retain_graph: whether the graph stays for another backward pass; `create_graph` if None.
        create_graph: whether the gradients can be differentiated themselves.
        grad_variables: the old name of `grad_tensors`.
        inputs: the only tensors that get gradients.

    Raises:
        RuntimeError: a tensor needs a vector and has none, shapes differ, or the graph was freed.
        TypeError: a vector is no tensor.

    Example::

        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> torch.autograd.backward((x**2).sum())
        >>> x.grad
        tensor([2., 4.])
    """
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.",
            FutureWarning,
            stacklevel=2,
        )
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if inputs is not None and not isinstance(inputs, Tensor) and len(inputs) == 0:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _as_tuple(tensors)
    inputs = () if inputs is None else _as_tuple(inputs)
    grads = _make_grads(tensors, _grads_for(grad_tensors, len(tensors)))
    if retain_graph is None:
        retain_graph = create_graph
    if create_graph:
        _warn_of_cycles()
    _engine.run_backward(
        tensors,
        grads,
        retain_graph or _repeated.now,
        create_graph,
        inputs,
        allow_unreachable=True,
        accumulate_grad=True,
    )


@functools.cache
def _warn_of_cycles() -> None:
    """Warns once."""
    warnings.warn(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.",
        UserWarning,
        stacklevel=3,
    )


def _batched_grad(
    outputs: tuple[Any, ...],
    inputs: tuple[Any, ...],
    vectors: tuple[Tensor | None, ...],
    *,
    retain_graph: bool,
    **options: Any,
) -> tuple[Tensor, ...]:
    """The gradients for each vector of a batch, stacked."""
    for index, (output, vector) in enumerate(zip(outputs, vectors, strict=False)):
        if vector is None:
            raise RuntimeError(
                f"grad can be implicitly created only for scalar outputs: with is_grads_batched=True give grad_outputs[{index}], with a first dimension for the batch"
            )
        if isinstance(output, Tensor) and vector.shape[1:] != output.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was detected: "
                f"grad_output[{index}] has a shape of {vector.shape} and output[{index}] has a shape of {output.shape}. If you only want some tensors in `grad_output` to be considered batched, consider using vmap."
            )
    given = [vector for vector in vectors if vector is not None]
    count = len(given[0])
    if any(len(vector) != count for vector in given) or count == 0:
        raise RuntimeError(
            f"is_grads_batched=True expects grad_outputs with first dimensions of one size, at least 1, but got {[len(vector) for vector in given]}"
        )
    results = [
        grad(
            outputs,
            inputs,
            tuple(vector[k] for vector in given),
            retain_graph=retain_graph or k + 1 < count,
            **options,
        )
        for k in range(count)
    ]
    stacked: list[Any] = [
        None if column[0] is None else torch.stack(column) for column in zip(*results, strict=True)
    ]
    return tuple(stacked)


def grad(
    outputs: _TensorOrTensors,
    inputs: _TensorOrTensors,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor, ...]:
    """The gradients of `outputs` with respect to `inputs`; nothing is accumulated.

    Args:
        outputs: what is differentiated.
        inputs: with respect to which.
        grad_outputs: the vector of the vector-Jacobian product for each output, of its shape; None
            is 1 for an output with one element.
        retain_graph: whether the graph stays for another pass; `create_graph` if None.
        create_graph: whether the gradients can be differentiated themselves.
        only_inputs: only True; False warns and changes nothing, as in PyTorch.
        allow_unused: whether an input that no output depends on gets None instead of an error.
        is_grads_batched: whether the first dimension of `grad_outputs` counts vectors, and that of
            the results their gradients; each vector is a pass of its own.
        materialize_grads: whether it gets zeros instead.

    Returns:
        A tuple with a tensor of the shape of each input.

    Raises:
        RuntimeError: an output needs a vector and has none, or an input is not used.
        ValueError: no inputs, or `materialize_grads` with `allow_unused=False`.

    Example::

        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> (first,) = torch.autograd.grad(x**3, x, create_graph=True)
        >>> (second,) = torch.autograd.grad(first, x)
        >>> first.item(), second.item()
        (27.0, 18.0)
    """
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    outputs = _as_tuple(outputs)
    inputs = _as_tuple(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if retain_graph is None:
        retain_graph = create_graph
    if is_grads_batched:
        return _batched_grad(
            outputs,
            inputs,
            _grads_for(grad_outputs, len(outputs)),
            retain_graph=retain_graph,
            create_graph=create_graph,
            allow_unused=allow_unused,
            materialize_grads=materialize_grads,
        )
    grads = _make_grads(outputs, _grads_for(grad_outputs, len(outputs)))
    result = _engine.run_backward(
        outputs,
        grads,
        retain_graph or _repeated.now,
        create_graph,
        inputs,
        allow_unreachable=allow_unused,
        accumulate_grad=False,
    )
    if materialize_grads:
        if any(
            r is None and isinstance(i, GradientEdge) for r, i in zip(result, inputs, strict=False)
        ):
            raise RuntimeError(
                "materialize_grads cannot be used when the given input is a GradientEdge, whose shape nothing says"
            )
        result = tuple(
            torch.zeros_like(i, requires_grad=create_graph) if r is None else r
            for r, i in zip(result, inputs, strict=False)
        )
    return result


__all__ = [
    "Function",
    "Variable",
    "backward",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
]


_explain_absent = _absent.explain(__name__)


def __getattr__(name: str) -> object:
    if name in ("detect_anomaly", "set_detect_anomaly"):
        return getattr(importlib.import_module("torch.autograd.anomaly_mode"), name)
    return _explain_absent(name)

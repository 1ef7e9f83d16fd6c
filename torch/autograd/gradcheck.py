"""Compares analytical gradients with finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._tensor import Tensor


class GradcheckError(RuntimeError):
    """The gradients differ."""


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _parts(value: Tensor) -> tuple[complex, ...]:
    """The directions in which an element may change: 1, and 1j of a complex one."""
    return (1, 1j) if value.is_complex() else (1,)


def _along(value: complex, direction: complex) -> float:
    """The part of a number that a direction means."""
    number = complex(value)
    return number.real if direction == 1 else number.imag


def _numerical_column(
    function: Callable[..., Any],
    inputs: Sequence[Any],
    x: Tensor,
    index: int,
    eps: float,
    direction: complex = 1,
) -> list[Tensor]:
    """d(outputs)/d(x.flatten()[index]) by central differences along a direction."""
    flat = x.data.reshape(-1)
    assert flat.data_ptr() == x.data_ptr(), "inputs of gradcheck must be contiguous"
    before = flat[index].item()
    with torch.no_grad():
        flat[index] = before + eps * direction
        high = [o.clone() for o in _as_tuple(function(*inputs))]
        flat[index] = before - eps * direction
        low = [o.clone() for o in _as_tuple(function(*inputs))]
        flat[index] = before
    return [(above - below) / (2 * eps) for above, below in zip(high, low, strict=True)]


def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Checks gradients against finite differences, (f(x + eps) - f(x - eps)) / (2 eps).

    Every output is checked with respect to every input that requires a gradient.

    Args:
        func: takes the inputs and returns a tensor or a tuple of tensors; it computes the same each
            time.
        inputs: a tensor or several, float64, some of which require a gradient.
        eps: half the width of the difference.
        atol, rtol: how far they may be apart: atol + rtol |difference|.
        raise_exception: whether a difference is an error.
        nondet_tol, check_undefined_grad, check_grad_dtypes, fast_mode: kept for PyTorch's
            signature.
        check_batched_grad, check_batched_forward_grad, check_forward_ad, masked: False; they are
            not implemented.
        check_backward_ad: True; there is nothing else to check.

    Returns:
        True; False where they differ and `raise_exception` is False.

    Raises:
        GradcheckError: they differ; with the first difference.
        NotImplementedError: a check that is not implemented is asked for.
        ValueError: no input requires a gradient.

    Example::

        >>> x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradcheck(torch.exp, x)
        True
    """
    refused = {
        "check_batched_grad": check_batched_grad,
        "check_batched_forward_grad": check_batched_forward_grad,
        "check_forward_ad": check_forward_ad,
        "masked": masked,
    }
    for name, wanted in refused.items():
        if wanted:
            raise NotImplementedError(
                f"gradcheck({name}=True) is not implemented here; leave it out"
            )
    if not check_backward_ad:
        raise ValueError("gradcheck has nothing to check without check_backward_ad")
    arguments = _as_tuple(inputs)
    checked = [x for x in arguments if isinstance(x, Tensor) and x.requires_grad]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the "
            "them have requires_grad=True."
        )
    outputs = [o for o in _as_tuple(func(*arguments)) if isinstance(o, Tensor)]
    for output_index, output in enumerate(outputs):
        if not output.requires_grad:
            continue
        # Of a complex output the real and the imaginary part are two functions: the gradient of
        # the former is that for a seed of 1, of the latter that for 1j.
        rows = {}
        for k in range(output.numel()):
            for part in _parts(output):
                seed = torch.zeros_like(output).reshape(-1)
                seed[k] = part
                rows[k, part] = torch.autograd.grad(
                    output,
                    checked,
                    seed.reshape(output.shape),
                    retain_graph=True,
                    allow_unused=True,
                )
        places = [
            (input_index, x, j, direction)
            for input_index, x in enumerate(checked)
            for j in range(x.numel())
            for direction in _parts(x)
        ]
        for input_index, x, j, direction in places:
            columns = _numerical_column(func, arguments, x, j, eps, direction)
            numerical = columns[output_index].reshape(-1)
            for (k, part), grads in rows.items():
                grad = grads[input_index]
                found = 0.0 if grad is None else grad.reshape(-1)[j].item()
                analytical = _along(found, direction)
                expected = _along(numerical[k].item(), part)
                if abs(analytical - expected) <= atol + rtol * abs(expected):
                    continue
                if raise_exception:
                    raise GradcheckError(
                        f"Jacobian mismatch for output {output_index} with respect to input "
                        f"{input_index},\nnumerical:{expected}\nanalytical:{analytical}\n"
                    )
                return False
    return True


def gradgradcheck(func: Callable[..., Any], inputs: Tensor | Sequence[Any], **kwargs: Any) -> bool:
    """Checks second derivatives: `gradcheck` of the gradient of the function's summed outputs.

    Args:
        func: takes the inputs and returns a tensor or a tuple of tensors.
        inputs: a tensor or several, float64, some of which require a gradient.
        **kwargs: tolerances and other options of `gradcheck`.

    Returns:
        True; False where they differ and `raise_exception` is False.

    Raises:
        GradcheckError: they differ.

    Example::

        >>> x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradgradcheck(torch.exp, x)
        True
    """
    arguments = _as_tuple(inputs)

    def gradient(*args: Any) -> tuple[Tensor, ...]:
        with torch.enable_grad():
            outputs = [
                torch.view_as_real(o) if o.is_complex() else o for o in _as_tuple(func(*args))
            ]
            total: Any = sum(o.sum() for o in outputs)
            wanted = [a for a in args if isinstance(a, Tensor) and a.requires_grad]
            return torch.autograd.grad(total, wanted, create_graph=True)

    return gradcheck(gradient, arguments, **kwargs)


__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

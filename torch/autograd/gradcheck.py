"""Compares gradients with finite differences."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import _absent
from torch._tensor import Tensor
from torch.autograd.function import Function, FunctionCtx


class GradcheckError(RuntimeError):
    """The gradients differ."""


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _differentiable(outputs: Any) -> dict[int, Tensor]:
    """The outputs that require a gradient, by their place among all."""
    return {
        place: output
        for place, output in enumerate(_as_tuple(outputs))
        if isinstance(output, Tensor) and output.requires_grad
    }


def _random(shape: Sequence[int], like: Tensor) -> Tensor:
    """Positive random numbers whose squares add up to 1, complex where `like` is."""
    dtype = like.dtype if like.is_floating_point() or like.is_complex() else torch.float64
    value = torch.rand(shape, dtype=dtype, device=like.device)
    norm = value.abs().pow(2).sum().sqrt()
    return value / norm if value.numel() else value


def _dot(a: Tensor, b: Tensor) -> Tensor:
    """The real inner product, Re(conj(a) b) summed."""
    product = a.conj() * b if a.is_complex() else a * b
    return (torch.real(product) if product.is_complex() else product).sum()


@dataclass
class _Check:
    """One function at one point.

    Attributes:
      func: the function.
      inputs: what it is called with.
      checked: the inputs that require a gradient, by their place.
      outputs: the outputs that do, by their place.
    """

    func: Callable[..., Any]
    inputs: tuple[Any, ...]
    checked: dict[int, Tensor]
    outputs: dict[int, Tensor]
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_grad_dtypes: bool

    # ---- finite differences

    def difference(self, change: Callable[[float], None]) -> list[Tensor]:
        """(f(x + eps) - f(x - eps)) / (2 eps) of each output; `change` moves the inputs."""
        change(self.eps)
        above = self._values()
        change(-self.eps)
        below = self._values()
        for high, low in zip(above, below, strict=True):
            for what in ("shape", "dtype"):
                if getattr(high, what) != getattr(low, what):
                    raise AssertionError(
                        f"Expected `func` to return outputs with the same {what} when inputs are perturbed on the elements by eps, but got:\n - eps: {what} of {getattr(low, what)}\n + eps: {what} of {getattr(high, what)}\n"
                    )
        return [(high - low) / (2 * self.eps) for high, low in zip(above, below, strict=True)]

    def _values(self) -> list[Tensor]:
        values = _as_tuple(self.func(*self.inputs))
        if not self.outputs:
            return [v.detach().clone() for v in values if isinstance(v, Tensor)]
        return [values[place].detach().clone() for place in self.outputs]

    def numerical_columns(self, x: Tensor, direction: complex) -> list[Tensor]:
        """The Jacobian of each output in the elements of an input, (numel of x, numel of it)."""
        data = x.data
        rows: list[list[Tensor]] = []
        for index in itertools.product(*(range(n) for n in x.shape)):
            before = data[index].clone()

            def move(by: float, index: Any = index, before: Tensor = before) -> None:
                data[index] = before + by * direction

            try:
                rows.append([d.reshape(-1) for d in self.difference(move)])
            finally:
                data[index] = before
        return [torch.stack(column) for column in zip(*rows, strict=True)]

    def numerical_along(self, x: Tensor, u: Tensor) -> list[Tensor]:
        """What the outputs change by along a direction of an input."""
        data = x.data
        before = data.clone()

        def move(by: float) -> None:
            data.copy_(before + by * u)

        try:
            return self.difference(move)
        finally:
            data.copy_(before)

    # ---- gradients

    def gradients(self, output: Tensor, seed: Tensor) -> list[Tensor]:
        """The gradients of one output, twice, for they must be the same."""
        tensors = list(self.checked.values())
        first, second = (
            torch.autograd.grad(output, tensors, seed, retain_graph=True, allow_unused=True)
            for _ in range(2)
        )
        found = []
        for x, grad, again in zip(tensors, first, second, strict=True):
            if grad is None:
                found.append(torch.zeros_like(x))
                continue
            if self.check_grad_dtypes and grad.dtype != x.dtype:
                raise GradcheckError("Gradient has dtype mismatch")
            if grad.shape != x.shape:
                raise GradcheckError("Analytical gradient has incorrect size")
            if again is None or not self._steady(grad, again):
                raise GradcheckError(
                    f"Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values. The tolerance for nondeterminism was {self.nondet_tol}."
                )
            found.append(grad)
        return found

    def _steady(self, grad: Tensor, again: Tensor) -> bool:
        if grad.numel() == 0 or bool((torch.isnan(grad) & torch.isnan(again)).any()):
            return True
        return bool((grad - again).abs().max() <= self.nondet_tol)

    def analytical_rows(self, output: Tensor, part: complex) -> list[Tensor]:
        """The Jacobian of one output in each input, (numel of the output, numel of it)."""
        rows = []
        for k in range(output.numel()):
            seed = torch.zeros(output.numel(), dtype=output.dtype, device=output.device)
            seed[k] = part
            grads = self.gradients(output, seed.reshape(output.shape))
            rows.append([g.reshape(-1) for g in grads])
        return [torch.stack(column) for column in zip(*rows, strict=True)]

    # ---- the checks

    def no_outputs(self) -> None:
        """A function without differentiable outputs changes nowhere."""
        for x in self.checked.values():
            for column in self.numerical_columns(x, 1):
                if not bool((column == 0).all()):
                    raise GradcheckError("Numerical gradient for function expected to be zero")

    def slow(self) -> None:
        """Every entry of every Jacobian."""
        numerical = [
            {direction: self.numerical_columns(x, direction) for direction in _parts(x)}
            for x in self.checked.values()
            if x.numel()
        ]
        imaginary_first = [(o, i) for i, o in enumerate(self.outputs.values()) if o.is_complex()]
        everything = [(o, i) for i, o in enumerate(self.outputs.values())]
        for part, chosen in ((1j, imaginary_first), (1, everything)):
            for output, place in chosen:
                if output.numel() == 0:
                    continue
                rows = [
                    r
                    for r, x in zip(
                        self.analytical_rows(output, part), self.checked.values(), strict=True
                    )
                    if x.numel()
                ]
                for j, (row, columns) in enumerate(zip(rows, numerical, strict=True)):
                    for direction, found in columns.items():
                        expected = _along(found[place], part)
                        self._compare(_along(row, direction).T, expected, output, part, place, j)

    def _compare(
        self, found: Tensor, expected: Tensor, output: Tensor, part: complex, i: int, j: int
    ) -> None:
        found = found.to(expected.dtype)
        if torch.allclose(found, expected, rtol=self.rtol, atol=self.atol):
            return
        prefix = ""
        if output.is_complex():
            prefix = (
                f"While considering the {'real' if part == 1 else 'imaginary'} part of complex "
                "outputs only, "
            )
        raise GradcheckError(
            f"{prefix}Jacobian mismatch for output {i} with respect to input {j},\n"
            f"numerical:{expected}\nanalytical:{found}\n"
        )

    def fast(self) -> None:
        """One random combination of the entries of each Jacobian."""
        directions = [_random(x.shape, x) for x in self.checked.values()]
        changes = [
            self.numerical_along(x, u)
            for x, u in zip(self.checked.values(), directions, strict=True)
        ]
        for i, output in enumerate(self.outputs.values()):
            v = _random(output.shape, output)
            grads = self.gradients(output, v)
            for j, (u, grad, change) in enumerate(zip(directions, grads, changes, strict=True)):
                found = _dot(grad, u.to(grad.dtype)).double()
                expected = _dot(v, change[i]).double()
                atol = self.atol * float(u.abs().sum()) * float(v.abs().sum())
                if torch.allclose(found, expected, rtol=self.rtol, atol=atol):
                    continue
                self.slow()  # It says which entries.
                raise GradcheckError(
                    f"Jacobian mismatch for output {i} with respect to input {j},\n"
                    f"numerical:{expected}\nanalytical:{found}\n"
                    "in fast mode, for a random combination of the entries; the entries alone are within the tolerances.\n"
                )

    def batched_gradients(self) -> None:
        """Gradients of a batch of vectors are those of each."""
        tensors = list(self.checked.values())
        for i, output in enumerate(self.outputs.values()):
            seeds = [torch.randn_like(output) for _ in range(2)]
            expected = [
                torch.autograd.grad(output, tensors, seed, retain_graph=True, allow_unused=True)
                for seed in seeds
            ]
            found = torch.autograd.grad(
                output,
                tensors,
                torch.stack(seeds),
                retain_graph=True,
                allow_unused=True,
                is_grads_batched=True,
            )
            for j, batch in enumerate(found):
                if batch is None:
                    continue
                alone = torch.stack([grads[j] for grads in expected])
                if not torch.allclose(batch, alone):
                    raise GradcheckError(
                        f"gradcheck or gradgradcheck failed while testing batched gradient computation, for output {i} and input {j}.\nGot:\n{batch}\n\nExpected:\n"
                        f"{alone}\n"
                    )

    def multiplied_by_grad_output(self) -> None:
        """The gradients of a zero vector are zero."""
        tensors = list(self.checked.values())
        outputs = list(self.outputs.values())
        grads = torch.autograd.grad(
            outputs,
            tensors,
            [torch.zeros_like(o) for o in outputs],
            retain_graph=True,
            allow_unused=True,
        )
        for grad, x in zip(grads, tensors, strict=True):
            if grad is None:
                continue
            if not bool((grad == 0).all()):
                raise GradcheckError("backward not multiplied by grad_output")
            for what in ("dtype", "device", "shape"):
                if getattr(grad, what) != getattr(x, what):
                    word = {"dtype": "type", "shape": "size"}.get(what, what)
                    raise GradcheckError(f"grad is incorrect {word}")

    def undefined_gradients(self) -> None:
        """Gradients that are undefined count as zeros: all of them, and each alone."""
        outputs = _differentiable(self.func(*self.inputs))
        places = list(outputs)
        cases = [places, *([p] for p in places)] if len(places) > 1 else [places]
        for undefined in cases:
            chosen = [
                _Undefined.apply(o) if place in undefined else o for place, o in outputs.items()
            ]
            try:
                grads = torch.autograd.grad(
                    chosen,
                    list(self.checked.values()),
                    [torch.zeros_like(o) for o in chosen],
                    retain_graph=True,
                    allow_unused=True,
                )
            except RuntimeError as error:
                _warn_of_undefined()
                raise GradcheckError(
                    'Expected backward function to handle undefined output grads. Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
                ) from error
            if any(g is not None and not bool((g == 0).all()) for g in grads):
                _warn_of_undefined()
                raise GradcheckError(
                    'Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
                )


class _Undefined(Function):
    """The identity, whose gradient is undefined."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> None:
        return None


def _warn_of_undefined() -> None:
    warnings.warn(
        'Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing callers of this function. If this is true for you, you can call this function with "check_undefined_grad=False" to disable the feature',
        stacklevel=4,
    )


def _parts(value: Tensor) -> tuple[complex, ...]:
    """The directions in which an element may change: 1, and 1j of a complex one."""
    return (1, 1j) if value.is_complex() else (1,)


def _along(value: Tensor, direction: complex) -> Tensor:
    """The part of complex numbers that a direction means."""
    if not value.is_complex():
        return value if direction == 1 else torch.zeros_like(value)
    return torch.real(value) if direction == 1 else torch.imag(value)


def _checked_inputs(inputs: tuple[Any, ...]) -> Iterator[tuple[int, Tensor]]:
    for index, x in enumerate(inputs):
        if not isinstance(x, Tensor) or not x.requires_grad:
            continue
        if x.dtype not in (torch.float64, torch.complex128):
            warnings.warn(
                f"Input #{index} requires gradient and is not a double precision floating point or complex. This check will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=4,
            )
        if any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True)):
            raise RuntimeError(
                f"The {index}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck."
            )
        yield index, x


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

    Every output is checked with respect to every input that requires a gradient. A function
    without an output that does must not change with these inputs.

    Args:
        func: takes the inputs and returns a tensor or a tuple of tensors; it computes the same each
            time.
        inputs: a tensor or several, float64, some of which require a gradient.
        eps: half the width of the difference.
        atol, rtol: how far they may be apart: atol + rtol |difference|.
        raise_exception: whether a difference is an error.
        nondet_tol: how far the gradients of two passes may be apart.
        check_undefined_grad: whether undefined gradients of outputs have to count as zeros.
        check_grad_dtypes: whether gradients must have the dtype of their inputs.
        check_batched_grad: whether `torch.autograd.grad` with `is_grads_batched` is compared too.
        check_batched_forward_grad, check_forward_ad: False; derivatives go backward.
        check_backward_ad: True; there is nothing else to check.
        fast_mode: whether one random combination of all entries is compared instead of each entry.
        masked: for sparse tensors, which do not exist here.

    Returns:
        True; False where they differ and `raise_exception` is False.

    Raises:
        GradcheckError: they differ; with the first difference.
        NotImplementedError: a check that is not implemented is asked for.
        ValueError: no input requires a gradient.
        RuntimeError: an input has a dimension of stride 0.
        AssertionError: the shape or the dtype of an output depends on the values.

    Example::

        >>> x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradcheck(torch.exp, x)
        True
    """
    refused = {
        "check_batched_forward_grad": check_batched_forward_grad,
        "check_forward_ad": check_forward_ad,
    }
    for name, wanted in refused.items():
        if wanted:
            raise NotImplementedError(
                f"gradcheck({name}=True) is not implemented here; leave it out"
            )
    if not check_backward_ad:
        raise ValueError("gradcheck has nothing to check without check_backward_ad")
    arguments = _as_tuple(inputs)
    checked = dict(_checked_inputs(arguments))
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True."
        )
    check = _Check(
        func,
        arguments,
        checked,
        _differentiable(func(*arguments)),
        eps,
        atol,
        rtol,
        nondet_tol,
        check_grad_dtypes,
    )
    for x in checked.values():
        x.retain_grad()
    try:
        if not check.outputs:
            check.no_outputs()
            return True
        if fast_mode:
            check.fast()
        else:
            check.slow()
        if check_batched_grad:
            check.batched_gradients()
        check.multiplied_by_grad_output()
        if check_undefined_grad:
            check.undefined_gradients()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    *,
    gen_non_contig_grad_outputs: bool = False,
    **kwargs: Any,
) -> bool:
    """Checks second derivatives: `gradcheck` of the gradient of a function.

    Args:
        func: takes the inputs and returns a tensor or a tuple of tensors.
        inputs: a tensor or several, float64, some of which require a gradient.
        grad_outputs: the vectors that the gradient is taken with, one for each output that requires
            a gradient; random ones if None.
        gen_non_contig_grad_outputs: whether random ones are not contiguous.
        **kwargs: tolerances and other options of `gradcheck`; `check_fwd_over_rev` and
            `check_rev_over_rev` are False and True.

    Returns:
        True; False where they differ and `raise_exception` is False.

    Raises:
        GradcheckError: they differ.
        NotImplementedError: a check of forward derivatives is asked for.

    Example::

        >>> x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradgradcheck(torch.exp, x)
        True
    """
    if kwargs.pop("check_fwd_over_rev", False):
        raise NotImplementedError(
            "gradgradcheck(check_fwd_over_rev=True) is not implemented here; leave it out"
        )
    if not kwargs.pop("check_rev_over_rev", True):
        raise ValueError("gradgradcheck has nothing to check without check_rev_over_rev")
    arguments = _as_tuple(inputs)
    if grad_outputs is None:
        vectors = tuple(
            _vector(output, strided=gen_non_contig_grad_outputs)
            for output in _differentiable(func(*arguments)).values()
        )
    else:
        vectors = _as_tuple(grad_outputs)
    count = len(vectors)

    def gradient(*args: Any) -> tuple[Tensor, ...]:
        given, seeds = args[: len(args) - count], args[len(args) - count :]
        outputs = tuple(_differentiable(func(*given)).values())
        wanted = tuple(a for a in given if isinstance(a, Tensor) and a.requires_grad)
        grads = torch.autograd.grad(outputs, wanted, seeds, create_graph=True, allow_unused=True)
        return tuple(g for g in grads if g is not None)

    return gradcheck(gradient, arguments + vectors, **kwargs)


def _vector(output: Tensor, *, strided: bool) -> Tensor:
    """Random numbers between -1 and 1 of an output's shape."""
    dtype = output.dtype if output.is_floating_point() or output.is_complex() else torch.float64
    shape = (*output.shape, 2) if strided else output.shape
    value = torch.rand(shape, dtype=dtype, device=output.device) * 2 - 1
    return (value[..., 0] if strided else value).detach().requires_grad_()


__getattr__ = _absent.explain(__name__)

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

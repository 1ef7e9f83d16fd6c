"""Limited-memory BFGS (Nocedal and Wright, Numerical Optimization: algorithms 7.4, 3.5, 3.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.optim.optimizer import ARGUMENTS, Optimizer, check_hyperparameters, real_parts

# A curvature below this says nothing about the Hessian.
_LEAST_CURVATURE = 1e-10
# Sufficient decrease and curvature of the strong Wolfe conditions.
_DECREASE, _CURVATURE = 1e-4, 0.9


@dataclass
class _Point:
    """A place on the line that is searched: step, loss, gradient, and its slope along the line."""

    step: float
    loss: float
    gradient: Tensor
    slope: float


def _cubic_minimum(a: _Point, b: _Point, low: float, high: float) -> float:
    """Where the cubic through two points and their slopes is least, between the bounds (3.59)."""
    middle = (low + high) / 2
    if a.step == b.step:
        return middle
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.step - b.step)
    square = d1 * d1 - a.slope * b.slope
    if not square >= 0:
        return middle
    d2 = square**0.5 if b.step >= a.step else -(square**0.5)
    divisor = b.slope - a.slope + 2 * d2
    if divisor == 0:
        return middle
    return min(max(b.step - (b.step - a.step) * ((b.slope + d2 - d1) / divisor), low), high)


def _strong_wolfe(
    evaluate: Callable[[float], _Point], start: _Point, step: float, least: float, most: int
) -> tuple[_Point, int]:
    """A step that lowers the loss and the slope enough, and how often the loss was computed.

    The search is that of Schmidt's minFunc, which PyTorch has too: the same function gives the same
    steps. It ends when a bracket is shorter than `least`, or after `most` trials beside the first.
    """
    ends, calls, found = _bracket(evaluate, start, step, most)
    if found:
        return ends[0], calls
    stuck = False  # The last trial was near an end already.
    low, high = (0, 1) if ends[0].loss <= ends[1].loss else (1, 0)
    while calls <= most and abs(ends[1].step - ends[0].step) >= least:
        left, right = sorted(end.step for end in ends)
        step = _cubic_minimum(ends[0], ends[1], left, right)
        margin = 0.1 * (right - left)
        near = min(right - step, step - left) < margin
        if near and (stuck or step >= right or step <= left):
            step = right - margin if abs(step - right) < abs(step - left) else left + margin
            near = False
        stuck = near
        point = evaluate(step)
        calls += 1
        if point.loss > start.loss + _DECREASE * step * start.slope or (
            point.loss >= ends[low].loss
        ):
            ends[high] = point
            low, high = (0, 1) if ends[0].loss <= ends[1].loss else (1, 0)
            continue
        if abs(point.slope) <= -_CURVATURE * start.slope:
            return point, calls
        if point.slope * (ends[high].step - ends[low].step) >= 0:
            ends[high] = ends[low]
        ends[low] = point
    return ends[low], calls


def _bracket(
    evaluate: Callable[[float], _Point], start: _Point, step: float, most: int
) -> tuple[list[_Point], int, bool]:
    """Two points around a minimum, the number of calls, and whether the first is good already."""
    previous, point = start, evaluate(step)
    for trial in range(most):
        too_high = point.loss > start.loss + _DECREASE * point.step * start.slope
        if too_high or (trial > 1 and point.loss >= previous.loss):
            return [previous, point], trial + 1, False
        if abs(point.slope) <= -_CURVATURE * start.slope:
            return [point], trial + 1, True
        if point.slope >= 0:
            return [previous, point], trial + 1, False
        nearest = point.step + 0.01 * (point.step - previous.step)
        step = _cubic_minimum(previous, point, nearest, 10 * point.step)
        previous, point = point, evaluate(step)
    return [start, point], most + 1, False


@documented_by(ARGUMENTS)
class LBFGS(Optimizer):
    """Limited-memory BFGS: steps by an inverse Hessian that it learns from its last steps (Nocedal
    and Wright, Numerical Optimization, algorithm 7.4).

    One `step` runs up to `max_iter` iterations. It wants a closure that clears the gradients,
    computes the loss, runs its backward pass and returns it. All parameters are in one group.

    Args:
        max_iter: the most iterations of a step.
        max_eval: the most calls of the closure of a step; 1.25 max_iter if None.
        tolerance_grad: a largest element of the gradient that ends the step.
        tolerance_change: a change of parameters or loss that ends the step.
        history_size: how many past steps are kept.
        line_search_fn: None for steps of size `lr`, or "strong_wolfe".

    Raises:
        ValueError: several groups, or a rate that is negative.
        RuntimeError: another line search, or `step` without a closure.

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.LBFGS([weight], line_search_fn="strong_wolfe")
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = ((weight - 3) ** 2).sum()
        ...     loss.backward()
        ...     return loss
        >>> _ = optimizer.step(closure)
        >>> weight.detach()
        tensor([3.])
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_hyperparameters(learning_rate=lr)
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        super().__init__(
            params,
            {
                "lr": lr,
                "max_iter": max_iter,
                "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad,
                "tolerance_change": tolerance_change,
                "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params: list[Tensor] = self.param_groups[0]["params"]

    def _flat_gradient(self) -> Tensor:
        return torch.cat(
            [
                real_parts(torch.zeros_like(p) if p.grad is None else p.grad).reshape(-1)
                for p in self._params
            ]
        )

    def _move(self, step: float, direction: Tensor) -> None:
        offset = 0
        for param in map(real_parts, self._params):
            part = direction[offset : offset + param.numel()]
            param.add_(part.view_as(param), alpha=step)
            offset += param.numel()

    def _direction(self, state: dict[str, Any], gradient: Tensor) -> Tensor:
        """Minus the gradient times the inverse Hessian: two passes over the history."""
        steps, changes = state["old_stps"], state["old_dirs"]
        direction = -gradient
        weights = []
        for s, y, rho in zip(
            reversed(steps), reversed(changes), reversed(state["ro"]), strict=True
        ):
            weights.append(s.dot(direction) * rho)
            direction.add_(y, alpha=-weights[-1].item())
        direction.mul_(state["H_diag"])
        for s, y, rho in zip(steps, changes, state["ro"], strict=True):
            weight = weights.pop() - y.dot(direction) * rho
            direction.add_(s, alpha=weight.item())
        return direction

    def _remember(self, state: dict[str, Any], gradient: Tensor, size: int) -> None:
        change = gradient - state["prev_flat_grad"]
        step = state["d"] * state["t"]
        curvature = change.dot(step).item()
        if curvature <= _LEAST_CURVATURE:
            return
        if len(state["old_dirs"]) == size:
            for history in ("old_dirs", "old_stps", "ro"):
                state[history].pop(0)
        state["old_dirs"].append(change)
        state["old_stps"].append(step)
        state["ro"].append(1.0 / curvature)
        state["H_diag"] = curvature / change.dot(change).item()

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Minimises the loss that a closure computes, in up to `max_iter` iterations.

        Args:
            closure: a function that clears the gradients, computes the loss, runs its backward pass
                and returns it. It is called several times.

        Returns:
            The loss before the step.
        """
        with torch.enable_grad():
            first = closure()
        with torch.no_grad():
            self._minimise(closure, float(first))
        return first

    def _minimise(self, closure: Callable[[], Any], loss: float) -> None:
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        evaluations, gradient = 1, self._flat_gradient()
        state["func_evals"] += 1
        if gradient.abs().max().item() <= group["tolerance_grad"]:
            return

        def evaluate(step: float, direction: Tensor, origin: list[Tensor]) -> _Point:
            for param, value in zip(self._params, origin, strict=True):
                param.copy_(value)
            self._move(step, direction)
            with torch.enable_grad():
                loss = float(closure())
            found = self._flat_gradient()
            return _Point(step, loss, found, found.dot(direction).item())

        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                state |= {"old_dirs": [], "old_stps": [], "ro": [], "H_diag": 1.0}
            else:
                self._remember(state, gradient, group["history_size"])
            direction = self._direction(state, gradient)
            slope = gradient.dot(direction).item()
            first = state["n_iter"] == 1
            step = float(group["lr"])
            if first:
                step *= 1.0 / max(1.0, gradient.abs().sum().item())
            # What the next call of `step` goes on from, even if this one ends here.
            state |= {
                "d": direction,
                "t": step,
                "prev_flat_grad": gradient.clone(),
                "prev_loss": loss,
            }
            if slope > -group["tolerance_change"]:
                break
            before = loss
            origin = [param.clone() for param in self._params]
            if group["line_search_fn"] == "strong_wolfe":
                found, calls = _strong_wolfe(
                    partial(evaluate, direction=direction, origin=origin),
                    _Point(0.0, loss, gradient, slope),
                    step,
                    group["tolerance_change"] / direction.abs().max().item(),
                    group["max_eval"] - evaluations,
                )
                for param, value in zip(self._params, origin, strict=True):
                    param.copy_(value)
                self._move(found.step, direction)
            elif iteration == group["max_iter"]:
                # Nobody needs the loss there.
                self._move(step, direction)
                state["t"] = step
                break
            else:
                found, calls = evaluate(step, direction, origin), 1
            step, loss, gradient = found.step, found.loss, found.gradient
            state["t"] = step
            evaluations += calls
            state["func_evals"] += calls
            if (
                evaluations >= group["max_eval"]
                or gradient.abs().max().item() <= group["tolerance_grad"]
                or (direction * step).abs().max().item() <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
                or not isfinite(loss)
            ):
                break

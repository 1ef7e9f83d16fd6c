"""Memory for time: what lies between checkpoints is computed again in the backward pass."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch._tensor import Tensor


def noop_context_fn() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Contexts of the forward and of its repetition that do nothing."""
    return nullcontext(), nullcontext()


def _detached(value: Any) -> Any:
    """A leaf on the memory of a tensor, for the second run."""
    if not isinstance(value, Tensor):
        return value
    return value.detach().requires_grad_(value.requires_grad)


class CheckpointFunction(torch.autograd.Function):
    """Runs without recording; the backward runs it again with recording, and its backward."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        ctx.function = function
        ctx.random_state = torch.get_rng_state() if preserve else None
        ctx.is_tensor = [isinstance(a, Tensor) for a in args]
        ctx.others = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        with torch.no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        tensors = iter(ctx.saved_tensors)
        args = [
            _detached(next(tensors)) if is_tensor else other
            for is_tensor, other in zip(ctx.is_tensor, ctx.others, strict=True)
        ]
        with torch.random.fork_rng(enabled=ctx.random_state is not None):
            if ctx.random_state is not None:
                torch.set_rng_state(ctx.random_state)
            with torch.enable_grad():
                outputs = ctx.function(*args)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [
            (output, grad)
            for output, grad in zip(outputs, grads, strict=True)
            if isinstance(output, Tensor) and output.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        torch.autograd.backward([o for o, _ in pairs], [g for _, g in pairs])
        return None, None, *(a.grad if isinstance(a, Tensor) else None for a in args)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args)`, keeping only its inputs for the backward pass.

    With `use_reentrant` the backward runs a backward of its own: `torch.autograd.grad` with inputs
    does not reach through it, and one of the arguments must require grad.
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly; "
            "use_reentrant=False is recommended.",
            stacklevel=2,
        )
        use_reentrant = True
    if not use_reentrant:
        raise NotImplementedError(
            "checkpoint with use_reentrant=False needs hooks on saved tensors, which do not exist "
            "here yet; pass use_reentrant=True"
        )
    if context_fn is not noop_context_fn:
        raise ValueError("Passing `context_fn` is only supported when use_reentrant=False.")
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if torch.is_grad_enabled() and not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )
    return CheckpointFunction.apply(function, preserve_rng_state, *args)  # type: ignore[attr-defined]


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """The modules of a Sequential, or functions, one after the other, in checkpointed segments.

    The last segment is not checkpointed: its backward comes first.
    """
    if isinstance(functions, torch.nn.Sequential):
        functions = list(functions.children())
    if not 1 <= segments <= len(functions):
        raise ValueError(f"segments should be between 1 and {len(functions)}, but got {segments}")
    size = len(functions) // segments

    def run(part: Sequence[Callable[..., Any]]) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for function in part:
                value = function(value)
            return value

        return forward

    start = 0
    for _ in range(segments - 1):
        part = functions[start : start + size]
        input = checkpoint(run(part), input, use_reentrant=use_reentrant, **kwargs)
        start += size
    return run(functions[start:])(input)


__all__ = ["checkpoint", "checkpoint_sequential"]

"""Memory for time: what lies between checkpoints is computed again in the backward pass."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import torch
from torch._tensor import Tensor
from torch.amp.autocast_mode import current_autocast


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
        ctx.autocast = current_autocast()
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
        with torch.random.fork_rng(devices=[], enabled=ctx.random_state is not None):
            if ctx.random_state is not None:
                torch.set_rng_state(ctx.random_state)
            with torch.enable_grad(), ctx.autocast():
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


class CheckpointError(RuntimeError):
    """The repetition saved other tensors than the forward did."""


class _EnoughError(Exception):
    """The repetition has saved all that the backward needs."""


def _hooks() -> Any:
    from torch.autograd import graph

    hooks = getattr(graph, "saved_tensors_hooks", None)
    if hooks is None:
        raise NotImplementedError(
            "checkpoint with use_reentrant=False needs hooks on saved tensors, which do not exist "
            "here yet; pass use_reentrant=True"
        )
    return hooks


class _Frame:
    """One call: what the forward would save is counted, and made again when the backward asks."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        again: AbstractContextManager[Any],
        preserve: bool,
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.again = again
        self.random_state = torch.get_rng_state() if preserve else None
        self.autocast = current_autocast()
        self.count = 0
        self.made: dict[int, list[Tensor]] = {}

    def pack(self, tensor: Tensor) -> int:
        """Keeps the number of a tensor instead of the tensor."""
        self.count += 1
        return self.count - 1

    def unpack(self, index: int) -> Tensor:
        """The tensor of that number, out of the repetition for this backward pass."""
        task = torch._C._current_graph_task_id()
        if task not in self.made:
            self.made = {task: self._repeat()}
        return self.made[task][index]

    def _repeat(self) -> list[Tensor]:
        saved: list[Tensor] = []

        def pack(tensor: Tensor) -> None:
            saved.append(tensor.detach())
            if len(saved) == self.count:
                raise _EnoughError

        def unpack(nothing: None) -> Tensor:
            raise CheckpointError("the repetition of a checkpoint ran a backward of its own")

        args = [_detached(a) for a in self.args]
        kwargs = {name: _detached(value) for name, value in self.kwargs.items()}
        with (
            torch.random.fork_rng(devices=[], enabled=self.random_state is not None),
            self.again,
            self.autocast(),
            torch.enable_grad(),
            _hooks()(pack, unpack),
            suppress(_EnoughError),
        ):
            if self.random_state is not None:
                torch.set_rng_state(self.random_state)
            self.function(*args, **kwargs)
        if len(saved) != self.count:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                "original forward and recomputation.\nNumber of tensors saved during forward: "
                f"{self.count}\nNumber of tensors saved during recomputation: {len(saved)}."
            )
        return saved


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """function(*args), keeping only its inputs for the backward pass (Chen et al. 2016,
    arXiv:1604.06174).

    The backward pass runs the function again for the tensors that it needs: memory is paid with
    time. With `use_reentrant=True` it runs a backward pass of its own: `torch.autograd.grad` with
    inputs does not reach through it, and one of the arguments must require a gradient.

    Args:
        function: computes the same when it runs again.
        *args: its arguments.
        use_reentrant: which way is taken; None warns.
        context_fn: returns two contexts, for the first run and for the repetition; not with
            `use_reentrant=True`.
        preserve_rng_state: whether the repetition draws the same random numbers.
        **kwargs: arguments of the function; not with `use_reentrant=True`.

    Raises:
        ValueError: an argument that `use_reentrant=True` does not take.
        CheckpointError: the repetition saved another number of tensors; in the backward pass.

    Example::

        >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
        >>> y = torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False)
        >>> y.sum().backward()
        >>> x.grad
        tensor([1.0000, 2.7183])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly; "
            "use_reentrant=False is recommended.",
            stacklevel=2,
        )
        use_reentrant = True
    if not use_reentrant:
        forward, again = context_fn()
        frame = _Frame(function, args, kwargs, again, preserve_rng_state)
        with forward, _hooks()(frame.pack, frame.unpack):
            return function(*args, **kwargs)
    if context_fn is not noop_context_fn:
        raise ValueError("Passing `context_fn` is only supported when use_reentrant=False.")
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if torch.is_grad_enabled() and not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """The modules of a Sequential, or functions, one after the other, in checkpointed segments.

    The last segment is not checkpointed: its backward comes first.

    Args:
        functions: a Sequential or a list.
        segments: how many segments there are.
        input: of the first one.
        use_reentrant: as for `checkpoint`.
        **kwargs: `preserve_rng_state`.

    Raises:
        ValueError: fewer than one segment, or more than functions.

    Example::

        >>> model = torch.nn.Sequential(*[torch.nn.Linear(2, 2) for _ in range(4)])
        >>> x = torch.ones(1, 2, requires_grad=True)
        >>> torch.utils.checkpoint.checkpoint_sequential(model, 2, x, use_reentrant=False).shape
        torch.Size([1, 2])
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


__all__ = ["CheckpointError", "checkpoint", "checkpoint_sequential"]

"""Memory for time: what lies between checkpoints is computed again in the backward pass."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any, NoReturn, cast

import torch
from torch import _absent
from torch._tensor import Tensor
from torch.amp.autocast_mode import current_autocast
from torch.autograd.saved_tensors import saved_tensors_hooks
from torch.utils import _pytree


def noop_context_fn() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Contexts of the forward and of its repetition that do nothing."""
    return nullcontext(), nullcontext()


def _detached(value: Any) -> Any:
    """A leaf on the memory of a tensor, for the second run."""
    if not isinstance(value, Tensor):
        return value
    return value.detach().requires_grad_(value.requires_grad)


def _leaf(value: Any) -> Any:
    """As `_detached`; a tensor that requires no gradient is itself a leaf."""
    return _detached(value) if isinstance(value, Tensor) and value.requires_grad else value


class _RandomState:
    """The states of the generators that a run draws from: the CPU's, and of the GPUs of its
    arguments."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.cpu = torch.get_rng_state()
        self.devices, self.states = get_device_states(*args)


@contextmanager
def _drawn_again(random: _RandomState | None) -> Iterator[None]:
    """A block that draws the numbers of that state, and leaves the generators as they were."""
    if random is None:
        yield
        return
    with torch.random.fork_rng(devices=random.devices):
        torch.set_rng_state(random.cpu)
        set_device_states(random.devices, random.states)
        yield


class CheckpointFunction(torch.autograd.Function):
    """Runs without recording; the backward runs it again with recording, and its backward."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        ctx.function = function
        ctx.random = _RandomState(args) if preserve else None
        ctx.autocast = current_autocast()
        ctx.is_tensor = [isinstance(a, Tensor) for a in args]
        ctx.others = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        with torch.no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if not torch._C._is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to .backward(): it would add to gradients that nobody asked for. To resolve this error, pass use_reentrant=False."
            )
        tensors = iter(ctx.saved_tensors)
        args = [
            _detached(next(tensors)) if is_tensor else other
            for is_tensor, other in zip(ctx.is_tensor, ctx.others, strict=True)
        ]
        with _drawn_again(ctx.random), torch.enable_grad(), ctx.autocast():
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


# What `set_checkpoint_early_stop` says for calls inside of its block.
_early_stop: bool | None = None


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """A block in which the repetition of checkpoints with `use_reentrant=False` ends as soon as it
    has saved what the backward needs, or does not, whatever their `early_stop` is.

    Args:
        enable: whether they end it.

    Example::

        >>> from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
        >>> x = torch.ones(1, requires_grad=True)
        >>> with set_checkpoint_early_stop(False):
        ...     y = checkpoint(torch.exp, x, use_reentrant=False)
    """
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """A block in which checkpoints debug, whatever their `debug` is; only None and False.

    Raises:
        NotImplementedError: `enabled` is True.
    """
    if enabled:
        _refuse_debug()
    yield


def _refuse_debug() -> NoReturn:
    raise NotImplementedError(
        "checkpoint(debug=True): this release records no trace of operators; without debug the error of a checkpoint says which saved tensors differ"
    )


class DefaultDeviceType:
    """The kind of device whose random state checkpoints keep when no argument is on a device other
    than the CPU; "cpu" at first where this machine has no GPU.

    Example::

        >>> from torch.utils.checkpoint import DefaultDeviceType
        >>> kind = DefaultDeviceType.get_device_type()
        >>> DefaultDeviceType.set_device_type("cpu")
        >>> DefaultDeviceType.get_device_type()
        'cpu'
        >>> DefaultDeviceType.set_device_type(kind)
    """

    _default_device_type = "cuda" if torch.cuda.is_available() else "cpu"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        """Sets the kind of device for the whole process.

        Args:
            device: "cuda" or "cpu".
        """
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """What it is."""
        return DefaultDeviceType._default_device_type


def get_device_states(*args: Any) -> tuple[list[int], list[Tensor]]:
    """The GPUs of the tensors in the arguments, and the state of the random numbers of each.

    Args:
        *args: tensors, lists, tuples and dicts of them, and anything else.

    Returns:
        Indices of GPUs, and as many states.
    """
    leaves = _pytree.tree_leaves(args)
    devices = sorted({a.get_device() for a in leaves if isinstance(a, Tensor) and a.is_cuda})
    return devices, [torch.cuda.get_rng_state(device) for device in devices]


def set_device_states(
    devices: Sequence[int], states: Sequence[Tensor], *, device_type: str | None = None
) -> None:
    """Sets the states that `get_device_states` gave.

    Args:
        devices: indices of GPUs.
        states: as many states.
        device_type: not looked at; the devices are GPUs.
    """
    del device_type
    for device, state in zip(devices, states, strict=True):
        torch.cuda.set_rng_state(state, device)


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warns if none of the tensors requires a gradient: a checkpoint of them has none.

    Args:
        inputs: tensors and anything else.

    Example::

        >>> from torch.utils.checkpoint import check_backward_validity
        >>> check_backward_validity([torch.ones(1, requires_grad=True), 2])
    """
    if not any(isinstance(value, Tensor) and value.requires_grad for value in inputs):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        )


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with each tensor as a leaf that requires a gradient as before.

    Args:
        inputs: a tuple of tensors and anything else. The leaves share memory with them.

    Raises:
        RuntimeError: `inputs` is no tuple.

    Example::

        >>> from torch.utils.checkpoint import detach_variable
        >>> (x,) = detach_variable((torch.ones(1, requires_grad=True) * 2,))
        >>> x.is_leaf, x.requires_grad
        (True, True)
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    return tuple(_detached(value) for value in inputs)


def _metadata(tensor: Tensor) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


class _Frame:
    """One call: what the forward would save is counted, and made again when the backward asks."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        again: AbstractContextManager[Any],
        preserve: bool,
        early_stop: bool,
        metadata: Callable[[Tensor], Any],
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.again = again
        self.random = _RandomState(args) if preserve else None
        self.autocast = current_autocast()
        self.early_stop = early_stop
        self.metadata = metadata
        self.saved: list[Any] = []
        self.made: dict[int, list[Tensor | None]] = {}

    def pack(self, tensor: Tensor) -> int:
        """Keeps the number of a tensor instead of the tensor."""
        self.saved.append(self.metadata(tensor))
        return len(self.saved) - 1

    def unpack(self, index: int) -> Tensor:
        """The tensor of that number, out of the repetition for this backward pass."""
        task = torch._C._current_graph_task_id()
        if task not in self.made:
            self.made = {task: self._repeat()}
        tensor = self.made[task][index]
        if tensor is None:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with details on your use case."
            )
        # Its memory is free as soon as the backward has used it.
        self.made[task][index] = None
        return tensor

    def _repeat(self) -> list[Tensor | None]:
        saved: list[Tensor | None] = []

        def pack(tensor: Tensor) -> None:
            saved.append(tensor.detach() if tensor.requires_grad else tensor)
            if self.early_stop and len(saved) == len(self.saved):
                raise _EnoughError

        def unpack(nothing: None) -> Tensor:
            raise CheckpointError("the repetition of a checkpoint ran a backward of its own")

        args = [_leaf(a) for a in self.args]
        kwargs = {name: _leaf(value) for name, value in self.kwargs.items()}
        with (
            _drawn_again(self.random),
            self.again,
            self.autocast(),
            torch.enable_grad(),
            saved_tensors_hooks(pack, unpack),
            suppress(_EnoughError),
        ):
            self.function(*args, **kwargs)
        if len(saved) != len(self.saved):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\nNumber of tensors saved during forward: "
                f"{len(self.saved)}\nNumber of tensors saved during recomputation: {len(saved)}."
            )
        differences = [
            f"tensor at position {i}:\nsaved metadata: {before}\nrecomputed metadata: {now}\n"
            for i, (before, tensor) in enumerate(zip(self.saved, saved, strict=True))
            if before != (now := self.metadata(cast(Tensor, tensor)))
        ]
        if differences:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.\n"
                + "".join(differences)
                + "."
            )
        return saved


_DETERMINISM_CHECKS: dict[str, Callable[[Tensor], Any]] = {
    "default": _metadata,
    "none": lambda tensor: None,
}


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
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
        determinism_check: "default" compares shapes, dtypes and devices of what the repetition
            saves with the first run; "none" does not.
        debug: only False.
        early_stop: whether the repetition ends as soon as it has saved what is needed.
        **kwargs: `preserve_rng_state`, whether the repetition draws the same random numbers (True);
            with `use_reentrant=False` also arguments of the function.

    Raises:
        ValueError: an argument that `use_reentrant=True` does not take.
        NotImplementedError: `debug` is true.
        CheckpointError: in the backward pass: the repetition saved other tensors.

    Example::

        >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
        >>> y = torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False)
        >>> y.sum().backward()
        >>> x.grad
        tensor([1.0000, 2.7183])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
            "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug:
            raise ValueError(
                "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
            )
        if torch.is_grad_enabled():
            check_backward_validity(args)
        return CheckpointFunction.apply(function, preserve, *args)
    if determinism_check not in _DETERMINISM_CHECKS:
        raise ValueError(
            f"determinism_check should be one of {list(_DETERMINISM_CHECKS)}, but got {determinism_check}"
        )
    if debug:
        _refuse_debug()
    forward, again = context_fn()
    stop = early_stop if _early_stop is None else _early_stop
    metadata = _DETERMINISM_CHECKS[determinism_check]
    frame = _Frame(function, args, kwargs, again, preserve, stop, metadata)
    with forward, saved_tensors_hooks(frame.pack, frame.unpack):
        return function(*args, **kwargs)


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
        **kwargs: `preserve_rng_state`, as for `checkpoint`.

    Raises:
        ValueError: fewer than one segment, or more than functions.

    Example::

        >>> model = torch.nn.Sequential(*[torch.nn.Linear(2, 2) for _ in range(4)])
        >>> x = torch.ones(1, 2, requires_grad=True)
        >>> torch.utils.checkpoint.checkpoint_sequential(model, 2, x, use_reentrant=False).shape
        torch.Size([1, 2])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
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
        input = checkpoint(
            run(part), input, use_reentrant=use_reentrant, preserve_rng_state=preserve
        )
        start += size
    return run(functions[start:])(input)


__getattr__ = _absent.names_of(
    __name__,
    _absent.DISPATCH_MODES,
    classes="CheckpointPolicy SelectiveCheckpointContext GraphExecGroup",
    functions="create_selective_checkpoint_contexts",
)

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "DefaultDeviceType",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "detach_variable",
    "get_device_states",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
    "set_device_states",
]

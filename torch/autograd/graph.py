"""The graph of a backward pass: its edges, and hooks that see several tensors."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import _C, _absent
from torch._tensor import Tensor
from torch.autograd.saved_tensors import (
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)

if TYPE_CHECKING:
    from torch.utils.hooks import RemovableHandle


class Node(abc.ABC):
    """A function of the graph. Each `Tensor.grad_fn` is an instance; none can be made.

    Example::

        >>> y = 2 * torch.ones(1, requires_grad=True)
        >>> isinstance(y.grad_fn, torch.autograd.graph.Node)
        True
    """

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        # The class of a Function that a program defines is none: its graph has `FBackward`.
        return issubclass(other, torch.autograd.function.BackwardCFunction) or (
            hasattr(other, "next_functions") and not issubclass(other, _C._FunctionBase)
        )

    @abc.abstractmethod
    def name(self) -> str:
        """What the function is called, such as `MulBackward0`."""

    @property
    @abc.abstractmethod
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where the gradients of its inputs go: nodes, each with the number of its gradient."""

    @abc.abstractmethod
    def metadata(self) -> dict[str, Any]:
        """A dict of the program's own."""

    @abc.abstractmethod
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Calls a function after this one.

        Args:
            fn: takes the gradients of the inputs and those of the outputs, both tuples, and returns
                others of the inputs, or None.

        Returns:
            A handle whose `remove()` ends that.
        """

    @abc.abstractmethod
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Calls a function before this one.

        Args:
            fn: takes the gradients of the outputs, a tuple, and returns others, or None.

        Returns:
            A handle whose `remove()` ends that.
        """


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes; `torch.autograd.grad` and `backward` take it in place of
    the tensor.

    Attributes:
        node: the function of the graph, the tensor's `grad_fn` or the accumulator of a leaf.
        output_nr: which of the node's gradients it is.

    Example::

        >>> x = torch.ones(1, requires_grad=True)
        >>> edge = torch.autograd.graph.get_gradient_edge(x)
        >>> torch.autograd.grad(3 * x, edge)
        (tensor([3.]),)
    """

    node: Node
    output_nr: int


def _accumulator(tensor: Tensor) -> Any:
    """The node of a leaf."""
    with torch.enable_grad():
        return tensor.view_as(tensor).grad_fn.next_functions[0][0]


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of a tensor that requires a gradient: its node, and which of the node's gradients is
    its own.

    Args:
        tensor: requires a gradient.

    Raises:
        RuntimeError: it does not.

    Example::

        >>> x = torch.ones(1, requires_grad=True)
        >>> torch.autograd.graph.get_gradient_edge(2 * x).output_nr
        0
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    node = tensor.grad_fn if tensor.grad_fn is not None else _accumulator(tensor)
    return GradientEdge(node, tensor.output_nr)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Tells autograd that values changed where it could not see it.

    Args:
        tensor: one tensor or several.

    Example::

        >>> x = torch.ones(1)
        >>> torch.autograd.graph.increment_version(x)
        >>> x._version
        1
    """
    tensors = [tensor] if isinstance(tensor, Tensor) else tensor
    with torch.no_grad():
        for item in tensors:
            if item.is_inference():
                continue  # It has no version.
            item.unsqueeze(0)[:0].fill_(0)  # It changes no element.


class _MultiHandle:
    """Removes several hooks."""

    def __init__(self, handles: Sequence[Any]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Removes them all."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _MultiHandle:
        return self

    def __exit__(self, *args: object) -> None:
        self.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[..., None], *, mode: str = "all"
) -> _MultiHandle:
    """Calls a function once in a backward pass, when the gradients of several tensors exist.

    Args:
        tensors: require a gradient.
        fn: with mode "all" takes the list of gradients, None for a tensor that gets none; with
            "any" the first gradient.
        mode: "all" or "any".

    Returns:
        A handle; `remove` ends the calls.

    Raises:
        ValueError: another mode.

    Example::

        >>> x, y = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
        >>> handle = torch.autograd.graph.register_multi_grad_hook([x, y], print)
        >>> (2 * x + 3 * y).backward()
        [tensor([2.]), tensor([3.])]
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    lock = Lock()
    passes: dict[int, list[Any]] = {}

    def once(grad: Tensor) -> None:
        task = torch._C._current_graph_task_id()
        with lock:
            first = task not in passes
            passes[task] = []
        if first:
            fn(grad)

    def collect(index: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            task = torch._C._current_graph_task_id()
            with lock:
                if task not in passes:
                    # The last cell counts down the gradients that this pass will give.
                    expected = sum(map(torch._C._will_engine_execute_node, nodes))
                    passes[task] = [None] * len(tensors) + [expected]
                grads = passes[task]
                grads[index] = grad
                grads[-1] -= 1
                if grads[-1] > 0:
                    return
                del passes[task]
            fn(grads[:-1])

        return hook

    if mode == "any":
        return _MultiHandle([t.register_hook(once) for t in tensors])
    nodes = [get_gradient_edge(t).node for t in tensors]
    return _MultiHandle([t.register_hook(collect(i)) for i, t in enumerate(tensors)])


__getattr__ = _absent.explain(__name__)

__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]

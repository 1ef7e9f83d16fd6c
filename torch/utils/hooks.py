"""Handles that remove hooks, and the nodes that call those of a module's backward."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from torch import _absent


class RemovableHandle:
    """Removes a hook from the dict that holds it: by `remove()`, or at the end of a `with`.

    Args:
        hooks_dict: holds the hook under `id`.
        extra_dict: another dict, or a list of dicts, with entries of the same id.

    Example::

        >>> layer, calls = torch.nn.Linear(1, 1), []
        >>> with layer.register_forward_hook(lambda *_: calls.append(1)):
        ...     _ = layer(torch.ones(1))
        >>> _ = layer(torch.ones(1))
        >>> len(calls)
        1
    """

    next_id = 0

    def __init__(
        self, hooks_dict: OrderedDict[int, Callable[..., Any]], *, extra_dict: Any = None
    ) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.extra_dict_ref = tuple(
            weakref.ref(d)
            for d in (extra_dict if isinstance(extra_dict, list) else [extra_dict])
            if d is not None
        )
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    # A copy, or what a file has, removes the hook from the copy of the dict.
    def __getstate__(self) -> tuple[Any, ...]:
        extra = tuple(ref() for ref in self.extra_dict_ref)
        return (self.hooks_dict_ref(), self.id, extra)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        def refer(hooks: Any) -> Any:
            return weakref.ref(OrderedDict() if hooks is None else hooks)

        self.hooks_dict_ref = refer(state[0])
        self.id = state[1]
        self.extra_dict_ref = tuple(map(refer, state[2])) if len(state) > 2 else ()
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def remove(self) -> None:
        """Takes the hook away. A second call does nothing.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> handle = layer.register_forward_hook(lambda *_: print("called"))
            >>> handle.remove()
            >>> _ = layer(torch.ones(1))
        """
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *args: object) -> None:
        self.remove()


class BackwardHook:
    """Calls a module's backward hooks when the gradients of its outputs and inputs exist.

    Identity nodes around `forward` mark where its gradients come in and go out. Only tensors that
    are arguments or outputs themselves, or in the tuple that is the output, are watched; the others
    have None in the tuples that hooks see. Without an input that requires a gradient, the hooks run
    as soon as the outputs' gradients exist.
    """

    def __init__(
        self, module: Any, user_hooks: list[Callable[..., Any]], pre_hooks: list[Callable[..., Any]]
    ) -> None:
        self._module = module
        self._user_hooks = user_hooks
        self._pre_hooks = pre_hooks
        self._grad_outputs: tuple[Any, ...] | None = None
        self._inputs: list[int] | None = None
        self._outputs: list[int] = []
        self._input_count = 0
        self._output_count = 0

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Puts a node in front of a module, which hands the gradients of the inputs to the hooks.

        Args:
            args: the arguments of the module's call.

        Returns:
            The arguments, whose tensors are outputs of the node. They share memory with the given
            ones.
        """
        self._input_count = len(args)
        args, positions, node = _behind_a_node(args)
        if node is not None:
            self._inputs = positions
            node.register_hook(self._on_grad_inputs)
        return args

    def setup_output_hook(self, result: Any) -> Any:
        """Puts a node behind a module, which remembers the gradients of the outputs for the hooks.

        Args:
            result: what the module returned: a tensor, or a tuple.

        Returns:
            The same, whose tensors are outputs of the node.
        """
        single = not isinstance(result, tuple)
        values = (result,) if single else result
        self._output_count = len(values)
        values, positions, node = _behind_a_node(values)
        if node is not None:
            self._outputs = positions
            node.register_prehook(self._on_grad_outputs)
        return values[0] if single else values

    def _on_grad_inputs(self, grad_input: tuple[Any, ...], _: Any) -> tuple[Any, ...] | None:
        if self._grad_outputs is None:
            return None  # The gradient came to the inputs by another way than through the outputs.
        assert self._inputs is not None
        grads = _spread(grad_input, self._inputs, self._input_count)
        for hook in self._user_hooks:
            changed = hook(self._module, grads, self._grad_outputs)
            if changed is not None:
                grads = _as_many("hook", "grad_input", changed, len(grads))
        self._grad_outputs = None
        return tuple(grads[i] for i in self._inputs)

    def _on_grad_outputs(self, grad_output: tuple[Any, ...]) -> tuple[Any, ...]:
        grads = _spread(grad_output, self._outputs, self._output_count)
        for hook in self._pre_hooks:
            changed = hook(self._module, grads)
            if changed is not None:
                grads = _as_many("pre hook", "grad_output", changed, len(grads))
        self._grad_outputs = grads
        if self._inputs is None:
            nothing = (None,) * self._input_count
            for hook in self._user_hooks:
                changed = hook(self._module, nothing, grads)
                if changed is not None and any(grad is not None for grad in changed):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or None for all gradients."
                    )
            self._grad_outputs = None
        return tuple(grads[i] for i in self._outputs)


def _behind_a_node(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[int], Any]:
    """The values with the tensors among them passed on, where those are, and the node."""
    import torch
    from torch.nn.modules._functions import BackwardHookFunction

    positions = [i for i, value in enumerate(values) if isinstance(value, torch.Tensor)]
    tensors = [values[i] for i in positions]
    if not torch.is_grad_enabled() or not any(tensor.requires_grad for tensor in tensors):
        return values, positions, None
    passed = BackwardHookFunction.apply(*tensors)
    nodes = [tensor.grad_fn for tensor in passed if tensor.grad_fn is not None]
    changed = list(values)
    for position, tensor in zip(positions, passed, strict=True):
        changed[position] = tensor
    if type(values) is tuple:
        return tuple(changed), positions, nodes[0]
    return type(values)(*changed), positions, nodes[0]  # A named tuple.


def _spread(grads: tuple[Any, ...], positions: list[int], count: int) -> tuple[Any, ...]:
    """The gradients at their positions, None elsewhere."""
    spread: list[Any] = [None] * count
    for position, grad in zip(positions, grads, strict=True):
        spread[position] = grad
    return tuple(spread)


def _as_many(kind: str, what: str, changed: Any, count: int) -> tuple[Any, ...]:
    """What a hook returned, as a tuple of the right length."""
    grads = changed if isinstance(changed, tuple) else (changed,)
    if len(grads) != count:
        raise RuntimeError(
            f"Backward {kind} returned an invalid number of {what}, got {len(grads)}, but expected {count}"
        )
    return grads


__getattr__ = _absent.explain(__name__)

"""Which modules of a model are at work, by name."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch._tensor import Tensor
from torch.autograd.graph import register_multi_grad_hook
from torch.nn.modules.module import (
    Module,
    register_module_forward_hook,
    register_module_forward_pre_hook,
)


def _tensors(value: Any) -> list[Tensor]:
    """The tensors of arguments or results that take part in a backward pass."""
    from torch.utils import _pytree

    leaves = _pytree.tree_leaves(value)
    return [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]


class ModuleTracker:
    """A `with` block that knows which modules of a model run now, forward and backward.

    Attributes:
        parents: the names of the modules that run, such as `Net.conv`; "Global" is always there.
            A module that no other one of the block contains is called by its class.

    Example::

        >>> from torch.utils.module_tracker import ModuleTracker
        >>> model = torch.nn.Sequential(torch.nn.Linear(2, 2))
        >>> seen = []
        >>> with ModuleTracker() as tracker:
        ...     _ = model[0].register_forward_pre_hook(lambda *_: seen.extend(tracker.parents))
        ...     _ = model(torch.ones(1, 2))
        >>> sorted(seen)
        ['Global', 'Sequential', 'Sequential.0']
    """

    parents: set[str]

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._names: weakref.WeakKeyDictionary[Module, str] = weakref.WeakKeyDictionary()
        self._handles: list[Any] = []

    @property
    def is_bw(self) -> bool:
        """Whether a backward pass runs now, in this thread."""
        return torch._C._current_graph_task_id() != -1

    def _name_of(self, module: Module) -> str:
        if module not in self._names:
            root = type(module).__name__
            for path, inner in module.named_modules():
                self._names.setdefault(inner, f"{root}.{path}" if path else root)
        return self._names[module]

    def _adder(self, name: str) -> Callable[..., None]:
        def add(*_: Any) -> None:
            self.parents.add(name)

        return add

    def _remover(self, name: str) -> Callable[..., None]:
        def remove(*_: Any) -> None:
            self.parents.discard(name)

        return remove

    def _before(self, module: Module, inputs: Any) -> None:
        name = self._name_of(module)
        self.parents.add(name)
        tensors = _tensors(inputs)
        if torch.is_grad_enabled() and tensors:
            self._handles.append(register_multi_grad_hook(tensors, self._remover(name)))

    def _after(self, module: Module, inputs: Any, outputs: Any) -> None:
        name = self._name_of(module)
        self.parents.discard(name)
        tensors = _tensors(outputs)
        if torch.is_grad_enabled() and tensors:
            hook = register_multi_grad_hook(tensors, self._adder(name), mode="any")
            self._handles.append(hook)

    def __enter__(self) -> ModuleTracker:
        self._handles.append(register_module_forward_pre_hook(self._before))
        self._handles.append(register_module_forward_hook(self._after, always_call=True))
        return self

    def __exit__(self, *exc: object) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()


__all__ = ["ModuleTracker"]

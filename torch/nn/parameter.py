"""Tensors that modules register by themselves."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, SupportsIndex

import torch
from torch import _C
from torch._tensor import Tensor


class Parameter(Tensor):
    """A tensor that a `Module` counts among its parameters when it is assigned to one.

    Args:
        data: the values, which are shared; an empty tensor if None.
        requires_grad: whether gradients are wanted.

    Example::

        >>> layer = torch.nn.Module()
        >>> layer.scale = torch.nn.Parameter(torch.ones(2))
        >>> [name for name, _ in layer.named_parameters()]
        ['scale']
    """

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = torch.empty(0)
        return Tensor._make_subclass(cls, data, requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) in memo:
            return memo[id(self)]
        result = type(self)(self.data.clone(), self.requires_grad)
        memo[id(self)] = result
        return result

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        from torch import _utils

        hooks: OrderedDict[int, Any] = OrderedDict()
        state = _utils._state_of(self)
        if state is None:
            return _utils._rebuild_parameter, (self.data, self.requires_grad, hooks)
        arguments = (self.data, self.requires_grad, hooks, state)
        return _utils._rebuild_parameter_with_state, arguments

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__(tensor_contents=tensor_contents)  # type: ignore[call-arg]


class Buffer(Tensor):
    """A tensor that a `Module` counts among its buffers when it is assigned to one: state without
    gradient.

    Args:
        data: the values, which are shared; an empty tensor if None.
        persistent: whether `state_dict` has it.

    Example::

        >>> layer = torch.nn.Module()
        >>> layer.mean = torch.nn.Buffer(torch.zeros(2))
        >>> list(layer.state_dict())
        ['mean']
    """

    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Buffer:
        if data is None:
            data = torch.empty(0)
        result = Tensor._make_subclass(cls, data, data.requires_grad)
        result.persistent = persistent
        return result


_C._set_parameter_class(Parameter)

__all__ = ["Buffer", "Parameter"]

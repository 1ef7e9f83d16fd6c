"""The name that tensors had before all of them could take part in a graph."""

from __future__ import annotations

from typing import Any

from torch import _absent
from torch._C import _ImperativeEngine as ImperativeEngine
from torch._tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_VariableMeta):
    """`Variable(data, requires_grad)` is a tensor with the memory of `data`; every tensor is an
    instance of this class.

    Example::

        >>> x = torch.autograd.Variable(torch.ones(2), requires_grad=True)
        >>> type(x) is torch.Tensor, x.requires_grad
        (True, True)
    """

    # `queue_callback(function)` of it calls the function at the end of the running backward pass.
    _execution_engine = ImperativeEngine()

    def __new__(  # type: ignore[misc]
        cls, data: Tensor | None = None, requires_grad: bool = False, volatile: Any = None
    ) -> Tensor:
        del volatile  # torch.no_grad() took its place.
        if data is None:
            return Tensor().requires_grad_(requires_grad)
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(requires_grad)


__getattr__ = _absent.explain(__name__)

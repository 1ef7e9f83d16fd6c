"""Tensors that modules register by themselves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, SupportsIndex

import torch
from torch import _C
from torch._tensor import Tensor


class _ParameterMeta(_C._TensorMeta):
    """Tensors of subclasses that were made parameters are instances of Parameter, too."""

    def __instancecheck__(cls, instance: object) -> bool:
        if super().__instancecheck__(instance):
            return True
        marked = cls is Parameter and isinstance(instance, Tensor)
        return marked and getattr(instance, "_is_param", False)


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a `Module` counts among its parameters when it is assigned to one.

    Args:
        data: the values, which are shared; an empty tensor if None. A tensor of a subclass with a
            `__torch_function__` stays one of that class, marked as a parameter.
        requires_grad: whether gradients are wanted.

    Raises:
        RuntimeError: `detach()` of the subclass gives a tensor of another class.

    Example::

        >>> layer = torch.nn.Module()
        >>> layer.scale = torch.nn.Parameter(torch.ones(2))
        >>> [name for name, _ in layer.named_parameters()]
        ['scale']
    """

    # Results of operations on parameters are tensors.
    __torch_function__ = _C._disabled_torch_function_impl  # type: ignore[assignment]

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = torch.empty(0)
        if type(data) is Tensor or type(data) is Parameter:
            return Tensor._make_subclass(cls, data, requires_grad)
        marked: Any = data.detach()
        marked.requires_grad_(requires_grad)
        if type(marked) is not type(data):
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an instance of the same type, but return type {type(marked).__name__} was found instead. To use the type as a Parameter, please correct the detach() semantics defined by its __torch_dispatch__() implementation."
            )
        found: Any = marked
        found._is_param = True
        parameter: Parameter = found
        return parameter

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


class _BufferMeta(_C._TensorMeta):
    """Buffers are tensors of the class that their values have, and marked."""

    def __instancecheck__(cls, instance: object) -> bool:
        if cls is Buffer and isinstance(instance, Tensor):
            return bool(getattr(instance, "_is_buffer", False))
        return super().__instancecheck__(instance)


class Buffer(Tensor, metaclass=_BufferMeta):
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
    __torch_function__ = _C._disabled_torch_function_impl  # type: ignore[assignment]

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Buffer:
        if data is None:
            data = torch.empty(0)
        marked: Any = data.detach()
        marked.requires_grad_(data.requires_grad)
        marked.persistent = persistent
        marked._is_buffer = True
        buffer: Buffer = marked
        return buffer


class UninitializedTensorMixin:
    """What a parameter or buffer is until its shape is known: it can be moved and materialized."""

    cls_to_become: type[Tensor]
    _allowed = (
        "__hash__ size copy_ is_complex is_floating_point half float double char short int long "
        "bfloat16 cuda cpu to get_device requires_grad_ detach __deepcopy__ __reduce_ex__ __repr__"
    )

    def materialize(self: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Gives it a shape, with undefined values; from then on it is an ordinary parameter or
        buffer.

        Args:
            shape: the shape.
            device: where its values are; where it was if None.
            dtype: of the values; its own if None.

        Example::

            >>> weight = torch.nn.UninitializedParameter()
            >>> weight.materialize((2, 3))
            >>> type(weight).__name__, tuple(weight.shape)
            ('Parameter', (2, 3))
        """
        if device is None:
            device = self.data.device
        if dtype is None:
            dtype = self.data.dtype
        self.data = torch.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self) -> Any:
        """RuntimeError: there is none yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing their attributes."
        )

    def share_memory_(self) -> Any:
        """RuntimeError: there is no memory yet."""
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the parameters before calling `module.share_memory()`."
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        data = self.data
        return type(self), (self.requires_grad, data.device, data.dtype)

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            rebuild, arguments = self.__reduce_ex__(4)
            memo[id(self)] = rebuild(*arguments)
        return memo[id(self)]

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        name = getattr(func, "__name__", "")
        if name in cls._allowed.split() or name in ("__get__", "__set__"):
            result = _C._disabled_torch_function_impl(func, types, args, kwargs or {})
            if type(result) is Tensor and name != "__get__" and issubclass(cls, Buffer):
                # A buffer of another type or place has no shape yet either.
                return result.as_subclass(cls)
            return result
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {func}. This error happens when you are using a `LazyModule` or explicitly manipulating `torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` with a dummy batch to initialize the parameters before calling torch functions"
        )


class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc, override]
    """A parameter whose shape `materialize` will say; see `nn.LazyLinear`.

    Example::

        >>> weight = torch.nn.UninitializedParameter()
        >>> weight.materialize((2, 3))
        >>> type(weight).__name__, weight.shape
        ('Parameter', torch.Size([2, 3]))
    """

    cls_to_become = Parameter

    def __new__(
        cls, requires_grad: bool = True, device: Any = None, dtype: Any = None
    ) -> UninitializedParameter:
        data = torch.empty(0, device=device, dtype=dtype)
        return Tensor._make_subclass(cls, data, requires_grad)


class UninitializedBuffer(UninitializedTensorMixin, Buffer):  # type: ignore[misc, override]
    """A buffer whose shape `materialize` will say; see `nn.LazyBatchNorm1d`.

    Args:
        requires_grad: whether gradients are wanted.
        device, dtype: of the buffer.
        persistent: whether the buffer is a part of the module's state dict.

    Example::

        >>> buffer = torch.nn.parameter.UninitializedBuffer()
        >>> buffer.materialize((2,))
        >>> buffer.shape
        torch.Size([2])
    """

    cls_to_become = Tensor

    def __new__(
        cls,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> UninitializedBuffer:
        data = torch.empty(0, device=device, dtype=dtype)
        result = Tensor._make_subclass(cls, data, requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result


def is_lazy(param: Any) -> bool:
    """Whether a parameter or buffer has no shape yet: see `torch.nn.UninitializedParameter`.

    Args:
        param: the parameter or buffer.

    Example::

        >>> torch.nn.parameter.is_lazy(torch.nn.UninitializedParameter())
        True
    """
    return isinstance(param, UninitializedTensorMixin)


_C._set_parameter_class(Parameter)

__all__ = ["Buffer", "Parameter"]

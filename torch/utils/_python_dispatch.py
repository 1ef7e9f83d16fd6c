"""Questions of packages about classes that hold tensors. There are no such classes here."""

from __future__ import annotations

from typing import Any

from torch import _absent


def is_traceable_wrapper_subclass(t: object) -> bool:
    """Whether an object is a tensor that holds other tensors, by PyTorch's protocol: its class has
    `__tensor_flatten__` and `__tensor_unflatten__`.

    Args:
        t: anything.

    Example::

        >>> from torch.utils._python_dispatch import is_traceable_wrapper_subclass
        >>> is_traceable_wrapper_subclass(torch.ones(1))
        False
    """
    return is_traceable_wrapper_subclass_type(type(t))


def is_traceable_wrapper_subclass_type(t: type) -> bool:
    """Whether the objects of a class are tensors that hold other tensors.

    Args:
        t: a class.
    """
    from torch import Tensor

    protocol = ("__tensor_flatten__", "__tensor_unflatten__")
    return issubclass(t, Tensor) and t is not Tensor and all(hasattr(t, n) for n in protocol)


def is_in_torch_dispatch_mode(include_infra_modes: bool = True) -> bool:
    """Always False: there are no such modes.

    Args:
        include_infra_modes: not looked at.
    """
    return False


def any_torch_dispatch_mode_on_stack(include_infra_modes: bool = True) -> bool:
    """Always False: there are no such modes.

    Args:
        include_infra_modes: not looked at.
    """
    return False


def _get_current_dispatch_mode_stack() -> list[Any]:
    return []


__getattr__ = _absent.names_of(
    __name__,
    _absent.DISPATCH_MODES,
    classes="AliasInfo BaseTorchDispatchMode SchemaInfo TensorWithFlatten TorchDispatchMode "
    "TraceableWrapperSubclass",
    functions="autograd_would_have_decomposed get_alias_info return_and_correct_aliasing "
    "transform_subclass",
)

__all__ = [
    "any_torch_dispatch_mode_on_stack",
    "is_in_torch_dispatch_mode",
    "is_traceable_wrapper_subclass",
    "is_traceable_wrapper_subclass_type",
]

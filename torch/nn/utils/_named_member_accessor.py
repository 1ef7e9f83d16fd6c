"""Exchange of the tensors of a module, by name."""

from __future__ import annotations

from typing import Any

from torch._tensor import Tensor
from torch.nn.modules.module import Module

_MISSING: Any = object()


def swap_tensor(
    module: Module, name: str, tensor: Tensor | None, allow_missing: bool = False
) -> Tensor | None:
    """Puts a tensor in the place of a parameter, a buffer or an attribute.

    Args:
        module: the module itself, not one around it.
        name: of the tensor, without dots.
        tensor: the tensor, or None.
        allow_missing: whether the module may be without the name. What comes back for it then takes
            the name away when it is put back.

    Returns:
        What was there before.

    Example::

        >>> from torch.nn.utils._named_member_accessor import swap_tensor
        >>> layer = torch.nn.Linear(1, 1)
        >>> bias = swap_tensor(layer, "bias", torch.ones(1))
        >>> layer.bias
        tensor([1.])
        >>> swap_tensor(layer, "bias", bias)
        tensor([1.])
    """
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if "." in name:
        raise KeyError('tensor name can\'t contain "."')
    if not name:
        raise KeyError('tensor name can\'t be empty string ""')
    place: Any
    before: Tensor | None
    for place in (module._parameters, module._buffers):
        if name in place:
            before = place[name]
            if tensor is _MISSING:
                del place[name]
            else:
                place[name] = tensor
            return before
    before = getattr(module, name, _MISSING)
    if before is _MISSING and not allow_missing:
        raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
    if before is not _MISSING and before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is not _MISSING:
        setattr(module, name, tensor)
    elif before is not _MISSING:
        delattr(module, name)
    return before

"""Weight normalization by a hook; `parametrizations.weight_norm` is the newer form."""

from __future__ import annotations

import warnings
from typing import Any, TypeVar

from torch._tensor import Tensor
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, is_lazy
from torch.nn.utils.parametrizations import norm_except_dim

T = TypeVar("T", bound=Module)


class WeightNorm:
    """The hook that computes a weight before each forward.

    Args:
        name: of the weight.
        dim: the dimension over which lengths are kept apart; None for one length.
    """

    name: str
    dim: int

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """w = g v / |v|.

        Args:
            module: has the length `weight_g` and the direction `weight_v`, for "weight".

        Returns:
            The weight, which gradients reach both through.
        """
        g = getattr(module, self.name + "_g")
        v = getattr(module, self.name + "_v")
        return v * (g / norm_except_dim(v, self.dim))

    @staticmethod
    def apply(module: Module, name: str, dim: int | None) -> WeightNorm:
        """Puts length and direction in the place of the weight.

        Args:
            module: has the weight; it gets the parameters `weight_g` and `weight_v` for "weight".
            name: of the weight.
            dim: the dimension over which lengths are kept apart; None for one length.

        Returns:
            The hook, which the module calls before each forward.

        Raises:
            RuntimeError: the weight has such a hook.
            ValueError: it has no shape yet.
        """
        warnings.warn(
            "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
            FutureWarning,
            stacklevel=2,
        )
        if _find(module, name) is not None:
            raise RuntimeError(
                f"Cannot register two weight_norm hooks on the same parameter {name}"
            )
        hook = WeightNorm(name, dim)
        weight: Tensor = getattr(module, name)
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward before applying weight normalization"
            )
        del module._parameters[name]
        length = norm_except_dim(weight.detach(), hook.dim)
        module.register_parameter(name + "_g", Parameter(length))
        module.register_parameter(name + "_v", Parameter(weight.detach()))
        setattr(module, name, hook.compute_weight(module))
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Module) -> None:
        """Makes the weight a parameter again.

        The module's hook stays: `remove_weight_norm` removes both.

        Args:
            module: what `apply` changed.
        """
        weight = self.compute_weight(module).detach()
        delattr(module, self.name)
        del module._parameters[self.name + "_g"]
        del module._parameters[self.name + "_v"]
        setattr(module, self.name, Parameter(weight))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def _find(module: Module, name: str) -> Any:
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            return key
    return None


def weight_norm(module: T, name: str = "weight", dim: int | None = 0) -> T:
    """w = g v / |v|: the module gets `weight_g`, the length, and `weight_v`, the direction, instead
    of `weight` (Salimans and Kingma, "Weight normalization", 2016).

    Args:
        module: has the weight.
        name: of the weight.
        dim: the dimension over which lengths are kept apart; None for one length.

    Returns:
        The module.

    Raises:
        RuntimeError: the weight has a weight norm.
        ValueError: it has no shape yet.

    Example::

        >>> layer = torch.nn.utils.weight_norm(torch.nn.Linear(4, 2))
        >>> layer.weight_g.shape, layer.weight_v.shape
        (torch.Size([2, 1]), torch.Size([2, 4]))
    """
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: T, name: str = "weight") -> T:
    """Takes back `weight_norm`: the parameter has the values of its two parts and is an ordinary
    one.

    Args:
        module: what `weight_norm` changed, in place.
        name: of the parameter.

    Raises:
        ValueError: the parameter has no weight norm.

    Example::

        >>> layer = torch.nn.utils.weight_norm(torch.nn.Linear(2, 2))
        >>> [name for name, _ in torch.nn.utils.remove_weight_norm(layer).named_parameters()]
        ['bias', 'weight']
    """
    key = _find(module, name)
    if key is None:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    module._forward_pre_hooks.pop(key).remove(module)
    return module

"""Parameters that are functions of other parameters.

>>> from torch import nn
>>> from torch.nn.utils import parametrize
>>> class Symmetric(nn.Module):
...     def forward(self, x):
...         return x.triu() + x.triu(1).mT
>>> layer = parametrize.register_parametrization(nn.Linear(2, 2), "weight", Symmetric())
>>> bool((layer.weight == layer.weight.mT).all())
True
>>> layer.parametrizations.weight[0]
Symmetric()
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import torch
from torch import Tensor, _absent
from torch.nn.modules.container import ModuleDict, ModuleList
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter

# How many `cached` blocks are active, and what they remember by module and name.
_cache_enabled = 0
_cache: dict[tuple[int, str], Tensor | None] = {}


@contextmanager
def cached() -> Iterator[None]:
    """A block in which each parametrized tensor is computed once.

    Example::

        >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
        >>> with torch.nn.utils.parametrize.cached():
        ...     print(layer.weight is layer.weight)
        True
    """
    global _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _is_float(value: Any) -> bool:
    return value.dtype.is_floating_point or value.dtype.is_complex


class ParametrizationList(ModuleList):
    """The functions that make a tensor, the first applied first, with the parameters that they are
    applied to: `original`, or `original0`, `original1` ... where the `right_inverse` of the first
    gives several."""

    original: Tensor
    unsafe: bool

    def __init__(
        self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False
    ) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        original_shape, original_dtype = original.shape, original.dtype
        new: Any = original
        with torch.no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    # One that has no inverse for this says so; then the value is taken as it is.
                    with suppress(NotImplementedError):
                        new = module.right_inverse(new)
        if not isinstance(new, Tensor) and not isinstance(new, Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if isinstance(new, Tensor):
            if original.dtype != new.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {original.dtype}\n"
                    f"right_inverse(original).dtype: {new.dtype}"
                )
            # The given parameter stays the one that optimisers know.
            with torch.no_grad():
                original.data = new.data
            _register(self, "original", original)
        else:
            for i, value in enumerate(new):
                if not isinstance(value, Tensor):
                    raise ValueError(
                        f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element {i} of the sequence with type {type(value).__name__}."
                    )
                if isinstance(original, Parameter) and not isinstance(value, Parameter):
                    value = Parameter(value, original.requires_grad and _is_float(value))
                _register(self, f"original{i}", value)
        if not self.unsafe:
            made = self()
            if not isinstance(made, Tensor):
                raise ValueError(
                    f"A parametrization must return a tensor. Got {type(made).__name__}."
                )
            for what, found, wanted in (
                ("dtype", made.dtype, original_dtype),
                ("shape", made.shape, original_shape),
            ):
                if found != wanted:
                    raise ValueError(
                        f"Registering a parametrization may not change the {what} of the tensor, unless `unsafe` flag is enabled.\n"
                        f"unparametrized {what}: {wanted}\n"
                        f"parametrized {what}: {found}"
                    )

    def _originals(self) -> list[Tensor]:
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def right_inverse(self, value: Tensor) -> None:
        """Sets the original so that the parametrized tensor becomes `value`, by the `right_inverse`
        of each function, the last first."""
        with torch.no_grad():
            new: Any = value
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(
                        f"parametrization {type(module).__name__} does not implement right_inverse."
                    )
                new = module.right_inverse(new)
            values = [new] if self.is_tensor else list(new)
            originals = self._originals()
            if len(values) != len(originals):
                raise ValueError(
                    f"'right_inverse' must return a sequence of tensors of length {len(originals)}. Got a sequence of length {len(values)}."
                )
            for original, tensor in zip(originals, values, strict=True):
                if not isinstance(tensor, Tensor):
                    raise ValueError(
                        f"`right_inverse` should return a tensor. Got {type(tensor).__name__}"
                    )
                if original.dtype != tensor.dtype:
                    raise ValueError(
                        f"The tensor returned by `right_inverse` has dtype {tensor.dtype} while `original` has dtype {original.dtype}"
                    )
                original.data = tensor.data

    def forward(self) -> Tensor:
        first, *rest = list(self)
        x: Tensor = first(*self._originals())
        for module in rest:
            x = module(x)
        return x


def _register(module: Module, name: str, tensor: Any) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _inject_new_class(module: Module) -> None:
    """Gives a module a class of its own, on which properties can be set."""
    cls = module.__class__

    def getstate(self: Any) -> Any:
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
        )

    def deepcopy_(self: Any, memo: dict[int, Any]) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        replica = self.__new__(self.__class__)
        memo[id(self)] = replica
        replica.__dict__ = copy.deepcopy(self.__dict__, memo)
        return replica

    body: dict[str, Any] = {"__getstate__": getstate}
    if not hasattr(cls, "__deepcopy__"):
        body["__deepcopy__"] = deepcopy_
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _inject_property(module: Module, name: str) -> None:
    def get(self: Any) -> Tensor:
        parametrization = self.parametrizations[name]
        if not _cache_enabled:
            return parametrization()
        key = (id(self), name)
        tensor = _cache.get(key)
        if tensor is None:
            tensor = parametrization()
            _cache[key] = tensor
        return tensor

    def set_(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(module.__class__, name, property(get, set_))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Makes a parameter or buffer of `module` the output of `parametrization`, or of one more.

    Reading the attribute computes it; assigning to it goes through `right_inverse`, which a
    parametrization may define: it gives the tensor, or the tensors, that `forward` is to take.

    Args:
        unsafe: allows another shape or dtype and does not try the functions out.

    Returns:
        The module, whose class is another one now.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        lists: Any = module.parametrizations
        if not unsafe:
            before = getattr(module, tensor_name)
            after = parametrization(before)
            if not isinstance(after, Tensor):
                raise ValueError(
                    f"A parametrization must return a tensor. Got {type(after).__name__}."
                )
            for what in ("dtype", "shape"):
                if getattr(after, what) != getattr(before, what):
                    raise ValueError(
                        f"Registering a parametrization may not change the {what} of the tensor, unless the `unsafe` flag is enabled.\n"
                        f"module.{tensor_name}.{what}: {getattr(before, what)}\n"
                        f"parametrization(module.{tensor_name}).{what}: {getattr(after, what)}"
                    )
            if hasattr(parametrization, "right_inverse"):
                inverse = parametrization.right_inverse(after)
                if not isinstance(inverse, Tensor):
                    raise ValueError(
                        "parametrization.right_inverse must return a tensor. Got: "
                        f"{type(inverse).__name__}"
                    )
                for what in ("dtype", "shape"):
                    if getattr(inverse, what) != getattr(before, what):
                        raise ValueError(
                            f"The tensor returned by parametrization.right_inverse must have the same {what} as module.{tensor_name}, unless the `unsafe` flag is enabled.\n"
                            f"module.{tensor_name}.{what}: {getattr(before, what)}\n"
                            f"returned {what}: {getattr(inverse, what)}"
                        )
        lists[tensor_name].append(parametrization)
        lists[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original: Any = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        holder: Any = module.parametrizations
        holder[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module, or one tensor of it, is parametrized.

    Args:
        module: the module.
        tensor_name: the tensor; any if None.

    Example::

        >>> torch.nn.utils.parametrize.is_parametrized(torch.nn.Linear(2, 2))
        False
    """
    lists = getattr(module, "parametrizations", None)
    if not isinstance(lists, ModuleDict):
        return False
    return len(lists) > 0 if tensor_name is None else tensor_name in lists


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Makes a parametrized tensor an ordinary one again.

    Args:
        module: the module.
        tensor_name: the tensor.
        leave_parametrized: whether it keeps its present value; else it gets back its original one.

    Returns:
        The module.

    Raises:
        ValueError: the tensor is not parametrized, or has several originals to go back to.

    Example::

        >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 2))
        >>> _ = torch.nn.utils.parametrize.remove_parametrizations(layer, "weight")
        >>> type(layer.weight).__name__
        'Parameter'
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    lists: Any = module.parametrizations
    made = lists[tensor_name]
    if made.is_tensor:
        original = made.original
        if leave_parametrized:
            with torch.no_grad():
                value = getattr(module, tensor_name)
                if type(original) is not Parameter and type(original) is not Tensor:
                    raise RuntimeError(
                        "Calling remove_parametrizations() with leave_parametrized=True for a parameter of a tensor subclass is not supported; use False"
                    )
                original.data = value.detach().clone()
    else:
        if not leave_parametrized:
            raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of tensors."
            )
        value = getattr(module, tensor_name).detach()
        wants = any(t.requires_grad for t in made._originals())
        is_parameter = any(isinstance(t, Parameter) for t in made._originals())
        original = Parameter(value, wants) if is_parameter else value
    delattr(module.__class__, tensor_name)
    del lists[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = module.__class__.__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class that a module had before its first parametrization.

    Args:
        module: the module, parametrized or not.

    Example::

        >>> from torch.nn.utils import parametrizations, parametrize
        >>> layer = parametrizations.weight_norm(torch.nn.Linear(2, 2))
        >>> type(layer).__name__, parametrize.type_before_parametrizations(layer).__name__
        ('ParametrizedLinear', 'Linear')
    """
    return module.__class__.__bases__[0] if is_parametrized(module) else type(module)


__getattr__ = _absent.explain(__name__)

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "type_before_parametrizations",
]

"""Layers that take the number of their inputs from the first input."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.parameter import is_lazy


class LazyModuleMixin:
    """Makes a module lazy: its first call runs `initialize_parameters(*args, **kwargs)`, which
    materializes what is uninitialized, and turns the object into one of `cls_to_become`.

    Example::

        >>> layer = torch.nn.LazyLinear(2)
        >>> _ = layer(torch.ones(1, 5))
        >>> layer
        Linear(in_features=5, out_features=2, bias=True)
    """

    cls_to_become: type[Any] | None = None

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(
            self._infer_parameters, with_kwargs=True
        )
        warnings.warn(
            "Lazy modules are a new feature under heavy development so changes to the API or functionality can happen at any moment.",
            stacklevel=2,
        )

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        # Uninitialized values cannot be detached; files keep them as they are.
        for name, value in [*self._parameters.items(), *self._buffers.items()]:
            if value is not None and name not in self._non_persistent_buffers_set:
                kept = keep_vars or is_lazy(value)
                destination[prefix + name] = value if kept else value.detach()

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Gives parameters and buffers their shapes; the class of a lazy module defines it.

        Args:
            *args, **kwargs: those of the first call.

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or buffer of the module itself has no shape yet.

        Example::

            >>> layer = torch.nn.LazyLinear(2)
            >>> layer.has_uninitialized_params()
            True
            >>> _ = layer(torch.ones(1, 5))
            >>> torch.nn.parameter.is_lazy(layer.weight)
            False
        """
        return any(is_lazy(v) for v in [*self._parameters.values(), *self._buffers.values()])

    # The hooks are methods of these names in files of whole modules too.

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        """Gives uninitialized values the shapes that a state dict has."""
        for name, value in [*self._parameters.items(), *self._buffers.items()]:
            given = state_dict.get(prefix + name)
            if value is not None and given is not None and is_lazy(value) and not is_lazy(given):
                with torch.no_grad():
                    value.materialize(given.shape)

    def _infer_parameters(self, module: Any, args: Any, kwargs: Any = None) -> None:
        """What runs before the first forward."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {module._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self) -> Any:
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy forward pass to correctly initialize the modules"
        )


__all__ = ["LazyModuleMixin"]

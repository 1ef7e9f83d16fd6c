"""How `nn.Module.to` and its like give a module tensors of another kind."""

from __future__ import annotations

_overwrite = False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """With True a conversion makes new parameters; with False it changes those there are, where
    they stay on their kind of device."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion() -> bool:
    """What `set_overwrite_module_params_on_conversion` was given."""
    return _overwrite


def set_swap_module_params_on_conversion(value: bool) -> None:
    """Only False: tensors cannot change places in this release."""
    if value:
        raise NotImplementedError(
            "set_swap_module_params_on_conversion(True): this release is without "
            "torch.utils.swap_tensors; use set_overwrite_module_params_on_conversion(True)"
        )


def get_swap_module_params_on_conversion() -> bool:
    """Whether conversions swap tensors: never."""
    return False


__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

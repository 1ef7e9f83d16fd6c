"""How `nn.Module.to` and its like give a module tensors of another kind."""

from __future__ import annotations

_overwrite = False
_swap = False


def set_overwrite_module_params_on_conversion(value: bool) -> None:
    """With True a conversion makes new parameters; with False it changes those there are, where
    they stay on their kind of device."""
    global _overwrite
    _overwrite = value


def get_overwrite_module_params_on_conversion() -> bool:
    """What `set_overwrite_module_params_on_conversion` was given."""
    return _overwrite


def set_swap_module_params_on_conversion(value: bool) -> None:
    """With True, conversions and `load_state_dict` swap each parameter with its new value by
    `torch.utils.swap_tensors`: the parameters stay the same objects, of whatever kind."""
    global _swap
    _swap = value


def get_swap_module_params_on_conversion() -> bool:
    """What `set_swap_module_params_on_conversion` was given."""
    return _swap


__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

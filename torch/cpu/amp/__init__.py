"""Mixed precision on the processor, by the names that it had before torch.amp."""

from __future__ import annotations

import warnings

import torch
from torch import amp


def _deprecated(name: str) -> None:
    warnings.warn(
        f"`torch.cpu.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cpu', args...)` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(amp.autocast):
    """The older name of `torch.amp.autocast("cpu", ...)`, which warns.

    Args:
        enabled: whether it does anything.
        dtype: the lower precision, bfloat16 by default.
        cache_enabled: whether the cast of a parameter is kept for the block.
    """

    def __init__(
        self,
        enabled: bool = True,
        dtype: torch.dtype = torch.bfloat16,
        cache_enabled: bool = True,
    ) -> None:
        _deprecated("autocast")
        super().__init__("cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


class GradScaler(amp.GradScaler):
    """The older name of `torch.amp.GradScaler("cpu", ...)`, which warns.

    Args:
        init_scale: the first factor.
        growth_factor: the change after `growth_interval` steps in a row without infinities.
        backoff_factor: the change after a step that was left out.
        growth_interval: how many steps.
        enabled: False does nothing else than training without a scaler.
    """

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        _deprecated("GradScaler")
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


__all__ = ["GradScaler", "autocast"]

"""Mixed precision on GPUs, by the names that it had before torch.amp."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import _absent, amp
from torch.cuda.amp.common import amp_definitely_not_available


def _deprecated(old: str, new: str) -> None:
    warnings.warn(
        f"`torch.cuda.amp.{old}(args...)` is deprecated. Please use `{new}` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(amp.autocast):
    """The older name of `torch.amp.autocast("cuda", ...)`, which warns.

    Args:
        enabled: whether it does anything.
        dtype: the lower precision, float16 by default.
        cache_enabled: whether the cast of a parameter is kept for the block.
    """

    def __init__(
        self,
        enabled: bool = True,
        dtype: torch.dtype = torch.float16,
        cache_enabled: bool = True,
    ) -> None:
        _deprecated("autocast", "torch.amp.autocast('cuda', args...)")
        super().__init__("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


class GradScaler(amp.GradScaler):
    """The older name of `torch.amp.GradScaler("cuda", ...)`, which warns.

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
        _deprecated("GradScaler", "torch.amp.GradScaler('cuda', args...)")
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


def custom_fwd(fwd: Any = None, *, cast_inputs: torch.dtype | None = None) -> Any:
    """The older name of `torch.amp.custom_fwd(..., device_type="cuda")`, which warns.

    Args:
        fwd: a `forward`; without it the result is a decorator.
        cast_inputs: the dtype to which floating-point tensors are cast; None casts nothing.
    """
    _deprecated("custom_fwd", "torch.amp.custom_fwd(args..., device_type='cuda')")
    return amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Any:
    """The older name of `torch.amp.custom_bwd(..., device_type="cuda")`, which warns.

    Args:
        bwd: a `backward`, which runs with the autocast of its `forward`.
    """
    _deprecated("custom_bwd", "torch.amp.custom_bwd(args..., device_type='cuda')")
    return amp.custom_bwd(bwd, device_type="cuda")


__getattr__ = _absent.explain(__name__)

__all__ = ["GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd"]

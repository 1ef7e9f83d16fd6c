"""Mixed precision: operators in the dtype that suits them, and gradients of a scaled loss."""

from __future__ import annotations

from torch.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from torch.amp.grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

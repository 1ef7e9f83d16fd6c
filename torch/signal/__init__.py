"""Signal processing: windows."""

from __future__ import annotations

from torch.signal import windows as windows

__all__ = ["windows"]

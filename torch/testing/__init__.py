"""What tests of programs with tensors need."""

from __future__ import annotations

from torch.testing.comparison import assert_close
from torch.testing.creation import make_tensor

__all__ = ["assert_close", "make_tensor"]

"""What tests of programs with tensors need."""

from __future__ import annotations

from torch import _absent
from torch.testing.comparison import assert_allclose, assert_close
from torch.testing.creation import make_tensor

__getattr__ = _absent.explain(__name__)

__all__ = ["assert_allclose", "assert_close", "make_tensor"]

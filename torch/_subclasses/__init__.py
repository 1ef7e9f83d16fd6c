"""Names of tensors without memory, which stand for others while a program is recorded."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.FX,
    classes="CrossRefFakeMode DynamicOutputShapeException DataDependentOutputException FakeTensor"
    " FakeTensorMode UnsupportedFakeTensorException",
)

__all__: list[str] = []

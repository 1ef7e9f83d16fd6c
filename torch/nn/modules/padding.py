"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class _Pad(Module):
    """Adds elements around the last dimensions; one number stands for all sides."""

    _dimensions: int
    _mode: str

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__()
        count = 2 * self._dimensions
        self.padding = (padding,) * count if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != count:
            raise ValueError(
                f"{type(self).__name__} takes {count} numbers, but got {len(self.padding)}"
            )

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    _mode = "constant"

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ConstantPad1d(_ConstantPad):
    """`value` around the last dimension."""

    _dimensions = 1


class ConstantPad2d(_ConstantPad):
    """`value` around the last two dimensions."""

    _dimensions = 2


class ConstantPad3d(_ConstantPad):
    """`value` around the last three dimensions."""

    _dimensions = 3


class ZeroPad1d(_ZeroPad):
    """Zeros around the last dimension."""

    _dimensions = 1


class ZeroPad2d(_ZeroPad):
    """Zeros around the last two dimensions."""

    _dimensions = 2


class ZeroPad3d(_ZeroPad):
    """Zeros around the last three dimensions."""

    _dimensions = 3


class ReflectionPad1d(_Pad):
    """The elements mirrored at the edges."""

    _dimensions, _mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """The elements mirrored at the edges."""

    _dimensions, _mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """The elements mirrored at the edges."""

    _dimensions, _mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """The elements at the edges again."""

    _dimensions, _mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """The elements at the edges again."""

    _dimensions, _mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """The elements at the edges again."""

    _dimensions, _mode = 3, "replicate"


class CircularPad1d(_Pad):
    """The elements of the other side."""

    _dimensions, _mode = 1, "circular"


class CircularPad2d(_Pad):
    """The elements of the other side."""

    _dimensions, _mode = 2, "circular"


class CircularPad3d(_Pad):
    """The elements of the other side."""

    _dimensions, _mode = 3, "circular"

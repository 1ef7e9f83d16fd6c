"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class _Pad(Module):
    """What the padding layers have in common.

    Args:
        padding: two numbers for each padded dimension, the last dimension first: before and behind
            it. One number stands for all of them; negative ones crop.

    Raises:
        ValueError: not two numbers for each dimension.
    """

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
    """What the layers that pad with one value have in common.

    Args:
        padding: two numbers for each padded dimension, the last dimension first: before and behind
            it. One number stands for all of them; negative ones crop.
        value: what is put there.

    Raises:
        ValueError: not two numbers for each dimension.
    """

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


@documented_by(_ConstantPad)
class ConstantPad1d(_ConstantPad):
    """`value` around the last dimension.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with a larger L.

    Example::

        >>> torch.nn.ConstantPad1d((1, 2), 9.0)(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[9., 1., 2., 3., 9., 9.]]])
    """

    _dimensions = 1


@documented_by(_ConstantPad)
class ConstantPad2d(_ConstantPad):
    """`value` around the last two dimensions.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with larger H and W.

    Example::

        >>> torch.nn.ConstantPad2d((1, 0, 0, 1), 9.0)(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
        tensor([[[9., 1., 2.],
                 [9., 3., 4.],
                 [9., 9., 9.]]])
    """

    _dimensions = 2


@documented_by(_ConstantPad)
class ConstantPad3d(_ConstantPad):
    """`value` around the last three dimensions.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with larger D, H and W.

    Example::

        >>> torch.nn.ConstantPad3d(1, 9.0)(torch.ones(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    _dimensions = 3


@documented_by(_Pad)
class ZeroPad1d(_ZeroPad):
    """Zeros around the last dimension.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with a larger L.

    Example::

        >>> torch.nn.ZeroPad1d((1, 2))(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[0., 1., 2., 3., 0., 0.]]])
    """

    _dimensions = 1


@documented_by(_Pad)
class ZeroPad2d(_ZeroPad):
    """Zeros around the last two dimensions.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with larger H and W.

    Example::

        >>> torch.nn.ZeroPad2d((1, 0, 0, 1))(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
        tensor([[[0., 1., 2.],
                 [0., 3., 4.],
                 [0., 0., 0.]]])
    """

    _dimensions = 2


@documented_by(_Pad)
class ZeroPad3d(_ZeroPad):
    """Zeros around the last three dimensions.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with larger D, H and W.

    Example::

        >>> torch.nn.ZeroPad3d(1)(torch.ones(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    _dimensions = 3


@documented_by(_Pad)
class ReflectionPad1d(_Pad):
    """The elements mirrored at the edges of the last dimension, which do not come twice.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with a larger L.

    Raises:
        RuntimeError: as much padding as the size, or more.
        ValueError: not two numbers for each dimension.

    Example::

        >>> torch.nn.ReflectionPad1d((1, 2))(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[2., 1., 2., 3., 2., 1.]]])
    """

    _dimensions, _mode = 1, "reflect"


@documented_by(_Pad)
class ReflectionPad2d(_Pad):
    """The elements mirrored at the edges of the last two dimensions, which do not come twice.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with larger H and W.

    Raises:
        RuntimeError: as much padding as the size, or more.
        ValueError: not two numbers for each dimension.

    Example::

        >>> torch.nn.ReflectionPad2d((1, 0, 0, 1))(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
        tensor([[[2., 1., 2.],
                 [4., 3., 4.],
                 [2., 1., 2.]]])
    """

    _dimensions, _mode = 2, "reflect"


@documented_by(_Pad)
class ReflectionPad3d(_Pad):
    """The elements mirrored at the edges of the last three dimensions, which do not come twice.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with larger D, H and W.

    Raises:
        RuntimeError: as much padding as the size, or more.
        ValueError: not two numbers for each dimension.

    Example::

        >>> torch.nn.ReflectionPad3d(1)(torch.ones(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    _dimensions, _mode = 3, "reflect"


@documented_by(_Pad)
class ReplicationPad1d(_Pad):
    """The elements at the edges of the last dimension, again.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with a larger L.

    Example::

        >>> torch.nn.ReplicationPad1d((1, 2))(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[1., 1., 2., 3., 3., 3.]]])
    """

    _dimensions, _mode = 1, "replicate"


@documented_by(_Pad)
class ReplicationPad2d(_Pad):
    """The elements at the edges of the last two dimensions, again.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with larger H and W.

    Example::

        >>> torch.nn.ReplicationPad2d((1, 0, 0, 1))(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
        tensor([[[1., 1., 2.],
                 [3., 3., 4.],
                 [3., 3., 4.]]])
    """

    _dimensions, _mode = 2, "replicate"


@documented_by(_Pad)
class ReplicationPad3d(_Pad):
    """The elements at the edges of the last three dimensions, again.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with larger D, H and W.

    Example::

        >>> torch.nn.ReplicationPad3d(1)(torch.ones(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    _dimensions, _mode = 3, "replicate"


@documented_by(_Pad)
class CircularPad1d(_Pad):
    """The elements of the other side around the last dimension, as if it were a ring.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with a larger L.

    Raises:
        RuntimeError: more padding than the size.
        ValueError: not two numbers for each dimension.

    Example::

        >>> torch.nn.CircularPad1d((1, 2))(torch.tensor([[[1.0, 2.0, 3.0]]]))
        tensor([[[3., 1., 2., 3., 1., 2.]]])
    """

    _dimensions, _mode = 1, "circular"


@documented_by(_Pad)
class CircularPad2d(_Pad):
    """The elements of the other side around the last two dimensions, as if they were rings.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with larger H and W.

    Raises:
        RuntimeError: more padding than the size.
        ValueError: not two numbers for each dimension.

    Example::

        >>> torch.nn.CircularPad2d((1, 0, 0, 1))(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]))
        tensor([[[2., 1., 2.],
                 [4., 3., 4.],
                 [2., 1., 2.]]])
    """

    _dimensions, _mode = 2, "circular"


@documented_by(_Pad)
class CircularPad3d(_Pad):
    """The elements of the other side around the last three dimensions, as if they were rings.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with larger D, H and W.

    Raises:
        RuntimeError: more padding than the size.
        ValueError: not two numbers for each dimension.

    Example::

        >>> torch.nn.CircularPad3d(1)(torch.ones(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    _dimensions, _mode = 3, "circular"

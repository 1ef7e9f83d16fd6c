"""Pooling."""

from __future__ import annotations

from typing import Any

from torch import _absent
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.functional.native import per_dimension
from torch.nn.modules.module import Module


class _MaxPool(Module):
    """What `MaxPool1d`, `MaxPool2d` and `MaxPool3d` have in common.

    Along each dimension of size I the output has
    floor((I + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1) elements.

    Args:
        kernel_size: the size of a window: one number, or one for each dimension.
        stride: the step from window to window; `kernel_size` if None.
        padding: minus infinity, added at both ends; at most half of the window.
        dilation: the distance of the elements of a window.
        return_indices: whether the places of the largest elements are returned too, for
            `MaxUnpool1d` to `MaxUnpool3d`.
        ceil_mode: whether a last window that is not full counts.

    Raises:
        RuntimeError: a padding of more than half of the window, or an output without elements.
    """

    _dimensions: int

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        pool = getattr(F, f"max_pool{self._dimensions}d")
        return pool(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


@documented_by(_MaxPool)
class MaxPool1d(_MaxPool):
    """The largest element of each window.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with smaller L.

    Example::

        >>> torch.nn.MaxPool1d(2)(torch.ones(1, 3, 8)).shape
        torch.Size([1, 3, 4])
    """

    _dimensions = 1


@documented_by(_MaxPool)
class MaxPool2d(_MaxPool):
    """The largest element of each window.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with smaller H and W.

    Example::

        >>> torch.nn.MaxPool2d(2)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 3, 4, 4])
    """

    _dimensions = 2


@documented_by(_MaxPool)
class MaxPool3d(_MaxPool):
    """The largest element of each window.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with smaller D, H and W.

    Example::

        >>> torch.nn.MaxPool3d(2)(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 3, 4, 4, 4])
    """

    _dimensions = 3


class _AvgPool(Module):
    """What `AvgPool1d`, `AvgPool2d` and `AvgPool3d` have in common.

    Along each dimension of size I the output has
    floor((I + 2 padding - kernel_size) / stride + 1) elements.

    Args:
        kernel_size: the size of a window: one number, or one for each dimension.
        stride: the step from window to window; `kernel_size` if None.
        padding: zeros, added at both ends; at most half of the window.
        ceil_mode: whether a last window that is not full counts.
        count_include_pad: whether the zeros of the padding count in the mean.
        divisor_override: what the sum of a window is divided by, instead of its size.

    Raises:
        RuntimeError: a padding of more than half of the window, or an output without elements.
    """

    _dimensions: int

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        return getattr(F, f"avg_pool{self._dimensions}d")(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


@documented_by(_AvgPool)
class AvgPool1d(Module):
    """The mean of each window.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with smaller L.

    Example::

        >>> torch.nn.AvgPool1d(2)(torch.ones(1, 3, 8)).shape
        torch.Size([1, 3, 4])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = (kernel_size,) if isinstance(kernel_size, int) else kernel_size
        stride = kernel_size if stride is None else stride
        self.stride = (stride,) if isinstance(stride, int) else stride
        self.padding = (padding,) if isinstance(padding, int) else padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


@documented_by(_AvgPool)
class AvgPool2d(_AvgPool):
    """The mean of each window.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with smaller H and W.

    Example::

        >>> torch.nn.AvgPool2d(2)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 3, 4, 4])
    """

    _dimensions = 2


@documented_by(_AvgPool)
class AvgPool3d(_AvgPool):
    """The mean of each window.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with smaller D, H and W.

    Example::

        >>> torch.nn.AvgPool3d(2)(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 3, 4, 4, 4])
    """

    _dimensions = 3


class _AdaptivePool(Module):
    """What `AdaptiveAvgPool1d`, `AdaptiveAvgPool2d` and `AdaptiveAvgPool3d` have in common.

    Along a dimension of size I with O regions, region i is [floor(i I / O), ceil((i + 1) I / O)).

    Args:
        output_size: O: one number, or one for each dimension; None keeps a size.
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


@documented_by(_AdaptivePool)
class AdaptiveAvgPool1d(_AdaptivePool):
    """The mean of each of `output_size` regions of equal size.

    Shape:
        Input: (N, C, L) or (C, L). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.AdaptiveAvgPool1d(4)(torch.ones(1, 3, 8)).shape
        torch.Size([1, 3, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


@documented_by(_AdaptivePool)
class AdaptiveAvgPool2d(_AdaptivePool):
    """The mean of each of `output_size` regions of equal size.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.AdaptiveAvgPool2d(4)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 3, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


@documented_by(_AdaptivePool)
class AdaptiveAvgPool3d(_AdaptivePool):
    """The mean of each of `output_size` regions of equal size.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.AdaptiveAvgPool3d(4)(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 3, 4, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)


class _AdaptiveMaxPool(_AdaptivePool):
    """What `AdaptiveMaxPool1d`, `AdaptiveMaxPool2d` and `AdaptiveMaxPool3d` have in common.

    Along a dimension of size I with O regions, region i is [floor(i I / O), ceil((i + 1) I / O)).

    Args:
        output_size: O: one number, or one for each dimension; None keeps a size.
        return_indices: whether the places of the largest elements are returned too.
    """

    _dimensions: int

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        pool = getattr(F, f"adaptive_max_pool{self._dimensions}d")
        return pool(input, self.output_size, self.return_indices)


@documented_by(_AdaptiveMaxPool)
class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """The largest element of each of `output_size` regions of equal size.

    Shape:
        Input: (N, C, L) or (C, L). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.AdaptiveMaxPool1d(4)(torch.ones(1, 3, 8)).shape
        torch.Size([1, 3, 4])
    """

    _dimensions = 1


@documented_by(_AdaptiveMaxPool)
class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """The largest element of each of `output_size` regions of equal size.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.AdaptiveMaxPool2d(4)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 3, 4, 4])
    """

    _dimensions = 2


@documented_by(_AdaptiveMaxPool)
class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """The largest element of each of `output_size` regions of equal size.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.AdaptiveMaxPool3d(4)(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 3, 4, 4, 4])
    """

    _dimensions = 3


class _FractionalMaxPool(Module):
    """What `FractionalMaxPool2d` and `FractionalMaxPool3d` have in common.

    Args:
        kernel_size: the size of a window: one number, or one for each dimension.
        output_size: how many windows there are along each dimension: one number, or one for each.
        output_ratio: instead of that, their number over the input's size, between 0 and 1.
        return_indices: whether the places of the largest elements are returned too.
        _random_samples: the random numbers, (N, C, dimensions); drawn for each call unless given.

    Raises:
        ValueError: both an output size and a ratio, neither, or a ratio not between 0 and 1.
    """

    _dimensions: int

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        count = self._dimensions
        name = type(self).__name__
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{name} requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        self.kernel_size = per_dimension(kernel_size, count)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else per_dimension(output_size, count)
        self.output_ratio: tuple[float, ...] | None = None
        if output_ratio is not None:
            ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else [output_ratio]
            ratios = tuple(ratios) * (count if len(ratios) == 1 else 1)
            if not all(0 < ratio < 1 for ratio in ratios):
                raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
            self.output_ratio = ratios

    def forward(self, input: Tensor) -> Any:
        pool = getattr(F, f"fractional_max_pool{self._dimensions}d")
        return pool(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


@documented_by(_FractionalMaxPool)
class FractionalMaxPool2d(_FractionalMaxPool):
    """The largest element of each of windows at random places (Graham 2014, "Fractional
    max-pooling").

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.FractionalMaxPool2d(2, output_size=3)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 3, 3, 3])
    """

    _dimensions = 2


@documented_by(_FractionalMaxPool)
class FractionalMaxPool3d(_FractionalMaxPool):
    """The largest element of each of windows at random places (Graham 2014, "Fractional
    max-pooling").

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: (N, C, O...) or (C, O...).

    Example::

        >>> torch.nn.FractionalMaxPool3d(2, output_ratio=0.5)(torch.ones(3, 8, 8, 8)).shape
        torch.Size([3, 4, 4, 4])
    """

    _dimensions = 3


class _LPPool(Module):
    """What `LPPool1d`, `LPPool2d` and `LPPool3d` have in common.

    Args:
        norm_type: p, not 0; minus infinity is the smallest |x|.
        kernel_size: the size of a window: one number, or one for each dimension.
        stride: the step from window to window; `kernel_size` if None.
        ceil_mode: whether a last window that is not full counts.
    """

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


@documented_by(_LPPool)
class LPPool1d(_LPPool):
    """(sum x^p)^(1/p) over each window; p = 1 is the sum, p = infinity the largest |x|.

    Shape:
        Input: (N, C, L) or (C, L). Output: the same with smaller L.

    Example::

        >>> torch.nn.LPPool1d(2, 2)(torch.ones(1, 3, 8)).shape
        torch.Size([1, 3, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


@documented_by(_LPPool)
class LPPool2d(_LPPool):
    """(sum x^p)^(1/p) over each window; p = 1 is the sum, p = infinity the largest |x|.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: the same with smaller H and W.

    Example::

        >>> torch.nn.LPPool2d(2, 2)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 3, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


@documented_by(_LPPool)
class LPPool3d(_LPPool):
    """(sum x^p)^(1/p) over each window; p = 1 is the sum, p = infinity the largest |x|.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: the same with smaller D, H and W.

    Example::

        >>> torch.nn.LPPool3d(2, 2)(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 3, 4, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool3d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class _MaxUnpool(Module):
    """What `MaxUnpool1d`, `MaxUnpool2d` and `MaxUnpool3d` have in common.

    Args:
        kernel_size, stride, padding: of the pooling that is undone.
    """

    _dimensions: int

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        count = self._dimensions
        # A list is kept as it is: the call refuses one of another length.
        self.kernel_size, self.stride, self.padding = (
            per_dimension(value, count) if isinstance(value, int) else tuple(value)
            for value in (kernel_size, kernel_size if stride is None else stride, padding)
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


@documented_by(_MaxUnpool)
class MaxUnpool1d(_MaxUnpool):
    """The values of `MaxPool1d` at the places that they came from, and zeros elsewhere.

    Shape:
        Input and indices: (N, C, L) or (C, L). Output: along each dimension
        (I - 1) stride - 2 padding + kernel_size, or what the call's `output_size` says.

    Example::

        >>> values, places = torch.nn.MaxPool1d(2, return_indices=True)(torch.ones(1, 3, 8))
        >>> torch.nn.MaxUnpool1d(2)(values, places).shape
        torch.Size([1, 3, 8])
    """

    _dimensions = 1

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        return F.max_unpool1d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


@documented_by(_MaxUnpool)
class MaxUnpool2d(_MaxUnpool):
    """The values of `MaxPool2d` at the places that they came from, and zeros elsewhere.

    Shape:
        Input and indices: (N, C, H, W) or (C, H, W). Output: along each dimension
        (I - 1) stride - 2 padding + kernel_size, or what the call's `output_size` says.

    Example::

        >>> values, places = torch.nn.MaxPool2d(2, return_indices=True)(torch.ones(1, 3, 8, 8))
        >>> torch.nn.MaxUnpool2d(2)(values, places).shape
        torch.Size([1, 3, 8, 8])
    """

    _dimensions = 2

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        return F.max_unpool2d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


@documented_by(_MaxUnpool)
class MaxUnpool3d(_MaxUnpool):
    """The values of `MaxPool3d` at the places that they came from, and zeros elsewhere.

    Shape:
        Input and indices: (N, C, D, H, W) or (C, D, H, W). Output: along each dimension
        (I - 1) stride - 2 padding + kernel_size, or what the call's `output_size` says.

    Example::

        >>> values, places = torch.nn.MaxPool3d(2, return_indices=True)(torch.ones(1, 3, 8, 8, 8))
        >>> torch.nn.MaxUnpool3d(2)(values, places).shape
        torch.Size([1, 3, 8, 8, 8])
    """

    _dimensions = 3

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        return F.max_unpool3d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


__getattr__ = _absent.explain(__name__)

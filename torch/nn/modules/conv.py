"""Convolutions."""

from __future__ import annotations

import inspect
import math
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.functional.native import per_dimension
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, UninitializedParameter

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """Weight (out, in / groups, *kernel), or (in, out / groups, *kernel) transposed; bias (out)."""

    bias: Parameter | None

    def __init__(
        self,
        dimensions: int,
        transposed: bool,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        output_padding: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {set(_PADDING_MODES)}, but got padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = per_dimension(kernel_size, dimensions)
        self.stride = per_dimension(stride, dimensions)
        self.dilation = per_dimension(dilation, dimensions)
        self.output_padding = per_dimension(output_padding, dimensions)
        self.groups = groups
        self.padding_mode = padding_mode
        self.transposed = transposed
        self.padding: Any
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(
                    f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}"
                )
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
            self.padding = padding
        else:
            self.padding = per_dimension(padding, dimensions)
        # PyTorch's modules read it where `padding_mode` is not "zeros", also one from a file.
        self._reversed_padding_repeated_twice = self._amounts()
        channels = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        shape = (channels[0], channels[1] // groups, *self.kernel_size)
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in +-1/sqrt(inputs of an output)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        zeros, ones = (0,) * len(self.kernel_size), (1,) * len(self.kernel_size)
        if self.padding != zeros:
            quoted = repr(self.padding) if isinstance(self.padding, tuple) else self.padding
            text += f", padding={quoted}"
        if self.dilation != ones:
            text += f", dilation={self.dilation}"
        if self.output_padding != zeros:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text

    def _convolve(self, function: Any, input: Tensor) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._amounts(), self.padding_mode)
            padding = (0,) * len(self.kernel_size)
        return function(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )

    def _amounts(self) -> list[int]:
        """What F.pad adds around the input."""
        if self.padding == "valid":
            return [0] * (2 * len(self.kernel_size))
        amounts: list[int] = []
        for i in reversed(range(len(self.kernel_size))):
            if self.padding == "same":
                total = self.dilation[i] * (self.kernel_size[i] - 1)
                amounts += [total // 2, total - total // 2]
            else:
                amounts += [self.padding[i]] * 2
        return amounts


class _Conv(_ConvNd):
    """What `Conv1d`, `Conv2d` and `Conv3d` have in common.

    output[n, o] = bias[o] + sum_c weight[o, c] * input[n, c], where * is the valid
    cross-correlation. Along each dimension of size I the output has floor((I + 2 padding - dilation
    (kernel_size - 1) - 1) / stride + 1) elements.

    Args:
        in_channels: C, the channels of the input.
        out_channels: O, the channels of the output.
        kernel_size: K, the size of the kernels: one number, or one for each dimension.
        stride: the step of the kernels over the input.
        padding: elements added at both ends of each dimension, or "valid" (none) or "same" (the
            output has the size of the input; stride 1 only).
        dilation: the distance of the kernel's elements.
        groups: parts of the channels that do not see each other; C and O are multiples of it.
        bias: whether there is a bias.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        device, dtype: of the parameters.

    Attributes:
        weight: (O, C / groups, *kernel_size), uniform in [-k, k] with k = sqrt(groups / (C *
            prod(kernel_size))).
        bias: (O,), uniform in the same interval; None without.

    Raises:
        ValueError: channels that `groups` does not divide, or an unknown padding.
        RuntimeError: an input of another shape, or smaller than the kernel.
    """

    _dimensions: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            self._dimensions,
            False,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )


@documented_by(_Conv)
class Conv1d(_Conv):
    """The cross-correlation of each sample with `out_channels` kernels, plus a bias.

    Shape:
        Input: (N, C, L) or (C, L). Output: (N, O, ...) or (O, ...).

    Example::

        >>> torch.nn.Conv1d(3, 6, 3, stride=2, padding=1)(torch.ones(1, 3, 8)).shape
        torch.Size([1, 6, 4])
    """

    _dimensions = 1

    def forward(self, input: Tensor) -> Tensor:
        return self._convolve(F.conv1d, input)


@documented_by(_Conv)
class Conv2d(_Conv):
    """The cross-correlation of each sample with `out_channels` kernels, plus a bias.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, O, ...) or (O, ...).

    Example::

        >>> torch.nn.Conv2d(3, 6, 3, stride=2, padding=1)(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 6, 4, 4])
    """

    _dimensions = 2

    def forward(self, input: Tensor) -> Tensor:
        return self._convolve(F.conv2d, input)


@documented_by(_Conv)
class Conv3d(_Conv):
    """The cross-correlation of each sample with `out_channels` kernels, plus a bias.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: (N, O, ...) or (O, ...).

    Example::

        >>> torch.nn.Conv3d(3, 6, 3, stride=2, padding=1)(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 6, 4, 4, 4])
    """

    _dimensions = 3

    def forward(self, input: Tensor) -> Tensor:
        return self._convolve(F.conv3d, input)


class _ConvTranspose(_ConvNd):
    """What `ConvTranspose1d`, `ConvTranspose2d` and `ConvTranspose3d` have in common.

    Along each dimension of size I the output has
    (I - 1) stride - 2 padding + dilation (kernel_size - 1) + output_padding + 1 elements.

    Args:
        in_channels: C, the channels of the input.
        out_channels: O, the channels of the output.
        kernel_size: K, the size of the kernels: one number, or one for each dimension.
        stride: the step of the kernels over the output.
        padding: dilation (kernel_size - 1) - padding elements are added at both ends of the input.
        output_padding: elements added at one end of the output, fewer than `stride` or `dilation`.
        groups: parts of the channels that do not see each other; C and O are multiples of it.
        bias: whether there is a bias.
        dilation: the distance of the kernel's elements.
        padding_mode: "zeros".
        device, dtype: of the parameters.

    Attributes:
        weight: (C, O / groups, *kernel_size).
        bias: (O,); None without.

    Raises:
        ValueError: channels that `groups` does not divide, a `padding_mode` that is not "zeros", or
            an `output_size` of the call that no padding gives.
    """

    _dimensions: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            self._dimensions,
            True,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _transpose(self, function: Any, input: Tensor, output_size: Any) -> Tensor:
        extra = self.output_padding
        if output_size is not None:
            sizes = list(output_size)[-self._dimensions :]
            smallest = [
                (n - 1) * s - 2 * p + d * (k - 1) + 1
                for n, s, p, d, k in zip(
                    input.shape[-self._dimensions :],
                    self.stride,
                    self.padding,
                    self.dilation,
                    self.kernel_size,
                    strict=True,
                )
            ]
            extra = tuple(size - least for size, least in zip(sizes, smallest, strict=True))
            if any(not 0 <= e < max(s, 1) for e, s in zip(extra, self.stride, strict=True)):
                largest = [m + s - 1 for m, s in zip(smallest, self.stride, strict=True)]
                raise ValueError(
                    f"requested an output size of {tuple(output_size)}, but valid sizes range from {smallest} to {largest} (for an input of {input.size()[2:]})"
                )
        return function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            extra,
            self.groups,
            self.dilation,
        )


@documented_by(_ConvTranspose)
class ConvTranspose1d(_ConvTranspose):
    """The gradient of `Conv1d` by its input, as a layer: it makes images larger.

    Shape:
        Input: (N, C, L) or (C, L). Output: (N, O, ...) or (O, ...).

    Example::

        >>> layer = torch.nn.ConvTranspose1d(3, 6, 4, stride=2, padding=1)
        >>> layer(torch.ones(1, 3, 8)).shape
        torch.Size([1, 6, 16])
    """

    _dimensions = 1

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        return self._transpose(F.conv_transpose1d, input, output_size)


@documented_by(_ConvTranspose)
class ConvTranspose2d(_ConvTranspose):
    """The gradient of `Conv2d` by its input, as a layer: it makes images larger.

    Shape:
        Input: (N, C, H, W) or (C, H, W). Output: (N, O, ...) or (O, ...).

    Example::

        >>> layer = torch.nn.ConvTranspose2d(3, 6, 4, stride=2, padding=1)
        >>> layer(torch.ones(1, 3, 8, 8)).shape
        torch.Size([1, 6, 16, 16])
    """

    _dimensions = 2

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        return self._transpose(F.conv_transpose2d, input, output_size)


@documented_by(_ConvTranspose)
class ConvTranspose3d(_ConvTranspose):
    """The gradient of `Conv3d` by its input, as a layer: it makes images larger.

    Shape:
        Input: (N, C, D, H, W) or (C, D, H, W). Output: (N, O, ...) or (O, ...).

    Example::

        >>> layer = torch.nn.ConvTranspose3d(3, 6, 4, stride=2, padding=1)
        >>> layer(torch.ones(1, 3, 8, 8, 8)).shape
        torch.Size([1, 6, 16, 16, 16])
    """

    _dimensions = 3

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        return self._transpose(F.conv_transpose3d, input, output_size)


class _LazyConv(LazyModuleMixin):
    """Channels of the input come from its second dimension, or the first of an unbatched one."""

    weight: Any
    bias: Any

    def __init__(self, out_channels: int, kernel_size: Any, *args: Any, **kwargs: Any) -> None:
        signature = inspect.signature(self.cls_to_become)  # type: ignore[arg-type]
        usual = signature.bind(0, 0, kernel_size, *args, **kwargs).arguments
        bias = usual.pop("bias", True)
        options = {name: usual[name] for name in ("device", "dtype") if name in usual}
        super().__init__(**usual, bias=False)
        self.weight = UninitializedParameter(**options)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(**options)

    def reset_parameters(self) -> None:
        """The usual values, once there are shapes."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Gives the parameters the number of channels of the first input.

        Args:
            input: the first input.
            *args, **kwargs: what else the first call has; not looked at.

        Raises:
            RuntimeError: the input has not the dimensions of the convolution.
            ValueError: the channels cannot be divided by `groups`.
        """
        if self.has_uninitialized_params():
            self.in_channels = self._channels_of(input)
            if self.in_channels % self.groups != 0:
                raise ValueError("in_channels must be divisible by groups")
            channels = (self.in_channels, self.out_channels)
            first, second = channels if self.transposed else channels[::-1]
            self.weight.materialize((first, second // self.groups, *self.kernel_size))
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            with torch.no_grad():
                self.reset_parameters()

    def _channels_of(self, input: Tensor) -> int:
        dimensions = len(self.kernel_size)
        if input.dim() not in (dimensions + 1, dimensions + 2):
            raise RuntimeError(
                f"Expected {dimensions + 1}D (unbatched) or {dimensions + 2}D (batched) input to {type(self).__name__}, but got input of size: {list(input.shape)}"
            )
        return input.shape[-dimensions - 1]


class LazyConv1d(_LazyConv, Conv1d):
    """A `Conv1d` whose `in_channels` are the channels of the first input.

    Args:
        out_channels: as that of `Conv1d`, like the arguments after it.

    Example::

        >>> conv = torch.nn.LazyConv1d(6, kernel_size=1)
        >>> conv(torch.ones(5, 4, 2)).shape, conv.in_channels
        (torch.Size([5, 6, 2]), 4)
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """A `Conv2d` whose `in_channels` are the channels of the first input.

    Args:
        out_channels: as that of `Conv2d`, like the arguments after it.

    Example::

        >>> conv = torch.nn.LazyConv2d(6, kernel_size=1)
        >>> conv(torch.ones(5, 4, 2, 2)).shape, conv.in_channels
        (torch.Size([5, 6, 2, 2]), 4)
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """A `Conv3d` whose `in_channels` are the channels of the first input.

    Args:
        out_channels: as that of `Conv3d`, like the arguments after it.

    Example::

        >>> conv = torch.nn.LazyConv3d(6, kernel_size=1)
        >>> conv(torch.ones(5, 4, 2, 2, 2)).shape, conv.in_channels
        (torch.Size([5, 6, 2, 2, 2]), 4)
    """

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    """A `ConvTranspose1d` whose `in_channels` are the channels of the first input.

    Args:
        out_channels: as that of `ConvTranspose1d`, like the arguments after it.

    Example::

        >>> conv = torch.nn.LazyConvTranspose1d(6, kernel_size=1)
        >>> conv(torch.ones(5, 4, 2)).shape, conv.in_channels
        (torch.Size([5, 6, 2]), 4)
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    """A `ConvTranspose2d` whose `in_channels` are the channels of the first input.

    Args:
        out_channels: as that of `ConvTranspose2d`, like the arguments after it.

    Example::

        >>> conv = torch.nn.LazyConvTranspose2d(6, kernel_size=1)
        >>> conv(torch.ones(5, 4, 2, 2)).shape, conv.in_channels
        (torch.Size([5, 6, 2, 2]), 4)
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    """A `ConvTranspose3d` whose `in_channels` are the channels of the first input.

    Args:
        out_channels: as that of `ConvTranspose3d`, like the arguments after it.

    Example::

        >>> conv = torch.nn.LazyConvTranspose3d(6, kernel_size=1)
        >>> conv(torch.ones(5, 4, 2, 2, 2)).shape, conv.in_channels
        (torch.Size([5, 6, 2, 2, 2]), 4)
    """

    cls_to_become = ConvTranspose3d

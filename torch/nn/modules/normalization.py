"""Normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import _absent
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class LayerNorm(Module):
    """(x - mean) / sqrt(variance + eps) * weight + bias over the last dimensions (Ba et al. 2016,
    arXiv:1607.06450).

    The variance has no Bessel's correction.

    Args:
        normalized_shape: the sizes of the last dimensions, over which mean and variance are taken;
            a number is one size.
        eps: keeps the root from 0.
        elementwise_affine: whether there are weight and bias.
        bias: whether there is a bias beside the weight.
        device, dtype: of the parameters.

    Attributes:
        weight, bias: of `normalized_shape`, first 1 and 0; None without.

    Shape:
        Input and output: (..., *normalized_shape).

    Raises:
        RuntimeError: the last dimensions of the input are others.

    Example::

        >>> torch.nn.LayerNorm(2)(torch.tensor([[1.0, 3.0]])).detach()
        tensor([[-1.0000,  1.0000]])
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        for name, wanted in (("weight", elementwise_affine), ("bias", elementwise_affine and bias)):
            values = torch.empty(shape, device=device, dtype=dtype)
            parameter = Parameter(values) if wanted else None
            self.register_parameter(name, parameter)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Scale one, shift zero."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """x / sqrt(mean(x^2) + eps) * weight over the last dimensions (Zhang and Sennrich 2019,
    arXiv:1910.07467).

    Args:
        normalized_shape: the sizes of the last dimensions, over which the mean is taken; a number
            is one size.
        eps: keeps the root from 0; None is the machine epsilon of the input's dtype.
        elementwise_affine: whether there is a weight.
        device, dtype: of the weight.

    Attributes:
        weight: of `normalized_shape`, first 1; None without.

    Shape:
        Input and output: (..., *normalized_shape).

    Example::

        >>> torch.nn.RMSNorm(2)(torch.tensor([[3.0, 4.0]])).detach()
        tensor([[0.8485, 1.1314]])
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        values = torch.empty(self.normalized_shape, device=device, dtype=dtype)
        self.register_parameter("weight", Parameter(values) if elementwise_affine else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Scale one."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(Module):
    """(x - mean) / sqrt(variance + eps) * weight + bias over groups of channels of each sample (Wu
    and He 2018, arXiv:1803.08494).

    Args:
        num_groups: G, which divides C.
        num_channels: C.
        eps: keeps the root from 0.
        affine: whether there are weight and bias, of shape (C,).
        device, dtype: of the parameters.
        bias: whether there is a bias beside the weight.

    Shape:
        Input and output: (N, C, ...).

    Raises:
        ValueError: G does not divide C.

    Example::

        >>> torch.nn.GroupNorm(2, 4)(torch.randn(3, 4, 5)).shape
        torch.Size([3, 4, 5])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            values = torch.empty(num_channels, device=device, dtype=dtype)
            self.register_parameter(name, Parameter(values) if wanted else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Scale one, shift zero."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """x_c / (k + alpha / size * sum x_j^2)^beta, the sum over `size` neighbouring channels
    (Krizhevsky et al. 2012).

    Args:
        size: how many channels count, c in their middle.
        alpha: the weight of the sum.
        beta: the exponent.
        k: what is added to the sum.

    Shape:
        Input and output: (N, C, ...).

    Example::

        >>> torch.nn.LocalResponseNorm(1, alpha=1.0, beta=1.0)(torch.ones(1, 2, 1)).flatten()
        tensor([0.5000, 0.5000])
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


__getattr__ = _absent.explain(__name__)

"""Linear layers."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, UninitializedParameter


class Identity(Module):
    """Returns its input.

    Args:
        *args, **kwargs: anything, ignored, so that it can stand for another layer.

    Shape:
        Input and output: any shape; the output is the input itself.

    Example::

        >>> torch.nn.Identity(5, name="no layer")(torch.ones(2))
        tensor([1., 1.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """y = x W^T + b.

    Args:
        in_features: I, the size of the last dimension of the input.
        out_features: O, the size of the last dimension of the output.
        bias: whether there is a b.
        device, dtype: of the parameters.

    Attributes:
        weight: W, of shape (O, I), uniform in [-k, k] with k = 1 / sqrt(I).
        bias: b, of shape (O,), uniform in the same interval; None without.

    Shape:
        Input: (..., I). Output: (..., O).

    Raises:
        RuntimeError: the last dimension of the input is not I.

    Example::

        >>> torch.nn.Linear(20, 30)(torch.ones(128, 20)).shape
        torch.Size([128, 30])
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        shape = (out_features, in_features)
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in +-1/sqrt(in_features)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Bilinear(Module):
    """y_o = x1^T W_o x2 + b_o.

    Args:
        in1_features: I1, the size of the last dimension of the first input.
        in2_features: I2, the size of the last dimension of the second input.
        out_features: O, the size of the last dimension of the output.
        bias: whether there is a b.
        device, dtype: of the parameters.

    Attributes:
        weight: W, of shape (O, I1, I2), uniform in [-k, k] with k = 1 / sqrt(I1).
        bias: b, of shape (O,), uniform in the same interval; None without.

    Shape:
        Inputs: (..., I1) and (..., I2), equal but for the last dimension. Output: (..., O).

    Raises:
        ValueError: `in1_features` is not positive.

    Example::

        >>> torch.nn.Bilinear(2, 3, 4)(torch.ones(5, 2), torch.ones(5, 3)).shape
        torch.Size([5, 4])
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got ({in1_features=})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        shape = (out_features, in1_features, in2_features)
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        vector = torch.empty(out_features, device=device, dtype=dtype)
        self.register_parameter("bias", Parameter(vector) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in +-1/sqrt(in1_features)."""
        bound = 1 / math.sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """A Linear layer, under the name that PyTorch prints."""


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` whose `in_features` is the last size of the first input.

    Args:
        out_features: as that of `Linear`.
        bias: whether there is one.

    Example::

        >>> layer = torch.nn.LazyLinear(3)
        >>> layer(torch.ones(2, 5)).shape, layer.in_features
        (torch.Size([2, 3]), 5)
    """

    cls_to_become = Linear
    weight: Any
    bias: Any

    def __init__(
        self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(0, 0, False, device, dtype)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """The usual values, once there are shapes."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Gives the parameters the last size of the first input as `in_features`.

        Args:
            input: the first input.

        Example::

            >>> layer = torch.nn.LazyLinear(2)
            >>> layer.initialize_parameters(torch.ones(1, 5))
            >>> layer.weight.shape
            torch.Size([2, 5])
        """
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            with torch.no_grad():
                self.reset_parameters()
        if self.in_features == 0:
            self.in_features = self.weight.shape[-1]

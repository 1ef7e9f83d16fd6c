"""Activations."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn.functional.native import functions, nn, operator

# Builtins, which take out= too.
gelu = nn.gelu
hardshrink = functions.hardshrink
logsigmoid = nn.log_sigmoid
prelu = functions.prelu
softplus = nn.softplus
softshrink = nn.softshrink
tanh = torch.tanh
sigmoid = torch.sigmoid
celu_ = functions.celu_
elu_ = nn.elu_
hardtanh_ = nn.hardtanh_
leaky_relu_ = nn.leaky_relu_
relu_ = functions.relu_
rrelu_ = functions.rrelu_
selu_ = functions.selu_
threshold_ = functions.threshold_


def _activate(name: str, inplace: bool, input: Tensor, *args: Any) -> Tensor:
    """An activation, in place if asked for."""
    return operator(f"{name}_" if inplace else name)(input, *args)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(0, x)."""
    return torch.relu_(input) if inplace else torch.relu(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where positive, else negative_slope * x."""
    if inplace:
        return nn.leaky_relu_(input, negative_slope)
    return nn.leaky_relu(input, negative_slope)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)."""
    return nn.silu_(input) if inplace else nn.silu(input)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x where greater than the threshold, else `value`."""
    if inplace:
        return functions.threshold_(input, threshold, value)
    return functions.threshold(input, threshold, value)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """x between the two values."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _activate("hardtanh", inplace, input, min_val, max_val)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """x between 0 and 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where positive, else alpha * (exp(x) - 1) (Clevert et al., 2016)."""
    return _activate("elu", inplace, input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """The scaled elu that normalises itself."""
    return _activate("selu", inplace, input)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) (Barron, 2017)."""
    return _activate("celu", inplace, input, alpha)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A sigmoid of three straight lines: 0, x / 6 + 1 / 2, 1."""
    return _activate("hardsigmoid", inplace, input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * hardsigmoid(x) (Howard et al., 2019)."""
    return _activate("hardswish", inplace, input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * tanh(softplus(x)) (Misra, 2020)."""
    return _activate("mish", inplace, input)


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - input.tanh()


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half times the sigmoid of the second (Dauphin et al., 2017)."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return _activate("glu", False, input, dim)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """A leaky relu with random slopes while training, their mean otherwise (Xu et al., 2015)."""

    return _activate("rrelu", inplace, input, lower, upper, training)


def _implicit_dim(input: Tensor, dim: int | None, name: str, stacklevel: int = 3) -> int:
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if input.dim() in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """exp(x) over its sum along `dim`."""
    return input.softmax(_implicit_dim(input, dim, "softmax", _stacklevel), dtype=dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """softmax of -x."""
    return (-input).softmax(_implicit_dim(input, dim, "softmin", _stacklevel), dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """The logarithm of softmax."""
    return input.log_softmax(_implicit_dim(input, dim, "log_softmax", _stacklevel), dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """Samples of a categorical distribution that can be differentiated (Jang et al., 2017).

    `hard` rounds them to one-hot vectors, with the gradient of the soft ones.
    """
    uniform = torch.empty_like(logits).uniform_().clamp_(min=torch.finfo(logits.dtype).tiny)
    noise = -torch.log(-torch.log(uniform))
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    rounded = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return rounded - soft.detach() + soft


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """x over its p-norm along `dim`."""
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return torch.div(input, length) if out is None else torch.div(input, length, out=out)


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """x over a power of the mean square of `size` neighbouring channels (Krizhevsky, 2012)."""
    if input.dim() < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)"
        )
    from torch.nn.functional.padding import pad

    square = input * input
    around = pad(square, (0, 0) * (input.dim() - 2) + (size // 2, (size - 1) // 2))
    channels = input.size(1)
    total = sum(around.narrow(1, i, channels) for i in range(size))
    return input / (total / size * alpha + k) ** beta


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along `dim`."""
    return operator("cosine_similarity")(x1, x2, dim, eps)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last dimension."""
    return operator("pairwise_distance")(x1, x2, p, eps, keepdim)


__all__ = [
    "celu",
    "celu_",
    "cosine_similarity",
    "elu",
    "elu_",
    "gelu",
    "glu",
    "gumbel_softmax",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "leaky_relu",
    "leaky_relu_",
    "local_response_norm",
    "log_softmax",
    "logsigmoid",
    "mish",
    "normalize",
    "pairwise_distance",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rrelu",
    "rrelu_",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
]

"""Fills tensors with initial values. Every function works in place and returns its tensor."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable

_GAINS = {
    "linear": 1.0,
    "conv1d": 1.0,
    "conv2d": 1.0,
    "conv3d": 1.0,
    "conv_transpose1d": 1.0,
    "conv_transpose2d": 1.0,
    "conv_transpose3d": 1.0,
    "sigmoid": 1.0,
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3.0 / 4,
}


# What all functions that fill a tensor have in common.
_TENSOR = """
Args:
    tensor: is filled in place, without a record for gradients.
    generator: where random numbers come from; the default generator if None.

Returns:
    The tensor.
"""


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor on the standard deviation of weights that keeps the variance through a
    nonlinearity.

    It is 1 for linear layers and sigmoid, 5/3 for tanh, sqrt(2) for relu, sqrt(2 / (1 + slope^2))
    for leaky_relu and 3/4 for selu.

    Args:
        nonlinearity: the name of a function of `torch.nn.functional`.
        param: the slope of leaky_relu, 0.01 if None.

    Raises:
        ValueError: the name is unknown.

    Example::

        >>> torch.nn.init.calculate_gain("leaky_relu", 1.0)
        1.0
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in _GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.size(1) * field, tensor.size(0) * field


@overridable
@documented_by(_TENSOR)
def uniform_(
    tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: torch.Generator | None = None
) -> Tensor:
    """Fills a tensor from the uniform distribution over [a, b).

    Args:
        a, b: the bounds.

    Example::

        >>> torch.nn.init.uniform_(torch.empty(3)).max() < 1
        tensor(True)
    """
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


@overridable
@documented_by(_TENSOR)
def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: torch.Generator | None = None
) -> Tensor:
    """Fills a tensor from the normal distribution.

    Args:
        mean: its mean.
        std: its standard deviation, not negative.

    Raises:
        RuntimeError: `std` is negative.

    Example::

        >>> torch.nn.init.normal_(torch.empty(3)).shape
        torch.Size([3])
    """
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


@overridable
@documented_by(_TENSOR)
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fills a tensor with a value.

    Args:
        val: the value.

    Example::

        >>> torch.nn.init.constant_(torch.empty(2), 0.5)
        tensor([0.5000, 0.5000])
    """
    with torch.no_grad():
        return tensor.fill_(val)


@overridable
@documented_by(_TENSOR)
def ones_(tensor: Tensor) -> Tensor:
    """Fills a tensor with ones.

    Example::

        >>> torch.nn.init.ones_(torch.empty(2))
        tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


@overridable
@documented_by(_TENSOR)
def zeros_(tensor: Tensor) -> Tensor:
    """Fills a tensor with zeros.

    Example::

        >>> torch.nn.init.zeros_(torch.empty(2))
        tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


@overridable
@documented_by(_TENSOR)
def xavier_uniform_(
    tensor: Tensor, gain: float = 1.0, generator: torch.Generator | None = None
) -> Tensor:
    """Uniform in [-k, k] with k = gain sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010).

    Args:
        gain: a factor, such as `calculate_gain` returns.

    Raises:
        ValueError: fewer than two dimensions.

    Example::

        >>> torch.nn.init.xavier_uniform_(torch.empty(2, 4)).abs().max() <= 1
        tensor(True)
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


@overridable
@documented_by(_TENSOR)
def xavier_normal_(
    tensor: Tensor, gain: float = 1.0, generator: torch.Generator | None = None
) -> Tensor:
    """Normal with standard deviation gain sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio 2010).

    Args:
        gain: a factor, such as `calculate_gain` returns.

    Raises:
        ValueError: fewer than two dimensions.

    Example::

        >>> torch.nn.init.xavier_normal_(torch.empty(2, 4)).shape
        torch.Size([2, 4])
    """
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


@overridable
@documented_by(_TENSOR)
def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Uniform in [-k, k] with k = gain sqrt(3 / fan) (He et al. 2015, arXiv:1502.01852).

    Args:
        a: the slope below 0 of the leaky_relu that follows.
        mode: "fan_in" keeps the variance forwards, "fan_out" backwards.
        nonlinearity: what follows; it decides the gain.

    Raises:
        ValueError: fewer than two dimensions, or an unknown mode or nonlinearity.

    Example::

        >>> weight = torch.nn.init.kaiming_uniform_(torch.empty(2, 3), nonlinearity="linear")
        >>> weight.abs().max() <= 1
        tensor(True)
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


@overridable
@documented_by(_TENSOR)
def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: torch.Generator | None = None,
) -> Tensor:
    """Normal with standard deviation gain / sqrt(fan) (He et al. 2015, arXiv:1502.01852).

    Args:
        a: the slope below 0 of the leaky_relu that follows.
        mode: "fan_in" keeps the variance forwards, "fan_out" backwards.
        nonlinearity: what follows; it decides the gain.

    Raises:
        ValueError: fewer than two dimensions, or an unknown mode or nonlinearity.

    Example::

        >>> torch.nn.init.kaiming_normal_(torch.empty(2, 4)).shape
        torch.Size([2, 4])
    """
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    return normal_(tensor, 0.0, std, generator)


def _normal_cdf(x: float) -> float:
    """How much of the standard normal distribution is below a number."""
    return math.erfc(-x / math.sqrt(2)) / 2


@overridable
@documented_by(_TENSOR)
def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Normal, drawn again where the value is not in [a, b].

    Where few draws would be, the values are uniform in [a, b] and drawn again with the probability
    1 - f(x) / f(m), with the normal density f and its largest place m in [a, b]: von Neumann's
    rejection. The values of a seed are PyTorch's.

    Args:
        mean, std: of the distribution before it is cut; std is positive.
        a, b: the bounds.

    Raises:
        ValueError: a is not less than b, or std is not positive.

    Example::

        >>> torch.nn.init.trunc_normal_(torch.empty(100)).abs().max() <= 2
        tensor(True)
    """
    if a >= b:
        raise ValueError(f"trunc_normal_ wants a < b, but got a={a} and b={b}")
    if not std > 0:
        raise ValueError(f"trunc_normal_ wants a positive std, but got {std}")
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=3,
        )
    return _no_grad_trunc_normal_(tensor, mean, std, a, b, generator)


def _no_grad_trunc_normal_(
    tensor: Tensor,
    mean: float,
    std: float,
    a: float,
    b: float,
    generator: torch.Generator | None = None,
) -> Tensor:
    if tensor.is_meta:
        return tensor
    wide = _normal_cdf((b - mean) / std) - _normal_cdf((a - mean) / std) > 0.3
    log_peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    # As the dtype of the tensor has them.
    low, high = torch.tensor([a, b], dtype=tensor.dtype).tolist()

    def draw(values: Tensor) -> Tensor:
        """Fills with candidates; returns which of them are refused."""
        if wide:
            values.normal_(mean, std, generator=generator)
            return (values < low) | (values > high)
        values.uniform_(a, b, generator=generator)
        log_density = values.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(log_peak)
        return torch.empty_like(values).uniform_(generator=generator).log_() > log_density

    with torch.no_grad():
        refused = draw(tensor)
        while bool(refused.any()):
            again = torch.empty_like(tensor)
            refused_again = draw(again)
            tensor.copy_(torch.where(refused, again, tensor))
            refused &= refused_again
    return tensor


@overridable
@documented_by(_TENSOR)
def orthogonal_(
    tensor: Tensor, gain: float = 1, generator: torch.Generator | None = None
) -> Tensor:
    """`gain` times orthonormal rows, or columns where they are fewer (Saxe et al. 2014,
    arXiv:1312.6120).

    A tensor of more dimensions is a matrix of shape[0] rows.

    Args:
        gain: the length of rows or columns.

    Raises:
        ValueError: fewer than two dimensions.

    Example::

        >>> q = torch.nn.init.orthogonal_(torch.empty(2, 3))
        >>> torch.allclose(q @ q.T, torch.eye(2), atol=1e-6)
        True
    """
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    with torch.no_grad():
        drawn = torch.empty_like(tensor).normal_(0.0, 1.0, generator=generator).flatten(1)
        wide = drawn.size(0) < drawn.size(1)
        q, r = torch.linalg.qr(drawn.T if wide else drawn)
        q = q * r.diagonal().sign()  # Makes the decomposition unique, and q uniform.
        return tensor.copy_((q.T if wide else q).reshape(tensor.shape)).mul_(gain)


@overridable
@documented_by(_TENSOR)
def sparse_(
    tensor: Tensor, sparsity: float, std: float = 0.01, generator: torch.Generator | None = None
) -> Tensor:
    """A normal matrix whose columns have a share of zeros (Martens 2010).

    Args:
        sparsity: the share, in [0, 1]; the number of zeros is rounded up.
        std: the standard deviation of the rest.

    Raises:
        ValueError: not two dimensions.

    Example::

        >>> torch.nn.init.sparse_(torch.empty(4, 2), 0.5).eq(0).sum(0)
        tensor([2, 2])
    """
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        tensor.normal_(0.0, std, generator=generator)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


@overridable
@documented_by(_TENSOR)
def eye_(tensor: Tensor) -> Tensor:
    """Fills a matrix with the identity.

    Raises:
        ValueError: not two dimensions.

    Example::

        >>> torch.nn.init.eye_(torch.empty(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        return tensor.copy_(torch.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


@overridable
@documented_by(_TENSOR)
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Convolution weights that pass as many channels as they can through unchanged.

    Args:
        groups: the groups of the convolution; each passes its own channels.

    Raises:
        ValueError: not three to five dimensions, or `groups` does not divide the first.

    Example::

        >>> torch.nn.init.dirac_(torch.empty(1, 1, 3))
        tensor([[[0., 1., 0.]]])
    """
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    rows = tensor.size(0) // groups
    centre = tuple(size // 2 for size in tensor.shape[2:])
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(rows, tensor.size(1))):
                place = (group * rows + channel, channel, *centre)
                tensor[place] = 1
    return tensor


def _with_an_old_name(function: Callable[..., Tensor], name: str) -> Callable[..., Tensor]:
    def call(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"The old name of `{name}_`, which this calls after a warning.\n\n"
        f"Args:\n    *args, **kwargs: those of `{name}_`."
    )
    return call


# PyTorch's own steps, which packages call.


def _no_grad_uniform_(
    tensor: Tensor, a: float, b: float, generator: torch.Generator | None = None
) -> Tensor:
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def _no_grad_normal_(
    tensor: Tensor, mean: float, std: float, generator: torch.Generator | None = None
) -> Tensor:
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _no_grad_fill_(tensor: Tensor, val: float) -> Tensor:
    with torch.no_grad():
        return tensor.fill_(val)


def _no_grad_zero_(tensor: Tensor) -> Tensor:
    return _no_grad_fill_(tensor, 0.0)


constant = _with_an_old_name(constant_, "constant")
dirac = _with_an_old_name(dirac_, "dirac")
eye = _with_an_old_name(eye_, "eye")
kaiming_normal = _with_an_old_name(kaiming_normal_, "kaiming_normal")
kaiming_uniform = _with_an_old_name(kaiming_uniform_, "kaiming_uniform")
normal = _with_an_old_name(normal_, "normal")
orthogonal = _with_an_old_name(orthogonal_, "orthogonal")
sparse = _with_an_old_name(sparse_, "sparse")
uniform = _with_an_old_name(uniform_, "uniform")
xavier_normal = _with_an_old_name(xavier_normal_, "xavier_normal")
xavier_uniform = _with_an_old_name(xavier_uniform_, "xavier_uniform")

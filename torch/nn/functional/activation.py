"""Activations."""

from __future__ import annotations

import warnings

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch._torch_function import overridable
from torch.nn.functional.native import functions, nn

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


# What functions of each element have in common.
_ELEMENTWISE = """
Args:
    input: x, of any shape; floating point. The output has its shape and dtype.
    inplace: whether the input is overwritten, and returned.
"""

# What softmax and its relatives have in common.
_ALONG = """
Args:
    input: x, of any shape; floating point. The output has its shape.
    dim: the dimension over which the sum runs. None chooses one by the number of dimensions, and
        warns.
    dtype: what the input is converted to first.
"""


@overridable
@documented_by(_ELEMENTWISE)
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(0, x).

    Example::

        >>> torch.nn.functional.relu(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """
    return torch.relu_(input) if inplace else torch.relu(input)


@overridable
@documented_by(_ELEMENTWISE)
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where x >= 0, else negative_slope * x.

    Args:
        negative_slope: the slope below 0.

    Example::

        >>> torch.nn.functional.leaky_relu(torch.tensor([-1.0, 2.0]), 0.1)
        tensor([-0.1000,  2.0000])
    """
    if inplace:
        return nn.leaky_relu_(input, negative_slope)
    return nn.leaky_relu(input, negative_slope)


@overridable
@documented_by(_ELEMENTWISE)
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x), also called swish (Elfwing et al. 2017, arXiv:1702.03118).

    Example::

        >>> torch.nn.functional.silu(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7311])
    """
    return nn.silu_(input) if inplace else nn.silu(input)


@overridable
@documented_by(_ELEMENTWISE)
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x where x > threshold, else `value`.

    Args:
        threshold: where the function begins.
        value: for all below.

    Example::

        >>> torch.nn.functional.threshold(torch.tensor([0.0, 1.0]), 0.5, -1.0)
        tensor([-1.,  1.])
    """
    if inplace:
        return functions.threshold_(input, threshold, value)
    return functions.threshold(input, threshold, value)


@overridable
@documented_by(_ELEMENTWISE)
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """x limited to [min_val, max_val].

    Args:
        min_val, max_val: the limits.

    Example::

        >>> torch.nn.functional.hardtanh(torch.tensor([-2.0, 0.5]))
        tensor([-1.0000,  0.5000])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (nn.hardtanh_ if inplace else nn.hardtanh)(input, min_val, max_val)


@overridable
@documented_by(_ELEMENTWISE)
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(0, x), 6).

    Example::

        >>> torch.nn.functional.relu6(torch.tensor([-1.0, 7.0]))
        tensor([0., 6.])
    """
    return hardtanh(input, 0.0, 6.0, inplace)


@overridable
@documented_by(_ELEMENTWISE)
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where x > 0, else alpha * (exp(x) - 1) (Clevert et al. 2015, arXiv:1511.07289).

    Args:
        alpha: minus the limit of small x.

    Example::

        >>> torch.nn.functional.elu(torch.tensor([-1.0, 1.0]))
        tensor([-0.6321,  1.0000])
    """
    return (nn.elu_ if inplace else nn.elu)(input, alpha)


@overridable
@documented_by(_ELEMENTWISE)
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """scale * (max(0, x) + min(0, alpha * (exp(x) - 1))) with constants that keep mean 0 and
    variance 1 (Klambauer et al. 2017, arXiv:1706.02515).

    Example::

        >>> torch.nn.functional.selu(torch.tensor([-1.0, 1.0]))
        tensor([-1.1113,  1.0507])
    """
    return (functions.selu_ if inplace else functions.selu)(input)


@overridable
@documented_by(_ELEMENTWISE)
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) (Barron 2017, arXiv:1704.07483).

    Args:
        alpha: minus the limit of small x.

    Example::

        >>> torch.nn.functional.celu(torch.tensor([-1.0, 1.0]))
        tensor([-0.6321,  1.0000])
    """
    return (functions.celu_ if inplace else functions.celu)(input, alpha)


@overridable
@documented_by(_ELEMENTWISE)
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(x / 6 + 1/2, 0), 1): a sigmoid of three straight lines.

    Example::

        >>> torch.nn.functional.hardsigmoid(torch.tensor([-4.0, 0.0, 4.0]))
        tensor([0.0000, 0.5000, 1.0000])
    """
    return (nn.hardsigmoid_ if inplace else nn.hardsigmoid)(input)


@overridable
@documented_by(_ELEMENTWISE)
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * hardsigmoid(x) (Howard et al. 2019, arXiv:1905.02244).

    Example::

        >>> torch.nn.functional.hardswish(torch.tensor([-3.0, 3.0]))
        tensor([-0., 3.])
    """
    return (nn.hardswish_ if inplace else nn.hardswish)(input)


@overridable
@documented_by(_ELEMENTWISE)
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * tanh(softplus(x)) (Misra 2019, arXiv:1908.08681).

    Example::

        >>> torch.nn.functional.mish(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8651])
    """
    return (nn.mish_ if inplace else nn.mish)(input)


@overridable
@documented_by(_ELEMENTWISE)
def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|).

    Example::

        >>> torch.nn.functional.softsign(torch.tensor([-1.0, 1.0]))
        tensor([-0.5000,  0.5000])
    """
    return input / (input.abs() + 1)


@overridable
@documented_by(_ELEMENTWISE)
def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x).

    Example::

        >>> torch.nn.functional.tanhshrink(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.2384])
    """
    return input - input.tanh()


@overridable
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """a * sigmoid(b), where a and b are the two halves of the input (Dauphin et al. 2016,
    arXiv:1612.08083).

    Args:
        input: of an even size along `dim`; floating point. The output has half of it.
        dim: the dimension that is halved.

    Raises:
        RuntimeError: the size is odd.

    Example::

        >>> torch.nn.functional.glu(torch.tensor([1.0, 2.0, 0.0, 0.0]))
        tensor([0.5000, 1.0000])
    """
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return nn.glu(input, dim)


@overridable
@documented_by(_ELEMENTWISE)
def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """x where x >= 0, else a * x (Xu et al. 2015, arXiv:1505.00853).

    While training each element has its own a, uniform in [lower, upper); otherwise a is their mean.

    Args:
        lower, upper: the bounds of a.
        training: whether a is random.

    Example::

        >>> torch.nn.functional.rrelu(torch.tensor([-1.0, 2.0]), 0.1, 0.3)
        tensor([-0.2000,  2.0000])
    """

    return (functions.rrelu_ if inplace else functions.rrelu)(input, lower, upper, training)


def _implicit_dim(input: Tensor, dim: int | None, name: str, stacklevel: int = 3) -> int:
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if input.dim() in (0, 1, 3) else 1


@overridable
@documented_by(_ALONG)
def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """exp(x_i) / sum_j exp(x_j) along one dimension.

    The largest element is subtracted first, so that no exponential overflows.

    Example::

        >>> torch.nn.functional.softmax(torch.tensor([0.0, 0.0]), dim=0)
        tensor([0.5000, 0.5000])
    """
    return input.softmax(_implicit_dim(input, dim, "softmax", _stacklevel), dtype=dtype)


@overridable
@documented_by(_ALONG)
def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """exp(-x_i) / sum_j exp(-x_j) along one dimension.

    Example::

        >>> torch.nn.functional.softmin(torch.tensor([0.0, 0.0]), dim=0)
        tensor([0.5000, 0.5000])
    """
    return (-input).softmax(_implicit_dim(input, dim, "softmin", _stacklevel), dtype=dtype)


@overridable
@documented_by(_ALONG)
def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None
) -> Tensor:
    """x_i - log(sum_j exp(x_j)) along one dimension; more precise than the logarithm of `softmax`.

    Example::

        >>> torch.nn.functional.log_softmax(torch.tensor([0.0, 0.0]), dim=0)
        tensor([-0.6931, -0.6931])
    """
    return input.log_softmax(_implicit_dim(input, dim, "log_softmax", _stacklevel), dtype=dtype)


@overridable
def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """softmax((logits + g) / tau) with Gumbel noise g: samples that can be differentiated (Jang et
    al. 2017, arXiv:1611.01144).

    Args:
        logits: unnormalised log-probabilities, of any shape.
        tau: the temperature; small ones give vectors near to one-hot.
        hard: whether samples are rounded to one-hot vectors, with the gradient of the soft ones.
        eps: kept for PyTorch's signature.
        dim: the dimension that sums to 1.

    Example::

        >>> torch.nn.functional.gumbel_softmax(torch.zeros(3, 4), hard=True).sum(-1)
        tensor([1., 1., 1.])
    """
    # -log of an exponential number is a Gumbel number.
    noise = -torch.empty_like(logits, memory_format=torch.contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    rounded = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return rounded - soft.detach() + soft


@overridable
def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """x / max(||x||_p, eps) along one dimension.

    Args:
        input: x, of any shape; floating point.
        p: the norm.
        dim: the dimension.
        eps: the least norm.
        out: where the result goes; it then has no gradient.

    Example::

        >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]))
        tensor([[0.6000, 0.8000]])
    """
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return torch.div(input, length) if out is None else torch.div(input, length, out=out)


@overridable
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """x_c / (k + alpha / size * sum x_j^2)^beta, the sum over `size` neighbouring channels
    (Krizhevsky et al. 2012).

    Args:
        input: x, of shape (N, C, ...).
        size: how many channels count, c in their middle.
        alpha: the weight of the sum.
        beta: the exponent.
        k: what is added to the sum.

    Raises:
        ValueError: the input has fewer than three dimensions.

    Example::

        >>> torch.nn.functional.local_response_norm(torch.ones(1, 2, 1), 1, 1.0, 1.0).flatten()
        tensor([0.5000, 0.5000])
    """
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


@overridable
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """x1 . x2 / (max(|x1|, eps) max(|x2|, eps)) along one dimension.

    Args:
        x1, x2: of shapes that broadcast.
        dim: the dimension, which the output lacks.
        eps: the least norm.

    Example::

        >>> x1, x2 = torch.tensor([1.0, 0.0]), torch.tensor([1.0, 1.0])
        >>> torch.nn.functional.cosine_similarity(x1, x2, dim=0)
        tensor(0.7071)
    """
    return functions.cosine_similarity(x1, x2, dim, eps)


@overridable
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of all pairs of rows, each pair once.

    Args:
        input: (N, M), floating point.
        p: the norm, from 0 to infinity.

    Shape:
        Output: (N (N - 1) / 2), the part above the diagonal of `torch.cdist(input, input, p)`.

    Raises:
        RuntimeError: `input` has not two dimensions, or `p` is negative.

    Example::

        >>> torch.nn.functional.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 4.0]]))
        tensor([5., 4., 3.])
    """
    return functions.pdist(input, p)


@overridable
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """||x1 - x2 + eps||_p along the last dimension.

    Args:
        x1, x2: (N, D) or (D,), of shapes that broadcast.
        p: the norm.
        eps: keeps the gradient finite where two are equal.
        keepdim: whether the last dimension stays, of size 1.

    Example::

        >>> x1, x2 = torch.zeros(1, 2), torch.tensor([[1.0, 2.0]])
        >>> torch.nn.functional.pairwise_distance(x1, x2, p=1.0)
        tensor([3.0000])
    """
    return functions.pairwise_distance(x1, x2, p, eps, keepdim)


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
    "pdist",
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

"""Activations."""

from __future__ import annotations

from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class Threshold(Module):
    """x where x > threshold, else `value`.

    Args:
        threshold: where the function begins.
        value: for all below.
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Threshold(0.5, -1.0)(torch.tensor([0.0, 1.0]))
        tensor([-1.,  1.])
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        inplace = ", inplace=True" if self.inplace else ""
        return f"threshold={self.threshold}, value={self.value}{inplace}"


class _Inplace(Module):
    """An activation that may overwrite its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class ReLU(_Inplace):
    """max(0, x).

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class SiLU(_Inplace):
    """x * sigmoid(x), also called swish (Elfwing et al. 2017, arXiv:1702.03118).

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.SiLU()(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7311])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(_Inplace):
    """x * tanh(softplus(x)) (Misra 2019, arXiv:1908.08681).

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Mish()(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8651])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class SELU(_Inplace):
    """scale * (max(0, x) + min(0, alpha * (exp(x) - 1))) (Klambauer et al. 2017, arXiv:1706.02515).

    alpha = 1.6733 and scale = 1.0507 keep mean 0 and variance 1 from layer to layer.

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.SELU()(torch.tensor([-1.0, 1.0]))
        tensor([-1.1113,  1.0507])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class Hardswish(_Inplace):
    """x * hardsigmoid(x) (Howard et al. 2019, arXiv:1905.02244).

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Hardswish()(torch.tensor([-3.0, 3.0]))
        tensor([-0., 3.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardsigmoid(_Inplace):
    """min(max(x / 6 + 1/2, 0), 1): a sigmoid of three straight lines.

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Hardsigmoid()(torch.tensor([-4.0, 0.0, 4.0]))
        tensor([0.0000, 0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardtanh(_Inplace):
    """x limited to [min_val, max_val].

    Args:
        min_val: the lower limit.
        max_val: the upper limit.
        inplace: whether the input is overwritten, and returned.
        min_value, max_value: older names of the limits.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Hardtanh()(torch.tensor([-2.0, 0.5]))
        tensor([-1.0000,  0.5000])
    """

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__(inplace)
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        if self.max_val <= self.min_val:
            raise AssertionError(
                f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})"
            )

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        inplace = ", inplace=True" if self.inplace else ""
        return f"min_val={self.min_val}, max_val={self.max_val}{inplace}"


class ReLU6(Hardtanh):
    """min(max(0, x), 6).

    Args:
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.ReLU6()(torch.tensor([-1.0, 7.0]))
        tensor([0., 6.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class LeakyReLU(_Inplace):
    """x where x >= 0, else negative_slope * x.

    Args:
        negative_slope: the slope below 0.
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.LeakyReLU(0.1)(torch.tensor([-1.0, 2.0]))
        tensor([-0.1000,  2.0000])
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        inplace = ", inplace=True" if self.inplace else ""
        return f"negative_slope={self.negative_slope}{inplace}"


class _Alpha(_Inplace):
    """An activation with one number alpha."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def extra_repr(self) -> str:
        inplace = ", inplace=True" if self.inplace else ""
        return f"alpha={self.alpha}{inplace}"


class ELU(_Alpha):
    """x where x > 0, else alpha * (exp(x) - 1) (Clevert et al. 2015, arXiv:1511.07289).

    Args:
        alpha: minus the limit of small x.
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.ELU()(torch.tensor([-1.0, 1.0]))
        tensor([-0.6321,  1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Alpha):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) (Barron 2017, arXiv:1704.07483).

    Args:
        alpha: minus the limit of small x.
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.CELU()(torch.tensor([-1.0, 1.0]))
        tensor([-0.6321,  1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class RReLU(_Inplace):
    """x where x >= 0, else a * x (Xu et al. 2015, arXiv:1505.00853).

    While training each element has its own a, uniform in [lower, upper); otherwise a is their mean.

    Args:
        lower, upper: the bounds of a.
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.RReLU(0.1, 0.3).eval()(torch.tensor([-1.0, 2.0]))
        tensor([-0.2000,  2.0000])
    """

    def __init__(
        self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False
    ) -> None:
        super().__init__(inplace)
        self.lower = lower
        self.upper = upper

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        inplace = ", inplace=True" if self.inplace else ""
        return f"lower={self.lower}, upper={self.upper}{inplace}"


class PReLU(Module):
    """x where x >= 0, else weight * x, with weights that are learnt (He et al. 2015,
    arXiv:1502.01852).

    Args:
        num_parameters: 1, or the number of channels C for a weight each.
        init: the first value of the weights.

    Shape:
        Input and output: (N, C, ...) for C weights, any shape for one.

    Example::

        >>> torch.nn.PReLU()(torch.tensor([-1.0, 2.0])).detach()
        tensor([-0.2500,  2.0000])
    """

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """All weights `init`."""
        with torch.no_grad():
            self.weight.fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class GELU(Module):
    """x * Phi(x), Phi the cumulative distribution function of the normal distribution (Hendrycks
    and Gimpel 2016, arXiv:1606.08415).

    Args:
        approximate: "none", or "tanh" for 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.GELU()(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8413])
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x > threshold.

    Args:
        beta: how sharp the bend is.
        threshold: from where on the difference is below rounding.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Softplus()(torch.tensor([0.0, 30.0]))
        tensor([ 0.6931, 30.0000])
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Sigmoid(Module):
    """1 / (1 + exp(-x)).

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Sigmoid()(torch.tensor([0.0, 100.0]))
        tensor([0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return torch.sigmoid(input)


class LogSigmoid(Module):
    """log(1 / (1 + exp(-x))), also where the sigmoid itself would be 0.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.LogSigmoid()(torch.tensor([0.0, -100.0]))
        tensor([  -0.6931, -100.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Tanh(Module):
    """(exp(x) - exp(-x)) / (exp(x) + exp(-x)).

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Tanh()(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7616])
    """

    def forward(self, input: Tensor) -> Tensor:
        return torch.tanh(input)


class Tanhshrink(Module):
    """x - tanh(x).

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Tanhshrink()(torch.tensor([0.0, 1.0]))
        tensor([0.0000, 0.2384])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class Softsign(Module):
    """x / (1 + |x|).

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Softsign()(torch.tensor([-1.0, 1.0]))
        tensor([-0.5000,  0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class _Shrink(Module):
    """An activation that takes small numbers to zero."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Softshrink(_Shrink):
    """x - lambd where x > lambd, x + lambd where x < -lambd, else 0.

    Args:
        lambd: how far x moves towards 0, not negative.

    Shape:
        Input and output: any shape; floating point.

    Raises:
        RuntimeError: `lambd` is negative; when the module is called.

    Example::

        >>> torch.nn.Softshrink()(torch.tensor([-1.0, 0.2]))
        tensor([-0.5000,  0.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class Hardshrink(_Shrink):
    """x where |x| > lambd, else 0.

    Args:
        lambd: the limit.

    Shape:
        Input and output: any shape; floating point.

    Example::

        >>> torch.nn.Hardshrink()(torch.tensor([-1.0, 0.2]))
        tensor([-1.,  0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


class GLU(Module):
    """a * sigmoid(b), where a and b are the two halves of the input (Dauphin et al. 2016,
    arXiv:1612.08083).

    Args:
        dim: the dimension that is halved.

    Shape:
        Input: (..., 2 n, ...) with 2 n at `dim`. Output: (..., n, ...).

    Raises:
        RuntimeError: the size at `dim` is odd.

    Example::

        >>> torch.nn.GLU()(torch.tensor([1.0, 2.0, 0.0, 0.0]))
        tensor([0.5000, 1.0000])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax(Module):
    """exp(x_i) / sum_j exp(x_j) along one dimension.

    The largest element is subtracted first, so that no exponential overflows.

    Args:
        dim: the dimension that sums to 1. None chooses one by the number of dimensions, and warns.

    Shape:
        Input and output: any shape.

    Example::

        >>> torch.nn.Softmax(dim=0)(torch.tensor([0.0, 0.0]))
        tensor([0.5000, 0.5000])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmin(Module):
    """exp(-x_i) / sum_j exp(-x_j) along one dimension.

    Args:
        dim: the dimension that sums to 1. None chooses one by the number of dimensions, and warns.

    Shape:
        Input and output: any shape.

    Example::

        >>> torch.nn.Softmin(dim=0)(torch.tensor([0.0, 0.0]))
        tensor([0.5000, 0.5000])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax2d(Module):
    """Softmax over the channels, at each place of an image.

    Shape:
        Input and output: (N, C, H, W) or (C, H, W).

    Raises:
        ValueError: the input has another number of dimensions.

    Example::

        >>> torch.nn.Softmax2d()(torch.zeros(2, 1, 1)).flatten()
        tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3)


class LogSoftmax(Module):
    """x_i - log(sum_j exp(x_j)) along one dimension.

    Args:
        dim: the dimension whose exponentials sum to 1. None chooses one by the number of
            dimensions, and warns.

    Shape:
        Input and output: any shape.

    Example::

        >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([0.0, 0.0]))
        tensor([-0.6931, -0.6931])
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class MultiheadAttention(Module):
    """concat(head_1, ..., head_h) W_o with head_i = attention(Q W_q, K W_k, V W_v) (Vaswani et al.
    2017, arXiv:1706.03762).

    Each head computes `torch.nn.functional.scaled_dot_product_attention` on E / h features. Masks
    are True where nobody may look, or numbers that are added to the scores.

    Args:
        embed_dim: E, the features of query and output.
        num_heads: h, which divides E.
        dropout: the probability of zeros among the weights, while training.
        bias: whether projections have biases.
        add_bias_kv: whether a learnt position is added to keys and values.
        add_zero_attn: whether a position of zeros is added to keys and values.
        kdim, vdim: the features of key and value; E if None.
        batch_first: whether tensors are (N, length, E) instead of (length, N, E).
        device, dtype: of the parameters.

    Shape:
        Query: (L, N, E). Key and value: (S, N, kdim) and (S, N, vdim). Output: (L, N, E), and the
            weights, (N, L, S), the mean of the heads unless `average_attn_weights=False`. Without a
            batch: the same without N.

    Raises:
        ValueError: `embed_dim` or `num_heads` is not positive.
        AssertionError: h does not divide E.

    Example::

        >>> attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2)
        >>> x = torch.ones(5, 3, 8)
        >>> output, weights = attention(x, x, x)
        >>> output.shape, weights.shape
        (torch.Size([5, 3, 8]), torch.Size([3, 5, 5]))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def parameter(*shape: int) -> Parameter:
            return Parameter(torch.empty(shape, device=device, dtype=dtype))

        same = self._qkv_same_embed_dim
        for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            weight = None if same else parameter(embed_dim, size)
            self.register_parameter(f"{name}_proj_weight", weight)
        projection = parameter(3 * embed_dim, embed_dim) if same else None
        self.register_parameter("in_proj_weight", projection)
        self.register_parameter("in_proj_bias", parameter(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        for name in ("bias_k", "bias_v"):
            extra = parameter(1, 1, embed_dim) if add_bias_kv else None
            self.register_parameter(name, extra)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        names = ("in_proj", "q_proj", "k_proj", "v_proj")
        for weight in (self._parameters[f"{name}_weight"] for name in names):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for name in ("bias_k", "bias_v"):
            if self._parameters[name] is not None:
                init.xavier_normal_(self._parameters[name])

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        swap = self.batch_first and query.dim() == 3
        if swap:
            query, key, value = (x.transpose(0, 1) for x in (query, key, value))
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            self.training,
            key_padding_mask,
            need_weights,
            attn_mask,
            not self._qkv_same_embed_dim,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return output.transpose(0, 1) if swap else output, weights

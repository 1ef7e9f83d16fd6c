"""Dropout."""

from __future__ import annotations

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class _DropoutNd(Module):
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """While training, 0 with probability p, else x / (1 - p); otherwise x (Hinton et al. 2012,
    arXiv:1207.0580).

    Args:
        p: the probability of zero, in [0, 1].
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape.

    Raises:
        ValueError: p is not in [0, 1].

    Example::

        >>> torch.nn.Dropout(0.3).eval()(torch.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """`Dropout` of whole channels: while training each channel of each sample is 0 with probability
    p, else x / (1 - p).

    Args:
        p: the probability of zero, in [0, 1].
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: (N, C, L) or (C, L).

    Raises:
        ValueError: p is not in [0, 1].

    Example::

        >>> torch.nn.Dropout1d(1.0)(torch.ones(1, 2, 2)).sum()
        tensor(0.)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """`Dropout` of whole channels: while training each channel of each sample is 0 with probability
    p, else x / (1 - p).

    Args:
        p: the probability of zero, in [0, 1].
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: (N, C, H, W) or (N, C, L).

    Raises:
        ValueError: p is not in [0, 1].

    Example::

        >>> torch.nn.Dropout2d(1.0)(torch.ones(1, 2, 2, 2)).sum()
        tensor(0.)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """`Dropout` of whole channels: while training each channel of each sample is 0 with probability
    p, else x / (1 - p).

    Args:
        p: the probability of zero, in [0, 1].
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: (N, C, D, H, W) or (C, D, H, W).

    Raises:
        ValueError: p is not in [0, 1].

    Example::

        >>> torch.nn.Dropout3d(1.0)(torch.ones(1, 2, 2, 2, 2)).sum()
        tensor(0.)
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance of what `SELU` gives (Klambauer et al. 2017,
    arXiv:1706.02515).

    While training an element becomes -scale * alpha of SELU with probability p; all are then scaled
    and shifted.

    Args:
        p: the probability of zero, in [0, 1].
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: any shape.

    Raises:
        ValueError: p is not in [0, 1].

    Example::

        >>> torch.nn.AlphaDropout(0.3).eval()(torch.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of whole channels.

    Args:
        p: the probability of zero, in [0, 1].
        inplace: whether the input is overwritten, and returned.

    Shape:
        Input and output: (N, C, ...).

    Raises:
        ValueError: p is not in [0, 1].

    Example::

        >>> torch.nn.FeatureAlphaDropout(0.3).eval()(torch.ones(1, 2, 1)).flatten()
        tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        return F.feature_alpha_dropout(input, self.p, self.training)

"""Each channel of each sample with its own mean and variance."""

from __future__ import annotations

import warnings
from typing import Any

from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.batchnorm import _LazyNorm, _NormBase


class _InstanceNorm(_NormBase):
    """What `InstanceNorm1d`, `InstanceNorm2d` and `InstanceNorm3d` have in common.

    Args:
        num_features: C.
        eps: keeps the root from 0.
        momentum: the weight of a batch in running statistics.
        affine: whether there are weight and bias, of shape (C,).
        track_running_stats: whether running statistics are kept, and used outside training.
        device, dtype: of parameters and statistics.

    Raises:
        ValueError: another number of dimensions, or of channels where `affine`.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def _get_no_batch_dim(self) -> int:
        """How many dimensions an input without a batch has."""
        return self._allowed[0]

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        unbatched = input.dim() == self._get_no_batch_dim()
        dim = 0 if unbatched else 1
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={dim} to match num_features ({self.num_features}), but got: {input.size(dim)}."
                )
            warnings.warn(
                f"input's size at dim={dim} does not match num_features. You can silence this warning by not passing in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        if unbatched:
            input = input.unsqueeze(0)
        result = F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return result.squeeze(0) if unbatched else result


@documented_by(_InstanceNorm)
class InstanceNorm1d(_InstanceNorm):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel of each sample (Ulyanov et
    al. 2016, arXiv:1607.08022).

    Shape:
        Input and output: (N, C, L) or (C, L).

    Example::

        >>> torch.nn.InstanceNorm1d(3)(torch.randn(2, 3, 4)).mean().abs() < 1e-6
        tensor(True)
    """

    _allowed = (2, 3)


@documented_by(_InstanceNorm)
class InstanceNorm2d(_InstanceNorm):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel of each sample (Ulyanov et
    al. 2016, arXiv:1607.08022).

    Shape:
        Input and output: (N, C, H, W) or (C, H, W).

    Example::

        >>> torch.nn.InstanceNorm2d(3)(torch.randn(2, 3, 4, 4)).mean().abs() < 1e-6
        tensor(True)
    """

    _allowed = (3, 4)


@documented_by(_InstanceNorm)
class InstanceNorm3d(_InstanceNorm):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel of each sample (Ulyanov et
    al. 2016, arXiv:1607.08022).

    Shape:
        Input and output: (N, C, D, H, W) or (C, D, H, W).

    Example::

        >>> torch.nn.InstanceNorm3d(3)(torch.randn(2, 3, 4, 4, 4)).mean().abs() < 1e-6
        tensor(True)
    """

    _allowed = (4, 5)


class _LazyInstanceNorm(_LazyNorm):
    """An input without a batch has its features first."""

    def _features_of(self, input: Tensor) -> int:
        return input.shape[1 if input.dim() > self._allowed[0] else 0]


class LazyInstanceNorm1d(_LazyInstanceNorm, InstanceNorm1d):
    """An `InstanceNorm1d` whose `num_features` are the channels of the first input.

    Args:
        eps: as that of `InstanceNorm1d`, like the arguments after it.

    Example::

        >>> norm = torch.nn.LazyInstanceNorm1d(affine=True)
        >>> _ = norm(torch.ones(5, 4, 2))
        >>> type(norm).__name__, norm.num_features
        ('InstanceNorm1d', 4)
    """

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, InstanceNorm2d):
    """An `InstanceNorm2d` whose `num_features` are the channels of the first input.

    Args:
        eps: as that of `InstanceNorm2d`, like the arguments after it.

    Example::

        >>> norm = torch.nn.LazyInstanceNorm2d(affine=True)
        >>> _ = norm(torch.ones(5, 4, 2, 2))
        >>> type(norm).__name__, norm.num_features
        ('InstanceNorm2d', 4)
    """

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, InstanceNorm3d):
    """An `InstanceNorm3d` whose `num_features` are the channels of the first input.

    Args:
        eps: as that of `InstanceNorm3d`, like the arguments after it.

    Example::

        >>> norm = torch.nn.LazyInstanceNorm3d(affine=True)
        >>> _ = norm(torch.ones(5, 4, 2, 2, 2))
        >>> type(norm).__name__, norm.num_features
        ('InstanceNorm3d', 4)
    """

    cls_to_become = InstanceNorm3d

"""Normalisation with statistics of channels: batch and instance."""

from __future__ import annotations

from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter


class _NormBase(Module):
    """Weight and bias if `affine`, running statistics if `track_running_stats`."""

    _version = 2
    # How many dimensions inputs may have.
    _allowed: tuple[int, ...]

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            values = torch.empty(num_features, device=device, dtype=dtype) if wanted else None
            self.register_parameter(name, None if values is None else Parameter(values))
        names = ("running_mean", "running_var")
        for name in names:
            statistic = torch.zeros(num_features, device=device, dtype=dtype)
            self.register_buffer(name, statistic if track_running_stats else None)
        counter = torch.tensor(0, dtype=torch.long, device=device)
        self.register_buffer("num_batches_tracked", counter if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Mean zero, variance one, no batches."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Scale one, shift zero."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in self._allowed:
            wanted = " or ".join(f"{n}D" for n in self._allowed)
            raise ValueError(f"expected {wanted} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        text = f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, bias={self.bias is not None}"
        return f"{text}, track_running_stats={self.track_running_stats}"

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        key = prefix + "num_batches_tracked"
        version = local_metadata.get("version", None)
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            # Files from before version 2 do not count the batches; the module goes on counting.
            own = self.num_batches_tracked
            usable = own is not None and own.device.type != "meta"
            state_dict[key] = own if usable else torch.tensor(0, dtype=torch.long)
        super()._load_from_state_dict(
            state_dict,
            prefix,
            local_metadata,
            strict,
            missing_keys,
            unexpected_keys,
            error_msgs,
        )


class _BatchNorm(_NormBase):
    """What `BatchNorm1d`, `BatchNorm2d` and `BatchNorm3d` have in common.

    While training, mean and variance (without Bessel's correction) are those of the batch, and
    running ones follow them, the variance with the correction. Otherwise the running ones are used,
    if `track_running_stats`.

    Args:
        num_features: C.
        eps: keeps the root from 0.
        momentum: the weight of a batch in running statistics; None averages all batches.
        affine: whether there are weight and bias.
        track_running_stats: whether there are running statistics.
        device, dtype: of parameters and statistics.

    Attributes:
        weight, bias: (C,), first 1 and 0.
        running_mean, running_var: (C,), first 0 and 1.
        num_batches_tracked: how many batches the statistics saw.

    Raises:
        ValueError: another number of dimensions, or one value a channel while training.
    """

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or self.running_mean is None
        running = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if running else None,
            self.running_var if running else None,
            self.weight,
            self.bias,
            by_batch,
            factor,
            self.eps,
        )


@documented_by(_BatchNorm)
class BatchNorm1d(_BatchNorm):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel (Ioffe and Szegedy 2015,
    arXiv:1502.03167).

    Shape:
        Input and output: (N, C) or (N, C, L).

    Example::

        >>> torch.nn.BatchNorm1d(3)(torch.randn(2, 3, 4)).mean().abs() < 1e-6
        tensor(True)
    """

    _allowed = (2, 3)


@documented_by(_BatchNorm)
class BatchNorm2d(_BatchNorm):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel (Ioffe and Szegedy 2015,
    arXiv:1502.03167).

    Shape:
        Input and output: (N, C, H, W).

    Example::

        >>> torch.nn.BatchNorm2d(3)(torch.randn(2, 3, 4, 4)).mean().abs() < 1e-6
        tensor(True)
    """

    _allowed = (4,)


@documented_by(_BatchNorm)
class BatchNorm3d(_BatchNorm):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel (Ioffe and Szegedy 2015,
    arXiv:1502.03167).

    Shape:
        Input and output: (N, C, D, H, W).

    Example::

        >>> torch.nn.BatchNorm3d(3)(torch.randn(2, 3, 4, 4, 4)).mean().abs() < 1e-6
        tensor(True)
    """

    _allowed = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation of (N, C, ...), with statistics over the batches of all processes.

    There is one process in this release, so it is batch normalisation for inputs of two or more
    dimensions.

    Args:
        num_features: C.
        eps, momentum, affine, track_running_stats, bias: as for `BatchNorm2d`.
        process_group: kept for PyTorch's signature.

    Example::

        >>> torch.nn.SyncBatchNorm(3)(torch.ones(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: Any = None,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """Replaces each BatchNorm in a module by a SyncBatchNorm that shares its parameters and
        buffers.

        Args:
            module: the module, which is changed in place; a BatchNorm itself stays as it is.
            process_group: of the new modules.

        Returns:
            The module; if it was a BatchNorm, the new one.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
            >>> type(torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)[1]).__name__
            'SyncBatchNorm'
        """
        result = module
        if isinstance(module, _BatchNorm) and not isinstance(module, SyncBatchNorm):
            result = cls(
                module.num_features,
                module.eps,
                module.momentum,
                module.affine,
                module.track_running_stats,
                process_group,
            )
            result._parameters.update(module._parameters)
            result._buffers.update(module._buffers)
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result


class _LazyNorm(LazyModuleMixin):
    """The number of features is the second size of the first input."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
        if affine and bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long, device=device)

    def reset_parameters(self) -> None:
        """The usual values, once there are shapes."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor) -> None:
        """Gives parameters and buffers the number of features of the first input, its size in
        dimension 1.

        Args:
            input: the first input.
        """
        if self.has_uninitialized_params():
            self.num_features = self._features_of(input)
            for name in ("weight", "bias", "running_mean", "running_var"):
                value = getattr(self, name)
                if value is not None:
                    value.materialize((self.num_features,))
            self.reset_parameters()

    def _features_of(self, input: Tensor) -> int:
        return input.shape[1]


class LazyBatchNorm1d(_LazyNorm, BatchNorm1d):
    """A `BatchNorm1d` whose `num_features` are the size of dimension 1 of the first input.

    Args:
        eps: as that of `BatchNorm1d`, like the arguments after it.

    Example::

        >>> norm = torch.nn.LazyBatchNorm1d()
        >>> _ = norm(torch.ones(5, 4))
        >>> type(norm).__name__, norm.num_features
        ('BatchNorm1d', 4)
    """

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNorm, BatchNorm2d):
    """A `BatchNorm2d` whose `num_features` are the size of dimension 1 of the first input.

    Args:
        eps: as that of `BatchNorm2d`, like the arguments after it.

    Example::

        >>> norm = torch.nn.LazyBatchNorm2d()
        >>> _ = norm(torch.ones(5, 4, 2, 2))
        >>> type(norm).__name__, norm.num_features
        ('BatchNorm2d', 4)
    """

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNorm, BatchNorm3d):
    """A `BatchNorm3d` whose `num_features` are the size of dimension 1 of the first input.

    Args:
        eps: as that of `BatchNorm3d`, like the arguments after it.

    Example::

        >>> norm = torch.nn.LazyBatchNorm3d()
        >>> _ = norm(torch.ones(5, 4, 2, 2, 2))
        >>> type(norm).__name__, norm.num_features
        ('BatchNorm3d', 4)
    """

    cls_to_become = BatchNorm3d

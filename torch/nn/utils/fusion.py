"""Layers joined with the batch normalization that follows them, for inference."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


def _scale_and_shift(
    bias: Tensor | None, mean: Tensor, var: Tensor, eps: float, w: Tensor | None, b: Tensor | None
) -> tuple[Tensor, Tensor]:
    """(y - mean) / sqrt(var + eps) w + b as a factor of y's weights and a new bias."""
    scale = torch.rsqrt(var + eps)
    if w is not None:
        scale = scale * w
    shift = ((0 if bias is None else bias) - mean) * scale
    return scale, shift if b is None else shift + b


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of the convolution that does what a convolution and the normalization by
    running mean `bn_rm` and variance `bn_rv` do."""
    scale, bias = _scale_and_shift(conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    shape = [1, -1] if transpose else [-1, 1]
    weight = (conv_w * scale.reshape(shape + [1] * (conv_w.dim() - 2))).to(conv_w.dtype)
    return (
        Parameter(weight, conv_w.requires_grad),
        Parameter(bias.to(conv_w.dtype), True if conv_b is None else conv_b.requires_grad),
    )


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of the linear layer that does what a layer and its normalization do.

    Args:
        linear_w: weight, (out_features, in_features).
        linear_b: bias, (out_features,), or None.
        bn_rm: running mean, (out_features,).
        bn_rv: running variance, (out_features,).
        bn_eps: what is added to the variance.
        bn_w: weight of the normalization, (out_features,), or None for ones.
        bn_b: its bias, (out_features,), or None for zeros.

    Returns:
        W * s and (b - mean) * s + bn_b, with s = bn_w / sqrt(variance + eps), in the dtype of
        `linear_w`.
    """
    return fuse_conv_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def _fused(layer: Module, bn: Module, transpose: bool) -> Any:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError(
            "Fusion needs the running mean and variance: give BatchNorm track_running_stats=True"
        )
    result = copy.deepcopy(layer)
    result.weight, result.bias = fuse_conv_bn_weights(
        result.weight,
        result.bias,
        bn.running_mean,
        bn.running_var,
        bn.eps,
        bn.weight,
        bn.bias,
        transpose,
    )
    return result


def fuse_conv_bn_eval(conv: Module, bn: Module, transpose: bool = False) -> Any:
    """A convolution that does what `conv` and then `bn` do, both in evaluation mode.

    Example::

        >>> conv, bn = torch.nn.Conv2d(2, 3, 1).eval(), torch.nn.BatchNorm2d(3).eval()
        >>> fused = torch.nn.utils.fuse_conv_bn_eval(conv, bn)
        >>> x = torch.randn(1, 2, 4, 4)
        >>> torch.allclose(fused(x), bn(conv(x)), atol=1e-5)
        True
    """
    return _fused(conv, bn, transpose)


def fuse_linear_bn_eval(linear: Module, bn: Module) -> Any:
    """A linear layer that does what `linear` and then `bn` do, both in evaluation mode.

    Args:
        linear: the layer.
        bn: a BatchNorm with running statistics, of as many features or of one.

    Returns:
        A copy of `linear` with other parameters.

    Raises:
        AssertionError: a module is in training mode, or the features differ.

    Example::

        >>> linear, bn = torch.nn.Linear(2, 3).eval(), torch.nn.BatchNorm1d(3).eval()
        >>> fused, x = torch.nn.utils.fuse_linear_bn_eval(linear, bn), torch.ones(1, 2)
        >>> torch.allclose(fused(x), bn(linear(x)), atol=1e-5)
        True
    """
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            f"To fuse, linear.out_features == bn.num_features or bn.num_features == 1, but they are {linear.out_features} and {bn.num_features}"
        )
    return _fused(linear, bn, False)

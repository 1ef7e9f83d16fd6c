"""Layers and losses as functions."""

from __future__ import annotations

from torch import _absent
from torch._placement import place
from torch._torch_function import handle_torch_function as handle_torch_function
from torch.functional import conv_tbc
from torch.nn import grad as grad
from torch.nn.functional.activation import *  # noqa: F403
from torch.nn.functional.activation import __all__ as _activations
from torch.nn.functional.attention import (
    bilinear,
    linear,
    multi_head_attention_forward,
    scaled_dot_product_attention,
)
from torch.nn.functional.convolution import (
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    fold,
    unfold,
)
from torch.nn.functional.dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from torch.nn.functional.loss import *  # noqa: F403
from torch.nn.functional.loss import __all__ as _losses
from torch.nn.functional.margin_loss import *  # noqa: F403
from torch.nn.functional.margin_loss import __all__ as _margin_losses
from torch.nn.functional.normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    rms_norm,
)
from torch.nn.functional.padding import pad
from torch.nn.functional.pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool2d_with_indices,
    max_pool3d,
    max_pool3d_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from torch.nn.functional.sparse import embedding, embedding_bag, one_hot
from torch.nn.functional.vision import (
    affine_grid,
    channel_shuffle,
    grid_sample,
    interpolate,
    pixel_shuffle,
    pixel_unshuffle,
    upsample,
    upsample_bilinear,
    upsample_nearest,
)

__getattr__ = _absent.explain(__name__)

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
    "affine_grid",
    "alpha_dropout",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bilinear",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "fold",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "grid_sample",
    "group_norm",
    "instance_norm",
    "interpolate",
    "layer_norm",
    "linear",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "multi_head_attention_forward",
    "one_hot",
    "pad",
    "pixel_shuffle",
    "pixel_unshuffle",
    "rms_norm",
    "scaled_dot_product_attention",
    "unfold",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
    *_activations,
    *_losses,
    *_margin_losses,
]

place(__name__, globals(), __all__)

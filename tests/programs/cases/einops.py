"""Layers that rearrange, reduce and mix by a text."""

from __future__ import annotations

from typing import Any

from einops import rearrange, reduce, repeat
from einops.layers.torch import EinMix, Rearrange
from inputs import filled, numbers, trained
from torch import nn


def run() -> Any:
    """A small network on patches of pictures."""
    net = nn.Sequential(
        Rearrange("b c (h p) (w q) -> b (h w) (c p q)", p=2, q=2),
        EinMix("b n c -> b n d", weight_shape="c d", bias_shape="d", c=12, d=6),
        nn.GELU(),
    )
    x = numbers("x", 2, 3, 4, 6)
    y = filled(net)(x)
    z = repeat(reduce(y, "b n d -> b d", "mean"), "b d -> b n d", n=y.shape[1])
    return trained(net, (y * z).sum()) | {"heads": rearrange(y, "b n (h d) -> b h n d", h=3)}

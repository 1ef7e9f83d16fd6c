"""Channels in another order."""

from __future__ import annotations

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class ChannelShuffle(Module):
    """The first channel of each group, then the second of each, and so on (Zhang et al. 2018,
    arXiv:1707.01083).

    Args:
        groups: how many groups there are; they divide the channels.

    Shape:
        Input and output: (N, C, ...).

    Example::

        >>> torch.nn.ChannelShuffle(2)(torch.arange(4.0).reshape(1, 4, 1)).flatten()
        tensor([0., 2., 1., 3.])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"

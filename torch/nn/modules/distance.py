"""Distances between vectors."""

from __future__ import annotations

from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.module import Module


class CosineSimilarity(Module):
    """x1 . x2 / (max(|x1|, eps) max(|x2|, eps)) along one dimension.

    Args:
        dim: the dimension.
        eps: the least norm.

    Shape:
        Inputs: of shapes that broadcast. Output: the same without `dim`.

    Example::

        >>> torch.nn.CosineSimilarity(dim=0)(torch.tensor([1.0, 0.0]), torch.tensor([1.0, 1.0]))
        tensor(0.7071)
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """||x1 - x2 + eps||_p along the last dimension.

    Args:
        p: the norm.
        eps: keeps the gradient finite where two are equal.
        keepdim: whether the last dimension stays, of size 1.

    Shape:
        Inputs: (N, D) or (D,). Output: (N,) or (), with a last size of 1 if `keepdim`.

    Example::

        >>> torch.nn.PairwiseDistance(p=1.0)(torch.zeros(1, 2), torch.tensor([[1.0, 2.0]]))
        tensor([3.0000])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)

"""The adaptive softmax, for many classes when few are frequent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import _absent
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.container import ModuleList, Sequential
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module


class _ASMoutput(NamedTuple):
    """What `AdaptiveLogSoftmaxWithLoss` returns."""

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """The log-likelihood of classes that are sorted by how frequent they are, in clusters (Grave et
    al. 2017, "Efficient softmax approximation for GPUs").

    The head scores the classes before the first cutoff and each cluster of others. A cluster scores
    its classes through a smaller hidden layer. With head h and cluster t_k,
    log p(y | x) = log softmax(h(x))_y for a class y of the head, and
    log softmax(h(x))_k + log softmax(t_k(x))_y for a class of cluster k.

    Args:
        in_features: the size of x.
        n_classes: how many classes there are.
        cutoffs: the first class of each cluster.
        div_value: cluster k has in_features / div_value^(k + 1) hidden features.
        head_bias: whether the head adds a bias.
        device: where the parameters are.
        dtype: their dtype.

    Shape:
        Input: (N, in_features) or (in_features,). Target: (N,) or ().
        Output: `output`, the log-likelihood of each target, (N,) or (); `loss`, minus their mean.

    Raises:
        ValueError: cutoffs that do not increase, or outside of 1 to n_classes - 1.
        RuntimeError: targets that are no classes, or of another shape than the input says.

    Example::

        >>> softmax = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 20, cutoffs=[5, 10])
        >>> output, loss = softmax(torch.randn(3, 4), torch.tensor([0, 7, 19]))
        >>> output.shape, loss.shape
        (torch.Size([3]), torch.Size([]))
    """

    in_features: int
    n_classes: int
    cutoffs: list[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        firsts = list(cutoffs)
        if not firsts:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if (
            firsts != sorted(set(firsts))
            or firsts[0] <= 0
            or firsts[-1] > n_classes - 1
            or any(int(first) != first for first in firsts)
        ):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*firsts, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(firsts)
        self.head_size = self.shortlist_size + self.n_clusters
        factory: dict[str, Any] = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **factory)
        self.tail = ModuleList()
        for k in range(self.n_clusters):
            hidden = int(in_features // div_value ** (k + 1))
            size = self.cutoffs[k + 1] - self.cutoffs[k]
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, **factory),
                    Linear(hidden, size, bias=False, **factory),
                )
            )

    def reset_parameters(self) -> None:
        """Draws the parameters of all layers again."""
        self.head.reset_parameters()
        for cluster in self.tail:
            for layer in cluster.children():
                layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        if target_.dim() > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if target_.dim() == 0 and input_.dim() != 1:
            raise RuntimeError(
                f"0D target tensor expects 1D input tensors, but found inputs with size {input_.size()}"
            )
        if target_.dim() == 1 and (input_.dim() != 2 or len(input_) != len(target_)):
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        batched = target_.dim() == 1
        input = input_ if batched else input_.unsqueeze(0)
        target = target_ if batched else target_.unsqueeze(0)
        if target.numel() and not 0 <= int(target.min()) <= int(target.max()) < self.n_classes:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{int(target.min())}, {int(target.max())}] were found. "
            )
        # The head's column of each target: the class itself, or its cluster.
        column = target.clone()
        rest = input.new_zeros(len(target))
        for k in range(self.n_clusters):
            low, high = self.cutoffs[k], self.cutoffs[k + 1]
            rows = ((target >= low) & (target < high)).nonzero().flatten()
            if rows.numel() == 0:
                continue
            column[rows] = self.shortlist_size + k
            scores = F.log_softmax(self.tail[k](input[rows]), dim=1)
            found = scores.gather(1, (target[rows] - low).unsqueeze(1)).squeeze(1)
            rest = rest.index_copy(0, rows, found.to(rest.dtype))
        head = F.log_softmax(self.head(input), dim=1)
        output = rest + head.gather(1, column.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        """All classes' log-likelihoods, from what the head says."""
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for k, cluster in enumerate(self.tail):
            column = head[:, self.shortlist_size + k].unsqueeze(1)
            parts.append(F.log_softmax(cluster(input), dim=1) + column)
        return torch.cat(parts, dim=1)

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-likelihood of every class.

        Args:
            input: the features.

        Shape:
            (N, in_features) to (N, n_classes).

        Example::

            >>> layer = torch.nn.AdaptiveLogSoftmaxWithLoss(4, 10, cutoffs=[2, 5])
            >>> layer.log_prob(torch.ones(3, 4)).exp().sum(1).allclose(torch.ones(3))
            True
        """
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The likeliest class of each input: (N, in_features) to (N,).

        A cluster is computed only for inputs that the head sends there.
        """
        head_output = self.head(input)
        output = head_output.argmax(dim=1)
        rows = (output >= self.shortlist_size).nonzero().flatten()
        if rows.numel():
            every = self._get_full_log_prob(input[rows], head_output[rows])
            output[rows] = every.argmax(dim=1)
        return output


__getattr__ = _absent.explain(__name__)

"""Losses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import _absent
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.functional.loss import _legacy
from torch.nn.modules.module import Module


class _Loss(Module):
    """A loss reduced by "none", "mean" or "sum"."""

    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        self.reduction = _legacy(size_average, reduce, reduction)


class _WeightedLoss(_Loss):
    """A loss with a weight for each class."""

    weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


@documented_by(F.l1_loss)
class L1Loss(_Loss):
    """The absolute error, |x - y|.

    Example::

        >>> torch.nn.L1Loss()(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
        tensor(1.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.l1_loss(input, target, reduction=self.reduction)


@documented_by(F.mse_loss)
class MSELoss(_Loss):
    """The squared error, (x - y)^2.

    Example::

        >>> loss = torch.nn.MSELoss(reduction="none")
        >>> loss(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
        tensor([0., 4.])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, reduction=self.reduction)


@documented_by(F.smooth_l1_loss)
class SmoothL1Loss(_Loss):
    """With d = |x - y|: d^2 / (2 beta) where d < beta, else d - beta / 2 (Girshick 2015,
    arXiv:1504.08083).

    Example::

        >>> torch.nn.SmoothL1Loss(beta=2.0)(torch.tensor([1.0]), torch.tensor([4.0]))
        tensor(2.)
    """

    def __init__(
        self,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


@documented_by(F.huber_loss)
class HuberLoss(_Loss):
    """With d = |x - y|: d^2 / 2 where d <= delta, else delta (d - delta / 2) (Huber 1964).

    Example::

        >>> torch.nn.HuberLoss(delta=2.0)(torch.tensor([1.0]), torch.tensor([4.0]))
        tensor(4.)
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, self.reduction, self.delta)


@documented_by(F.nll_loss)
class NLLLoss(_WeightedLoss):
    """The negative log-likelihood of the target class, -weight[y] * x[y].

    Example::

        >>> torch.nn.NLLLoss()(torch.tensor([[0.25, 0.75]]).log(), torch.tensor([1]))
        tensor(0.2877)
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )


class NLLLoss2d(NLLLoss):
    """The older name of `NLLLoss`, from when it took no images."""


@documented_by(F.cross_entropy)
class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy -sum_c p_c log softmax(x)_c of logits x and targets p.

    For classes y it is `NLLLoss` after `LogSoftmax`.

    Example::

        >>> loss = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
        >>> loss(torch.tensor([[2.0, 0.0]]), torch.tensor([0]))
        tensor(0.2269)
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


@documented_by(F.binary_cross_entropy)
class BCELoss(_WeightedLoss):
    """-weight (y log x + (1 - y) log(1 - x)) of probabilities x.

    `BCEWithLogitsLoss` after a linear layer is more precise than this after a sigmoid.

    Example::

        >>> torch.nn.BCELoss()(torch.tensor([0.5, 0.25]), torch.tensor([1.0, 0.0]))
        tensor(0.4904)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


@documented_by(F.binary_cross_entropy_with_logits)
class BCEWithLogitsLoss(_Loss):
    """-weight (pos_weight y log s + (1 - y) log(1 - s)) with s = sigmoid(x).

    Example::

        >>> torch.nn.BCEWithLogitsLoss()(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.0]))
        tensor(1.0032)
    """

    weight: Tensor | None
    pos_weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


@documented_by(F.kl_div)
class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of x from a target: y (log y - x), and 0 where y is 0.

    Example::

        >>> loss = torch.nn.KLDivLoss(reduction="batchmean")
        >>> loss(torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[0.25, 0.75]]))
        tensor(0.1308)
    """

    def __init__(
        self,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        log_target: bool = False,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


@documented_by(F.poisson_nll_loss)
class PoissonNLLLoss(_Loss):
    """The negative log-likelihood of counts y: exp(x) - y x, or x - y log(x + eps) without
    `log_input`.

    Example::

        >>> torch.nn.PoissonNLLLoss()(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
        tensor(0.8591)
    """

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: Any = None,
        eps: float = 1e-8,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        return F.poisson_nll_loss(
            log_input,
            target,
            log_input=self.log_input,
            full=self.full,
            eps=self.eps,
            reduction=self.reduction,
        )


@documented_by(F.gaussian_nll_loss)
class GaussianNLLLoss(_Loss):
    """The negative log-likelihood of normal distributions, (log v + (x - y)^2 / v) / 2 with v =
    max(var, eps) (Nix and Weigend 1994).

    Example::

        >>> torch.nn.GaussianNLLLoss()(torch.zeros(2), torch.ones(2), torch.ones(2))
        tensor(0.5000)
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        return F.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )


@documented_by(F.soft_margin_loss)
class SoftMarginLoss(_Loss):
    """log(1 + exp(-y x)).

    Example::

        >>> torch.nn.SoftMarginLoss()(torch.tensor([0.0, 2.0]), torch.tensor([1.0, 1.0]))
        tensor(0.4100)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


@documented_by(F.hinge_embedding_loss)
class HingeEmbeddingLoss(_Loss):
    """x where y is 1, max(0, margin - x) where y is -1.

    Example::

        >>> loss = torch.nn.HingeEmbeddingLoss(margin=2.0)
        >>> loss(torch.tensor([0.5, 0.5]), torch.tensor([1.0, -1.0]))
        tensor(1.)
    """

    def __init__(
        self,
        margin: float = 1.0,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


@documented_by(F.cosine_embedding_loss)
class CosineEmbeddingLoss(_Loss):
    """1 - cos(x1, x2) where y is 1, max(0, cos(x1, x2) - margin) where y is -1.

    Example::

        >>> loss = torch.nn.CosineEmbeddingLoss(margin=0.5)
        >>> loss(torch.ones(1, 2), torch.ones(1, 2), torch.tensor([-1.0]))
        tensor(0.5000)
    """

    def __init__(
        self,
        margin: float = 0.0,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(
            input1, input2, target, self.margin, reduction=self.reduction
        )


@documented_by(F.margin_ranking_loss)
class MarginRankingLoss(CosineEmbeddingLoss):
    """max(0, -y (x1 - x2) + margin).

    Example::

        >>> loss = torch.nn.MarginRankingLoss(margin=1.0)
        >>> loss(torch.tensor([1.0]), torch.tensor([0.5]), torch.ones(1))
        tensor(0.5000)
    """

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


@documented_by(F.multi_margin_loss)
class MultiMarginLoss(_WeightedLoss):
    """sum_{i != y} weight[y] max(0, margin - x[y] + x[i])^p / C for each row.

    Example::

        >>> torch.nn.MultiMarginLoss()(torch.tensor([[0.2, 0.6]]), torch.tensor([1]))
        tensor(0.3000)
    """

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multi_margin_loss(
            input, target, self.p, self.margin, self.weight, reduction=self.reduction
        )


@documented_by(F.multilabel_margin_loss)
class MultiLabelMarginLoss(_Loss):
    """sum_{j in y, i not in y} max(0, 1 - (x[j] - x[i])) / C for each row.

    Example::

        >>> loss = torch.nn.MultiLabelMarginLoss()
        >>> loss(torch.tensor([0.1, 0.2, 0.4, 0.8]), torch.tensor([3, 0, -1, 1]))
        tensor(0.8500)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


@documented_by(F.multilabel_soft_margin_loss)
class MultiLabelSoftMarginLoss(_WeightedLoss):
    """-sum_c weight[c] (y_c log s_c + (1 - y_c) log(1 - s_c)) / C for each row, with s =
    sigmoid(x).

    Example::

        >>> loss = torch.nn.MultiLabelSoftMarginLoss()
        >>> loss(torch.zeros(1, 2), torch.tensor([[1.0, 0.0]]))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(
            input, target, weight=self.weight, reduction=self.reduction
        )


@documented_by(F.ctc_loss)
class CTCLoss(_Loss):
    """Minus the log-probability of a sequence over all its alignments (Graves et al. 2006,
    Connectionist temporal classification).

    Example::

        >>> loss = torch.nn.CTCLoss()
        >>> loss(torch.full((4, 1, 3), 1 / 3).log(), torch.tensor([[1, 2]]), [4], [2])
        tensor(0.8432)
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Tensor | Sequence[int],
        target_lengths: Tensor | Sequence[int],
    ) -> Tensor:
        return F.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )


@documented_by(F.triplet_margin_loss)
class TripletMarginLoss(_Loss):
    """max(0, d(a, p) - d(a, n) + margin) with d(x, y) = ||x - y + eps||_p (Balntas et al. 2016,
    BMVC).

    Example::

        >>> loss = torch.nn.TripletMarginLoss(p=1.0)
        >>> loss(torch.zeros(1, 2), torch.ones(1, 2), torch.full((1, 2), 1.25))
        tensor(0.5000)
    """

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(
                f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


@documented_by(F.triplet_margin_with_distance_loss)
class TripletMarginWithDistanceLoss(_Loss):
    """max(0, d(a, p) - d(a, n) + margin) for a distance d (Balntas et al. 2016, BMVC).

    Example::

        >>> loss = torch.nn.TripletMarginWithDistanceLoss(margin=2.0)
        >>> loss(torch.zeros(1, 1), torch.ones(1, 1), torch.ones(1, 1))
        tensor(2.)
    """

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ValueError(
                f"TripletMarginWithDistanceLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.distance_function = distance_function
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


__getattr__ = _absent.explain(__name__)

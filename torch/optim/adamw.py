"""AdamW."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import _absent
from torch._docstrings import documented_by
from torch.optim.adam import Adam
from torch.optim.optimizer import ARGUMENTS, step_example


@documented_by(
    Adam, ARGUMENTS, example=step_example("AdamW([weight], lr=0.1, weight_decay=0.5)", "0.8500")
)
class AdamW(Adam):
    """`Adam` with decoupled weight decay: w = w - lr weight_decay w before each step (Loshchilov
    and Hutter 2019, arXiv:1711.05101).

    Args:
        weight_decay: the share of the weights, times lr, that each step takes off.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


__getattr__ = _absent.explain(__name__)

"""A schedule that looks at a measured value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from torch._docstrings import documented_by
from torch.optim.lr_scheduler.scheduler import (
    EPOCH_DEPRECATION_WARNING,
    LRScheduler,
    for_each_group,
    set_rate,
)
from torch.optim.optimizer import Optimizer


@documented_by(LRScheduler)
class ReduceLROnPlateau(LRScheduler):
    """The rate times `factor` when a measure has not got better for more than `patience` steps.

    `step` takes the measure, such as the loss of a validation.

    Args:
        mode: "min" where less is better, "max" where more is.
        factor: what the rate is multiplied with, less than 1.
        patience: how many steps without progress are borne.
        threshold: what counts as progress.
        threshold_mode: whether that is a share of the best measure ("rel") or a difference ("abs").
        cooldown: how many steps after a change do not count.
        min_lr: the least rate, one for all groups or a list with one for each.
        eps: a change of the rate that is smaller is left out.

    Raises:
        ValueError: `factor` is 1 or more, or a mode is unknown.
        TypeError: `optimizer` is none.

    Example::

        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
        >>> for loss in (3.0, 3.0, 3.0, 2.0):
        ...     scheduler.step(loss)
        >>> scheduler.get_last_lr()
        [0.1]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        self.min_lrs = for_each_group(optimizer, min_lr, "min_lrs")
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.eps = eps
        self.cooldown_counter = 0
        self.num_bad_epochs = 0
        self.best = math.inf if mode == "min" else -math.inf
        self.last_epoch = 0
        self._last_lr = self._rates()

    def is_better(self, value: float, best: float) -> bool:
        """Whether a measure is better than the best so far by more than the threshold.

        Args:
            value: the measure.
            best: the best so far.
        """
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            limit = best * (1 + sign * self.threshold)
        else:
            limit = best + sign * self.threshold
        return value > limit if self.mode == "max" else value < limit

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Looks at the measure of an epoch, and lowers the rates if it did not improve for too
        long.

        Args:
            metrics: the measure, a number or a tensor with one.
            epoch: the number of the epoch; the next one if None.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
            >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
            >>> for loss in (3.0, 2.0, 2.0, 2.0):
            ...     scheduler.step(loss)
            >>> optimizer.param_groups[0]["lr"]
            0.1
        """
        value = float(metrics)
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, stacklevel=2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(value, self.best):
            self.best = value
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._add_limits()
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                rate = max(group["lr"] * self.factor, least)
                if group["lr"] - rate > self.eps:
                    set_rate(group, rate)
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._rates()

    def _add_limits(self) -> None:
        """Limits of groups that came after the scheduler."""
        groups, limits = len(self.optimizer.param_groups), len(self.min_lrs)
        if groups == limits:
            return
        if self.default_min_lr is None:
            raise RuntimeError(
                f"The number of param groups in the `optimizer` ({groups}) differs from when `ReduceLROnPlateau` was initialized ({limits}), usually due to a new param group being added to the optimizer. Please modify the `min_lrs` field to match the length of the `optimizer` param groups."
            )
        self.min_lrs = [self.default_min_lr] * groups

    @property
    def in_cooldown(self) -> bool:
        """Whether the rates were lowered less than `cooldown` steps ago, so that none counts."""
        return self.cooldown_counter > 0

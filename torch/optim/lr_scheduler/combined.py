"""Schedules made of others."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from torch._docstrings import documented_by
from torch.optim.lr_scheduler.cycles import CosineAnnealingWarmRestarts
from torch.optim.lr_scheduler.plateau import ReduceLROnPlateau
from torch.optim.lr_scheduler.scheduler import LRScheduler, set_rate
from torch.optim.optimizer import Optimizer


def _take_back(scheduler: LRScheduler) -> None:
    """Undoes the first step of a scheduler, or of those that it is made of."""
    if isinstance(scheduler, SequentialLR):
        for part in scheduler._schedulers:
            _take_back(part)
        return
    scheduler.last_epoch -= 1
    scheduler._step_count -= 1
    if isinstance(scheduler, CosineAnnealingWarmRestarts):
        scheduler.T_cur -= 1


@documented_by(LRScheduler)
class SequentialLR(LRScheduler):
    """One scheduler after the other, changing at the milestones.

    Args:
        schedulers: schedulers of this optimizer.
        milestones: the steps at which the next one begins, one fewer than schedulers.

    Raises:
        ValueError: no schedulers, one of another optimizer or a `ReduceLROnPlateau`, or a wrong
            number of milestones.

    Example::

        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> warm_up = torch.optim.lr_scheduler.ConstantLR(optimizer, 0.1, total_iters=2)
        >>> fall = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warm_up, fall], [2])
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(round(scheduler.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     scheduler.step()
        >>> rates
        [0.1, 0.1, 1.0, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError("SequentialLR expects at least one scheduler, but got no scheduler.")  # fmt: skip
        for index, scheduler in enumerate(schedulers):
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    f"SequentialLR does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified when calling `step`, but got one at index {index} in the given schedulers sequence."
                )
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    f"SequentialLR expects all schedulers to belong to the same optimizer, but got scheduler {type(scheduler).__name__} at index {index} with another one."
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                f"Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Every scheduler has made its first step already; all but the first take theirs back.
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        for scheduler in schedulers:
            _take_back(scheduler)
        schedulers[0]._first_step()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self, epoch: int | None = None) -> None:
        """Goes on to the next rates of the scheduler whose turn it is. It comes after the step of
        the optimizer.

        Args:
            epoch: not looked at.
        """
        self.last_epoch += 1
        index = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[index]
        if index > 0 and self._milestones[index - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """All that the scheduler knows, with the states of those that it is made of, without the
        optimizer.

        Returns:
            A dict of its attributes.
        """
        state = super().state_dict()
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave, in the schedulers that it is made of too.

        Args:
            state_dict: what `state_dict` returned. It is not changed.
        """
        state = dict(state_dict)
        for scheduler, values in zip(self._schedulers, state.pop("_schedulers"), strict=True):
            scheduler.load_state_dict(values)
        super().load_state_dict(state)


@documented_by(LRScheduler)
class ChainedScheduler(SequentialLR):
    """All schedulers at every step, each on the rates of the one before.

    Args:
        schedulers: schedulers of one optimizer.
        optimizer: theirs; that of the first if None.

    Raises:
        ValueError: no schedulers, or one of another optimizer.

    Example::

        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> warm_up = torch.optim.lr_scheduler.ConstantLR(optimizer, 0.1, total_iters=2)
        >>> fall = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> scheduler = torch.optim.lr_scheduler.ChainedScheduler([warm_up, fall])
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(round(scheduler.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     scheduler.step()
        >>> rates
        [0.1, 0.05, 0.25, 0.125]
    """

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                "ChainedScheduler expects at least one scheduler to be chained, but got no scheduler."
            )
        self.optimizer = optimizer or schedulers[0].optimizer
        for scheduler in schedulers:
            if scheduler.optimizer is not self.optimizer:
                raise ValueError(
                    "ChainedScheduler expects all schedulers to belong to the same optimizer"
                )
        self._schedulers = list(schedulers)
        self._last_lr = self._rates()

    def step(self, epoch: int | None = None) -> None:
        """Takes a step of each scheduler. It comes after the step of the optimizer.

        Args:
            epoch: not looked at.
        """
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()

"""Averages of a model's weights over training: stochastic weight averaging (Izmailov et al.,
"Averaging weights leads to wider optima and better generalization", 2018) and exponential moving
averages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.module import Module
from torch.optim.lr_scheduler.scheduler import LRScheduler
from torch.optim.optimizer import Optimizer

PARAM_LIST = tuple[Tensor, ...] | list[Tensor]
_AvgFn = Callable[[Tensor, Tensor, Any], Tensor]
_MultiAvgFn = Callable[[PARAM_LIST, PARAM_LIST, Any], None]


def _check_decay(decay: float) -> None:
    if not 0.0 <= decay <= 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def get_ema_avg_fn(decay: float = 0.999) -> _AvgFn:
    """A function for `AveragedModel`: decay * average + (1 - decay) * weight.

    Args:
        decay: the share of the average that stays, in [0, 1].

    Returns:
        A function of the average, the weight and the count, which returns the next average.

    Raises:
        ValueError: `decay` is not in [0, 1].

    Example::

        >>> update = torch.optim.swa_utils.get_ema_avg_fn(0.75)
        >>> update(torch.tensor(0.0), torch.tensor(4.0), 1)
        tensor(1.)
    """
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> _AvgFn:
    """A function for `AveragedModel`: the mean of all weights seen, average + (weight - average) /
    (n + 1).

    Returns:
        A function of the average, the weight and the count n, which returns the next average.

    Example::

        >>> update = torch.optim.swa_utils.get_swa_avg_fn()
        >>> update(torch.tensor(2.0), torch.tensor(4.0), 1)
        tensor(3.)
    """

    @torch.no_grad()
    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def _is_number(tensor: Tensor) -> bool:
    return torch.is_floating_point(tensor) or torch.is_complex(tensor)


def get_ema_multi_avg_fn(decay: float = 0.999) -> _MultiAvgFn:
    """`get_ema_avg_fn` for all weights in one call, in place.

    Args:
        decay: the share of the averages that stays, in [0, 1].

    Returns:
        A function of the list of averages, which it changes, the list of weights and the count.

    Raises:
        ValueError: `decay` is not in [0, 1].

    Example::

        >>> averages = [torch.zeros(1)]
        >>> torch.optim.swa_utils.get_ema_multi_avg_fn(0.75)(averages, [torch.ones(1)], 1)
        >>> averages
        [tensor([0.2500])]
    """
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_params: PARAM_LIST, current_params: PARAM_LIST, _: Any) -> None:
        for average, current in zip(ema_params, current_params, strict=True):
            if _is_number(average):
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> _MultiAvgFn:
    """`get_swa_avg_fn` for all weights in one call, in place.

    Returns:
        A function of the list of averages, which it changes, the list of weights and the count.

    Example::

        >>> averages = [torch.zeros(1)]
        >>> torch.optim.swa_utils.get_swa_multi_avg_fn()(averages, [torch.ones(1)], 1)
        >>> averages
        [tensor([0.5000])]
    """

    @torch.no_grad()
    def swa_update(
        averaged_params: PARAM_LIST, current_params: PARAM_LIST, num_averaged: Any
    ) -> None:
        weight = 1 / (int(num_averaged) + 1)
        for average, current in zip(averaged_params, current_params, strict=True):
            if _is_number(average):
                average.lerp_(current, weight)
            else:
                average.copy_(average + (current - average) * weight)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose weights are averages; `update_parameters` takes the next ones in.

    Args:
        model: what is averaged.
        device: where the copy is.
        avg_fn: gives the next average of (average, weight, how many were averaged); the mean of all
            by default.
        multi_avg_fn: changes lists of averages in place instead.
        use_buffers: averages buffers too; else they are copied.

    Example::

        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> average = torch.optim.swa_utils.AveragedModel(model)
        >>> for value in (1.0, 3.0):
        ...     _ = torch.nn.init.constant_(model.weight, value)
        ...     average.update_parameters(model)
        >>> average.module.weight.item()
        2.0
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: _AvgFn | None = None,
        multi_avg_fn: _MultiAvgFn | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def _values(self, model: Module) -> list[Tensor]:
        values: list[Tensor] = list(model.parameters())
        return values + list(model.buffers()) if self.use_buffers else values

    @torch.no_grad()
    def update_parameters(self, model: Module) -> None:
        """Takes the weights of a model into the average; the first ones become the average.

        Args:
            model: one of the same shapes as the averaged one.

        Example::

            >>> model = torch.nn.Linear(1, 1, bias=False)
            >>> average = torch.optim.swa_utils.AveragedModel(model)
            >>> for value in (2.0, 4.0):
            ...     _ = torch.nn.init.constant_(model.weight, value)
            ...     average.update_parameters(model)
            >>> average.module.weight.tolist()
            [[3.0]]
        """
        averages = [p.detach() for p in self._values(self.module)]
        pairs = zip(averages, self._values(model), strict=True)
        currents = [current.detach().to(average.device) for average, current in pairs]
        if self.n_averaged == 0:
            for average, current in zip(averages, currents, strict=True):
                average.copy_(current)
        elif self.avg_fn is None:
            update = self.multi_avg_fn or get_swa_multi_avg_fn()
            update(averages, currents, self.n_averaged)
        else:
            for average, current in zip(averages, currents, strict=True):
                count = self.n_averaged.to(average.device)
                average.copy_(self.avg_fn(average, current, count))
        if not self.use_buffers:
            for average, current in zip(self.module.buffers(), model.buffers(), strict=True):
                average.detach().copy_(current.detach())
        self.n_averaged += 1


@torch.no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Computes the running statistics of batch normalisation again, by one pass over the data: the
    mean over batches. Of batches that are lists or tuples the first element is the input.

    Example::

        >>> model = torch.nn.BatchNorm1d(1)
        >>> torch.optim.swa_utils.update_bn([torch.tensor([[1.0], [3.0]])], model)
        >>> model.running_mean
        tensor([2.])
    """
    momenta = {m: m.momentum for m in model.modules() if isinstance(m, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.reset_running_stats()
        module.momentum = None
    for batch in loader:
        given = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(given if device is None else given.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes from the rates that the groups have to `swa_lr` in `anneal_epochs` steps, and stays.

    With t = min(1, step / anneal_epochs): the share of `swa_lr` is t for "linear", and
    (1 - cos(pi t)) / 2 for "cos".

    Example::

        >>> weight = torch.nn.Parameter(torch.ones(1))
        >>> optimizer = torch.optim.SGD([weight], lr=1.0)
        >>> schedule = torch.optim.swa_utils.SWALR(optimizer, 0.0, 2, "linear")
        >>> for _ in range(2):
        ...     optimizer.step()
        ...     schedule.step()
        ...     print(schedule.get_last_lr())
        [0.5]
        [0.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | Sequence[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, Sequence) else [swa_lr] * len(groups)
        # A tensor may change afterwards.
        rates = [rate.clone() if isinstance(rate, Tensor) else rate for rate in rates]
        if len(rates) != len(groups):
            raise ValueError(
                f"swa_lr must have the same length as optimizer.param_groups. swa_lr has {len(rates)} values, param_groups has {len(groups)}."
            )
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        for rate, group in zip(rates, groups, strict=True):
            group["swa_lr"] = rate
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        t = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self) -> list[float]:
        """The next rates. What the groups had before is read from what they have, so that another
        schedule may have changed it."""
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        share, before = self._share(step), self._share(step - 1)
        rates = []
        for group in self.optimizer.param_groups:
            goal = group["swa_lr"]
            start = goal if before == 1 else (group["lr"] - before * goal) / (1 - before)
            rates.append(goal * share + start * (1 - share))
        return rates


__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]

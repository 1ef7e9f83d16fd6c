"""Learning rates that change from step to step.

A scheduler writes `lr` into the groups of its optimizer, and `initial_lr` beside it. `step()` comes
after the optimizer's. The formulas are those of PyTorch's documentation.
"""

from __future__ import annotations

import functools
import math
import types
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torch.optim.optimizer import Optimizer


class LRScheduler:
    """Base: subclasses define `get_lr`, the rates of all groups at `last_epoch`.

    `last_epoch` counts the steps from 0; a scheduler that goes on gets its last value.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for index, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    "param 'initial_lr' is not specified in param_groups"
                    f"[{index}] when resuming scheduler with last_epoch >= 0."
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        _count_steps(optimizer)
        self._step_count = 0
        self._first_step()

    def _first_step(self) -> None:
        self.step()

    def get_lr(self) -> list[float]:
        """The rates of the groups at `last_epoch`."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """The rates that the last step set."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Goes on to the next rates."""
        if self._step_count == 1 and not getattr(self.optimizer, "_opt_called", True):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch "
                "1.1.0 and later, you should call them in the opposite order: `optimizer.step()` "
                "before `lr_scheduler.step()`.  Failure to do this will result in PyTorch "
                "skipping the first value of the learning rate schedule. See more details at "
                "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
                stacklevel=2,
            )
        self._step_count += 1
        if epoch is None:
            self.last_epoch += 1
            self._set(self.get_lr())
        else:
            self.last_epoch = epoch
            closed = getattr(self, "_get_closed_form_lr", None)
            self._set(self.get_lr() if closed is None else closed())

    def _set(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def _rates(self) -> list[float]:
        """The rates as they are now."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def _scaled(self, factor: float) -> list[float]:
        return [rate * factor for rate in self._rates()]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave."""
        self.__dict__.update(state_dict)


def _count_steps(optimizer: Optimizer) -> None:
    """Lets `optimizer.step` note that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step = type(optimizer).step

    @functools.wraps(step)
    def counted(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        self.__dict__["_opt_called"] = True
        return step(self, *args, **kwargs)

    counted._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.__dict__["_opt_called"] = False
    optimizer.__dict__["step"] = types.MethodType(counted, optimizer)


class LambdaLR(LRScheduler):
    """The initial rate times a function of the step, one for all groups or one for each."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        self.lr_lambdas = _for_each_group(optimizer, lr_lambda, "lr_lambdas")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [
            base * function(self.last_epoch)
            for function, base in zip(self.lr_lambdas, self.base_lrs, strict=True)
        ]

    def state_dict(self) -> dict[str, Any]:
        """Functions are left out unless they are objects with a state."""
        state = super().state_dict()
        state["lr_lambdas"] = [
            None if isinstance(f, types.FunctionType) else dict(f.__dict__) for f in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """The functions stay; those with a state get theirs."""
        state = dict(state_dict)
        for function, values in zip(self.lr_lambdas, state.pop("lr_lambdas"), strict=True):
            if values is not None:
                function.__dict__.update(values)
        super().load_state_dict(state)


class MultiplicativeLR(LambdaLR):
    """The last rate times a function of the step."""

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return self._rates()
        return [
            rate * function(self.last_epoch)
            for function, rate in zip(self.lr_lambdas, self._rates(), strict=True)
        ]


def _for_each_group(optimizer: Optimizer, value: Any, name: str) -> list[Any]:
    """A list with one value for each group."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    if len(value) != count:
        raise ValueError(f"Expected {count} {name}, but got {len(value)}")
    return list(value)


class StepLR(LRScheduler):
    """Times gamma every `step_size` steps."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        due = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return self._scaled(self.gamma) if due else self._rates()

    def _get_closed_form_lr(self) -> list[float]:
        factor = self.gamma ** (self.last_epoch // self.step_size)
        return [base * factor for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times gamma at each milestone."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        times = self.milestones.get(self.last_epoch, 0)
        return self._scaled(self.gamma**times) if times else self._rates()

    def _get_closed_form_lr(self) -> list[float]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times gamma at every step."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._rates() if self.last_epoch == 0 else self._scaled(self.gamma)

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times `factor` for the first `total_iters` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1 / self.factor if self.last_epoch == self.total_iters else 1.0)

    def _get_closed_form_lr(self) -> list[float]:
        factor = self.factor if self.last_epoch < self.total_iters else 1.0
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """From `start_factor` to `end_factor` in `total_iters` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1.0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if not 0 <= end_factor <= 1.0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, step: int) -> float:
        part = min(self.total_iters, step) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * part

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self.last_epoch > self.total_iters:
            return self._rates()
        return self._scaled(self._factor(self.last_epoch) / self._factor(self.last_epoch - 1))

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self._factor(self.last_epoch) for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Down to zero in `total_iters` steps as a power of what is left."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _left(self, step: int) -> float:
        return (1.0 - min(self.total_iters, step) / self.total_iters) ** self.power

    def get_lr(self) -> list[float]:
        if not 0 < self.last_epoch <= self.total_iters:
            return self._rates()
        return self._scaled(self._left(self.last_epoch) / self._left(self.last_epoch - 1))

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self._left(self.last_epoch) for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the initial rate to `eta_min` in `T_max` steps (Loshchilov, 2017)."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def _height(self, step: int) -> float:
        return 1 + math.cos(math.pi * step / self.T_max)

    def get_lr(self) -> list[float]:
        # From the last rates, so that schedulers can be chained; the closed form restarts where
        # the cosine touches its minimum.
        if self.last_epoch == 0:
            return self._rates()
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [
                rate + (base - self.eta_min) * rise
                for base, rate in zip(self.base_lrs, self._rates(), strict=True)
            ]
        ratio = self._height(self.last_epoch) / self._height(self.last_epoch - 1)
        return [ratio * (rate - self.eta_min) + self.eta_min for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[float]:
        height = self._height(self.last_epoch) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines one after the other, each `T_mult` times as long (Loshchilov, 2017)."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Goes on by one step, or to a point between two epochs."""
        if epoch is None:
            epoch = 0 if self.last_epoch < 0 else self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self.T_cur, self.T_i = epoch, self.T_0
            if epoch >= self.T_0:
                if self.T_mult == 1:
                    self.T_cur = epoch % self.T_0
                else:
                    cycles = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
                    done = self.T_0 * (self.T_mult**cycles - 1) / (self.T_mult - 1)
                    self.T_cur = epoch - done
                    self.T_i = self.T_0 * self.T_mult**cycles
        self._step_count += 1
        self.last_epoch = math.floor(epoch)
        self._set(self.get_lr())


class SequentialLR(LRScheduler):
    """One scheduler after the other, changing at the milestones."""

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[LRScheduler],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError("SequentialLR expects at least one scheduler to be chained, but got "
                             "no scheduler.")  # fmt: skip
        for index, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    f"SequentialLR expects all schedulers to belong to the same optimizer, but got "
                    f"scheduler {type(scheduler).__name__} at index {index} with another one."
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Every scheduler has made its first step already; all but the first take theirs back.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:
            scheduler.last_epoch -= 1
            scheduler._step_count -= 1
            if isinstance(scheduler, CosineAnnealingWarmRestarts):
                scheduler.T_cur -= 1
        schedulers[0]._first_step()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self, epoch: int | None = None) -> None:
        """Goes on to the next rates."""
        self.last_epoch += 1
        index = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[index]
        if index > 0 and self._milestones[index - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """With the states of the schedulers."""
        state = super().state_dict()
        state["_schedulers"] = [scheduler.state_dict() for scheduler in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """With the states of the schedulers."""
        state = dict(state_dict)
        for scheduler, values in zip(self._schedulers, state.pop("_schedulers"), strict=True):
            scheduler.load_state_dict(values)
        super().load_state_dict(state)


class ChainedScheduler(SequentialLR):
    """All schedulers at every step, each on the rates of the one before."""

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                "ChainedScheduler expects at least one scheduler to be chained, but got no "
                "scheduler."
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
        """Goes on to the next rates."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = self._rates()


class ReduceLROnPlateau(LRScheduler):
    """Times `factor` when a measure has not got better for `patience` steps."""

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
        self.min_lrs = _for_each_group(optimizer, min_lr, "min_lrs")
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
        """Whether a value is better than the best by more than the threshold."""
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            limit = best * (1 + sign * self.threshold)
        else:
            limit = best + sign * self.threshold
        return value > limit if self.mode == "max" else value < limit

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Looks at the measure of an epoch."""
        value = float(metrics)
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
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                rate = max(group["lr"] * self.factor, least)
                if group["lr"] - rate > self.eps:
                    group["lr"] = rate
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._rates()

    @property
    def in_cooldown(self) -> bool:
        return self.cooldown_counter > 0


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) / 2.0 * (1 + math.cos(math.pi * part))


def _linear(start: float, end: float, part: float) -> float:
    return (end - start) * part + start


class OneCycleLR(LRScheduler):
    """Up to `max_lr` and far down again, the momentum the other way (Smith and Topin, 2018)."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | Sequence[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | Sequence[float] = 0.85,
        max_momentum: float | Sequence[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError(
                    "You must define either total_steps OR (epochs AND steps_per_epoch)"
                )
            total_steps = epochs * steps_per_epoch
        if total_steps <= 0:
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        if not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self.total_steps = total_steps
        self._anneal_func_type = anneal_strategy
        self._phases = self._make_phases(total_steps, pct_start, three_phase)
        self.cycle_momentum = cycle_momentum
        self.use_beta1 = "betas" in optimizer.defaults
        if last_epoch == -1:
            for rate, group in zip(
                _for_each_group(optimizer, max_lr, "max_lr"), optimizer.param_groups, strict=True
            ):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and not self.use_beta1:
                raise ValueError(
                    "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
                )
            lows = _for_each_group(optimizer, base_momentum, "base_momentum")
            highs = _for_each_group(optimizer, max_momentum, "max_momentum")
            if last_epoch == -1:
                for low, high, group in zip(lows, highs, optimizer.param_groups, strict=True):
                    group["base_momentum"], group["max_momentum"] = low, high
                    self._set_momentum(group, high)
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _make_phases(total: int, start: float, three: bool) -> list[tuple[float, str, str]]:
        """The last step of each phase, and the names of the rates at its ends."""
        rise = float(start * total) - 1
        if three:
            fall = float(2 * start * total) - 2
            return [
                (rise, "initial_lr", "max_lr"),
                (fall, "max_lr", "initial_lr"),
                (total - 1, "initial_lr", "min_lr"),
            ]
        return [(rise, "initial_lr", "max_lr"), (total - 1, "max_lr", "min_lr")]

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def get_lr(self) -> list[float]:
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        anneal = _cosine if self._anneal_func_type == "cos" else _linear
        ends = [end for end, _, _ in self._phases]
        index = next((i for i, end in enumerate(ends) if self.last_epoch <= end), len(ends) - 1)
        begin = ends[index - 1] if index else 0.0
        end, first_name, last_name = self._phases[index]
        part = (self.last_epoch - begin) / (end - begin)
        momenta = {
            "initial_lr": "max_momentum",
            "max_lr": "base_momentum",
            "min_lr": "max_momentum",
        }
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(anneal(group[first_name], group[last_name], part))
            if self.cycle_momentum:
                momentum = anneal(group[momenta[first_name]], group[momenta[last_name]], part)
                self._set_momentum(group, momentum)
        return rates


class CyclicLR(LRScheduler):
    """Up and down between two rates (Smith, 2017)."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | Sequence[float],
        max_lr: float | Sequence[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        lows = _for_each_group(optimizer, base_lr, "base_lr")
        if last_epoch == -1:
            for low, group in zip(lows, optimizer.param_groups, strict=True):
                group["lr"] = low
        self.max_lrs = _for_each_group(optimizer, max_lr, "max_lr")
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = step_size_up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self.scale_fn = scale_fn
        self.scale_mode = (
            scale_mode if scale_fn else ("iterations" if mode == "exp_range" else "cycle")
        )
        self.cycle_momentum = cycle_momentum
        self.use_beta1 = "betas" in optimizer.defaults
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and not self.use_beta1:
                raise ValueError(
                    "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
                )
            self.base_momentums = _for_each_group(optimizer, base_momentum, "base_momentum")
            self.max_momentums = _for_each_group(optimizer, max_momentum, "max_momentum")
        super().__init__(optimizer, last_epoch)

    def _scale(self, cycle: float) -> float:
        x = cycle if self.scale_mode == "cycle" else self.last_epoch
        if self.scale_fn is not None:
            return self.scale_fn(x)
        if self.mode == "triangular2":
            return 1 / (2.0 ** (x - 1))
        return self.gamma**x if self.mode == "exp_range" else 1.0

    def get_lr(self) -> list[float]:
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = height * self._scale(cycle)
        if self.cycle_momentum:
            for group, low, high in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                momentum = high - (high - low) * scale
                if self.use_beta1:
                    group["betas"] = (momentum, *group["betas"][1:])
                else:
                    group["momentum"] = momentum
        return [
            base + (high - base) * scale
            for base, high in zip(self.base_lrs, self.max_lrs, strict=True)
        ]


__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

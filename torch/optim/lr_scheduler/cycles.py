"""Schedules that rise and fall: once, or again and again."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Sequence
from typing import Any

from torch._docstrings import documented_by
from torch.optim.lr_scheduler.scheduler import LRScheduler, for_each_group, set_rate
from torch.optim.optimizer import Optimizer


@documented_by(LRScheduler)
class CosineAnnealingWarmRestarts(LRScheduler):
    """Half cosines one after the other, each `T_mult` times as long as the last (Loshchilov and
    Hutter 2017, arXiv:1608.03983).

    Args:
        T_0: the steps of the first one.
        T_mult: how much longer the next one is.
        eta_min: the least rate.

    Raises:
        ValueError: `T_0` or `T_mult` is no positive integer.

    Example::

        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2)
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(round(scheduler.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     scheduler.step()
        >>> rates
        [1.0, 0.5, 1.0, 0.5]
    """

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
        self._expect_step()
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Goes on by one step, or to a point between two epochs.

        Args:
            epoch: where the schedule is then, not negative and not always whole: epoch 2.5 is
                halfway through the third one. The next whole number if None.

        Raises:
            ValueError: `epoch` is negative.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
            >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=4)
            >>> for batch in range(3):
            ...     optimizer.step()
            ...     scheduler.step(0 + batch / 3)
            >>> round(scheduler.get_last_lr()[0], 3)
            0.933
        """
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
        self._set_from(self.get_lr)

    def _update_lr(self, epoch: int | None = None) -> None:
        self.step(epoch)


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) / 2.0 * (1 + math.cos(math.pi * part))


def _linear(start: float, end: float, part: float) -> float:
    return (end - start) * part + start


@documented_by(LRScheduler)
class OneCycleLR(LRScheduler):
    """Up to `max_lr` and far down again, while the momentum goes the other way (Smith and Topin
    2017, arXiv:1708.07120).

    The number of steps is `total_steps`, or `epochs` times `steps_per_epoch`. Rates begin at max_lr
    / div_factor and end at that over final_div_factor.

    Args:
        max_lr: the highest rate, one for all groups or a list with one for each.
        total_steps: how many steps there are.
        epochs, steps_per_epoch: their factors.
        pct_start: the share of the steps that go up, in [0, 1].
        anneal_strategy: the form of the ways: "cos" or "linear".
        cycle_momentum: whether momentum, or beta1, changes too.
        base_momentum, max_momentum: its bounds.
        div_factor: max_lr over the first rate.
        final_div_factor: the first rate over the last.
        three_phase: whether a way down to the first rate mirrors the way up, before the last one.

    Raises:
        ValueError: the number of steps is not given, an option is out of its range, or the
            optimizer has no momentum to cycle.

    Example::

        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.OneCycleLR(
        ...     optimizer, 1.0, total_steps=5, pct_start=0.5, cycle_momentum=False
        ... )
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(round(scheduler.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     scheduler.step()
        >>> rates
        [0.04, 0.76, 0.905, 0.345]
    """

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
                for_each_group(optimizer, max_lr, "max_lr"), optimizer.param_groups, strict=True
            ):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and not self.use_beta1:
                raise ValueError(
                    "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
                )
            lows = for_each_group(optimizer, base_momentum, "base_momentum")
            highs = for_each_group(optimizer, max_momentum, "max_momentum")
            if last_epoch == -1:
                for low, high, group in zip(lows, highs, optimizer.param_groups, strict=True):
                    group["max_momentum"], group["base_momentum"] = high, low
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

    # States of earlier releases have one of these functions instead of its name.
    _annealing_cos = staticmethod(_cosine)
    _annealing_linear = staticmethod(_linear)

    def _anneal(self) -> Callable[[float, float, float], float]:
        name = getattr(self, "_anneal_func_type", None)
        if name is None:
            return self.anneal_func  # type: ignore[attr-defined]
        return _cosine if name == "cos" else _linear

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def get_lr(self) -> list[float]:
        self._expect_step()
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}"
            )
        anneal = self._anneal()
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


def _triangular(gamma: float, x: float) -> float:
    return 1.0


def _halved(gamma: float, x: float) -> float:
    return 1 / (2.0 ** (x - 1))


def _decaying(gamma: float, x: float) -> float:
    return gamma**x


# The height of a cycle or step, by the mode of CyclicLR.
_SCALES: dict[str, Callable[[float, float], float]] = {
    "triangular": _triangular,
    "triangular2": _halved,
    "exp_range": _decaying,
}


@documented_by(LRScheduler)
class CyclicLR(LRScheduler):
    """Up and down between two rates (Smith 2017, arXiv:1506.01186).

    Args:
        base_lr, max_lr: the bounds, for all groups or as lists with one for each.
        step_size_up: the steps of a way up.
        step_size_down: those of a way down; as many if None.
        mode: "triangular", "triangular2", where each cycle is half as high, or "exp_range", where
            the height is gamma^step.
        gamma: the factor of "exp_range".
        scale_fn: a height for each cycle or step, in [0, 1], instead of the mode's.
        scale_mode: whether `scale_fn` takes the number of the "cycle" or of the step
            ("iterations").
        cycle_momentum: whether momentum, or beta1, changes the other way.
        base_momentum, max_momentum: its bounds.

    Raises:
        ValueError: an unknown mode, or an optimizer without momentum to cycle.

    Example::

        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.CyclicLR(
        ...     optimizer, 0.0, 1.0, step_size_up=2, cycle_momentum=False
        ... )
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(round(scheduler.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     scheduler.step()
        >>> rates
        [0.0, 0.5, 1.0, 0.5]
    """

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
        lows = for_each_group(optimizer, base_lr, "base_lr")
        if last_epoch == -1:
            for low, group in zip(lows, optimizer.param_groups, strict=True):
                set_rate(group, low)
        self.max_lrs = for_each_group(optimizer, max_lr, "max_lr")
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = step_size_up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self._scale_fn_ref = None if scale_fn else _SCALES[mode]
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
            self.base_momentums = for_each_group(optimizer, base_momentum, "base_momentum")
            self.max_momentums = for_each_group(optimizer, max_momentum, "max_momentum")
            if last_epoch == -1:
                for low, high, group in zip(
                    self.base_momentums, self.max_momentums, optimizer.param_groups, strict=True
                ):
                    group["base_momentum"], group["max_momentum"] = low, high
        super().__init__(optimizer, last_epoch)
        # What another scheduler began with stands in the groups as "initial_lr".
        self.base_lrs = lows

    def scale_fn(self, x: float) -> float:
        """The height of the cycle: 1 for "triangular", less with each cycle or step for the other
        modes.

        Args:
            x: the number of the cycle, or of the step where `scale_mode` is "iterations".
        """
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return _SCALES[self.mode](self.gamma, x)

    def state_dict(self) -> dict[str, Any]:
        """All that the scheduler knows, without its optimizer and without functions, which cannot
        be pickled; of another callable its attributes.

        Returns:
            A dict.
        """
        state = super().state_dict()
        del state["_scale_fn_ref"]
        custom = state["_scale_fn_custom"]
        is_function = custom is None or isinstance(custom, types.FunctionType)
        state["_scale_fn_custom"] = None if is_function else dict(vars(custom))
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave. The `scale_fn` of this scheduler stays; a callable
        object gets the attributes that were saved.

        Args:
            state_dict: what `state_dict` returned.
        """
        state = dict(state_dict)
        attributes = state.pop("_scale_fn_custom", None)
        super().load_state_dict(state)
        if self._scale_fn_custom is None:
            self._scale_fn_ref = _SCALES[self.mode]
        elif attributes is not None:
            vars(self._scale_fn_custom).update(attributes)

    def get_lr(self) -> list[float]:
        self._expect_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = height * self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
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

"""class LRScheduler, the base of all schedules."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from torch._tensor import Tensor
from torch.optim.optimizer import Optimizer

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed form is used instead of the new chainable form, where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)


def _copy(rate: Any) -> Any:
    """A tensor's value of this moment; a number is one."""
    return rate.clone() if isinstance(rate, Tensor) else rate


def set_rate(group: dict[str, Any], rate: Any) -> None:
    """Sets a group's rate, in place.

    Args:
        group: one of `optimizer.param_groups`.
        rate: the number. Where the group has a tensor, that tensor is filled: others may hold it.
    """
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(rate)
    else:
        group["lr"] = rate


class LRScheduler:
    """Base of the schedulers: subclasses define `get_lr`, which returns the rates of all groups at
    `last_epoch`.

    Args:
        optimizer: the optimizer whose rates are set; its `step` comes before the scheduler's.
        last_epoch: how many steps there were; -1 starts, and keeps the present rates as
            "initial_lr".

    Raises:
        TypeError: `optimizer` is none.
        KeyError: a group has no "initial_lr" where `last_epoch` is not -1.

    Example::

        >>> class Halve(torch.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [base * 0.5**self.last_epoch for base in self.base_lrs]
        >>> optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
        >>> scheduler = Halve(optimizer)
        >>> rates = []
        >>> for _ in range(4):
        ...     rates.append(round(scheduler.get_last_lr()[0], 3))
        ...     optimizer.step()
        ...     scheduler.step()
        >>> rates
        [1.0, 0.5, 0.25, 0.125]
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for index, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copy(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{index}] when resuming scheduler with last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = [_copy(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        _count_steps(optimizer)
        self._step_count = 0
        self._first_step()

    # While `step` asks `get_lr`: schedulers, those of packages too, warn of other calls.
    _get_lr_called_within_step = False

    # During the step of the constructor, which keeps the rates that the optimizer has.
    _is_initial = False

    def _first_step(self) -> None:
        self._is_initial = True
        self.step()
        self._is_initial = False

    def get_lr(self) -> list[float]:
        """The rates of all groups at `last_epoch`; subclasses define it, and `step` calls it.

        To read the rates, use `get_last_lr`: a formula may start from the rates that the groups
        have, so that a call between steps gives others.

        Returns:
            A rate for each group.
        """
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """The rates that the last step set.

        Returns:
            A rate for each group.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.5)
            >>> torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5).get_last_lr()
            [0.25]
        """
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Goes on to the next rates. It comes after the step of the optimizer.

        Args:
            epoch: the number of the step to go to, instead of the next one.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
            >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
            >>> for _ in range(2):
            ...     optimizer.step()
            ...     scheduler.step()
            >>> optimizer.param_groups[0]["lr"]
            0.25
        """
        if self._step_count == 1 and not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
                stacklevel=2,
            )
        elif self._step_count == 1 and not getattr(self.optimizer, "_opt_called", True):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the first value of the learning rate schedule. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
                stacklevel=2,
            )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        """A step that is neither counted nor warned of."""
        if epoch is None:
            self.last_epoch += 1
            self._set_from(self.get_lr)
        else:
            self.last_epoch = epoch
            self._set_from(getattr(self, "_get_closed_form_lr", self.get_lr))

    def _expect_step(self) -> None:
        """Warns of a `get_lr` that the program calls and no step."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                stacklevel=3,
            )

    def _set_from(self, get: Callable[[], Sequence[float]]) -> None:
        self._get_lr_called_within_step = True
        try:
            rates = get()
        finally:
            self._get_lr_called_within_step = False
        self._set(rates)

    def _set(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            set_rate(group, rate)
        self._last_lr = self._rates()

    def _rates(self) -> list[float]:
        """The rates as they are now."""
        return [_copy(group["lr"]) for group in self.optimizer.param_groups]

    def _scaled(self, factor: float) -> list[float]:
        return [rate * factor for rate in self._rates()]

    def state_dict(self) -> dict[str, Any]:
        """All that the scheduler knows, without its optimizer.

        Returns:
            A dict of its attributes.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
            >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
            >>> scheduler.state_dict()["last_epoch"]
            0
        """
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave. The optimizer's own state, which has the rates, is
        loaded apart.

        Args:
            state_dict: what `state_dict` returned.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
            >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
            >>> scheduler.load_state_dict({"last_epoch": 7})
            >>> scheduler.last_epoch
            7
        """
        self.__dict__.update(state_dict)


def _count_steps(optimizer: Optimizer) -> None:
    """Lets `optimizer.step` note that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step = type(optimizer).step
    # Weak: an optimizer that holds itself lives until the garbage collector comes.
    reference = weakref.ref(optimizer)

    @functools.wraps(step)
    def counted(*args: Any, **kwargs: Any) -> Any:
        owner = reference()
        assert owner is not None  # It is what `step` was taken from.
        owner.__dict__["_opt_called"] = True
        return step(owner, *args, **kwargs)

    counted._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.__dict__["_opt_called"] = False
    optimizer.__dict__["step"] = counted


def for_each_group(optimizer: Optimizer, value: Any, name: str) -> list[Any]:
    """A list with one value for each group of parameters.

    Args:
        optimizer: has the groups.
        value: one for all, or a list or tuple of one for each; tensors are copied.
        name: what the values are, for the message.

    Raises:
        ValueError: the list has another length.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [_copy(value) for _ in range(count)]
    if len(value) != count:
        raise ValueError(f"Expected {count} {name}, but got {len(value)}")
    return [_copy(each) for each in value]

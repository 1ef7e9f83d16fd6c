"""class GradScaler: gradients of a scaled loss, so that those of float16 do not vanish."""

from __future__ import annotations

import enum
import inspect
import warnings
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch
from torch._tensor import Tensor


class OptState(enum.Enum):
    """What has happened to an optimiser's gradients since the last update."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _refresh_per_optimizer_state() -> dict[str, Any]:
    """An optimiser since the last update: its state, and whether it met infinities, by device."""
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Multiplies losses so that small gradients have a representation in float16 (Micikevicius et
    al. 2018, arXiv:1710.03740, section 3.2).

    The scale lies on the gradients' device; nothing waits for a GPU but `step` with an optimizer
    that cannot look at the scale itself, as one made with `fused=True` can.

    Args:
        device: "cuda" or "cpu".
        init_scale: the first factor.
        growth_factor: the change after `growth_interval` steps in a row without infinities, more
            than 1.
        backoff_factor: the change after a step that was left out because a gradient is infinite or
            NaN, less than 1.
        growth_interval: how many steps.
        enabled: False does nothing else than training without a scaler.

    Raises:
        ValueError: a factor is out of its range.
        RuntimeError: `unscale_` or `step` twice before `update`.

    Example::

        >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = torch.optim.SGD([weight], lr=0.1)
        >>> scaler = torch.amp.GradScaler("cpu")
        >>> scaler.scale((weight**2).sum()).backward()
        >>> _ = scaler.step(optimizer)
        >>> scaler.update()
        >>> weight.detach()
        tensor([0.8000])
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not torch.cuda.is_available():
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if growth_factor <= 1.0:
            raise ValueError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise ValueError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale: Tensor | None = None
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker: Tensor | None = None
        # By the id of the optimiser. Trainers outside of this package read it.
        self._per_optimizer_states: defaultdict[int, dict[str, Any]] = defaultdict(
            _refresh_per_optimizer_state
        )

    def is_enabled(self) -> bool:
        """Whether this scaler scales at all."""
        return self._enabled

    def _made(self, function: str) -> tuple[Tensor, Tensor]:
        """The scale and the tracker, which `scale` makes."""
        if self._scale is None or self._growth_tracker is None:
            raise RuntimeError(
                f"Attempted {function} but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration."
            )
        return self._scale, self._growth_tracker

    def scale(self, outputs: Any) -> Any:
        """Multiplies tensors by the scale. The first call makes the scale on their device.

        Args:
            outputs: a loss, or a list, tuple or another iterable of tensors.

        Returns:
            The scaled tensors, in a list or tuple as they came; `outputs` itself without scaling.

        Raises:
            ValueError: anything else.

        Example::

            >>> scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
            >>> scaler.scale(torch.tensor(0.5))
            tensor(4.)
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._scale = torch.full((), self._init_scale, device=outputs.device)
                self._growth_tracker = torch.full(
                    (), self._init_growth_tracker, dtype=torch.int32, device=outputs.device
                )
            return outputs * self._scale.to(outputs.device)
        if isinstance(outputs, Iterable):
            scaled = (self.scale(output) for output in outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else list(scaled)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _unscale_grads_(
        self, optimizer: Any, inv_scale: Tensor, found_inf: Tensor, allow_fp16: bool
    ) -> dict[torch.device, Tensor]:
        """Multiplies the gradients in place; by device `found_inf`, or 1 if one is infinite."""
        by_device: dict[torch.device, list[Tensor]] = {}
        for group in optimizer.param_groups:
            for param in group["params"]:
                if param.grad is None:
                    continue
                if not allow_fp16 and param.grad.dtype == torch.float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                by_device.setdefault(param.grad.device, []).append(param.grad)
        found = {}
        with torch.no_grad():
            for device, grads in by_device.items():
                found[device] = found_inf.to(device, copy=True)
                torch._amp_foreach_non_finite_check_and_unscale_(
                    grads, found[device], inv_scale.to(device)
                )
        return found

    def unscale_(self, optimizer: Any) -> None:
        """Divides the gradients of an optimizer's parameters by the scale, in place.

        `step` does it otherwise; call it before, to clip gradients for example.

        Args:
            optimizer: the optimizer.

        Raises:
            RuntimeError: a second call, or one after `step`, before `update`; or nothing was
                scaled.
            ValueError: a gradient is of float16.

        Example::

            >>> weight = torch.nn.Parameter(torch.ones(1))
            >>> optimizer = torch.optim.SGD([weight], lr=0.1)
            >>> scaler = torch.amp.GradScaler("cpu")
            >>> scaler.scale(3 * weight).backward()
            >>> scaler.unscale_(optimizer)
            >>> weight.grad
            tensor([3.])
        """
        if not self._enabled:
            return
        scale, _ = self._made("unscale_")
        progress = self._per_optimizer_states[id(optimizer)]
        if progress["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if progress["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inv_scale = scale.double().reciprocal().float()
        progress["found_inf_per_device"] = self._unscale_grads_(
            optimizer, inv_scale, torch.zeros_like(scale), allow_fp16=False
        )
        progress["stage"] = OptState.UNSCALED

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls `optimizer.step` with unscaled gradients, unless one of them is infinite or NaN.

        Args:
            optimizer: the optimizer.
            *args, **kwargs: of its `step`, without a closure.

        Returns:
            What it returned; None where the step was left out.

        Raises:
            RuntimeError: a closure, a second call before `update`, or nothing was scaled.
            AssertionError: no parameter has a gradient.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        scale, _ = self._made("step")
        progress = self._per_optimizer_states[id(optimizer)]
        if progress["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            result = self._step_inside(optimizer, progress, scale, args, kwargs)
        else:
            if progress["stage"] is OptState.READY:
                self.unscale_(optimizer)
            self._check_found(progress)
            result = None
            if not sum(found.item() for found in progress["found_inf_per_device"].values()):
                result = optimizer.step(*args, **kwargs)
        progress["stage"] = OptState.STEPPED
        return result

    def _step_inside(
        self, optimizer: Any, progress: dict[str, Any], scale: Tensor, args: Any, kwargs: Any
    ) -> Any:
        """The step of an optimiser that unscales, and looks for infinities, by itself."""
        if "grad_scaler" in inspect.signature(optimizer.step).parameters:
            warnings.warn(
                "GradScaler is going to stop passing itself as a keyword argument to the passed optimizer. "
                "In the near future GradScaler registers `grad_scale: Tensor` and `found_inf: Tensor` to the passed optimizer and let the optimizer use them directly.",
                FutureWarning,
                stacklevel=3,
            )
            return optimizer.step(*args, **kwargs, grad_scaler=self)
        unscaled = progress["stage"] is OptState.UNSCALED
        if not unscaled:
            progress["found_inf_per_device"] = self._unscale_grads_(
                optimizer, torch.ones_like(scale), torch.zeros_like(scale), allow_fp16=True
            )
        self._check_found(progress)
        optimizer.grad_scale = None if unscaled else scale
        optimizer.found_inf = sum(
            found.to(scale.device) for found in progress["found_inf_per_device"].values()
        )
        try:
            return optimizer.step(*args, **kwargs)
        finally:
            del optimizer.grad_scale
            del optimizer.found_inf

    @staticmethod
    def _check_found(progress: dict[str, Any]) -> None:
        if not progress["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Changes the scale, once an iteration, after all steps.

        It shrinks by the backoff factor if a step met an infinite or NaN gradient, and grows by the
        growth factor after as many iterations without one as the growth interval says.

        Args:
            new_scale: the scale to set instead: a number, or a float32 tensor of one element.

        Raises:
            AssertionError: there was no step, or the tensor is another one.
            RuntimeError: nothing was scaled.

        Example::

            >>> scaler = torch.amp.GradScaler("cpu")
            >>> _ = scaler.scale(torch.ones(1))
            >>> scaler.update(new_scale=4.0)
            >>> scaler.get_scale()
            4.0
        """
        if not self._enabled:
            return
        scale, tracker = self._made("update")
        if new_scale is None:
            found = [
                found.to(scale.device)
                for progress in self._per_optimizer_states.values()
                for found in progress["found_inf_per_device"].values()
            ]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            with torch.no_grad():
                torch._amp_update_scale_(
                    scale,
                    tracker,
                    sum(found[1:], start=found[0]),
                    self._growth_factor,
                    self._backoff_factor,
                    self._growth_interval,
                )
        elif isinstance(new_scale, Tensor):
            if new_scale.dtype != torch.float32 or new_scale.numel() != 1:
                raise AssertionError(
                    "new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with requires_grad=False."
                )
            scale.copy_(new_scale.detach().reshape(()))
        else:
            scale.fill_(new_scale)
        self._per_optimizer_states.clear()

    def get_scale(self) -> float:
        """The scale as a number, which waits for the GPU; 1.0 where nothing is scaled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def get_growth_factor(self) -> float:
        """By what the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Sets by what the scale grows.

        Args:
            new_factor: more than 1; not checked.
        """
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """By what the scale shrinks."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Sets by what the scale shrinks.

        Args:
            new_factor: less than 1; not checked.
        """
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Sets after how many steps without infinities the scale grows.

        Args:
            new_interval: the number of steps.
        """
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        tracker = self._growth_tracker
        return self._init_growth_tracker if tracker is None else int(tracker.item())

    def state_dict(self) -> dict[str, Any]:
        """Scale, factors, and the steps since the last growth; empty where nothing is scaled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave. A scaler that is not enabled ignores it.

        Args:
            state_dict: what `state_dict` of an enabled scaler returned.

        Raises:
            RuntimeError: it is empty.

        Example::

            >>> scaler = torch.amp.GradScaler("cpu")
            >>> scaler.load_state_dict(torch.amp.GradScaler("cpu", init_scale=2.0).state_dict())
            >>> scaler.get_scale()
            2.0
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None and self._growth_tracker is not None:
            self._scale.fill_(self._init_scale)
            self._growth_tracker.fill_(self._init_growth_tracker)

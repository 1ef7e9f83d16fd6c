"""Blocks in which operators cast their arguments: those of ATen/autocast_registrations.cpp."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, TypeVar

import torch
from torch import _C, _absent
from torch._tensor import Tensor

_Function = TypeVar("_Function", bound=Callable[..., Any])


def is_autocast_available(device_type: str) -> bool:
    """Whether devices of a type have lists of operators to cast.

    Args:
        device_type: such as "cpu" or "cuda".

    Example::

        >>> torch.amp.is_autocast_available("cpu")
        True
    """
    return _C._is_autocast_available(device_type)


class autocast:
    """Casts what the operators of a block or a function compute on (Micikevicius et al. 2018,
    arXiv:1710.03740).

    Matrix products and convolutions take `dtype`, functions that need the range float32, and some
    the widest of their arguments. Backward passes belong outside. Blocks nest.

    Args:
        device_type: "cpu" or "cuda".
        dtype: bfloat16 or float16; the default of the device if None.
        enabled: False ends the casting inside.
        cache_enabled: whether parameters are cast once in a block.

    Raises:
        ValueError: `device_type` is no text.
        RuntimeError: no casting for this device, or a GPU without bfloat16.

    Example::

        >>> with torch.amp.autocast("cpu", dtype=torch.bfloat16):
        ...     (torch.ones(2, 2) @ torch.ones(2, 2)).dtype
        torch.bfloat16
    """

    def __init__(
        self,
        device_type: str,
        dtype: torch.dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not is_autocast_available(device_type):
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{device_type}'"
            )
        self.device = device_type
        self.fast_dtype = _C.get_autocast_dtype(device_type) if dtype is None else dtype
        self._cache_enabled = (
            _C.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        )
        self._enabled = enabled and self._can_cast()
        self._before: list[tuple[bool, torch.dtype, bool]] = []

    def _can_cast(self) -> bool:
        name = self.device.upper()
        if self.device == "cuda" and not torch.cuda.is_available():
            warnings.warn(
                "User provided device_type of 'cuda', but CUDA is not available. Disabling",
                stacklevel=3,
            )
            return False
        if self.fast_dtype not in (torch.bfloat16, torch.float16):
            warnings.warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{name} Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
                stacklevel=3,
            )
            return False
        if (
            self.device == "cuda"
            and self.fast_dtype == torch.bfloat16
            and not torch.cuda.is_bf16_supported()
        ):
            raise RuntimeError(
                "Current CUDA Device does not support bfloat16. Please switch dtype to float16."
            )
        return True

    def __enter__(self) -> autocast:
        self._before.append(
            (
                _C.is_autocast_enabled(self.device),
                _C.get_autocast_dtype(self.device),
                _C.is_autocast_cache_enabled(),
            )
        )
        _C.set_autocast_enabled(self.device, self._enabled)
        _C.set_autocast_dtype(self.device, self.fast_dtype)
        _C.set_autocast_cache_enabled(self._cache_enabled)
        _C.autocast_increment_nesting()
        return self

    def __exit__(self, *_: object) -> None:
        if _C.autocast_decrement_nesting() == 0:
            _C.clear_autocast_cache()
        enabled, dtype, cache_enabled = self._before.pop()
        _C.set_autocast_enabled(self.device, enabled)
        _C.set_autocast_dtype(self.device, dtype)
        _C.set_autocast_cache_enabled(cache_enabled)

    def __call__(self, function: _Function) -> _Function:
        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


def current_autocast() -> Callable[[], ExitStack]:
    """What makes blocks, later, that cast as is done now."""
    now = [
        (
            device_type,
            _C.get_autocast_dtype(device_type),
            _C.is_autocast_enabled(device_type),
            _C.is_autocast_cache_enabled(),
        )
        for device_type in ("cpu", "cuda")
    ]

    def blocks() -> ExitStack:
        stack = ExitStack()
        for arguments in now:
            stack.enter_context(autocast(*arguments))
        return stack

    return blocks


def _cast(value: Any, device_type: str, dtype: torch.dtype) -> Any:
    """`value` with the floating-point tensors of a device cast, except for double."""
    if isinstance(value, Tensor):
        eligible = (
            value.is_floating_point()
            and value.device.type == device_type
            and value.dtype != torch.float64
        )
        return value.to(dtype) if eligible else value
    if isinstance(value, Mapping):
        return {
            _cast(key, device_type, dtype): _cast(item, device_type, dtype)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(item, device_type, dtype) for item in value)
    return value


def custom_fwd(
    fwd: Callable[..., Any] | None = None,
    *,
    device_type: str,
    cast_inputs: torch.dtype | None = None,
) -> Any:
    """For `forward` of a `torch.autograd.Function`: what it does under autocast.

    `backward` with `custom_bwd` then runs as the body did.

    Args:
        fwd: the method.
        device_type: "cpu" or "cuda".
        cast_inputs: the arguments are cast so, and the body runs without autocast; None runs it as
            it is called.

    Raises:
        ValueError: `device_type` is no text.

    Example::

        >>> class Double(torch.autograd.Function):
        ...     @staticmethod
        ...     @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
        ...     def forward(ctx, x):
        ...         return 2 * x
        >>> with torch.amp.autocast("cpu"):
        ...     Double.apply(torch.ones(1, dtype=torch.bfloat16)).dtype
        torch.float32
    """
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def wrapped(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        enabled = _C.is_autocast_enabled(device_type)
        ctx._dtype = _C.get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = enabled and cast_inputs is None
        if cast_inputs is None or not enabled:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(
                ctx,
                *_cast(args, device_type, cast_inputs),
                **_cast(kwargs, device_type, cast_inputs),
            )

    return wrapped


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Any:
    """For `backward` of a function whose `forward` has `custom_fwd`: the same autocast as there.

    Args:
        bwd: the method.
        device_type: "cpu" or "cuda".

    Raises:
        ValueError: `device_type` is no text.
    """
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def wrapped(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return wrapped


__getattr__ = _absent.explain(__name__)

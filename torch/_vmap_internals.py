"""`vmap` under a former name, which packages import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import func as _func


def _vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    allow_none_pass_through: bool = False,
) -> Callable[..., Any]:
    """`torch.func.vmap`; with `allow_none_pass_through` outputs of the tuple may be None."""
    if not allow_none_pass_through:
        return _func.vmap(func, in_dims, out_dims)

    def wrapper(*args: Any) -> Any:
        present: list[bool] = []

        def tensors(*entry: Any) -> tuple[Any, ...]:
            outputs = func(*entry)
            present[:] = [output is not None for output in outputs]
            return tuple(output for output in outputs if output is not None)

        results = iter(_func.vmap(tensors, in_dims, out_dims)(*args))
        return tuple(next(results) if there else None for there in present)

    return wrapper


vmap = _func.vmap

__all__ = ["vmap"]

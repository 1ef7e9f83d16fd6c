"""How the arguments of `Tensor.to` and `nn.Module.to` are read."""

from __future__ import annotations

from typing import Any

import torch


def _invalid(args: tuple[Any, ...]) -> TypeError:
    got = ", ".join(type(a).__name__ for a in args)
    return TypeError(
        f"to() received an invalid combination of arguments - got ({got}), but expected (device, dtype, non_blocking, copy), (dtype, non_blocking, copy) or (tensor, non_blocking, copy)"
    )


def parse_to(
    *args: Any,
    tensor: torch.Tensor | None = None,
    device: Any = None,
    dtype: torch.dtype | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: torch.memory_format | None = None,
) -> tuple[torch.device | None, torch.dtype | None, bool, torch.memory_format | None]:
    """Device, dtype, `non_blocking` and memory format out of `(device, dtype, non_blocking, copy)`,
    `(dtype, non_blocking, copy)` or `(tensor, non_blocking, copy)`, which packages call as
    `torch._C._nn._parse_to`.

    Raises:
        TypeError: an argument is none of those.
    """
    rest = list(args) if tensor is None else [tensor, *args]
    if rest and isinstance(rest[0], torch.Tensor):
        other = rest.pop(0)
        device, dtype = other.device, other.dtype
    elif rest and isinstance(rest[0], torch.dtype):
        dtype = rest.pop(0)
    elif rest and (rest[0] is None or isinstance(rest[0], (torch.device, str, int))):
        device = rest.pop(0)
        # A bool comes after a dtype only.
        if rest and (rest[0] is None or isinstance(rest[0], torch.dtype)):
            dtype = rest.pop(0)
        elif rest:
            raise _invalid(args)
    if rest:
        non_blocking = rest.pop(0)
    if len(rest) > 1 or not isinstance(non_blocking, bool):
        raise _invalid(args)
    where = None if device is None else torch.device(device)
    return where, dtype, non_blocking, memory_format


__all__ = ["parse_to"]

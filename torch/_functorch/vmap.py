"""Names by which packages take `vmap` apart."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from torch import _absent
from torch._tensor import Tensor as Tensor
from torch.utils._pytree import (
    _broadcast_to_and_flatten as _broadcast_to_and_flatten,
)
from torch.utils._pytree import tree_flatten as tree_flatten
from torch.utils._pytree import tree_unflatten as tree_unflatten


def _get_name(func: Callable[..., Any]) -> str:
    """What errors call a function.

    Example::

        >>> from torch._functorch.vmap import _get_name
        >>> _get_name(torch.dot)
        'dot'
    """
    if hasattr(func, "__name__"):
        return str(func.__name__)
    if isinstance(func, functools.partial):
        return f"functools.partial({_get_name(func.func)}, ...)"
    return repr(func)


__getattr__ = _absent.names_of(
    __name__,
    _absent.FUNCTORCH,
    functions="_add_batch_dim _remove_batch_dim _maybe_remove_batch_dim",
)

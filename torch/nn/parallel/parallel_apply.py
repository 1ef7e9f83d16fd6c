"""Several modules at once, each in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import torch
from torch import _absent
from torch.nn.modules.module import Module


def parallel_apply(
    modules: Sequence[Module],
    inputs: Sequence[Any],
    kwargs_tup: Sequence[dict[str, Any]] | None = None,
    devices: Sequence[Any] | None = None,
) -> list[Any]:
    """`modules[i](*inputs[i], **kwargs_tup[i])` for each i, in threads; an error in one is raised.

    Example::

        >>> torch.nn.parallel.parallel_apply([torch.nn.Identity()], [torch.ones(1)])
        [tensor([1.])]
    """
    if len(modules) != len(inputs):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of inputs {len(inputs)}"
        )
    kwargs_list = list(kwargs_tup) if kwargs_tup is not None else [{} for _ in modules]
    results: list[Any] = [None] * len(modules)
    errors: list[BaseException | None] = [None] * len(modules)
    grad_enabled = torch.is_grad_enabled()

    def run(i: int) -> None:
        arguments = inputs[i] if isinstance(inputs[i], (list, tuple)) else (inputs[i],)
        try:
            with torch.set_grad_enabled(grad_enabled):
                results[i] = modules[i](*arguments, **kwargs_list[i])
        except Exception as error:
            errors[i] = error

    if len(modules) == 1:
        run(0)
    else:
        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(modules))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for error in errors:
        if error is not None:
            raise error
    return results


__getattr__ = _absent.explain(__name__)

__all__ = ["parallel_apply"]

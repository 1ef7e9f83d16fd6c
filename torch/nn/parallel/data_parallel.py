"""class DataParallel."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import torch
from torch import Tensor
from torch.nn.modules.module import Module
from torch.nn.parallel.parallel_apply import parallel_apply
from torch.nn.parallel.replicate import replicate
from torch.nn.parallel.scatter_gather import gather, scatter_kwargs


def _index(device: Any) -> int:
    if isinstance(device, int):
        return device
    return torch.device(device).index or 0


class DataParallel(Module):
    """A module whose batches are split among GPUs, and whose outputs are joined again.

    The module's parameters must be on `device_ids[0]`. Without a GPU, calls go to the module.

    Args:
        module: what to run.
        device_ids: the GPUs; all of them by default.
        output_device: where outputs are joined; `device_ids[0]` by default.
        dim: the dimension of the batch.

    Example::

        >>> net = torch.nn.DataParallel(torch.nn.Linear(2, 1))
        >>> net(torch.ones(3, 2)).shape
        torch.Size([3, 1])
        >>> sorted(net.state_dict())
        ['module.bias', 'module.weight']
    """

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        if not torch.cuda.is_available():
            self.module = module
            self.device_ids: list[int] = []
            return
        ids = list(range(torch.cuda.device_count())) if device_ids is None else list(device_ids)
        if not ids:
            raise RuntimeError("no available devices were found")
        self.dim = dim
        self.module = module
        self.device_ids = [_index(d) for d in ids]
        self.output_device = _index(ids[0] if output_device is None else output_device)
        self.src_device_obj = torch.device("cuda", self.device_ids[0])
        if len(self.device_ids) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        for t in chain(self.module.parameters(), self.module.buffers()):
            if t.device != self.src_device_obj:
                raise RuntimeError(
                    f"module must have its parameters and buffers on device {self.src_device_obj} (device_ids[0]) but found one of them on device: "
                    f"{t.device}"
                )
        scattered, named = scatter_kwargs(inputs, kwargs, self.device_ids, self.dim)
        if not scattered and not named:
            scattered, named = ((),), ({},)
        if len(self.device_ids) == 1:
            return self.module(*scattered[0], **named[0])
        replicas = replicate(
            self.module, self.device_ids[: len(scattered)], not torch.is_grad_enabled()
        )
        outputs = parallel_apply(replicas, scattered, named, self.device_ids[: len(replicas)])
        return gather(outputs, self.output_device, self.dim)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[Any] | None = None,
    output_device: Any = None,
    dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Tensor:
    """`DataParallel(module, device_ids, output_device, dim)(*inputs, **module_kwargs)`.

    Example::

        >>> torch.nn.parallel.data_parallel(torch.nn.Identity(), torch.ones(1))
        tensor([1.])
    """
    if not isinstance(inputs, tuple):
        inputs = (inputs,) if inputs is not None else ()
    wrapped = DataParallel(module, device_ids, output_device, dim)
    return wrapped(*inputs, **(module_kwargs or {}))


__all__ = ["DataParallel", "data_parallel"]

"""class DistributedDataParallel: a name to ask `isinstance` with."""

from __future__ import annotations

from typing import Any

from torch.nn.modules.module import Module


class DistributedDataParallel(Module):
    """Training by several processes, which does not exist here: a name for `isinstance`.

    Args:
        *args, **kwargs: PyTorch's.

    Raises:
        NotImplementedError: always.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            "DistributedDataParallel needs torch.distributed, which does not exist here; torch.nn.DataParallel splits batches among the GPUs of one process"
        )


__all__ = ["DistributedDataParallel"]

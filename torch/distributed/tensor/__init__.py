"""Names of tensors in parts of several processes, which are not here; see `torch.distributed`."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.DISTRIBUTED,
    classes="DTensor DeviceMesh Partial Placement Replicate Shard",
    functions="distribute_module distribute_tensor empty full init_device_mesh ones rand randn"
    " zeros",
)

__all__: list[str] = []

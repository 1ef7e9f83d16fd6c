"""Names of grids of devices, which are not here; see `torch.distributed`."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__, _absent.DISTRIBUTED, classes="DeviceMesh", functions="init_device_mesh"
)

__all__: list[str] = []

"""Copies of a module on several devices, whose gradients come back to the original."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from torch.nn.modules.module import Module
from torch.nn.parallel.scatter_gather import _device


def replicate(network: Module, devices: Sequence[Any], detach: bool = False) -> list[Module]:
    """One copy of `network` for each device. Its parameters are copies in the graph of the
    original's, so that gradients are summed there; with `detach` they are not.

    Example::

        >>> linear = torch.nn.Linear(1, 1)
        >>> len(torch.nn.parallel.replicate(linear, ["cpu", "cpu"]))
        2
    """
    modules = list(network.modules())
    replicas = []
    for device in map(_device, devices):
        copies: dict[Module, Module] = {}
        for module in modules:
            replica = copy.copy(module)
            replica.__dict__ = module.__dict__.copy()
            for kind in ("_parameters", "_buffers", "_modules"):
                replica.__dict__[kind] = dict(module.__dict__[kind])
            replica.__dict__["_is_replica"] = True
            copies[module] = replica
        for module, replica in copies.items():
            for name, child in module._modules.items():
                replica._modules[name] = None if child is None else copies[child]
            for name, parameter in module._parameters.items():
                if parameter is None:
                    continue
                value = parameter.detach().to(device) if detach else parameter.to(device)
                if value is parameter:
                    value = parameter.view_as(parameter)
                replica._parameters[name] = value
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    replica._buffers[name] = buffer.to(device)
        replicas.append(copies[network])
    return replicas


__all__ = ["replicate"]

"""Weights and inputs that are the same whichever torch makes the tensors."""

from __future__ import annotations

import zlib

import numpy as np
import torch


def numbers(name: str, *shape: int) -> torch.Tensor:
    """Normally distributed float32, by name."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    return torch.from_numpy(generator.standard_normal(shape).astype(np.float32))


def classes(name: str, count: int, *shape: int) -> torch.Tensor:
    """Integers from 0 to `count - 1`, by name."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    return torch.from_numpy(generator.integers(count, size=shape))


def filled(module: torch.nn.Module) -> torch.nn.Module:
    """The module with parameters that depend on their names alone."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if parameter.is_floating_point():
                parameter.copy_(0.2 * numbers(name, *parameter.shape).to(parameter.dtype))
    return module


def trained(
    module: torch.nn.Module, loss: torch.Tensor, optimizer: torch.optim.Optimizer | None = None
) -> dict[str, torch.Tensor]:
    """The loss, the gradients, and the parameters after a step, SGD's unless another is given."""
    if optimizer is None:
        optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    optimizer.zero_grad()
    loss.backward()
    found = {"loss": loss}
    parameters = dict(module.named_parameters())
    found |= {f"{k}.grad": v.grad for k, v in parameters.items() if v.grad is not None}
    found = {name: value.detach().clone() for name, value in found.items()}
    optimizer.step()
    return found | {name: value.detach() for name, value in parameters.items()}

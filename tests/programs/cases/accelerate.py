"""A loop that accelerate prepares."""

from __future__ import annotations

from typing import Any

from accelerate import Accelerator
from inputs import filled, numbers
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def run() -> Any:
    """Two epochs of sums over two batches."""
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    net = filled(nn.Linear(4, 2))
    loader = DataLoader(TensorDataset(numbers("x", 8, 4), numbers("y", 8, 2)), batch_size=2)
    model, optimizer, data = accelerator.prepare(net, optim.AdamW(net.parameters()), loader)
    for x, y in data:
        with accelerator.accumulate(model):
            accelerator.backward((model(x) - y).square().mean())
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    return {name: value.detach() for name, value in net.named_parameters()}

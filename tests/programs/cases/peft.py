"""Low-rank changes of a network of torch.nn."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers, trained
from peft import LoraConfig, get_peft_model
from torch import nn


class Net(nn.Module):
    """Two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.last = nn.Linear(8, 3)

    def forward(self, x: Any) -> Any:
        return self.last(torch.relu(self.first(x)))


def run() -> Any:
    """Only the low-rank matrices learn."""
    model = get_peft_model(Net(), LoraConfig(r=2, target_modules=["first"], lora_alpha=4))
    filled(model)
    return trained(model, model(numbers("x", 5, 6)).square().mean())

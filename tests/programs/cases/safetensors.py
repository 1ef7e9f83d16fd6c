"""Weights in a file, and back."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from inputs import filled, numbers, trained
from safetensors.torch import load_file, load_model, save_file, save_model
from torch import nn


def run() -> Any:
    """A network whose weights went through a file learns."""
    with tempfile.TemporaryDirectory() as directory:
        file = str(Path(directory, "net.safetensors"))
        save_model(filled(nn.Linear(4, 3)), file)
        net = nn.Linear(4, 3)
        load_model(net, file)
        save_file({"half": net.weight.detach().half(), "whole": numbers("w", 3).long()}, file)
        found = load_file(file)
    return trained(net, net(numbers("x", 5, 4)).square().mean()) | found

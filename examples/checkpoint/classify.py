"""Loads a checkpoint that PyTorch wrote and shows what the network says.

    ./bazelw run //examples/checkpoint:classify -- model.pt

The file is what `torch.save({"sizes": [...], "state_dict": model.state_dict(), "input": x}, path)`
writes for `Sequential(Linear, ReLU, Linear, ...)`; it may come from real PyTorch.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import torch
from torch import nn


def network(sizes: Sequence[int]) -> nn.Sequential:
    """Linear layers with ReLU between them."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def logits(path: Path) -> torch.Tensor:
    """What the network of a checkpoint says of the input beside it."""
    checkpoint = torch.load(path)
    model = network(checkpoint["sizes"])
    model.load_state_dict(checkpoint["state_dict"])
    with torch.inference_mode():
        return model.eval()(checkpoint["input"])


def main() -> None:
    """Loads and prints a row for each sample."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    for row in logits(parser.parse_args().checkpoint).tolist():
        print(" ".join(f"{value:.6f}" for value in row))


if __name__ == "__main__":
    main()

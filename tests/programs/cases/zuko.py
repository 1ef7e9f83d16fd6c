"""Normalizing flows."""

from __future__ import annotations

from typing import Any

import torch
import zuko
from inputs import filled, numbers, trained

NAMES = "NSF MAF NICE GF SOSPF BPF"


def run() -> Any:
    """A step on the likelihood, and samples."""
    found: dict[str, Any] = {}
    x, context = numbers("x", 8, 3), numbers("context", 2)
    for name in NAMES.split():
        flow = filled(getattr(zuko.flows, name)(3, 2, transforms=2, hidden_features=(8,)))
        parts = trained(flow, -flow(context).log_prob(x).mean())
        found |= {f"{name}.{key}": value for key, value in parts.items()}
        torch.manual_seed(0)
        found[f"{name}.sample"] = flow(context).sample((4,))
    return found

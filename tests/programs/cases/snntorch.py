"""Networks of spiking neurons."""

from __future__ import annotations

from typing import Any

import snntorch as snn
import torch
from inputs import classes, filled, numbers, trained
from snntorch import functional, spikegen, surrogate
from torch import nn


class Net(nn.Module):
    """Two layers of neurons."""

    def __init__(self, neuron: Any) -> None:
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.neuron = neuron
        self.second = nn.Linear(8, 3)
        self.last = snn.Leaky(
            beta=0.8, spike_grad=surrogate.fast_sigmoid(), init_hidden=True, output=True
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Spikes of each step."""
        spikes = []
        for step in x:
            out = self.neuron(self.first(step))
            spikes.append(self.last(self.second(3 * out))[0])
        return torch.stack(spikes)


def run() -> Any:
    """A step with each neuron, and codes of numbers as spikes."""
    found: dict[str, Any] = {}
    gradient = surrogate.atan()
    for kind, arguments in (
        (snn.Leaky, {"beta": 0.9, "learn_beta": True}),
        (snn.Synaptic, {"alpha": 0.8, "beta": 0.7}),
        (snn.Alpha, {"alpha": 0.8, "beta": 0.7}),
        (snn.RLeaky, {"beta": 0.9, "linear_features": 8}),
        (snn.Lapicque, {"beta": 0.9}),
    ):
        net = filled(Net(kind(spike_grad=gradient, init_hidden=True, **arguments)))
        x, y = 3 * numbers("x", 7, 4, 6), classes("y", 3, 4)
        spikes = net(x)
        parts = trained(
            net, functional.ce_rate_loss()(spikes, y) + functional.ce_count_loss()(spikes, y)
        )
        found |= {f"{kind.__name__}.{name}": value for name, value in parts.items()}
        found[f"{kind.__name__}.accuracy"] = torch.tensor(functional.accuracy_rate(spikes, y))
        found[f"{kind.__name__}.spikes"] = spikes
    rates = spikegen.rate(numbers("r", 3, 4).abs().clamp(max=1), num_steps=5)
    found |= {
        "rate": rates,
        "latency": spikegen.latency(numbers("r", 3, 4).abs().clamp(max=1), num_steps=5),
        "delta": spikegen.delta(numbers("r", 9), threshold=0.5),
    }
    return found

"""Networks of spikes."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers, trained
from spikingjelly.activation_based import encoding, functional, layer, monitor, neuron, surrogate
from torch import nn

NEURONS: list[Any] = [
    (neuron.IFNode, {}),
    (neuron.LIFNode, {"tau": 1.5, "detach_reset": True}),
    (neuron.LIFNode, {"v_reset": None, "surrogate_function": surrogate.Sigmoid(4.0)}),
    (neuron.ParametricLIFNode, {"init_tau": 2.5}),
    (neuron.QIFNode, {}),
    (neuron.EIFNode, {}),
    (neuron.IzhikevichNode, {}),
    (neuron.KLIFNode, {"surrogate_function": surrogate.PiecewiseExp()}),
]


def _network(kind: Any, options: dict[str, Any]) -> nn.Sequential:
    return nn.Sequential(
        layer.Conv2d(1, 4, 3, padding=1, bias=False),
        layer.BatchNorm2d(4),
        kind(**options),
        layer.MaxPool2d(2, 2),
        layer.Flatten(),
        layer.Dropout(0.2),
        layer.Linear(4 * 16, 5),
        kind(**options),
    )


def run() -> Any:
    """A step of each neuron's network in one step and in many, and spikes that it makes."""
    found: dict[str, Any] = {}
    images = numbers("images", 3, 1, 8, 8).sigmoid()
    torch.manual_seed(1)
    found["poisson"] = encoding.PoissonEncoder()(images)
    for index, (kind, options) in enumerate(NEURONS):
        for mode in "sm":
            torch.manual_seed(2)
            net = filled(_network(kind, options))
            functional.set_step_mode(net, mode)
            series = 4 * images.repeat(4, 1, 1, 1, 1)
            output = net(series) if mode == "m" else torch.stack([net(x) for x in series])
            name = f"{kind.__name__}{index}.{mode}"
            loss = (output.mean(0) - 0.3).square().mean()
            found |= {f"{name}.{key}": value for key, value in trained(net, loss).items()}
            found |= {f"{name}.spikes": output, f"{name}.voltage": net[7].v}
            functional.reset_net(net)
    net = filled(_network(neuron.LIFNode, {"store_v_seq": True, "step_mode": "m"}))
    functional.set_step_mode(net, "m")
    watch = monitor.OutputMonitor(net, neuron.LIFNode)
    net(images.repeat(3, 1, 1, 1, 1))
    found |= {f"watched{index}": spikes for index, spikes in enumerate(watch.records)}
    found["voltages"] = net[7].v_seq
    return found

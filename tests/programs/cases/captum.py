"""Which inputs an output comes from."""

from __future__ import annotations

from typing import Any

from captum.attr import GradientShap, IntegratedGradients, LayerGradCam, Occlusion, Saliency
from inputs import filled, numbers
from torch import nn


def run() -> Any:
    """Attributions of a small network for pictures."""
    net = filled(
        nn.Sequential(
            nn.Conv2d(1, 3, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(12, 4)
        )
    )
    x = numbers("x", 2, 1, 8, 8)
    return {
        "integrated": IntegratedGradients(net).attribute(x, target=1, n_steps=10),
        "saliency": Saliency(net).attribute(x, target=2),
        "layer": LayerGradCam(net, net[0]).attribute(x, target=1),
        "occlusion": Occlusion(net).attribute(x, target=0, sliding_window_shapes=(1, 4, 4)),
        "shap": GradientShap(net).attribute(x, baselines=x, target=1, n_samples=2, stdevs=0.0),
    }

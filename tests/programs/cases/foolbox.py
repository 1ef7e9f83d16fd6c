"""Attacks on classifiers."""

from __future__ import annotations

from typing import Any

import foolbox
from inputs import filled, numbers
from torch import nn


def run() -> Any:
    """Images that each attack makes."""
    found: dict[str, Any] = {}
    net = filled(
        nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    ).eval()
    model = foolbox.PyTorchModel(net, bounds=(0, 1), device="cpu")
    images = numbers("images", 4, 1, 8, 8).sigmoid()
    labels = net(images).argmax(1)
    for attack in (
        foolbox.attacks.LinfPGD(random_start=False),
        foolbox.attacks.FGSM(),
        foolbox.attacks.L2DeepFoolAttack(steps=5),
        foolbox.attacks.L2CarliniWagnerAttack(binary_search_steps=2, steps=20),
        foolbox.attacks.L2FastGradientAttack(),
    ):
        raw, _, success = attack(model, images, labels, epsilons=0.1)
        found |= {type(attack).__name__: raw, f"{type(attack).__name__}.success": success}
    return found

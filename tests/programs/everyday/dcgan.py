"""Two convolutional networks that play against each other, as in PyTorch's examples."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


def initialize(m: Any) -> None:
    """By the name of the class, as the example does."""
    name = m.__class__.__name__
    if name.find("Conv") != -1:
        torch.nn.init.normal_(m.weight, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        torch.nn.init.normal_(m.weight, 1.0, 0.02)
        torch.nn.init.zeros_(m.bias)


def generator() -> nn.Sequential:
    """Noise to pictures."""
    return nn.Sequential(
        nn.ConvTranspose2d(6, 16, 4, 1, 0, bias=False),
        nn.BatchNorm2d(16),
        nn.ReLU(True),
        nn.ConvTranspose2d(16, 8, 4, 2, 1, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(True),
        nn.ConvTranspose2d(8, 3, 4, 2, 1, bias=False),
        nn.Tanh(),
    )


def discriminator() -> nn.Sequential:
    """Pictures to probabilities."""
    return nn.Sequential(
        nn.Conv2d(3, 8, 4, 2, 1, bias=False),
        nn.LeakyReLU(0.2, inplace=True),
        nn.utils.spectral_norm(nn.Conv2d(8, 16, 4, 2, 1, bias=False)),
        nn.BatchNorm2d(16),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(16, 1, 4, 1, 0, bias=False),
        nn.Sigmoid(),
        nn.Flatten(0),
    )


def run() -> Any:
    """Two rounds."""
    g, d = generator().apply(initialize), discriminator().apply(initialize)
    criterion = nn.BCELoss()
    of_d = torch.optim.Adam(d.parameters(), lr=2e-3, betas=(0.5, 0.999))
    of_g = torch.optim.Adam(g.parameters(), lr=2e-3, betas=(0.5, 0.999))
    losses = []
    for _ in range(2):
        real = torch.rand(4, 3, 16, 16) * 2 - 1
        d.zero_grad()
        label = torch.full((4,), 1, dtype=real.dtype)
        on_real = criterion(d(real), label)
        on_real.backward()
        fake = g(torch.randn(4, 6, 1, 1))
        label.fill_(0)
        on_fake = criterion(d(fake.detach()), label)
        on_fake.backward()
        of_d.step()
        g.zero_grad()
        label.fill_(1)
        of_both = criterion(d(fake), label)
        of_both.backward()
        of_g.step()
        losses += [on_real.item(), on_fake.item(), of_both.item()]
    g.eval()
    with torch.inference_mode():
        pictures = g(torch.ones(1, 6, 1, 1))
    return {"losses": torch.tensor(losses), "pictures": pictures.clone()} | {
        f"d.{name}": value for name, value in d.state_dict().items()
    }

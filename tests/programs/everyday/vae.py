"""A variational autoencoder, as in PyTorch's examples."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional


class VAE(nn.Module):
    """Kingma and Welling, "Auto-Encoding Variational Bayes" (2013)."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 32), nn.ReLU(inplace=True))
        self.mean, self.log_variance = nn.Linear(32, 5), nn.Linear(32, 5)
        self.decoder = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 64), nn.Sigmoid())

    def reparameterize(self, mean: Any, log_variance: Any) -> Any:
        """A sample with derivatives."""
        std = torch.exp(0.5 * log_variance)
        return mean + torch.randn_like(std) * std

    def forward(self, x: Any) -> Any:
        h = self.encoder(x.view(-1, 64))
        mean, log_variance = self.mean(h), self.log_variance(h)
        return self.decoder(self.reparameterize(mean, log_variance)), mean, log_variance


def run() -> Any:
    """Three steps of AdamW with a warm-up and cosine, and pictures from noise."""
    model = VAE()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95))
    warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=2)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    schedule = torch.optim.lr_scheduler.SequentialLR(optimizer, [warm, cosine], milestones=[2])
    losses, rates = [], []
    for _ in range(5):
        x = torch.rand(10, 1, 8, 8)
        y, mean, log_variance = model(x)
        entropy = functional.binary_cross_entropy(y, x.view(-1, 64), reduction="sum")
        divergence = -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())
        optimizer.zero_grad()
        (entropy + divergence).backward()
        optimizer.step()
        schedule.step()
        losses.append((entropy + divergence).item())
        rates += schedule.get_last_lr()
    with torch.no_grad():
        pictures = model.decoder(torch.randn(4, 5)).view(4, 1, 8, 8)
    return {"losses": torch.tensor(losses), "rates": torch.tensor(rates), "pictures": pictures}

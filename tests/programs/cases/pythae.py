"""Variational autoencoders."""

from __future__ import annotations

from typing import Any

import torch
from inputs import filled, numbers, trained
from pythae.data.datasets import BaseDataset
from pythae.models import (
    AE,
    IWAE,
    RAE_L2,
    VAE,
    WAE_MMD,
    AEConfig,
    BetaVAE,
    BetaVAEConfig,
    IWAEConfig,
    RAE_L2_Config,
    VAEConfig,
    WAE_MMD_Config,
)


def run() -> Any:
    """A step of each model, and embeddings."""
    found: dict[str, Any] = {}
    images = numbers("images", 6, 1, 8, 8).sigmoid()
    data = BaseDataset(images, torch.ones(6))
    for kind, config in (
        (AE, AEConfig),
        (VAE, VAEConfig),
        (BetaVAE, BetaVAEConfig),
        (WAE_MMD, WAE_MMD_Config),
        (RAE_L2, RAE_L2_Config),
        (IWAE, IWAEConfig),
    ):
        net = filled(kind(config(input_dim=(1, 8, 8), latent_dim=3)))
        torch.manual_seed(0)
        output = net({"data": data.data, "labels": data.labels})
        parts = trained(net, output.loss)
        found |= {f"{kind.__name__}.{key}": value for key, value in parts.items()}
        found[f"{kind.__name__}.embedding"] = net.embed(images)
    return found

"""A small network that takes noise away, and the schedule of the noise."""

from __future__ import annotations

from typing import Any

import torch
from diffusers import DDPMScheduler, UNet2DModel
from inputs import filled, numbers, trained


def run() -> Any:
    """The loss of one batch."""
    net = UNet2DModel(
        sample_size=8,
        in_channels=1,
        out_channels=1,
        block_out_channels=(8, 16),
        layers_per_block=1,
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )
    noise, times = numbers("noise", 2, 1, 8, 8), torch.tensor([3, 70])
    noisy = DDPMScheduler(num_train_timesteps=100).add_noise(numbers("x", 2, 1, 8, 8), noise, times)
    guess = filled(net)(noisy, times).sample
    return trained(net, (guess - noise).square().mean())

"""Training under `torch.autocast` on the CPU, with accumulation, checkpointing and GradScaler."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Block(nn.Module):
    """A residual block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.LayerNorm([width, 8, 8])

    def forward(self, x: Any) -> Any:
        return x + nn.functional.silu(self.norm(self.conv(x)))


def run() -> Any:
    """Types, losses and gradients."""
    stem, blocks = nn.Conv2d(3, 4, 1), nn.Sequential(*[Block(4) for _ in range(4)])
    head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 5))
    model = nn.ModuleDict({"stem": stem, "blocks": blocks, "head": head})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", enabled=True, init_scale=1024.0)
    losses, types = [], []
    for _ in range(3):
        for _ in range(2):
            x, y = torch.randn(4, 3, 8, 8), torch.randint(5, (4,))
            with torch.autocast("cpu", dtype=torch.bfloat16):
                z = checkpoint_sequential(blocks, 2, stem(x), use_reentrant=False)
                z = checkpoint(blocks[0], z, use_reentrant=True)
                logits = head(z)
                loss = nn.functional.cross_entropy(logits, y) / 2
            types += [str(z.dtype), str(logits.dtype), str(loss.dtype)]
            scaler.scale(loss).backward()
            losses.append(loss.item())
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    codes = [("torch.float32", "torch.bfloat16").index(name) for name in types]
    # bfloat16 has 8 bits: sums in another order differ in the third digit.
    return {
        "types": torch.tensor(codes),
        "losses": torch.tensor(losses).mul(20).round(),
        "norm": norm.isfinite(),
        "scale": torch.tensor(scaler.get_scale()),
    }

"""Training that stops, is saved, and goes on in a new object as if it had not stopped."""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, OneCycleLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset

OPTIMIZERS = {
    "SGD": {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 1e-3},
    "AdamW": {"lr": 0.01, "amsgrad": True},
    "NAdam": {"lr": 0.01},
    "RAdam": {"lr": 0.01},
    "Adagrad": {"lr": 0.02, "lr_decay": 0.1},
    "Adamax": {"lr": 0.01},
    "ASGD": {"lr": 0.01},
    "Rprop": {"lr": 0.01},
}


def build(name: str) -> Any:
    """A model, an optimizer with two groups, and a schedule."""
    model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ELU(), nn.Linear(8, 2))
    groups = [{"params": model[0].parameters(), "lr": 0.02}, {"params": model[1:].parameters()}]
    optimizer = getattr(torch.optim, name)(groups, **OPTIMIZERS[name])
    if name in ("SGD", "AdamW"):
        schedule: Any = OneCycleLR(optimizer, max_lr=[0.1, 0.2], total_steps=20)
    else:
        schedule = CosineAnnealingWarmRestarts(optimizer, T_0=3, T_mult=2)
    return model, optimizer, schedule


def train(model: Any, optimizer: Any, schedule: Any, loader: Any, average: Any) -> list[float]:
    """One epoch."""
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        schedule.step()
        average.update_parameters(model)
        losses.append(loss.item())
    return losses


def run() -> Any:
    """An epoch, a file, another epoch; for each optimizer."""
    x = torch.randn(20, 6)
    data = TensorDataset(x, (x[:, 0] > 0).long())
    found: dict[str, Any] = {}
    for name in OPTIMIZERS:
        state = build(name)
        loader = DataLoader(data, 5, shuffle=True, generator=torch.Generator().manual_seed(1))
        average = AveragedModel(state[0], multi_avg_fn=get_ema_multi_avg_fn(0.9), use_buffers=True)
        losses = train(*state, loader, average)
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "checkpoint.pt"
            parts = {str(i): part.state_dict() for i, part in enumerate(state)}
            torch.save(parts | {"rng": torch.get_rng_state()}, path)
            copied = copy.deepcopy(state[0])
            state = build(name)
            loaded = torch.load(path, map_location="cpu", weights_only=True)
        for i, part in enumerate(state):
            part.load_state_dict(loaded[str(i)])
        torch.set_rng_state(loaded["rng"])
        pairs = zip(copied.parameters(), state[0].parameters(), strict=True)
        assert all(torch.equal(a, b) for a, b in pairs)
        losses += train(*state, loader, average)
        found[f"{name}.losses"] = torch.tensor(losses)
        found[f"{name}.rates"] = torch.tensor(state[2].get_last_lr())
        found[f"{name}.average"] = average.module[0].weight.detach()
        found[f"{name}.running"] = state[0][1].running_var
    return found

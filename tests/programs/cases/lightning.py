"""A module and its trainer."""

from __future__ import annotations

import tempfile
from typing import Any

import lightning
from inputs import filled, numbers
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Module(lightning.LightningModule):
    """A line."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(4, 1)

    def training_step(self, batch: Any, index: Any) -> Any:
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self) -> Any:
        optimizer = optim.Adam(self.parameters(), lr=0.05)
        return [optimizer], [optim.lr_scheduler.StepLR(optimizer, 1)]


def run() -> Any:
    """Two epochs."""
    module = filled(Module())
    loader = DataLoader(TensorDataset(numbers("x", 12, 4), numbers("y", 12, 1)), batch_size=4)
    with tempfile.TemporaryDirectory() as directory:
        trainer = lightning.Trainer(
            max_epochs=2,
            accelerator="cpu",
            logger=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=directory,
        )
        trainer.fit(module, loader)
    return dict(module.named_parameters()) | {"loss": trainer.callback_metrics["loss"]}

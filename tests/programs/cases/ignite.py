"""A trainer with events and metrics."""

from __future__ import annotations

from typing import Any

from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.metrics import Accuracy, Loss
from inputs import classes, filled, numbers
from torch import nn, optim


def run() -> Any:
    """Three epochs."""
    net, loss = filled(nn.Linear(4, 3)), nn.CrossEntropyLoss()
    optimizer = optim.Adam(net.parameters(), lr=0.05)
    data = [(numbers(name, 6, 4), classes(name, 3, 6)) for name in "abc"]
    trainer = create_supervised_trainer(net, optimizer, loss)
    metrics = {"accuracy": Accuracy(), "loss": Loss(loss)}
    evaluator = create_supervised_evaluator(net, metrics=metrics)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda _: evaluator.run(data))
    trainer.run(data, max_epochs=3)
    return dict(net.named_parameters()) | evaluator.state.metrics

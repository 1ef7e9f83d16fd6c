"""A network as an estimator of scikit-learn."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, numbers
from skorch import NeuralNetClassifier
from torch import nn, optim


def run() -> Any:
    """Three epochs of fit."""
    module = filled(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)))
    net = NeuralNetClassifier(
        module,
        criterion=nn.CrossEntropyLoss,
        optimizer=optim.SGD,
        lr=0.1,
        max_epochs=3,
        train_split=None,
        iterator_train__shuffle=False,
        verbose=0,
    )
    x = numbers("x", 24, 4).numpy()
    net.fit(x, classes("y", 3, 24).numpy())
    return dict(net.module_.named_parameters()) | {"probability": net.predict_proba(x)}

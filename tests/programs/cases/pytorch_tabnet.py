"""Attention on the columns of a table."""

from __future__ import annotations

import tempfile
from typing import Any

from inputs import numbers
from pytorch_tabnet.tab_model import TabNetClassifier


def run() -> Any:
    """Three epochs, and probabilities before and after a file."""
    x = numbers("x", 200, 6).numpy()
    model = TabNetClassifier(seed=0, verbose=0, n_d=4, n_a=4, n_steps=2)
    model.fit(x, (x[:, 0] > 0).astype(int), max_epochs=3, batch_size=64, virtual_batch_size=32)
    again = TabNetClassifier()
    with tempfile.TemporaryDirectory() as directory:
        again.load_model(model.save_model(f"{directory}/model"))
    found = {"probability": model.predict_proba(x), "importance": model.feature_importances_}
    return found | {"again": again.predict_proba(x)}

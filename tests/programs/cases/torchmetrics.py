"""Metrics over batches."""

from __future__ import annotations

from typing import Any

from inputs import classes, numbers
from torchmetrics import Accuracy, MeanSquaredError, MetricCollection
from torchmetrics.classification import MulticlassAUROC, MulticlassConfusionMatrix
from torchmetrics.image import StructuralSimilarityIndexMeasure


def run() -> Any:
    """Their values after three batches."""
    metrics = MetricCollection(
        {
            "accuracy": Accuracy(task="multiclass", num_classes=4),
            "area": MulticlassAUROC(num_classes=4),
            "confusion": MulticlassConfusionMatrix(num_classes=4),
        }
    )
    error, likeness = MeanSquaredError(), StructuralSimilarityIndexMeasure(data_range=4.0)
    for batch in "abc":
        metrics.update(numbers(batch, 20, 4).softmax(1), classes(batch, 4, 20))
        pictures = numbers(batch, 2, 3, 16, 16)
        error.update(pictures, pictures.flip(2))
        likeness.update(pictures, pictures + 0.1 * pictures.flip(2))
    found = {"error": error.compute(), "likeness": likeness.compute()}
    return metrics.compute() | found

"""Losses of distances."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, numbers, trained
from pytorch_metric_learning import distances, losses, miners
from torch import nn


def run() -> Any:
    """Three losses of one embedding."""
    net = filled(nn.Linear(6, 4))
    y, labels = net(numbers("x", 12, 6)), classes("labels", 3, 12)
    pairs = miners.MultiSimilarityMiner()(y, labels)
    loss = losses.TripletMarginLoss(distance=distances.CosineSimilarity())(y, labels, pairs)
    loss = loss + losses.NTXentLoss()(y, labels) + losses.ContrastiveLoss()(y, labels)
    return trained(net, loss)

"""Embeddings of knowledge graphs."""

from __future__ import annotations

from typing import Any

import torch
from inputs import classes, filled, trained
from pykeen.models import ComplEx, DistMult, RotatE, TransE
from pykeen.triples import CoreTriplesFactory


def run() -> Any:
    """A step on a margin loss, and scores of all tails."""
    found: dict[str, Any] = {}
    triples = torch.stack(
        [classes("head", 9, 20), classes("relation", 3, 20), classes("tail", 9, 20)], 1
    )
    factory = CoreTriplesFactory(triples, num_entities=9, num_relations=3)
    for kind in (TransE, DistMult, ComplEx, RotatE):
        model = filled(kind(triples_factory=factory, embedding_dim=6, random_seed=0))
        corrupted = torch.stack([triples[:, 0], triples[:, 1], triples[:, 2].roll(1)], 1)
        scores = model.score_hrt(triples), model.score_hrt(corrupted)
        margin = (1 - scores[0] + scores[1]).relu().mean()
        parts = trained(model, margin)
        found |= {f"{kind.__name__}.{name}": value for name, value in parts.items()}
        found[f"{kind.__name__}.scores"] = model.score_t(triples[:, :2])
    return found

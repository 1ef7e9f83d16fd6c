"""Transformers with hashed attention."""

from __future__ import annotations

from typing import Any

import torch
from inputs import classes, filled, trained
from reformer_pytorch import ReformerLM


def run() -> Any:
    """A step on the next token."""
    torch.manual_seed(0)
    model = filled(
        ReformerLM(
            num_tokens=20,
            dim=16,
            depth=2,
            max_seq_len=32,
            heads=2,
            bucket_size=8,
            n_hashes=2,
            causal=True,
            lsh_dropout=0.0,
        )
    )
    tokens = classes("tokens", 20, 2, 32)
    logits = model(tokens)
    loss = torch.nn.functional.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:])
    return trained(model, loss) | {"logits": logits}

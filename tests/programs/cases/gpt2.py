"""A tiny GPT2Config of transformers."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, trained
from transformers import GPT2Config, GPT2LMHeadModel

SIZES: dict[str, Any] = {
    "n_embd": 16,
    "n_layer": 2,
    "n_head": 2,
    "n_positions": 16,
    "vocab_size": 23,
    "resid_pdrop": 0.0,
    "embd_pdrop": 0.0,
    "attn_pdrop": 0.0,
}


def run() -> Any:
    """The loss of a batch, and the logits."""
    model = filled(GPT2LMHeadModel(GPT2Config(**SIZES)))
    tokens = classes("tokens", 23, 2, 10)
    result = model(input_ids=tokens, labels=tokens)
    return trained(model, result.loss) | {"logits": result.logits}

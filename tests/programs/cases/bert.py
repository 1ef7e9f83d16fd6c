"""A tiny BertConfig of transformers."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, trained
from transformers import BertConfig, BertForMaskedLM

SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "vocab_size": 23,
    "max_position_embeddings": 16,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}


def run() -> Any:
    """The loss of a batch, and the logits."""
    model = filled(BertForMaskedLM(BertConfig(**SIZES)))
    tokens = classes("tokens", 23, 2, 10)
    result = model(input_ids=tokens, labels=tokens)
    return trained(model, result.loss) | {"logits": result.logits}

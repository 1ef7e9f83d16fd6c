"""A tiny LlamaConfig of transformers."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, trained
from transformers import LlamaConfig, LlamaForCausalLM

SIZES: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "vocab_size": 23,
    "max_position_embeddings": 16,
}


def run() -> Any:
    """The loss of a batch, and the logits."""
    model = filled(LlamaForCausalLM(LlamaConfig(**SIZES)))
    tokens = classes("tokens", 23, 2, 10)
    result = model(input_ids=tokens, labels=tokens)
    return trained(model, result.loss) | {"logits": result.logits}

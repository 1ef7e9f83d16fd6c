"""A decoder with rotary positions."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, trained
from x_transformers import AutoregressiveWrapper, Decoder, TransformerWrapper


def run() -> Any:
    """The loss of the next token."""
    layers = Decoder(dim=16, depth=2, heads=2, rotary_pos_emb=True)
    net = TransformerWrapper(num_tokens=11, max_seq_len=12, attn_layers=layers)
    model = AutoregressiveWrapper(filled(net))
    return trained(model, model(classes("tokens", 11, 2, 10)))

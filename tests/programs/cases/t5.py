"""A tiny T5Config of transformers."""

from __future__ import annotations

from typing import Any

import torch
from inputs import classes, filled, trained
from transformers import T5Config, T5ForConditionalGeneration

SIZES = {"vocab_size": 23, "d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2}


def run() -> Any:
    """A step, and words by beam search and by sampling."""
    config = T5Config(**SIZES, dropout_rate=0.0, decoder_start_token_id=0)
    model = filled(T5ForConditionalGeneration(config))
    tokens = classes("tokens", 23, 2, 10)
    found = trained(model, model(input_ids=tokens, labels=tokens).loss)
    model.eval()
    found["beam"] = model.generate(tokens, max_new_tokens=6, num_beams=3, do_sample=False)
    torch.manual_seed(0)
    found["sample"] = model.generate(tokens, max_new_tokens=6, do_sample=True, top_k=5, top_p=0.9)
    return found

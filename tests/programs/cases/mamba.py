"""A tiny MambaConfig of transformers."""

from __future__ import annotations

import tempfile
from typing import Any

from inputs import classes, filled, trained
from transformers import Mamba2Config, Mamba2ForCausalLM, MambaConfig, MambaForCausalLM

SIZES = {"vocab_size": 23, "hidden_size": 16, "state_size": 4, "num_hidden_layers": 2}
HEADS = {"num_heads": 4, "head_dim": 8, "n_groups": 1, "chunk_size": 4}


def run() -> Any:
    """A step, and the words that both kinds generate after a file."""
    tokens = classes("tokens", 23, 2, 10)
    model = filled(MambaForCausalLM(MambaConfig(**SIZES)))
    found = trained(model, model(input_ids=tokens, labels=tokens).loss)
    for name, kind in [
        ("first", model),
        ("second", filled(Mamba2ForCausalLM(Mamba2Config(**SIZES, **HEADS)))),
    ]:
        with tempfile.TemporaryDirectory() as directory:
            kind.save_pretrained(directory)
            loaded = type(kind).from_pretrained(directory).eval()
        found[name] = loaded.generate(tokens, max_new_tokens=6, do_sample=False, pad_token_id=0)
    return found

"""Embeddings of sentences, and losses that train them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch
from inputs import classes, filled, trained
from sentence_transformers import SentenceTransformer, losses, util
from sentence_transformers.models import Dense, Normalize, Pooling, Transformer
from transformers import BertConfig, BertModel, BertTokenizer

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    "the",
    "cat",
    "dog",
    "sat",
    "ran",
    "on",
    "mat",
    "house",
    "big",
    "small",
]
TEXTS = ["the cat sat on the mat", "a big dog ran", "a small house", "the dog sat"]


def _model(directory: str, mode: str) -> Any:
    Path(directory, "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(WORDS), intermediate_size=24, **sizes)
    filled(BertModel(config)).save_pretrained(directory)
    BertTokenizer(f"{directory}/vocab.txt").save_pretrained(directory)
    words = Transformer(directory, max_seq_length=12)
    parts = [words, Pooling(16, mode), Dense(16, 8, activation_function=torch.nn.Tanh())]
    model = SentenceTransformer(modules=[*parts, Normalize()], device="cpu")
    filled(model[2])
    return model.eval()


def run() -> Any:
    """Embeddings, steps of losses, a saved model, and a search."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as directory:
        for mode in ("mean", "cls", "max", "weightedmean"):
            found[mode] = _model(directory, mode).encode(TEXTS, batch_size=2)
        model = _model(directory, "mean")
        pairs = [model.tokenize(TEXTS), model.tokenize(TEXTS[::-1])]
        three = [*pairs, model.tokenize(TEXTS[1:] + TEXTS[:1])]
        for loss, inputs, labels in (
            (losses.CosineSimilarityLoss(model), pairs, torch.linspace(0, 1, 4)),
            (losses.MultipleNegativesRankingLoss(model), pairs, None),
            (losses.TripletLoss(model), three, None),
            (losses.CoSENTLoss(model), pairs, torch.linspace(0, 1, 4)),
            (losses.SoftmaxLoss(model, 8, 3), pairs, classes("label", 3, 4)),
            (losses.OnlineContrastiveLoss(model), pairs, torch.tensor([0, 1, 0, 1])),
        ):
            name = type(loss).__name__
            filled(model[2])
            parts = trained(filled(loss), loss([dict(x) for x in inputs], labels))
            found |= {f"{name}.{key}": value for key, value in parts.items()}
        model.save(f"{directory}/model")
        again = SentenceTransformer(f"{directory}/model", device="cpu")
        one, other = (m.encode(TEXTS, convert_to_tensor=True) for m in (model, again))
    found |= {"one": one, "other": other, "scores": util.cos_sim(one, other)}
    hits = util.semantic_search(one[:2], other, top_k=3)
    found["hits"] = torch.tensor([[hit["score"] for hit in row] for row in hits])
    return found

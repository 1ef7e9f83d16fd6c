"""Codes for vectors."""

from __future__ import annotations

from typing import Any

from inputs import numbers
from vector_quantize_pytorch import FSQ, VectorQuantize


def run() -> Any:
    """Codes that learn by averages, and codes without a book."""
    book = VectorQuantize(dim=6, codebook_size=8, decay=0.8)
    book.codebook = numbers("book", 8, 6)
    x = numbers("x", 2, 5, 6).requires_grad_()
    quantized, indices, loss = book(x)
    finite, codes = FSQ([5, 5, 4])(numbers("y", 2, 5, 3))
    (quantized.square().mean() + loss.sum()).backward()
    found = {"quantized": quantized, "indices": indices, "loss": loss, "gradient": x.grad}
    return found | {"finite": finite, "codes": codes}

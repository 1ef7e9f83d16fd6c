"""Banks of filters for sound."""

from __future__ import annotations

from typing import Any

from asteroid_filterbanks import STFTFB, Decoder, Encoder, FreeFB
from inputs import filled, numbers, trained


def run() -> Any:
    """Learned filters and those of Fourier."""
    x = numbers("x", 2, 1, 500)
    encoder, decoder = Encoder(FreeFB(16, 8, 4)), Decoder(FreeFB(16, 8, 4))
    filled(encoder)
    filled(decoder)
    found = trained(encoder, decoder(encoder(x)).square().mean())
    return found | {"fourier": Encoder(STFTFB(32, 32, 16))(x)}

"""Wavelets."""

from __future__ import annotations

from typing import Any

import ptwt
import torch
from inputs import numbers


def run() -> Any:
    """Transforms in one and two dimensions, and back."""
    found: dict[str, Any] = {}
    x = numbers("x", 2, 64).double().requires_grad_()
    for wavelet in ("haar", "db3", "sym4"):
        for mode in ("reflect", "zero", "periodic", "symmetric"):
            parts = ptwt.wavedec(x, wavelet, level=3, mode=mode)
            found |= {f"{wavelet}.{mode}.{i}": part for i, part in enumerate(parts)}
            found[f"{wavelet}.{mode}.back"] = ptwt.waverec(parts, wavelet)
    sum(part.square().sum() for part in ptwt.wavedec(x, "db2", level=2)).backward()
    found["grad"] = x.grad
    image = numbers("image", 1, 32, 32).double()
    flat = ptwt.wavedec2(image, "db2", level=2, mode="zero")
    found |= {
        "2.a": flat[0],
        "2.h": flat[1][0],
        "2.d": flat[2][2],
        "2.back": ptwt.waverec2(flat, "db2"),
    }
    found["cwt"] = ptwt.cwt(x.detach(), torch.arange(1, 8), "mexh")[0]
    found["packets"] = ptwt.WaveletPacket(x.detach(), "haar", mode="zero", maxlevel=3)["aad"]
    return found

"""torch.signal.windows, against NumPy's windows and their formulas."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.signal import windows

BETA = random.uniform(0.5, 14)
CASES: list[tuple[Callable[..., torch.Tensor], dict[str, Any], Callable[[int], Any]]] = [
    (windows.bartlett, {}, np.bartlett),
    (windows.blackman, {}, np.blackman),
    (windows.hamming, {}, np.hamming),
    (windows.hann, {}, np.hanning),
    (windows.kaiser, {"beta": BETA}, lambda m: np.kaiser(m, BETA)),
    (windows.cosine, {}, lambda m: np.sin(np.pi / m * (np.arange(m) + 0.5))),
    (
        windows.gaussian,
        {"std": 1.7},
        lambda m: np.exp(-(((np.arange(m) - (m - 1) / 2) / 1.7) ** 2) / 2),
    ),
    (
        windows.exponential,
        {"tau": 2.5},
        lambda m: np.exp(-np.abs(np.arange(m) - (m - 1) / 2) / 2.5),
    ),
    (
        windows.general_cosine,
        {"a": [0.1, 0.2, 0.3]},
        lambda m: sum(
            (-1) ** i * a * np.cos(2 * np.pi * i * np.arange(m) / (m - 1))
            for i, a in enumerate([0.1, 0.2, 0.3])
        ),
    ),
    (
        windows.nuttall,
        {},
        lambda m: sum(
            (-1) ** i * a * np.cos(2 * np.pi * i * np.arange(m) / (m - 1))
            for i, a in enumerate([0.3635819, 0.4891775, 0.1365995, 0.0106411])
        ),
    ),
]


@pytest.mark.parametrize(("window", "options", "reference"), CASES)
def test_formulas(
    window: Callable[..., torch.Tensor], options: dict[str, Any], reference: Callable[[int], Any]
) -> None:
    size = random.randint(2, 40)
    expected = torch.from_numpy(np.asarray(reference(size)))
    found = window(size, dtype=torch.float64, **options)
    torch.testing.assert_close(found, expected, rtol=1e-12, atol=1e-12)
    # One period is the symmetric window of one sample more, without the last.
    period = window(size, sym=False, dtype=torch.float64, **options)
    longer = window(size + 1, dtype=torch.float64, **options)
    if window is not windows.cosine:
        torch.testing.assert_close(period, longer[:-1], rtol=1e-12, atol=1e-12)
    assert window(0, **options).shape == (0,)
    assert window(1, **options).tolist() == [1.0]
    assert window(3, requires_grad=True, **options).requires_grad


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: windows.cosine(-1), "cosine requires non-negative window length, got M=-1"),
        (lambda: windows.cosine(3, dtype=torch.int64), "expects float32 or float64 dtypes, got"),
        (lambda: windows.kaiser(3, beta=-1), "beta must be non-negative, got: -1 instead"),
        (lambda: windows.gaussian(3, std=0), "Standard deviation must be positive, got: 0"),
        (lambda: windows.exponential(3, tau=0), "Tau must be positive, got: 0 instead"),
        (lambda: windows.exponential(3, center=1.0), "Center must be None for symmetric windows"),
        (lambda: windows.general_cosine(3, a=[]), "Coefficients cannot be empty"),
    ],
)
def test_mistakes_say_what_is_wrong(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()

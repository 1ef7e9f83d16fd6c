"""Fresh random inputs, and comparing with NumPy, for the tests of operators."""

from __future__ import annotations

import os
import secrets
from typing import Any

import numpy as np
import torch

Array = np.ndarray[Any, Any]

_SEED = int(os.environ.get("INPUTS_SEED") or secrets.randbits(32))
RNG = np.random.default_rng(_SEED)
torch.manual_seed(_SEED)
_AGAIN = f"the same inputs again: --test_env=INPUTS_SEED={_SEED}"

TOLERANCE = {torch.float32: 3e-5, torch.bfloat16: 3e-2, torch.float16: 4e-3}


def random(*shape: int) -> Array:
    """Numbers in [-2, 2)."""
    return RNG.uniform(-2, 2, shape)


def tensor(array: Array, dtype: Any = torch.float64, grad: bool = False) -> Any:
    """A tensor with an array's elements, in memory of its own."""
    return torch.tensor(array.tolist(), dtype=dtype, requires_grad=grad)


def close(actual: Any, expected: Any, tolerance: float | None = None) -> None:
    """Asserts that a tensor has the expected shape, and values within what its dtype can hold."""
    if tolerance is None:
        tolerance = TOLERANCE.get(actual.dtype, 1e-11)
    got = np.array(actual.tolist()).reshape(actual.shape)
    np.testing.assert_allclose(
        got, np.asarray(expected), rtol=tolerance, atol=tolerance, err_msg=_AGAIN
    )

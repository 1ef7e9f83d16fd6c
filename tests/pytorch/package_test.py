"""A py_test of somebody else on the built package."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

# PyTorch's own, which has more than the package of this tree that mypy sees.
torch: Any = importlib.import_module("torch")


def test_gradients() -> None:
    x = torch.randn(64, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda y: torch.sin(y) ** 2, (x,))


def test_products_beside_numpy() -> None:
    a, b = np.random.randn(5, 7), np.random.randn(7, 3)
    product = torch.from_numpy(a) @ torch.from_numpy(b)
    np.testing.assert_allclose(product.numpy(), np.einsum("ik,kj->ij", a, b))


def test_what_is_on_works() -> None:
    """`is_available` is true of those parts that compute."""
    image, kernel = torch.randn(2, 3, 8, 8), torch.randn(4, 3, 3, 3)
    expected = torch.conv2d(image.double(), kernel.double())
    if torch.backends.mkldnn.is_available():
        assert "USE_MKLDNN=ON" in torch.__config__.show()
        assert image.to_mkldnn().to_dense().equal(image)
    else:
        assert "USE_MKLDNN=OFF" in torch.__config__.show()
        with pytest.raises(RuntimeError, match="MKL-DNN build is disabled"):
            image.to_mkldnn()
    torch.testing.assert_close(torch.conv2d(image, kernel).double(), expected, rtol=1e-4, atol=1e-4)
    # Solved by LAPACK.
    square = torch.randn(6, 6, dtype=torch.float64) + 6 * torch.eye(6, dtype=torch.float64)
    torch.testing.assert_close(square @ torch.linalg.inv(square), torch.eye(6).double())
    assert torch.backends.openmp.is_available() == ("USE_OPENMP=ON" in torch.__config__.show())
    assert not torch.backends.mkl.is_available()
    assert not torch.cuda.is_available()


def test_script() -> None:
    @torch.jit.script
    def total(x, n: int):  # type: ignore[no-untyped-def]
        for _ in range(n):
            x = x + x
        return x

    x = torch.randn(3)
    torch.testing.assert_close(total(x, 3), 8 * x)

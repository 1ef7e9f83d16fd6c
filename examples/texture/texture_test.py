"""The operators against scikit-image, derivatives against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import texture
import torch
from numpy.typing import NDArray
from skimage import filters
from skimage.color import rgb2lab
from torch.autograd import gradcheck

Array = NDArray[np.float64]
DTYPES = [torch.float32, torch.float64]


def rgb_to_lab(rgb: Array) -> Array:
    """scikit-image's, for channels in front."""
    return np.moveaxis(rgb2lab(np.moveaxis(rgb, 0, -1)), -1, 0)


def random(*shape: int) -> Array:
    """Fresh values in [0, 1), some of them very dark."""
    values = np.random.default_rng().random(shape)
    return np.where(values < 0.1, values / 10, values)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rgb_to_lab(dtype: torch.dtype) -> None:
    rgb = random(3, 37, 53)
    found = texture.rgb_to_lab(torch.tensor(rgb, dtype=dtype)).numpy()
    tolerance = 1e-9 if dtype == torch.float64 else 2e-3
    assert np.abs(found - rgb_to_lab(rgb)).max() < tolerance


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(41, 29), (1, 5), (3, 1)])
def test_sobel(dtype: torch.dtype, shape: tuple[int, int]) -> None:
    image = random(*shape)
    found = texture.sobel(torch.tensor(image, dtype=dtype)).numpy()
    tolerance = 1e-12 if dtype == torch.float64 else 1e-6
    assert np.abs(found - filters.sobel(image)).max() < tolerance


def test_layouts() -> None:
    rgb = torch.tensor(random(5, 7, 3)).permute(2, 0, 1)
    assert torch.equal(texture.rgb_to_lab(rgb), texture.rgb_to_lab(rgb.contiguous()))
    image = torch.tensor(random(5, 7)).t()
    assert torch.equal(texture.sobel(image), texture.sobel(image.contiguous()))


@pytest.mark.parametrize("name", ["rgb_to_lab", "sobel"])
def test_derivatives(name: str) -> None:
    shape = (3, 4, 5) if name == "rgb_to_lab" else (5, 6)
    values = torch.tensor(0.1 + 0.8 * random(*shape), requires_grad=True)
    operator: Any = getattr(torch.ops.texture, name)
    assert gradcheck(operator, (values,))
    result = operator(values)
    assert result.requires_grad
    with torch.no_grad():
        assert not operator(values).requires_grad


@pytest.mark.parametrize("name", ["rgb_to_lab", "sobel"])
def test_meta(name: str) -> None:
    shape = (3, 4, 5) if name == "rgb_to_lab" else (5, 6)
    operator: Any = getattr(torch.ops.texture, name)
    result = operator(torch.empty(shape, device="meta"))
    assert result.device.type == "meta"
    assert tuple(result.shape) == shape


def test_messages() -> None:
    with pytest.raises(RuntimeError, match=r"rgb_to_lab: wanted a tensor of shape \[3, H, W\]"):
        texture.rgb_to_lab(torch.ones(4, 4))
    with pytest.raises(RuntimeError, match=r"sobel: wanted a tensor of shape \[H, W\]"):
        texture.sobel(torch.ones(4))
    with pytest.raises(NotImplementedError, match="\"sobel\" not implemented for 'Int'"):
        texture.sobel(torch.ones(4, 4, dtype=torch.int32))


def test_operators_by_name() -> None:
    operator = torch.ops.texture.sobel
    assert str(operator) == "texture.sobel"
    assert operator.overloads() == ["default"]
    assert str(operator.default._schema) == "texture::sobel(Tensor image) -> Tensor"
    image = torch.tensor(random(4, 4))
    assert torch.equal(operator(image=image), operator.default(image))
    with pytest.raises(AttributeError, match="'_OpNamespace' 'texture' object has no attribute"):
        _ = torch.ops.texture.roberts
    with pytest.raises(RuntimeError, match="is missing value for argument 'image'"):
        operator()
    with pytest.raises(RuntimeError, match="Expected a value of type 'Tensor' for argument"):
        operator(3)
    with pytest.raises(RuntimeError, match="Unknown keyword argument 'picture' for operator"):
        operator(image, picture=image)
    with pytest.raises(RuntimeError, match=r"expected at most 1 argument\(s\) but received 2"):
        operator(image, image)
    assert torch.equal(torch.ops.aten.add(image, image, alpha=2), image + 2 * image)
    assert torch.ops.aten.add.overloads()

"""Numbers, tensors and arrays as NumPy's arrays; images as height, width and channels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

Array = Any


def make_np(x: Any) -> Array:
    """`x` as an array.

    Args:
        x: an array, a number, or a tensor on any device.

    Raises:
        NotImplementedError: anything else.
    """
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if isinstance(x, torch.Tensor):
        x = x.detach()
        return (x.half() if x.dtype == torch.bfloat16 else x).cpu().numpy()
    raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")


def make_grid(images: Array, ncols: int = 8) -> Array:
    """Images side by side, `ncols` in a row.

    Args:
        images: of shape (N, 1, H, W) or (N, 3, H, W).
        ncols: the most in a row.

    Returns:
        Of shape (3, rows * H, columns * W).

    Raises:
        ValueError: another shape.
    """
    if images.ndim != 4 or images.shape[1] not in (1, 3):
        raise ValueError(f"Images have the shape (N, 1 or 3, H, W), and not {images.shape}.")
    count, _, height, width = images.shape
    ncols = min(count, ncols)
    grid = np.zeros((3, height * math.ceil(count / ncols), width * ncols), dtype=images.dtype)
    for i, image in enumerate(images):
        y, x = i // ncols * height, i % ncols * width
        grid[:, y : y + height, x : x + width] = image
    return grid


def convert_to_hwc(image: Array, dataformats: str) -> Array:
    """An image, or images side by side, as height, width and at least 3 channels.

    Args:
        image: its dimensions.
        dataformats: their letters, such as "NCHW", "HW".

    Raises:
        ValueError: the letters repeat, or are not as many as the dimensions.
    """
    letters = dataformats.upper()
    if len(set(letters)) != len(letters):
        raise ValueError(
            f"You can not use the same dimension shorthand twice. dataformats: {letters}"
        )
    if len(letters) != image.ndim:
        raise ValueError(
            f"size of input tensor and input format are different. tensor shape: {image.shape}, dataformats: {letters}"
        )
    if sorted(letters) == sorted("NHWC"):
        grid = make_grid(image.transpose([letters.index(c) for c in "NCHW"]))
        return grid.transpose(1, 2, 0)
    if sorted(letters) == sorted("HWC"):
        image = image.transpose([letters.index(c) for c in "HWC"])
        return np.repeat(image, 3, axis=2) if image.shape[2] == 1 else image
    if sorted(letters) == sorted("HW"):
        image = image.transpose([letters.index(c) for c in "HW"])
        return np.stack([image] * 3, axis=2)
    raise ValueError(f"dataformats has the letters of HW, CHW or NCHW, and not {letters}.")


def figure_to_image(figure: Any, close: bool) -> Array:
    """Draws a figure of matplotlib.

    Args:
        figure: one, or a list of them.
        close: whether nobody needs them any more.

    Returns:
        Of shape (3, H, W), or (N, 3, H, W) for a list.
    """
    from matplotlib import pyplot
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    if isinstance(figure, (list, tuple)):
        return np.stack([figure_to_image(f, close) for f in figure])
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3]
    if close:
        pyplot.close(figure)
    return pixels.transpose(2, 0, 1)


__all__ = ["convert_to_hwc", "figure_to_image", "make_grid", "make_np"]

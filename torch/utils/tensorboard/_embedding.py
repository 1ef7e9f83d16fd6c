"""The files of TensorBoard's projector: points, their texts and their images."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import text_format
from torch.utils.tensorboard._arrays import Array, make_grid, make_np


def write(
    directory: Path,
    subdirectory: str,
    config: Any,
    points: Array,
    name: str,
    metadata: Any = None,
    label_img: Any = None,
    metadata_header: Any = None,
) -> None:
    """Writes one set of points and the list of all sets.

    Args:
        directory: of the run.
        subdirectory: of this set.
        config: the list, which gets an entry more.
        points: of shape (N, D).
        name: of the set.
        metadata: a text for each point; or several, whose names are in `metadata_header`.
        label_img: images of shape (N, C, H, W).
        metadata_header: names of the columns of `metadata`.

    Raises:
        ValueError: the shapes do not fit.
    """
    if points.ndim != 2:
        raise ValueError(f"An embedding has the shape (N, D), and not {points.shape}.")
    for what, values in (("labels", metadata), ("images", label_img)):
        if values is not None and len(values) != len(points):
            raise ValueError(f"There are {len(points)} points and {len(values)} {what}.")
    if metadata is not None and metadata_header and len(metadata_header) != len(metadata[0]):
        raise ValueError(
            f"metadata_header has {len(metadata_header)} names, and metadata {len(metadata[0])} columns."
        )
    folder = directory / subdirectory
    folder.mkdir(parents=True, exist_ok=True)
    entry = config.embeddings.add(tensor_name=name, tensor_path=f"{subdirectory}/tensors.tsv")
    rows = ["\t".join(str(v) for v in row) for row in points.tolist()]
    _write_lines(folder / "tensors.tsv", rows)
    if metadata is not None:
        lines = [str(v) for v in metadata]
        if metadata_header:
            lines = ["\t".join(str(v) for v in row) for row in [metadata_header, *metadata]]
        _write_lines(folder / "metadata.tsv", lines)
        entry.metadata_path = f"{subdirectory}/metadata.tsv"
    if label_img is not None:
        images = make_np(label_img)
        _write_sprite(folder / "sprite.png", images)
        entry.sprite.image_path = f"{subdirectory}/sprite.png"
        entry.sprite.single_image_dim.extend([images.shape[3], images.shape[2]])
    text = text_format.MessageToString(config)
    (directory / "projector_config.pbtxt").write_text(text, encoding="utf-8")


def _write_lines(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_sprite(path: Path, images: Array) -> None:
    """All images as one, as many in a row as there are rows."""
    from PIL import Image

    grid = make_grid(images, ncols=math.ceil(len(images) ** 0.5)).transpose(1, 2, 0)
    square = np.zeros((grid.shape[1], grid.shape[1], 3))
    square[: grid.shape[0]] = grid
    Image.fromarray((square * 255).clip(0, 255).astype(np.uint8)).save(path, format="PNG")


__all__ = ["write"]

"""Medical images: transforms, patches and their aggregation."""

from __future__ import annotations

import random
import tempfile
from typing import Any

import numpy as np
import torch
import torchio
from inputs import numbers

TRANSFORMS: list[Any] = [
    torchio.RandomAffine(scales=0.2, degrees=15, translation=2),
    torchio.RandomElasticDeformation(num_control_points=5, max_displacement=2),
    torchio.RandomFlip(axes=(0, 1, 2), flip_probability=0.7),
    torchio.RandomBiasField(),
    torchio.RandomBlur(),
    torchio.RandomNoise(),
    torchio.RandomGamma(),
    torchio.RandomMotion(num_transforms=1),
    torchio.RandomGhosting(),
    torchio.RandomSpike(),
    torchio.RandomSwap(4, 5),
    torchio.RandomAnisotropy(),
    torchio.RescaleIntensity((0, 1), percentiles=(5, 95)),
    torchio.ZNormalization(),
    torchio.Resample(1.5),
    torchio.CropOrPad((10, 14, 9)),
    torchio.ToCanonical(),
    torchio.Resize((8, 9, 10)),
    torchio.OneOf({torchio.RandomBlur(): 0.5, torchio.RandomNoise(): 0.5}),
]


def _subject() -> Any:
    x = numbers("image", 1, 12, 13, 11)
    affine = np.diag([-1.0, 1, 1.5, 1])
    return torchio.Subject(
        image=torchio.ScalarImage(tensor=x + 3, affine=affine),
        label=torchio.LabelMap(tensor=(x > 0.5).int(), affine=affine),
    )


def run() -> Any:
    """An image after each transform, batches of patches, and a whole image of patches."""
    found: dict[str, Any] = {}
    for index, transform in enumerate(TRANSFORMS):
        torch.manual_seed(index)
        random.seed(index)
        np.random.seed(index)
        subject = transform(_subject())
        for key in ("image", "label"):
            found[f"{index}.{type(transform).__name__}.{key}"] = subject[key].data
    with tempfile.TemporaryDirectory() as directory:
        path = f"{directory}/image.nii.gz"
        _subject().image.save(path)
        found["saved"] = torchio.ScalarImage(path).data
    torch.manual_seed(1)
    subject = _subject()
    sampler = torchio.data.LabelSampler(4, "label")
    data = torchio.SubjectsDataset([subject, subject], transform=torchio.ZNormalization())
    queue = torchio.Queue(data, 8, 4, sampler, num_workers=0)
    for index, batch in enumerate(torchio.SubjectsLoader(queue, batch_size=4)):
        found[f"patches{index}"] = batch["image"][torchio.DATA]
    grid = torchio.inference.GridSampler(subject, 6, 2)
    for mode in ("crop", "average", "hann"):
        whole = torchio.inference.GridAggregator(grid, overlap_mode=mode)
        for batch in torchio.SubjectsLoader(grid, batch_size=3):
            image = batch["image"][torchio.DATA]
            whole.add_batch(
                image.square() - image.mean((2, 3, 4), keepdim=True), batch[torchio.LOCATION]
            )
        found[f"whole.{mode}"] = whole.get_output_tensor()
    return found

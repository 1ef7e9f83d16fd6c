"""Segmentation of volumes."""

from __future__ import annotations

from typing import Any

import torch
from inputs import classes, filled, numbers, trained
from monai.inferers import sliding_window_inference
from monai.losses import DiceCELoss, FocalLoss, TverskyLoss
from monai.networks.nets import SegResNet, UNet
from monai.transforms import Compose, GaussianSmooth, Resize, Rotate, ScaleIntensity, Zoom


def run() -> Any:
    """A step, the losses, inference by windows, and transforms."""
    net = UNet(3, 1, 3, channels=(4, 8, 16), strides=(2, 2), num_res_units=1)
    filled(net)
    labels = classes("y", 3, 2, 1, 16, 16, 16)
    y = net(numbers("x", 2, 1, 16, 16, 16))
    found = trained(net, DiceCELoss(to_onehot_y=True, softmax=True)(y, labels))
    found["focal"] = FocalLoss(to_onehot_y=True)(y, labels)
    found["tversky"] = TverskyLoss(to_onehot_y=True, softmax=True)(y, labels)
    steps = [ScaleIntensity(), Resize((12, 12)), GaussianSmooth(1.0), Zoom(1.2), Rotate(0.3)]
    found["picture"] = torch.as_tensor(Compose(steps)(numbers("picture", 1, 16, 16)))
    residual = filled(SegResNet(spatial_dims=2, init_filters=8)).eval()
    with torch.no_grad():
        big = numbers("big", 1, 1, 20, 20, 20)
        found["windows"] = sliding_window_inference(big, (16,) * 3, 2, net, mode="gaussian")
        found["residual"] = residual(numbers("r", 1, 1, 16, 16))
    return found

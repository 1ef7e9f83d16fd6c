"""Classes and functions say that they are where PyTorch has them: pickled models name them so."""

from __future__ import annotations

import importlib
import io
import pickle
import pickletools

import pytest
import torch
from torch import nn
from torch.nn import functional as F

# Files of PyTorch with classes that this tree once had elsewhere.
CLASSES = {
    "torch.nn.modules.activation": "MultiheadAttention",
    "torch.nn.modules.batchnorm": "BatchNorm2d LazyBatchNorm1d SyncBatchNorm",
    "torch.nn.modules.channelshuffle": "ChannelShuffle",
    "torch.nn.modules.conv": "Conv2d LazyConv2d LazyConvTranspose3d",
    "torch.nn.modules.distance": "CosineSimilarity PairwiseDistance",
    "torch.nn.modules.fold": "Fold Unfold",
    "torch.nn.modules.instancenorm": "InstanceNorm1d InstanceNorm3d LazyInstanceNorm2d",
    "torch.nn.modules.linear": "Linear LazyLinear NonDynamicallyQuantizableLinear",
    "torch.nn.modules.pixelshuffle": "PixelShuffle PixelUnshuffle",
    "torch.nn.modules.upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    "torch.optim.adadelta": "Adadelta",
    "torch.optim.adagrad": "Adagrad",
    "torch.optim.adam": "Adam",
    "torch.optim.adamax": "Adamax",
    "torch.optim.adamw": "AdamW",
    "torch.optim.asgd": "ASGD",
    "torch.optim.lr_scheduler": "StepLR OneCycleLR SequentialLR ReduceLROnPlateau LRScheduler",
    "torch.optim.nadam": "NAdam",
    "torch.optim.radam": "RAdam",
    "torch.optim.rmsprop": "RMSprop",
    "torch.optim.rprop": "Rprop",
    "torch.optim.sgd": "SGD",
}


@pytest.mark.parametrize("module", CLASSES)
def test_a_class_is_in_its_module(module: str) -> None:
    found = importlib.import_module(module)
    for name in CLASSES[module].split():
        value = getattr(found, name)
        assert value.__module__ == module
        assert pickle.loads(pickle.dumps(value)) is value


@pytest.mark.parametrize(
    "function",
    [torch.add, torch.relu, torch.asarray, torch.get_default_dtype, F.relu, F.gelu, F.linear,
     F.cross_entropy, torch.special.erf, torch.linalg.norm, torch.fft.fft, torch.finfo,
     torch.use_deterministic_algorithms],
)  # fmt: skip
def test_functions_are_pickled_by_name(function: object) -> None:
    assert pickle.loads(pickle.dumps(function)) is function


def test_a_whole_model_names_public_modules() -> None:
    layer = nn.TransformerEncoderLayer(4, 2, 8, activation=F.gelu)
    model = nn.Sequential(layer, nn.Upsample(scale_factor=2), nn.InstanceNorm2d(3))
    model.activation = F.relu
    data = pickle.dumps(model, protocol=2)
    named = {str(arg).split()[0] for op, arg, _ in pickletools.genops(data) if op.name == "GLOBAL"}
    modules = {name for name in named if name.startswith("torch")}
    assert "torch.nn.functional" in modules and "torch.nn.modules.upsampling" in modules
    ours = {"torch.nn.modules.shape", "torch.nn.modules.lazy", "torch.nn.functional.activation"}
    assert not modules & ours
    buffer = io.BytesIO()
    torch.save(model, buffer)
    buffer.seek(0)
    loaded = torch.load(buffer, weights_only=False)
    assert loaded.activation is F.relu and loaded[0].activation is F.gelu

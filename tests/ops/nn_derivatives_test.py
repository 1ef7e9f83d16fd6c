"""Formulas of convolution, pooling, padding, normalisation, activations, attention and upsampling
against finite differences.

derivatives_test.py has the other formulas; tools/codegen/autograd_test.py checks that no node is
missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.autograd.gradcheck import gradcheck, gradgradcheck

Function = Callable[..., Any]
Shapes = tuple[tuple[int, ...], ...]


def _distinct(*shape: int) -> Any:
    """Numbers of both signs at least 0.01 apart, none near a kink: they keep their order."""
    count = 1
    for size in shape:
        count *= size
    step = 2.0 / count
    values = torch.randperm(count).to(torch.float64) * step - 0.9731
    return values.reshape(shape).requires_grad_()


def _pool(function: Function, *arguments: Any, **options: Any) -> Function:
    """The values of a pool that also returns where it found them."""
    return lambda x: function(x, *arguments, **options, return_indices=True)[0]


def _upsample(name: str, *arguments: Any) -> Function:
    return lambda x: getattr(torch.ops.aten, name)(x, *arguments)


def _convolution(*options: Any) -> Function:
    return lambda x, weight, bias: torch.convolution(x, weight, bias, *options)


def _norm(name: str, *options: Any) -> Function:
    """The first output of a normalisation; options stand around the parameters."""
    return lambda x, weight, bias: getattr(torch, name)(x, weight, bias, *options)[0]


def _batch_norm_legit(x: Any, weight: Any, bias: Any) -> Any:
    mean, variance = torch.zeros(3).double(), torch.ones(3).double()
    return torch._native_batch_norm_legit(x, weight, bias, mean, variance, True, 0.1, 1e-5)[0]


def _attention(query: Any, key: Any, value: Any, **options: Any) -> Any:
    return torch._scaled_dot_product_flash_attention_for_cpu(query, key, value, **options)[0]


_IMAGE = ((1, 2, 4, 5),)
_VOLUME = ((1, 1, 3, 4, 3),)
_SIGNAL = ((2, 2, 5),)
_ROW = ((3, 5),)
_CONVOLVED = ((1, 4, 5, 4), (4, 2, 3, 2), (4,))
_TRANSPOSED = ((1, 4, 3, 3), (4, 2, 2, 3), (4,))
_ATTENTION = ((1, 2, 5, 4), (1, 2, 6, 4), (1, 2, 6, 4))

# The node of the function; that of its derivative, "" if it is made of others, None if there is no
# second derivative; the function; the shapes of its inputs.
_IMAGE_AND_GRID = ((1, 2, 4, 5), (1, 2, 3, 2))
_VOLUME_AND_GRID = ((1, 1, 3, 4, 3), (1, 2, 2, 2, 3))
_SAMPLED_2D = ("GridSampler2DBackward0", "GridSampler2DBackwardBackward0")
_SAMPLED_3D = ("GridSampler3DBackward0", "GridSampler3DBackwardBackward0")
_COPY = "replicate"
_SIDES = (((2, 1), _SIGNAL), ((2, 1, 0, 3), _IMAGE), ((2, 1, 0, 3, 1, 1), _VOLUME))


def _edge_pad(mode: str, sides: tuple[int, ...]) -> Function:
    return lambda x: F.pad(x, sides, mode)


def _unpool(dims: int) -> Function:
    """Each element to every second place, in each dimension."""

    def unpool(x: Any) -> Any:
        sizes = [2 * size for size in x.shape[2:]]
        places = torch.zeros(1, dtype=torch.int64)
        for size, doubled in zip(x.shape[2:], sizes, strict=True):
            places = places.unsqueeze(-1) * doubled + 2 * torch.arange(size)
        indices = places.reshape(x.shape[2:]).expand(x.shape)
        if dims == 2:
            return torch._C._nn.max_unpool2d(x, indices, sizes)
        return torch._C._nn.max_unpool3d(x, indices, sizes, [2] * 3, [0] * 3)

    return unpool


def _sample(mode: str, padding: str, align_corners: bool) -> Function:
    return lambda x, places: F.grid_sample(x, 1.2 * places, mode, padding, align_corners)


def _ctc(x: Any) -> Any:
    targets = torch.tensor([[1, 2, 2], [3, 1, 0]])
    return torch._ctc_loss(x.log_softmax(2), targets, [6, 5], [3, 2])[0]


_CASES: list[tuple[str, str | None, Function, Shapes]] = [
    # ---- convolution
    (
        "ConvolutionBackward0",
        "ConvolutionBackwardBackward0",
        _convolution([2, 1], [1, 2], [1, 1], False, [0, 0], 2),
        _CONVOLVED,
    ),
    (
        "ConvolutionBackward0",
        "ConvolutionBackwardBackward0",
        _convolution([2, 2], [1, 1], [1, 1], True, [1, 0], 2),
        _TRANSPOSED,
    ),
    (
        "ConvolutionBackward0",
        "ConvolutionBackwardBackward0",
        _convolution([1], [2], [2], False, [0], 1),
        ((2, 2, 6), (3, 2, 3), (3,)),
    ),
    (
        "ConvolutionBackward0",
        "ConvolutionBackwardBackward0",
        _convolution([1, 1, 1], [1, 0, 1], [1, 1, 1], False, [0, 0, 0], 1),
        ((1, 2, 3, 3, 3), (2, 2, 2, 2, 2), (2,)),
    ),
    ("Im2ColBackward0", "", lambda x: F.unfold(x, 2, 1, 1, 2), _IMAGE),
    ("Col2ImBackward0", "", lambda x: F.fold(x, (3, 4), (2, 2), 1, 1, 1), ((1, 8, 20),)),
    # ---- pooling
    (
        "MaxPool2DWithIndicesBackward0",
        "MaxPool2DWithIndicesBackwardBackward0",
        _pool(F.max_pool2d, 3, 2, 1, ceil_mode=True),
        _IMAGE,
    ),
    (
        "MaxPool3DWithIndicesBackward0",
        "MaxPool3DWithIndicesBackwardBackward0",
        _pool(F.max_pool3d, 2, 2, 1),
        _VOLUME,
    ),
    (
        "AdaptiveMaxPool2DBackward0",
        "AdaptiveMaxPool2DBackwardBackward0",
        _pool(F.adaptive_max_pool2d, (2, 4)),
        _IMAGE,
    ),
    (
        "AdaptiveMaxPool3DBackward0",
        "AdaptiveMaxPool3DBackwardBackward0",
        _pool(F.adaptive_max_pool3d, (2, 3, 2)),
        _VOLUME,
    ),
    (
        "FractionalMaxPool2DBackward0",
        "AdaptiveMaxPool2DBackwardBackward0",
        _pool(
            F.fractional_max_pool2d,
            2,
            (2, 3),
            _random_samples=torch.rand(1, 2, 2, dtype=torch.float64),
        ),
        _IMAGE,
    ),
    (
        "FractionalMaxPool3DBackward0",
        "AdaptiveMaxPool3DBackwardBackward0",
        _pool(
            F.fractional_max_pool3d,
            2,
            (2, 3, 2),
            _random_samples=torch.rand(1, 1, 3, dtype=torch.float64),
        ),
        _VOLUME,
    ),
    (
        "AvgPool2DBackward0",
        "AvgPool2DBackwardBackward0",
        lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
        _IMAGE,
    ),
    (
        "AvgPool3DBackward0",
        "AvgPool3DBackwardBackward0",
        lambda x: F.avg_pool3d(x, 2, 2, 1, divisor_override=3),
        _VOLUME,
    ),
    (
        "AdaptiveAvgPool2DBackward0",
        "AdaptiveAvgPool2DBackwardBackward0",
        lambda x: F.adaptive_avg_pool2d(x, (2, 4)),
        _IMAGE,
    ),
    (
        "AdaptiveAvgPool3DBackward0",
        "AdaptiveAvgPool3DBackwardBackward0",
        lambda x: F.adaptive_avg_pool3d(x, (2, 3, 2)),
        _VOLUME,
    ),
    # ---- padding
    ("ConstantPadNdBackward0", "", lambda x: F.pad(x, (1, -1, 2, 0), value=0.5), _IMAGE),
    *[
        (node, derivative, _edge_pad(mode, sides), shapes)
        for node, derivative, mode, (sides, shapes) in (
            ("ReflectionPad1DBackward0", "ReflectionPad1DBackwardBackward0", "reflect", _SIDES[0]),
            ("ReflectionPad2DBackward0", "ReflectionPad2DBackwardBackward0", "reflect", _SIDES[1]),
            ("ReflectionPad3DBackward0", "ReflectionPad3DBackwardBackward0", "reflect", _SIDES[2]),
            (
                "ReplicationPad1DBackward0",
                "ReplicationPad1DBackwardBackward0",
                "replicate",
                _SIDES[0],
            ),
            (
                "ReplicationPad2DBackward0",
                "ReplicationPad2DBackwardBackward0",
                "replicate",
                _SIDES[1],
            ),
            (
                "ReplicationPad3DBackward0",
                "ReplicationPad3DBackwardBackward0",
                "replicate",
                _SIDES[2],
            ),
        )
    ],
    # ---- elements back at their places, samples between them, sequences
    ("MaxUnpool2DBackward0", "GatherBackward0", _unpool(2), _IMAGE),
    ("MaxUnpool3DBackward0", "GatherBackward0", _unpool(3), _VOLUME),
    *[
        (*nodes, _sample(mode, padding, corners), shapes)
        for nodes, mode, padding, corners, shapes in (
            (_SAMPLED_2D, "bilinear", "zeros", False, _IMAGE_AND_GRID),
            (_SAMPLED_2D, "bilinear", "reflection", True, _IMAGE_AND_GRID),
            (_SAMPLED_2D, "bicubic", "border", False, _IMAGE_AND_GRID),
            (_SAMPLED_2D, "nearest", "border", True, _IMAGE_AND_GRID),
            (_SAMPLED_3D, "bilinear", "zeros", True, _VOLUME_AND_GRID),
            (_SAMPLED_3D, "bilinear", "reflection", False, _VOLUME_AND_GRID),
        )
    ],
    # The gradient is that of normalised logarithms.
    ("CtcLossBackward0", None, _ctc, ((6, 2, 4),)),
    # ---- normalisation
    (
        "NativeBatchNormBackward0",
        "",
        _norm("native_batch_norm", None, None, True, 0.1, 1e-5),
        ((4, 3, 2), (3,), (3,)),
    ),
    (
        "NativeBatchNormBackward0",
        "",
        _norm(
            "native_batch_norm",
            torch.tensor([0.1, -0.2, 0.3]).double(),
            torch.tensor([1.0, 2.0, 0.5]).double(),
            False,
            0.1,
            1e-5,
        ),
        ((4, 3, 2), (3,), (3,)),
    ),
    ("NativeBatchNormLegitBackward0", "", _batch_norm_legit, ((4, 3, 2), (3,), (3,))),
    (
        "NativeBatchNormLegitBackward1",
        "",
        _norm("_native_batch_norm_legit", True, 0.1, 1e-5),
        ((4, 3, 2), (3,), (3,)),
    ),
    (
        "NativeGroupNormBackward0",
        "",
        _norm("native_group_norm", 2, 4, 6, 2, 1e-5),
        ((2, 4, 6), (4,), (4,)),
    ),
    (
        "FusedRmsNormBackward0",
        "",
        lambda x, weight: torch._fused_rms_norm(x, [5], weight, 1e-5)[0],
        ((3, 5), (5,)),
    ),
    # ---- activations
    ("CeluBackward0", "EluBackwardBackward0", lambda x: F.celu(x, 1.3), _ROW),
    ("CeluBackward1", "EluBackwardBackward0", lambda x: torch.celu_(x * 1, 1.3), _ROW),
    (
        "EluBackward0",
        "EluBackwardBackward0",
        lambda x: torch._C._nn.elu(x, 1.3, 0.7, 1.1),
        _ROW,
    ),
    (
        "EluBackward1",
        "EluBackwardBackward0",
        lambda x: torch._C._nn.elu_(x * 1, 1.3, 0.7, 1.1),
        _ROW,
    ),
    ("GluBackward0", "GluBackwardBackward0", lambda x: F.glu(x, 1), ((3, 6),)),
    ("HardshrinkBackward0", "HardshrinkBackwardBackward0", lambda x: F.hardshrink(x, 0.41), _ROW),
    ("SoftshrinkBackward0", "SoftshrinkBackwardBackward0", lambda x: F.softshrink(x, 0.41), _ROW),
    ("HardsigmoidBackward0", "HardsigmoidBackwardBackward0", lambda x: F.hardsigmoid(4 * x), _ROW),
    ("HardswishBackward0", "HardswishBackwardBackward0", lambda x: F.hardswish(4 * x), _ROW),
    ("HardtanhBackward0", "HardtanhBackwardBackward0", lambda x: F.hardtanh(x, -0.41, 0.7), _ROW),
    (
        "LogSigmoidBackward0",
        "LogSigmoidBackwardBackward0",
        lambda x: torch.ops.aten.log_sigmoid_forward(x)[0],
        _ROW,
    ),
    (
        "NllLoss2DBackward0",
        "NllLoss2DBackwardBackward0",
        lambda x: F.nll_loss(x, torch.arange(12).reshape(2, 2, 3) % 4, torch.ones(4).double() / 3),
        ((2, 4, 2, 3),),
    ),
    (
        "MultiMarginLossBackward0",
        None,
        lambda x: F.multi_margin_loss(x, torch.tensor([3, 0, 1]), p=2, margin=0.4),
        ((3, 4),),
    ),
    (
        "MultiMarginLossBackward0",
        None,
        lambda x: F.multi_margin_loss(x, torch.tensor([3, 0, 1]), margin=0.4, reduction="none"),
        ((3, 4),),
    ),
    ("MishBackward0", "", F.mish, _ROW),
    (
        "PreluKernelBackward0",
        "PreluKernelBackwardBackward0",
        lambda x, weight: torch._prelu_kernel(x, weight),
        ((3, 5), (1, 5)),
    ),
    # ---- recurrent cells
    (
        "ThnnFusedLstmCellBackward0",
        "",
        lambda *inputs: torch._thnn_fused_lstm_cell(*inputs)[0],
        ((2, 12), (2, 12), (2, 3), (12,), (12,)),
    ),
    (
        "MkldnnRnnLayerBackward0",
        "",
        lambda *inputs: torch.mkldnn_rnn_layer(
            *inputs, True, [], 2, 3, 1, True, False, False, True
        )[0],
        ((2, 2, 4), (12, 4), (12, 3), (12,), (12,), (2, 3), (2, 3)),
    ),
    # ---- attention
    ("ScaledDotProductFlashAttentionForCpuBackward0", None, _attention, _ATTENTION),
    (
        "ScaledDotProductFlashAttentionForCpuBackward0",
        None,
        lambda q, k, v: _attention(q, k, v, is_causal=True, scale=0.3),
        _ATTENTION,
    ),
    # ---- upsampling
    (
        "UpsampleNearest1DBackward0",
        "UpsampleNearest1DBackwardBackward0",
        _upsample("upsample_nearest1d", [8]),
        _SIGNAL,
    ),
    (
        "UpsampleNearest2DBackward0",
        "UpsampleNearest2DBackwardBackward0",
        _upsample("upsample_nearest2d", [7, 4]),
        _IMAGE,
    ),
    (
        "UpsampleNearest3DBackward0",
        "UpsampleNearest3DBackwardBackward0",
        _upsample("upsample_nearest3d", [5, 3, 6]),
        _VOLUME,
    ),
    (
        "UpsampleNearestExact1DBackward0",
        "UpsampleNearestExact1DBackwardBackward0",
        _upsample("_upsample_nearest_exact1d", [8]),
        _SIGNAL,
    ),
    (
        "UpsampleNearestExact2DBackward0",
        "UpsampleNearestExact2DBackwardBackward0",
        _upsample("_upsample_nearest_exact2d", [7, 4]),
        _IMAGE,
    ),
    (
        "UpsampleNearestExact3DBackward0",
        "UpsampleNearestExact3DBackwardBackward0",
        _upsample("_upsample_nearest_exact3d", [5, 3, 6]),
        _VOLUME,
    ),
    (
        "UpsampleLinear1DBackward0",
        "UpsampleLinear1DBackwardBackward0",
        _upsample("upsample_linear1d", [8], False),
        _SIGNAL,
    ),
    (
        "UpsampleBilinear2DBackward0",
        "UpsampleBilinear2DBackwardBackward0",
        _upsample("upsample_bilinear2d", [7, 4], True),
        _IMAGE,
    ),
    (
        "UpsampleTrilinear3DBackward0",
        "UpsampleTrilinear3DBackwardBackward0",
        _upsample("upsample_trilinear3d", [5, 3, 6], False),
        _VOLUME,
    ),
    (
        "UpsampleBicubic2DBackward0",
        "UpsampleBicubic2DBackwardBackward0",
        _upsample("upsample_bicubic2d", [7, 4], False),
        _IMAGE,
    ),
    (
        "UpsampleBilinear2DAaBackward0",
        "UpsampleBilinear2DAaBackwardBackward0",
        _upsample("_upsample_bilinear2d_aa", [2, 7], False),
        _IMAGE,
    ),
    (
        "UpsampleBicubic2DAaBackward0",
        "UpsampleBicubic2DAaBackwardBackward0",
        _upsample("_upsample_bicubic2d_aa", [2, 7], False),
        _IMAGE,
    ),
]


def _nodes(node: Any) -> set[str]:
    """The names of a node and of those behind it."""
    seen, todo = set(), [node]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [following for following, _ in node.next_functions]
    return {node.name() for node in seen}


@pytest.mark.parametrize(
    ("node", "derivative", "function", "shapes"),
    _CASES,
    ids=[f"{case[0]}-{i}" for i, case in enumerate(_CASES)],
)
def test_matches_finite_differences(
    node: str, derivative: str | None, function: Function, shapes: Shapes
) -> None:
    inputs = [_distinct(*shape) for shape in shapes]
    output = function(*inputs)
    assert output.grad_fn.name() == node
    assert gradcheck(function, inputs)
    if derivative is None:
        return
    gradient = torch.autograd.grad(
        output, inputs[0], torch.ones_like(output).requires_grad_(), create_graph=True
    )[0]
    assert not derivative or derivative in _nodes(gradient.grad_fn)
    assert gradgradcheck(function, inputs, atol=1e-4)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    ("node", "name"),
    [
        ("RreluWithNoiseBackward0", "rrelu_with_noise"),
        ("RreluWithNoiseBackward1", "rrelu_with_noise_"),
    ],
)
def test_rrelu_has_the_slopes_that_it_drew(training: bool, node: str, name: str) -> None:
    """Each draw is another function: the slopes that the noise holds are those of the gradient."""
    x = _distinct(3, 5)
    noise = torch.zeros(3, 5, dtype=torch.float64)
    output = getattr(torch._C._nn, name)(x * 1, noise, 0.1, 0.4, training)
    assert output.grad_fn.name() == node
    slope = noise if training else torch.full((3, 5), 0.25).double()
    slope = torch.where(x > 0, torch.ones(3, 5).double(), slope)
    if training:
        assert slope[x <= 0].min() >= 0.1
        assert slope[x <= 0].max() <= 0.4
    torch.testing.assert_close(output, x * slope)

    weight = _distinct(3, 5)
    (gradient,) = torch.autograd.grad(output, x, weight, create_graph=True)
    torch.testing.assert_close(gradient, weight * slope)
    assert "RreluWithNoiseBackwardBackward0" in _nodes(gradient.grad_fn)
    (second,) = torch.autograd.grad(gradient.sum(), weight)
    torch.testing.assert_close(second, slope)

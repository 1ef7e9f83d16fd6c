"""Samples at the places of a grid, and losses of sequences, beside plain computations."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F


def _reflected(x: float, low: float, high: float) -> float:
    """By turning back at the ends, one after the other."""
    while not low <= x <= high:
        x = 2 * low - x if x < low else 2 * high - x
    return x


def _at(image: list[list[float]], x: float, y: float, padding: str, corners: bool) -> float:
    """A bilinear sample of one channel, x and y in [-1, 1]."""
    places = []
    for place, size in ((y, len(image)), (x, len(image[0]))):
        p = (place + 1) / 2 * (size - 1) if corners else ((place + 1) * size - 1) / 2
        if padding == "reflection":
            p = _reflected(p, 0.0 if corners else -0.5, size - 1 if corners else size - 0.5)
        if padding != "zeros":
            p = min(max(p, 0.0), size - 1.0)
        places.append(p)
    total = 0.0
    for i, j in itertools.product(range(len(image)), range(len(image[0]))):
        weight = max(0.0, 1 - abs(places[0] - i)) * max(0.0, 1 - abs(places[1] - j))
        total += weight * image[i][j]
    return total


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_grid_sample(padding: str, corners: bool) -> None:
    torch.manual_seed(0)
    images = torch.randn(2, 3, 4, 5, dtype=torch.float64)
    grid = torch.rand(2, 6, 7, 2, dtype=torch.float64) * 5 - 2.5
    samples = F.grid_sample(images, grid, padding_mode=padding, align_corners=corners)
    assert samples.shape == (2, 3, 6, 7)
    for n, c, h, w in itertools.product(range(2), range(3), range(6), range(7)):
        x, y = grid[n, h, w].tolist()
        expected = _at(images[n, c].tolist(), x, y, padding, corners)
        assert samples[n, c, h, w].item() == pytest.approx(expected, abs=1e-12)


def _kernel(mode: str, distance: float) -> float:
    """The weight of an element at this distance."""
    d = abs(distance)
    if mode == "bilinear":
        return max(0.0, 1 - d)
    if d <= 1:
        return (1.25 * d - 2.25) * d * d + 1
    return ((-0.75 * d + 3.75) * d - 6) * d + 3 if d < 2 else 0.0


def _inside(place: float, size: int, padding: str, corners: bool) -> float:
    if padding == "reflection":
        low, high = (0.0, size - 1.0) if corners else (-0.5, size - 0.5)
        place = _reflected(place, low, high) if high > low else low
    return place if padding == "zeros" else min(max(place, 0.0), size - 1.0)


def _taps(mode: str, place: float, size: int, padding: str, corners: bool) -> dict[int, float]:
    """The weights of the elements of one dimension, for a place in [-1, 1]."""
    p = (place + 1) / 2 * (size - 1) if corners else ((place + 1) * size - 1) / 2
    if mode == "nearest":
        weights = [(round(_inside(p, size, padding, corners)), 1.0)]
    elif mode == "bilinear":
        p = _inside(p, size, padding, corners)
        weights = [(i, _kernel(mode, p - i)) for i in (math.floor(p), math.floor(p) + 1)]
    else:
        weights = []
        for i in range(math.floor(p) - 1, math.floor(p) + 3):
            weights.append((int(_inside(i, size, padding, corners)), _kernel(mode, p - i)))
    found: dict[int, float] = {}
    for i, weight in weights:
        if 0 <= i < size:
            found[i] = found.get(i, 0.0) + weight
    return found


def _weights(
    mode: str, grid: Any, sizes: tuple[int, ...], padding: str, corners: bool
) -> torch.Tensor:
    """For each point of a grid of one item, the weight of each element."""
    points = grid.reshape(-1, len(sizes)).tolist()
    weights = torch.zeros(len(points), *sizes, dtype=torch.float64)
    for weight, point in zip(weights, points, strict=True):
        taps = [
            _taps(mode, x, n, padding, corners) for x, n in zip(point[::-1], sizes, strict=True)
        ]
        for place in itertools.product(*taps):
            weight[place] += math.prod(tap[i] for tap, i in zip(taps, place, strict=True))
    return weights


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize(
    ("mode", "sizes"),
    [
        ("bilinear", (4, 5)),
        ("nearest", (4, 5)),
        ("bicubic", (4, 5)),
        ("bilinear", (3, 1, 4)),
        ("nearest", (3, 4, 2)),
    ],
)
def test_blocks_of_points(mode: str, sizes: tuple[int, ...], padding: str, corners: bool) -> None:
    for count, dtype in ((1, torch.float64), (63, torch.float32), (65, torch.float64), (130, None)):
        kind = dtype or torch.float64
        images = torch.randn(2, 3, *sizes, dtype=torch.float64).to(kind)
        if dtype is None:  # Other strides than those of contiguous tensors.
            images = images.transpose(1, -1).contiguous().transpose(1, -1)
        grid = (torch.rand(2, *[1] * (len(sizes) - 1), count, len(sizes)) * 3.5 - 1.75).double()
        grid = (grid * 64).round().add(0.25).div(64).to(kind)  # Away from ties.
        x, g = images.clone().requires_grad_(), grid.clone().requires_grad_()
        samples = F.grid_sample(x, g, mode, padding, corners)
        upwards = torch.randn_like(samples)
        by_image, by_grid = torch.autograd.grad(samples, (x, g), upwards)
        tolerance = 1e-12 if kind == torch.float64 else 1e-5
        for n in range(2):
            weights = _weights(mode, grid[n], sizes, padding, corners).flatten(1)
            wanted = images[n].double().flatten(1) @ weights.t()
            found = samples[n].detach().double().flatten(1)
            torch.testing.assert_close(found, wanted, rtol=tolerance, atol=10 * tolerance)
            wanted = upwards[n].double().flatten(1) @ weights
            found = by_image[n].double().flatten(1)
            torch.testing.assert_close(found, wanted, rtol=tolerance, atol=100 * tolerance)
        if kind != torch.float64:
            continue
        if mode == "nearest":
            assert not by_grid.any()
            continue
        # The derivative along a direction; steps that cross no element's place.
        step = 1e-6 * torch.randn_like(grid)
        higher, lower = (
            F.grid_sample(images, grid + s, mode, padding, corners) for s in (step, -step)
        )
        wanted = ((higher - lower) * upwards).sum(1).flatten(1) / 2
        found = (by_grid * step).sum(-1).flatten(1)
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-9)


def test_what_lies_outside_the_samples_does_not_count() -> None:
    image = torch.full((1, 1, 3, 4), math.inf)
    image[0, 0, :2, :2] = 1.0
    grid = torch.tensor([[[[-0.9, -0.9], [-5.0, -5.0], [3.0, 0.0]] * 30]])
    samples = F.grid_sample(image, grid, align_corners=True)
    torch.testing.assert_close(samples.flatten(), torch.tensor([1.0, 0.0, 0.0] * 30))
    for value in (math.nan, math.inf):
        grid[0, 0, 7, 0] = value
        found = F.grid_sample(torch.ones(1, 2, 3, 4), grid, align_corners=True)
        assert found.isnan().nonzero()[:, -1].tolist() == [7, 7]
        border = F.grid_sample(torch.ones(1, 2, 3, 4), grid, "bilinear", "border", True)
        assert (border == 1).all()


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("corners", [True, False])
def test_the_identity_gives_the_image_back(mode: str, corners: bool) -> None:
    image = torch.arange(30.0).reshape(1, 1, 5, 6)
    theta = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    grid = F.affine_grid(theta, [1, 1, 5, 6], align_corners=corners)
    again = F.grid_sample(image, grid, mode, "border", corners)
    torch.testing.assert_close(again, image, rtol=0, atol=1e-4)


def test_a_volume() -> None:
    """A linear function is sampled exactly."""
    z, y, x = torch.meshgrid(*(torch.linspace(-1, 1, n) for n in (3, 4, 5)), indexing="ij")
    volume = (x + 2 * y - 3 * z)[None, None]
    grid = torch.rand(1, 2, 3, 4, 3) * 2 - 1
    samples = F.grid_sample(volume, grid, align_corners=True)
    expected = grid[..., 0] + 2 * grid[..., 1] - 3 * grid[..., 2]
    torch.testing.assert_close(samples[:, 0], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: F.grid_sample(torch.ones(1, 1, 2, 2), torch.ones(2, 1, 1, 2)),
            "expected grid and input to have same batch size",
        ),
        (
            lambda: F.grid_sample(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 1, 3)),
            "expected grid to have size 2 in last dimension",
        ),
        (
            lambda: F.grid_sample(torch.ones(1, 1, 0, 2), torch.ones(1, 1, 1, 2)),
            "expected input to have non-empty spatial dimensions",
        ),
        (
            lambda: F.grid_sample(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 1, 1, 3), "bicubic"),
            "bicubic interpolation only supports 4D input",
        ),
        (
            lambda: F.grid_sample(torch.ones(1, 2, 2), torch.ones(1, 1, 2)),
            "expected 4D or 5D input and grid",
        ),
        (
            lambda: F.grid_sample(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 1, 2).double()),
            "expected input and grid to have same dtype",
        ),
        (
            lambda: F.max_unpool2d(torch.ones(1, 1, 2, 2), torch.full((1, 1, 2, 2), 99), 2),
            "Found an invalid max index: 99",
        ),
        (
            lambda: F.ctc_loss(torch.zeros(3, 1, 4), torch.ones(1, 2).long(), [3], [2], blank=4),
            "blank must be in label range",
        ),
        (
            lambda: F.ctc_loss(torch.zeros(3, 1, 4), torch.ones(1, 2).long(), [5], [2]),
            "Expected input_lengths to have value at most 3, but got value 5",
        ),
        (
            lambda: F.ctc_loss(torch.zeros(3, 2, 4), torch.ones(2, 2).long(), [3], [2, 2]),
            "input_lengths must be of size batch_size",
        ),
    ],
)
def test_wrong_arguments(call: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        call()


@pytest.mark.parametrize(("argument", "value"), [("mode", "cubic"), ("padding_mode", "mirror")])
def test_an_unknown_mode(argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"expected {argument} to be 'zeros'|expected {argument}"):
        F.grid_sample(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 1, 2), **{argument: value})


def _collapsed(path: tuple[int, ...]) -> list[int]:
    """A path without repetitions, then without blanks."""
    return [symbol for symbol, _ in itertools.groupby(path) if symbol != 0]


def _sum_of_paths(log_probs: list[list[float]], target: list[int]) -> float:
    """Minus the logarithm of the probability of all paths that collapse to the target."""
    classes = range(len(log_probs[0]))
    total = 0.0
    for path in itertools.product(classes, repeat=len(log_probs)):
        if _collapsed(path) == target:
            total += math.exp(sum(row[symbol] for row, symbol in zip(log_probs, path, strict=True)))
    return -math.log(total)


def test_ctc_loss_is_the_sum_over_paths() -> None:
    torch.manual_seed(0)
    log_probs = torch.randn(5, 3, 3, dtype=torch.float64).log_softmax(2)
    targets = [[1, 2], [2, 2], [1]]
    lengths = [5, 5, 3]
    padded = torch.tensor([[1, 2], [2, 2], [1, 0]])
    losses = F.ctc_loss(log_probs, padded, lengths, [2, 2, 1], reduction="none")
    for n, target in enumerate(targets):
        expected = _sum_of_paths(log_probs[: lengths[n], n].tolist(), target)
        assert losses[n].item() == pytest.approx(expected, rel=1e-12)
    joined = torch.tensor([1, 2, 2, 2, 1])
    torch.testing.assert_close(
        F.ctc_loss(log_probs, joined, torch.tensor(lengths), torch.tensor([2, 2, 1])),
        (losses / torch.tensor([2.0, 2.0, 1.0]).double()).mean(),
    )
    one = F.ctc_loss(log_probs[:, 0], torch.tensor([1, 2]), [5], [2], reduction="sum")
    torch.testing.assert_close(one, losses[0])


def test_a_target_that_does_not_fit() -> None:
    log_probs = torch.randn(2, 1, 3).log_softmax(2).requires_grad_()
    targets = torch.tensor([[1, 1]])
    assert F.ctc_loss(log_probs, targets, [2], [2]).item() == math.inf
    loss = F.ctc_loss(log_probs, targets, [2], [2], zero_infinity=True)
    loss.backward()
    assert loss.item() == 0
    assert not log_probs.grad.any()

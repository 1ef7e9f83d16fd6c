"""torch.optim.swa_utils."""

from __future__ import annotations

import doctest
import math
from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import nn
from torch.optim import SGD, swa_utils


def models(count: int) -> list[nn.Sequential]:
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)).double()
    made = [deepcopy(net) for _ in range(count)]
    for model in made:
        for p in model.parameters():
            nn.init.normal_(p)
        nn.init.normal_(model[1].running_mean)
    return made


@pytest.mark.parametrize("functions", [{}, {"avg_fn": swa_utils.get_swa_avg_fn()}])
@pytest.mark.parametrize("use_buffers", [False, True])
def test_the_average_is_the_mean(functions: dict[str, Any], use_buffers: bool) -> None:
    made = models(4)
    average = swa_utils.AveragedModel(made[0], use_buffers=use_buffers, **functions)
    for model in made:
        average.update_parameters(model)
    assert average.n_averaged == 4
    for p, *all_of_it in zip(
        average.module.parameters(), *(m.parameters() for m in made), strict=True
    ):
        torch.testing.assert_close(p.detach(), torch.stack(list(all_of_it)).mean(0).detach())
    means = torch.stack([m[1].running_mean for m in made])
    expected = means.mean(0) if use_buffers else means[-1]
    torch.testing.assert_close(average.module[1].running_mean, expected)


@pytest.mark.parametrize(
    "functions",
    [
        {"avg_fn": swa_utils.get_ema_avg_fn(0.7)},
        {"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(0.7)},
    ],
)
def test_moving_averages_forget(functions: dict[str, Any]) -> None:
    made = models(3)
    average = swa_utils.AveragedModel(made[0], **functions)
    for model in made:
        average.update_parameters(model)
    a, b, c = (m[0].weight.detach() for m in made)
    expected = 0.7 * (0.7 * a + 0.3 * b) + 0.3 * c
    torch.testing.assert_close(average.module[0].weight.detach(), expected)


def test_update_bn_sees_all_batches_alike() -> None:
    net = models(1)[0].eval()
    batches = [torch.randn(8, 3, dtype=torch.float64) for _ in range(3)]
    swa_utils.update_bn([(x, "label") for x in batches], net)
    outputs = [net[0](x).detach() for x in batches]
    torch.testing.assert_close(
        net[1].running_mean, torch.stack([o.mean(0) for o in outputs]).mean(0)
    )
    torch.testing.assert_close(net[1].running_var, torch.stack([o.var(0) for o in outputs]).mean(0))
    assert net[1].momentum == 0.1
    assert not net.training


@pytest.mark.parametrize("strategy", ["cos", "linear"])
def test_rates_go_to_their_goals(strategy: str) -> None:
    weights = [nn.Parameter(torch.ones(1)) for _ in range(2)]
    optimizer = SGD(
        [{"params": w, "lr": lr} for w, lr in zip(weights, (0.1, 0.2), strict=True)], lr=1.0
    )
    schedule = swa_utils.SWALR(optimizer, [0.05, 0.4], 4, strategy)
    for step in range(1, 7):
        optimizer.step()
        schedule.step()
        t = min(1.0, step / 4)
        share = t if strategy == "linear" else (1 - math.cos(math.pi * t)) / 2
        expected = [0.1 + (0.05 - 0.1) * share, 0.2 + (0.4 - 0.2) * share]
        assert schedule.get_last_lr() == pytest.approx(expected)


def test_errors() -> None:
    net = nn.Linear(1, 1)
    fn = swa_utils.get_swa_avg_fn()
    multi = swa_utils.get_swa_multi_avg_fn()
    with pytest.raises(AssertionError, match="Only one of avg_fn and multi_avg_fn"):
        swa_utils.AveragedModel(net, avg_fn=fn, multi_avg_fn=multi)
    with pytest.raises(ValueError, match="Invalid decay value 2.0"):
        swa_utils.get_ema_avg_fn(2.0)
    optimizer = SGD(net.parameters(), 0.1)
    with pytest.raises(ValueError, match="swa_lr has 2 values, param_groups has 1"):
        swa_utils.SWALR(optimizer, [0.1, 0.2])
    with pytest.raises(ValueError, match="one of 'cos' or 'linear', instead got step"):
        swa_utils.SWALR(optimizer, 0.1, anneal_strategy="step")
    with pytest.raises(ValueError, match="anneal_epochs must be equal or greater than 0, got -1"):
        swa_utils.SWALR(optimizer, 0.1, anneal_epochs=-1)


def test_docstrings_run() -> None:
    assert doctest.testmod(swa_utils, extraglobs={"torch": torch}).failed == 0

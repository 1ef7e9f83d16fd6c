"""Gradients of each sample, Jacobians, Hessians and ensembles with `torch.func`."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import nn
from torch.func import (
    functional_call,
    grad,
    grad_and_value,
    hessian,
    jacrev,
    stack_module_state,
    vjp,
    vmap,
)
from torch.nn import functional


class Net(nn.Module):
    """A small convolutional network."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, 1)
        self.fc = nn.Linear(4 * 9, 3)

    def forward(self, x: Any) -> Any:
        x = functional.max_pool2d(functional.relu(self.conv1(x)), 2)
        return functional.log_softmax(self.fc(torch.flatten(x, 1)), dim=1)


def run() -> Any:
    """As in the tutorials."""
    model = Net()
    params = {name: p.detach() for name, p in model.named_parameters()}
    buffers = {name: b.detach() for name, b in model.named_buffers()}
    data, targets = torch.randn(5, 1, 8, 8), torch.randint(3, (5,))

    def loss_of(params: Any, buffers: Any, sample: Any, target: Any) -> Any:
        output = functional_call(model, (params, buffers), (sample.unsqueeze(0),))
        return functional.nll_loss(output, target.unsqueeze(0))

    each = vmap(grad(loss_of), in_dims=(None, None, 0, 0))(params, buffers, data, targets)
    both = vmap(grad_and_value(loss_of), in_dims=(None, None, 0, 0))
    losses = both(params, buffers, data, targets)[1]
    models = [Net() for _ in range(3)]
    stacked, state = stack_module_state(models)
    base = copy.deepcopy(models[0]).to("meta")
    ensemble = vmap(lambda p, b, x: functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))
    weight, bias, x = torch.randn(3, 4), torch.randn(3), torch.randn(4)

    def predict(x: Any) -> Any:
        return functional.linear(x, weight, bias).tanh()

    value, pull = vjp(predict, x)
    return {f"each.{name}": value for name, value in each.items()} | {
        "losses": losses,
        "ensemble": ensemble(stacked, state, data).detach(),
        "jacobian": jacrev(predict)(x),
        "batched": vmap(jacrev(predict))(torch.stack([x, 2 * x])),
        "hessian": hessian(lambda x: predict(x).sum())(x),
        "pulled": pull(torch.ones(3))[0],
        "value": value,
        "pairs": vmap(torch.dot)(data[:, 0, 0], data[:, 0, 1]),
        "outer": vmap(vmap(torch.mul, (None, 0)), (0, None))(x, bias),
    }

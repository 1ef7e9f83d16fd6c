"""A probabilistic program."""

from __future__ import annotations

from typing import Any

import pyro
import torch
from inputs import numbers
from pyro import distributions as dist
from pyro.infer import SVI, Trace_ELBO


def run() -> Any:
    """Densities, and steps of variational inference whose bound has a closed form."""
    data = numbers("data", 20) + 3

    def model() -> None:
        mean = pyro.sample("mean", dist.Normal(0.0, 10.0))
        with pyro.plate("data", len(data)):
            pyro.sample("x", dist.Normal(mean, 1.0), obs=data)

    def guide() -> None:
        place = pyro.param("place", torch.tensor(1.0))
        pyro.sample("mean", dist.Delta(place, event_dim=0))

    pyro.clear_param_store()
    steps = SVI(model, guide, pyro.optim.Adam({"lr": 0.1}), Trace_ELBO())
    losses = [steps.step() for _ in range(5)]
    trace = pyro.poutine.trace(pyro.condition(model, {"mean": torch.tensor(2.5)})).get_trace()
    found = {"losses": torch.tensor(losses), "density": trace.log_prob_sum()}
    return found | {"place": pyro.param("place")}

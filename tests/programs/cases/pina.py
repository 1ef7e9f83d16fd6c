"""Equations, operators and splines that networks learn."""

from __future__ import annotations

import logging
import tempfile
from typing import Any

import torch
from inputs import filled, numbers, trained
from pina import LabelTensor, Trainer
from pina.model import (
    FNO,
    DeepONet,
    FeedForward,
    KolmogorovArnoldNetwork,
    PirateNet,
    ResidualFeedForward,
    Spline,
)
from pina.operator import advection, div, grad, laplacian
from pina.problem.zoo import Poisson2DSquareProblem
from pina.solver import (
    CompetitivePhysicsInformedSolver,
    GradientPhysicsInformedSingleModelSolver,
    PhysicsInformedSingleModelSolver,
    RBAPhysicsInformedSingleModelSolver,
    SelfAdaptivePhysicsInformedSolver,
)

SOLVERS: list[Any] = [
    PhysicsInformedSingleModelSolver,
    GradientPhysicsInformedSingleModelSolver,
    RBAPhysicsInformedSingleModelSolver,
    SelfAdaptivePhysicsInformedSolver,
    CompetitivePhysicsInformedSolver,
]


def _net() -> Any:
    return filled(FeedForward(2, 1, inner_size=8, n_layers=2, func=torch.nn.Tanh))


def run() -> Any:
    """Weights of each solver after some steps, derivatives, and steps of networks."""
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {}
    points = LabelTensor(numbers("points", 12, 2).sigmoid(), ["x", "y"])
    for kind in SOLVERS:
        problem = Poisson2DSquareProblem()
        problem.discretise_domain(4, "grid", domains="D")
        problem.discretise_domain(4, "grid", domains="boundary")
        solver = kind(problem=problem, model=_net())
        with tempfile.TemporaryDirectory() as directory:
            quiet = {"logger": False, "enable_progress_bar": False, "accelerator": "cpu"}
            trainer = Trainer(
                solver,
                max_epochs=4,
                default_root_dir=directory,
                shuffle=False,
                enable_model_summary=False,
                **quiet,
            )
            trainer.train()
            path = f"{directory}/solver.ckpt"
            trainer.save_checkpoint(path)
            again = kind.load_from_checkpoint(
                path, problem=problem, model=_net(), weights_only=False
            )
        name = kind.__name__
        found |= {f"{name}.{key}": value for key, value in solver.state_dict().items()}
        for who, one in (("one", solver), ("again", again)):
            found[f"{name}.{who}"] = one(points).as_subclass(torch.Tensor)

    x = points.requires_grad_()
    u, v = torch.sin(x.extract(["x"])) * x.extract(["y"]), x.extract(["x"]) * x.extract(["y"]) ** 3
    u.labels, v.labels = ["u"], ["v"]
    y = u.append(v)
    found |= {"y": y.extract(["v", "u"]).as_subclass(torch.Tensor)}
    for name, value in (
        ("grad", grad(y, x, components=["u"], d=["y"])),
        ("div", div(y, x, components=["u", "v"], d=["x", "y"])),
        ("laplacian", laplacian(y, x, components=["v"], d=["x", "y"])),
        ("advection", advection(y, x, "v", components=["u"], d=["x"])),
    ):
        found[name] = value.as_subclass(torch.Tensor)
    nets: list[Any] = [
        (ResidualFeedForward(2, 3, inner_size=8, n_layers=2), points.tensor.detach()),
        (KolmogorovArnoldNetwork([2, 4, 1], n_knots=6), points.tensor.detach()),
        (PirateNet(2, 8, 1, n_layers=2), points.tensor.detach()),
        (
            Spline(3, knots={"n": 8, "min": 0, "max": 1, "mode": "auto"}),
            points.tensor.detach()[:, :1],
        ),
        (
            FNO(
                torch.nn.Linear(2, 4),
                torch.nn.Linear(4, 1),
                3,
                dimensions=2,
                padding=2,
                inner_size=4,
            ),
            numbers("plane", 3, 8, 8, 2),
        ),
    ]
    for net, inputs in nets:
        loss = filled(net)(inputs).square().mean()
        found |= {f"{type(net).__name__}.{key}": value for key, value in trained(net, loss).items()}
    nets = [FeedForward(1, 6, inner_size=8, n_layers=1) for _ in range(2)]
    net = DeepONet(*nets, ["x"], ["y"])
    loss = filled(net)(points.detach()).square().mean().as_subclass(torch.Tensor)
    return found | {f"DeepONet.{key}": value for key, value in trained(net, loss).items()}

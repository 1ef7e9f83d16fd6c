"""Differential equations that networks solve."""

from __future__ import annotations

import tempfile
from typing import Any

import deepxde
import numpy as np
from inputs import filled, numbers


def _heat(x: Any, y: Any) -> Any:
    first = deepxde.grad.jacobian(y, x, i=0, j=1)
    return first - 0.3 * deepxde.grad.hessian(y, x, i=0, j=0)


def run() -> Any:
    """The heat equation with Adam and L-BFGS, an inverse problem, and an operator."""
    found: dict[str, Any] = {}
    space = deepxde.geometry.Interval(0, 1)
    domain = deepxde.geometry.GeometryXTime(space, deepxde.geometry.TimeDomain(0, 1))
    edge = deepxde.icbc.DirichletBC(domain, lambda x: 0, lambda _, on: on)
    start = deepxde.icbc.IC(domain, lambda x: np.sin(np.pi * x[:, :1]), lambda _, on: on)
    data = deepxde.data.TimePDE(
        domain, _heat, [edge, start], num_domain=40, num_boundary=8, num_initial=8, num_test=20
    )
    net = filled(deepxde.nn.FNN([2, 10, 10, 1], "tanh", "Glorot normal"))
    model = deepxde.Model(data, net)
    model.compile("adam", lr=1e-3, loss_weights=[1, 10, 10])
    history, _ = model.train(iterations=20, display_every=10, verbose=0)
    points = np.stack(np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 4)), -1).reshape(-1, 2)
    found |= {"adam": np.array(history.loss_train), "adam.y": model.predict(points)}
    steps = {"maxiter": 10, "iter_per_step": 10, "fun_per_step": 12}
    deepxde.optimizers.config.LBFGS_options |= steps
    model.compile("L-BFGS")
    history, _ = model.train(iterations=10, verbose=0)
    found |= {"lbfgs": np.array(history.loss_train[-1]), "lbfgs.y": model.predict(points)}
    found["residual"] = model.predict(points, operator=_heat)
    with tempfile.TemporaryDirectory() as directory:
        path = model.save(f"{directory}/model")
        model.net = filled(model.net)
        model.restore(path)
    found["again"] = model.predict(points)

    rate = deepxde.Variable(0.5)
    inverse = deepxde.data.PDE(
        space,
        lambda x, y: deepxde.grad.jacobian(y, x) + rate * y,
        deepxde.icbc.PointSetBC(
            np.linspace(0, 1, 6)[:, None], np.exp(-np.linspace(0, 1, 6))[:, None]
        ),
        num_domain=10,
    )
    net = filled(deepxde.nn.PFNN([1, [4, 4], [4, 4], 2], "sin", "Glorot uniform"))
    model = deepxde.Model(inverse, filled(deepxde.nn.FNN([1, 8, 1], "sin", "Glorot uniform")))
    model.compile("adam", lr=1e-2, external_trainable_variables=rate, decay=("step", 5, 0.5))
    model.train(iterations=15, verbose=0)
    found |= {"rate": rate, "parallel": net(numbers("x", 3, 1))}
    operator = filled(
        deepxde.nn.DeepONetCartesianProd([5, 8, 6], [2, 8, 6], "relu", "Glorot normal")
    )
    target = numbers("target", 4, 7).numpy()
    inputs = (numbers("branch", 4, 5).numpy(), numbers("trunk", 7, 2).numpy())
    triples = deepxde.data.TripleCartesianProd(inputs, target, inputs, target)
    model = deepxde.Model(triples, operator)
    model.compile("adam", lr=1e-2, metrics=["mean l2 relative error"])
    history, _ = model.train(iterations=10, verbose=0)
    found |= {"operator": np.array(history.loss_train), "operator.y": model.predict(inputs)}
    return found

"""Dictionaries of tensors that behave like tensors."""

from __future__ import annotations

import tempfile
from typing import Any

import torch
from inputs import filled, numbers, trained
from tensordict import MemoryMappedTensor, TensorDict, TensorDictParams, tensorclass
from tensordict.nn import (
    InteractionType,
    NormalParamExtractor,
    ProbabilisticTensorDictModule,
    ProbabilisticTensorDictSequential,
    TensorDictModule,
    TensorDictSequential,
    set_interaction_type,
)
from torch import nn


@tensorclass
class _Sample:
    image: torch.Tensor
    label: torch.Tensor


def run() -> Any:
    """Shapes and arithmetic, files, an ensemble, modules, and a policy's step."""
    found: dict[str, Any] = {}

    def add(name: str, data: Any) -> None:
        found[f"{name}.shape"] = torch.tensor(data.batch_size)
        leaves = data.items(include_nested=True, leaves_only=True)
        found.update({f"{name}.{key}": value for key, value in leaves})

    data = TensorDict({"a": numbers("a", 4, 3), "b": {"c": numbers("c", 4, 3, 2)}}, [4, 3])
    rows = torch.tensor([2, 0])
    add("rows", data[rows])
    add("mask", data[data["a"] > 0])
    add("stacked", torch.stack([data, data * 2], 1))
    add("joined", torch.cat([data, data.apply(torch.sin)], 1))
    add("lazy", TensorDict.lazy_stack([data[0], data[1]]).contiguous())
    add("moved", data.permute(1, 0).reshape(-1).split(5)[1])
    add("sum", data.sum(0))
    add("norm", (data * data + 1).sqrt().clamp_max(2.0))
    data[1:3] = data[:2].clone()
    data.set(("b", "d"), data["a"].cumsum(0)).rename_key_("a", "e")
    add("set", data.select("e", ("b", "d")))
    add("flat", data.flatten_keys(".").unflatten_keys("."))
    add("double", data.double().to(torch.float32).unsqueeze(-1).expand(4, 3, 2))
    with tempfile.TemporaryDirectory() as directory:
        data.memmap(f"{directory}/map")
        add("mapped", TensorDict.load_memmap(f"{directory}/map").clone())
        torch.save(data, f"{directory}/file")
        add("loaded", torch.load(f"{directory}/file", weights_only=False))
        mapped = MemoryMappedTensor.from_tensor(numbers("m", 3), filename=f"{directory}/one")
        found["memory"] = mapped.sin().clone()
    samples = _Sample(image=numbers("image", 5, 2), label=torch.arange(5), batch_size=[5])
    found |= {"image": samples[1:3].image, "label": torch.stack([samples, samples]).label}

    nets = [filled(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))) for _ in range(3)]
    for index, net in enumerate(nets):
        nn.init.constant_(net[0].bias, 0.1 * index)
    weights = TensorDict.from_modules(*nets).data.clone().requires_grad_()

    def call(one: Any, x: Any) -> Any:
        with one.to_module(nets[0]):
            return nets[0](x)

    found["ensemble"] = torch.vmap(call, (0, None))(weights, numbers("x", 5, 3))
    found["ensemble"].square().mean().backward()
    add("gradients", weights.grad)

    policy = ProbabilisticTensorDictSequential(
        TensorDictModule(nn.Linear(3, 8), ["x"], ["hidden"]),
        TensorDictModule(nn.Sequential(nn.Tanh(), nn.Linear(8, 4)), ["hidden"], ["parameters"]),
        TensorDictModule(NormalParamExtractor(), ["parameters"], ["loc", "scale"]),
        ProbabilisticTensorDictModule(
            ["loc", "scale"],
            ["action"],
            distribution_class=torch.distributions.Normal,
            return_log_prob=True,
        ),
    )
    filled(policy)
    for kind in (InteractionType.RANDOM, InteractionType.MODE, InteractionType.MEAN):
        torch.manual_seed(2)
        with set_interaction_type(kind):
            output = policy(TensorDict({"x": numbers("x", 5, 3)}, [5]))
        add(kind.name, output.detach())
    critic = TensorDictSequential(TensorDictModule(nn.Linear(2, 1), ["action"], ["value"]))
    value = filled(critic)(output)["value"]
    loss = value.mean() + output["action_log_prob"].mean()
    found |= {f"policy.{key}": value for key, value in trained(policy, loss).items()}
    frozen = TensorDictParams(TensorDict.from_module(critic), no_convert=True).data
    return found | {"frozen": frozen.flatten_keys(".")["module.0.module.weight"]}

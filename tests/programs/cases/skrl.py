"""Agents that learn in environments, from networks of one's own."""

from __future__ import annotations

import logging
import tempfile
from typing import Any

import gymnasium
import torch
from inputs import filled
from skrl.agents.torch.dqn import DQN
from skrl.agents.torch.ppo import PPO
from skrl.agents.torch.sac import SAC
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, GaussianMixin, Model
from skrl.resources.preprocessors.torch import RunningStandardScaler
from skrl.resources.schedulers.torch import KLAdaptiveLR
from skrl.trainers.torch import SequentialTrainer
from skrl.utils import set_seed
from torch import nn


class _Network(Model):  # type: ignore[misc]
    def __init__(self, outputs: int = 0, more: int = 0, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        self.net = nn.Sequential(
            nn.Linear(self.num_observations + more, 16),
            nn.ELU(),
            nn.Linear(16, outputs or self.num_actions),
        )
        self.more = more


class _Gaussian(GaussianMixin, _Network):  # type: ignore[misc]
    def __init__(self, **spaces: Any) -> None:
        _Network.__init__(self, **spaces)
        GaussianMixin.__init__(self, clip_actions=True)
        self.spread = nn.Parameter(torch.zeros(self.num_actions))

    def compute(self, inputs: Any, role: str) -> Any:
        """Means and the logarithm of deviations."""
        return self.net(inputs["observations"]), {"log_std": self.spread}


class _Categorical(CategoricalMixin, _Network):  # type: ignore[misc]
    def __init__(self, **spaces: Any) -> None:
        _Network.__init__(self, **spaces)
        CategoricalMixin.__init__(self)

    def compute(self, inputs: Any, role: str) -> Any:
        """Logits."""
        return self.net(inputs["observations"]), {}


class _Value(DeterministicMixin, _Network):  # type: ignore[misc]
    def __init__(self, **options: Any) -> None:
        _Network.__init__(self, **options)
        DeterministicMixin.__init__(self)

    def compute(self, inputs: Any, role: str) -> Any:
        """Values of observations, or of them with actions."""
        x = inputs["observations"]
        return self.net(torch.cat([x, inputs["taken_actions"]], 1) if self.more else x), {}


def _agent(name: str, env: Any, directory: str) -> Any:
    spaces = {"observation_space": env.observation_space, "action_space": env.action_space}
    value = {**spaces, "outputs": 1}
    critic = {**value, "more": 1}
    scaler = {"size": env.observation_space}
    cfg = {"experiment": {"directory": directory, "write_interval": 20, "checkpoint_interval": 0}}
    if name == "PPO":
        models = {"policy": _Gaussian(**spaces), "value": _Value(**value)}
        cfg |= {
            "rollouts": 16,
            "learning_epochs": 2,
            "learning_rate_scheduler": KLAdaptiveLR,
            "learning_rate_scheduler_kwargs": {"kl_threshold": 0.008},
            "observation_preprocessor": RunningStandardScaler,
            "observation_preprocessor_kwargs": scaler,
            "value_preprocessor": RunningStandardScaler,
            "value_preprocessor_kwargs": {"size": 1},
        }
        kind = PPO
    elif name == "PPO of classes":
        models = {"policy": _Categorical(**spaces), "value": _Value(**value)}
        kind = PPO
    elif name == "DQN":
        models = {key: _Value(**spaces, outputs=2) for key in ("q_network", "target_q_network")}
        cfg |= {"batch_size": 16, "learning_starts": 8}
        kind = DQN
    else:
        keys = ("critic_1", "critic_2", "target_critic_1", "target_critic_2")
        models = {"policy": _Gaussian(**spaces)} | {key: _Value(**critic) for key in keys}
        cfg |= {"batch_size": 16, "learning_starts": 8}
        kind = SAC
    memory = RandomMemory(memory_size=16 if kind is PPO else 64, num_envs=env.num_envs)
    models = {key: filled(model) for key, model in models.items()}
    return kind(models=models, memory=memory, cfg=cfg, **spaces)


def run() -> Any:
    """The weights after some steps, and actions of the loaded agent."""
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {}
    for name, environment in (
        ("PPO", "Pendulum-v1"),
        ("PPO of classes", "CartPole-v1"),
        ("DQN", "CartPole-v1"),
        ("SAC", "Pendulum-v1"),
    ):
        with tempfile.TemporaryDirectory() as directory:
            set_seed(3)
            env = wrap_env(gymnasium.make_vec(environment, num_envs=2))
            agent = _agent(name, env, directory)
            options = {"timesteps": 48, "headless": True, "disable_progressbar": True}
            SequentialTrainer(env=env, agents=agent, cfg=options).train()
            for key, model in agent.models.items():
                found |= {f"{name}.{key}.{k}": v for k, v in model.state_dict().items()}
            agent.save(f"{directory}/agent.pt")
            other = _agent(name, env, directory)
            other.load(f"{directory}/agent.pt")
            key = "q_network" if name == "DQN" else "policy"
            x = {"observations": torch.linspace(-1, 1, 8)[:6].reshape(2, 3)}
            if environment == "CartPole-v1":
                x = {"observations": torch.linspace(-1, 1, 8).reshape(2, 4)}
            for who, one in (("agent", agent), ("other", other)):
                found[f"{name}.{who}"] = one.models[key].compute(x, "")[0]
    return found

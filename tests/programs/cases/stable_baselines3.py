"""Agents that learn in environments."""

from __future__ import annotations

import tempfile
from typing import Any

from stable_baselines3 import A2C, DQN, PPO, SAC

AGENTS: list[Any] = [
    (PPO, "CartPole-v1", {"n_steps": 64, "batch_size": 32, "n_epochs": 2}),
    (A2C, "CartPole-v1", {}),
    (DQN, "CartPole-v1", {"learning_starts": 20, "train_freq": 4}),
    (SAC, "Pendulum-v1", {"learning_starts": 20}),
]


def run() -> Any:
    """The weights after some steps, and an action of the saved agent."""
    found: dict[str, Any] = {}
    for kind, environment, options in AGENTS:
        sizes = {"net_arch": [16]}
        agent = kind("MlpPolicy", environment, seed=0, policy_kwargs=sizes, device="cpu", **options)
        agent.learn(40 if kind is SAC else 128)
        name = kind.__name__
        found |= {f"{name}.{key}": value for key, value in agent.policy.named_parameters()}
        with tempfile.TemporaryDirectory() as directory:
            agent.save(f"{directory}/agent")
            loaded = kind.load(f"{directory}/agent", device="cpu")
        state = loaded.observation_space.sample() * 0 + 0.1
        found[f"{name}.action"] = loaded.predict(state, deterministic=True)[0]
    return found

"""REINFORCE and an actor with a critic, in a small world, as in PyTorch's examples."""

from __future__ import annotations

from collections import deque
from typing import Any

import torch
from torch import nn
from torch.distributions import Categorical, Normal, kl_divergence
from torch.nn import functional


class World:
    """A point that is pushed to the left or right, and has to stay near zero."""

    def reset(self) -> Any:
        """The first state."""
        self.position, self.speed = 0.1, 0.0
        return torch.tensor([self.position, self.speed])

    def step(self, action: int) -> Any:
        """The next state, the reward, and whether it is over."""
        self.speed += 0.1 if action == 1 else -0.1
        self.position += self.speed
        state = torch.tensor([self.position, self.speed])
        return state, 1.0 - abs(self.position), abs(self.position) > 1.5


class Policy(nn.Module):
    """Both heads."""

    def __init__(self) -> None:
        super().__init__()
        self.affine = nn.Linear(2, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)
        self.saved: list[Any] = []

    def forward(self, x: Any) -> Any:
        x = functional.relu(self.affine(x))
        return functional.softmax(self.action_head(x), dim=-1), self.value_head(x)


def run() -> Any:
    """Five episodes."""
    world, policy = World(), Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-2)
    losses, actions = [], []
    for _ in range(5):
        state, rewards = world.reset(), []
        for _ in range(15):
            probabilities, value = policy(state)
            chosen = Categorical(probabilities)
            action = chosen.sample()
            policy.saved.append((chosen.log_prob(action), value, chosen.entropy()))
            state, reward, done = world.step(int(action.item()))
            actions.append(action)
            rewards.append(reward)
            if done:
                break
        total, returns = 0.0, deque()
        for reward in rewards[::-1]:
            total = reward + 0.99 * total
            returns.appendleft(total)
        expected = torch.tensor(list(returns))
        expected = (expected - expected.mean()) / (expected.std() + 1e-6)
        of_policy, of_value = [], []
        for (log_probability, value, entropy), target in zip(policy.saved, expected, strict=True):
            advantage = target - value.item()
            of_policy.append(-log_probability * advantage - 0.01 * entropy)
            of_value.append(functional.smooth_l1_loss(value, target.unsqueeze(0)))
        optimizer.zero_grad()
        loss = torch.stack(of_policy).sum() + torch.stack(of_value).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        del policy.saved[:]
    apart = kl_divergence(Normal(torch.zeros(3), 1.0), Normal(torch.arange(3.0), 2.0))
    return {"losses": torch.tensor(losses), "actions": torch.stack(actions), "apart": apart}

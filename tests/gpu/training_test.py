"""Training steps on a GPU and on the processor end in the same weights."""

from __future__ import annotations

import inputs as gen
import pytest
import torch
from torch import nn
from torch.nn import functional

F = functional


class Block(nn.Module):
    """A transformer block with its embedding and its head."""

    def __init__(self, words: int, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.embedding = nn.Embedding(words, width)
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.head = nn.Linear(width, words)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        batch, length, width = x.shape
        q, k, v = (
            t.reshape(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for t in self.qkv(self.norm(x)).chunk(3, -1)
        )
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return self.head(x + self.down(F.gelu(self.up(x))))


@pytest.mark.parametrize("optimizer", ["SGD", "AdamW"])
def test_transformer(optimizer: str, device: torch.device) -> None:
    def train(where: torch.device, dtype: torch.dtype) -> list[torch.Tensor]:
        torch.manual_seed(3)
        model = Block(50, 32, 2).to(dtype=dtype, device=where)
        tokens = torch.randint(0, 50, (4, 17), generator=torch.Generator().manual_seed(7))
        step = getattr(torch.optim, optimizer)(model.parameters(), lr=0.01)
        for _ in range(5):
            step.zero_grad()
            logits = model(tokens.to(where))
            targets = tokens[:, 1:].reshape(-1).to(where)
            F.cross_entropy(logits[:, :-1].reshape(-1, 50), targets).backward()
            step.step()
        return [p.detach() for p in model.parameters()]

    reference = train(torch.device("cpu"), torch.float64)
    gen.assert_close(train(device, torch.float64), reference, torch.float64, optimizer, factor=1e3)
    gen.assert_close(train(device, torch.float32), reference, torch.float32, optimizer, factor=300)


def test_across_devices(device: torch.device) -> None:
    x = torch.randn(33, requires_grad=True)
    (x.to(device) * 3).sum().backward()
    assert x.grad is not None and x.grad.device.type == "cpu"
    assert torch.equal(x.grad, torch.full((33,), 3.0))

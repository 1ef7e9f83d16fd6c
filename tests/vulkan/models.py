"""Networks of real architectures, and whether a device computes what the processor does."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Residual(nn.Module):
    """ResNet's basic block (He et al., arXiv:1512.03385)."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside),
            nn.ReLU(),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False), nn.BatchNorm2d(outside),
        )  # fmt: skip
        self.side: nn.Module = nn.Identity()
        if stride != 1 or inside != outside:
            self.side = nn.Sequential(
                nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
            )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.body(x) + self.side(x))


def resnet18(classes: int = 1000) -> nn.Module:
    blocks: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
    ]  # fmt: skip
    inside = 64
    for outside, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        blocks += [Residual(inside, outside, stride), Residual(outside, outside, 1)]
        inside = outside
    return nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes))


class Inverted(nn.Module):
    """MobileNetV2's block (Sandler et al., arXiv:1801.04381)."""

    def __init__(self, inside: int, outside: int, stride: int, factor: int) -> None:
        super().__init__()
        wide = inside * factor
        self.adds = stride == 1 and inside == outside
        self.body = nn.Sequential(
            nn.Conv2d(inside, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(),
            nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False), nn.BatchNorm2d(wide),
            nn.ReLU6(),
            nn.Conv2d(wide, outside, 1, bias=False), nn.BatchNorm2d(outside),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.body(x)
        return x + y if self.adds else y


def mobile_net() -> nn.Module:
    blocks: list[nn.Module] = [
        nn.Conv2d(3, 32, 3, 2, 1, bias=False),
        nn.BatchNorm2d(32),
        nn.ReLU6(),
    ]
    inside = 32
    for factor, outside, count, stride in (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 2, 2),
        (6, 64, 2, 2),
    ):
        for i in range(count):
            blocks.append(Inverted(inside, outside, stride if i == 0 else 1, factor))
            inside = outside
    return nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, 100))


class Attention(nn.Module):
    """A block of a GPT: causal attention and a feed-forward network."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        b, t, c = x.shape
        q, k, v = (
            part.view(b, t, self.heads, c // self.heads).transpose(1, 2)
            for part in self.project(self.first(x)).split(c, 2)
        )
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        return x + self.feed(self.second(x))


class Gpt(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(90, 64), nn.Embedding(48, 64)
        self.blocks = nn.Sequential(*(Attention(64, 4) for _ in range(3)))
        self.norm, self.head = nn.LayerNorm(64), nn.Linear(64, 90, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        logits: Tensor = self.head(
            self.norm(self.blocks(self.tokens(tokens) + self.places(places)))
        )
        return logits


def randomize(model: nn.Module) -> nn.Module:
    """The model as after training: means and variances that are not 0 and 1."""
    model.eval()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.running_mean, -0.2, 0.2)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
    return model


def compare(model: nn.Module, x: Tensor) -> None:
    """Fails unless the model on Vulkan gives what it gives in float64 on the processor."""
    randomize(model)
    with torch.no_grad():
        wanted = model.double()(x.double() if x.is_floating_point() else x)
        actual = model.float().to("vulkan")(x.to("vulkan")).cpu()
    assert wanted.std() > 0.01
    torch.testing.assert_close(
        actual.double(), wanted, rtol=1e-3, atol=1e-4 * float(wanted.abs().max())
    )

"""Whole networks, forward and a step of training: cases of cases.py named `model: ...`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

F = nn.functional


class _Residual(nn.Module):
    """ResNet's basic block (He et al. 2015)."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.shortcut = (
            nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )
            if stride != 1 or inputs != outputs
            else nn.Identity()
        )

    def forward(self, x: Any) -> Any:
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.shortcut(x))


class _Bottleneck(nn.Module):
    """ResNet-50's block: narrow inside, four times as wide outside."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width
        self.layers = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut = (
            nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
            )
            if inputs != outputs
            else nn.Identity()
        )

    def forward(self, x: Any) -> Any:
        return F.relu(self.layers(x) + self.shortcut(x))


def _resnet(block: Any, counts: tuple[int, ...], widening: int) -> nn.Module:
    layers: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
    ]
    inputs = 64
    for stage, count in enumerate(counts):
        width = 64 << stage
        for index in range(count):
            layers.append(block(inputs, width, 2 if stage and not index else 1))
            inputs = widening * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


class _Inverted(nn.Module):
    """MobileNetV2's block (Sandler et al. 2018): wide inside, depthwise."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = inputs * expansion
        self.adds = stride == 1 and inputs == outputs
        self.layers = nn.Sequential(
            nn.Conv2d(inputs, wide, 1, bias=False),
            nn.BatchNorm2d(wide),
            nn.ReLU6(),
            nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False),
            nn.BatchNorm2d(wide),
            nn.ReLU6(),
            nn.Conv2d(wide, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )

    def forward(self, x: Any) -> Any:
        y = self.layers(x)
        return x + y if self.adds else y


# Table 2 of that paper: expansion, channels, blocks, stride of the first.
_MOBILE = [
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
]


def _mobilenet_v2() -> nn.Module:
    layers: list[nn.Module] = [
        nn.Conv2d(3, 32, 3, 2, 1, bias=False),
        nn.BatchNorm2d(32),
        nn.ReLU6(),
    ]
    width = 32
    for expansion, channels, blocks, stride in _MOBILE:
        for block in range(blocks):
            layers.append(_Inverted(width, channels, stride if block == 0 else 1, expansion))
            width = channels
    layers += [nn.Conv2d(width, 1280, 1, bias=False), nn.BatchNorm2d(1280), nn.ReLU6()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1280, 1000))


class _Bert(nn.Module):
    """One layer of BERT's encoder (Devlin et al. 2018), of the base size."""

    def __init__(self) -> None:
        super().__init__()
        self.heads = 12
        self.qkv, self.out = nn.Linear(768, 3 * 768), nn.Linear(768, 768)
        self.up, self.down = nn.Linear(768, 3072), nn.Linear(3072, 768)
        self.norm1, self.norm2 = nn.LayerNorm(768), nn.LayerNorm(768)

    def forward(self, x: Any) -> Any:
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(q, k, v)
        x = self.norm1(x + self.out(mixed.transpose(1, 2).reshape(batch, length, width)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class _Lstm(nn.Module):
    """A language model of two layers of LSTM."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(2000, 128)
        self.lstm = nn.LSTM(128, 256, 2, batch_first=True)
        self.head = nn.Linear(256, 2000)

    def forward(self, text: Any) -> Any:
        return self.head(self.lstm(self.embedding(text))[0]).flatten(0, 1)


class _Bags(nn.Module):
    """Bags of indices beside dense features, as DLRM has them (Naumov et al. 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.bags = nn.ModuleList([nn.EmbeddingBag(10000, 32, mode="sum") for _ in range(8)])
        self.bottom = nn.Sequential(nn.Linear(13, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(9 * 32, 128), nn.ReLU(), nn.Linear(128, 10))

    def forward(self, dense: Any, sparse: Any) -> Any:
        parts = [self.bottom(dense)]
        parts += [bag(sparse[:, i]) for i, bag in enumerate(self.bags)]
        return self.top(torch.cat(parts, 1))


class _UNet(nn.Module):
    """Down, up, and across (Ronneberger et al. 2015), with two levels."""

    def __init__(self) -> None:
        super().__init__()

        def twice(inputs: int, outputs: int) -> nn.Module:
            return nn.Sequential(
                nn.Conv2d(inputs, outputs, 3, padding=1),
                nn.ReLU(),
                nn.Conv2d(outputs, outputs, 3, padding=1),
                nn.ReLU(),
            )

        self.down1, self.down2, self.bottom = twice(1, 16), twice(16, 32), twice(32, 64)
        self.up2, self.up1 = nn.ConvTranspose2d(64, 32, 2, 2), nn.ConvTranspose2d(32, 16, 2, 2)
        self.join2, self.join1 = twice(64, 32), twice(32, 16)
        self.head = nn.Conv2d(16, 10, 1)

    def forward(self, x: Any) -> Any:
        first = self.down1(x)
        second = self.down2(F.max_pool2d(first, 2))
        y = self.up2(self.bottom(F.max_pool2d(second, 2)))
        y = self.up1(self.join2(torch.cat((second, y), 1)))
        return self.head(self.join1(torch.cat((first, y), 1)))


def _models() -> Iterator[tuple[str, Callable[[], tuple[nn.Module, tuple[Any, ...], Any]]]]:
    """Names, and functions that make a network, its arguments and the target of its loss."""
    yield (
        "ResNet-18, 2x3x128x128",
        lambda: (
            _resnet(_Residual, (2, 2, 2, 2), 1),
            (torch.randn(2, 3, 128, 128),),
            torch.randint(1000, (2,)),
        ),
    )
    yield (
        "ResNet-50, 2x3x128x128",
        lambda: (
            _resnet(_Bottleneck, (3, 4, 6, 3), 4),
            (torch.randn(2, 3, 128, 128),),
            torch.randint(1000, (2,)),
        ),
    )
    yield (
        "MobileNetV2, 2x3x128x128",
        lambda: (
            _mobilenet_v2(),
            (torch.randn(2, 3, 128, 128),),
            torch.randint(1000, (2,)),
        ),
    )
    yield (
        "BERT layer, 2x128x768",
        lambda: (
            _Bert(),
            (torch.randn(2, 128, 768),),
            torch.randint(768, (2, 128)),
        ),
    )
    yield (
        "LSTM language model, 8x32 words",
        lambda: (
            _Lstm(),
            (torch.randint(2000, (8, 32)),),
            torch.randint(2000, (8 * 32,)),
        ),
    )
    yield (
        "embedding bags, 256 of 8x4",
        lambda: (
            _Bags(),
            (torch.randn(256, 13), torch.randint(10000, (256, 8, 4))),
            torch.randint(10, (256,)),
        ),
    )
    yield (
        "U-Net, 2x1x96x96",
        lambda: (
            _UNet(),
            (torch.randn(2, 1, 96, 96),),
            torch.randint(10, (2, 96, 96)),
        ),
    )


def _forward(make: Any) -> Callable[[], Callable[[], Any]]:
    def case() -> Callable[[], Any]:
        model, arguments, _ = make()
        model.eval()

        def call() -> Any:
            with torch.no_grad():
                return model(*arguments)

        return call

    return case


def _training(make: Any) -> Callable[[], Callable[[], Any]]:
    def case() -> Callable[[], Any]:
        model, arguments, target = make()
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)

        def step() -> Any:
            optimizer.zero_grad()
            found = model(*arguments)
            if found.dim() == 3:
                found = found.flatten(0, 1)
            loss = F.cross_entropy(found, target if found.dim() == 4 else target.flatten())
            loss.backward()
            optimizer.step()
            return loss

        return step

    return case


def cases() -> Iterator[tuple[str, Callable[[], Callable[[], Any]]]]:
    """Each network's forward pass and its training step."""
    for name, make in _models():
        yield f"model: {name}, forward", _forward(make)
        yield f"model: {name}, training step", _training(make)

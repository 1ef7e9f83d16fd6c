"""Pictures enlarged by a sub-pixel network, with a data set, a loader and a loss of PSNR."""

from __future__ import annotations

from math import log10
from typing import Any

import torch
from torch import nn
from torch.nn import functional, init
from torch.utils.data import DataLoader, Dataset, random_split


class Pictures(Dataset[Any]):
    """Smooth pictures and their smaller versions."""

    def __init__(self, count: int) -> None:
        y, x = torch.meshgrid(torch.linspace(0, 3, 16), torch.linspace(0, 3, 16), indexing="ij")
        phases = torch.rand(count, 1, 1, 1) * 3
        self.large = torch.sin(x * phases + y).add(1).div(2)

    def __len__(self) -> int:
        return len(self.large)

    def __getitem__(self, index: int) -> Any:
        large = self.large[index]
        small = functional.interpolate(
            large[None], scale_factor=0.5, mode="bicubic", align_corners=False, antialias=True
        )
        return small[0], large


class Net(nn.Module):
    """Shi et al., "Real-Time Single Image and Video Super-Resolution" (2016)."""

    def __init__(self, factor: int) -> None:
        super().__init__()
        self.relu = nn.ReLU()
        self.conv1 = nn.Conv2d(1, 8, (5, 5), (1, 1), (2, 2))
        self.conv2 = nn.Conv2d(8, 8, 3, padding="same", padding_mode="reflect")
        self.conv3 = nn.Conv2d(8, factor**2, 3, 1, 1)
        self.pixel_shuffle = nn.PixelShuffle(factor)
        init.orthogonal_(self.conv1.weight, init.calculate_gain("relu"))
        init.kaiming_uniform_(self.conv2.weight, nonlinearity="relu")
        init.xavier_normal_(self.conv3.weight)

    def forward(self, x: Any) -> Any:
        x = self.relu(self.conv2(self.relu(self.conv1(x))))
        return self.pixel_shuffle(self.conv3(x))


def run() -> Any:
    """Two epochs."""
    train, test = random_split(Pictures(14), [10, 4], generator=torch.Generator().manual_seed(3))
    model = Net(2)
    criterion = nn.MSELoss()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.001, momentum=0.9, centered=True)
    losses = []
    for _ in range(2):
        for small, large in DataLoader(train, batch_size=4, shuffle=True):
            optimizer.zero_grad()
            loss = criterion(model(small), large)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    with torch.no_grad():
        noise = [
            10 * log10(1 / criterion(model(small), large).item())
            for small, large in DataLoader(test, batch_size=3)
        ]
    return {"losses": torch.tensor(losses), "noise": torch.tensor(noise)}

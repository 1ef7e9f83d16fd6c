"""A siamese network: pairs from a data set with workers, a sampler and a collate function."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional
from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR
from torch.utils.data import BatchSampler, DataLoader, Dataset, WeightedRandomSampler


class Pair(NamedTuple):
    """What a batch is made of."""

    one: Any
    other: Any
    same: Any


class Pairs(Dataset[Any]):
    """Every second pair is of one class."""

    def __init__(self) -> None:
        self.points = torch.randn(24, 1, 12, 12) + torch.arange(24).remainder(3).view(-1, 1, 1, 1)

    def __getitem__(self, index: int) -> Pair:
        other = (index + (3 if index % 2 else 1)) % 24
        return Pair(self.points[index], self.points[other], float(index % 2))

    def __len__(self) -> int:
        return 24


def collate(pairs: list[Pair]) -> Pair:
    """Batches of pairs, as pairs of batches."""
    ones, others, same = zip(*pairs, strict=True)
    return Pair(torch.stack(ones), torch.stack(others), torch.tensor(same))


class Net(nn.Module):
    """The same layers for both."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 4, 3), nn.GroupNorm(2, 4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()
        )
        self.fc = nn.Sequential(nn.Linear(100, 8), nn.PReLU(), nn.Linear(8, 4))
        self.head = nn.Bilinear(4, 4, 1)
        for layer in self.fc:
            if isinstance(layer, nn.Linear):
                nn.init.xavier_uniform_(layer.weight)
                layer.bias.data.fill_(0.01)

    def forward(self, one: Any, other: Any) -> Any:
        one, other = self.fc(self.features(one)), self.fc(self.features(other))
        return self.head(one, other).squeeze(1), functional.cosine_similarity(one, other)


def run() -> Any:
    """Two epochs with two workers, then the triplets' loss."""
    data, net = Pairs(), Net()
    sampler = WeightedRandomSampler([1.0, 2.0] * 12, 16, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(
        data, batch_sampler=BatchSampler(sampler, 5, drop_last=True), num_workers=2,
        collate_fn=collate, persistent_workers=True,
    )  # fmt: skip
    optimizer = torch.optim.Adadelta(net.parameters(), lr=1.0)
    steps = StepLR(optimizer, step_size=1, gamma=0.7)
    plateau = ReduceLROnPlateau(optimizer, patience=0, threshold=10.0)
    losses, rates = [], []
    for _ in range(2):
        for batch in loader:
            logits, cosine = net(batch.one, batch.other)
            loss = functional.binary_cross_entropy_with_logits(logits, batch.same)
            loss = loss + functional.hinge_embedding_loss(1 - cosine, batch.same * 2 - 1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        steps.step()
        plateau.step(losses[-1])
        rates.append(optimizer.param_groups[0]["lr"])
    net.eval()
    embedded = net.fc(net.features(data.points))
    triplets = functional.triplet_margin_loss(embedded[:8], embedded[3:11], embedded[1:9])
    found = {"losses": torch.tensor(losses), "rates": torch.tensor(rates), "triplets": triplets}
    return found | {name: p.detach() for name, p in net.named_parameters()}

"""Trains a small network to read handwritten digits.

    ./bazelw run //examples/digits:train
    ./bazelw run //examples/digits:train -- --epochs 5 --seed 1
    ./bazelw run //examples/digits:train -- --network convolutional

The data are the UCI optical digits: 1,797 images of 8 by 8 pixels, each with its digit.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from tqdm import tqdm

SIDE = 8
PIXELS = SIDE * SIDE
DIGITS = 10
BRIGHTEST = 16.0


@dataclass(frozen=True)
class Samples:
    """Images, (n, 64) floats from 0 to 1, and their digits, (n,) int64."""

    images: torch.Tensor
    digits: torch.Tensor

    def __len__(self) -> int:
        return self.images.size(0)

    def take(self, rows: torch.Tensor) -> Samples:
        """The samples of some rows, in their order."""
        return Samples(self.images[rows], self.digits[rows])


def load(path: Path) -> Samples:
    """Reads a gzipped file of comma-separated rows: 64 pixels from 0 to 16, then the digit."""
    with gzip.open(path, mode="rt", encoding="ascii", newline="") as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    table = torch.tensor(rows)
    return Samples(table[:, :PIXELS] / BRIGHTEST, table[:, PIXELS].to(torch.int64))


def split(samples: Samples, held_back: float) -> tuple[Samples, Samples]:
    """Shuffles, and holds back a part of the samples for the test."""
    order = torch.randperm(len(samples))
    tested = int(len(samples) * held_back)
    return samples.take(order[tested:]), samples.take(order[:tested])


def dense() -> nn.Module:
    """From the pixels of an image to one score for each digit."""
    return nn.Sequential(
        nn.Linear(PIXELS, 128),
        nn.ReLU(),
        nn.Linear(128, 64),
        nn.ReLU(),
        nn.Linear(64, DIGITS),
    )


def convolutional() -> nn.Module:
    """The same by convolutions, which know that pixels have neighbours."""
    return nn.Sequential(
        nn.Unflatten(1, (1, SIDE, SIDE)),
        nn.Conv2d(1, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.Conv2d(32, 64, 3, padding=1),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.5),
        nn.Linear(64 * PIXELS // 4, DIGITS),
    )


NETWORKS = {"dense": dense, "convolutional": convolutional}


def accuracy(model: nn.Module, samples: Samples) -> float:
    """The part of the samples whose digit has the highest score."""
    model.eval()
    with torch.no_grad():
        right = model(samples.images).argmax(dim=1) == samples.digits
    return right.to(torch.float32).mean().item()


def train(model: nn.Module, samples: Samples, epochs: int, batch: int, rate: float) -> None:
    """Fits the model, and shows the loss of each epoch on a progress bar."""
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    model.train()
    with tqdm(range(epochs), desc="training", unit="epoch") as bar:
        for _ in bar:
            total = 0.0
            order = torch.randperm(len(samples))
            for start in range(0, len(samples), batch):
                part = samples.take(order[start : start + batch])
                optimizer.zero_grad()
                loss = loss_of(model(part.images), part.digits)
                loss.backward()
                optimizer.step()
                total += loss.item() * len(part)
            bar.set_postfix(loss=f"{total / len(samples):.4f}")


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="digits.csv.gz; Bazel passes it")
    parser.add_argument("--network", choices=NETWORKS, default="dense")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Loads, trains, tests."""
    arguments = parse_arguments()
    torch.manual_seed(arguments.seed)
    train_samples, test_samples = split(load(arguments.data), held_back=0.2)
    model = NETWORKS[arguments.network]()
    print(model)
    print(f"{len(train_samples)} images to learn from, {len(test_samples)} to test with")
    train(model, train_samples, arguments.epochs, arguments.batch, arguments.rate)
    print(f"test accuracy: {accuracy(model, test_samples):.3f}")


if __name__ == "__main__":
    main()

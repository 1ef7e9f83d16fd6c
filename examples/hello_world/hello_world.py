"""A linear layer, a sigmoid and a loss: the smallest program with a gradient."""

from __future__ import annotations

import torch


def main() -> None:
    torch.manual_seed(0)
    x = torch.tensor([1.0, 2.0, 3.0])
    target = torch.tensor([0.7])
    layer = torch.nn.Linear(3, 1)

    output = torch.sigmoid(layer(x))
    print(output)

    loss = torch.nn.functional.mse_loss(output, target)
    print(loss)

    loss.backward()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()


if __name__ == "__main__":
    main()

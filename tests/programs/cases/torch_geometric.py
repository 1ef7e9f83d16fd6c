"""Networks on graphs."""

from __future__ import annotations

from typing import Any

from inputs import classes, filled, numbers, trained
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import (
    GATConv,
    GCNConv,
    GINConv,
    SAGEConv,
    TransformerConv,
    global_mean_pool,
)
from torch_geometric.utils import degree, softmax, to_dense_adj, to_undirected


class Net(nn.Module):
    """Five kinds of layers, and the mean of each graph."""

    def __init__(self) -> None:
        super().__init__()
        gin = GINConv(nn.Linear(8, 8))
        self.layers = nn.ModuleList(
            [GCNConv(4, 8), GATConv(8, 4, heads=2), SAGEConv(8, 8), gin, TransformerConv(8, 8)]
        )
        self.last = nn.Linear(8, 3)

    def forward(self, data: Any) -> Any:
        x = data.x
        for layer in self.layers:
            x = layer(x, data.edge_index).relu()
        return self.last(global_mean_pool(x, data.batch))


def _graph(number: int) -> Data:
    edges = classes(f"edges{number}", 5, 2, 9)
    return Data(x=numbers(f"x{number}", 5, 4), edge_index=edges, y=classes(f"y{number}", 3, 1))


def run() -> Any:
    """A step on a batch of graphs, and functions of edges."""
    graphs = [_graph(number) for number in range(4)]
    (batch,) = DataLoader(graphs, batch_size=4)
    net = filled(Net())
    found = trained(net, nn.functional.cross_entropy(net(batch), batch.y))
    edges = graphs[0].edge_index
    return found | {
        "degree": degree(edges[0], 5),
        "dense": to_dense_adj(edges),
        "undirected": to_undirected(edges),
        "softmax": softmax(numbers("s", 9), edges[1]),
    }

"""Data sets, the orders in which they are read, and the loader that makes batches of them."""

from __future__ import annotations

from typing import Any

from torch import _absent
from torch.utils.data.collate import default_collate, default_convert
from torch.utils.data.dataloader import DataLoader
from torch.utils.data.dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from torch.utils.data.distributed import DistributedSampler
from torch.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from torch.utils.data.worker import get_worker_info

_explain = _absent.explain(__name__)


def __getattr__(name: str) -> Any:
    if name not in ("DFIterDataPipe", "DataChunk", "IterDataPipe", "MapDataPipe"):
        return _explain(name)
    # Programs name these classes in comparisons; there are no objects of them.
    globals()[name] = _absent.absent_class(__name__, name, _absent.DATAPIPES)
    return globals()[name]


__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

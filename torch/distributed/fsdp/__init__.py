"""Names of sharded data parallelism, which is not here; see `torch.distributed`."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.DISTRIBUTED,
    classes="BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullOptimStateDictConfig"
    " FullStateDictConfig FullyShardedDataParallel LocalOptimStateDictConfig"
    " LocalStateDictConfig MixedPrecision MixedPrecisionPolicy OffloadPolicy"
    " OptimStateDictConfig ShardedOptimStateDictConfig ShardedStateDictConfig"
    " ShardingStrategy StateDictConfig StateDictSettings StateDictType",
    functions="fully_shard register_fsdp_forward_method",
)

__all__: list[str] = []

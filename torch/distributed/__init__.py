"""Names of programs of several processes, which are not here: `is_available()` is False.

Programs that ask `is_available()` or `is_initialized()` first run in one process. Classes can be
compared with, and constants named; what needs other processes refuses.
"""

from __future__ import annotations

import importlib
from enum import Enum
from typing import Any

from torch import _absent
from torch.distributed._modules import MODULES


def is_available() -> bool:
    """Whether this build has torch.distributed: no."""
    return False


def is_initialized() -> bool:
    """Whether `init_process_group` was called: never."""
    return False


def is_torchelastic_launched() -> bool:
    """Whether torchrun started this process: it is not here."""
    return False


is_nccl_available = is_gloo_available = is_mpi_available = is_ucc_available = is_xccl_available = (
    is_available
)


class ReduceOp(Enum):
    """What becomes of the values of all processes."""

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7
    PREMUL_SUM = 8


reduce_op = ReduceOp


class group:
    """The group of all processes: there is none."""

    WORLD: Any = None


class GroupMember:
    """What stands for this process where it is outside a group."""

    WORLD: Any = None
    NON_GROUP_MEMBER = -100


_absent.provide_modules(__name__, _absent.DISTRIBUTED, MODULES)
_refusing = _absent.names_of(
    __name__,
    _absent.DISTRIBUTED,
    classes="Backend BackendConfig BuiltinCommHookType DebugLevel DeviceMesh FileStore"
    " GradBucket HashStore Logger P2POp PrefixStore ProcessGroup ProcessGroupGloo"
    " ProcessGroupMPI ProcessGroupNCCL Reducer Store TCPStore Work _ProcessGroupStub",
    functions="all_gather all_gather_coalesced all_gather_into_tensor all_gather_object"
    " all_reduce all_reduce_coalesced all_to_all all_to_all_single barrier"
    " batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather"
    " gather_object get_backend get_default_backend get_global_rank get_group_rank"
    " get_node_local_rank get_process_group_ranks get_rank get_world_size"
    " init_device_mesh init_process_group irecv isend monitored_barrier new_group"
    " new_subgroups new_subgroups_by_enumeration recv recv_object_list reduce"
    " reduce_scatter reduce_scatter_tensor scatter scatter_object_list send"
    " send_object_list split_group",
)


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"torch.distributed.{name}")
    return _refusing(name)


__all__ = [
    "GroupMember",
    "ReduceOp",
    "group",
    "is_available",
    "is_gloo_available",
    "is_initialized",
    "is_mpi_available",
    "is_nccl_available",
    "is_torchelastic_launched",
    "is_ucc_available",
    "is_xccl_available",
    "reduce_op",
]

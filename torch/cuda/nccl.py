"""Collectives between the GPUs of one process, by NVIDIA's NCCL, in builds with `--nccl`.

Every function takes a tensor for each GPU, on GPUs that differ, contiguous, of one type and as
large as the others, and works on the current stream of each, or on `streams`, one for each tensor.
`op` is `SUM`, `PROD`, `MAX`, `MIN` or `AVG`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import _C
from torch._docstrings import documented_by

__all__ = [
    "all_gather",
    "all_reduce",
    "broadcast",
    "is_available",
    "reduce",
    "reduce_scatter",
    "unique_id",
    "version",
]

# As in nccl.h.
SUM, PROD, MAX, MIN, AVG = range(5)
_OPS = ("SUM", "PROD", "MAX", "MIN", "AVG")

# As in Collectives.h.
_ALL_REDUCE, _BROADCAST, _REDUCE, _ALL_GATHER, _REDUCE_SCATTER = range(5)

Tensors = Sequence[torch.Tensor]

# What all collectives have in common.
_COLLECTIVE = """
Args:
    inputs: contiguous tensors of one type and size, each on a GPU of its own.
    op: SUM, PROD, MAX, MIN or AVG of this module.
    streams: where the work is put, one for each GPU; the current ones if None.
    comms: kept for PyTorch's signature.

Raises:
    RuntimeError: this build has no NCCL.
    TypeError: something is no collection of tensors.
    ValueError: tensors on the CPU, on one GPU, not contiguous, or of sizes that do not fit.
"""


def version() -> tuple[int, int, int]:
    """NCCL's version, such as (2, 28, 9)."""
    number = int(_call("_cuda_ncclVersion"))
    return number // 10000, number // 100 % 100, number % 100


def unique_id() -> bytes:
    """128 bytes that no other call returns."""
    return bytes(_call("_cuda_ncclUniqueId"))


def is_available(tensors: Tensors) -> bool:
    """Whether NCCL is in this build and takes these tensors.

    Args:
        tensors: contiguous, of one dtype, each on a GPU of its own.
    """
    try:
        _check(tensors, "tensors")
        return _version() != 0
    except (TypeError, ValueError, RuntimeError):
        return False


@documented_by(_COLLECTIVE)
def all_reduce(
    inputs: Tensors,
    outputs: Tensors | None = None,
    op: int = SUM,
    streams: Sequence[Any] | None = None,
    comms: None = None,
) -> None:
    """Writes the reduction of all inputs to each output.

    Args:
        outputs: one for each input, of its shape; the inputs themselves if None.
    """
    outputs = inputs if outputs is None else outputs
    _check(inputs, "inputs")
    _check_like(outputs, "outputs", inputs, 1, 1)
    _run(_ALL_REDUCE, inputs, outputs, op, 0, streams, comms)


@documented_by(_COLLECTIVE)
def reduce(
    inputs: Tensors,
    output: torch.Tensor | None = None,
    root: int = 0,
    op: int = SUM,
    streams: Sequence[Any] | None = None,
    comms: None = None,
) -> None:
    """Writes the reduction of all inputs to one tensor.

    Args:
        output: on the GPU of input `root`; that input itself if None.
        root: the number of an input.
    """
    _check(inputs, "inputs")
    _check_root(root, inputs)
    output = inputs[root] if output is None else output
    _check_like([output], "output", [inputs[root]], 1, 1)
    outputs = [output if i == root else None for i in range(len(inputs))]
    _run(_REDUCE, inputs, outputs, op, root, streams, comms)


@documented_by(_COLLECTIVE)
def broadcast(
    inputs: Tensors,
    root: int = 0,
    streams: Sequence[Any] | None = None,
    comms: None = None,
) -> None:
    """Writes input `root` to the other inputs.

    Args:
        root: the number of an input.
    """
    _check(inputs, "inputs")
    _check_root(root, inputs)
    _run(_BROADCAST, inputs, inputs, SUM, root, streams, comms)


@documented_by(_COLLECTIVE)
def all_gather(
    inputs: Tensors,
    outputs: Tensors,
    streams: Sequence[Any] | None = None,
    comms: None = None,
) -> None:
    """Writes all inputs, one after the other, to each output.

    Args:
        outputs: one for each input, with as many elements as all inputs have.
    """
    _check(inputs, "inputs")
    _check_like(outputs, "outputs", inputs, len(inputs), 1)
    _run(_ALL_GATHER, inputs, outputs, SUM, 0, streams, comms)


@documented_by(_COLLECTIVE)
def reduce_scatter(
    inputs: Tensors,
    outputs: Tensors,
    op: int = SUM,
    streams: Sequence[Any] | None = None,
    comms: None = None,
) -> None:
    """Writes part i of the reduction of all inputs, which is cut into as many parts, to output i.

    Args:
        outputs: one for each input, with a part of its elements.
    """
    _check(inputs, "inputs")
    _check_like(outputs, "outputs", inputs, 1, len(inputs))
    _run(_REDUCE_SCATTER, inputs, outputs, op, 0, streams, comms)


def _version() -> int:
    function = getattr(_C, "_cuda_ncclVersion", None)
    return 0 if function is None else int(function())


def _call(name: str, *args: Any) -> Any:
    if _version() == 0:
        raise RuntimeError(
            "this build has no NCCL. It is in one with the option: "
            "./bazelw build //torch:wheel --config=cuda --nccl"
        )
    return getattr(_C, name)(*args)


def _check(tensors: Tensors, name: str) -> None:
    if isinstance(tensors, torch.Tensor) or not isinstance(tensors, Sequence):
        raise TypeError(f"{name} should be a collection of tensors, not {type(tensors).__name__}")
    if not tensors:
        raise ValueError(f"{name} should be at least one tensor, but there is none")
    devices = set()
    for i, t in enumerate(tensors):
        if not isinstance(t, torch.Tensor):
            raise TypeError(f"{name}[{i}] should be a tensor, not {type(t).__name__}")
        if not t.is_cuda:
            raise ValueError(f"{name}[{i}] should be on a GPU, but it is on {t.device}")
        if not t.is_contiguous():
            raise ValueError(f"{name}[{i}] should be contiguous: pass {name}[{i}].contiguous()")
        if t.device in devices:
            raise ValueError(
                f"{name} should be on GPUs that differ, but {name}[{i}] is the second on {t.device}"
            )
        devices.add(t.device)
        first = tensors[0]
        if t.dtype != first.dtype or t.numel() != first.numel():
            raise ValueError(
                f"{name} should be of one type and size, but {name}[0] has {first.numel()} elements of {first.dtype} and {name}[{i}] has {t.numel()} of {t.dtype}"
            )


def _check_like(outputs: Tensors, name: str, inputs: Tensors, times: int, parts: int) -> None:
    """Outputs are the inputs' fellows, with `times` as many elements, or one part of `parts`."""
    _check(outputs, name)
    if len(outputs) != len(inputs):
        raise ValueError(f"{len(inputs)} inputs want as many {name}, but there are {len(outputs)}")
    for i, (a, b) in enumerate(zip(inputs, outputs, strict=True)):
        if a.device != b.device:
            raise ValueError(f"{name}[{i}] should be on {a.device} like its input, not {b.device}")
    wanted = inputs[0].numel() * times
    got = outputs[0].numel() * parts
    if wanted != got or outputs[0].dtype != inputs[0].dtype:
        size = f"{wanted}" if parts == 1 else f"{wanted} / {parts}"
        raise ValueError(
            f"{name} should have {size} elements of {inputs[0].dtype}, but they have {outputs[0].numel()} of {outputs[0].dtype}"
        )


def _check_root(root: int, inputs: Tensors) -> None:
    if not 0 <= root < len(inputs):
        last = len(inputs) - 1
        raise ValueError(f"root should be the number of an input, 0 to {last}, not {root}")


@contextmanager
def _on(streams: Sequence[Any] | None, count: int) -> Iterator[None]:
    if streams is not None and len(streams) != count:
        raise ValueError(f"{count} tensors want as many streams, but there are {len(streams)}")
    with ExitStack() as stack:
        for stream in streams or ():
            stack.enter_context(torch.cuda.stream(stream))
        yield


def _run(
    collective: int,
    inputs: Tensors,
    outputs: Sequence[torch.Tensor | None],
    op: int,
    root: int,
    streams: Sequence[Any] | None,
    comms: None,
) -> None:
    if comms is not None:
        raise ValueError("comms are not taken: there is one communicator for each list of GPUs")
    if not 0 <= op < len(_OPS):
        raise ValueError(f"op should be one of {', '.join(_OPS)}, 0 to {len(_OPS) - 1}, not {op}")
    with _on(streams, len(inputs)):
        _call("_cuda_nccl", collective, list(inputs), list(outputs), op, root)

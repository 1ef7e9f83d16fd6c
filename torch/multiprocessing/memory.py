"""Memory that several processes see: a file without a name, which each of them maps.

`Tensor.share_memory_` moves a tensor into such memory. A forked process has it already; where it is
sent, by a queue or as an argument of a process, the other process maps the same file. Tensors in
other memory are sent as copies.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Callable
from multiprocessing.context import get_spawning_popen
from multiprocessing.reduction import DupFd, ForkingPickler
from typing import Any

import torch
from torch.storage import TypedStorage, UntypedStorage


class _Mapping(mmap.mmap):
    """A mapped file. It is closed with the last storage on it."""

    descriptor: int


# By the address of the first byte, and by the file: a process maps a file once.
_mappings: weakref.WeakValueDictionary[int, _Mapping] = weakref.WeakValueDictionary()
_of_files: weakref.WeakValueDictionary[tuple[int, int], _Mapping] = weakref.WeakValueDictionary()


def _nameless_file() -> int:
    """The descriptor of a new file that ends with its last user."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("torch")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _mapped(descriptor: int, nbytes: int) -> UntypedStorage:
    """The memory of a file, whose descriptor it owns from now on."""
    status = os.fstat(descriptor)
    file = (status.st_dev, status.st_ino)
    mapping = _of_files.get(file)
    if mapping is None:
        # Nobody maps 0 bytes.
        mapping = _of_files[file] = _Mapping(descriptor, max(nbytes, 1))
        mapping.descriptor = descriptor
        weakref.finalize(mapping, os.close, descriptor)
    elif mapping.descriptor != descriptor:
        os.close(descriptor)
    storage = UntypedStorage._share_buffer(mapping, 0, nbytes)
    _mappings[storage.data_ptr()] = mapping
    return storage


def is_shared(storage: UntypedStorage) -> bool:
    """Whether other processes can see this memory. GPUs' memory counts as shared, as in PyTorch."""
    return storage.device.type == "cuda" or storage.data_ptr() in _mappings


def share(storage: UntypedStorage) -> None:
    """Moves the bytes into memory that other processes can see, for all tensors on them.

    Raises:
        NotImplementedError: memory of another device than the CPU, except a GPU's, which stays.
    """
    if is_shared(storage):
        return
    if storage.device.type != "cpu":
        raise NotImplementedError(
            f"share_memory_: memory of {storage.device.type} cannot be shared; move the tensor first: tensor.cpu()"
        )
    nbytes = storage.nbytes()
    descriptor = _nameless_file()
    os.ftruncate(descriptor, max(nbytes, 1))
    shared = _mapped(descriptor, nbytes)
    memoryview(shared)[:] = memoryview(storage)
    storage._take_memory(shared)


def _handle(descriptor: int) -> Any:
    """What `detach()` of the other process makes a descriptor of."""
    process: Any = get_spawning_popen()
    if process is not None and process.method == "spawn" and descriptor in process._fds:
        # Spawned processes take each descriptor once.
        return process.DupFd(descriptor)
    return DupFd(descriptor)


def _received(descriptor: Any, nbytes: int, dtype: torch.dtype | None) -> Any:
    storage = _mapped(descriptor.detach(), nbytes)
    return storage if dtype is None else TypedStorage(wrap_storage=storage, dtype=dtype)


def _sent(storage: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """What a process sends of a storage: the file, if it has one, else the bytes."""
    typed = isinstance(storage, TypedStorage)
    memory = storage.untyped() if typed else storage
    mapping = _mappings.get(memory.data_ptr())
    if mapping is None:
        reduced: tuple[Callable[..., Any], tuple[Any, ...]] = storage.__reduce__()
        return reduced
    dtype = storage.dtype if typed else None
    return _received, (_handle(mapping.descriptor), memory.nbytes(), dtype)


for _class in (TypedStorage, UntypedStorage):
    ForkingPickler.register(_class, _sent)

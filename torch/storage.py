"""Storages: the memory under tensors."""

from __future__ import annotations

import io
import mmap
import os
from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch._C import UntypedStorage

# Methods of TypedStorage have these names.
_bool: TypeAlias = bool
_int: TypeAlias = int

# The classes by which PyTorch's files name the element type of a storage.
_CLASS_NAMES = {
    torch.float64: "DoubleStorage",
    torch.float32: "FloatStorage",
    torch.float16: "HalfStorage",
    torch.bfloat16: "BFloat16Storage",
    torch.int64: "LongStorage",
    torch.int32: "IntStorage",
    torch.int16: "ShortStorage",
    torch.int8: "CharStorage",
    torch.uint8: "ByteStorage",
    torch.bool: "BoolStorage",
    torch.complex128: "ComplexDoubleStorage",
    torch.complex64: "ComplexFloatStorage",
}


class TypedStorage:
    """A storage seen as elements of one dtype."""

    def __init__(self, *, wrap_storage: UntypedStorage, dtype: torch.dtype) -> None:
        self._untyped_storage = wrap_storage
        self.dtype = dtype

    @property
    def device(self) -> torch.device:
        return self._untyped_storage.device

    @property
    def _cdata(self) -> _int:
        return self._untyped_storage._cdata

    def untyped(self) -> UntypedStorage:
        """The bytes."""
        return self._untyped_storage

    def nbytes(self) -> _int:
        """The size in bytes."""
        return self._untyped_storage.nbytes()

    def data_ptr(self) -> _int:
        """The address of the first element."""
        return self._untyped_storage.data_ptr()

    def size(self) -> _int:
        """The number of elements."""
        return self.nbytes() // self.dtype.itemsize

    __len__ = size

    def element_size(self) -> _int:
        """The size of an element in bytes."""
        return self.dtype.itemsize

    def pickle_storage_type(self) -> str:
        """The name of the class that stands for this dtype in files."""
        return _CLASS_NAMES[self.dtype]

    def _tensor(self) -> torch.Tensor:
        return torch._C._tensor_from_storage(
            self._untyped_storage, self.dtype, 0, (self.size(),), (1,)
        )

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._tensor()[index].clone().storage()
        return self._tensor()[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._tensor()[index] = value

    @property
    def is_cuda(self) -> _bool:
        return self.device.type == "cuda"

    @property
    def is_sparse(self) -> _bool:
        return False

    def get_device(self) -> _int:
        """The number of its GPU; -1 of the CPU."""
        return self._tensor().get_device()

    def is_pinned(self, device: Any = None) -> _bool:
        """Whether a GPU copies from and to it while the host goes on."""
        return self._tensor().is_pinned(device)

    def is_shared(self) -> _bool:
        """Whether other processes see this memory: never, they get copies."""
        return False

    def share_memory_(self) -> TypedStorage:
        """Refused: processes exchange copies."""
        self._tensor().share_memory_()
        return self

    def pin_memory(self, device: Any = None) -> TypedStorage:
        """A copy in memory that a GPU reads directly; itself where it is such."""
        return typed_storage_of(self._tensor().pin_memory(device))

    def fill_(self, value: Any) -> TypedStorage:
        """Gives all elements a value."""
        self._tensor().fill_(value)
        return self

    def copy_(self, source: TypedStorage, non_blocking: _bool | None = None) -> TypedStorage:
        """Takes the elements of a storage of the same size."""
        self._tensor().copy_(source._tensor(), _bool(non_blocking))
        return self

    def clone(self) -> TypedStorage:
        """A storage of its own with the same elements."""
        return typed_storage_of(self._tensor().clone())

    def resize_(self, size: _int) -> None:
        """Makes room for `size` elements."""
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def to(self, *, device: Any, non_blocking: _bool = False) -> TypedStorage:
        """The elements on a device; itself where it is there."""
        return self._converted(self._tensor().to(device, non_blocking=non_blocking))

    def cpu(self) -> TypedStorage:
        """The elements in this machine's memory."""
        return self._converted(self._tensor().cpu())

    def cuda(self, device: Any = None, non_blocking: _bool = False) -> TypedStorage:
        """The elements on a GPU."""
        return self._converted(self._tensor().cuda(device, non_blocking))

    def type(self, dtype: Any = None, non_blocking: _bool = False) -> Any:
        """The name of its class, such as 'torch.FloatStorage'; or the elements as another dtype."""
        if dtype is None:
            device = "" if self.device.type == "cpu" else f"{self.device.type}."
            return f"torch.{device}{self.pickle_storage_type()}"
        wanted = getattr(dtype, "dtype", dtype)
        if isinstance(wanted, str):
            wanted = STORAGE_CLASSES[wanted.rpartition(".")[2]].dtype
        return self._as(wanted)

    def _converted(self, tensor: torch.Tensor) -> TypedStorage:
        same = tensor.device == self.device and tensor.data_ptr() == self.data_ptr()
        return self if same else typed_storage_of(tensor)

    def _as(self, dtype: torch.dtype) -> TypedStorage:
        return self if dtype == self.dtype else typed_storage_of(self._tensor().to(dtype))

    def double(self) -> TypedStorage:
        """The elements as float64."""
        return self._as(torch.float64)

    def float(self) -> TypedStorage:
        """The elements as float32."""
        return self._as(torch.float32)

    def half(self) -> TypedStorage:
        """The elements as float16."""
        return self._as(torch.float16)

    def bfloat16(self) -> TypedStorage:
        """The elements as bfloat16."""
        return self._as(torch.bfloat16)

    def long(self) -> TypedStorage:
        """The elements as int64."""
        return self._as(torch.int64)

    def int(self) -> TypedStorage:
        """The elements as int32."""
        return self._as(torch.int32)

    def short(self) -> TypedStorage:
        """The elements as int16."""
        return self._as(torch.int16)

    def char(self) -> TypedStorage:
        """The elements as int8."""
        return self._as(torch.int8)

    def byte(self) -> TypedStorage:
        """The elements as uint8."""
        return self._as(torch.uint8)

    def bool(self) -> TypedStorage:
        """The elements as bool."""
        return self._as(torch.bool)

    def complex_double(self) -> TypedStorage:
        """The elements as complex128."""
        return self._as(torch.complex128)

    def complex_float(self) -> TypedStorage:
        """The elements as complex64."""
        return self._as(torch.complex64)

    def tolist(self) -> list[Any]:
        """The elements."""
        return self._tensor().tolist()

    def __repr__(self) -> str:
        lines = [f" {value}" for value in self.tolist()]
        kind = f"{type(self).__module__}.{type(self).__name__}"
        lines.append(f"[{kind}(dtype={self.dtype}, device={self.device}) of size {self.size()}]")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[bytes]]:
        return _load_from_bytes, (_to_bytes(self),)

    def __deepcopy__(self, memo: dict[Any, Any]) -> TypedStorage:
        copied = _deepcopy(self._untyped_storage, memo)
        return TypedStorage(wrap_storage=copied, dtype=self.dtype)


class _StorageClassMeta(type):
    dtype: torch.dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TypedStorage) and instance.dtype is cls.dtype


def _make_class(dtype: torch.dtype, name: str) -> type:
    """`torch.FloatStorage` and its like: a name for files, whose instances are TypedStorages."""

    def new(cls: type, size: int = 0) -> TypedStorage:
        return TypedStorage(wrap_storage=UntypedStorage(size * dtype.itemsize), dtype=dtype)

    return _StorageClassMeta(
        name, (), {"__module__": "torch", "__qualname__": name, "__new__": new, "dtype": dtype}
    )


STORAGE_CLASSES: dict[str, Any] = {n: _make_class(d, n) for d, n in _CLASS_NAMES.items()}


def typed_storage_of(tensor: torch.Tensor) -> TypedStorage:
    """The storage of a tensor as its elements."""
    return TypedStorage(wrap_storage=tensor.untyped_storage(), dtype=tensor.dtype)


def typed_storage(tensor: torch.Tensor) -> TypedStorage | UntypedStorage:
    """The storage of a tensor as files name it: untyped where no class stands for the dtype."""
    untyped = tensor.untyped_storage()
    if tensor.dtype not in _CLASS_NAMES:
        return untyped
    return TypedStorage(wrap_storage=untyped, dtype=tensor.dtype)


def _to_bytes(storage: TypedStorage | UntypedStorage) -> bytes:
    buffer = io.BytesIO()
    torch.save(storage, buffer)
    return buffer.getvalue()


def _load_from_bytes(data: bytes) -> Any:
    """A storage out of the file that pickle keeps of it."""
    return torch.load(io.BytesIO(data), weights_only=False)


def _deepcopy(storage: UntypedStorage, memo: dict[Any, Any]) -> UntypedStorage:
    """A copy; the same one for all tensors on the storage, by copy.deepcopy's `memo`."""
    copies: dict[int, UntypedStorage] = memo.setdefault("torch", {})
    if storage._cdata not in copies:
        copies[storage._cdata] = storage.clone()
    return copies[storage._cdata]


def _reduce_untyped(storage: UntypedStorage) -> tuple[Callable[..., Any], tuple[bytes]]:
    return _load_from_bytes, (_to_bytes(storage),)


def _from_file(
    filename: str | os.PathLike[str], shared: bool = False, nbytes: int = 0
) -> UntypedStorage:
    """`UntypedStorage.from_file`: the first bytes of a file, mapped into memory.

    Args:
      filename: of the file.
      shared: whether what is written to the storage is written to the file. The file is made, and
        made longer, where it has not so many bytes.
      nbytes: how many bytes; 0 is the whole file.

    Raises:
      RuntimeError: the file has fewer bytes, and `shared` is false.
    """
    flags = os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY
    descriptor = os.open(filename, flags, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        if nbytes > size and not shared:
            raise RuntimeError(
                f"the file {os.fspath(filename)} has {size} bytes, and {nbytes} are asked for"
            )
        if nbytes > size:
            os.truncate(descriptor, nbytes)
        length = nbytes or size
        if length == 0:
            return UntypedStorage(0)
        access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
        return UntypedStorage._share_buffer(mmap.mmap(descriptor, length, access=access))
    finally:
        os.close(descriptor)


def _item(storage: UntypedStorage, index: Any) -> int | UntypedStorage:
    """`storage[index]`: a byte, or for a slice a storage on the same memory."""
    size = storage.nbytes()
    if isinstance(index, slice):
        start, stop, step = index.indices(size)
        if step != 1:
            raise RuntimeError(
                f"Trying to slice with a step of {step}, but only a step of 1 is supported"
            )
        return UntypedStorage._share_buffer(storage, start, max(stop - start, 0))
    if not hasattr(index, "__index__"):
        raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
    place = index.__index__()
    if not -size <= place < size:
        raise IndexError(f"index {place} out of range for storage of size {size}")
    return memoryview(storage)[place]


__all__ = ["TypedStorage", "UntypedStorage"]

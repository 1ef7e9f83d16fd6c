"""Storages: the memory under tensors."""

from __future__ import annotations

import io
import mmap
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import torch
from torch import _C

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


class UntypedStorage(_C.StorageBase):
    """The bytes that tensors share.

    Args:
      data: how many bytes, of any value; or their values, a sequence of ints.
      device: where they lie.

    Raises:
      RuntimeError: an item of the sequence is no int, or the size is negative.

    Example::

        >>> torch.UntypedStorage([1, 2]).tolist()
        [1, 2]
    """

    def __new__(
        cls, data: _int | Sequence[_int] = 0, *, size: _int = 0, device: Any = "cpu"
    ) -> UntypedStorage:
        where = torch.device(device)
        if hasattr(data, "__index__"):
            return super().__new__(cls, size or data, where)  # type: ignore[arg-type]
        name = type(data).__name__
        if not hasattr(data, "__len__"):
            raise TypeError(f"torch.UntypedStorage(): expected a size or a sequence, got {name}")
        for item in data:
            if not hasattr(item, "__index__"):
                raise RuntimeError(
                    f"torch.UntypedStorage(): tried to construct a storage from a sequence ({name}), but one of the items was of type {type(item).__name__} instead of int"
                )
        made = super().__new__(cls, len(data), where)
        values = [item & 255 for item in data]
        made._bytes().copy_(_C._VariableFunctions.tensor(values, dtype=torch.uint8))  # type: ignore[attr-defined]
        return made

    def _bytes(self) -> torch.Tensor:
        return _C._tensor_from_storage(self, torch.uint8, 0, (self.nbytes(),), (1,))

    def untyped(self) -> UntypedStorage:
        """Itself."""
        return self

    def __getitem__(self, index: Any) -> Any:
        """A byte; for a slice a storage on the same memory."""
        size = self.nbytes()
        if isinstance(index, slice):
            start, stop, step = index.indices(size)
            if step != 1:
                raise RuntimeError(
                    f"Trying to slice with a step of {step}, but only a step of 1 is supported"
                )
            return UntypedStorage._share_buffer(self, start, max(stop - start, 0))
        if not hasattr(index, "__index__"):
            raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        self._refuse_meta()
        place = index.__index__()
        if not -size <= place < size:
            raise IndexError(f"index {place} out of range for storage of size {size}")
        return self._bytes()[place].item()

    def __setitem__(self, index: Any, value: _int) -> None:
        self._refuse_meta()
        if not isinstance(index, slice) and not hasattr(index, "__index__"):
            raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        self._bytes()[index] = value

    def __iter__(self) -> Iterator[_int]:
        return iter(self.tolist())

    def _refuse_meta(self) -> None:
        if self.device.type == "meta":
            raise NotImplementedError("Not available for 'meta' device type")

    def tolist(self) -> list[_int]:
        """The bytes."""
        self._refuse_meta()
        return self._bytes().tolist()

    def __repr__(self) -> str:
        lines = _listed(self)
        kind = f"{type(self).__module__}.{type(self).__name__}"
        return f"{lines}\n[{kind}(device={self.device}) of size {self.nbytes()}]"

    @property
    def is_cuda(self) -> _bool:
        """Whether it is on a GPU."""
        return self.device.type == "cuda"

    @property
    def is_sparse(self) -> _bool:
        """Always False: storages are dense."""
        return False

    def element_size(self) -> _int:
        """1."""
        return 1

    def new(self) -> UntypedStorage:
        """An empty storage on the same device."""
        return type(self)(device=self.device)

    def type(self, dtype: Any = None, non_blocking: _bool = False) -> Any:
        """The name of its class; or a storage with elements, of the bytes' values.

        Args:
            dtype: a dtype, a class such as `torch.FloatStorage` or its name; None for the name.
            non_blocking: not looked at.
        """
        if dtype is None:
            return f"{type(self).__module__}.{type(self).__name__}"
        return TypedStorage(wrap_storage=self, dtype=torch.uint8).type(dtype, non_blocking)

    def float(self) -> TypedStorage:
        """The bytes as float32 numbers."""
        return TypedStorage(wrap_storage=self, dtype=torch.uint8).float()

    def byteswap(self, dtype: torch.dtype) -> None:
        """Turns the order of the bytes of each element, in place.

        Args:
            dtype: of the elements; the parts of complex numbers are turned one by one.

        Raises:
            RuntimeError: the size is not a multiple of an element's.

        Example::

            >>> storage = torch.UntypedStorage([1, 2])
            >>> storage.byteswap(torch.int16)
            >>> storage.tolist()
            [2, 1]
        """
        size = dtype.itemsize // (2 if dtype.is_complex else 1)
        if self.nbytes() % size:
            raise RuntimeError(f"the length of data is not a multiple of {size}")
        rows = self._bytes().view(-1, size)
        rows.copy_(rows.flip(1))

    def fill_(self, value: _int) -> UntypedStorage:
        """Sets all bytes.

        Args:
            value: of each, from 0 to 255.

        Returns:
            The storage itself.
        """
        self._bytes().fill_(value)
        return self

    def copy_(self, source: UntypedStorage, non_blocking: _bool | None = None) -> UntypedStorage:
        """Copies the bytes of another storage into this one.

        Args:
            source: a storage of the same size, on any device.
            non_blocking: whether a copy to or from a GPU may go on after the call.

        Returns:
            The storage itself.

        Raises:
            RuntimeError: the sizes differ.
        """
        if source.nbytes() != self.nbytes():
            raise RuntimeError(
                f"size does not match, self was {self.nbytes()} bytes but src was {source.nbytes()} bytes"
            )
        self._bytes().copy_(source.untyped()._bytes(), _bool(non_blocking))
        return self

    def to(self, *, device: Any, non_blocking: _bool = False) -> UntypedStorage:
        """The bytes on a device.

        Args:
            device: where they are wanted.
            non_blocking: whether a copy to or from a GPU may go on after the call.

        Returns:
            A copy; the storage itself if it is there.
        """
        moved = self._bytes().to(device, non_blocking=non_blocking)
        return self if moved.device == self.device else moved.untyped_storage()

    def cpu(self) -> UntypedStorage:
        """The bytes in this machine's memory."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None, non_blocking: _bool = False) -> UntypedStorage:
        """The bytes on a GPU.

        Args:
            device: the GPU; the current one if None.
            non_blocking: whether the copy may go on after the call.

        Raises:
            AssertionError: in a build without CUDA.
        """
        return self._bytes().cuda(device, non_blocking).untyped_storage()

    def get_device(self) -> _int:
        """The number of its GPU; -1 of the CPU."""
        return self._bytes().get_device()

    def is_pinned(self, device: Any = None) -> _bool:
        """Whether GPUs copy from and to it while the host goes on.

        Args:
            device: kept for PyTorch's callers.
        """
        return self._bytes().is_pinned(device)

    def pin_memory(self, device: Any = None) -> UntypedStorage:
        """The bytes in memory that GPUs copy from and to while the host goes on.

        Args:
            device: kept for PyTorch's callers.

        Returns:
            A copy; a storage on the same memory if it is pinned.
        """
        return self._bytes().pin_memory(device).untyped_storage()

    def is_shared(self) -> _bool:
        """Whether other processes can see this memory; `Tensor.share_memory_` says more."""
        from torch.multiprocessing import memory

        return memory.is_shared(self)

    def share_memory_(self) -> UntypedStorage:
        """Moves the bytes into memory that other processes can see, as `Tensor.share_memory_`."""
        from torch.multiprocessing import memory

        memory.share(self)
        return self

    def __sizeof__(self) -> _int:
        return super().__sizeof__() + self.nbytes()

    def __copy__(self) -> UntypedStorage:
        return self.clone()

    def __deepcopy__(self, memo: dict[Any, Any]) -> UntypedStorage:
        """A copy; the same one for all tensors on the storage, by copy.deepcopy's `memo`."""
        copies: dict[_int, UntypedStorage] = memo.setdefault("torch", {})
        if self._cdata not in copies:
            copies[self._cdata] = self.clone()
        return copies[self._cdata]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[bytes]]:
        return _load_from_bytes, (_to_bytes(self),)

    _filename: str | None = None

    @property
    def filename(self) -> str | None:
        """The file that `from_file(shared=True)` mapped; None for other storages."""
        return self._filename

    @staticmethod
    def from_file(
        filename: str | os.PathLike[str], shared: _bool = False, nbytes: _int = 0
    ) -> UntypedStorage:
        """The first bytes of a file, mapped into memory.

        Args:
          filename: of the file.
          shared: whether what is written to the storage is written to the file. The file is made,
            and made longer, where it has not so many bytes.
          nbytes: how many bytes; 0 is the whole file.

        Raises:
          RuntimeError: the file cannot be opened, or has fewer bytes and `shared` is false.
        """
        flags = os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY
        try:
            descriptor = os.open(filename, flags, 0o600)
        except OSError as error:
            mode = "read-write" if shared else "read-only"
            raise RuntimeError(
                f"unable to open file <{os.fspath(filename)}> in {mode} mode: {error.strerror} ({error.errno})"
            ) from error
        try:
            size = os.fstat(descriptor).st_size
            if nbytes > size and not shared:
                raise RuntimeError(
                    f"file <{os.fspath(filename)}> size <{size}> is smaller than the required mapping size <{nbytes}>"
                )
            if nbytes > size:
                os.truncate(descriptor, nbytes)
            length = nbytes or size
            if length == 0:
                return UntypedStorage(0)
            access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
            storage = UntypedStorage._share_buffer(mmap.mmap(descriptor, length, access=access))
            storage._filename = os.fspath(filename) if shared else None
            return storage
        finally:
            os.close(descriptor)


_C._set_storage_class(UntypedStorage)


def _listed(storage: Any) -> str:
    """The elements, one a line; dots for memory that is not there."""
    if storage.device.type == "meta":
        return "..."
    return "\n".join(f" {value}" for value in storage.tolist()) or " "


class TypedStorage:
    """A storage seen as elements of one dtype.

    Args:
        *args: how many elements, of any value; or a sequence of their values.
        wrap_storage: the bytes, which are shared; instead of `args`.
        dtype: of the elements; the default dtype if None.
        device: where they are made; the CPU if None.

    Raises:
        RuntimeError: `wrap_storage` without `dtype`, or with `args` or `device`.
        TypeError: `wrap_storage` is no UntypedStorage, or `args` is neither a size nor a sequence.

    Example::

        >>> torch.TypedStorage([1, 2], dtype=torch.int32).tolist()
        [1, 2]
    """

    def __init__(
        self,
        *args: Any,
        wrap_storage: UntypedStorage | None = None,
        dtype: torch.dtype | None = None,
        device: Any = None,
        _internal: _bool = False,
    ) -> None:
        if wrap_storage is not None:
            if args or device is not None:
                raise RuntimeError(
                    "TypedStorage(): with wrap_storage give dtype, and neither sizes nor device"
                )
            if not isinstance(wrap_storage, UntypedStorage):
                raise TypeError(
                    f"Argument 'wrap_storage' must be UntypedStorage, but got {type(wrap_storage).__name__}"
                )
            if dtype is None:
                raise RuntimeError("TypedStorage(): argument 'dtype' must be specified")
        self.dtype = torch.get_default_dtype() if dtype is None else dtype
        self._untyped_storage = (
            _memory_of(args, self.dtype, device) if wrap_storage is None else wrap_storage
        )

    def _new_wrapped_storage(self, untyped: UntypedStorage) -> TypedStorage:
        return TypedStorage(wrap_storage=untyped, dtype=self.dtype)

    @property
    def device(self) -> torch.device:
        """The device that the elements are on."""
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
        self._untyped_storage._refuse_meta()
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._tensor()[index].item()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __setitem__(self, index: Any, value: Any) -> None:
        self._untyped_storage._refuse_meta()
        self._tensor()[index] = value

    @property
    def is_cuda(self) -> _bool:
        """Whether it is on a GPU."""
        return self.device.type == "cuda"

    @property
    def is_sparse(self) -> _bool:
        """Always False: storages are dense."""
        return False

    def get_device(self) -> _int:
        """The number of its GPU; -1 of the CPU."""
        return self._tensor().get_device()

    def is_pinned(self, device: Any = None) -> _bool:
        """Whether GPUs copy from and to it while the host goes on.

        Args:
            device: kept for PyTorch's callers.
        """
        return self._tensor().is_pinned(device)

    def is_shared(self) -> _bool:
        """Whether other processes can see this memory; `Tensor.share_memory_` says more."""
        return self._untyped_storage.is_shared()

    def share_memory_(self) -> TypedStorage:
        """Moves it into memory that other processes can see, as `Tensor.share_memory_`."""
        self._untyped_storage.share_memory_()
        return self

    def pin_memory(self, device: Any = None) -> TypedStorage:
        """The elements in memory that GPUs copy from and to while the host goes on.

        Args:
            device: kept for PyTorch's callers.
        """
        return typed_storage_of(self._tensor().pin_memory(device))

    def fill_(self, value: Any) -> TypedStorage:
        """Sets all elements.

        Args:
            value: of each, a number.

        Returns:
            The storage itself.
        """
        self._tensor().fill_(value)
        return self

    def copy_(self, source: TypedStorage, non_blocking: _bool | None = None) -> TypedStorage:
        """Copies the elements of another storage into this one, as its dtype.

        Args:
            source: a storage with as many elements.
            non_blocking: whether a copy to or from a GPU may go on after the call.

        Returns:
            The storage itself.
        """
        self._tensor().copy_(source._tensor(), _bool(non_blocking))
        return self

    def clone(self) -> TypedStorage:
        """A storage of its own with the same elements."""
        return typed_storage_of(self._tensor().clone())

    def resize_(self, size: _int) -> None:
        """Gives it another size. Elements that both sizes have stay; new ones have any value.

        Args:
            size: how many elements there are then.

        Raises:
            RuntimeError: the memory is not torch's own.
        """
        self._untyped_storage.resize_(size * self.dtype.itemsize)

    def to(self, *, device: Any, non_blocking: _bool = False) -> TypedStorage:
        """The elements on a device.

        Args:
            device: where they are wanted.
            non_blocking: whether a copy to or from a GPU may go on after the call.

        Returns:
            A copy; the storage itself if it is there.
        """
        return self._converted(self._tensor().to(device, non_blocking=non_blocking))

    def cpu(self) -> TypedStorage:
        """The elements in this machine's memory."""
        return self._converted(self._tensor().cpu())

    def cuda(self, device: Any = None, non_blocking: _bool = False) -> TypedStorage:
        """The elements on a GPU.

        Args:
            device: the GPU; the current one if None.
            non_blocking: whether the copy may go on after the call.

        Raises:
            AssertionError: in a build without CUDA.
        """
        return self._converted(self._tensor().cuda(device, non_blocking))

    def type(self, dtype: Any = None, non_blocking: _bool = False) -> Any:
        """The name of its class, such as 'torch.FloatStorage'; or the elements as another dtype.

        Args:
            dtype: a dtype, a class such as `torch.FloatStorage` or its name; None for the name.
            non_blocking: not looked at.

        Returns:
            A text; or a storage, this one if it has the dtype.

        Example::

            >>> storage = torch.TypedStorage([1.5], dtype=torch.float32)
            >>> storage.type(), storage.type(torch.int64).tolist()
            ('torch.FloatStorage', [1])
        """
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
        self._untyped_storage._refuse_meta()
        return self._tensor().tolist()

    def __repr__(self) -> str:
        kind = f"{type(self).__module__}.{type(self).__name__}"
        of = f"[{kind}(dtype={self.dtype}, device={self.device}) of size {self.size()}]"
        return f"{_listed(self)}\n{of}"

    def __sizeof__(self) -> _int:
        return super().__sizeof__() + self.nbytes()

    def resizable(self) -> _bool:
        """Whether `resize_` may be called."""
        return self._untyped_storage.resizable()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[bytes]]:
        return _load_from_bytes, (_to_bytes(self),)

    def __deepcopy__(self, memo: dict[Any, Any]) -> TypedStorage:
        copied = self._untyped_storage.__deepcopy__(memo)
        return TypedStorage(wrap_storage=copied, dtype=self.dtype)

    def __copy__(self) -> TypedStorage:
        return self.clone()


def _memory_of(args: tuple[Any, ...], dtype: torch.dtype, device: Any) -> UntypedStorage:
    """The memory for a size, or for the values of a sequence."""
    if len(args) > 1:
        raise RuntimeError(f"a storage takes a size or a sequence, but got {len(args)} arguments")
    data = args[0] if args else 0
    where = "cpu" if device is None else device
    if hasattr(data, "__index__"):
        return UntypedStorage(data.__index__() * dtype.itemsize, device=where)
    if not hasattr(data, "__len__"):
        raise TypeError(f"Argument type not recognized: {type(data)}")
    values = _C._VariableFunctions.tensor(data, dtype=dtype, device=where)  # type: ignore[attr-defined]
    memory: UntypedStorage = values.untyped_storage()
    return memory


class _LegacyStorage(TypedStorage):
    """What `torch.FloatStorage` and its like derive from."""

    @classmethod
    def from_buffer(
        cls, buffer: Any, byte_order: str | None = None, count: _int = -1, offset: _int = 0
    ) -> TypedStorage:
        """A copy of a buffer's bytes as elements.

        Args:
          byte_order: "native", "little" or "big".
          count: of elements; all if negative.
          offset: where they begin, in bytes.
        """
        dtype: torch.dtype = cls.dtype  # type: ignore[misc]
        size = dtype.itemsize
        if byte_order not in ("native", "little", "big") and (byte_order or size > 1):
            error = RuntimeError if byte_order is None else ValueError
            raise error(f"byte_order must be 'native', 'little' or 'big', but got {byte_order}")
        values = bytes(memoryview(buffer).cast("B"))[offset:]
        values = values[: count * size if count >= 0 else len(values)]
        if len(values) % size:
            raise ValueError(f"buffer size ({len(values)}) must be a multiple of {size}")
        made = cls(len(values) // size)
        made.untyped().copy_(UntypedStorage(values))
        if byte_order in ("little", "big") and byte_order != sys.byteorder:
            made.untyped().byteswap(dtype)
        return made

    @classmethod
    def from_file(
        cls, filename: str | os.PathLike[str], shared: _bool = False, size: _int = 0
    ) -> TypedStorage:
        """The first elements of a file, mapped into memory; `UntypedStorage.from_file` says more.

        Args:
          filename: of the file.
          shared: whether what is written to the storage is written to the file.
          size: how many elements; 0 is the whole file.

        Raises:
          RuntimeError: the file has fewer elements, and `shared` is false.
        """
        dtype: torch.dtype = cls.dtype  # type: ignore[misc]
        memory = UntypedStorage.from_file(filename, shared, size * dtype.itemsize)
        return TypedStorage(wrap_storage=memory, dtype=dtype)

    @classmethod
    def _new_shared(cls, size: _int) -> TypedStorage:
        return cls(size).share_memory_()


class _StorageClassMeta(type):
    dtype: torch.dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TypedStorage) and instance.dtype is cls.dtype


def _make_class(dtype: torch.dtype, name: str) -> type:
    """`torch.FloatStorage` and its like: a name for files, whose instances are TypedStorages."""

    def new(
        cls: type, *args: Any, wrap_storage: UntypedStorage | None = None, **kwargs: Any
    ) -> TypedStorage:
        if kwargs or (args and wrap_storage is not None):
            raise RuntimeError(
                f"{cls}.__new__ received an invalid combination of arguments. Expected one of:\n"
                " * no arguments\n * (int size)\n * (Sequence data)\n"
                " * (*, UntypedStorage wrap_storage)"
                + "".join(f"\nKeyword argument '{key}' cannot be specified" for key in kwargs)
            )
        return TypedStorage(*args, wrap_storage=wrap_storage, dtype=dtype)

    return _StorageClassMeta(
        name,
        (_LegacyStorage,),
        {"__module__": "torch", "__qualname__": name, "__new__": new, "dtype": dtype},
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


__all__ = ["TypedStorage", "UntypedStorage"]

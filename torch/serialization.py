"""Saving and loading, in PyTorch's file format.

A file is a zip archive without compression: `data.pkl` is a pickle in which storages are
references, `data/N` are their bytes, each on a 64-byte boundary so that it can be mapped into
memory.
"""

from __future__ import annotations

import copyreg
import io
import mmap as _mmap
import os
import pickle
import pickletools
import struct
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum
from typing import IO, Any, TypeAlias, cast

import torch
from torch import _C, _absent
from torch import storage as _storage
from torch._weights_only_unpickler import (
    Unpickler,
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    is_allowed,
    user_globals,
)

ALIGNMENT = 64
DEFAULT_PROTOCOL = 2
_VERSION = b"3\n"
_MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
_LEGACY_PROTOCOL = 1001
_LOCAL_HEADER = 30

FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
MapLocation: TypeAlias = "Callable[[Any, str], Any] | _C.device | str | dict[str, str] | None"
MAP_LOCATION = MapLocation  # PyTorch's name of the annotation


class LoadEndianness(Enum):
    """The order of the bytes in files that do not say it."""

    NATIVE = 1
    LITTLE = 2
    BIG = 3


_load_endianness: LoadEndianness | None = None


def get_default_load_endianness() -> LoadEndianness | None:
    """What `set_default_load_endianness` set; None, which means little, before."""
    return _load_endianness


def set_default_load_endianness(endianness: LoadEndianness | None) -> None:
    """Tells `torch.load` the order of the bytes in files that do not say it.

    Raises:
        TypeError: it is neither a LoadEndianness nor None.
    """
    global _load_endianness
    if endianness is not None and not isinstance(endianness, LoadEndianness):
        raise TypeError("Invalid argument type in function set_default_load_endianness")
    _load_endianness = endianness


class safe_globals:
    """Allows classes and functions in files inside a block; see `add_safe_globals`.

    Args:
        safe_globals: what is allowed.

    Example::

        >>> import collections
        >>> with torch.serialization.safe_globals([collections.Counter]):
        ...     collections.Counter in torch.serialization.get_safe_globals()
        True
    """

    def __init__(self, safe_globals: list[Any]) -> None:
        self._added = safe_globals

    def __enter__(self) -> None:
        self._before = dict(user_globals())
        add_safe_globals(self._added)

    def __exit__(self, *args: object) -> None:
        clear_safe_globals()
        user_globals().update(self._before)


# Writing.


def _is_path(f: object) -> bool:
    return isinstance(f, (str, os.PathLike))


def save(
    obj: object,
    f: FileLike,
    pickle_module: Any = pickle,
    pickle_protocol: int = DEFAULT_PROTOCOL,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Writes an object and the tensors inside it; tensors that share memory share it in the file.

    Args:
        obj: a tensor, a `state_dict`, or anything that pickle can write.
        f: a path, or a file that can be written.
        pickle_module: what writes objects that are no tensors.
        pickle_protocol: the protocol of that.

    Raises:
        RuntimeError: the folder of the path does not exist, or two tensors see the same memory as
            different dtypes.
        AttributeError: `f` is neither a path nor a file.

    Example::

        >>> import io
        >>> file = io.BytesIO()
        >>> torch.save({"weight": torch.ones(2)}, file)
        >>> _ = file.seek(0)
        >>> torch.load(file)
        {'weight': tensor([1., 1.])}
    """
    with ExitStack() as stack:
        if _is_path(f):
            path = os.fspath(f)  # type: ignore[arg-type]
            folder = os.path.dirname(path)
            if folder and not os.path.isdir(folder):
                raise RuntimeError(f"Parent directory {folder} does not exist.")
            name = os.path.splitext(os.path.basename(path))[0]
            file: Any = stack.enter_context(open(path, "wb"))
        elif hasattr(f, "write"):
            name = "archive"
            file = _Forward(f) if _use_new_zipfile_serialization else f
        else:
            raise AttributeError(
                "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
            )
        if _use_new_zipfile_serialization:
            _write(obj, file, name, pickle_module, pickle_protocol, _disable_byteorder_record)
        else:
            _write_legacy(obj, file, pickle_module, pickle_protocol)


class _Forward:
    """A file that is written from here on and never sought in, as one of gzip cannot be.

    The places in an archive count from here, wherever in the file that is.
    """

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, data: Any) -> int:
        self._file.write(data)
        return len(data)

    def flush(self) -> None:
        if hasattr(self._file, "flush"):
            self._file.flush()


class _Storages:
    """The storages that a pickle names, by their addresses."""

    def __init__(self) -> None:
        # Key, storage and the size of its elements.
        self.found: dict[int, tuple[str, Any, int]] = {}
        self._dtypes: dict[int, torch.dtype] = {}

    def reference(self, value: object) -> Any:
        """What stands in the pickle for a storage; None for other objects."""
        if isinstance(value, _storage.TypedStorage):
            untyped, count = value._untyped_storage, value.size()
            # A file has one dtype for each storage; one without memory has nothing to be read as.
            one = self._dtypes.setdefault(untyped._cdata, value.dtype)
            if one is not value.dtype and untyped.data_ptr():
                raise RuntimeError(
                    "Cannot save multiple tensors or storages that view the same data as different types"
                )
            kind: Any = _storage.STORAGE_CLASSES[value.pickle_storage_type()]
        elif isinstance(value, _storage.UntypedStorage):
            untyped, count, kind = value, value.nbytes(), _storage.UntypedStorage
        else:
            return None
        size = untyped.nbytes() // count if count else 1
        key = self.found.setdefault(untyped._cdata, (str(len(self.found)), untyped, size))[0]
        return ("storage", kind, key, str(untyped.device), count)


def _pickler(pickle_module: Any, reference: Callable[[object], Any]) -> Any:
    class Pickler(pickle_module.Pickler):  # type: ignore[misc]
        def persistent_id(self, value: object) -> Any:
            return reference(value)

    return Pickler


def _write_legacy(obj: object, file: IO[bytes], pickle_module: Any, protocol: int) -> None:
    """Pickles one after the other, then the storages: each its number of elements and its bytes."""
    storages = _Storages()

    def reference(value: object) -> Any:
        found = storages.reference(value)
        return None if found is None else (*found, None)  # No storage is a part of another.

    machine = {
        "protocol_version": _LEGACY_PROTOCOL,
        "little_endian": sys.byteorder == "little",
        "type_sizes": {"short": 2, "int": 4, "long": 4},
    }
    for value in (_MAGIC_NUMBER, _LEGACY_PROTOCOL, machine):
        pickle_module.dump(value, file, protocol=protocol)
    _pickler(pickle_module, reference)(file, protocol).dump(obj)
    found = sorted(storages.found.values(), key=lambda entry: int(entry[0]))
    pickle_module.dump([key for key, _, _ in found], file, protocol=protocol)
    file.flush()
    for _, untyped, size in found:
        file.write((untyped.nbytes() // size).to_bytes(8, "little"))
        file.write(memoryview(_on_cpu(untyped)))
    file.flush()


def _write(
    obj: object, file: Any, name: str, pickle_module: Any, protocol: int, no_byteorder: bool
) -> None:
    storages = _Storages()
    data = io.BytesIO()
    _pickler(pickle_module, storages.reference)(data, protocol).dump(obj)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        _write_record(archive, f"{name}/data.pkl", data.getbuffer())
        _write_record(archive, f"{name}/.format_version", b"1")
        _write_record(archive, f"{name}/.storage_alignment", str(ALIGNMENT).encode())
        if not no_byteorder:
            _write_record(archive, f"{name}/byteorder", sys.byteorder.encode())
        for key, untyped, _ in storages.found.values():
            _write_record(archive, f"{name}/data/{key}", memoryview(_on_cpu(untyped)))
        _write_record(archive, f"{name}/version", _VERSION)


def _write_record(archive: zipfile.ZipFile, name: str, data: bytes | memoryview) -> None:
    """Adds an entry whose bytes start at a multiple of ALIGNMENT."""
    entry = zipfile.ZipInfo(name)
    # Every archive gets the same date, so that equal objects give equal files.
    entry.date_time = (1980, 1, 1, 0, 0, 0)
    position = archive.fp.tell() + _LOCAL_HEADER + len(name.encode())  # type: ignore[union-attr]
    if len(data) * 1.05 > zipfile.ZIP64_LIMIT:
        position += 20  # zipfile adds the field with the long sizes
    padding = -(position + 4) % ALIGNMENT
    entry.extra = struct.pack("<2sH", b"FB", padding) + b"Z" * padding
    archive.writestr(entry, data)


def _on_cpu(untyped: Any) -> Any:
    if untyped.device.type == "cpu":
        return untyped
    return _bytes_of(untyped).cpu().untyped_storage()


def _bytes_of(untyped: Any) -> torch.Tensor:
    return torch._C._tensor_from_storage(untyped, torch.uint8, 0, (untyped.nbytes(),), (1,))


# Reading.


def _restore_location(map_location: MapLocation) -> Callable[[Any, str], Any]:
    """What puts a storage read from a file where it belongs; it is told where it was."""
    if callable(map_location):
        choose = map_location

        def chosen(untyped: Any, location: str) -> Any:
            result = choose(untyped, location)
            return default_restore_location(untyped, location) if result is None else result

        return chosen
    if isinstance(map_location, dict):
        places = map_location
        return lambda untyped, location: default_restore_location(
            untyped, places.get(location, location)
        )
    if isinstance(map_location, (str, torch.device)):
        place = str(map_location)
        return lambda untyped, location: default_restore_location(untyped, place)
    if map_location is None:
        return default_restore_location
    raise TypeError(
        f"map_location should be a device, a string, a dict, a function or None, but got {type(map_location).__name__}"
    )


def default_restore_location(storage: Any, location: str) -> Any:
    """What `torch.load` does without `map_location`.

    Args:
        storage: read from a file, on the CPU.
        location: where it was: "cpu", "cuda:0".

    Returns:
        A storage of the same bytes there; on the CPU the same storage.

    Raises:
        RuntimeError: the location is no device, or CUDA is not available.

    Example::

        >>> file = io.BytesIO()
        >>> torch.save(torch.ones(2), file)
        >>> _ = file.seek(0)
        >>> restore = torch.serialization.default_restore_location
        >>> torch.load(file, map_location=lambda storage, location: restore(storage, "cpu"))
        tensor([1., 1.])
    """
    device = torch.device(location)
    if device.type == "cpu":
        return storage
    if device.type == "cuda" and not torch.cuda.is_available():
        raise RuntimeError(
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU."
        )
    return _bytes_of(storage).to(device).untyped_storage()


def location_tag(storage: Any) -> str:
    """What `torch.save` writes of where a storage is.

    Args:
        storage: the storage.

    Example::

        >>> torch.serialization.location_tag(torch.ones(1).untyped_storage())
        'cpu'
    """
    return str(storage.device)


def _get_layout(name: str) -> _C.layout:
    """A layout by the name that files have of it."""
    known = {str(v): v for v in vars(torch).values() if isinstance(v, _C.layout)}
    return known[name]


copyreg.pickle(_C.layout, lambda layout: (_get_layout, (str(layout),)))


def get_unsafe_globals_in_checkpoint(f: FileLike) -> list[str]:
    """The classes and functions that a file names and `torch.load` does not allow.

    Args:
        f: a path, or a file, in the zip format.

    Raises:
        ValueError: the file is no archive.

    Example::

        >>> import io, argparse
        >>> file = io.BytesIO()
        >>> torch.save(argparse.Namespace(), file)
        >>> torch.serialization.get_unsafe_globals_in_checkpoint(file)
        ['argparse.Namespace']
    """
    if not zipfile.is_zipfile(f):
        raise ValueError("Expected input to be a checkpoint returned by torch.save")
    with zipfile.ZipFile(f) as archive:
        name = next(n for n in archive.namelist() if n.endswith("/data.pkl"))
        program = archive.read(name)
    found: dict[str, None] = {}
    texts: list[str] = []
    for opcode, argument, _ in pickletools.genops(program):
        if opcode.name == "STACK_GLOBAL":
            found[".".join(texts[-2:])] = None
        elif isinstance(argument, str) and opcode.name == "GLOBAL":
            found[argument.replace(" ", ".")] = None
        elif isinstance(argument, str):
            texts.append(argument)
    return [name for name in found if not is_allowed(name)]


_WEIGHTS_ONLY_FAILED = "Weights only load failed. "
_RERUN = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` "
    "from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will "
    "likely succeed, but it can result in arbitrary code execution. Do it only if you got the "
    "file from a trusted source."
)
_DOCUMENTATION = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)


def _explain(error: Exception) -> pickle.UnpicklingError:
    """PyTorch's advice around the error of the safe unpickler."""
    text = str(error)
    if "was not an allowed global" in text:
        message = (
            f"{_WEIGHTS_ONLY_FAILED}This file can still be loaded, to do so you have two options, \033[1mdo those steps only if you trust the source of the checkpoint\033[0m. "
            f"\n\t(1) {_RERUN}\n\t(2) Alternatively, to load with `weights_only=True` please check the recommended steps in the following error message.\n\tWeightsUnpickler error: "
            f"{text}"
        )
    else:
        message = f"{_WEIGHTS_ONLY_FAILED}{_RERUN}\n\n\n{text}"
    return pickle.UnpicklingError(message + _DOCUMENTATION)


def _unpickle(
    file: IO[bytes],
    persistent_load: Callable[[Any], Any],
    weights_only: bool,
    pickle_module: Any,
    options: dict[str, Any],
) -> Any:
    if weights_only:
        try:
            return Unpickler(file, persistent_load, **options).load()
        except (pickle.UnpicklingError, ValueError, IndexError, KeyError) as error:
            raise _explain(error) from None

    class FullUnpickler(pickle_module.Unpickler):  # type: ignore[misc]
        def persistent_load(self, reference: Any) -> Any:
            return persistent_load(reference)

    return FullUnpickler(file, **options).load()


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "0") in ("1", "y", "yes", "true")


def _wanted_weights_only(weights_only: bool | None, pickle_module: Any) -> bool:
    """What `load` does after it has read the environment."""
    force, relax = "TORCH_FORCE_WEIGHTS_ONLY_LOAD", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
    if _is_set(force) and _is_set(relax):
        raise RuntimeError(f"Only one of `{force}` or `{relax}` should be set, but both were set.")
    if _is_set(force):
        return True
    if weights_only is None and _is_set(relax):
        warnings.warn(
            f"Environment variable {relax} detected, since the `weights_only` argument was not explicitly passed to `torch.load`, forcing weights_only=False.",
            UserWarning,
            stacklevel=3,
        )
        return False
    return pickle_module is None if weights_only is None else weights_only


def load(
    f: FileLike,
    map_location: MapLocation = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Reads what `save` wrote, here or in PyTorch.

    Args:
        f: a path, or a file that can be read and sought in.
        map_location: where tensors go: a device, a dict from device to device, or a function of a
            storage and its location. None keeps their devices.
        pickle_module: what reads objects that are no tensors; only without `weights_only`.
        weights_only: allows tensors and simple containers only, so that a file cannot run code. The
            default, unless a `pickle_module` is given. The environment variable
            TORCH_FORCE_WEIGHTS_ONLY_LOAD=1 is stronger than the argument;
            TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1 counts where there is none.
        mmap: maps the file into memory instead of reading it; `f` is a path then.
        pickle_load_args: further arguments of the unpickler, such as `encoding="latin1"` for
            strings of Python 2.

    Raises:
        pickle.UnpicklingError: the file is no such file, or has classes that `weights_only` does
            not allow; `add_safe_globals` allows more.
        RuntimeError: the archive is damaged, or the device is missing.
        FileNotFoundError: there is none.

    Example::

        >>> import io
        >>> file = io.BytesIO()
        >>> torch.save(torch.arange(3), file)
        >>> _ = file.seek(0)
        >>> torch.load(file, map_location="cpu")
        tensor([0, 1, 2])
    """
    weights_only = _wanted_weights_only(weights_only, pickle_module)
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if mmap and not _is_path(f):
        raise ValueError("f must be a file path in order to use the mmap argument")
    restore = _restore_location(map_location)
    unpickle: Callable[..., Any] = lambda file, references: _unpickle(  # noqa: E731
        file,
        references,
        bool(weights_only),
        pickle_module or pickle,
        {"encoding": "utf-8", **pickle_load_args},
    )
    with ExitStack() as stack:
        if _is_path(f):
            file: IO[bytes] = stack.enter_context(open(f, "rb"))  # type: ignore[arg-type]
        elif hasattr(f, "read") and hasattr(f, "seek"):
            file = f  # type: ignore[assignment]
        else:
            raise AttributeError(
                f"'{type(f).__name__}' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead."
            )
        start = file.tell()
        magic = file.read(4)
        file.seek(start)
        if magic == b"PK\x03\x04":
            return _load_zip(file, restore, unpickle, bool(mmap))
        if mmap:
            raise RuntimeError(
                f"mmap can only be used with files saved with `torch.save({f}, _use_new_zipfile_serialization=True)`, please torch.save your checkpoint with this option in order to use mmap."
            )
        return _load_legacy(file, restore, unpickle)


class PyTorchFileReader:
    """The entries of a file of `torch.save`, for programs that read it themselves.

    Args:
      file: a path, or a binary file that can seek.

    Example::

        >>> file = io.BytesIO()
        >>> torch.save({"a": torch.ones(2)}, file)
        >>> reader = torch.PyTorchFileReader(file)
        >>> reader.get_all_records()
        ['data.pkl', '.format_version', '.storage_alignment', 'byteorder', 'data/0', 'version']
        >>> reader.get_storage_from_record("data/0", 2, torch.float32)
        tensor([1., 1.])
    """

    def __init__(self, file: Any) -> None:
        self._archive = _open_zip(file)
        names = self._archive.namelist()
        self._root = names[0].partition("/")[0] + "/" if names else ""

    def has_record(self, name: str) -> bool:
        """Whether the file has an entry.

        Args:
            name: of the entry, without the file's own folder.
        """
        return self._root + name in self._archive.NameToInfo

    def get_all_records(self) -> list[str]:
        """The names of its entries."""
        return [name.removeprefix(self._root) for name in self._archive.namelist()]

    def get_record(self, name: str) -> bytes:
        """The bytes of an entry.

        Args:
            name: of the entry, without the file's own folder.

        Raises:
            RuntimeError: there is none of the name.
        """
        if not self.has_record(name):
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found")
        return self._archive.read(self._root + name)

    def get_storage_from_record(self, name: str, numel: int, dtype: Any) -> Any:
        """The elements of an entry, as a tensor of one dimension.

        Args:
            name: of the entry.
            numel: how many elements from the beginning.
            dtype: of the elements.

        Raises:
            RuntimeError: there is none of the name.
            ValueError: it has fewer elements.
        """
        from torch.functional import frombuffer

        return frombuffer(bytearray(self.get_record(name)), dtype=dtype, count=numel)


class _Seekable:
    """A file that can seek and does not say so, which zipfile asks of it."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def seekable(self) -> bool:
        return True


def _open_zip(file: IO[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file if hasattr(file, "seekable") else _Seekable(file))
    except zipfile.BadZipFile:
        raise RuntimeError(
            "PytorchStreamReader failed reading zip archive: failed finding central directory. "
            "There is a high likelihood that your checkpoint file is corrupted. This can happen if the checkpoint was not saved properly, was transferred incorrectly, or the file was modified after saving."
        ) from None


def _load_zip(
    file: IO[bytes], restore: Callable[[Any, str], Any], unpickle: Callable[..., Any], mmap: bool
) -> Any:
    with _open_zip(file) as archive:
        names = set(archive.namelist())
        pickles = [n for n in names if n.endswith("/data.pkl")]
        if not pickles:
            raise RuntimeError(
                "PytorchStreamReader failed locating file data.pkl: file not found. The archive has no such entry, so torch.save did not write it."
            )
        root = pickles[0][: -len("data.pkl")]
        if root + "byteorder" in names:
            order = archive.read(root + "byteorder").decode()
            if order not in ("little", "big"):
                raise ValueError(f"Unknown endianness type: {order}")
        else:
            order = (_load_endianness or LoadEndianness.LITTLE).name.lower()
        swapped = order not in ("native", sys.byteorder)
        mapped = _mmap.mmap(file.fileno(), 0, access=_mmap.ACCESS_COPY) if mmap else None
        loaded: dict[str, Any] = {}

        def read(key: str) -> Any:
            entry = archive.getinfo(f"{root}data/{key}")
            if mapped is not None:
                name_size, extra_size = struct.unpack_from("<HH", mapped, entry.header_offset + 26)
                start = entry.header_offset + _LOCAL_HEADER + name_size + extra_size
                return _storage.UntypedStorage._share_buffer(mapped, start, entry.file_size)
            untyped = _storage.UntypedStorage(entry.file_size)
            view = memoryview(untyped)
            if entry.compress_type == zipfile.ZIP_STORED:
                # Straight into the storage: zipfile would copy each byte once more.
                fp = cast(IO[bytes], archive.fp)
                fp.seek(entry.header_offset + 26)
                name_size, extra_size = struct.unpack("<HH", fp.read(4))
                fp.seek(name_size + extra_size, io.SEEK_CUR)
                _fill(view, fp)
                if zlib.crc32(view) != entry.CRC:
                    raise zipfile.BadZipFile(f"Bad CRC-32 for file {entry.filename!r}")
                return untyped
            with archive.open(entry) as record:
                _fill(view, record)
                record.read(1)  # at the end zipfile compares the checksum
            return untyped

        def persistent_load(reference: Any) -> Any:
            kind, cls, key, location, _ = reference
            if _text(kind) != "storage":
                raise RuntimeError(f"Unknown typename for persistent_load, expected 'storage' but got '{kind}'")  # fmt: skip
            if key not in loaded:
                untyped = read(key)
                if swapped and cls is not _storage.UntypedStorage:
                    untyped.byteswap(cls.dtype)
                loaded[key] = restore(untyped, _text(location))
            return _typed(cls, loaded[key])

        with archive.open(root + "data.pkl") as record:
            return unpickle(io.BytesIO(record.read()), persistent_load)


def _fill(view: memoryview, file: Any) -> None:
    """Reads as many bytes as `view` has, with `readinto` where the file has it: it copies once."""
    done = 0
    while done < len(view):
        if hasattr(file, "readinto"):
            count = file.readinto(view[done:])
        else:
            data = file.read(len(view) - done)
            count = len(data)
            view[done : done + count] = data
        if not count:
            raise RuntimeError(
                f"unexpected EOF, expected {len(view) - done} more bytes. The file might be corrupted."
            )
        done += count


def _text(word: Any) -> str:
    """A word of the format itself, which `encoding="bytes"` leaves as Python 2 wrote it."""
    return word.decode("ascii") if isinstance(word, bytes) else str(word)


def _typed(cls: Any, untyped: Any) -> Any:
    """A storage of the class that a file names."""
    if cls is _storage.UntypedStorage:
        return untyped
    return _storage.TypedStorage(wrap_storage=untyped, dtype=cls.dtype)


def _load_legacy(
    file: IO[bytes], restore: Callable[[Any, str], Any], unpickle: Callable[..., Any]
) -> Any:
    """The format before the zip archives: pickles one after the other, then the storages."""

    def no_reference(reference: Any) -> Any:
        raise pickle.UnpicklingError("a reference to a storage before there are any")

    if not file.read(1):
        raise EOFError("Ran out of input")
    file.seek(-1, io.SEEK_CUR)
    if unpickle(file, no_reference) != _MAGIC_NUMBER:
        raise RuntimeError("Invalid magic number; corrupt file?")
    protocol = unpickle(file, no_reference)
    if protocol != _LEGACY_PROTOCOL:
        raise RuntimeError(f"Invalid protocol version: {protocol}")
    machine = unpickle(file, no_reference)
    swapped = machine.get("little_endian", True) is not (sys.byteorder == "little")
    places: dict[str, tuple[Any, int]] = {}
    storages: dict[str, Any] = {}
    parts: dict[str, Any] = {}

    def persistent_load(reference: Any) -> Any:
        if _text(reference[0]) == "module":
            # A class of a module, beside which PyTorch's legacy format keeps its source.
            return reference[1]
        _, cls, key, location, count, part = reference
        item = 1 if cls is _storage.UntypedStorage else cls.dtype.itemsize
        if key not in storages:
            storages[key] = restore(_storage.UntypedStorage(count * item), _text(location))
            places[key] = (cls, count * item)
        if part is None:
            return _typed(cls, storages[key])
        # A slice of a storage, which PyTorch before 0.4 could write.
        name, start, count = part
        if name not in parts:
            parts[name] = storages[key][start * item : (start + count) * item]
        return _typed(cls, parts[name])

    result = unpickle(file, persistent_load)
    for key in unpickle(file, no_reference):
        cls, size = places[key]
        file.read(8)  # the number of elements
        found = storages[key]
        on_cpu = found if found.device.type == "cpu" else _storage.UntypedStorage(size)
        _fill(memoryview(on_cpu)[:size], file)
        if swapped and cls is not _storage.UntypedStorage:
            on_cpu.byteswap(cls.dtype)
        if on_cpu is not found:
            _bytes_of(found).copy_(_bytes_of(on_cpu))
    return result


__getattr__ = _absent.explain(__name__)

__all__ = [
    "add_safe_globals",
    "clear_safe_globals",
    "default_restore_location",
    "get_safe_globals",
    "load",
    "location_tag",
    "safe_globals",
    "save",
]

"""Storages: the memory of tensors, untyped and with elements."""

from __future__ import annotations

import copy
import pickle
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import TypedStorage, UntypedStorage


def test_an_untyped_storage_is_a_sequence_of_bytes() -> None:
    storage = UntypedStorage([1, 2, 259])
    assert storage.tolist() == list(storage) == [1, 2, 3]
    assert len(storage) == storage.nbytes() == storage.size() == 3
    storage[0] = 7
    assert storage[0] == 7
    assert storage[-1] == 3
    assert 2 in storage
    part = storage[1:]
    part[0] = 9
    assert storage.tolist() == [7, 9, 3]
    assert storage.fill_(5).tolist() == [5, 5, 5]
    assert storage.copy_(UntypedStorage([1, 2, 3])).tolist() == [1, 2, 3]
    assert repr(storage).endswith("[torch.storage.UntypedStorage(device=cpu) of size 3]")
    assert sys.getsizeof(storage) > 3
    assert storage.untyped() is storage
    assert UntypedStorage(4, device="meta").device.type == "meta"
    assert repr(UntypedStorage(4, device="meta")).startswith("...\n")


def test_every_storage_is_of_the_one_class() -> None:
    class Own(UntypedStorage):
        """With an attribute."""

    own = Own(3)
    own.note = "kept"  # type: ignore[attr-defined]
    assert type(own) is Own
    assert len(own) == 3
    storage = torch.ones(2).untyped_storage()
    assert type(storage) is UntypedStorage
    assert type(storage.clone()) is UntypedStorage
    reference = weakref.ref(storage)
    assert reference() is storage
    del storage
    assert reference() is None


def test_storages_are_copied_and_pickled() -> None:
    storage = UntypedStorage([1, 2, 3])
    for other in (copy.copy(storage), copy.deepcopy(storage), pickle.loads(pickle.dumps(storage))):
        assert other.data_ptr() != storage.data_ptr()
        assert other.tolist() == [1, 2, 3]
    x = torch.arange(4.0)
    a, b = copy.deepcopy([x[:2], x[2:]])
    assert a.untyped_storage()._cdata == b.untyped_storage()._cdata != x.untyped_storage()._cdata
    typed = torch.FloatStorage([1, 2])
    assert copy.deepcopy(typed).tolist() == pickle.loads(pickle.dumps(typed)).tolist() == [1, 2]


def test_bytes_are_swapped() -> None:
    storage = UntypedStorage([1, 2, 3, 4])
    storage.byteswap(torch.int16)
    assert storage.tolist() == [2, 1, 4, 3]
    with pytest.raises(RuntimeError, match="the length of data is not a multiple of 8"):
        storage.byteswap(torch.int64)


def test_typed_storages_are_made() -> None:
    assert TypedStorage([1, 2], dtype=torch.float32).tolist() == [1.0, 2.0]
    assert TypedStorage(4, dtype=torch.int32).nbytes() == 16
    assert TypedStorage().dtype is torch.float32
    wrapped = TypedStorage(wrap_storage=UntypedStorage([1, 0]), dtype=torch.int16)
    assert wrapped.tolist() == [1]
    assert list(torch.HalfStorage([1]).float()) == [1.0]
    assert isinstance(torch.FloatStorage(2), torch.FloatStorage)
    assert not isinstance(torch.FloatStorage(2), torch.HalfStorage)
    numbers = torch.IntStorage.from_buffer(b"\x00\x00\x00\x01", byte_order="big")
    assert numbers.tolist() == [1]
    assert torch.ByteStorage.from_buffer(b"abc").tolist() == [97, 98, 99]


def test_tensors_are_made_of_storages() -> None:
    assert torch.tensor(UntypedStorage([1, 2]), dtype=torch.uint8).tolist() == [1, 2]
    assert torch.tensor(torch.FloatStorage([1, 2])).tolist() == [1.0, 2.0]
    assert torch.tensor(torch.LongStorage([1, 2]), dtype=torch.int64).tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="Expected a Storage of type Long"):
        torch.tensor(torch.FloatStorage([1, 2]), dtype=torch.int64)
    storage = torch.FloatStorage([3, 4])
    shared = torch.FloatTensor(storage)
    shared[0] = 8
    assert storage[0] == 8


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: UntypedStorage([1.5]), RuntimeError, "one of the items was of type float"),
        (lambda: UntypedStorage("a"), RuntimeError, r"from a sequence \(str\), but one of the"),
        (lambda: UntypedStorage(-1), RuntimeError, "must be non-negative, but got -1"),
        (lambda: UntypedStorage(None), TypeError, "expected a size or a sequence, got NoneType"),
        (lambda: UntypedStorage(3)["a"], TypeError, "can't index a torch.UntypedStorage with str"),
        (lambda: UntypedStorage(3)[9], IndexError, "index 9 out of range for storage of size 3"),
        (lambda: UntypedStorage(3)[::2], RuntimeError, "only a step of 1 is supported"),
        (lambda: UntypedStorage(3).copy_(UntypedStorage(4)), RuntimeError, "self was 3 bytes"),
        (lambda: UntypedStorage(3, device="meta")[0], NotImplementedError, "Not available for"),
        (lambda: torch.FloatStorage([1, 2])[:1], RuntimeError, "slices are only supported in"),
        (lambda: torch.FloatStorage(device="cpu"), RuntimeError, "'device' cannot be specified"),
        (lambda: TypedStorage(1, 2), RuntimeError, "a size or a sequence, but got 2 arguments"),
        (lambda: TypedStorage(wrap_storage=3), TypeError, "must be UntypedStorage, but got int"),
        (lambda: TypedStorage(None), TypeError, "Argument type not recognized"),
        (
            lambda: torch.Tensor(torch.ByteStorage([3, 4])),
            RuntimeError,
            "Expected a Storage of type Float or an UntypedStorage, but got type Byte",
        ),
        (
            lambda: torch.ByteStorage.from_buffer(b"a", byte_order="middle"),
            ValueError,
            "byte_order must be 'native', 'little' or 'big', but got middle",
        ),
        (
            lambda: torch.IntStorage.from_buffer(b"abc", "native"),
            ValueError,
            r"buffer size \(3\) must be a multiple of 4",
        ),
    ],
)
def test_wrong_storages(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call()


def test_a_mapped_storage_knows_its_file(tmp_path: Path) -> None:
    path = str(tmp_path / "numbers")
    shared = torch.UntypedStorage.from_file(path, shared=True, nbytes=8)
    assert shared.filename == path
    assert torch.UntypedStorage.from_file(path, shared=False, nbytes=8).filename is None
    assert torch.UntypedStorage(8).filename is None
    numbers = torch.FloatStorage.from_file(path, shared=True, size=2)
    numbers.fill_(1.5)
    assert (numbers.dtype, numbers.tolist()) == (torch.float32, [1.5, 1.5])
    assert torch.FloatStorage.from_file(path).tolist() == [1.5, 1.5]
    assert torch.ByteStorage.from_file(path, size=3).size() == 3
    with pytest.raises(
        RuntimeError, match="size <8> is smaller than the required mapping size <24>"
    ):
        torch.DoubleStorage.from_file(path, size=3)
    with pytest.raises(RuntimeError, match="'little' or 'big', but got None"):
        torch.IntStorage.from_buffer(bytes(8))

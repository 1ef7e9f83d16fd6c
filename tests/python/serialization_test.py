"""torch.save and torch.load: PyTorch's zip format, and what a file may do to its reader."""

from __future__ import annotations

import argparse
import collections
import copy
import gzip
import io
import os
import pathlib
import pickle
import pickletools
import struct
import zipfile
from typing import Any

import pytest
import torch
from torch import nn


def saved(obj: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(obj, buffer)
    return buffer.getvalue()


def loaded(data: bytes, **options: object) -> object:
    return torch.load(io.BytesIO(data), **options)


def test_archive_has_the_entries_of_the_format(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.pt"
    torch.save({"x": torch.arange(3.0), "y": torch.tensor([True])}, path)
    raw = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert names[0] == "model/data.pkl"
        assert {"model/byteorder", "model/version", "model/data/0", "model/data/1"} <= set(names)
        assert archive.read("model/version") == b"3\n"
        assert archive.read("model/byteorder") in (b"little", b"big")
        assert archive.read("model/data/0") == struct.pack("=3f", 0, 1, 2)
        for entry in archive.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED
            name_size, extra_size = struct.unpack_from("<HH", raw, entry.header_offset + 26)
            start = entry.header_offset + 30 + name_size + extra_size
            assert start % 64 == 0, entry.filename
            assert raw[start : start + entry.file_size] == archive.read(entry)


def test_pickle_names_what_pytorch_names() -> None:
    with zipfile.ZipFile(io.BytesIO(saved(nn.Parameter(torch.ones(2, 3))))) as archive:
        operations = list(pickletools.genops(archive.read("archive/data.pkl")))
    names = [argument for opcode, argument, _ in operations if opcode.name == "GLOBAL"]
    assert names == [
        "torch._utils _rebuild_parameter",
        "torch._utils _rebuild_tensor_v2",
        "torch FloatStorage",
        "collections OrderedDict",
    ]
    assert operations[0][:2] == (pickletools.code2op["\x80"], 2)
    texts = [argument for opcode, argument, _ in operations if opcode.name == "BINUNICODE"]
    assert texts == ["storage", "0", "cpu"]


def test_equal_objects_give_equal_files() -> None:
    assert saved([torch.ones(3)]) == saved([torch.ones(3)])


DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
    torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("mmap", [False, True])
def test_every_dtype_comes_back(dtype: torch.dtype, mmap: bool, tmp_path: pathlib.Path) -> None:
    x = torch.tensor([[1, 0, 1], [0, 1, 1]]).to(dtype)
    torch.save(x.t(), tmp_path / "x.pt")
    y = torch.load(tmp_path / "x.pt", mmap=mmap)
    assert y.dtype is dtype
    assert y.stride() == (1, 3)
    assert y.equal(x.t())


def test_types_without_a_storage_class() -> None:
    x = torch.empty(2, dtype=torch.uint16)
    y = loaded(saved(x))
    assert y.dtype is torch.uint16
    assert bytes(y.untyped_storage()) == bytes(x.untyped_storage())


def test_tensors_share_memory_after_loading() -> None:
    x = torch.arange(6.0)
    first, second = loaded(saved([x, x[2:]]))
    second[0] = 9
    assert first[2].item() == 9
    assert second.storage_offset() == 2


def test_plain_objects_come_back() -> None:
    obj = {
        "numbers": [1, -5, 2.5, 2**70, True, None, 1 + 2j],
        "text": ("x", b"bytes", "ü"),
        "sets": {1, 2},
        "ordered": collections.OrderedDict(a=1),
        "counter": collections.Counter("aab"),
        "torch": [torch.float32, torch.device("cpu"), torch.Size([1, 2])],
        "empty": [(), [], {}, torch.empty(0)],
    }
    result = loaded(saved(obj))
    assert repr(result) == repr(obj)


def test_requires_grad_and_parameters() -> None:
    x, p = loaded(saved([torch.ones(2, requires_grad=True), nn.Parameter(torch.ones(1), False)]))
    assert x.requires_grad and x.is_leaf
    assert type(p) is nn.Parameter
    assert not p.requires_grad


def test_state_dict_round_trip() -> None:
    def network() -> nn.Module:
        return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))

    first, second = network(), network()
    second.load_state_dict(loaded(saved(first.state_dict())))
    x = torch.rand(5, 3)
    assert second(x).equal(first(x))


def test_optimizer_state_round_trip() -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    state = loaded(saved(optimizer.state_dict()))
    other = torch.optim.Adam(model.parameters())
    other.load_state_dict(state)
    assert other.param_groups[0]["lr"] == 0.1
    assert other.state[model.weight]["exp_avg"].equal(optimizer.state[model.weight]["exp_avg"])


def test_map_location() -> None:
    data = saved({"x": torch.ones(2)})
    assert loaded(data, map_location="meta")["x"].is_meta
    assert loaded(data, map_location=torch.device("meta"))["x"].is_meta
    assert loaded(data, map_location={"cpu": "meta"})["x"].is_meta
    seen = []

    def choose(storage: object, location: str) -> object:
        seen.append(location)
        return storage

    assert loaded(data, map_location=choose)["x"].tolist() == [1, 1]
    assert seen == ["cpu"]
    with pytest.raises(TypeError, match="map_location should be a device, a string"):
        loaded(data, map_location=3)


def test_file_from_a_machine_with_cuda() -> None:
    with zipfile.ZipFile(io.BytesIO(saved(torch.ones(1)))) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    text = b"X\x03\x00\x00\x00cpu"
    assert entries["archive/data.pkl"].count(text) == 1
    entries["archive/data.pkl"] = entries["archive/data.pkl"].replace(
        text, b"X\x06\x00\x00\x00cuda:0"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    with pytest.raises(
        RuntimeError,
        match=r"Attempting to deserialize object on a CUDA device but torch.cuda.is_available\(\) "
        "is False",
    ):
        loaded(buffer.getvalue())
    assert loaded(buffer.getvalue(), map_location="cpu").tolist() == [1]


class Payload:
    """Runs code when it is unpickled."""

    ran = False

    def __reduce__(self) -> object:
        return Payload.run, ()

    @staticmethod
    def run() -> None:
        Payload.ran = True


def test_loading_runs_no_code() -> None:
    data = saved({"x": Payload()})
    with pytest.raises(pickle.UnpicklingError) as caught:
        loaded(data)
    assert not Payload.ran
    text = str(caught.value)
    assert text.startswith("Weights only load failed. This file can still be loaded, to do so")
    assert "Re-running `torch.load` with `weights_only` set to `False` will likely succeed" in text
    assert "Unsupported global: GLOBAL" in text
    loaded(data, weights_only=False)
    assert Payload.ran


def test_the_error_says_what_to_allow() -> None:
    data = saved(pathlib.PurePosixPath("x"))
    with pytest.raises(
        pickle.UnpicklingError,
        match=r"Unsupported global: GLOBAL pathlib\S*\.PurePosixPath was not an allowed global by "
        r"default. Please use `torch.serialization.add_safe_globals\(\[pathlib\S*\.PurePosixPath\]"
        r"\)` or the `torch.serialization.safe_globals\(\[pathlib\S*\.PurePosixPath\]\)` context",
    ):
        loaded(data)
    with torch.serialization.safe_globals([pathlib.PurePosixPath]):
        assert loaded(data) == pathlib.PurePosixPath("x")
    assert torch.serialization.get_safe_globals() == []


def test_the_system_stays_out_of_reach() -> None:
    data = saved(os.system)
    with (
        torch.serialization.safe_globals([os.system]),
        pytest.raises(
            pickle.UnpicklingError, match=r"unsupported GLOBAL posix.system whose module"
        ),
    ):
        loaded(data)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (b"\x80\x02ctorch\nFloatStorage\n)R.", None),
        (b"\x80\x02ccollections\nOrderedDict\n}X\x01\x00\x00\x00xK\x01sb.", "Can only build"),
        (b"\x80\x02K\x01K\x02a.", "Can only fill a list"),
        (b"\x80\x02K\x01)R.", "unrecognized function"),
        (b"\x80\x02(i__main__\nX\n.", "Unsupported operand"),
        (b"\x80\x02X\x01\x00\x00\x00x)\x81.", "unsupported class"),
        (b"\x80\x02h\x05.", "entry 5 of its memo"),
    ],
    ids=["class", "build", "append", "reduce", "inst", "newobj", "memo"],
)
def test_crooked_pickles(code: bytes, message: str | None) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", code)
    if message is None:
        assert len(loaded(buffer.getvalue())) == 0
        return
    with pytest.raises(pickle.UnpicklingError, match=message):
        loaded(buffer.getvalue())


def test_a_tensor_cannot_look_outside_its_storage() -> None:
    with zipfile.ZipFile(io.BytesIO(saved(torch.ones(4)))) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    # The size (4,) as the pickle has it, behind the offset 0.
    pickled = entries["archive/data.pkl"].replace(b"QK\x00K\x04\x85", b"QK\x00K\x28\x85")
    assert pickled != entries["archive/data.pkl"]
    entries["archive/data.pkl"] = pickled
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 16"):
        loaded(buffer.getvalue())


def test_broken_files(tmp_path: pathlib.Path) -> None:
    data = saved(torch.ones(100))
    with pytest.raises(RuntimeError, match="failed finding central directory"):
        loaded(data[:-100])
    with pytest.raises(EOFError):
        loaded(b"")
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "missing.pt")
    with pytest.raises(RuntimeError, match=r"Parent directory \S+ does not exist"):
        torch.save(1, tmp_path / "no" / "x.pt")
    with pytest.raises(AttributeError, match="expected 'f' to be string, path, or a file-like"):
        torch.save(1, 2)
    with pytest.raises(AttributeError, match="You can only torch.load from a file that is seek"):
        torch.load(3)
    flipped = bytearray(data)
    position = flipped.index(struct.pack("=4f", 1, 1, 1, 1))
    flipped[position] ^= 1
    with pytest.raises(zipfile.BadZipFile, match="Bad CRC-32"):
        loaded(bytes(flipped))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("something", b"else")
    with pytest.raises(RuntimeError, match="failed locating file data.pkl"):
        loaded(buffer.getvalue())


def test_the_format_before_the_archives() -> None:
    def pickled(obj: object) -> bytes:
        class Pickler(pickle.Pickler):
            def persistent_id(self, value: object) -> object:
                if isinstance(value, torch.storage.TypedStorage):
                    return ("storage", torch.FloatStorage, "7", "cpu", 3, None)
                return None

        buffer = io.BytesIO()
        Pickler(buffer, 2).dump(obj)
        return buffer.getvalue()

    x = torch.tensor([1.0, 2.0, 3.0])
    data = pickled(0x1950A86A20F9469CFC6C) + pickled(1001) + pickled({"little_endian": True})
    data += pickled({"x": x}) + pickled(["7"]) + struct.pack("=q3f", 3, 1, 2, 3)
    assert loaded(data)["x"].tolist() == [1, 2, 3]
    with pytest.raises(RuntimeError, match="Invalid magic number; corrupt file"):
        loaded(pickled(1))


def _old_file(result: bytes, keys: bytes, *numbers: float) -> bytes:
    """A file before the archives: the pickle of the object, the list of keys, one storage."""
    head = [pickle.dumps(part, 2) for part in (0x1950A86A20F9469CFC6C, 1001, {})]
    data = struct.pack(f"=q{len(numbers)}f", len(numbers), *numbers)
    return b"".join([*head, result, keys, data])


@pytest.mark.parametrize("weights_only", [False, True])
def test_strings_of_python_2(weights_only: bool) -> None:
    """What Python 2 wrote has the words of the format as bytes too."""
    number = b"\x8a\x01\x02"
    tensor = (
        b"ctorch._utils\n_rebuild_tensor_v2\n((U\x07storagectorch\nFloatStorage\nU\x017U\x03cpu"
        + number + b"NtQK\x00K\x02\x85K\x01\x85\x89NtR"
    )  # fmt: skip
    data = _old_file(b"\x80\x02](U\x02\xc5\xbc" + tensor + b"e.", b"\x80\x02]U\x017a.", 3, 4)
    for encoding, text in (("bytes", b"\xc5\xbc"), ("utf-8", "\u017c")):
        found = torch.load(io.BytesIO(data), weights_only=weights_only, encoding=encoding)
        assert found[0] == text and found[1].tolist() == [3, 4]


def test_slices_of_storages() -> None:
    def slice_at(start: int) -> bytes:
        words = (f"slice {start}", start, 1)
        return (
            b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x007X\x03\x00\x00\x00cpuK\x02"
            + pickle.dumps(words, 2)[2:-1] + b"tQ"
        )  # fmt: skip

    data = _old_file(
        b"\x80\x02" + slice_at(0) + slice_at(1) + b"\x86.", b"\x80\x02]X\x01\x00\x00\x007a.", 5, 6
    )
    first, second = loaded(data)
    assert (first.tolist(), second.tolist()) == ([5], [6])
    assert second.data_ptr() == first.data_ptr() + 4


def test_old_files_go_where_map_location_says() -> None:
    file = io.BytesIO()
    x = torch.rand(3)
    torch.save({"x": x}, file, _use_new_zipfile_serialization=False)
    data = file.getvalue()
    assert torch.load(io.BytesIO(data), map_location="meta")["x"].is_meta
    assert torch.load(io.BytesIO(data), map_location={"cpu": "meta"})["x"].shape == (3,)
    assert torch.equal(torch.load(io.BytesIO(data))["x"], x)
    with pytest.raises(RuntimeError, match="unexpected EOF, expected 4 more bytes"):
        loaded(data[:-4])


def test_storages_without_memory_have_any_dtype() -> None:
    empty = torch.tensor([], dtype=torch.float64)
    as_bytes = torch.TypedStorage(wrap_storage=empty.untyped_storage(), dtype=torch.uint8)
    first, second = loaded(saved([empty, as_bytes]))
    assert (first.dtype, second.dtype, len(second)) == (torch.float64, torch.uint8, 0)
    full = torch.ones(2)
    as_bytes = torch.TypedStorage(wrap_storage=full.untyped_storage(), dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        saved([full, as_bytes])


class _Plain:
    """A file with the fewest methods."""

    def __init__(self, data: bytes = b"") -> None:
        self._file = io.BytesIO(data)
        self.read, self.seek, self.tell = self._file.read, self._file.seek, self._file.tell
        self.write, self.readline = self._file.write, self._file.readline

    def flush(self) -> None:
        self.flushed = self._file.getvalue()


@pytest.mark.parametrize("zipped", [False, True])
def test_files_with_few_methods(zipped: bool) -> None:
    class Reading(_Plain):
        """A file that fills memory of others."""

        into = 0

        def readinto(self, memory: memoryview) -> int:
            self.into += 1
            return self._file.readinto(memory[:1000])

    x = torch.rand(1000)
    out = _Plain()
    torch.save(x, out, _use_new_zipfile_serialization=zipped)
    data = out._file.getvalue()
    assert out.flushed == data, "what is written is in the file"
    assert torch.equal(torch.load(_Plain(data)), x)
    file = Reading(data)
    assert torch.equal(torch.load(file), x)
    assert file.into == 4


def test_pickle_and_copy() -> None:
    x = nn.Parameter(torch.tensor([1.0, 2.0]))
    x.mark = "kept"
    for y in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), copy.copy(x)):
        assert type(y) is nn.Parameter
        assert y.tolist() == [1.0, 2.0]
    assert pickle.loads(pickle.dumps(x)).mark == "kept"
    assert copy.copy(x).data_ptr() == x.data_ptr()

    with_state = torch.ones(2).as_subclass(WithState)
    with_state.secret = 3
    assert pickle.loads(pickle.dumps(with_state)).secret == 4
    class_of_test = Subclass.make(torch.ones(2))
    y = pickle.loads(pickle.dumps(class_of_test))
    assert type(y) is Subclass
    assert y.note == "n"


class WithState(torch.Tensor):
    secret: int

    def __getstate__(self) -> tuple[str, int]:
        return ("kept", self.secret)

    def __setstate__(self, state: tuple[str, int]) -> None:
        word, secret = state
        assert word == "kept"
        self.secret = secret + 1


class Subclass(torch.Tensor):
    __slots__ = ("note",)

    @staticmethod
    def make(tensor: torch.Tensor) -> Subclass:
        result = tensor.as_subclass(Subclass)
        result.note = "n"
        return result


def test_modules_are_pickled() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.1))
    x = torch.ones(1, 2)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        other.eval()
        assert other(x).equal(model.eval()(x))
        assert other[0].weight is not model[0].weight


def test_untyped_storage() -> None:
    storage = torch.UntypedStorage(4)
    memoryview(storage)[:] = b"\x00\x00\x80?"
    assert len(storage) == storage.nbytes() == 4
    x = torch._C._tensor_from_storage(storage, torch.float32, 0, (1,), (1,))
    assert x.item() == 1
    assert x.untyped_storage().data_ptr() == storage.data_ptr()
    copied = pickle.loads(pickle.dumps(storage))
    assert bytes(copied) == bytes(storage)
    storage.resize_(8)
    assert bytes(storage)[:4] == bytes(copied)
    assert torch.ones(3).storage().tolist() == [1, 1, 1]
    with pytest.raises(RuntimeError, match="not resizable"):
        torch.UntypedStorage._share_buffer(bytearray(4)).resize_(8)
    with pytest.raises(ValueError, match="outside a buffer of 4 bytes"):
        torch.UntypedStorage._share_buffer(bytearray(4), 2, 4)


def test_the_older_format_is_written_too() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    file = io.BytesIO()
    values = {"x": x, "row": x[1], "n": torch.ones(3, dtype=torch.int64), "bits": x.bool()}
    torch.save(values, file, _use_new_zipfile_serialization=False)
    assert not zipfile.is_zipfile(file)
    file.seek(0)
    loaded = torch.load(file)
    for name, value in values.items():
        assert torch.equal(loaded[name], value)
    loaded["x"][1, 0] = 9
    assert loaded["row"][0] == 9


def test_typed_storages_convert() -> None:
    storage = torch.arange(3.0).storage()
    assert storage.float() is storage
    assert storage.cpu() is storage
    assert storage.double().type() == "torch.DoubleStorage"
    assert storage.type(torch.IntStorage).tolist() == [0, 1, 2]
    assert storage.type("torch.LongStorage").dtype == torch.int64
    assert storage.bool().tolist() == [False, True, True]
    assert storage.clone().fill_(7).tolist() == [7, 7, 7]
    assert storage.copy_(torch.ones(3).storage()).tolist() == [1, 1, 1]
    assert storage.get_device() == -1
    storage.resize_(5)
    assert storage.size() == 5


def test_layouts_are_saved() -> None:
    file = io.BytesIO()
    torch.save([torch.strided, torch.sparse_coo], file)
    assert b"torch.serialization" in file.getvalue()
    file.seek(0)
    assert torch.load(file) == [torch.strided, torch.sparse_coo]


def test_what_torch_load_would_refuse_is_listed() -> None:
    file = io.BytesIO()
    torch.save({"options": argparse.Namespace(), "weights": torch.ones(2)}, file)
    listed = torch.serialization.get_unsafe_globals_in_checkpoint
    assert listed(file) == ["argparse.Namespace"]
    with torch.serialization.safe_globals([argparse.Namespace]):
        assert listed(file) == []
    with pytest.raises(ValueError, match="a checkpoint returned by torch.save"):
        listed(io.BytesIO(b"nothing"))


def test_the_environment_decides_whether_a_file_may_run_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = saved(argparse.Namespace(x=1))
    monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")
    with pytest.warns(UserWarning, match="forcing weights_only=False"):
        assert loaded(data) == argparse.Namespace(x=1)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        loaded(data, weights_only=True)
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(RuntimeError, match="Only one of `TORCH_FORCE_WEIGHTS_ONLY_LOAD`"):
        loaded(data)
    monkeypatch.delenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        loaded(data, weights_only=False)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_file_has_one_dtype_for_each_storage(zipped: bool) -> None:
    x = torch.rand(4)
    for pair in ([x, x.view(torch.int32)], [x.storage(), x.view(torch.int32).storage()]):
        with pytest.raises(RuntimeError, match="view the same data as different types"):
            torch.save(pair, io.BytesIO(), _use_new_zipfile_serialization=zipped)
    torch.save([x, x[1:], x.view(2, 2)], io.BytesIO(), _use_new_zipfile_serialization=zipped)


def with_byteorder(data: bytes, order: bytes | None) -> bytes:
    """The archive with another note of the order of its bytes, or without."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(result, "w") as new:
        for name in old.namelist():
            if not name.endswith("/byteorder"):
                new.writestr(name, old.read(name))
            elif order is not None:
                new.writestr(name, order)
    return result.getvalue()


@pytest.mark.parametrize("dtype", [torch.int16, torch.float32, torch.bfloat16, torch.complex128])
def test_the_bytes_of_the_other_order_are_turned(dtype: torch.dtype) -> None:
    x = torch.randint(1, 9, (5,)).to(dtype)
    turned = x.clone()
    turned.untyped_storage().byteswap(dtype)
    data = saved(turned)
    assert torch.equal(loaded(with_byteorder(data, b"big")), x)
    assert torch.equal(loaded(with_byteorder(data, None)), turned)
    endianness = torch.serialization.LoadEndianness
    torch.serialization.set_default_load_endianness(endianness.BIG)
    try:
        assert torch.serialization.get_default_load_endianness() is endianness.BIG
        assert torch.equal(loaded(with_byteorder(data, None)), x)
        assert torch.equal(loaded(data), turned)
    finally:
        torch.serialization.set_default_load_endianness(None)
    with pytest.raises(ValueError, match="Unknown endianness type: middle"):
        loaded(with_byteorder(data, b"middle"))
    with pytest.raises(TypeError, match="Invalid argument type in function set_default_load_end"):
        torch.serialization.set_default_load_endianness("big")  # type: ignore[arg-type]


def test_the_old_format_says_its_order_too() -> None:
    x = torch.tensor([1, 2, 300], dtype=torch.int32)
    file = io.BytesIO()
    turned = x.clone()
    turned.untyped_storage().byteswap(torch.int32)
    torch.save(turned, file, _use_new_zipfile_serialization=False)
    data = file.getvalue()
    place = data.index(b"little_endian")
    true = data.index(b"\x88", place)  # pickle's True
    other = data[:true] + b"\x89" + data[true + 1 :]
    assert torch.equal(loaded(data), turned)
    assert torch.equal(loaded(other), x)


@pytest.mark.parametrize("weights_only", [True, False])
def test_strings_of_python_2_are_decoded(weights_only: bool) -> None:
    raw = "Größe".encode("latin1")
    # SHORT_BINSTRING, which Python 3 reads and does not write.
    program = b"\x80\x02U" + bytes([len(raw)]) + raw + b"."
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("archive/data.pkl", program)
    data = archive.getvalue()
    assert loaded(data, weights_only=weights_only, encoding="latin1") == "Größe"
    assert loaded(data, weights_only=weights_only, encoding="bytes") == raw
    with pytest.raises(UnicodeDecodeError if not weights_only else pickle.UnpicklingError):
        loaded(data, weights_only=weights_only)


def test_archives_in_files_that_cannot_seek_back() -> None:
    x = torch.rand(5)
    packed = io.BytesIO()
    with gzip.open(packed, "wb") as file:
        torch.save({"x": x}, file)
    packed.seek(0)
    with gzip.open(packed) as file:
        assert torch.equal(torch.load(file)["x"], x)
    later = io.BytesIO(b"x" * 40)
    later.seek(40)
    torch.save(x, later)
    # The places count from the start of the archive.
    assert torch.equal(loaded(later.getvalue()[40:]), x)
    later.seek(40)
    assert torch.equal(torch.load(later), x)


def test_the_byteorder_can_be_left_out() -> None:
    file = io.BytesIO()
    torch.save(torch.ones(2), file, _disable_byteorder_record=True)
    with zipfile.ZipFile(file) as archive:
        assert "archive/byteorder" not in archive.namelist()
    assert torch.equal(loaded(file.getvalue()), torch.ones(2))


def test_storages_go_where_a_program_says() -> None:
    file = io.BytesIO()
    torch.save({"x": torch.ones(2)}, file)
    seen: list[str] = []

    def place(storage: Any, location: str) -> Any:
        seen.append(location)
        assert torch.serialization.location_tag(storage) == location
        return torch.serialization.default_restore_location(storage, location)

    file.seek(0)
    assert torch.equal(torch.load(file, map_location=place)["x"], torch.ones(2))
    assert seen == ["cpu"]
    with pytest.raises(RuntimeError, match="device type at start of device string: nowhere"):
        torch.serialization.default_restore_location(torch.ones(1).untyped_storage(), "nowhere")


def test_lazy_conjugates_of_pytorch() -> None:
    z = torch.tensor([1 + 2j, -3j])
    x = torch.tensor([1.0, -2.0])

    class Lazy:
        """Pickles a tensor as PyTorch does whose memory is still to be conjugated or negated."""

        def __init__(self, tensor: torch.Tensor, bits: dict[str, bool]) -> None:
            self.tensor, self.bits = tensor, bits

        def __reduce_ex__(self, protocol: Any) -> Any:
            rebuild, arguments = self.tensor.__reduce_ex__(2)
            return rebuild, (*arguments, self.bits)

    file = saved([Lazy(z, {"conj": True}), Lazy(x, {"neg": True}), Lazy(z, {})])
    for options in ({}, {"weights_only": False}):
        conjugate, negative, plain = loaded(file, **options)  # type: ignore[misc]
        assert conjugate.is_conj()
        assert negative.is_neg()
        assert torch.equal(conjugate, z.conj())
        assert torch.equal(negative, -x)
        assert torch.equal(plain, z)


def test_attributes_are_pickled_by_pytorchs_name() -> None:
    x = torch.ones(2)
    x.note = "kept"  # type: ignore[attr-defined]
    data = pickle.dumps(x, protocol=2)
    assert b"ctorch._tensor\n_rebuild_from_type_v2" in data
    former = data.replace(b"ctorch._tensor\n_rebuild_from", b"ctorch._utils\n_rebuild_from")
    for file in (data, former):
        assert pickle.loads(file).note == "kept"
    assert loaded(saved(x)).note == "kept"  # type: ignore[attr-defined]


def test_legacy_files_with_the_source_of_modules() -> None:
    buffer = io.BytesIO()
    for value in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}):
        pickle.dump(value, buffer, protocol=2)

    class Pickler(pickle.Pickler):
        met = False

        def persistent_id(self, value: Any) -> Any:
            if value is not nn.Identity or self.met:
                return None
            self.met = True  # The class itself stands in the reference.
            return ("module", value, "linear.py", "class Identity")

    Pickler(buffer, protocol=2).dump(nn.Identity())
    pickle.dump([], buffer, protocol=2)
    assert type(loaded(buffer.getvalue(), weights_only=False)) is nn.Identity


def test_whole_modules_have_what_pytorchs_read() -> None:
    lstm = nn.LSTM(2, 3, 2)
    state = lstm.__reduce_ex__(2)[2]
    assert state["_all_weights"][0] == ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"]
    assert state["_flat_weights"][0] is lstm.weight_ih_l0
    again = copy.deepcopy(lstm)
    assert again._flat_weights[0] is again.weight_ih_l0
    assert "_flat_weights" not in again.__dict__
    conv = nn.Conv2d(1, 1, 3, padding=(1, 2), padding_mode="circular")
    assert list(conv.__dict__["_reversed_padding_repeated_twice"]) == [2, 2, 1, 1]
    lazy: Any = loaded(saved(nn.LazyLinear(2)), weights_only=False)
    assert lazy(torch.ones(1, 3)).shape == (1, 2)
    hook = next(iter(nn.LazyLinear(2)._load_state_dict_pre_hooks.values()))
    assert type(hook).__module__ == "torch.nn.modules.module"
    assert sorted(hook.__getstate__()) == ["hook", "module", "with_module"]


def test_spectral_norm_of_pytorch() -> None:
    from torch.nn.utils import spectral_norm as by_hook
    from torch.nn.utils.spectral_norm import (
        SpectralNormLoadStateDictPreHook,
        SpectralNormStateDictHook,
    )

    layer = by_hook(nn.Linear(2, 2))
    norm = next(iter(layer._forward_pre_hooks.values()))
    layer._register_state_dict_hook(SpectralNormStateDictHook(norm))
    layer._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(norm))
    again: Any = loaded(saved(layer), weights_only=False)
    state = again.state_dict()
    assert state._metadata[""]["spectral_norm"] == {"weight.version": 1}
    again.load_state_dict(state)
    x = torch.ones(1, 2)
    torch.testing.assert_close(again.eval()(x), layer.eval()(x))


def test_hooks_before_loading_that_want_the_module() -> None:
    seen = []
    layer = nn.Linear(1, 1)
    layer.register_load_state_dict_pre_hook(lambda module, *rest: seen.append((module, len(rest))))
    layer._register_load_state_dict_pre_hook(lambda *rest: seen.append((None, len(rest))))
    layer.load_state_dict(layer.state_dict())
    assert seen == [(layer, 7), (None, 7)]
    other = copy.deepcopy(layer)
    seen.clear()
    other.load_state_dict(layer.state_dict())
    assert seen[0][0] is other
    hook = next(iter(other._load_state_dict_pre_hooks.values()))
    del other
    seen.clear()
    with pytest.raises(RuntimeError, match="the module of this hook is gone"):
        hook({}, "")

"""torch::save and torch::load of C++, against torch.save and torch.load of Python."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import pytest
import torch

torch.ops.load_library(os.environ["EXTENSION"])
ops = torch.ops.serialize_test

DTYPES = (
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32,
    torch.uint64, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
    torch.complex128, torch.bool,
)  # fmt: skip


def values_of(dtype: torch.dtype, *size: int) -> torch.Tensor:
    return torch.randint(0, 2, size).to(dtype)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return (
            isinstance(b, torch.Tensor)
            and (a.dtype, a.shape, a.stride(), a.requires_grad)
            == (b.dtype, b.shape, b.stride(), b.requires_grad)
            and a.tolist() == b.tolist()
        )
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and bool(a == b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_goes_both_ways(tmp_path: Path, dtype: torch.dtype) -> None:
    path = str(tmp_path / "x.pt")
    for x in (
        values_of(dtype, 5, 3),
        values_of(dtype),
        values_of(dtype, 0, 4),
        values_of(dtype, 9)[2::3],
    ):
        ops.save_tensor(x, path)
        assert same(torch.load(path), x)
        torch.save(x, path)
        assert same(ops.load_tensor(path, None), x)


def test_the_layout_of_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    x = torch.randn(7, 5).t()[1:]
    ops.save_tensor(x, path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {i.compress_type for i in archive.infolist()} == {zipfile.ZIP_STORED}
        assert archive.read("archive/version") == b"3\n"
    loaded = torch.load(path, mmap=True)
    assert same(loaded, x)
    assert loaded.data_ptr() % 64 == x.storage_offset() * 4 % 64


def test_lists_and_shared_memory(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    x = torch.randn(6)
    tensors = [x, x[2:4], torch.ones(2, requires_grad=True), x.view(2, 3)]
    for save in (ops.save_list, torch.save):
        save(tensors, path)
        for load in (ops.load_list, torch.load):
            found = load(path)
            assert same(found, tensors)
            found[0].fill_(7)
            assert found[1].tolist() == [7, 7]
            assert found[3].tolist() == [[7] * 3] * 2
    ops.save_list([], path)
    assert torch.load(path) == []
    assert ops.load_list(path) == []


def test_every_kind_of_value(tmp_path: Path) -> None:
    path, other = str(tmp_path / "x.pt"), str(tmp_path / "y.pt")
    shared = [1, 2]
    value = {
        "none": None, "bools": [True, False], "ints": [0, 255, 256, 65536, -1, -(2**31), 2**31],
        "longs": (2**63 - 1, -(2**63)), "floats": [0.5, -float("inf"), 1e300], "complex": 1 - 2j,
        "text": "ä\0\n" + "x" * 300, "device": torch.device("cpu"), "empty": [[], (), {}, ""],
        "nested": [{"a": [torch.ones(2), torch.zeros(1)]}, {"a": []}], "mixed": [1, "a", None, 2.5],
        "tensor": torch.randn(3), "pair": (shared, shared), 7: "seven", "many": list(range(3000)),
    }  # fmt: skip
    torch.save(value, path)
    ops.copy(path, other)
    assert same(torch.load(other), value)


def test_what_has_another_form_in_c(tmp_path: Path) -> None:
    path, other = str(tmp_path / "x.pt"), str(tmp_path / "y.pt")
    linear = torch.nn.Linear(3, 2)
    torch.save(linear.state_dict(), path)
    assert ops.copy(path, other) == "Dict(str, Tensor)"
    assert same(torch.load(other), dict(linear.state_dict()))
    torch.save(torch.nn.ReLU().state_dict(), path)
    ops.copy(path, other)
    assert torch.load(other) == {}
    value = [
        linear.weight,
        torch.Size([2, 3]),
        torch.float64,
        torch.randn(2, dtype=torch.cfloat).conj(),
    ]
    torch.save(value, path)
    ops.copy(path, other)
    weight, size, dtype, conjugate = torch.load(other)
    assert same(weight, linear.weight.data.requires_grad_())
    assert (size, dtype) == ((2, 3), 7)
    assert torch.equal(conjugate, value[3])
    ops.save_tensor(torch.randn(2, dtype=torch.cfloat).conj(), path)
    assert not torch.load(path).is_conj()


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        ([1, 2], "int[]"), ([1.5], "float[]"), ([True], "bool[]"), (["a"], "str[]"), ([], "Any[]"),
        ([torch.ones(1)], "Tensor[]"), ([1, 2.0], "Any[]"), ({"a": 1}, "Dict(str, int)"),
        ({1: [torch.ones(1)]}, "Dict(int, Tensor[])"), ((1, "a"), "(int, str)"),
    ],
)  # fmt: skip
def test_types_of_what_is_read(tmp_path: Path, value: Any, type_: str) -> None:
    path = str(tmp_path / "x.pt")
    torch.save(value, path)
    assert ops.copy(path, path + "2") == type_


def test_values_that_c_makes(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    ops.save_types(path)
    expected = ({"b": [1, -2], "a": [2**40]}, 1 + 2j, torch.device("cpu"), None, [True])
    assert same(torch.load(path), expected)


def test_streams_memory_and_functions() -> None:
    x = torch.randn(3, 4)
    found = ops.through_memory(x)
    assert len(found) == 4
    assert all(same(one, x) for one in found)


def test_a_device_for_the_tensors(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    torch.save(torch.randn(3), path)
    assert ops.load_tensor(path, "meta").device.type == "meta"
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data.replace(b"\x03\0\0\0cpu", b"\x06\0\0\0cuda:9"))
    with pytest.raises(RuntimeError, match=r"a tensor on cuda:9, which is not available.*kCPU"):
        ops.load_tensor(path, None)
    assert ops.load_tensor(path, "cpu").shape == (3,)


# data.pkl of PyTorch's C++: lists and dicts with types, and the object that torch::save makes.
def _torch_file(path: str, text: bytes, *data: bytes) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", text)
        for i, one in enumerate(data):
            archive.writestr(f"archive/data/{i}", one)
        archive.writestr("archive/version", b"3\n")


_TENSOR = (
    b"ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\n"
    b"X\1\0\0\0%dX\3\0\0\0cpuK\2tQK\0(K\2t(K\1t\x89ccollections\nOrderedDict\n)RtR"
)


def test_files_of_torch_in_c(tmp_path: Path) -> None:
    path, other = str(tmp_path / "x.pt"), str(tmp_path / "y.pt")
    one, two = (bytes(torch.full((2,), x).untyped_storage()) for x in (1.0, 2.0))
    lists = b"\x80\2ctorch.jit._pickle\nbuild_tensorlist\n(](" + _TENSOR % 0 + _TENSOR % 1 + b"etR."
    _torch_file(path, lists, one, two)
    assert [x.tolist() for x in ops.load_list(path)] == [[1, 1], [2, 2]]
    tag = b"\x80\2ctorch.jit._pickle\nrestore_type_tag\n}(X\1\0\0\0aK\5uX\x0e\0\0\0Dict[str, int]\x86R."
    _torch_file(path, tag)
    assert ops.copy(path, other) == "Dict(str, int)"
    assert torch.load(other) == {"a": 5}
    module = b"\x80\2c__torch__\nModule\n)\x81}(X\x08\0\0\0training\x88X\1\0\0\0000" + _TENSOR % 0
    _torch_file(path, module + b"X\1\0\0\0001" + _TENSOR % 1 + b"ub.", one, two)
    assert ops.load_tensor(path, None).tolist() == [1, 1]
    assert [x.tolist() for x in ops.load_list(path)] == [[1, 1], [2, 2]]


def test_files_that_are_none(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    with pytest.raises(RuntimeError, match=r"errno 2 on fopen: No such file.*file path: .*absent"):
        ops.load_tensor(str(tmp_path / "absent"), None)
    with pytest.raises(RuntimeError, match="errno 2 on fopen: No such file or directory"):
        ops.save_tensor(torch.ones(1), str(tmp_path / "absent" / "x.pt"))
    Path(path).write_bytes(b"no zip file")
    with pytest.raises(RuntimeError, match="failed finding central directory.*is cut off, or"):
        ops.load_tensor(path, None)
    Path(path).write_bytes(b"")
    with pytest.raises(RuntimeError, match="failed finding central directory"):
        ops.load_tensor(path, None)
    torch.save(torch.ones(1), path, _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match=r"the format of torch\.save before PyTorch 1\.6"):
        ops.load_tensor(path, None)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/b", b"")
    with pytest.raises(RuntimeError, match=r"file not found: archive/data\.pkl"):
        ops.load_tensor(path, None)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/data.pkl", bytes(100))
    with pytest.raises(RuntimeError, match=r"data\.pkl is compressed"):
        ops.load_tensor(path, None)
    with pytest.raises(RuntimeError, match="100 of .* bytes were written|of .* bytes were written"):
        ops.save_to_full_disk(torch.ones(1000))
    with pytest.raises(RuntimeError, match="or contains itself"):
        ops.save_cycle()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    file = io.BytesIO()
    x = torch.randn(40)
    torch.save({"x": x, "y": [x[1:], (1, None)]}, file)
    whole = file.getvalue()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(RuntimeError):
            ops.copy(str(path), str(path) + "2")
    place = whole.index(bytes(x.untyped_storage()))
    changed = bytearray(whole)
    changed[place + 5] ^= 1
    path.write_bytes(changed)
    with pytest.raises(RuntimeError, match="CRC-32 check failed: data/0 is damaged"):
        ops.copy(str(path), str(path) + "2")
    # Each byte of the pickle changed: an error or another value, and no read outside of memory.
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    text = entries["archive/data.pkl"]
    for i in range(len(text)):
        changed = bytearray(text)
        changed[i] ^= 1 << i % 8
        _torch_file(str(path), bytes(changed), entries["archive/data/0"])
        try:
            ops.copy(str(path), str(path) + "2")
        except RuntimeError:
            continue
        except UnicodeDecodeError:  # in a message
            continue


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Counter("a"), "needs collections.Counter, which C\\+\\+ does not have"),
        ([torch.nn.ReLU], "needs torch.nn.modules.activation.ReLU, which"),
        ((torch.nn.ReLU, 1), "needs torch.nn.modules.activation.ReLU, which"),
        (torch.ones(2).untyped_storage(), "value of another kind|belongs to no tensor"),
        ([2**64], "an integer has 9 bytes"),
        ({(1, 2): 3}, "hash"),
    ],
)
def test_values_that_c_does_not_have(tmp_path: Path, value: Any, message: str) -> None:
    path = str(tmp_path / "x.pt")
    torch.save(value, path)
    with pytest.raises(RuntimeError, match=message):
        ops.copy(path, path + "2")


def test_other_values_than_wanted(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    torch.save([1, 2], path)
    with pytest.raises(RuntimeError, match=r"expected a tensor in the file, but it has.*int\[\]"):
        ops.load_tensor(path, None)
    with pytest.raises(RuntimeError, match="expected a list of tensors in the file"):
        ops.load_list(path)
    torch.save(torch.ones(1), path, pickle_protocol=4)
    with pytest.raises(RuntimeError, match="the file has protocol 4 of pickle"):
        ops.load_tensor(path, None)
    with pytest.raises(RuntimeError, match="layout .* on meta has no memory"):
        ops.save_tensor(torch.ones(1, device="meta"), path)


def test_sizes_of_64_bits(tmp_path: Path) -> None:
    path = str(tmp_path / "x.zip")
    texts = ["", "a", "b" * 100, "c" * 1000]
    for limit in (0, 1, 50, 300, 2**32 - 1):
        ops.write_archive(path, limit, texts)
        assert ops.read_archive(path) == texts
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            assert [archive.read(f"archive/{i}").decode() for i in range(4)] == texts


def test_an_ordered_dict_is_a_dict(tmp_path: Path) -> None:
    path = str(tmp_path / "x.pt")
    torch.save(OrderedDict(b=1, a=2), path)
    ops.copy(path, path + "2")
    assert list(torch.load(path + "2").items()) == [("b", 1), ("a", 2)]
    assert pickle.HIGHEST_PROTOCOL >= 2

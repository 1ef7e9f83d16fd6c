"""Memory shared with other libraries: DLPack, Python's buffers, safetensors."""

from __future__ import annotations

import gc
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex64", "bool"])
def test_dlpack_to_and_from_numpy(dtype: str) -> None:
    array = np.array([[1, 0, 1], [0, 1, 1]]).astype(dtype).T
    tensor = torch.from_dlpack(array)
    assert tensor.stride() == (1, 3)
    assert tensor.data_ptr() == array.ctypes.data
    back = np.from_dlpack(tensor)
    assert back.ctypes.data == tensor.data_ptr()
    np.testing.assert_array_equal(back, array)


def test_dlpack_keeps_the_memory_alive() -> None:
    tensor = torch.from_dlpack(np.arange(1000.0))
    array = np.from_dlpack(torch.arange(1000.0))
    gc.collect()
    assert tensor.sum().item() == array.sum() == 499500


def test_dlpack_capsules_are_taken_once() -> None:
    x = torch.ones(3)
    capsule = torch.utils.dlpack.to_dlpack(x)
    assert torch.from_dlpack(capsule).data_ptr() == x.data_ptr()
    with pytest.raises(RuntimeError, match="DLTensor capsules can be consumed only once"):
        torch.from_dlpack(capsule)
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(x.__dlpack__())
    # A capsule that is never taken frees its tensor.
    assert x.clone().__dlpack__() is not None


def test_dlpack_refusals() -> None:
    with pytest.raises(BufferError, match="Can't export tensors that require gradient"):
        torch.ones(1, requires_grad=True).__dlpack__()
    with pytest.raises(ValueError, match="Unknown device type meta for Dlpack"):
        torch.from_dlpack(torch.ones(1, device="meta"))
    with pytest.raises(AssertionError, match="stream should be None on cpu"):
        torch.ones(1).__dlpack__(stream=1)
    with pytest.raises(TypeError, match="stream must be ``int`` or ``none``"):
        torch.ones(1).__dlpack__(stream=object())  # type: ignore[arg-type]
    assert torch.ones(1).__dlpack__(stream=-1) is not None  # no synchronisation
    with pytest.raises(BufferError, match="cannot move a tensor on cpu to DLPack device"):
        torch.ones(1).__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="Cannot pack tensors on meta"):
        torch.utils.dlpack.to_dlpack(torch.empty(2, device="meta"))
    with pytest.raises(RuntimeError, match="received an invalid capsule"):
        torch.from_dlpack(3)
    assert torch.ones(1).__dlpack_device__() == (1, 0)


def test_numpy_functions_take_tensors() -> None:
    x = torch.tensor([0.0, 1.0])
    assert isinstance(np.exp(x), torch.Tensor)
    np.testing.assert_allclose(np.exp(x).numpy(), [1, np.e], rtol=1e-6)
    assert np.asarray(x).ctypes.data == x.data_ptr()
    assert np.array(x, dtype=np.float64).dtype == np.float64


def test_frombuffer() -> None:
    memory = bytearray(b"\x00\x00\x80?" * 3)
    x = torch.frombuffer(memory, dtype=torch.float32, count=2, offset=4)
    x[0] = 0
    assert memory[4:8] == b"\x00" * 4
    assert x.tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"requested buffer length \(4 \* 4 bytes\) after offset"):
        torch.frombuffer(memory, dtype=torch.float32, count=4)
    with pytest.raises(ValueError, match=r"must be a multiple of element size \(8\)"):
        torch.frombuffer(memory, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"offset \(12 bytes\) must be non-negative"):
        torch.frombuffer(memory, dtype=torch.float32, offset=12)
    with pytest.raises(ValueError, match=r"both buffer length \(0\) and count \(-1\)"):
        torch.frombuffer(b"", dtype=torch.float32)
    with pytest.raises(ValueError, match="object does not implement Python buffer protocol"):
        torch.frombuffer(3, dtype=torch.float32)
    with pytest.warns(UserWarning, match="The given buffer is not writable"):
        torch.frombuffer(bytes(4), dtype=torch.float32)


def test_asarray() -> None:
    x = torch.ones(2)
    assert torch.asarray(x).data_ptr() == x.data_ptr()
    assert torch.asarray(x, copy=True).data_ptr() != x.data_ptr()
    array = np.ones(2)
    assert torch.asarray(array).data_ptr() == array.ctypes.data
    assert torch.asarray(array, dtype=torch.int32).tolist() == [1, 1]
    assert torch.asarray([1.5], requires_grad=True).requires_grad
    result = torch.ones(2, requires_grad=True) * 2
    assert torch.asarray(result) is result
    assert torch.asarray(result, requires_grad=True) is result
    assert torch.asarray(result, dtype=torch.float64).requires_grad
    assert not torch.asarray(result, requires_grad=False).requires_grad
    with pytest.raises(ValueError, match="can't alias arbitrary sequence into a tensor"):
        torch.asarray([1], copy=False)
    with pytest.raises(ValueError, match="with dtype 'torch.float32' into dtype 'torch.float64'"):
        torch.asarray(x, dtype=torch.float64, copy=False)
    with pytest.raises(ValueError, match="from device 'cpu' to 'meta'"):
        torch.asarray(x, device="meta", copy=False)
    with pytest.raises(RuntimeError, match="can't alias NumPy scalars"):
        torch.asarray(np.float64(0.5), copy=False)


def test_tensor_of_an_array_of_another_library() -> None:
    class Wrapped:
        """What exports its memory, and is no sequence."""

        def __init__(self, tensor: torch.Tensor) -> None:
            self.tensor = tensor

        def __dlpack__(self, **options: object) -> object:
            return self.tensor.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.tensor.__dlpack_device__()

    x = torch.rand(3, 2)
    copy = torch.tensor(Wrapped(x))
    assert torch.equal(copy, x)
    assert copy.data_ptr() != x.data_ptr()
    assert torch.tensor(Wrapped(x), dtype=torch.float64).dtype == torch.float64


def test_a_list_of_arrays_is_slow_and_says_so() -> None:
    code = (
        "import warnings, numpy, torch\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    x = torch.tensor([numpy.array([0]), numpy.array([1])])\n"
        "assert x.tolist() == [[0], [1]]\n"
        "print([str(w.message)[:62] for w in seen])\n"
    )
    # A process of its own: the warning comes once.
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert "Creating a tensor from a list of numpy.ndarrays is extremely s" in done.stdout


def test_safetensors(tmp_path: pathlib.Path) -> None:
    model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
    state = model.state_dict() | {"half": torch.ones(3, dtype=torch.bfloat16)}
    save_file(state, tmp_path / "m.safetensors")
    for name, tensor in load_file(tmp_path / "m.safetensors").items():
        assert tensor.dtype is state[name].dtype
        assert tensor.equal(state[name])
    with safe_open(tmp_path / "m.safetensors", framework="pt") as file:
        assert set(file.keys()) == set(state)
        assert file.get_slice("0.weight")[:1].equal(model[0].weight[:1])


def test_a_storage_of_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(16)))
    storage = torch.UntypedStorage.from_file(str(path), nbytes=8)
    assert (storage.nbytes(), storage[1], storage[-1]) == (8, 1, 7)
    part = storage[2:4].untyped()
    tensor = torch.asarray(part, dtype=torch.uint8)
    assert tensor.tolist() == [2, 3]
    assert tensor.data_ptr() == storage.data_ptr() + 2
    tensor.fill_(99)
    assert storage[2] == 99
    assert path.read_bytes()[2] == 2
    assert torch.UntypedStorage.from_file(path).nbytes() == 16
    assert storage[5:5].nbytes() == 0

    shared = torch.UntypedStorage.from_file(path, shared=True, nbytes=32)
    torch.asarray(shared).fill_(7)
    assert path.read_bytes() == bytes([7]) * 32


def test_a_tensor_of_a_file(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "numbers")
    with pytest.raises(RuntimeError, match="in read-only mode"):
        torch.from_file(path, size=4)
    shared = torch.from_file(path, shared=True, size=4, dtype=torch.float64)
    shared.copy_(torch.arange(4))
    assert pathlib.Path(path).stat().st_size == 32
    mine = torch.from_file(path, size=3, dtype=torch.float64, requires_grad=True)
    assert mine.requires_grad
    assert mine.tolist() == [0, 1, 2]
    mine.detach().fill_(9)
    assert shared.tolist() == [0, 1, 2, 3]
    assert torch.from_file(path, False, 8).dtype is torch.float32
    assert torch.from_file(path).shape == (0,)
    with pytest.raises(RuntimeError, match="tensors constructed from a file cannot be pinned"):
        torch.from_file(path, size=1, pin_memory=True)
    with pytest.raises(RuntimeError, match=r'from_file: .*got device "meta"'):
        torch.from_file(path, size=1, device="meta")
    with pytest.raises(RuntimeError, match="size <32> is smaller than the required mapping size"):
        torch.from_file(path, size=5, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="from_file: size must be 0 or more, but got -1"):
        torch.from_file(path, size=-1)


def test_what_a_storage_of_a_file_refuses(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"abc")
    with pytest.raises(
        RuntimeError, match="bytes> size <3> is smaller than the required mapping size <4>"
    ):
        torch.UntypedStorage.from_file(path, nbytes=4)
    with pytest.raises(RuntimeError, match=r"absent> in read-only mode: No such file.*\(2\)"):
        torch.UntypedStorage.from_file(tmp_path / "absent")
    with pytest.raises(RuntimeError, match="> in read-write mode: Is a directory"):
        torch.UntypedStorage.from_file(tmp_path, shared=True)
    storage = torch.UntypedStorage.from_file(path)
    with pytest.raises(RuntimeError, match="step of 2, but only a step of 1"):
        storage[::2]
    with pytest.raises(IndexError, match="index 3 out of range for storage of size 3"):
        storage[3]
    with pytest.raises(TypeError, match="can't index a torch.UntypedStorage with str"):
        storage["a"]

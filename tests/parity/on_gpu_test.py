"""on_gpu moves a case to a device and fails if it differs; the meta device stands for a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import on_gpu
import pytest
import torch
from exceptions import parse


@pytest.fixture(autouse=True)
def meta(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases run on the meta device, which has shapes and no elements."""
    monkeypatch.setattr(on_gpu, "DEVICE", torch.device("meta"))
    monkeypatch.setattr(on_gpu.values, "bytes_of", on_gpu._bytes_of)  # It copies nothing.


def _input(index: int) -> dict[str, Any]:
    return {"kind": "input", "index": index}


def _tensor(dtype: str, shape: tuple[int, ...], strides: tuple[int, ...]) -> dict[str, Any]:
    facts = {"dtype": dtype, "shape": shape, "strides": strides, "offset": 1}
    return facts | {"requires_grad": False, "storage": 0 if dtype == "float32" else 1}


def _record(function: str, *arguments: Any) -> dict[str, Any]:
    case = {
        "steps": [
            (function, {"kind": "tuple", "items": list(arguments)}, {"kind": "dict", "items": []})
        ],
        "storages": [np.arange(9, dtype=np.float32).tobytes(), np.arange(4).tobytes()],
        "tensors": [_tensor("float32", (2, 3), (1, 2)), _tensor("int64", (2,), (1,))],
        "result": None,
        "targets": None,
        "gradients": False,
        "second": False,
    }
    about = {"operator": "add", "dtype": "float32", "check": "function", "rtol": 0.0, "atol": 0.0}
    return about | {"case": case}


def test_an_input_is_moved_with_its_strides_and_can_be_resized() -> None:
    case = _record("torch.neg", _input(0))["case"]
    moved = on_gpu.OnGpu(case["storages"], case["tensors"]).inputs[0]
    assert moved.device.type == "meta"
    assert (moved.stride(), moved.storage_offset()) == ((1, 2), 1)
    assert moved.resize_(4).shape == (4,)


def test_the_processor_as_an_argument_is_the_device() -> None:
    decoder = on_gpu.OnGpu([], [])
    assert decoder.decode("cpu") == torch.device("meta")
    assert decoder.decode({"kind": "device", "name": "cpu"}) == torch.device("meta")
    assert decoder.decode("sum") == "sum"


@pytest.mark.parametrize(
    ("function", "device"), [("torch.Tensor.tensor_split", "cpu"), ("torch.take", "meta")]
)
def test_what_pytorch_takes_from_the_cpu_stays_there(function: str, device: str) -> None:
    case = on_gpu.with_places(_record(function, _input(0), _input(1))["case"])
    tensor, index = on_gpu.OnGpu(case["storages"], case["tensors"]).inputs
    assert (tensor.device.type, index.device.type) == ("meta", device)


def test_a_difference_fails_but_for_what_the_table_allows() -> None:
    record = _record("torch.neg", _input(0))
    status, different = on_gpu.examine(record, [])
    assert status == "differ"
    assert [d.kind for d in different] == ["values"], "the meta device has no elements"
    entry = {"reason": "why", "differences": ["values"], "operators": {"add": 1}}
    allowances = parse([entry])["add"]
    assert on_gpu.examine(record, allowances) == ("excepted", [])
    assert on_gpu.examine(record, allowances)[0] == "differ", "one, not two"
    assert on_gpu.examine(_record("torch.numel", _input(0)), []) == ("agree", [])

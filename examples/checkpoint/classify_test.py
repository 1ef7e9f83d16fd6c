"""A checkpoint written byte by byte as PyTorch writes it gives the logits it should.

With PEER, the interpreter of a real PyTorch, that writes the checkpoint too:
`./bazelw test //examples/checkpoint:classify_test --test_env=PEER=/path/to/python`.
"""

from __future__ import annotations

import itertools
import os
import pathlib
import random
import struct
import subprocess
import zipfile

import pytest

Matrix = list[list[float]]


class Writer:
    """A pickle of protocol 2, and the storages it refers to."""

    def __init__(self) -> None:
        self.code = b"\x80\x02"
        self.storages: list[bytes] = []

    def text(self, value: str) -> None:
        self.code += b"X" + struct.pack("<I", len(value)) + value.encode()

    def number(self, value: int) -> None:
        self.code += b"J" + struct.pack("<i", value)

    def numbers(self, values: list[int]) -> None:
        self.code += b"("
        for value in values:
            self.number(value)
        self.code += b"t"

    def tensor(self, values: list[float], shape: list[int]) -> None:
        strides = [1] * len(shape)
        for i in reversed(range(len(shape) - 1)):
            strides[i] = strides[i + 1] * shape[i + 1]
        self.code += b"ctorch._utils\n_rebuild_tensor_v2\n(("
        self.text("storage")
        self.code += b"ctorch\nFloatStorage\n"
        self.text(str(len(self.storages)))
        self.text("cpu")
        self.number(len(values))
        self.code += b"tQ"
        self.number(0)
        self.numbers(shape)
        self.numbers(strides)
        self.code += b"\x89ccollections\nOrderedDict\n)RtR"
        self.storages.append(struct.pack(f"<{len(values)}f", *values))

    def write(self, path: pathlib.Path) -> None:
        entries = {"data.pkl": self.code + b".", "byteorder": b"little"}
        entries |= {f"data/{i}": data for i, data in enumerate(self.storages)}
        entries["version"] = b"3\n"
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in entries.items():
                archive.writestr(f"model/{name}", data)


def layers(sizes: list[int]) -> list[tuple[Matrix, list[float]]]:
    """Random weights and biases."""
    draw = random.Random()
    return [
        ([[draw.gauss(0, 1) for _ in range(n)] for _ in range(m)], [draw.gauss(0, 1)] * m)
        for n, m in itertools.pairwise(sizes)
    ]


def expected(network: list[tuple[Matrix, list[float]]], row: list[float]) -> list[float]:
    """The logits, one multiplication after the other."""
    for index, (weight, bias) in enumerate(network):
        row = [
            sum(w * x for w, x in zip(line, row, strict=True)) + b
            for line, b in zip(weight, bias, strict=True)
        ]
        if index < len(network) - 1:
            row = [max(0.0, x) for x in row]
    return row


def classify(path: pathlib.Path) -> Matrix:
    done = subprocess.run(
        [os.environ["CLASSIFY"], str(path)], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    return [[float(value) for value in line.split()] for line in done.stdout.splitlines()]


def test_checkpoint_of_the_format(tmp_path: pathlib.Path) -> None:
    sizes = [6, 5, 4, 3]
    network = layers(sizes)
    draw = random.Random()
    rows = [[draw.gauss(0, 1) for _ in range(6)] for _ in range(4)]
    writer = Writer()
    writer.code += b"}("
    writer.text("sizes")
    writer.code += b"]("
    for size in sizes:
        writer.number(size)
    writer.code += b"e"
    writer.text("state_dict")
    writer.code += b"ccollections\nOrderedDict\n)R("
    for index, (weight, bias) in enumerate(network):
        writer.text(f"{2 * index}.weight")
        writer.tensor([w for line in weight for w in line], [len(weight), len(weight[0])])
        writer.text(f"{2 * index}.bias")
        writer.tensor(bias, [len(bias)])
    writer.code += b"u}"
    writer.text("_metadata")
    writer.code += b"ccollections\nOrderedDict\n)Rsb"
    writer.text("input")
    writer.tensor([x for row in rows for x in row], [4, 6])
    writer.code += b"u"
    path = tmp_path / "model.pt"
    writer.write(path)
    for row, found in zip(rows, classify(path), strict=True):
        assert found == pytest.approx(expected(network, row), rel=1e-4, abs=1e-4)


_PEER_PROGRAM = """
import sys, torch
from torch import nn
model = nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 3))
x = torch.randn(4, 6)
state = {"sizes": [6, 5, 3], "state_dict": model.state_dict(), "input": x}
torch.save(state, sys.argv[1])
for row in model(x).tolist():
    print(*row)
"""


@pytest.mark.skipif("PEER" not in os.environ, reason="PEER names no interpreter with PyTorch")
def test_checkpoint_of_real_pytorch(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.pt"
    printed = subprocess.run(
        [os.environ["PEER"], "-c", _PEER_PROGRAM, str(path)],
        capture_output=True,
        check=True,
        text=True,
        env={},
    ).stdout
    rows = [[float(value) for value in line.split()] for line in printed.splitlines()]
    for row, found in zip(rows, classify(path), strict=True):
        assert found == pytest.approx(row, rel=1e-4, abs=1e-4)

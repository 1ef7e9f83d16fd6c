"""A process that serves many runs does what as many processes do."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.codegen.cli import main
from tools.codegen.memory import Memory
from tools.codegen.worker import FLAG, serve

NATIVE = Path("aten/src/ATen/native")
YAML = (NATIVE / "native_functions.yaml").read_text(encoding="utf-8")
GROUPS = ("headers", "sources", "autograd", "python")

Files = dict[str, str]


def arguments(folder: Path, out: str) -> list[str]:
    """Options of a run that reads and writes in this folder."""
    return [
        *("--native-functions", str(folder / "native_functions.yaml")),
        *("--tags", str(NATIVE / "tags.yaml"), "--derivatives", "tools/autograd/derivatives.yaml"),
        *("--tensor-body-template", str(folder / "TensorBody.h")),
        *("--install-dir", str(folder / out)),
        *(word for group in GROUPS for word in ("--generate", group)),
    ]


def files(folder: Path) -> Files:
    """What a run wrote."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "native_functions.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "TensorBody.h").write_text("${tensor_method_declarations}", encoding="utf-8")
    return tmp_path


def replaced(old: str, new: str) -> str:
    """The operators with the first of some words replaced."""
    assert old in YAML
    return YAML.replace(old, new, 1)


ALLCLOSE = YAML[YAML.index("- func: allclose(") :].split("\n\n")[0]

EDITS = {
    "nothing": YAML,
    "a default value": replaced("float rtol=1e-05", "float rtol=1e-04"),
    "an operator less": YAML.replace(ALLCLOSE, ""),
    "an operator more, and every line moves": "# New:\n- func: aaa(Tensor self) -> Tensor\n"
    "  variants: function, method\n  dispatch:\n    CPU: aaa_cpu\n\n" + YAML,
    "another kernel of a structured operator": replaced(
        "CPU, CUDA, Vulkan, MPS: add_out", "CPU: add_out_cpu"
    ),
    "two operators in the other order": "\n- func:".join(
        [*YAML.split("\n- func:")[:2], *reversed(YAML.split("\n- func:")[2:])]
    ),
}


def test_after_any_edit_it_writes_what_a_new_process_writes(folder: Path) -> None:
    memory = Memory()
    for name, text in EDITS.items():
        (folder / "native_functions.yaml").write_text(text, encoding="utf-8")
        assert main(arguments(folder, "kept"), memory) == 0
        assert main(arguments(folder, name)) == 0
        fresh = files(folder / name)
        kept = files(folder / "kept")
        # Outputs that are none any more are Bazel's to delete.
        assert {path: kept[path] for path in fresh} == fresh, name


def test_a_file_that_somebody_changed_or_deleted_is_written_again(folder: Path) -> None:
    memory = Memory()
    assert main(arguments(folder, "out"), memory) == 0
    before = files(folder / "out")
    (folder / "out/aten/src/ATen/ops/add.h").unlink()
    (folder / "out/aten/src/ATen/ops/mul.h").write_text("changed", encoding="utf-8")
    assert main(arguments(folder, "out"), memory) == 0
    assert files(folder / "out") == before


def test_another_template_is_another_tensor_class(folder: Path) -> None:
    memory = Memory()
    assert main(arguments(folder, "out"), memory) == 0
    (folder / "TensorBody.h").write_text("// New.", encoding="utf-8")
    assert main(arguments(folder, "out"), memory) == 0
    body = folder / "out/aten/src/ATen/core/TensorBody.h"
    assert body.read_text(encoding="utf-8") == "// New."


def test_mistakes_are_found_where_they_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = Memory()
    native = folder / "native_functions.yaml"
    assert main(arguments(folder, "out"), memory) == 0
    wrong = [
        f"# One\n# Two\n{YAML}\n\n{ALLCLOSE}\n",
        YAML.replace("CPU, CUDA, Vulkan, MPS: add_out", "CPUX: add_out", 1),
        YAML + "\n- func: [\n",
        YAML + "\n  func: x\n",
    ]
    for text in wrong:
        native.write_text(text, encoding="utf-8")
        assert main(arguments(folder, "out")) == 1
        fresh = capsys.readouterr().err
        assert main(arguments(folder, "out"), memory) == 1
        assert capsys.readouterr().err == fresh
        assert str(native) in fresh
    native.write_text(YAML, encoding="utf-8")
    assert main(arguments(folder, "out"), memory) == 0


def answers(run: Any, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """What a worker says to some requests."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    responses = io.StringIO()
    serve(run, io.StringIO(lines), responses)
    return [json.loads(line) for line in responses.getvalue().splitlines()]


def test_requests_are_answered_in_order() -> None:
    def run(words: Sequence[str]) -> int:
        print(*words)
        if "stop" in words:
            sys.exit(2)
        if "break" in words:
            raise ValueError("broken")
        return len(words)

    first, stopped, broken, last = answers(
        run,
        {"arguments": ["a", "b"], "requestId": 7},
        {"arguments": ["stop"]},
        {"arguments": ["break"]},
        {},
    )
    assert first == {"exitCode": 2, "output": "a b\n", "requestId": 7}
    assert stopped["exitCode"] == 2
    assert broken["exitCode"] == 1
    assert "ValueError: broken" in broken["output"]
    assert last == {"exitCode": 0, "output": "\n", "requestId": 0}


def test_as_a_process(folder: Path) -> None:
    request = {"arguments": arguments(folder, "out"), "requestId": 1}
    program = [sys.executable, "-m", "tools.codegen", FLAG]
    result = subprocess.run(
        program,
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert json.loads(result.stdout) == {"exitCode": 0, "output": "", "requestId": 1}
    assert (folder / "out/aten/src/ATen/ops/add.h").exists()

"""Whatever bytes the three files hold, the generator ends, with a list of errors or without.

No traceback, no hang, no more than a gigabyte. What it accepts it can generate all files from.
"""

from __future__ import annotations

import contextlib
import io
import resource
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.codegen.backends import FLAGS
from tools.codegen.cli import main
from tools.codegen.groups import GROUPS
from tools.codegen.schema_types import BaseTy

_GIGABYTE = 1 << 30
_SECONDS = 30

_NATIVE = Path("aten/src/ATen/native")
# One of each kind: views, structured operators, loops, out functions of several tensors, factories.
_NAMES = (
    "abs",
    "abs.out",
    "add.Tensor",
    "add_.Tensor",
    "add.out",
    "empty.memory_format",
    "max.dim",
    "max.dim_max",
    "view",
    "_fused_adam_",
    "random_.from",
    "split.Tensor",
    "where.self",
)
_TOKENS = (
    *("\t", "\n", "\n- ", "\n  ", " ", "- ", ": ", ", ", "#", "'", '"', "[", "]", "{", "}", "|"),
    *("&a", "*a", "!!int", "%", "---\n", "...\n", "? ", "\0", "\x85", "\ufeff", "\u2028", "é"),
    *("(", ")", "(a!)", "(a)", " -> ", "?", "[3]", "*", ".out", "_", "::", "self", "Tensor", "int"),
    *("None", "True", "1e9999", "0", "-", "func", "CPU", "Meta", "dispatch", "autogen: f", "=1"),
    *("structured: True", "ufunc_inner_loop: ", "precomputed:\n  - ", "tags: ", "grad", "result"),
    *("output_differentiability: [True]\n", "non_differentiable", "lambda", "_copy", "_out", ">"),
    *("[]", ", *", "Layout", "grads[7]", "AutogradCUDA", "default", ";"),
)


def _entries(path: Path, start: str, names: tuple[str, ...]) -> str:
    """The entries of these operators."""
    entries = path.read_text(encoding="utf-8").split(f"\n{start}")[1:]
    found = [f"{start}{entry}\n" for entry in entries if entry.partition("(")[0] in names]
    assert found
    return "".join(found)


@pytest.fixture(scope="module", autouse=True)
def _limits() -> Iterator[None]:
    """This process cannot have more memory than that, nor may an example take longer."""

    def expired(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"an example takes more than {_SECONDS} seconds")

    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_GIGABYTE, before[1]))
    handler = signal.signal(signal.SIGALRM, expired)
    yield
    signal.signal(signal.SIGALRM, handler)
    resource.setrlimit(resource.RLIMIT_AS, before)


WELL_FORMED = {
    "native-functions": _entries(_NATIVE / "native_functions.yaml", "- func: ", _NAMES).encode(),
    "tags": (_NATIVE / "tags.yaml").read_bytes(),
    "descriptions": b'- abs: "The size, |x|."\n- add: abs\n- "torch.f(x) -> int": "The f."\n',
    "derivatives": _entries(Path("tools/autograd/derivatives.yaml"), "- name: ", _NAMES).encode(),
}


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """The file after a few edits: bytes changed, left out or put in, lines repeated or moved."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, max(len(data) - 1, 0)))
        end = min(start + draw(st.sampled_from([0, 1, 2, 8, 60, 400])), len(data))
        put = draw(
            st.binary(max_size=3)
            | st.sampled_from(_TOKENS).map(str.encode)
            | st.sampled_from([data[start:end] * 2, data[start:end] * 60, b"[" * 3000])
            | st.sampled_from(data.splitlines(keepends=True) or [b""])
        )
        data = data[:start] + put + data[end:]
    return data


def run(files: dict[str, bytes]) -> str:
    """Generates all that there is, and writes nothing; returns what it says to mistakes."""
    errors = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        options = ["--dry-run", "--install-dir", folder, "--generate", *GROUPS]
        options += [f"--{flag}" for flag in FLAGS]
        for name, data in files.items():
            path = Path(folder, f"{name}.yaml")
            path.write_bytes(data)
            options += [f"--{name}", str(path)]
        template = Path(folder, "TensorBody.h")
        template.write_text("${tensor_method_declarations}", encoding="utf-8")
        signal.alarm(_SECONDS)
        try:
            with contextlib.redirect_stderr(errors):
                status = main([*options, "--tensor-body-template", str(template)])
        finally:
            signal.alarm(0)
        text = errors.getvalue()
        assert (status == 0) == (text == "")
        if status:
            assert status == 1
            assert text.startswith(folder), text
            assert ": error" in text.splitlines()[0]
            assert text.splitlines()[-1].endswith(("error", "errors"))
    return text


@settings(deadline=None, max_examples=250)
@given(st.data())
def test_any_bytes_have_an_answer(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(WELL_FORMED)))
    run({**WELL_FORMED, name: data.draw(mutated(WELL_FORMED[name]))})


@pytest.mark.parametrize("base", [base.value for base in BaseTy])
@pytest.mark.parametrize("suffix", ["", "?", "[]", "[2]", "?[]", "[]?", "[][]"])
def test_any_type_has_an_answer(base: str, suffix: str) -> None:
    files = dict.fromkeys(WELL_FORMED, b"[]")
    files["native-functions"] = f"- func: f({base}{suffix} x) -> Tensor\n".encode()
    said = run({**files, "tags": WELL_FORMED["tags"]})
    assert said == "" or "list" in said


def test_the_files_that_are_mutated_are_accepted() -> None:
    assert run(WELL_FORMED) == ""

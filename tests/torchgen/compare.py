"""Generates from PyTorch's own files, and compares with what PyTorch's generator makes of them.

    ./bazelw run //tests/torchgen:compare -- --python /path/to/python

The interpreter named has torchgen, which every torch wheel holds beside the files. Another version
needs no installation: unpack its wheel and name the folder with `--torchgen`.

Compared are the operators with their schemas and tags, those that `autogen` derives among them; the
names of the operators' headers; and which operators each dispatch key registers. Then everything
else is generated too: autograd, bindings, stubs, Declarations.yaml. Exit status 1 if anything
differs or is refused.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.codegen.cli import main as codegen
from tools.codegen.parse import ParsedYaml, parse_native_yaml
from tools.peer import interpreter

GROUPS = ("headers", "sources", "autograd", "python", "pyi", "declarations_yaml")

# Not generated here: this tree dispatches factories on the device itself, has no functionalization,
# and builds no HPU backend.
NOT_OURS = frozenset({"BackendSelect", "Functionalize", "NestedTensorHPU"})

_OPERATORS = """\
import sys
from torchgen.gen import parse_native_yaml
folder = sys.argv[1]
parsed = parse_native_yaml(folder + "/native_functions.yaml", folder + "/tags.yaml")
for f in parsed.native_functions:
    print(f.func, *sorted(f.tags), sep="\\t")
"""
_BLOCK = re.compile(r"\s*TORCH_LIBRARY_IMPL\(\w+, (\w+), m\)")
_IMPL = re.compile(r'\s*m\.impl\("([^"]+)"')


def operators(parsed: ParsedYaml) -> set[str]:
    """Schemas with tags, one a line as `_OPERATORS` prints them."""
    return {
        "\t".join([str(f.func), *sorted(f.tags & parsed.tags)])
        for f in (*parsed.functions, *parsed.derived)
    }


def registrations(sources: Iterable[Path]) -> dict[str, set[str]]:
    """The operators that each dispatch key registers."""
    result: dict[str, set[str]] = {}
    for path in sources:
        key = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            block = _BLOCK.match(line)
            if block:
                key = block[1]
            kernel = _IMPL.match(line)
            if kernel:
                result.setdefault(key, set()).add(kernel[1])
    return result


def difference(what: str, ours: set[str], theirs: set[str]) -> list[str]:
    """Lines that say what only one side has."""
    lines = [f"{what}: {len(ours)} here, {len(theirs)} in torchgen"]
    lines += [f"  only here: {name}" for name in sorted(ours - theirs)]
    lines += [f"  only torchgen: {name}" for name in sorted(theirs - ours)]
    return lines


def by_key(ours: Mapping[str, set[str]], theirs: Mapping[str, set[str]]) -> list[str]:
    """Lines for each dispatch key whose registrations differ."""
    lines = []
    for key in sorted({*ours, *theirs} - NOT_OURS):
        mine, other = ours.get(key, set()), theirs.get(key, set())
        if mine != other:
            lines += difference(f"registrations of {key}", mine, other)
    return lines


def generate(packaged: Path, template: Path, out: Path) -> None:
    """Everything that this tree's generator makes of PyTorch's files."""
    arguments = ["--source-path", str(packaged / "ATen"), "--install-dir", str(out)]
    arguments += ["--tensor-body-template", str(template), "--cuda", "--mps"]
    arguments += ["--derivatives", str(packaged / "autograd/derivatives.yaml")]
    if codegen([*arguments, "--generate", *GROUPS]):
        sys.exit(1)


def main() -> int:
    """Compares."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--python", type=interpreter("yaml"), required=True, help="a Python interpreter with PyYAML"
    )
    parser.add_argument("--torchgen", type=Path, help="folder torchgen of an unpacked torch wheel")
    arguments = parser.parse_args()
    environment = dict(os.environ)
    if arguments.torchgen is None:
        program = "import torchgen; print(torchgen.__path__[0])"
        found = subprocess.run(
            [arguments.python, "-c", program], capture_output=True, check=True, cwd="/", text=True
        )
        folder = Path(found.stdout.strip())
    else:
        folder = arguments.torchgen.resolve()
        environment["PYTHONPATH"] = str(folder.parent)
    packaged = folder / "packaged"
    native = packaged / "ATen/native"
    template = Path("aten/src/ATen/templates/TensorBody.h").resolve()
    with tempfile.TemporaryDirectory() as scratch:
        ours, theirs = Path(scratch, "ours"), Path(scratch, "theirs")
        generate(packaged, template, ours)
        command = [arguments.python, "-c", _OPERATORS, str(native)]
        listed = subprocess.run(
            command, capture_output=True, check=True, cwd=scratch, env=environment, text=True
        ).stdout
        command = [arguments.python, "-m", "torchgen.gen", "--source-path", str(packaged / "ATen")]
        command += ["--install-dir", str(theirs), "--per-operator-headers", "--mps"]
        command += ["--generate", "headers", "sources"]
        subprocess.run(command, check=True, cwd=scratch, env=environment, stdout=subprocess.DEVNULL)
        parsed = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml")
        lines = difference("operators", operators(parsed), set(listed.splitlines()))
        aten = ours / "aten/src/ATen"
        lines += difference(
            "headers of operators",
            {path.name for path in (aten / "ops").iterdir()},
            {path.name for path in (theirs / "ops").iterdir()},
        )
        lines += by_key(
            registrations(aten.glob("Register*.cpp")), registrations(theirs.glob("Register*.cpp"))
        )
    print("\n".join(lines))
    return 1 if any(line.startswith("  only") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())

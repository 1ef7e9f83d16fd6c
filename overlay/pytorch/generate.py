"""Runs PyTorch's own generators of a checkout: torchgen, tools/autograd, stubs of Python.

    generate.py KIND --root CHECKOUT --yaml NATIVE_FUNCTIONS --into OUT_ROOT
        --version VERSION --inputs FILE... --outputs PATH...

KIND is `headers` or `sources` of ATen, `autograd`, or `python` for stubs and the version. The
generators see a copy of their inputs, with the operators without comments in it, and write into it;
what was declared is moved to OUT_ROOT. What they write besides, or do not write, is an error: Bazel
knows every output before it runs.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ATEN = "aten/src/ATen"
YAML = f"{ATEN}/native/native_functions.yaml"
# Written beside the shards, and compiled by nobody.
IGNORED = ("Everything.cpp", "generated/templates/VariableType.cpp")


def copy_inputs(root: Path, inputs: Sequence[str], yaml: Path, tree: Path) -> None:
    """A tree of the inputs, at their paths below the checkout."""
    for name in inputs:
        target = tree / Path(name).relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(name, target)
    shutil.copyfile(yaml, tree / YAML)


def commands(kind: str) -> list[list[str]]:
    """The generators' scripts below the checkout, each with the arguments that CMake gives.

    All paths are relative, for some are written into what is generated.
    """
    operators = [*("--native-functions-path", YAML), *("--tags-path", f"{ATEN}/native/tags.yaml")]
    if kind == "autograd":
        return [
            [
                "tools/setup_helpers/generate_code.py",
                *operators,
                "--force_schema_registration",
                "--gen_lazy_ts_backend",
                "--per_operator_headers",
            ]
        ]
    if kind == "python":
        return [
            [
                "tools/pyi/gen_pyi.py",
                *operators,
                *("--deprecated-functions-path", "tools/autograd/deprecated.yaml"),
            ],
            ["torch/utils/data/datapipes/gen_pyi.py"],
            ["tools/generate_torch_version.py", "--is_debug=false", "--cuda_version="],
        ]
    return [
        [
            "torchgen/gen.py",
            *("--source-path", ATEN),
            *("--install_dir", ATEN),
            *("--generate", kind),
            "--per-operator-headers",
        ]
    ]


def files(tree: Path) -> set[str]:
    """The paths of all files, below the tree."""
    return {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}


def difference(written: set[str], declared: set[str]) -> str:
    """What an error says of outputs that are other than declared; empty if none is."""
    lines = [f"  {path}: written, and not declared" for path in sorted(written - declared)]
    lines += [f"  {path}: declared, and not written" for path in sorted(declared - written)]
    if not lines:
        return ""
    more = f"\n  and {len(lines) - 20} more" if len(lines) > 20 else ""
    return (
        "this checkout's generator writes other files than overlay/pytorch/versions.bzl and "
        "tables.bzl declare:\n" + "\n".join(lines[:20]) + more
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Generates one kind of files."""
    parser = argparse.ArgumentParser(description=__doc__, fromfile_prefix_chars="@")
    parser.add_argument("kind", choices=("headers", "sources", "autograd", "python"))
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--yaml", type=Path, required=True)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--inputs", nargs="+", required=True)
    parser.add_argument("--outputs", nargs="+", required=True)
    args = parser.parse_args(argv)
    start = Path.cwd()
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch)
        copy_inputs(args.root, args.inputs, args.yaml, tree)
        before = files(tree)
        sys.path.insert(0, str(tree))
        os.chdir(tree)
        os.environ.update(PYTORCH_BUILD_VERSION=args.version, PYTORCH_BUILD_NUMBER="0")
        for script, *arguments in commands(args.kind):
            sys.argv = [script, *arguments]
            runpy.run_path(script, run_name="__main__")
        os.chdir(start)
        written = {path for path in files(tree) - before if not path.endswith(IGNORED)}
        problem = difference(written, set(args.outputs))
        if problem:
            print(problem, file=sys.stderr)
            return 1
        for path in args.outputs:
            shutil.move(tree / path, args.into / path)
    return 0


if __name__ == "__main__":
    sys.exit(main())

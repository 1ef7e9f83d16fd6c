"""Measures how long a one-file extension compiles against this torch and against PyTorch's wheel.

    ./bazelw run //benchmarks/extension -- --peer /path/to/python

The file is the texture example's, which both compile; `--peer` is an interpreter that has PyTorch.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from tools.peer import interpreter

_ASK = "from torch.utils.cpp_extension import include_paths; print('\\n'.join(include_paths()))"


def processor_seconds() -> float:
    """What finished child processes have used; other programs on the machine change it little."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_seconds(source: Path, includes: list[str]) -> float:
    """Processor seconds of one compile to an object file."""
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-fPIC"]
    command += ["-DTORCH_EXTENSION_NAME=texture", f"-isystem{sysconfig.get_paths()['include']}"]
    command += [f"-isystem{path}" for path in includes]
    started = processor_seconds()
    subprocess.run([*command, "-c", str(source), "-o", os.devnull], check=True)
    return processor_seconds() - started


def main() -> None:
    """Compiles by turns and prints the least times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheels", type=Path, help="directory of the wheel; Bazel passes it")
    parser.add_argument("source", type=Path, help="the extension's source; Bazel passes it")
    parser.add_argument("--peer", type=interpreter("torch"), help="an interpreter that has PyTorch")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    source = arguments.source.resolve()
    with tempfile.TemporaryDirectory() as directory:
        (wheel,) = arguments.wheels.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(directory)
        sides = {"this tree": [str(Path(directory, "torch/include"))]}
        if arguments.peer:
            # Isolated: the `torch` of the directory that this runs in is the tree's own.
            asked = subprocess.run(
                [arguments.peer, "-I", "-c", _ASK], capture_output=True, check=True, text=True
            )
            sides["PyTorch"] = asked.stdout.split()
        seconds: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(arguments.repeats):
            for name, includes in sides.items():
                seconds[name].append(compile_seconds(source, includes))
    least = {name: min(values) for name, values in seconds.items()}
    for name, value in least.items():
        print(f"{name:<10} {value:6.2f} processor seconds, the least of {arguments.repeats}")
    if len(least) == 2:
        print(f"{'ratio':<10} {least['PyTorch'] / least['this tree']:6.2f}")


if __name__ == "__main__":
    main()

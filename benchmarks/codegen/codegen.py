"""Measures the generator, beside PyTorch's if there is one.

    ./bazelw run //benchmarks/codegen -- --torchgen-python /path/to/python

`--torchgen-python` is a Python interpreter that has PyTorch: then both generators read PyTorch's
native_functions.yaml and tags.yaml. Without it this tree's generator reads this tree's.

Both run on one processor core, by turns: headers and sources of the backends CPU, CUDA, MPS and
Meta and of the composite kernels, into a folder of their own. Each is run once before it is
measured, so that its Python is compiled. A run is a process of its own; `one operator edited, in a
worker` is a request to a process that has generated before, which is how Bazel runs this tree's.

PyTorch's generator writes kinds of files that this tree has no use for; it is measured as it is,
and once more told to leave those out, so that both do the same work. The folders are in memory if
the system has such a place: thousands of new files can take a disk longer than anything else.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.peer import interpreter

BACKENDS = ("CPU", "CUDA", "MPS", "Meta")
CASES = ("full generation", "one operator edited", "nothing changed")
WORKER_CASE = "one operator edited, in a worker"

# A line of both trees' files: an edit changes the default value, the next changes it back.
_DEFAULT = re.compile(r"(- func: allclose\(.*rtol=1e-0)([45])", re.MULTILINE)
# The worker, which says what processor time each request took.
_SERVE = """
import sys, time
from tools.codegen import cli, memory, worker
kept = memory.Memory()
def run(arguments):
    start = time.process_time()
    code = cli.main(arguments, kept)
    print(time.process_time() - start)
    return code
worker.serve(run, sys.stdin, sys.stdout)
"""
# PyTorch's generator without the kinds of files that this tree has no use for: functionalization,
# vmap, BackendSelect, AOTInductor's C interface, lists of names, and copies of shards in one file
# each that is never compiled.
_SAME_KINDS = """
import sys
from torchgen import gen
from torchgen.utils import FileManager
OTHER = (
    "ATenOpList", "FunctionalInverses", "Functions.cpp", "RedispatchFunctions",
    "RegisterBackendSelect", "RegisterFunctionalization", "RegistrationDeclarations",
    "VmapGeneratedPlumbing", "ViewMetaClasses", "aten_interned_strings",
)
def without_others(method):
    def write(self, filename, *args, **kwargs):
        name = str(filename)
        if not name.startswith(OTHER) and "Everything" not in name:
            method(self, filename, *args, **kwargs)
    return write
for name in ("write_with_template", "write_sharded_with_template"):
    setattr(FileManager, name, without_others(getattr(FileManager, name)))
gen.gen_aoti_c_shim_files = lambda **kwargs: None
sys.exit(gen.main())
"""
_PER_MEGABYTE = 2**20 if sys.platform == "darwin" else 2**10
_OPERATOR = re.compile(r"^struct TORCH_API ", re.MULTILINE)


@dataclass(frozen=True)
class Reading:
    """What a run takes.

    Attributes:
      seconds: of the clock on the wall.
      processor: seconds of processor time, which other programs change less.
      megabytes: most memory that was resident.
    """

    seconds: float
    processor: float
    megabytes: float


@dataclass(frozen=True)
class Side:
    """One of the two generators.

    Attributes:
      name: head of its column.
      command: what runs it.
      environment: what it needs besides this process's environment.
      inputs: folder that holds native/native_functions.yaml.
      outputs: folder it writes to.
    """

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    inputs: Path
    outputs: Path

    def run(self) -> Reading:
        """Generates, and waits."""
        start = time.perf_counter()
        process = subprocess.Popen(
            self.command,
            cwd=self.inputs,
            env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        errors = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(self.command)}\nfailed:\n{errors}")
        processor = usage.ru_utime + usage.ru_stime
        return Reading(seconds, processor, usage.ru_maxrss / _PER_MEGABYTE)

    def edit(self) -> None:
        """Changes one operator."""
        path = self.inputs / "native/native_functions.yaml"
        path.write_text(edited(path.read_text(encoding="utf-8")), encoding="utf-8")

    def prepare(self, case: str) -> None:
        """Brings inputs and outputs into the state that the case starts from."""
        if case == CASES[0]:
            shutil.rmtree(self.outputs, ignore_errors=True)
        elif case == CASES[1]:
            self.edit()

    def facts(self) -> dict[str, int]:
        """What it has written."""
        files = [path for path in self.outputs.rglob("*") if path.is_file()]
        headers = [path for path in files if path.name.endswith("_ops.h")]
        return {
            "operators": sum(
                len(_OPERATOR.findall(path.read_text(encoding="utf-8"))) for path in headers
            ),
            "files": len(files),
            "megabytes": round(sum(path.stat().st_size for path in files) / 1e6),
        }


def edited(text: str) -> str:
    """native_functions.yaml with another default value for one argument of one operator."""
    result, count = _DEFAULT.subn(lambda m: m[1] + ("5" if m[2] == "4" else "4"), text)
    if count != 1:
        sys.exit(f"native_functions.yaml has {count} lines that match {_DEFAULT.pattern}, not 1")
    return result


def request(worker: subprocess.Popen[str], arguments: Sequence[str]) -> tuple[float, float]:
    """Seconds and processor seconds of one request to a worker."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    start = time.perf_counter()
    worker.stdin.write(json.dumps({"arguments": list(arguments)}) + "\n")
    worker.stdin.flush()
    answer = json.loads(worker.stdout.readline())
    seconds = time.perf_counter() - start
    if answer["exitCode"] != 0:
        sys.exit(answer["output"])
    return seconds, float(answer["output"])


def serve(side: Side, repeats: int) -> Reading:
    """Medians of edits of one operator, in a worker that has generated everything once."""
    program, arguments = [side.command[0], "-c", _SERVE], side.command[3:]
    with subprocess.Popen(
        program,
        cwd=side.inputs,
        env={**os.environ, **side.environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as worker:
        request(worker, arguments)
        times = []
        for _ in range(repeats):
            side.edit()
            times.append(request(worker, arguments))
        assert worker.stdin is not None
        worker.stdin.close()
        _, status, usage = os.wait4(worker.pid, 0)
        worker.returncode = os.waitstatus_to_exitcode(status)
    seconds, processor = (statistics.median(column) for column in zip(*times, strict=True))
    return Reading(seconds, processor, usage.ru_maxrss / _PER_MEGABYTE)


def this_tree(inputs: Path, outputs: Path, template: Path) -> Side:
    """Our generator, in this interpreter."""
    command = [
        *(sys.executable, "-m", "tools.codegen", "--source-path", "."),
        *("--tensor-body-template", str(template), "--install-dir", str(outputs)),
        *("--per-operator-headers", "--cuda", "--mps"),
    ]
    return Side("this tree", command, {"PYTHONPATH": os.pathsep.join(sys.path)}, inputs, outputs)


def torchgen(python: str, inputs: Path, outputs: Path, *, same_kinds: bool = False) -> Side:
    """PyTorch's generator, in the interpreter that has it."""
    program = ("-c", _SAME_KINDS) if same_kinds else ("-m", "torchgen.gen")
    command = [
        *(python, *program, "--source-path", ".", "--install-dir", str(outputs)),
        *("--per-operator-headers", "--mps", "--generate", "headers", "sources"),
        *("--backend-whitelist", *BACKENDS),
    ]
    return Side("torchgen, same kinds" if same_kinds else "torchgen", command, {}, inputs, outputs)


def torchgen_inputs(python: str) -> Path:
    """The files that PyTorch generates from, which its wheel holds."""
    program = "import torchgen; print(torchgen.__path__[0])"
    found = subprocess.run(
        [python, "-c", program], capture_output=True, check=True, cwd="/", text=True
    ).stdout
    return Path(found.strip(), "packaged/ATen")


def measure(sides: Sequence[Side], repeats: int) -> dict[tuple[str, str], Reading]:
    """Medians by case and side; the sides take turns."""
    for side in sides:
        side.run()
    readings: dict[tuple[str, str], list[Reading]] = {}
    for _ in range(repeats):
        for case in CASES:
            for side in sides:
                side.prepare(case)
                readings.setdefault((case, side.name), []).append(side.run())
    return {
        key: Reading(
            statistics.median(r.seconds for r in runs),
            statistics.median(r.processor for r in runs),
            statistics.median(r.megabytes for r in runs),
        )
        for key, runs in readings.items()
    }


def row(name: str, values: Sequence[float], form: str, *, ratio: bool = True) -> tuple[str, ...]:
    """A line of the table; after each peer's cell stands how many times less this tree needs."""
    cells = [name, format(values[0], form)]
    for value in values[1:]:
        cells += [format(value, form), f"{value / values[0]:.1f}" if ratio else ""]
    return tuple(cells)


def render(sides: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    """The table, in Markdown."""
    head = ("", sides[0], *(cell for peer in sides[1:] for cell in (peer, "ratio")))
    lines = [head, ("---", *["---:" for _ in head[1:]]), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _scratch() -> str | None:
    """A folder in memory, if there is one; else the usual place."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and os.access(memory, os.W_OK) else None


def main() -> None:
    """Measures this tree, and PyTorch's generator if there is one."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--torchgen-python",
        type=interpreter("torchgen"),
        help="a Python interpreter that has PyTorch",
    )
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error(f"--repeats={arguments.repeats}: wanted a number from 1. Type: --repeats=3")
    python = arguments.torchgen_python
    tree = Path("aten/src/ATen")
    if hasattr(os, "sched_setaffinity"):
        # Inherited by both generators.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(dir=_scratch()) as directory:
        scratch = Path(directory)
        source = torchgen_inputs(python) if python else tree
        names = ["ours", "theirs", "same"] if python else ["ours"]
        for name in names:
            for part in ("native/native_functions.yaml", "native/tags.yaml"):
                path = scratch / name / part
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source / part, path)
        template = (tree / "templates/TensorBody.h").resolve()
        sides = [this_tree(scratch / "ours", scratch / "out/ours", template)]
        if python:
            for name in names[1:]:
                shutil.copytree(source / "templates", scratch / name / "templates")
                side = torchgen(
                    python, scratch / name, scratch / "out" / name, same_kinds=name == "same"
                )
                sides.append(side)
        medians = measure(sides, arguments.repeats)
        medians[WORKER_CASE, sides[0].name] = serve(sides[0], arguments.repeats)
        for side in sides[1:]:  # They have no worker: an edit is another process.
            medians[WORKER_CASE, side.name] = medians[CASES[1], side.name]
        facts = [side.facts() for side in sides]
    rows = []
    for case in (*CASES, WORKER_CASE):
        readings = [medians[case, side.name] for side in sides]
        rows.append(row(f"{case}: seconds", [r.seconds for r in readings], ".2f"))
        rows.append(row(f"{case}: processor seconds", [r.processor for r in readings], ".2f"))
        rows.append(row(f"{case}: peak memory, MB", [r.megabytes for r in readings], ".0f"))
    for fact, label in (
        ("operators", "operators written"),
        ("files", "files written"),
        ("megabytes", "MB written"),
    ):
        rows.append(row(label, [f[fact] for f in facts], "d", ratio=False))
    for fact, label in (("operators", "an operator"), ("files", "a file")):
        costs = [
            1e3 * medians[CASES[0], side.name].processor / f[fact]
            for side, f in zip(sides, facts, strict=True)
        ]
        rows.append(row(f"{CASES[0]}: processor milliseconds {label}", costs, ".2f"))
    print(f"headers and sources of {source / 'native/native_functions.yaml'},")
    print(f"medians of {arguments.repeats} runs on one core; Python {sys.version.split()[0]}\n")
    print(render([side.name for side in sides], rows))


if __name__ == "__main__":
    main()

"""Runs PyTorch's own test files against this torch, beside PyTorch, and keeps the ledger.

    ./bazelw run //tests/upstream:run -- --source SOURCE --peer PYTHON test_view_ops nn/test_init

SOURCE is a checkout of PyTorch, or its unpacked source package; PYTHON an interpreter with a real
PyTorch, numpy, expecttest and hypothesis. A name that ends in .cpp, such as
c10/test/util/Half_test.cpp, is a C++ test, from the top of SOURCE; it is compiled with the torch
that is installed for --python. Without names all files of the ledger run. A test that passes in
PyTorch and not here, and that the ledger does not know, fails the run; --update writes what is
better. A test that needs a part which this torch refuses by name ("this release is without") is
counted apart, as absent; --summary prints what the ledger has, and runs nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cpp
import ledger
import sample
from ledger import Outcomes
from processes import run_file

from tools.peer import interpreter

_HERE = Path(__file__).resolve().parent
_TREE = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", _HERE.parents[1]))
_LEDGER = _TREE / "tests/upstream/ledger"
_CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "torch-upstream")


def plain_environment() -> dict[str, str]:
    """The environment without this tree's packages."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def peer_of(python: str) -> tuple[Path, str]:
    """The directory of the peer's torch, and its version."""
    code = "import torch, numpy, expecttest; print(torch.__path__[0]); print(torch.__version__)"
    # Elsewhere: this tree's torch/ would be imported from its top.
    done = subprocess.run(
        [python, "-c", code],
        capture_output=True,
        text=True,
        env=plain_environment(),
        cwd="/",
        check=False,
    )
    if done.returncode:
        sys.exit(
            f"--peer {python} cannot import what the tests need:\n{done.stderr}\n"
            "    python3 -m pip install torch numpy expecttest hypothesis"
        )
    directory, version = done.stdout.split()
    return Path(directory), version


def cached(version: str, which: str, file: Path, run: Callable[[], Outcomes]) -> Outcomes:
    """What PyTorch itself makes of a file, from the cache if it has run before."""
    key = hashlib.sha256(f"{version} {which} ".encode() + file.read_bytes()).hexdigest()[:16]
    path = _CACHE / f"{file.stem}-{key}.json"
    if not path.exists():
        outcomes = run()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(outcomes))
    return {name: (v[0], v[1]) for name, v in json.loads(path.read_text()).items()}


def test_file(source: Path, name: str) -> Path:
    """The file of a name such as nn/test_init or c10/test/util/Half_test.cpp.

    Exits with what exists, if it does not.
    """
    top = source if name.endswith(".cpp") else source / "test"
    file = top / name if name.endswith(".cpp") else top / f"{name.removesuffix('.py')}.py"
    if not file.is_file():
        found = sorted(top.glob(f"**/{file.name}"))
        hint = ", ".join(str(p.relative_to(top)) for p in found) or "nothing like it"
        sys.exit(f"{file} does not exist; below {top} there is: {hint}")
    return file


def run_sample(source: Path, update: bool) -> bool:
    """Runs the sample that //tests/upstream:sample_test runs; whether something is worse."""
    path = _TREE / "tests/upstream/sample.json"
    values = sample.recorded(path)
    failed = False
    for name, old in values["files"].items():
        now = sample.run(source, name, values["share"], values["seed"])
        print(f"{name}: {now}")
        for line in sample.problems(ledger.Ledger.of(old), now):
            failed = True
            print(f"    {line}")
        values["files"][name] = now.values()
    if update:
        path.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return failed and not update


def cpp_ledger(args: argparse.Namespace, version: str, file: Path) -> ledger.Ledger:
    """The entry that a run of a C++ test file makes, in PyTorch and here."""

    def outcomes(python: str) -> tuple[Outcomes, str]:
        torch = cpp.places(python, plain_environment())
        return cpp.run_file(args.source, file, torch, args.patience)

    peer = cached(version, "C++", file, lambda: outcomes(args.peer)[0])
    ours, error = outcomes(args.python)
    return ledger.compared(peer, cpp.without(peer, error) if error else ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, help="PyTorch's source tree")
    parser.add_argument(
        "--peer",
        type=interpreter("torch", "numpy", "expecttest"),
        help="a Python with a real PyTorch",
    )
    parser.add_argument("--summary", action="store_true", help="print the ledger and run nothing")
    parser.add_argument(
        "--sample", action="store_true", help="run the tests of sample.json, which need no peer"
    )
    parser.add_argument(
        "--python",
        type=interpreter("torch", "numpy", "expecttest"),
        help="the Python of an installed torch of this tree",
    )
    parser.add_argument(
        "--only", help="only tests with this in their name; the ledger is left alone"
    )
    parser.add_argument(
        "--patience", type=float, default=120, help="seconds that one test may take"
    )
    parser.add_argument(
        "--share",
        type=float,
        default=1,
        help="for a new ledger: the part of the tests, such as 0.25",
    )
    parser.add_argument("--seed", default="", help="for a new ledger: draws them")
    parser.add_argument("--update", action="store_true", help="write the ledger where it is better")
    parser.add_argument(
        "names", nargs="*", help="test files, such as nn/test_init or c10/test/util/Half_test.cpp"
    )
    args = parser.parse_args()
    known = sorted(str(p.relative_to(_LEDGER))[:-5] for p in _LEDGER.glob("**/*.json"))
    if args.summary:
        for name in args.names or known:
            print(f"{name}: {ledger.Ledger.read(_LEDGER / f'{name}.json') or 'no ledger'}")
        return
    if args.sample and args.source:
        sys.exit(1 if run_sample(args.source, args.update) else 0)
    if not args.source or not args.peer:
        parser.error(
            "--source and --peer are needed; or --source and --sample; or --summary, which reads "
            "the ledger"
        )
    helpers, version = peer_of(args.peer)
    print(f"of the tests that pass in PyTorch {version}:")
    if args.python:
        command, environment = [args.python], plain_environment()
    else:
        command = [sys.executable]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    failed = False
    for name in args.names or known:
        file = test_file(args.source, name)
        path = _LEDGER / f"{name.removesuffix('.py')}.json"
        before = ledger.Ledger.read(path)
        if name.endswith(".cpp"):
            if not args.python:
                print(f"{name}: left out; C++ tests compile with an installed torch, --python")
                continue
            now = cpp_ledger(args, version, file)
        else:
            share, seed = (before.share, before.seed) if before else (args.share, args.seed)
            which: dict[str, Any] = {"only": args.only, "share": share, "seed": seed}
            parts = str(args.only) + (f" {share} {seed}" if share < 1 else "")

            def of_peer(file: Path = file, which: dict[str, Any] = which) -> Outcomes:
                environment = plain_environment()
                return run_file([args.peer], file, environment, patience=args.patience, **which)

            peer = cached(version, parts, file, of_peer)
            outcomes = run_file(
                command,
                file,
                environment,
                helpers=helpers,
                patience=args.patience,
                **which,
            )
            now = ledger.compared(peer, outcomes)
            now.share, now.seed = share, seed
        print(f"{name}: {now}")
        if args.only or before is None:
            for test, (outcome, reason) in now.known.items():
                print(f"    {outcome}: {test}: {reason}")
        if args.only:
            continue
        for test, (outcome, reason) in ledger.regressions(before, now).items():
            failed = True
            print(f"    {outcome} now: {test}: {reason}")
        better = ledger.improvements(before, now)
        if better:
            print(f"    pass now: {', '.join(better)}")
        if args.update and not ledger.regressions(before, now):
            path.parent.mkdir(parents=True, exist_ok=True)
            now.write(path)
        elif better:
            print("    Write it down: repeat the command with --update")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

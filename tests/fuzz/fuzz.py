"""Calls operators with random arguments: each answers or raises an exception, and none crashes.

    ./bazelw run //tests/fuzz -- --seed 1 --cases 20000
    ./bazelw run //tests/fuzz -- --seed 1 --cases 5000 --peer PYTHON   # and compares with PyTorch

A case that fails is run again alone by `--seed N --only NUMBER`.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from compare import differences
from describe import describe
from generate import UNDEFINED, Generator
from processes import Runner

from tools.codegen.parse import parse_native_yaml
from tools.peer import interpreter

_NATIVE = Path(__file__).resolve().parents[2] / "aten/src/ATen/native"

# Differences of a random call that mean a wrong answer, not another order of checks.
_WRONG = ("values", "dtype", "shape", "crash", "gradients", "second")


def write_cases(path: Path, seed: int, cases: int, match: str) -> list[tuple[int, dict[str, Any]]]:
    """Generates the cases into a file; their offsets."""
    parsed = parse_native_yaml(_NATIVE / "native_functions.yaml", _NATIVE / "tags.yaml")
    functions = [f for f in parsed.functions if match in str(f.func.name)]
    generator = Generator(functions, seed)
    places = []
    with path.open("wb") as file:
        for _ in range(cases):
            case = generator.case()
            places.append((file.tell(), case))
            pickle.dump({"case": case}, file)
    return places


def main() -> int:
    """The status is 1 if a process died or, with a peer, if an answer was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--only", type=int, help="the number of one case")
    parser.add_argument("--match", default="", help="operators whose name contains this")
    parser.add_argument(
        "--peer",
        type=interpreter("torch", "numpy"),
        help="Python interpreter with the real PyTorch",
    )
    parser.add_argument("--megabytes", type=int, default=8192, help="of address space; 0: no limit")
    parser.add_argument("--all", action="store_true", help="show what raises on one side alone too")
    arguments = parser.parse_args()
    ours = Runner(megabytes=arguments.megabytes)
    peer = Runner(arguments.peer, arguments.megabytes) if arguments.peer else None
    outcomes: Counter[str] = Counter()
    bad = 0
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "cases.pickle"
        places = write_cases(path, arguments.seed, arguments.cases, arguments.match)
        for number, (offset, case) in enumerate(places):
            if arguments.only not in (None, number):
                continue
            ran = ours.run(path, offset)
            outcomes["died" if "died" in ran else ran.get("error", "answered")] += 1
            problems = [f"crash: {ran['died']}"] if "died" in ran else []
            if peer is not None and not problems:
                problems = _compare(case, ran, peer.run(path, offset), arguments.all)
            if problems or arguments.only is not None:
                print(f"case {number}: {describe(case)}\n    {'; '.join(problems) or ran}"[:1000])
            bad += bool(problems)
    ours.close()
    if peer is not None:
        peer.close()
    counts = ", ".join(f"{count} {kind}" for kind, count in outcomes.most_common())
    print(f"seed {arguments.seed}: {sum(outcomes.values())} cases: {counts}; {bad} bad")
    return int(bad > 0)


def _compare(case: Any, ours: Any, theirs: Any, everything: bool) -> list[str]:
    """What differs; without `everything`, only answers that are wrong."""
    if "died" in theirs or "absent" in theirs or "untranslatable" in theirs:
        return []
    record = {"operator": "", "case": case, "outcome": theirs, "rtol": 1e-4, "atol": 1e-4}
    name = case["steps"][0][0].split(".")[-1]
    found = [d for d in differences(record, ours) if everything or d.kind in _WRONG]
    if name in UNDEFINED:
        found = [d for d in found if d.kind != "values"]
    return [f"{d.kind}: {d.text}" for d in found]


if __name__ == "__main__":
    sys.exit(main())

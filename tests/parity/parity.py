"""Runs PyTorch's operator database here and in PyTorch, and prints a table of the differences.

    ./bazelw run //tests/parity -- --peer PYTHON --ops add,nn.functional.gelu

PYTHON has torch, numpy and expecttest. What PyTorch answers is recorded once for each operator, in
~/.cache/torch-parity, so that later runs need only this tree.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compare import Difference, differences
from describe import describe
from exceptions import Allowance, excuse, load
from families import family
from families import names as family_names
from processes import Peer, Runner, records
from shipped import shipped

from tools.peer import interpreter

_HERE = Path(__file__).resolve().parent
_EXCEPTIONS = _HERE / "exceptions.yaml"


@dataclass
class Operator:
    """What a run found of one operator."""

    name: str
    cases: int = 0
    passed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    excused: int = 0
    failures: list[tuple[dict[str, Any], Difference]] = field(default_factory=list)
    allowances: list[Allowance] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether it fails otherwise than exceptions.yaml says."""
        return bool(self.failures)

    @property
    def stale(self) -> list[Allowance]:
        """What there was nothing left to excuse for."""
        return [allowance for allowance in self.allowances if not allowance.used]


def examine(
    name: str, path: Path, ours: Runner, allowances: list[Allowance], chosen: Any
) -> Operator:
    """Runs the cases of an operator that `chosen` accepts."""
    found = Operator(name, allowances=allowances)
    for offset, record in records(path):
        if not chosen(record):
            continue
        if record["case"] is None:
            found.skipped[record["reason"]] += 1
            continue
        found.cases += 1
        record["operator"] = name
        different = list(differences(record, ours.run(path, offset)))
        for difference in different:
            if excuse(allowances, record, difference) is None:
                found.failures.append((record, difference))
        if not different:
            found.passed += 1
        elif not found.failures or found.failures[-1][0] is not record:
            found.excused += 1
    return found


def _report(operators: list[Operator], verbose: int, whole: bool) -> None:
    """Prints the failures and the table."""
    for operator in operators:
        kinds = Counter((record["check"], d.kind) for record, d in operator.failures)
        shown: Counter[Any] = Counter()
        for record, difference in operator.failures:
            key = (record["check"], difference.kind)
            shown[key] += 1
            if shown[key] <= verbose:
                text = (
                    difference.text if len(difference.text) < 500 else difference.text[:500] + "…"
                )
                print(
                    f"{operator.name} {record['dtype']} {record['check']} {record['number']}: "
                    f"{difference.kind}: {text}\n    {describe(record['case'])}"
                )
        for (check, kind), count in kinds.items():
            if count > verbose:
                print(f"{operator.name} {check}: {kind}: {count} in all")
        for allowance in operator.allowances if whole else ():
            if not allowance.used:
                print(f"passes now; remove from tests/parity/exceptions.yaml: {allowance}")
            elif allowance.used < allowance.most:
                print(f"{allowance.used} now, not {allowance.most}: {allowance}")
    width = max([len(operator.name) for operator in operators], default=8)
    print(f"\n{'operator':{width}}  cases passed excepted failed skipped  what differs")
    for o in operators:
        what = Counter(d.kind for _, d in o.failures)
        failed = o.cases - o.passed - o.excused
        print(
            f"{o.name:{width}} {o.cases:6} {o.passed:6} {o.excused:8} {failed:6} "
            f"{sum(o.skipped.values()):7}  {', '.join(f'{k} {n}' for k, n in what.items())}"
        )
    good = sum(not o.failures for o in operators)
    print(
        f"{good} of {len(operators)} operators agree, {sum(o.passed for o in operators)} of "
        f"{sum(o.cases for o in operators)} cases, {sum(o.excused for o in operators)} excepted"
    )


def _by_family(operators: list[Operator]) -> str:
    """The table of docs/parity.md."""
    lines = ["| | operators | that agree | cases | passed | excepted |"]
    lines.append("| --- |" + " ---: |" * 5)
    rows = [(name, [o for o in operators if family(o.name) == name]) for name in family_names()]
    for name, found in [*rows, ("**all**", operators)]:
        agree = sum(o.cases == o.passed for o in found)
        sums = [sum(getattr(o, fact) for o in found) for fact in ("cases", "passed", "excused")]
        numbers = " | ".join(f"{number:,}" for number in (len(found), agree, *sums))
        lines.append(f"| {name} | {numbers} |")
    return "\n".join(lines)


def main() -> int:
    """The status is 0 if everything agrees but for exceptions.yaml."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--peer",
        type=interpreter("torch", "numpy"),
        required=True,
        help="Python interpreter with the real PyTorch",
    )
    parser.add_argument("--ops", help="operators, with commas; without it all that exist here")
    parser.add_argument("--dtypes", help="only these, with commas")
    parser.add_argument("--checks", help="only these: function, method, inplace, out, error")
    parser.add_argument("--sample", action="store_true", help="a few cases of each operator")
    parser.add_argument("--verbose", type=int, default=2, help="failures to show of each kind")
    parser.add_argument("--skipped", action="store_true", help="say why cases were skipped")
    parser.add_argument("--table", type=Path, help="write the table as JSON")
    parser.add_argument("--families", action="store_true", help="a table by family, in Markdown")
    parser.add_argument("--self", action="store_true", help="PyTorch against itself")
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "torch-parity"
    parser.add_argument("--cache", type=Path, default=cache, help="what PyTorch answered")
    arguments = parser.parse_args()

    peer = Peer(arguments.peer, arguments.cache, arguments.sample)
    names = peer.operators()
    if arguments.ops:
        wanted = arguments.ops.split(",")
        chosen = [full for full, name in names.items() if {full, name} & set(wanted)]
        if unknown := [w for w in wanted if not any(w in item for item in names.items())]:
            sys.exit(f"PyTorch's database has no operator {', '.join(unknown)}")
    else:
        chosen = shipped(names)
    dtypes = arguments.dtypes and arguments.dtypes.split(",")
    checks = arguments.checks and arguments.checks.split(",")

    def accepted(record: dict[str, Any]) -> bool:
        return (not dtypes or record["dtype"] in dtypes) and (
            not checks or record["check"].split(" ")[0] in checks
        )

    exceptions = load(_EXCEPTIONS)
    peer.record(chosen)
    ours = Runner(arguments.peer if arguments.self else None)
    operators = []
    for name in chosen:
        if not peer.path(name).exists():
            print(f"{name}: PyTorch's cases cannot be recorded", file=sys.stderr)
            continue
        known = exceptions.get(name, [])
        operators.append(examine(name, peer.path(name), ours, known, accepted))
        if sys.stderr.isatty():
            print(f"\r{len(operators)} of {len(chosen)}", end="", file=sys.stderr)
    ours.close()
    whole = not (dtypes or checks or arguments.sample or arguments.self)
    _report(operators, arguments.verbose, whole)
    if arguments.skipped:
        for operator in operators:
            for reason, count in operator.skipped.items():
                print(f"{operator.name}: {count} skipped: {reason}")
    if arguments.families:
        print(_by_family(operators))
    if arguments.table:
        rows = [{"operator": o.name, "cases": o.cases, "passed": o.passed} for o in operators]
        arguments.table.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    strangers = sorted(set(exceptions) - set(names))
    for name in strangers:
        print(f"tests/parity/exceptions.yaml: PyTorch's database has no operator {name}")
    return int(bool(strangers) or any(o.failed or (whole and o.stale) for o in operators))


if __name__ == "__main__":
    sys.exit(main())

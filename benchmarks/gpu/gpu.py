"""Times operators on a GPU, here and in real PyTorch, and prints a table.

    python benchmarks/gpu/gpu.py --peer PYTHON [--device vulkan]

Runs from an installed wheel; needs Python 3.11 or later and nothing else. Each of the two is one
process, one after the other. Rates are shares of the copy's, or of the largest matrix product's,
whichever of the two torches is faster at it.

PyTorch's wheels have no Vulkan, so that their side of `--device vulkan` is the CPU, and the title
says so. A Vulkan driver may compute on the processor, too (Mesa's lavapipe): then the title calls
the device a processor, and no figure tells anything about a GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
Results = dict[str, dict[str, Any]]


def run(python: str, arguments: list[str], peer: bool) -> tuple[str, Results]:
    """What one torch calls itself, and its answers by case."""
    environment = {k: v for k, v in os.environ.items() if not (peer and k.startswith("PYTHON"))}
    worker = subprocess.Popen(
        [python, "-W", "ignore", str(_HERE / "worker.py"), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert worker.stdout
    title, results = "", {}
    for line in worker.stdout:
        answer = json.loads(line)
        if "case" not in answer:
            title = f"torch {answer['torch']} on {answer['device']}"
            continue
        results[answer["case"]] = answer
        what = f"{answer['seconds'] * 1e6:12,.1f} us" if "seconds" in answer else "      absent"
        print(f"{what}  {answer['case']}", file=sys.stderr)
    if worker.wait() != 0:
        sys.exit(f"{python}: the worker ended with status {worker.returncode}")
    return title, results


def rate(answer: dict[str, Any]) -> tuple[float, str]:
    """Bytes or operations a second, in the unit that is printed."""
    if answer.get("bytes"):
        return answer["bytes"] / answer["seconds"] / 1e9, "GB/s"
    if answer.get("operations"):
        return answer["operations"] / answer["seconds"] / 1e12, "TFLOP/s"
    return 0.0, ""


def ceilings(*sides: Results) -> dict[str, float]:
    """The best rate of the copy and of the matrix product, by unit."""
    best: dict[str, float] = {}
    for side in sides:
        for what in ("copy, ", "matmul "):
            # The largest is the first.
            case = next((name for name in side if name.startswith(what)), "")
            if "seconds" in side.get(case, {}):
                value, unit = rate(side[case])
                best[unit] = max(best.get(unit, 0.0), value)
    return best


def digits(value: float) -> str:
    """The number in full, with two digits that say something where it is small."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def table(ours: Results, theirs: Results) -> str:
    """Markdown: times, this torch's rate and its share of the ceiling, and the ratio."""
    best = ceilings(ours, theirs)
    lines = [
        "| case | here, us | rate | share of ceiling | PyTorch, us | times as fast |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for case, answer in ours.items():
        peer = theirs.get(case, {})
        if "seconds" not in answer:
            lines.append(f"| {case} | {answer['absent']} | | | | |")
            continue
        value, unit = rate(answer)
        share = digits(value / best[unit]) if unit in best else ""
        shown = f"{digits(value)} {unit}" if unit else ""
        their_time = f"{peer['seconds'] * 1e6:,.1f}" if "seconds" in peer else ""
        ratio = digits(peer["seconds"] / answer["seconds"]) if "seconds" in peer else ""
        time = f"{answer['seconds'] * 1e6:,.1f}"
        lines.append(f"| {case} | {time} | {shown} | {share} | {their_time} | {ratio} |")
    return "\n".join(lines)


def main() -> None:
    """Runs the one, then the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="Python with PyTorch; without it only this torch is timed")
    parser.add_argument("--device", default="cuda", choices=("cuda", "mps", "vulkan", "cpu"))
    parser.add_argument("--repeats", type=int, default=30, help="of each call")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    arguments = parser.parse_args()
    options = ["--repeats", str(arguments.repeats), "--only", arguments.only]
    title, ours = run(sys.executable, [*options, "--device", arguments.device], peer=False)
    peer_title, theirs = "", {}
    if arguments.peer:
        theirs_runs_on = "cpu" if arguments.device == "vulkan" else arguments.device
        options += ["--device", theirs_runs_on, "--cases", arguments.device]
        peer_title, theirs = run(arguments.peer, options, peer=True)
    print(f"{title}{'; against ' + peer_title if peer_title else ''}\n")
    print(table(ours, theirs))


if __name__ == "__main__":
    main()

"""Times all cases on the torch of this process; a line of JSON each, the ceilings first."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from typing import Any

import torch
from cases import CASES, Work

WARM_UP = 3


def seconds_of(work: Work, repeats: int) -> float:
    """The median time of one call on the GPU, by events around it."""
    for _ in range(WARM_UP):
        for call in work.calls:
            call()
    torch.cuda.synchronize()
    times = []
    for i in range(repeats):
        call = work.calls[i % len(work.calls)]
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1e3)
    return statistics.median(times)


def main() -> None:
    """Answers with what this torch is, then with each case."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit(f"torch {torch.__version__}: torch.cuda.is_available() is False; a GPU is needed")
    name = torch.cuda.get_device_properties(0).name
    print(json.dumps({"torch": torch.__version__, "device": name}), flush=True)
    for case, make in CASES.items():
        if arguments.only not in case:
            continue
        torch.manual_seed(0)
        answer: dict[str, Any] = {"case": case}
        try:
            work = make()
            answer |= {"seconds": seconds_of(work, arguments.repeats)}
            answer |= {"bytes": work.bytes, "operations": work.operations}
            del work
        except (AttributeError, RuntimeError, TypeError) as error:
            answer["absent"] = f"{type(error).__name__}: {error}".splitlines()[0]
        torch.cuda.empty_cache()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

"""Times all cases on the torch of this process; a line of JSON each, the ceilings first."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable

import cases
import torch
from cases import Work

WARM_UP = 3
Answer = dict[str, "str | float"]


def device_name(device: str) -> str:
    """What the machine calls the device; exits with what is missing where there is none."""
    torch_is = f"torch {torch.__version__}"
    if device == "cpu":
        return f"cpu ({platform.processor() or platform.machine()})"
    if device == "cuda":
        if not torch.cuda.is_available():
            sys.exit(f"{torch_is}: torch.cuda.is_available() is False; a GPU is needed")
        return str(torch.cuda.get_device_properties(0).name)
    available = torch.backends.mps.is_available if device == "mps" else torch.is_vulkan_available
    if not available():
        sys.exit(
            f"{torch_is} has no {device} device; build it with --{device}, on a machine with one"
        )
    return str(getattr(torch.ops, device).device_name(-1))


def synchronizer(device: str) -> Callable[[], None]:
    """What waits for the device."""
    if device == "cuda":
        return torch.cuda.synchronize
    if device == "mps":
        return torch.mps.synchronize
    if device == "vulkan":
        return lambda: torch.ops.vulkan.synchronize(-1)
    return lambda: None


def seconds_of(work: Work, repeats: int, device: str) -> float:
    """The median time of one call: on CUDA by events around it, elsewhere with a wait behind it."""
    synchronize = synchronizer(device)
    for _ in range(WARM_UP):
        for call in work.calls:
            call()
    synchronize()
    times = []
    for i in range(repeats):
        call = work.calls[i % len(work.calls)]
        if device == "cuda":
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            start.record()
            call()
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
            continue
        begin = time.perf_counter()
        call()
        synchronize()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main() -> None:
    """Answers with what this torch is, then with each case."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--cases", default="", help="those of this device; of --device by default")
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    cases.DEVICE = arguments.device
    name = device_name(arguments.device)
    print(json.dumps({"torch": torch.__version__, "device": name}), flush=True)
    for case, make in cases.cases_of(arguments.cases or arguments.device).items():
        if arguments.only not in case:
            continue
        torch.manual_seed(0)
        answer: Answer = {"case": case}
        try:
            work = make()
            answer |= {"seconds": seconds_of(work, arguments.repeats, arguments.device)}
            answer |= {"bytes": work.bytes, "operations": work.operations}
            del work
        except (AttributeError, RuntimeError, TypeError) as error:
            answer["absent"] = f"{type(error).__name__}: {error}".splitlines()[0]
        if arguments.device == "cuda":
            torch.cuda.empty_cache()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

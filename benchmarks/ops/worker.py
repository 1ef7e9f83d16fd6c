"""Times cases on the torch of this process: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import torch
from cases import CASES, Call


def _seconds(call: Call, number: int) -> float:
    start = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - start) / number


class Timer:
    """Keeps each case's call, and how often to repeat it so that a round is long enough."""

    def __init__(self) -> None:
        self._calls: dict[tuple[str, int], tuple[Call, int]] = {}

    def time(self, name: str, threads: int, seconds: float) -> float:
        """The shortest time of one call, from a few rounds that last `seconds` together."""
        torch.set_num_threads(threads)
        if (name, threads) not in self._calls:
            self._calls.clear()  # Only one case's tensors at a time.
            torch.manual_seed(0)
            call = CASES[name]()
            call()
            once = max(_seconds(call, 1), 1e-7)
            self._calls[name, threads] = (call, max(1, int(seconds / 5 / once)))
        call, number = self._calls[name, threads]
        return min(_seconds(call, number) for _ in range(5))


def main() -> None:
    """Answers until the input ends."""
    timer = Timer()
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, Any]
        try:
            seconds = timer.time(request["case"], request["threads"], request["seconds"])
            answer = {"seconds": seconds}
        except (AttributeError, RuntimeError, TypeError) as error:
            answer = {"absent": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

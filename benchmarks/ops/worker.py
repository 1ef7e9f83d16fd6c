"""Times cases on the torch of this process: a line of JSON in, a line of JSON out.

A request names a case of cases.py, or the file of a recipe (recipe.py). Of PyTorch's process it may
ask for a recipe (scaled.py). The argument says what counts: wall time, or the processor time of all
threads of this process.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
import warnings
from pathlib import Path
from typing import Any, TextIO

# PyTorch's process has no import paths of Bazel's.
_ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(_ROOT / "tests" / "parity"))

import torch  # noqa: E402
from cases import CASES, Call  # noqa: E402

_CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}


def _seconds(call: Call, number: int) -> float:
    clock = _CLOCKS[sys.argv[1]]
    start = clock()
    for _ in range(number):
        call()
    return (clock() - start) / number


def _make(request: dict[str, Any]) -> Call:
    if "case" in request:
        torch.manual_seed(0)
        return CASES[request["case"]]()
    import recipe

    with open(request["recipe"], "rb") as file:
        return recipe.call_of(pickle.load(file))


class Timer:
    """Keeps one case's call, and how often to repeat it so that a round is long enough."""

    def __init__(self) -> None:
        self._name: Any = None
        self._call: Call = lambda: None
        self._once: dict[int, float] = {}

    def hold(self, name: Any, call: Call) -> None:
        """Takes a call that is there already."""
        self._name, self._call, self._once = name, call, {}

    def time(self, request: dict[str, Any]) -> float:
        """The shortest time of one call, from a few rounds that last `seconds` together."""
        name = request.get("case") or request["recipe"]
        threads, seconds = request["threads"], request["seconds"]
        torch.set_num_threads(threads)
        if name != self._name:
            self.hold(None, lambda: None)  # Only one case's tensors at a time.
            self.hold(name, _make(request))
        if threads not in self._once:
            self._call()
            self._once[threads] = max(_seconds(self._call, 1), 1e-7)
        number = max(1, int(seconds / 5 / self._once[threads]))
        rounds = min(5, max(1, int(seconds / self._once[threads])))
        return min(_seconds(self._call, number) for _ in range(rounds))


def _answer(timer: Timer, request: dict[str, Any]) -> dict[str, Any]:
    if "operators" in request:
        import scaled

        return {"operators": scaled.operators()}
    if "make" in request:
        import scaled

        timer.hold(None, lambda: None)
        try:
            found, call = scaled.make(**request["make"])
        except scaled.Unsuitable as error:
            return {"absent": str(error)}
        with open(request["file"], "wb") as file:
            pickle.dump(found, file)
        timer.hold(request["file"], call)
        shapes = [
            [t["dtype"], t["shape"], t["layout"].removeprefix("contiguous")]
            for t in found["tensors"]
        ]
        return {"shapes": shapes}
    return {"seconds": timer.time(request)}


def answers_alone() -> TextIO:
    """Standard output, for answers alone.

    What an operator prints, or a library below it as MKL does, goes to standard error.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def main() -> None:
    """Answers until the input ends."""
    timer = Timer()
    answers = answers_alone()
    warnings.simplefilter("ignore")
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        answer: dict[str, Any]
        try:
            answer = _answer(timer, json.loads(line))
        except Exception as error:
            answer = {"absent": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

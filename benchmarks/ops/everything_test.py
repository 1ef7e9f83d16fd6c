"""What `ops --all` draws, and how it sums up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
import sides
from everything import Result, compared, distribution, draws, percentile, read, worst

_OPERATORS = {
    "add": {"name": "add", "dtypes": ["float32", "int64"], "backward": ["float32"]},
    "nonzero": {"name": "nonzero", "dtypes": ["bool"], "backward": []},
    "nothing": {"name": "nothing", "dtypes": [], "backward": []},
}


def test_draws_are_every_combination_once() -> None:
    found = list(draws(_OPERATORS, 1))
    assert len(found) == len({(d.operator, d.dtype, d.elements, d.backward) for d in found})
    assert sum(d.operator == "add" for d in found) == 9
    assert sum(d.operator == "nonzero" for d in found) == 3
    assert not any(d.backward for d in found if d.dtype != "float32")


def test_a_seed_decides_the_order() -> None:
    assert list(draws(_OPERATORS, 7)) == list(draws(_OPERATORS, 7))
    assert list(draws(_OPERATORS, 7)) != list(draws(_OPERATORS, 8))


def test_operators_have_equal_shares() -> None:
    first = list(islice(draws(_OPERATORS, 3), 6))
    assert sum(d.operator == "add" for d in first) == 3


def _result(operator: str, ours: float, theirs: float, threads: int = 1) -> Result:
    return Result(operator, threads, operator, ours, theirs, [["float32", [4], ""]])


def test_percentiles_lie_between_neighbours() -> None:
    assert percentile([3.0, 1.0, 2.0], 50) == 2
    assert percentile([1.0, 2.0], 25) == pytest.approx(1.25)


def test_the_distribution_is_by_family_and_of_all() -> None:
    rows = [_result("add", 1, 2), _result("mul", 2, 1), _result("linalg.qr", 4, 1)]
    rows.append(Result("sub", 1, "sub", absent="here: RuntimeError"))
    table = distribution(rows, 1).splitlines()
    assert table[2].startswith("| elementwise | 2 | 1.00 |")
    assert table[3].startswith("| linear algebra | 1 | 0.25 |")
    assert table[4].startswith("| **all** | 3 | 0.63 |")
    assert table[4].endswith("| 67 % | 33.3 % |")


def test_the_worst_come_first() -> None:
    lines = worst([_result("add", 1, 2), _result("mul", 2, 1)], 1).splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| 0.50 | mul |")


def test_what_changed_is_named() -> None:
    before = [_result("add", 1, 2), _result("mul", 1, 1)]
    after = [_result("add", 1, 1), _result("mul", 1, 1.1)]
    assert compared(after, before) == "  2.00 ->  1.00  add, 1 thr."


def test_another_seed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_text(json.dumps({"seed": 5}) + "\n", encoding="utf-8")
    assert read(path, 5) == []
    with pytest.raises(SystemExit, match=r"is of seed 5, not 6; give its --seed"):
        read(path, 6)


_SLEEPER = """
import json, sys, time
print('{"ready": true}', flush=True)
for line in sys.stdin:
    seconds = json.loads(line)["sleep"]
    time.sleep(seconds)
    print(json.dumps({"slept": seconds}), flush=True)
"""


def test_a_side_that_takes_too_long_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "worker.py").write_text(_SLEEPER, encoding="utf-8")
    monkeypatch.setattr(sides, "_HERE", tmp_path)
    side = sides.Side(sys.executable, peer=True)
    assert side.ask({"sleep": 0}, limit=60) == {"slept": 0}
    with pytest.raises(sides.Died, match="no answer in 0 seconds"):
        side.ask({"sleep": 600}, limit=0.1)
    assert side.ask({"sleep": 0}) == {"slept": 0}
    side.close()


_NOISY = """
import os
from worker import answers_alone
answers = answers_alone()
os.write(1, b"noise")
print("noise")
print("answer", file=answers, flush=True)
"""


def test_what_a_library_prints_is_no_answer() -> None:
    path = [str(Path(sides.__file__).parent), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", _NOISY],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "answer\n"
    assert done.stderr.count("noise") == 2


_CLOCK = """
import json, sys
print('{"ready": true}', flush=True)
for line in sys.stdin:
    print(json.dumps({"clock": sys.argv[1:]}), flush=True)
"""


@pytest.mark.parametrize("clock", ["wall", "processor"])
def test_the_worker_is_told_the_clock(
    clock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "worker.py").write_text(_CLOCK, encoding="utf-8")
    monkeypatch.setattr(sides, "_HERE", tmp_path)
    side = sides.Side(sys.executable, peer=True, clock=clock)
    assert side.ask({}) == {"clock": [clock]}
    side.close()

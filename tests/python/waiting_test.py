"""Threads that wait for each other leave the processor to others."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch

# Both threads on one processor, as where another process has the others: whoever spins takes from
# whoever has work.
_PROGRAM = """
import os, time, torch

a, b = torch.rand(1_000_000), torch.rand(1_000_000)
out = torch.empty(1_000_000)

def processor_seconds(threads):
    torch.set_num_threads(threads)
    for _ in range(3):
        torch.add(a, b, out=out)
    for task in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(task), {min(os.sched_getaffinity(0))})
    start = time.process_time()
    for _ in range(30):
        torch.add(a, b, out=out)
    return time.process_time() - start

alone = processor_seconds(1)
print(processor_seconds(2) / alone)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="affinity is Linux's")
def test_a_waiting_thread_does_not_take_the_processor() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    # Milliseconds of spinning after each loop of a millisecond were 10 and more.
    assert float(done.stdout) < 3


def test_the_environment_is_as_it_was() -> None:
    assert torch.get_num_threads() > 0
    assert "GOMP_SPINCOUNT" not in os.environ

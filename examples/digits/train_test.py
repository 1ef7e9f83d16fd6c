"""The example learns: what a newcomer sees when they run it."""

import os
import re
import subprocess
import time


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the example with further arguments."""
    return subprocess.run(
        [os.environ["TRAIN"], os.environ["DIGITS"], *arguments],
        capture_output=True,
        check=False,
        text=True,
    )


def test_reads_over_95_percent_of_unseen_digits_in_a_minute() -> None:
    start = time.monotonic()
    done = run()
    seconds = time.monotonic() - start
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    found = re.fullmatch(r"test accuracy: (0\.\d{3}|1\.000)", last)
    assert found, last
    assert float(found[1]) > 0.95
    assert seconds < 60
    assert "training: 100%" in done.stderr


def test_convolutions_read_over_98_percent() -> None:
    done = run("--network", "convolutional", "--epochs", "12")
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert float(last.removeprefix("test accuracy: ")) > 0.98


def test_same_seed_same_result_and_untrained_is_worse() -> None:
    first = run("--epochs", "1", "--seed", "3").stdout.splitlines()[-1]
    again = run("--epochs", "1", "--seed", "3").stdout.splitlines()[-1]
    assert first == again
    untrained = run("--epochs", "0").stdout.splitlines()[-1]
    assert float(untrained.removeprefix("test accuracy: ")) < 0.5

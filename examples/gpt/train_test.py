"""The small GPT learns to spell."""

from __future__ import annotations

import ast
import os
import re
import subprocess


def run(*arguments: str) -> dict[str, str]:
    """The lines that the example prints, by what stands before the colon."""
    done = subprocess.run(
        [os.environ["TRAIN"], *arguments], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = [line.partition(": ") for line in done.stdout.splitlines()]
    return {name: value for name, _, value in lines}


def test_loss_falls_and_the_sample_has_words() -> None:
    found = run("--steps", "300")
    assert abs(float(found["first loss"]) - float(found["loss of guessing"])) < 0.2
    # Below this it must have looked at the characters before.
    assert float(found["last loss"]) < float(found["loss of knowing the frequencies"]) - 0.3
    sample = ast.literal_eval(found["sample"])
    assert sample.startswith("Return ")
    assert len(sample) == len("Return ") + 200
    words = re.findall(r"[a-z]{2,}", sample)
    assert len(words) > 10
    assert sum(bool(re.search("[aeiou]", word)) for word in words) > 0.7 * len(words)


def test_same_seed_same_text() -> None:
    assert run("--steps", "3", "--seed", "5") == run("--steps", "3", "--seed", "5")

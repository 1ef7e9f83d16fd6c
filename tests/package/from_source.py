"""The ways in that build: pip install, pip wheel and an editable install, in fresh environments.

./bazelw run //tests/package:from_source

Run by Bazel, it calls Bazel in the checkout: what is built already is not built again. It prints
how long each way takes, and the same build without pip. Arguments are flags before Bazel's command.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.package.environment import Environment, fresh_environment

_PROGRAM = "import torch; print(torch.__version__, (torch.ones(2) + 1).tolist())"


def timed(what: str, environment: Environment, root: Path, *words: str | Path) -> float:
    """Runs pip in the checkout with the user's PATH and home; how long it took."""
    command = [sys.executable, "-m", "pip", "--python", environment.python, *words]
    started = time.monotonic()
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        check=False,
        cwd=root,
        env={name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
        | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        text=True,
    )
    seconds = time.monotonic() - started
    if done.returncode != 0:
        sys.exit(f"{what} failed:\n{done.stdout}\n{done.stderr}")
    print(f"{what:<44} {seconds:6.1f} s")
    return seconds


def bazel_seconds(root: Path, *words: str) -> float:
    """How long Bazel takes where nothing changed."""
    started = time.monotonic()
    subprocess.run([str(root / "bazelw"), *words], capture_output=True, check=True, cwd=root)
    seconds = time.monotonic() - started
    what = "bazelw " + " ".join(words[words.index("build") :])
    print(f"{what:<44} {seconds:6.1f} s")
    return seconds


def version(environment: Environment) -> str:
    """What a program in the environment finds."""
    return environment.run(environment.python, "-c", _PROGRAM).stdout.strip()


def main() -> None:
    """Runs each way, one after another."""
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    settings = [f"--config-settings=startup={word}" for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as directory:
        one = fresh_environment(Path(directory, "one"))
        timed("pip install . (the first time)", one, root, "install", *settings, ".")
        assert "+git" in version(one), version(one)
        whole = timed("pip install . (nothing changed)", one, root, "install", *settings, ".")
        alone = bazel_seconds(root, *sys.argv[1:], "build", "//torch:wheel", "--config=stamp")
        print(f"{'  what pip adds':<44} {whole - alone:6.1f} s")

        wheels = Path(directory, "wheels")
        timed("pip wheel .", one, root, "wheel", *settings, "--wheel-dir", wheels, ".")
        two = fresh_environment(Path(directory, "two"))
        two.install(*wheels.glob("*.whl"))
        assert version(two) == version(one)

        three = fresh_environment(Path(directory, "three"))
        timed("pip install -e . (the first time)", three, root, "install", *settings, "-e", ".")
        timed("pip install -e . (nothing changed)", three, root, "install", *settings, "-e", ".")
        bazel_seconds(root, *sys.argv[1:], "build", "//torch")
        assert "+git" not in version(three)
    print("every way in works")


if __name__ == "__main__":
    main()

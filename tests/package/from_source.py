"""The ways in that build: pip install, pip wheel and an editable install, in fresh environments.

./bazelw run //tests/package:from_source

Run by Bazel, it calls Bazel in the checkout: what is built already is not built again. It prints
how long each way takes, and the same build without pip. Two sources of the checkout are changed for
a moment, to see the change arrive in the editable install. Arguments are flags before Bazel's
command.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.package.environment import Environment, fresh_environment

_PROGRAM = "import torch; print(torch.__version__, (torch.ones(2) + 1).tolist())"


def timed(what: str, environment: Environment, root: Path, *words: str | Path) -> float:
    """Runs pip in the checkout with the user's PATH and home; how long it took."""
    # pip itself takes nothing from an index. The build may: a wheel that holds LAPACK.
    command = [environment.python, "-m", "pip", words[0], "--no-index", *words[1:]]
    started = time.monotonic()
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        check=False,
        cwd=root,
        env={name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
        | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        # Variables of PyTorch's; these say what the build is anyhow.
        | {"CMAKE_BUILD_TYPE": "Release", "USE_CUDA": "0", "MAX_JOBS": str(os.cpu_count())},
        text=True,
    )
    seconds = time.monotonic() - started
    if done.returncode != 0:
        sys.exit(f"{what} failed:\n{done.stdout}\n{done.stderr}")
    print(f"{what:<60} {seconds:6.1f} s")
    return seconds


def bazel_seconds(root: Path, what: str, *words: str) -> float:
    """How long Bazel takes alone."""
    started = time.monotonic()
    subprocess.run([str(root / "bazelw"), *words], capture_output=True, check=True, cwd=root)
    seconds = time.monotonic() - started
    what = f"bazelw {' '.join(words[words.index('build') :])} ({what})"
    print(f"{what:<60} {seconds:6.1f} s")
    return seconds


def said(environment: Environment, program: str) -> str:
    """What a program in the environment prints."""
    return environment.run(environment.python, "-c", program).stdout.strip()


@contextmanager
def changed(path: Path, old: str, new: str) -> Iterator[None]:
    """A source with other text in the place of some, for as long as the block takes."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, path
    path.write_text(text.replace(old, new), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def editable_loop(root: Path, environment: Environment, *startup: str) -> None:
    """Changed Python counts at once, changed C++ after one command of Bazel's."""
    show = "import torch; print(torch.__config__.show())"
    with changed(root / "torch/__config__.py", "PyTorch built with:", "PyTorch edited with:"):
        assert said(environment, show).startswith("PyTorch edited with:")
    assert said(environment, show).startswith("PyTorch built with:")

    name = "import torch; print(torch.strided)"
    assert said(environment, name) == "torch.strided"
    layout = root / "torch/csrc/Layout.cpp"
    with changed(
        layout,
        '"torch.%s", reinterpret_cast<THPLayout*>',
        '"edited.%s", reinterpret_cast<THPLayout*>',
    ):
        bazel_seconds(root, "after a changed .cpp", *startup, "build", "//torch:_C")
        assert said(environment, name) == "edited.strided"
    bazel_seconds(root, "after it is as it was", *startup, "build", "//torch:_C")
    assert said(environment, name) == "torch.strided"


def main() -> None:
    """Runs each way, one after another."""
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    settings = [f"--config-settings=startup={word}" for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as directory:
        one = fresh_environment(Path(directory, "one"), with_pip=True)
        timed("pip install . (the first time)", one, root, "install", *settings, ".")
        assert ".git" in said(one, _PROGRAM), said(one, _PROGRAM)
        whole = timed("pip install . (nothing changed)", one, root, "install", *settings, ".")
        words = ["build", "//torch:wheel", "--config=stamp"]
        alone = bazel_seconds(root, "nothing changed", *sys.argv[1:], *words)
        print(f"{'  what pip adds':<60} {whole - alone:6.1f} s")

        wheels = Path(directory, "wheels")
        timed("pip wheel .", one, root, "wheel", *settings, "--wheel-dir", wheels, ".")
        two = fresh_environment(Path(directory, "two"))
        two.install(*wheels.glob("*.whl"))
        assert said(two, _PROGRAM) == said(one, _PROGRAM)

        three = fresh_environment(Path(directory, "three"), with_pip=True)
        timed("pip install -e . (the first time)", three, root, "install", *settings, "-e", ".")
        timed("pip install -e . (nothing changed)", three, root, "install", *settings, "-e", ".")
        bazel_seconds(root, "nothing changed", *sys.argv[1:], "build", "//torch")
        assert ".git" not in said(three, _PROGRAM)
        editable_loop(root, three, *sys.argv[1:])
    print("every way in works")


if __name__ == "__main__":
    main()

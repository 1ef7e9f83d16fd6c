"""Public packages, unmodified: ./bazelw run //tests/programs -- --peer PYTHON [NAME...]

Each program of `cases` runs a small forward, backward and step of a package in a fresh environment
with the wheel of this tree, and in PyTorch, with the same weights and inputs; the tensors are
compared. Programs of `everyday` need no package, and their weights come from the same seed.
PYTHON is an interpreter that imports PyTorch and NumPy. Packages come from the package index.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.peer import interpreter

_HERE = Path(__file__).resolve().parent
# What each case installs, where that is not its own name; words of one text.
PACKAGES = {
    "asteroid_filterbanks": "asteroid-filterbanks",
    "bert": "transformers",
    "ema_pytorch": "ema-pytorch",
    "freia": "FrEIA",
    "gluonts": "gluonts lightning",
    "gpt2": "transformers",
    "ignite": "pytorch-ignite",
    "laplace": "laplace-torch",
    "lion_pytorch": "lion-pytorch",
    "llama": "transformers",
    "mamba": "transformers",
    "metric_learning": "pytorch-metric-learning",
    "neuralop": "neuraloperator",
    "pina": "pina-mathlab",
    "pyro": "pyro-ppl",
    "pytorch_kinematics": "pytorch-kinematics",
    "pytorch_msssim": "pytorch-msssim",
    "pytorch_tabnet": "pytorch-tabnet pandas",
    "pytorch_tabular": "pytorch-tabular",
    "reformer_pytorch": "reformer-pytorch",
    "sentence_transformers": "sentence-transformers",
    "stable_baselines3": "stable-baselines3",
    "t5": "transformers",
    "torch_geometric": "torch-geometric",
    "torch_optimizer": "torch-optimizer",
    "torch_pruning": "torch-pruning",
    "torchcrf": "pytorch-crf",
    "vector_quantize_pytorch": "vector-quantize-pytorch",
    "x_transformers": "x-transformers",
}
# Sums of float32 in another order.
_RTOL, _ATOL = 1e-3, 1e-5

# Compares two files of arrays: prints the first difference and exits with 1.
_COMPARE = f"""
import sys
import numpy as np
ours, theirs = (np.load(path) for path in sys.argv[1:])
if set(ours) != set(theirs):
    sys.exit(f"other tensors: {{sorted(set(ours) ^ set(theirs))}}")
if not set(ours):
    sys.exit("no tensors")
for name in ours:
    one, other = ours[name], theirs[name]
    if one.shape != other.shape or one.dtype != other.dtype:
        sys.exit(f"{{name}}: {{one.dtype}}{{one.shape}}, wanted {{other.dtype}}{{other.shape}}")
    if not np.allclose(one, other, rtol={_RTOL}, atol={_ATOL}, equal_nan=True):
        sys.exit(f"{{name}}: differs by {{np.abs(one - other).max()}}")
"""


def _stems(folder: str) -> list[str]:
    return sorted(path.stem for path in (_HERE / folder).glob("*.py"))


def cases() -> list[str]:
    """Names of the programs."""
    return _stems("cases") + _stems("everyday")


def _environment(root: Path, wheel: Path, names: list[str]) -> Path:
    """A fresh environment's interpreter, with the wheel and the packages of these programs."""
    subprocess.run([sys.executable, "-m", "venv", str(root)], check=True)
    python = root / "bin/python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-input"]
    subprocess.run([*pip, "numpy", str(wheel)], check=True)
    constraint = root / "constraints.txt"
    version = wheel.name.split("-")[1]
    constraint.write_text(f"torch=={version}\n", encoding="utf-8")
    chosen = [PACKAGES.get(name, name) for name in names if name in _stems("cases")]
    packages = sorted(set(" ".join(chosen).split()))
    if packages:
        subprocess.run([*pip, "--constraint", str(constraint), *packages], check=True)
        # Some packages install these, whose libraries load with PyTorch's own alone.
        command = [str(python), "-m", "pip", "uninstall", "--quiet", "--yes"]
        subprocess.run([*command, "torchaudio", "torchvision"], check=True, capture_output=True)
    return python


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"


def outcome(name: str, python: Path, peer: str, directory: Path) -> str:
    """`same`, or what is wrong with a program."""
    (site,) = python.parent.parent.glob("lib/python*/site-packages")
    outputs = []
    for who, program, more in (("here", str(python), ()), ("PyTorch", peer, (str(site),))):
        output = directory / f"{name}.{who}.npz"
        command = [program, str(_HERE / "child.py"), name, str(output), *more]
        done = subprocess.run(
            command, capture_output=True, check=False, cwd=directory, text=True, timeout=600
        )
        if done.returncode != 0:
            return f"fails in {who}: {_last_line(done)}"
        outputs.append(str(output))
    done = subprocess.run(
        [str(python), "-c", _COMPARE, *outputs], capture_output=True, check=False, text=True
    )
    return "same" if done.returncode == 0 else _last_line(done)


def main() -> None:
    """Prints a line for each program; the exit status is 1 if one is not the same."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--peer",
        type=interpreter("torch", "numpy"),
        required=True,
        help="a Python that imports PyTorch and NumPy",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(cases()))
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(cases()))
    if unknown:
        parser.error(f"no program {', '.join(unknown)}; there are: {', '.join(cases())}")
    names = arguments.names or cases()
    (wheel,) = Path(os.environ["WHEEL"]).resolve().glob("*.whl")
    same = 0
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        python = _environment(root / "environment", wheel, names)
        for name in names:
            found = outcome(name, python, arguments.peer, root)
            same += found == "same"
            print(f"{name}: {found}", flush=True)
    print(f"{same} of {len(names)} are the same as in PyTorch")
    sys.exit(same != len(names))


if __name__ == "__main__":
    main()

"""Runs one program and writes its tensors: python child.py NAME OUTPUT [DIRECTORY]

NAME is a file of `cases` or `everyday`. DIRECTORY has packages for a Python that has a torch of its
own.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import warnings
from pathlib import Path


def main() -> None:
    """Reads the arguments that the docstring names."""
    name, output = sys.argv[1:3]
    sys.path += sys.argv[3:]
    here = Path(__file__).resolve().parent
    sys.path.insert(0, str(here))
    folder = "cases" if (here / f"cases/{name}.py").exists() else "everyday"
    os.environ |= {"PYTORCH_JIT": "0", "TORCH_COMPILE_DISABLE": "1", "HF_HUB_OFFLINE": "1"}
    os.environ |= {"DDE_BACKEND": "pytorch", "KERAS_BACKEND": "torch"}
    warnings.simplefilter("ignore")
    import numpy as np
    import torch

    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    found = importlib.import_module(f"{folder}.{name}").run()
    arrays = {key: torch.as_tensor(value).detach().numpy() for key, value in found.items()}
    np.savez(output, **arrays)


if __name__ == "__main__":
    main()

"""Python with the torch of this checkout.

./bazelw run //torch:python                                  # a prompt
./bazelw run //torch:python -- -c 'import torch; print(torch.ones(2))'
./bazelw run //torch:python -- -m torch.utils.collect_env
./bazelw run //torch:python -- program.py
"""

from __future__ import annotations

import code
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

_USAGE = {
    "": "./bazelw run //torch:python -- program.py",
    "-c": "./bazelw run //torch:python -- -c 'import torch; print(torch.ones(2))'",
    "-m": "./bazelw run //torch:python -- -m torch.utils.collect_env",
}


def main(words: Sequence[str]) -> None:
    """Does what `python3 WORDS` does, where the command was typed.

    The folder of the program comes last, for in a checkout it holds the sources of torch, which are
    no package without what Bazel built.
    """
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    kind, rest = (words[0], words[1:]) if words else ("", [])
    folder = "" if kind in ("", "-c", "-m") else str(Path(kind).resolve().parent)
    sys.path[:] = [*sys.path[1:], folder]
    if kind in ("-c", "-m") and not rest:
        sys.exit(f"{kind} wants an argument. Type: {_USAGE[kind]}")
    if kind not in ("-c", "-m") and kind.startswith("-"):
        sys.exit(f"{kind} is no option here; there are -c and -m. Type: {_USAGE['-c']}")
    if kind and kind not in ("-c", "-m") and not Path(kind).exists():
        sys.exit(f"{Path(kind).absolute()} does not exist. Type: {_USAGE['']}")
    if kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif kind == "-m":
        sys.argv = list(rest)
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif kind:
        sys.argv = list(words)
        runpy.run_path(kind, run_name="__main__")
    else:
        code.interact(local={"__name__": "__main__"})


if __name__ == "__main__":
    main(sys.argv[1:])

"""Tests products and decompositions with every library of `--blas` that Linux on x86_64 has.

./bazelw run //tests/blas:matrix              # all of them; MKL's two wheels are 400 MB to download
./bazelw run //tests/blas:matrix -- openblas blis
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

LIBRARIES = ["eigen", "openblas", "blis", "atlas", "mkl", "mkl_static"]
TARGETS = ["//aten/src/ATen/native/linalg:blas_test"]


def main(chosen: list[str]) -> int:
    unknown = [library for library in chosen if library not in LIBRARIES]
    if unknown:
        sys.exit(f"no such library: {' '.join(unknown)}. There are: {' '.join(LIBRARIES)}")
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        sys.exit("Type: ./bazelw run //tests/blas:matrix")
    failed = []
    lines = []
    for library in chosen or LIBRARIES:
        start = time.monotonic()
        command = ["./bazelw", "test", f"--blas={library}", *TARGETS]
        passed = subprocess.run(command, cwd=workspace, check=False).returncode == 0
        if not passed:
            failed.append(library)
        seconds = time.monotonic() - start
        lines.append(f"{library:12} {'passed' if passed else 'FAILED'} {seconds:7.0f} s")
    print("\n".join(lines))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

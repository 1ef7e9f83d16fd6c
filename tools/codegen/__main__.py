"""Runs the generator: `python -m tools.codegen --help`."""

import gc
import os
import sys
from pathlib import Path

from tools.codegen import worker
from tools.codegen.cli import main
from tools.codegen.memory import Memory

if worker.FLAG in sys.argv:
    memory = Memory()
    worker.serve(lambda arguments: main(arguments, memory), sys.stdin, sys.stdout)
else:
    # `bazel run` starts it among its runfiles; paths are as the user typed them. A program that
    # `bazel run` started may start it in a folder of its choice.
    if Path.cwd().parent.suffix == ".runfiles":
        os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    # Little of it is garbage before the end.
    gc.disable()
    sys.exit(main())

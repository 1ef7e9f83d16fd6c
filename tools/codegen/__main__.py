"""Runs the generator: `python -m tools.codegen --help`."""

import gc
import os
import sys

from tools.codegen import worker
from tools.codegen.cli import main
from tools.codegen.memory import Memory

if worker.FLAG in sys.argv:
    memory = Memory()
    worker.serve(lambda arguments: main(arguments, memory), sys.stdin, sys.stdout)
else:
    # `bazel run` starts it among its runfiles; paths are as the user typed them.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    # Little of it is garbage before the end.
    gc.disable()
    sys.exit(main())

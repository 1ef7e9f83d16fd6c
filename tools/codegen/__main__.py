"""Runs the generator: `python -m tools.codegen --help`."""

import sys

from tools.codegen.cli import main

sys.exit(main())

"""Another workspace builds all of torch and an extension of it, and runs the extension.

./bazelw run //tests/package:consumer

Paths of actions begin with the module's directory there, so that nothing which a checkout compiled
serves: it takes as long as compiling torch does. Arguments are flags of Bazel's, such as
--disk_cache=DIRECTORY.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.package.consumer_workspace import bazel, can_run, make_workspace


def main() -> None:
    """Tests every target of the workspace."""
    if not can_run():
        sys.exit("needs the distribution's Bazel, whose modules need no registry of the network's")
    with tempfile.TemporaryDirectory() as name:
        workspace = make_workspace(Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]), Path(name))
        try:
            bazel(workspace, "test", "//...", *sys.argv[1:], show=True)
        finally:
            bazel(workspace, "shutdown")
    print("an extension of another workspace works")


if __name__ == "__main__":
    main()

"""Runs pytest as a Bazel test: honours --test_filter, writes the XML file, needs a test to run."""

import os
import sys
import tempfile

import pytest


def main() -> int:
    """Runs the test files of the command line."""
    arguments = ["-p", "no:cacheprovider", "--import-mode=importlib", "-q", *sys.argv[1:]]
    if xml := os.environ.get("XML_OUTPUT_FILE"):
        arguments.append(f"--junit-xml={xml}")
    if wanted := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        arguments += ["-k", wanted]
    # Tests whose sandboxes share /tmp would remove each other's old folders when they end.
    with tempfile.TemporaryDirectory(prefix="test-", ignore_cleanup_errors=True) as folder:
        return pytest.main([f"--basetemp={folder}/t", *arguments])


def load_sanitizer() -> None:
    """Starts over with the sanitizer's runtime loaded before Python, if a build asks for it."""
    runtime = os.environ.pop("SANITIZER_RUNTIME", None)
    if runtime:
        os.environ["LD_PRELOAD"] = runtime
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        os.execv(sys.executable, [sys.executable, *sys.argv])


if __name__ == "__main__":
    load_sanitizer()
    sys.exit(main())

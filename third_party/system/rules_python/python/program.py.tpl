%shebang%
"""Starts a Python program of the build: finds its files, says where modules are, runs it."""

import os
import sys

INTERPRETER = %interpreter%
MAIN = %main%
IMPORTS = %imports%


def runfiles():
    """The directory with the program's files: the caller's, or the one beside the program."""
    for name in ("RUNFILES_DIR", "TEST_SRCDIR"):
        directory = os.environ.get(name)
        if directory and os.path.exists(os.path.join(directory, MAIN)):
            return os.path.abspath(directory)
    path = os.path.abspath(sys.argv[0])
    while True:
        outer, separator, _ = path.rpartition(".runfiles" + os.sep)
        for directory in (path + ".runfiles", outer + separator.rstrip(os.sep)):
            if os.path.exists(os.path.join(directory, MAIN)):
                return directory
        if not os.path.islink(path):
            sys.exit("%s: cannot find its files; wanted %s.runfiles/%s" % (path, path, MAIN))
        path = os.path.join(os.path.dirname(path), os.readlink(path))


def main():
    """Replaces this process by the program."""
    root = runfiles()
    repositories = sorted(entry.path for entry in os.scandir(root) if entry.is_dir())
    given = os.environ.get("PYTHONPATH")
    paths = [root, *(os.path.join(root, path) for path in IMPORTS), *repositories]
    os.environ["PYTHONPATH"] = os.pathsep.join([*dict.fromkeys(paths), *([given] if given else [])])
    os.environ["RUNFILES_DIR"] = root
    interpreter = INTERPRETER if os.path.isabs(INTERPRETER) else os.path.join(root, INTERPRETER)
    os.execv(interpreter, [interpreter, os.path.join(root, MAIN), *sys.argv[1:]])


main()

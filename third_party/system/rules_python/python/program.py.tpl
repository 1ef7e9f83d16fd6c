%shebang%
"""Starts a Python program of the build: finds its files, says where modules are, runs it."""

import os
import sys

INTERPRETER = %interpreter%
MAIN = %main%
IMPORTS = %imports%

# What the interpreter runs: the program, with its modules on the path of this process alone. The
# environment does not name them, as with the registry's module, so that a program says itself what
# its own child processes find.
START = """
import sys
sys.path[0:0] = {paths!r}
sys.argv[0] = __file__ = {main!r}
exec(compile(open(__file__, "rb").read(), __file__, "exec"))
"""


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
    paths = [root, *(os.path.join(root, path) for path in IMPORTS), *repositories]
    start = START.format(paths=list(dict.fromkeys(paths)), main=os.path.join(root, MAIN))
    # Python 3.11 and later then leave the program's own directory off the path.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    os.environ["RUNFILES_DIR"] = root
    interpreter = INTERPRETER if os.path.isabs(INTERPRETER) else os.path.join(root, INTERPRETER)
    os.execv(interpreter, [interpreter, "-c", start, *sys.argv[1:]])


main()

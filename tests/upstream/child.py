"""Runs one of PyTorch's test files under unittest and writes what became of each test.

Started by run.py with the Python of the torch under test. The log has one JSON value a line: a
test's name when it starts, and [name, outcome, reason] when it ends, so that the parent knows which
test a process died in.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import traceback
import types
import unittest
import warnings
import zlib
from pathlib import Path
from typing import Any

_REFUSALS = (
    "is not there",
    "is not implemented here",
    "does not exist here",
    "this release is without",
    "no kernel for",
)


def name_of(test: Any) -> str:
    """Class.method, without the module."""
    if not isinstance(test, unittest.TestCase):
        return str(test)
    return f"{type(test).__name__}.{test._testMethodName}"


def reason_of(error: Any) -> tuple[str, str]:
    """The outcome that an error means, and its text in one line."""
    _, value, trace = error
    while value.__cause__:  # The helpers wrap what they compare.
        value = value.__cause__
    kind = type(value)
    text = " ".join(str(value).split())
    text = text.partition(" To execute this test, run")[0]
    frames = traceback.extract_tb(trace)
    where = ""
    for frame in reversed(frames):
        if os.path.basename(frame.filename).startswith("test_"):
            where = f" (line {frame.lineno})"
            break
    line = f"{kind.__name__}: {text}"[:200] + where
    absent = (
        "bsent" in kind.__name__ + text
        or "dense layout: lazy" in text
        or (
            kind
            in (AttributeError, NotImplementedError, ImportError, ModuleNotFoundError, RuntimeError)
            and any(words in text for words in _REFUSALS)
        )
    )
    return ("absent" if absent else "failed"), line


class Result(unittest.TestResult):
    """Writes every outcome as it comes."""

    def __init__(self, log: Any) -> None:
        super().__init__()
        self._log = log
        self._found: dict[str, tuple[str, str]] = {}

    def _write(self, value: Any) -> None:
        self._log.write(json.dumps(value) + "\n")
        self._log.flush()

    def _note(self, test: Any, outcome: str, reason: str = "") -> None:
        worst = {"failed": 3, "absent": 2, "skipped": 1, "passed": 0}
        old = self._found.get(name_of(test))
        if old is None or worst[outcome] > worst[old[0]]:
            self._found[name_of(test)] = (outcome, reason)

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._write(name_of(test))

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self._write([name_of(test), *self._found.pop(name_of(test), ("passed", ""))])

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        if isinstance(test, unittest.TestCase):
            self._note(test, *reason_of(err))
        else:  # setUpClass or setUpModule
            self._write([str(test), *reason_of(err)])

    addFailure = addError

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        if err is not None:
            self._note(test, *reason_of(err))

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self._note(test, "skipped", " ".join(reason.split())[:200])

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        self._note(test, "passed")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self._note(test, "failed", "unexpected success")


def complete_helpers(file: Path) -> None:
    """Gives the test helpers the names that `file` imports of them and that its own tree has.

    The helpers are those of the installed PyTorch, whose version may be later than the file's.
    """
    tree = next((p for p in file.parents if (p / "torch/testing/_internal").is_dir()), None)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or tree is None or not node.module:
            continue
        if not node.module.startswith("torch.testing._internal."):
            continue
        module = importlib.import_module(node.module)
        missing = {alias.name for alias in node.names if not hasattr(module, alias.name)}
        own = tree / (node.module.replace(".", "/") + ".py")
        if not missing or not own.is_file():
            continue
        for part in ast.parse(own.read_text(encoding="utf-8")).body:
            targets = part.targets if isinstance(part, ast.Assign) else []
            names = {getattr(part, "name", None)} | {getattr(t, "id", None) for t in targets}
            if names & missing:
                exec(compile(ast.Module([part], []), str(own), "exec"), module.__dict__)


class _Source(importlib.machinery.SourceFileLoader):
    """A test file, without calls of a base class that never end.

    Later helpers make the class of a device a subclass of the file's, which took its methods.
    """

    def get_code(self, fullname: str) -> types.CodeType:
        text = Path(self.path).read_text(encoding="utf-8")
        text = text.replace("super(self.__class__, self)", "super()")
        return compile(text, self.path, "exec", dont_inherit=True)


def load(file: Path) -> types.ModuleType:
    """The module of a test file, which its processes can import too."""
    spec = importlib.util.spec_from_loader(file.stem, _Source(file.stem, str(file)))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def flatten(suite: Any) -> list[unittest.TestCase]:
    """The cases of a suite, in order."""
    if isinstance(suite, unittest.TestCase):
        return [suite]
    return [case for part in suite for case in flatten(part)]


def drawn(name: str, share: float, seed: str) -> bool:
    """Whether a test belongs to a sample: the same tests, whichever torch runs them."""
    return zlib.crc32(f"{seed} {name}".encode()) < share * 2**32


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("log", type=Path)
    parser.add_argument("--helpers", type=Path)
    parser.add_argument("--done", type=Path, help="names that are not run again")
    parser.add_argument("--only", help="a part of the names to run")
    parser.add_argument("--share", type=float, default=1, help="how many of the tests run")
    parser.add_argument("--seed", default="", help="draws them")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.argv = [str(args.file)]
    sys.path.insert(0, str(args.file.parent))
    os.chdir(args.file.parent)
    if args.helpers:
        import stand_ins

        stand_ins.install(args.helpers).provide_names(args.file)
    done = set(args.done.read_text(encoding="utf-8").splitlines()) if args.done else set()
    complete_helpers(args.file.absolute())
    module = load(args.file.absolute())
    if args.helpers:
        stand_ins.refuse_from_now_on()
    cases = flatten(unittest.defaultTestLoader.loadTestsFromModule(module))
    wanted = [
        case
        for case in cases
        if name_of(case) not in done
        and (not args.only or args.only in name_of(case))
        and drawn(name_of(case), args.share, args.seed)
    ]
    with args.log.open("a", encoding="utf-8") as log:
        unittest.TestSuite(wanted).run(Result(log))
        log.write("null\n")
    log.close()
    sys.stdout.flush()
    os._exit(0)  # Threads and processes that a test left behind are its own affair.


if __name__ == "__main__":
    main()

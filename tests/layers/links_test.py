"""What an edit links: layers whose symbols stay as they are cost what is above them nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.budget.checkout import actions_ran
from tests.package.consumer_workspace import bazel, can_run, make_workspace
from tools.lint.tree import source_root

pytestmark = pytest.mark.skipif(not can_run(), reason="needs the distribution's Bazel")

FILES = {
    "BUILD.bazel": """
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("@torch//tools/rules:cc.bzl", "torch_cc_shared_library")

cc_library(name = "low_code", linkstatic = True, srcs = ["low.cpp"], hdrs = ["low.h"])

cc_library(
    name = "high_code",
    srcs = ["high.cpp"],
    hdrs = ["high.h"],
    linkstatic = True,
    deps = [":low_code"],
)

torch_cc_shared_library(name = "liblow", deps = [":low_code"])

torch_cc_shared_library(name = "libhigh", dynamic_deps = [":liblow"], deps = [":high_code"])

LAYERS = [":libhigh", ":liblow"]

cc_binary(
    name = "module.so",
    srcs = ["module.cpp"],
    dynamic_deps = LAYERS,
    linkshared = True,
    deps = [":high_code"],
)

cc_test(
    name = "high_test",
    srcs = ["high_test.cpp"],
    dynamic_deps = LAYERS,
    deps = [
        ":high_code",
        ":low_code",
    ],
)
""",
    "low.h": "int low(int x);\n",
    "low.cpp": '#include "layers/low.h"\nint low(int x) { return x + 1; }\n',
    "high.h": "int high(int x);\n",
    "high.cpp": '#include "layers/high.h"\n#include "layers/low.h"\n'
    "int high(int x) { return 10 * low(x); }\n",
    "module.cpp": '#include "layers/high.h"\nextern "C" int init() { return high(1); }\n',
    "high_test.cpp": '#include "layers/high.h"\n#include "layers/low.h"\n'
    "int main() { return high(1) == 20 && low(1) == 2 ? 0 : 1; }\n",
}

# Not the libraries: Bazel would make archives and shared libraries of them too.
PROGRAMS = ("//layers:module.so", "//layers:high_test")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace that depends on this module and has two layers, all built."""
    made = make_workspace(source_root(), tmp_path_factory.mktemp("workspace"))
    (made / "layers").mkdir()
    for name, text in FILES.items():
        (made / "layers" / name).write_text(text)
    bazel(made, "test", *PROGRAMS)
    yield made
    bazel(made, "shutdown")


def cost(workspace: Path, name: str, old: str, new: str, command: str = "build") -> Counter[str]:
    """The actions of an edit, which is undone."""
    text = FILES[name].replace(old, new)
    assert text != FILES[name]
    path = workspace / "layers" / name
    log = workspace / "log.json"
    bazel(workspace, "build", *PROGRAMS)
    path.write_text(text)
    try:
        bazel(workspace, command, f"--execution_log_json_file={log}", *PROGRAMS)
        ran = actions_ran(log.read_text(encoding="utf-8"))
        # Where there is no gold, Bazel makes an archive first of what it links.
        del ran["CppArchive"]
        return ran
    finally:
        path.write_text(FILES[name])


def test_an_edit_inside_a_function_links_its_own_library_alone(workspace: Path) -> None:
    longer = "{ int y = x; while (y < x * x) y += 2; return y + 1; }"
    ran = cost(workspace, "low.cpp", "{ return x + 1; }", longer)
    assert ran == {"CppCompile": 1, "CppLink": 1, "InterfaceLibrary": 1}


def test_what_runs_is_what_was_edited(workspace: Path) -> None:
    """The program is not linked again, and its test fails with the library's new function."""
    with pytest.raises(AssertionError, match="high_test"):
        cost(workspace, "low.cpp", "x + 1", "x + 2", "test")


def test_a_function_more_links_what_is_above(workspace: Path) -> None:
    ran = cost(workspace, "low.cpp", "int low(", "int lower(int x) { return x; }\nint low(")
    # libhigh comes out as it was.
    assert ran == {"CppCompile": 1, "CppLink": 4, "InterfaceLibrary": 1}


def test_a_function_that_is_gone_is_missed(workspace: Path) -> None:
    with pytest.raises(AssertionError, match=r"undefined (reference|symbol).*low"):
        cost(workspace, "low.cpp", "int low(", "int lower(")

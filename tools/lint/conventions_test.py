"""Conventions of the tree that no linter knows. Each message names the file and the way out."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from tools.lint.tree import source_root, tree_files

ROOT = source_root()
FILES = [path.relative_to(ROOT) for path in tree_files(ROOT)]

# Every tag that a target may have, and what it is for.
TAGS = {
    "external": "reads the whole source tree, so a cached result would be stale",
    "local": "reads the whole source tree, which is only on this machine",
    "manual": "built only when somebody names it",
    "no-remote-exec": "needs a program that only this machine has",
    "no-sandbox": "reads the whole source tree, which the sandbox hides",
}

# One-letter classes, so that this file does not find itself.
MACHINE_PATHS = re.compile(
    "|".join(["/" + "root/", "/" + "home/[a-z]", "/" + "work/", "bazel" + "-out/k8"])
)

# Headers of headers are for users: inside the tree they would rebuild everything for one operator.
UMBRELLAS = {
    "ATen/ATen.h",
    "ATen/Functions.h",
    "ATen/NativeFunctions.h",
    "ATen/Operators.h",
    "torch/all.h",
    "torch/extension.h",
    "torch/script.h",
    "torch/torch.h",
    "torch/fft.h",
    "torch/linalg.h",
    "torch/python.h",
    "torch/serialize.h",
    "torch/serialize/tensor.h",
    "torch/special.h",
    "torch/types.h",
}
LAYERS = {"aten", "c10", "torch"}

# What Bazel 7 has built in and Bazel 9 has not: rules, providers and modules that a file must load.
_RULE = (
    r"(?:cc|java|objc|proto|py|sh)_"
    r"(?:binary|import|library|proto_library|runtime|shared_library|test|toolchain|toolchain_suite)"
)
LOADED = re.compile(
    r"(?<![\w.\"'@:/-])(?:"
    rf"({_RULE})\(|(native\.{_RULE})\b"
    r"|(?:((?:cc|java|apple)_common)\.)"
    r"|((?:Cc|Java|Proto|Py|PyRuntime|CcSharedLibrary|DebugPackage|CcToolchainConfig)Info)(?=[\](,)]|$)"
    r")",
    re.MULTILINE,
)

# Vague names say nothing of what is inside.
VAGUE = {"utils", "common", "misc", "helpers"}


def text_of(path: Path) -> str:
    """Contents of a file; empty when it is no text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def tags_in(text: str) -> set[str]:
    """The tags that a BUILD or .bzl file gives its targets."""
    lists = re.findall(r"\btags\s*=\s*\[([^\]]*)\]", text)
    return {tag for found in lists for tag in re.findall(r'"([^"]+)"', found)}


def without_comments(text: str) -> str:
    """A file in Starlark less what is only said: comments and docstrings."""
    text = re.sub(r'(?m)^\s*""".*?"""', "", text, flags=re.DOTALL)
    return re.sub(r"(?m)(^|\s)#.*$", "", text)


def unloaded(text: str) -> list[str]:
    """What a BUILD or .bzl file uses and neither loads nor makes itself.

    Texts of BUILD files inside a .bzl file are read with it.
    """
    code = without_comments(text)
    loads = "".join(re.findall(r"\bload\((.*?)\)", code, re.DOTALL))
    rest = re.sub(r"\bload\(.*?\)", "", code, flags=re.DOTALL)
    used = {next(filter(None, groups)) for groups in LOADED.findall(rest)}
    made = set(re.findall(r"(?m)^(?:def )?(\w+)(?: = |\()", rest)) - {
        name for name in used if re.search(rf"(?m)^{re.escape(name)}\(", rest)
    }
    loaded = set(re.findall(r'"(\w+)"', loads)) | set(re.findall(r"(\w+) =", loads))
    return sorted(used - loaded - made)


def test_rules_are_loaded() -> None:
    """Bazel 9 has no rule of a language, no provider and no module of one built in."""
    problems = [
        f"{path}: {name} is not loaded, and Bazel 9 has none built in; load it from rules_cc, "
        "rules_python or rules_shell"
        for path in FILES
        if path.name in {"BUILD", "BUILD.bazel"} or path.suffix == ".bzl"
        for name in unloaded(text_of(path))
        # System mode's Bazel is Debian's 7, where nothing else knows Apple's versions.
        if (name, path.parts[:2]) != ("apple_common", ("third_party", "system"))
    ]
    assert not problems, "\n".join(problems)


# Of labels, and what replaces them: --noincompatible_enable_deprecated_label_apis forbids them. A
# rule's context keeps its workspace_name.
OLD_NAMES = {
    r"(?<!ctx)\.workspace_name\b": ".repo_name",
    r"\.relative\(": "Label() or native.package_relative_label()",
    r"\bnative\.repository_name\(": "native.repo_name()",
}


def old_names(text: str) -> list[str]:
    """What replaces the names of labels that a later Bazel has not."""
    code = without_comments(text)
    return [name for old, name in OLD_NAMES.items() if re.search(old, code)]


def test_labels_are_asked_by_their_new_names() -> None:
    problems = [
        f"{path}: a later Bazel has an old name no more; write {name}"
        for path in FILES
        if path.suffix == ".bzl"
        for name in old_names(text_of(path))
    ]
    assert not problems, "\n".join(problems)


def unwatched(text: str) -> list[str]:
    """Labels whose file a repository rule reads by its path, and never watches."""
    code = without_comments(text)
    labelled = r"_ctx\.path\((?:Label\(|repository_ctx\.attr\._|[A-Z_]+\))"
    problems = []
    for line in re.findall(rf"(?m)^(.*{labelled}.*)$", code):
        name = re.match(r"\s*(\w+) = ", line)
        watched = "_ctx.watch(" in line or (name and f"_ctx.watch({name[1]})" in code)
        # Other calls watch what is in the file's folder.
        if not watched and ").dirname" not in line:
            problems.append(line.strip())
    return problems


def test_repository_rules_watch_what_they_read() -> None:
    """Bazel 8 does not by itself: the repository would stay as it was after an edit."""
    problems = [
        f"{path}: Bazel 8 does not watch this file; name it, repository_ctx.watch(name): {line}"
        for path in FILES
        if path.suffix == ".bzl"
        for line in unwatched(text_of(path))
    ]
    assert not problems, "\n".join(problems)


# The packages that torch_py_test adds: pytest always, hypothesis where it is told.
ADDED = {"pytest", "hypothesis"}
IMPORTED_AS = {"pyyaml": "yaml", "pyelftools": "elftools", "scikit-image": "skimage"}


def imported(text: str) -> set[str]:
    """The modules that a Python file imports when it is loaded, by their first name."""
    found: set[str] = set()
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Import):
            found |= {name.name.split(".")[0] for name in statement.names}
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            found.add((statement.module or "").split(".")[0])
    return found


def variables(value: ast.expr | None) -> set[str]:
    """The names in an expression."""
    return {x.id for x in ast.walk(value) if isinstance(x, ast.Name)} if value else set()


def undeclared(build: str, sources: Callable[[str], str | None]) -> list[tuple[str, str]]:
    """The targets of a BUILD file whose sources import a package that their `deps` do not name.

    `sources` gives the text of a file beside it.
    """
    listed = (ROOT / "third_party/python/requirements.in").read_text(encoding="utf-8")
    names = {line.strip() for line in listed.splitlines() if line and line[0] != "#"} - ADDED
    modules = {IMPORTED_AS.get(name, name.replace("-", "_")): name for name in names}
    tree = ast.parse(build)
    lists = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }

    def texts(value: ast.expr | None) -> set[str]:
        """The strings in a list, and in the lists of this file that it names."""
        nodes = [] if value is None else list(ast.walk(value))
        named = [lists[x.id] for x in nodes if isinstance(x, ast.Name) and x.id in lists]
        nodes += [node for other in named for node in ast.walk(other)]
        return {x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str)}

    # The names that a list comprehension goes through, for each call in it.
    bound = {
        call: {x: texts(loop.iter) for loop in made.generators for x in variables(loop.target)}
        for made in ast.walk(tree)
        if isinstance(made, ast.ListComp)
        for call in ast.walk(made)
        if isinstance(call, ast.Call)
    }
    problems = []
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
            continue
        if "py_" not in call.func.id:
            continue
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        deps = texts(given.get("deps"))
        srcs = texts(given.get("srcs"))
        for name in variables(given.get("srcs")) & set(bound.get(call, ())):
            srcs = {each + suffix for each in bound[call][name] for suffix in srcs or {""}}
        for source in sorted(srcs):
            text = sources(source) if source.endswith(".py") else None
            for module in sorted(imported(text) & set(modules) if text is not None else ()):
                if "@pypi//" + modules[module].replace("-", "_") not in deps:
                    problems.append((source, modules[module]))
    return problems


def test_packages_are_declared() -> None:
    """A program finds what the machine's Python has by chance, and not on another machine."""
    problems = [
        f"{path}: {source} imports {package}: add "
        f'"@pypi//{package.replace("-", "_")}" to the deps of its target'
        for path in FILES
        if path.name == "BUILD.bazel"
        for source, package in undeclared(
            text_of(path),
            lambda name, path=path: (  # type: ignore[misc]
                text_of(path.parent / name) if (ROOT / path.parent / name).is_file() else None
            ),
        )
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("build", "source", "expected"),
    [
        ('torch_py_test(name = "a", srcs = ["a.py"], deps = ["@pypi//numpy"])', "import numpy", []),
        ('torch_py_test(name = "a", srcs = ["a.py"])', "import numpy as np", ["numpy"]),
        (
            'D = ["@pypi//pyyaml"]\npy_binary(name = "a", srcs = ["a.py"], deps = D)',
            "import yaml",
            [],
        ),
        ('py_library(name = "a", srcs = ["a.py"])', "from yaml import load", ["pyyaml"]),
        ('py_library(name = "a", srcs = ["a.py"])', "def f():\n    import numpy", []),
        ('filegroup(name = "a", srcs = ["a.py"])', "import numpy", []),
        ('[py_test(name = n, srcs = [n + ".py"]) for n in ["a"]]', "import numpy", ["numpy"]),
        ('[py_test(name = n[:-3], srcs = [n]) for n in ["a.py"]]', "import numpy", ["numpy"]),
        (
            '[py_test(name = n, srcs = [n + ".py"], deps = ["@pypi//numpy"]) for n in ["a"]]',
            "import numpy",
            [],
        ),
    ],
)
def test_undeclared(build: str, source: str, expected: list[str]) -> None:
    assert [package for _, package in undeclared(build, lambda _: source)] == expected


def test_no_query_in_the_build() -> None:
    """genquery follows every value of every option, and fetches the libraries of all of them."""
    problems = [
        f"{path}: genquery fetches libraries that are off, 2.6 GB; to check that labels exist, use "
        "existing_labels of benchmarks/build/labels.bzl"
        for path in FILES
        if path.suffix in {".bazel", ".bzl"}
        and re.search(r"\bgenquery\(", without_comments(text_of(path)))
    ]
    assert not problems, "\n".join(problems)


def test_no_machine_path() -> None:
    problems = [
        f"{path}:{number}: a path of one machine: {line.strip()}"
        for path in FILES
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if MACHINE_PATHS.search(line)
    ]
    assert not problems, "\n".join(problems)


def test_tags_are_explained() -> None:
    problems = [
        f"{path}: tag {tag!r} is not explained in tools/lint/conventions_test.py"
        for path in FILES
        if path.suffix in {".bazel", ".bzl"}
        for tag in sorted(tags_in(text_of(path)) - set(TAGS))
    ]
    assert not problems, "\n".join(problems)


def test_names_tell_what_is_inside() -> None:
    problems = [
        f"{path}: the name tells nothing; say what is inside"
        for path in FILES
        if path.parts[0] not in {"torch", "aten", "c10"} and VAGUE & {*path.parts, path.stem}
    ]
    assert not problems, "\n".join(problems)


# Tests of several sources: their names say what they test.
TESTS_OF_SEVERAL = {
    "blas_test",
    "derivatives_test",
    "elementwise_test",
    "indexing_test",
    "no_driver_test",
    "reduction_test",
    "registrations_test",
    "user_headers_test",
}


def without_source(paths: Iterable[Path]) -> list[Path]:
    """The C++ tests that have no source or header of their stem beside them."""
    paths = list(paths)
    stems = {(path.parent, path.stem.replace("_", "").lower()) for path in paths}
    return [
        path
        for path in paths
        if path.name.endswith("_test.cpp")
        and path.stem not in TESTS_OF_SEVERAL
        and (path.parent, path.stem.removesuffix("_test").replace("_", "").lower()) not in stems
    ]


def test_a_test_has_the_name_of_its_source() -> None:
    layers = [path for path in FILES if path.parts[0] in LAYERS or path.parts[0] == "tools"]
    problems = [
        f"{path}: no source beside it has this name; name it like Device.cpp: device_test.cpp"
        for path in without_source(layers)
    ]
    assert not problems, "\n".join(problems)


def test_without_source() -> None:
    paths = [Path("c10/core") / name for name in ("Device.h", "device_test.cpp", "gone_test.cpp")]
    assert without_source([*paths, Path("c10/util/device_test.cpp")]) == [
        Path("c10/core/gone_test.cpp"),
        Path("c10/util/device_test.cpp"),
    ]


# A comment, a raw string, a character, or literals with nothing but white space between them.
LITERALS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|'(?:[^'\\\n]|\\.)+'|(?:"(?:[^"\\\n]|\\.)*"\s*)+""",
    re.DOTALL,
)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def split_sentences(text: str) -> list[str]:
    """Ends of the literals in C++ whose sentence goes on in the next literal."""
    problems = []
    for found in LITERALS.finditer(text):
        parts = LITERAL.findall(found[0]) if found[0].startswith('"') else []
        if parts and re.match(r"\w+\(", parts[0]):
            continue  # A signature for the parser of arguments.
        for first, second in pairwise(parts):
            ends_a_line = first.endswith("\\n")
            if not ends_a_line and re.search("[a-z,;] ?$", first) and re.match("[a-z]{2}", second):
                problems.append(first[-40:])
    return problems


def test_error_texts_can_be_found() -> None:
    problems = [
        f"{path}: {end!r} ends in mid-sentence; write one literal a sentence, so that grep finds it"
        for path in FILES
        if path.parts[0] in LAYERS and path.suffix in {".cpp", ".cu", ".cuh", ".h", ".mm"}
        if not path.name.endswith("_test.cpp")
        for end in split_sentences(text_of(path))
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('TORCH_CHECK(a, "expected one "\n  "tensor");', ["expected one "]),
        ('f("One sentence. "\n  "another");', []),
        ('f("a literal of ", n, " tensors");', []),
        ('f("a line\\n"\n  "another");', []),
        ('// "no "\n"text";', []),
        ('{"add(Tensor a, "\n "Tensor b)"}', []),
    ],
)
def test_split_sentences(text: str, expected: list[str]) -> None:
    assert split_sentences(text) == expected


# A literal that ends in the middle of a sentence, and the next one on a line of its own.
SPLIT_IN_PYTHON = re.compile(r"""(?<!\\)[a-z,;] ?["']\n +f?["'][a-z]{2}""")


def split_errors(text: str) -> list[int]:
    """Lines of Python where the text of an error goes on in another literal."""
    lines = text.split("\n")
    problems = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise):
            statement = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            for found in SPLIT_IN_PYTHON.finditer(statement):
                problems.append(node.lineno + statement.count("\n", 0, found.start()))
    return problems


def test_error_texts_of_python_can_be_found() -> None:
    problems = [
        f"{path}:{line}: a literal ends in mid-sentence; write one literal a sentence, so that "
        "grep finds it"
        for path in FILES
        if path.parts[0] in {"tools", "torch"} and path.suffix == ".py"
        if not path.name.endswith("_test.py")
        for line in split_errors(text_of(path))
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('raise E(\n    "expected one "\n    "tensor"\n)', [2]),
        ("raise E(\n    f'{x} of '\n    f\"two\"\n)", [2]),
        ('raise E(\n    "One sentence. "\n    "another"\n)', []),
        ('raise E(\n    "a line\\n"\n    "another"\n)', []),
        ('NAMES = (\n    "one two "\n    "three"\n)', []),
    ],
)
def test_split_errors(text: str, expected: list[int]) -> None:
    assert split_errors(text) == expected


# Names of kernels that are PyTorch's, and no operator's, in "NAME" not implemented for 'Half'.
PYTORCHS_KERNELS = {
    "LayerNormBackwardKernelImpl",
    "LayerNormKernelImpl",
    "check_convert",
    "compute_index_ranges_weights",
    "dirichlet",
    "div_floor_cpu",
    "div_trunc_cpu",
    "fill_empty_deterministic_",
    "flash_attention",
    "foreach_binary_op_scalar_cuda",
    "gamma_cpu",
    "gemm",
    "gemv",
    "histogramdd",
    "ldl_factor_kernel_cpu",
    "ldl_solve_kernel_cpu",
    "lshift_cuda",
    "lstm_cell",
    "lu_cpu",
    "max_values_cpu",
    "min_values_cpu",
    "mse_backward_cuda",
    "nll_loss_backward_out_frame",
    "nll_loss_out_frame",
    "prelu_backward_cpu",
    "random_from_to_kernel_cpu",
    "random_full_64_bits_range_kernel_cpu",
    "rshift_cuda",
    "slow_conv2d_cpu",
    "slow_conv2d_cpu_grad_input",
    "slow_conv2d_cpu_grad_weight",
}
# Not a text that a macro pastes to an operator's name.
DISPATCH_NAME = re.compile(r'\b(?:AT_)?DISPATCH_\w+\([^"#{};\[]*"(\w+)"\s*,')
KERNEL_SUFFIX = re.compile(r"(?:_(?:backward|cpu|cuda|kernel|out|scalar|self|tensor)|_+)$")


def operator_family(operator: str) -> str:
    """`max_pool` of `max_pool2d`, `fused_adam` of `_fused_adam_`."""
    return re.sub(r"[123]d(?=_|$)", "", operator.strip("_"))


def unknown_kernels(text: str, families: set[str]) -> list[str]:
    """Names in dispatch macros that are neither an operator's, with suffixes, nor PyTorch's."""
    problems = []
    for name in DISPATCH_NAME.findall(text):
        rest = name
        while rest not in PYTORCHS_KERNELS and operator_family(rest) not in families:
            shorter = KERNEL_SUFFIX.sub("", rest)
            if shorter == rest:
                problems.append(name)
                break
            rest = shorter
    return problems


def test_messages_name_operators() -> None:
    """The name in a dispatch macro is what users read where a dtype has no kernel."""
    yaml = text_of(Path("aten/src/ATen/native/native_functions.yaml"))
    families = {operator_family(name) for name in re.findall(r"(?m)^- func: (\w+)", yaml)}
    problems = [
        f"{path}: {name!r} is no operator; name the operator, add_cpu for example, or PyTorch's "
        "kernel, which PYTORCHS_KERNELS in tools/lint/conventions_test.py lists"
        for path in FILES
        if path.parts[0] in LAYERS and path.suffix in {".cpp", ".cu", ".cuh", ".h", ".mm"}
        if not path.name.endswith("_test.cpp")
        for name in unknown_kernels(text_of(path), families)
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('AT_DISPATCH_ALL_TYPES(dtype, "add_cpu", [&] {', []),
        ('AT_DISPATCH_ALL_TYPES_AND(kHalf, x.scalar_type(), "max_pool_backward_cuda", f)', []),
        ('AT_DISPATCH_ALL_TYPES(\n    dtype, "gemm", f)', []),
        ('AT_DISPATCH_ALL_TYPES(dtype, "row_sums", f)', ["row_sums"]),
        ('AT_DISPATCH_ALL_TYPES(dtype, #name "_cpu", f)', []),
        ('f("row_sums", AT_DISPATCH_ALL_TYPES(dtype, name, f))', []),
    ],
)
def test_unknown_kernels(text: str, expected: list[str]) -> None:
    assert (
        unknown_kernels(text, {operator_family("add"), operator_family("max_pool2d")}) == expected
    )


def umbrella_includes(path: Path, text: str) -> list[str]:
    """The umbrella headers that a file of the layers includes; an umbrella may include others."""
    if path.parts[0] not in LAYERS or path.suffix not in {".h", ".cpp", ".cu", ".cuh", ".mm"}:
        return []
    if any(str(path).endswith("/" + name) or str(path) == name for name in UMBRELLAS):
        return []
    included = re.findall(r"^\s*#\s*include\s*[<\"]([^>\"]+)", text, re.MULTILINE)
    return [name for name in included if name in UMBRELLAS]


def test_no_umbrella_header_inside_the_tree() -> None:
    problems = [
        f"{path}: includes {name}: include the headers it uses, such as <ATen/ops/add.h>"
        for path in FILES
        for name in umbrella_includes(path, text_of(path))
    ]
    assert not problems, "\n".join(problems)


def test_license_is_not_in_every_file() -> None:
    problems = [
        f"{path}: a copyright line; LICENSE at the root speaks for the tree"
        for path in FILES
        if path.name != "LICENSE" and re.search("Copyri" + "ght (\\(c\\)|©|[0-9])", text_of(path))
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('cc_library(name = "a")', ["cc_library"]),
        ('load("@rules_cc//cc:cc_library.bzl", "cc_library")\n\ncc_library(name = "a")', []),
        ("x = native.py_binary", ["native.py_binary"]),
        ("def f():\n    native.py_binary(name = 'a')", ["native.py_binary"]),
        ('_BUILD = """\ncc_library(name = "a")\n"""', ["cc_library"]),
        ('_BUILD = """load("@r//:a.bzl", "cc_library")\n\ncc_library(name = "a")\n"""', []),
        ("def f(dep):\n    return dep[CcInfo].linking_context", ["CcInfo"]),
        ("def f(dep):\n    return cc_common.merge_cc_infos(cc_infos = dep)", ["cc_common"]),
        ('load(":a.bzl", CcInfo = "Other")\nx = [CcInfo]', []),
        ("py_test = rule()\n\ndef f():\n    py_test(name = 'a')", []),
        ("torch_py_test(name = 'a')\nour_cc_library(name = 'b')", []),
        ("# cc_library(name = 'a')\nx = 'a cc_library of theirs'", []),
    ],
)
def test_unloaded(text: str, expected: list[str]) -> None:
    assert unloaded(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('x = repository_ctx.path(Label("//a:b"))', ['x = repository_ctx.path(Label("//a:b"))']),
        ('x = repository_ctx.path(Label("//a:b"))\nrepository_ctx.watch(x)', []),
        (
            "    repository_ctx.path(repository_ctx.attr._a),",
            ["repository_ctx.path(repository_ctx.attr._a),"],
        ),
        ("    repository_ctx.path(LOCK),", ["repository_ctx.path(LOCK),"]),
        ('repository_ctx.watch(repository_ctx.path(Label("//a:b")))', []),
        ('x = repository_ctx.path(Label("//a:b")).dirname', []),
        ('x = repository_ctx.path("a")', []),
    ],
)
def test_unwatched(text: str, expected: list[str]) -> None:
    assert unwatched(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('x = Label("//:all").workspace_name', [".repo_name"]),
        ("x = file.owner.workspace_name == ctx.workspace_name", [".repo_name"]),
        ("x = ctx.workspace_name + repository_ctx.workspace_name", []),
        ("x = label.repo_name  # not label.workspace_name", []),
        ("x = native.repository_name()", ["native.repo_name()"]),
        ('x = label.relative(":a")', ["Label() or native.package_relative_label()"]),
    ],
)
def test_old_names(text: str, expected: list[str]) -> None:
    assert old_names(text) == expected


def test_tags_in() -> None:
    assert tags_in('x(tags = ["a", "b"])\ny(\n    tags = [\n        "c",\n    ],\n)') == {
        "a",
        "b",
        "c",
    }


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("aten/src/ATen/x.cpp", "#include <ATen/ATen.h>\n", ["ATen/ATen.h"]),
        ("torch/csrc/x.h", '# include "torch/torch.h"\n', ["torch/torch.h"]),
        ("aten/src/ATen/x.cpp", "// #include <ATen/ATen.h>\n#include <ATen/ops/add.h>\n", []),
        ("aten/src/ATen/ATen.h", "#include <ATen/Functions.h>\n", []),
        ("examples/digits/x.cpp", "#include <torch/torch.h>\n", []),
    ],
)
def test_umbrella_includes(path: str, text: str, expected: list[str]) -> None:
    assert umbrella_includes(Path(path), text) == expected


def test_one_version() -> None:
    """Bazel and pages for people must repeat the version of MODULE.bazel; they agree with it."""
    found = re.search(
        r'^module\((?:\n    .*)*?\n    version = "(.*)"', text_of(Path("MODULE.bazel")), re.M
    )
    assert found
    assert re.fullmatch(r"\d+\.\d+\.\d+\.bazel\.\d+\.\d+", found[1]), found[1]
    dependency = re.compile(r'bazel_dep\(name = "torch", version = "(.*?)"\)')
    wrong = {
        f"{path} names torch {version}, and MODULE.bazel {found[1]}"
        for path in FILES
        for version in dependency.findall(text_of(path))
        if version != found[1]
    }
    assert not wrong, "\n".join(sorted(wrong))
    registry = Path("registry/modules/torch")
    assert {path.parts[3] for path in FILES if path.is_relative_to(registry / found[1])} == {
        found[1]
    }
    assert json.loads(text_of(registry / "metadata.json")) == {"versions": [found[1]]}
    # A link, which is no file of the tree's.
    assert (ROOT / registry / found[1] / "MODULE.bazel").resolve() == ROOT / "MODULE.bazel"


def test_bazelw_installs_what_system_mode_wants() -> None:
    """A shell script cannot read packages.bzl, so that it has a list of its own."""
    installed = re.search(r'(?m)^SYSTEM_PACKAGES="(.*)"$', text_of(Path("bazelw")))
    table = text_of(Path("third_party/system_library/packages.bzl"))
    required = re.search(r"(?ms)^REQUIRED = \{\n(.*?)^\}", table)
    assert installed is not None
    assert required is not None
    lists = re.findall(r"\bpackages = \[(.*?)\]", required[1])
    wanted = {name for words in lists for name in re.findall(r'"([^"]+)"', words)}
    assert wanted
    assert wanted | {"pkg-config"} == set(installed[1].split())

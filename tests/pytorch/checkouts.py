"""Checkouts with the shape of PyTorch's and a few lines of code, and a workspace that uses them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from overlay.pytorch.report import known_facts
from overlay.pytorch.tables import OperatorHeaders
from tests.remote.workspace import Workspace, copy_bazelw

_NATIVE = "aten/src/ATen/native"
_C10_MACROS = ("C10_BUILD_SHARED_LIBS", "C10_USE_GLOG", "C10_USE_GFLAGS", "C10_USE_NUMA")
_LISTS = (
    "jit_core_sources",
    "lazy_tensor_ts_sources",
    "libtorch_cmake_sources",
    "libtorch_extra_sources",
    "libtorch_python_core_sources",
    "torch_cpp_srcs",
)
_FILES = {
    "aten/src/ATen/native/native_functions.yaml": (
        "- func: twice(Tensor self) -> Tensor\n  variants: function\n"
        "- func: thrice(Tensor self) -> Tensor\n  variants: function\n"
    ),
    "aten/src/ATen/native/tags.yaml": "- tag: core\n  desc: In the core.\n",
    "aten/src/ATen/templates/Function.h": "#pragma once\n",
    "build_variables.bzl": "".join(f"{name} = []\n" for name in _LISTS),
    "c10/CMakeLists.txt": "",
    "c10/core/Answer.cpp": (
        "#include <c10/core/Answer.h>\nnamespace c10 {\nint answer() { return 41; }\n}\n"
    ),
    "c10/core/Answer.h": (
        "#pragma once\n#include <c10/macros/cmake_macros.h>\n"
        'namespace c10 {\n__attribute__((visibility("default"))) int answer();\n'
        "#ifdef C10_BUILD_SHARED_LIBS\ninline int shared() { return 1; }\n#endif\n}\n"
    ),
    "c10/macros/cmake_macros.h.in": "".join(f"#cmakedefine {name}\n" for name in _C10_MACROS),
    "third_party/README.md": "Submodules.\n",
    "torchgen/gen.py": "",
    "version.txt": "2.6.0a0\n",
}
# What the other layers are made of, for each glob of the BUILD files one.
_EMPTY = (
    "aten/src/ATen/ATen.h",
    "aten/src/ATen/Config.h.in",
    "aten/src/ATen/core/A.cpp",
    "aten/src/ATen/native/cpu/A.cpp",
    "aten/src/ATen/native/quantized/cpu/kernels/A.cpp",
    "aten/src/ATen/test/a_test.cpp",
    "c10/test/a_test.cpp",
    "caffe2/core/common.cc",
    "caffe2/core/common.h",
    "caffe2/core/macros.h.in",
    "caffe2/perfkernels/a_avx2.cc",
    "caffe2/perfkernels/embedding_lookup_idx.cc",
    "caffe2/serialize/a.cc",
    "caffe2/utils/proto_wrap.cc",
    "caffe2/utils/string_utils.cc",
    "caffe2/utils/threadpool/ThreadPool.cc",
    "functorch/__init__.py",
    "functorch/csrc/b.c",
    "functorch/csrc/a.cpp",
    "functorch/csrc/a.h",
    "third_party/miniz-3.0.2/miniz.h",
    "third_party/pocketfft/pocketfft_hdronly.h",
    "tools/autograd/derivatives.yaml",
    "tools/setup_helpers/generate_code.py",
    "tools/shared.py",
    "torch/_C/__init__.pyi.in",
    "torch/__init__.py",
    "torch/csrc/a.h",
    "torch/csrc/a.hpp",
    "torch/csrc/api/include/torch/version.h.in",
    "torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.h",
    "torch/csrc/stub.c",
    "torch/lib/libshm/core.cpp",
    "torch/lib/libshm/libshm.h",
    "torch/lib/libshm/manager.cpp",
    "torch/library.h",
    "torch/utils/data/datapipes/a.py",
)

# What all of it needs besides: the bindings, and a generator that writes empty files.
_WHOLE = {
    f"{_NATIVE}/ts_native_functions.yaml": "",
    # Its view of all operators has the one that it names.
    "aten/src/ATen/core/A.cpp": "#include <ATen/Functions.h>\nint four = at::twice(2);\n",
    "build_variables.bzl": "".join(
        f"{name} = {['torch/csrc/Module.cpp'] if 'python' in name else []}\n" for name in _LISTS
    ),
    "third_party/kineto/libkineto/include/ActivityType.h": "",
    "third_party/miniz-3.0.2/miniz.c": "",
    "torch/__init__.py": "from torch._C import answer as answer\n",
    "torch/_tensor_docs.py": "",
    "torch/_torch_docs.py": "",
    "torch/csrc/Module.cpp": """\
#include <Python.h>
#include <c10/core/Answer.h>

static PyObject* answer(PyObject*, PyObject*) {
  return PyLong_FromLong(c10::answer());
}
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {nullptr, nullptr, 0, ""}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "torch._C", "", -1, methods};

extern "C" PyObject* initModule() {
  return PyModule_Create(&module);
}
""",
    "torch/csrc/api/include/torch/torch.h": "#pragma once\n#include <c10/core/Answer.h>\n",
    "torch/csrc/empty.c": "",
    "torch/csrc/jit/serialization/mobile_bytecode.fbs": (
        "table Module { version:int; }\nroot_type Module;\n"
    ),
    "torch/csrc/lazy/core/shape_inference.h": "",
    "torch/csrc/lazy/ts_backend/ts_native_functions.cpp": "",
    "torch/csrc/lazy/ts_backend/ts_node.h": "",
    "torch/csrc/stub.c": """\
#include <Python.h>
PyObject* initModule(void);
PyMODINIT_FUNC PyInit__C(void) {
  return initModule();
}
""",
    "torch/lib/libshm/manager.cpp": "int main() { return 0; }\n",
    "torch/script.h": "",
}
_ATEN = "aten/src/ATen"
# Generated files that are not empty. No source names the second operator.
_GENERATED = {
    f"{_ATEN}/Functions.h": "#include <ATen/ops/thrice.h>\n#include <ATen/ops/twice.h>\n",
    f"{_ATEN}/ops/twice.h": "namespace at {\ninline int twice(int x) { return 2 * x; }\n}\n",
    f"{_ATEN}/ops/thrice.h": "#error of an operator that nobody names\n",
}
_GENERATOR = """\
import sys
from pathlib import Path

for path in {written}[sys.argv[-2] if "--generate" in sys.argv else ""]:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text({texts}.get(path, ""))
"""

_PROGRAM = """\
#include <c10/core/Answer.h>
#include <cstdio>
int main() { std::printf("%d\\n", c10::answer() + c10::shared()); }
"""
_WHOLE_PROGRAM = _PROGRAM.replace("c10/core/Answer.h", "torch/torch.h")
_TEST = "import torch\n\nassert torch.answer() == 41, torch.answer()\n"
_BUILD = """\
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_python//python:py_test.bzl", "py_test")

cc_binary(
    name = "program",
    srcs = ["program.cpp"],
    deps = ["@pytorch//:c10_cpp"],
)

cc_binary(
    name = "of_objects",
    srcs = ["whole.cpp"],
    deps = ["@pytorch//:torch"],
)

cc_binary(
    name = "of_libraries",
    srcs = ["whole.cpp"],
    dynamic_deps = [
        "@pytorch//:libc10",
        "@pytorch//:libtorch_cpu",
    ],
    deps = ["@pytorch//:torch"],
)

py_test(
    name = "torch_test",
    srcs = ["torch_test.py"],
    deps = ["@pytorch//:torch_py"],
)
"""
_MODULE = """\
bazel_dep(name = "torch")
local_path_override(module_name = "torch", path = "{tree}")
pytorch_source = use_extension("@torch//overlay/pytorch:extensions.bzl", "pytorch_source")
pytorch_source.path(path = "{source}")
use_repo(pytorch_source, pytorch = "pytorch_source")
"""


def small_checkout(root: Path) -> Path:
    """A checkout whose c10 has one source."""
    for name, text in _FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    for name in _EMPTY:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def whole_checkout(root: Path) -> Path:
    """A checkout with all layers, whose package has one function; it generates empty files."""
    small_checkout(root)
    version = (root / "version.txt").read_text(encoding="utf-8").strip()
    facts = known_facts(version)
    native, tags = (root / _NATIVE / name for name in ("native_functions.yaml", "tags.yaml"))
    operators = [f"aten/src/ATen/ops/{name}" for name in OperatorHeaders.of(native, tags).files]
    sources = ("aten_sources", "aten_source_headers", "aten_kernels", "aoti_sources")
    autograd = ("autograd_headers", "autograd_sources", "python_sources", "annotated_arguments")
    written = {
        "headers": [*facts["aten_headers"], *facts["cuda_generated_headers"], *operators],
        "sources": [path for name in (*sources, "cuda_generated_sources") for path in facts[name]],
    }
    generators = {
        "tools/generate_torch_version.py": {"": facts["python_files"]},
        "tools/pyi/gen_pyi.py": {"": ()},
        "tools/setup_helpers/generate_code.py": {
            "": [path for name in autograd for path in facts[name]]
        },
        "torch/utils/data/datapipes/gen_pyi.py": {"": ()},
        "torchgen/gen.py": written,
    }
    files = {
        name: _GENERATOR.format(written=value, texts=_GENERATED)
        for name, value in generators.items()
    }
    for name, text in {**_WHOLE, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def consumer(tree: Path, source: Path, root: Path) -> Workspace:
    """Somebody's workspace, whose program uses the c10 of a checkout.

    Args:
      tree: this tree, which it depends on.
      source: the checkout.
      root: where the workspace is made.
    """
    copy_bazelw(tree, root)
    shutil.copytree(tree / "config", root / "config", ignore=shutil.ignore_patterns("BUILD.bazel"))
    modules = (tree / "MODULE.bazel").read_text(encoding="utf-8")
    # All of the tree's: its .bazelrc says where each is.
    needed = re.findall(r"^bazel_dep\([^)]*\)", modules, re.MULTILINE)
    # The registry of the distribution's packages.
    (root / "third_party").symlink_to(tree / "third_party")
    (root / ".bazelignore").write_text("third_party\n", encoding="utf-8")
    lines = ['module(name = "somebody")', *needed]
    lines.append(_MODULE.format(tree=tree, source=source))
    (root / "MODULE.bazel").write_text("\n".join(lines), encoding="utf-8")
    (root / "BUILD.bazel").write_text(_BUILD, encoding="utf-8")
    (root / "program.cpp").write_text(_PROGRAM, encoding="utf-8")
    (root / "whole.cpp").write_text(_WHOLE_PROGRAM, encoding="utf-8")
    (root / "torch_test.py").write_text(_TEST, encoding="utf-8")
    return Workspace(root, root.with_name(f"{root.name}-output"))

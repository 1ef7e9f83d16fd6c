"""The libraries of others that PyTorch's sources use, as the distribution's packages."""

# By name in tables.py, what system_library needs to find it.
LIBRARIES = {
    "cpuinfo": dict(
        headers = ["cpuinfo.h"],
        library = "cpuinfo",
        libs = ["cpuinfo"],
        prefer_shared = True,
    ),
    "dnnl": dict(
        headers = [
            "dnnl.h",
            "dnnl.hpp",
            "oneapi",
        ],
        library = "dnnl",
        libs = ["dnnl"],
        prefer_shared = True,
        # Of the interface that PyTorch 2.6 is written for.
        probe = """#include <dnnl.hpp>
static_assert(DNNL_VERSION_MAJOR == 3 && DNNL_VERSION_MINOR >= 5, "PyTorch needs oneDNN 3.5 or later");
int main() { return dnnl_version() == nullptr; }
""",
    ),
    "flatbuffers": dict(
        headers = ["flatbuffers"],
        library = "flatbuffers",
    ),
    "fmt": dict(
        headers = ["fmt"],
        library = "fmt",
    ),
    "ideep": dict(
        headers = [
            "ideep",
            "ideep.hpp",
            "ideep_pin_singletons.hpp",
        ],
        library = "ideep",
    ),
    "lapack": dict(
        library = "lapack",
        libs = ["lapack", "blas"],
        prefer_shared = True,
    ),
    "nlohmann_json": dict(
        headers = ["nlohmann"],
        library = "nlohmann_json",
    ),
    "numa": dict(
        headers = [
            "numa.h",
            "numaif.h",
        ],
        library = "numa",
        libs = ["numa"],
        prefer_shared = True,
        probe = """#include <numa.h>
int main() { return numa_available() > 0; }
""",
    ),
    "onnx": dict(
        headers = ["onnx"],
        library = "onnx",
        libs = ["onnx", "onnx_proto"],
        prefer_shared = True,
    ),
    "protobuf": dict(
        headers = ["google/protobuf"],
        library = "protobuf",
        libs = ["protobuf"],
        prefer_shared = True,
    ),
    "sleef": dict(
        headers = ["sleef.h"],
        library = "sleef",
        libs = ["sleef"],
        prefer_shared = True,
    ),
}

def _optional(doc, variable, header, deps, layer, build_info = {}, function = False):
    """A library that PyTorch uses where it is there.

    Args:
      doc: what it is for.
      variable: CMake's variable, and the macro that a configuration header makes of it.
      header: that header, by its path from the root of the tree.
      deps: its targets.
      layer: the shared library that calls it.
      build_info: variables of caffe2/core/macros.h, which torch.__config__.show() prints.
      function: whether the macro is called, as `AT_X()`.

    Returns:
      A struct.
    """
    return struct(
        build_info = build_info,
        deps = deps,
        doc = doc,
        function = function,
        header = header,
        layer = layer,
        variable = variable,
    )

# By name of the option //overlay/pytorch:NAME.
OPTIONAL = {
    "numa": _optional(
        deps = ["@pytorch_numa//:numa"],
        doc = "Memory and threads on one node of the machine, by libnuma.",
        header = "c10/macros/cmake_macros.h",
        layer = "libc10",
        variable = "C10_USE_NUMA",
    ),
    "onednn": _optional(
        build_info = {"USE_MKLDNN": "ON"},
        deps = [
            "@pytorch_dnnl//:dnnl",
            "@pytorch_ideep//:headers",
        ],
        doc = "Convolutions, products and recurrent layers by oneDNN: torch.backends.mkldnn.",
        function = True,
        header = "aten/src/ATen/Config.h",
        layer = "libtorch_cpu",
        variable = "AT_MKLDNN_ENABLED",
    ),
}

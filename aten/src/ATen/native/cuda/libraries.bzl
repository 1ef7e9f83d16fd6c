"""The sources that call NVIDIA's libraries: which library, and what their tests need besides."""

def _calls(library, test_deps = []):
    return struct(library = library, test_deps = test_deps)

# By the source that calls it.
LIBRARIES = {
    "ActivityTrace.cpp": _calls("cupti"),
    "Collectives.cpp": _calls("nccl"),
    # Its test compares with the CPU's loops.
    "ConvLibrary.cpp": _calls("cudnn", [
        "//aten:torch_cpu",
        "//aten/src/ATen/native:conv_testing_support",
    ]),
    "GemmLibrary.cpp": _calls("cublas"),
    "GemmLibraryLt.cpp": _calls("cublas"),
}

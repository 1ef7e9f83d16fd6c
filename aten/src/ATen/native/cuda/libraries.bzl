"""The sources that call NVIDIA's libraries: which library, its test, and what that needs besides."""

def _calls(library, test, test_deps = []):
    return struct(library = library, test = test, test_deps = test_deps)

# By the source that calls it, below this folder.
LIBRARIES = {
    "ActivityTrace.cpp": _calls("cupti", "activity_trace_test.cpp"),
    "Collectives.cpp": _calls("nccl", "collectives_test.cpp"),
    # Its test compares with the CPU's loops.
    "conv/ConvLibrary.cpp": _calls("cudnn", "conv_library_test.cpp", [
        "//aten:torch_cpu",
        "//aten/src/ATen/native:conv_testing_support",
    ]),
    "gemm/GemmLibrary.cpp": _calls("cublas", "gemm_library_test.cpp"),
    "gemm/GemmLibraryLt.cpp": _calls("cublas", "gemm_library_lt_test.cpp"),
    "gemm/SparseGemmLibrary.cpp": _calls("cusparselt", "sparse_gemm_library_test.cpp"),
}

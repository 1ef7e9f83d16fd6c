"""The targets of @pytorch_source that //pytorch has too."""

PUBLIC = [
    "_C",
    "aten_cuda",
    "aten_cuda_sample",
    "c10",
    "c10_cpp",
    "cpp",
    "libc10",
    "libc10_cuda",
    "libtorch_cpu",
    "libtorch_python",
    "torch_cpu",
    "torch_py",
    "wheel",
]

# Those that it has not, or by another name.
OTHERS = [
    "aten_sample",
    "budget_files",
    "expecttest",
    "present",
    "torch",
]

TESTS = [
    "aten_tests",
    "c10_tests",
    "program_test",
    "vec_tests_AVX2",
    "vec_tests_AVX512",
    "vec_tests_DEFAULT",
]

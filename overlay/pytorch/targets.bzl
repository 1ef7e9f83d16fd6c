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
    "torch",
    "torch_cpu",
    "torch_py",
    "wheel",
]

# What programs and tests of //pytorch read.
DATA = [
    "aten_sample",
    "budget_files",
]

TESTS = [
    "aten_tests",
    "c10_tests",
    "vec_tests_AVX2",
    "vec_tests_AVX512",
    "vec_tests_DEFAULT",
]

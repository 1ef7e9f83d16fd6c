"""What calls NVIDIA's libraries, and the options that bring these."""

load("//config:conditions.bzl", "if_cublas", "if_cudnn", "if_cupti", "if_nccl")

_CUBLAS = struct(
    choose = if_cublas,
    defines = ["USE_CUBLAS"],
    headers = "//third_party/cublas:headers",
    test_deps = [],
)

# By the source that calls it.
LIBRARIES = {
    "ActivityTrace.cpp": struct(
        choose = if_cupti,
        defines = ["USE_CUPTI"],
        headers = "//third_party/cupti:headers",
        test_deps = [],
    ),
    "Collectives.cpp": struct(
        choose = if_nccl,
        defines = ["USE_NCCL"],
        headers = "//third_party/nccl:headers",
        test_deps = [],
    ),
    "ConvLibrary.cpp": struct(
        choose = if_cudnn,
        defines = ["USE_CUDNN"],
        headers = "//third_party/cudnn:headers",
        # The loops that its test compares with.
        test_deps = [
            "//aten:torch_cpu",
            "//aten/src/ATen/native:conv_testing_support",
        ],
    ),
    "GemmLibrary.cpp": _CUBLAS,
    "GemmLibraryLt.cpp": _CUBLAS,
}

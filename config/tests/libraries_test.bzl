"""A library of another platform is refused, and the message says what to type."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//third_party/python:wheel_files.bzl", "missing_files")

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

_refused_test = analysistest.make(
    _refused_impl,
    attrs = {"message": attr.string(doc = "What the failure must say.", mandatory = True)},
    expect_failure = True,
)

def _missing_files_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, missing_files("nvidia-cudnn 9.2", "/there", [], "--cudnn=false"))
    asserts.equals(
        env,
        "nvidia-cudnn 9.2 was unpacked into /there, where lib/libcudnn.so.9 is missing. Do without it:\n\n" +
        "    ./bazelw build //torch:_C --cudnn=false",
        missing_files("nvidia-cudnn 9.2", "/there", ["lib/libcudnn.so.9"], "--cudnn=false"),
    )
    asserts.true(env, "where include/cudnn.h, lib/libcudnn.so.9 are missing" in missing_files(
        "nvidia-cudnn 9.2",
        "/there",
        ["include/cudnn.h", "lib/libcudnn.so.9"],
        "--cudnn=false",
    ))
    return unittest.end(env)

_missing_files_test = unittest.make(_missing_files_impl)

_LIBRARIES = {
    "accelerate": "Apple's library for macOS",
    "apl": "Arm's library for Linux on aarch64",
    "nvpl": "NVIDIA's library for Linux on aarch64",
}

def library_tests(name):
    """Declares one test for each library that Linux on x86_64 cannot have, and one of a package's files.

    Args:
      name: prefix of the tests' names.
    """
    for library, what in _LIBRARIES.items():
        _refused_test(
            name = "{}_{}_test".format(name, library),
            message = "--blas={} is {}; this platform has none. Type: --blas=eigen (or openblas, blis, atlas, mkl)".format(library, what),
            target_compatible_with = ["@platforms//os:linux", "@platforms//cpu:x86_64"],
            target_under_test = "//third_party/blas:" + library,
        )
    _refused_test(
        name = name + "_lapack_test",
        message = "--lapack=openblas loads the library of OpenBLAS's wheel for Linux; this platform has none. Type: --lapack=auto",
        target_under_test = "//third_party/blas:no_lapack",
    )
    _missing_files_test(name = name + "_missing_files_test")
    _refused_test(
        name = name + "_onednn_test",
        message = "--onednn is on, but oneDNN has no wheel for this platform, only for linux_x86_64. Type: --onednn=false",
        target_under_test = "//third_party/optional:onednn_unavailable",
    )

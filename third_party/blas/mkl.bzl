"""Intel's MKL from its wheels, installed by pip as every other wheel is."""

_BUILD = """
package(default_visibility = ["//visibility:public"])

exports_files(glob(["site-packages/lib/libmkl_*"]))

filegroup(
    name = "kernels",
    # What libmkl_core loads for the processor at run time.
    srcs = glob(
        ["site-packages/lib/libmkl_{}.so*".format(p) for p in ["def", "mc3", "avx2", "avx512"]],
        allow_empty = True,
    ),
)
"""

def _mkl_repository_impl(repository_ctx):
    repository_ctx.file("requirements.txt", repository_ctx.attr.requirement + "\n")
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        repository_ctx.path(repository_ctx.attr._installer),
        "requirements.txt",
        "site-packages",
    ], timeout = 1800)
    if result.return_code != 0:
        fail("{}: {}".format(repository_ctx.attr.requirement.split(" ")[0], result.stderr))
    repository_ctx.file("BUILD.bazel", _BUILD)

mkl_repository = repository_rule(
    implementation = _mkl_repository_impl,
    doc = "The libraries of one wheel of MKL, as files.",
    attrs = {
        "requirement": attr.string(doc = "A line of a pip requirements file, with its hash.", mandatory = True),
        "_installer": attr.label(default = "//third_party/python:install_wheel.py", allow_single_file = True),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

"""Intel's MKL from its wheels. pip downloads them; `pip install --target` would drop their libraries."""

_BUILD = """
package(default_visibility = ["//visibility:public"])

exports_files(glob(["lib/libmkl_*"]))

# What libmkl_core loads for the processor at run time.
filegroup(
    name = "kernels",
    srcs = glob(
        ["lib/libmkl_{}.so*".format(p) for p in ["def", "mc3", "avx2", "avx512"]],
        allow_empty = True,
    ),
)
"""

def _mkl_repository_impl(repository_ctx):
    package, version = repository_ctx.attr.package, repository_ctx.attr.version
    repository_ctx.file("requirements.txt", "{}=={} --hash=sha256:{}\n".format(
        package.replace("_", "-"),
        version,
        repository_ctx.attr.sha256,
    ))
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "--platform=manylinux_2_28_x86_64",
        "--dest=wheel",
        "--requirement",
        "requirements.txt",
    ], timeout = 1800)
    if result.return_code != 0:
        fail("""pip could not download {} {}:
{}
Check that pip reaches an index, or choose another library:

    python3 -m pip download --no-deps pyyaml
    ./bazelw build //torch:_C --blas=openblas
""".format(package, version, result.stderr))
    repository_ctx.symlink(repository_ctx.path("wheel").readdir()[0], "wheel.zip")
    repository_ctx.extract("wheel.zip", stripPrefix = "{}-{}.data/data".format(package, version))
    repository_ctx.delete("wheel.zip")
    repository_ctx.delete("wheel")
    repository_ctx.file("BUILD.bazel", _BUILD)

mkl_repository = repository_rule(
    implementation = _mkl_repository_impl,
    doc = "The libraries of one wheel of MKL, as files.",
    attrs = {
        "package": attr.string(doc = "Name of the package, as in the wheel's name.", mandatory = True),
        "sha256": attr.string(doc = "Hash of the wheel.", mandatory = True),
        "version": attr.string(doc = "Version of the package.", mandatory = True),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

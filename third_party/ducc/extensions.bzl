"""Fourier transforms of the DUCC library: @ducc.

DUCC is the successor of PocketFFT. The source package of rocket-fft on the Python index holds its transforms,
under the BSD licence that DUCC's authors offer.
"""

_PACKAGE = "rocket_fft"
_VERSION = "0.4.1"
_SHA256 = "a421a391d779d57af188416ed803213bac6c18c06be8efbea8666f38924d150d"

_BUILD = """load("@rules_cc//cc:cc_library.bzl", "cc_library")

# Its templates, which are compiled for each capability of the processor.
cc_library(
    name = "ducc",
    hdrs = glob(["ducc0/**/*.h"]),
    includes = ["."],
    visibility = ["//visibility:public"],
)
"""

def _ducc_repository_impl(repository_ctx):
    name = _PACKAGE.replace("_", "-")
    repository_ctx.file("requirements.txt", "{}=={} --hash=sha256:{}\n".format(name, _VERSION, _SHA256))
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--ignore-requires-python",
        "--no-binary=" + name,
        "--dest=archive",
        "--requirement=requirements.txt",
    ], timeout = 900)
    if result.return_code != 0:
        fail("""pip could not download the source package of {} {}, which holds the library of Fourier transforms:
{}
Check that pip reaches an index:

    python3 -m pip download --no-deps --no-binary={} {}=={}
""".format(name, _VERSION, result.stderr, name, name, _VERSION))
    repository_ctx.symlink(repository_ctx.path("archive").readdir()[0], "archive.tar.gz")
    repository_ctx.extract(
        "archive.tar.gz",
        output = "ducc0",
        stripPrefix = "{}-{}/{}/ducc0".format(_PACKAGE, _VERSION, _PACKAGE),
    )
    repository_ctx.delete("archive.tar.gz")
    repository_ctx.delete("archive")
    repository_ctx.file("BUILD.bazel", _BUILD)

_ducc_repository = repository_rule(
    implementation = _ducc_repository_impl,
    doc = "The headers and sources of DUCC's Fourier transforms.",
    attrs = {
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

def _ducc_impl(module_ctx):
    _ducc_repository(name = "ducc")
    return module_ctx.extension_metadata(reproducible = True)

ducc = module_extension(
    implementation = _ducc_impl,
    doc = "Makes @ducc.",
)

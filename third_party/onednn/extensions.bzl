"""Intel's oneDNN for `--onednn`, from its wheels; downloaded only when the option is on."""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":version.bzl", "ONEDNN_HEADERS_PACKAGE", "ONEDNN_LIBRARY", "ONEDNN_PACKAGE", "ONEDNN_VERSION")

_BUILD = """
exports_files(["lib/{}"], visibility = ["//visibility:public"])
""".format(ONEDNN_LIBRARY)

_HEADERS_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

cc_library(
    name = "headers",
    hdrs = glob(["include/**"]),
    includes = ["include"],
    visibility = ["//visibility:public"],
)
"""

def _onednn_impl(module_ctx):
    for name, package, build_file, sha256 in [
        ("onednn", ONEDNN_PACKAGE, _BUILD, "2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb"),
        ("onednn_headers", ONEDNN_HEADERS_PACKAGE, _HEADERS_BUILD, "9763c69e8c907e119056bd52ad918ca84ac9ba939d130a99dfa95ccca3e5e284"),
    ]:
        wheel_files(
            name = name,
            build_file = build_file,
            otherwise = "--onednn=false",
            package = package,
            root = "{}-{}.data/data".format(package, ONEDNN_VERSION),
            sha256 = [sha256],
            version = ONEDNN_VERSION,
        )
    return module_ctx.extension_metadata(reproducible = True)

onednn = module_extension(
    implementation = _onednn_impl,
    doc = "Makes @onednn and @onednn_headers.",
)

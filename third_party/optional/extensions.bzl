"""@optional_libraries: a package for each optional library, out of its wheel.

`@optional_libraries//cublas:headers` is a C++ library, `@optional_libraries//cublas:libcublas.so.13` a
file. A wheel is downloaded only when its option is on.
"""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":libraries.bzl", "OPTIONAL_LIBRARIES")

_HEADERS = """load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "headers",
    hdrs = glob({headers}),
    includes = ["include"],
    linkopts = {linkopts},
)
"""

_FILES = """
exports_files(["facts.json"] + glob(["lib/*"], allow_empty = True))
"""

_PACKAGE = """package(default_visibility = ["//visibility:public"])

alias(
    name = "headers",
    actual = "@{headers}//:headers",
)

alias(
    name = "facts.json",
    actual = "@{repository}//:facts.json",
)
"""

_FILE = """
alias(
    name = "{file}",
    actual = "@{repository}//:lib/{file}",
)
"""

def _hub_impl(repository_ctx):
    for name, library in OPTIONAL_LIBRARIES.items():
        text = _PACKAGE.format(
            headers = name + "_headers" if library.headers_distribution else name,
            repository = name,
        )
        for file in library.linked + library.loaded:
            text += _FILE.format(file = file, repository = name)
        repository_ctx.file(name + "/BUILD.bazel", text)

_hub = repository_rule(
    implementation = _hub_impl,
    doc = "Names for what the wheels hold.",
)

def _package(distribution):
    return distribution.replace("-", "_")

def _optional_libraries_impl(module_ctx):
    for name, library in OPTIONAL_LIBRARIES.items():
        headers = _HEADERS.format(headers = library.headers, linkopts = library.linkopts)
        files = ["lib/" + file for file in library.linked]
        apart = library.headers_distribution
        wheel_files(
            name = name,
            build_file = _FILES if apart else headers + _FILES,
            needs = files + ([] if apart else [library.header]),
            option = name,
            otherwise = "--{}=false".format(name),
            package = _package(library.distribution),
            root = library.root,
            sha256 = library.sha256,
            version = library.version,
        )
        if apart:
            wheel_files(
                name = name + "_headers",
                build_file = headers,
                needs = [library.header],
                option = name,
                otherwise = "--{}=false".format(name),
                package = _package(apart),
                root = library.root.replace(_package(library.distribution), _package(apart)),
                sha256 = library.headers_sha256,
                version = library.version,
            )
    _hub(name = "optional_libraries")
    return module_ctx.extension_metadata(reproducible = True)

optional_libraries = module_extension(
    implementation = _optional_libraries_impl,
    doc = "Makes @optional_libraries.",
)

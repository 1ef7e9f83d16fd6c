"""@optional_libraries: a package for each optional library, out of its wheel.

`@optional_libraries//cublas:headers` is a C++ library, `@optional_libraries//cublas:libcublas.so.13` a
file. A wheel is downloaded only when its option is on.
"""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":libraries.bzl", "HEADER_WHEELS", "OPTIONAL_LIBRARIES")

_HEADERS = """load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "headers",
    hdrs = {headers},
    includes = ["include"],
    linkopts = {linkopts},
    deps = {deps},
)
"""

_FILES = """
exports_files(["facts.json"] + glob(["lib/*"], allow_empty = True))
"""

_HUB_PACKAGE = """package(default_visibility = ["//visibility:public"])
"""

_HUB_ALIAS = """
alias(
    name = "{name}",
    actual = "@{repository}//:{target}",
)
"""

def _hub_impl(repository_ctx):
    packages = {name: ["headers"] for name in HEADER_WHEELS} | {
        name: ["headers", "facts.json"] + ["lib/" + file for file in library.linked + library.loaded]
        for name, library in OPTIONAL_LIBRARIES.items()
    }
    for repository, targets in packages.items():
        repository_ctx.file(repository + "/BUILD.bazel", _HUB_PACKAGE + "".join([
            _HUB_ALIAS.format(
                name = target.removeprefix("lib/"),
                repository = repository,
                target = target,
            )
            for target in targets
        ]))

_hub = repository_rule(
    implementation = _hub_impl,
    doc = "Names for what the wheels hold.",
)

def _wheel(name, wheel, option, build_file, needs):
    wheel_files(
        name = name,
        build_file = build_file,
        needs = needs,
        option = option,
        otherwise = "--{}=false".format(option),
        package = wheel.distribution.replace("-", "_"),
        root = wheel.root,
        sha256 = wheel.sha256,
        version = wheel.version,
    )

def _headers(patterns, linkopts = [], wheels = []):
    return _HEADERS.format(
        deps = ["@{}//:headers".format(wheel) for wheel in wheels],
        headers = "glob({})".format(patterns) if patterns else "[]",
        linkopts = linkopts,
    )

def _optional_libraries_impl(module_ctx):
    for name, wheel in HEADER_WHEELS.items():
        _wheel(name, wheel, wheel.option, _headers(wheel.headers), [wheel.header])
    for name, library in OPTIONAL_LIBRARIES.items():
        headers = _headers(library.headers if library.header else [], library.linkopts, library.header_wheels)
        needs = ([library.header] if library.header else []) + ["lib/" + file for file in library.linked]
        _wheel(name, library, name, headers + _FILES, needs)
    _hub(name = "optional_libraries")
    return module_ctx.extension_metadata(reproducible = True)

optional_libraries = module_extension(
    implementation = _optional_libraries_impl,
    doc = "Makes @optional_libraries.",
)

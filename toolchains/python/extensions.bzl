"""The user's Python 3 as a toolchain: interpreter, headers, library."""

_PROBE = """
import json, os, sys, sysconfig
print(json.dumps({
    "executable": os.path.realpath(sys.executable),
    "include": sysconfig.get_paths()["include"],
    "version": list(sys.version_info[:3]),
}))
"""

_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_python//python:py_exec_tools_toolchain.bzl", "py_exec_tools_toolchain")
load("@rules_python//python:py_runtime.bzl", "py_runtime")
load("@rules_python//python:py_runtime_pair.bzl", "py_runtime_pair")
load("@rules_python//python/cc:py_cc_toolchain.bzl", "py_cc_toolchain")

package(default_visibility = ["//visibility:public"])

py_runtime(
    name = "runtime",
    interpreter_path = {executable},
    interpreter_version_info = {{"major": "{major}", "minor": "{minor}", "micro": "{micro}"}},
    python_version = "PY3",
    stub_shebang = "#!" + {executable},
)

py_runtime_pair(name = "runtime_pair", py3_runtime = ":runtime")

toolchain(
    name = "toolchain",
    toolchain = ":runtime_pair",
    toolchain_type = "@rules_python//python:toolchain_type",
)

py_exec_tools_toolchain(name = "exec_tools")

toolchain(
    name = "exec_tools_toolchain",
    toolchain = ":exec_tools",
    toolchain_type = "@rules_python//python:exec_tools_toolchain_type",
)

cc_library(name = "headers", hdrs = glob(["include/**/*.h"]), includes = ["include"])

cc_library(name = "libs")

py_cc_toolchain(
    name = "cc_runtime",
    headers = ":headers",
    libs = ":libs",
    python_version = "{major}.{minor}",
)

toolchain(
    name = "cc_toolchain",
    toolchain = ":cc_runtime",
    toolchain_type = "@rules_python//python/cc:toolchain_type",
)
"""

def _host_python_repository_impl(repository_ctx):
    wanted = repository_ctx.getenv("PYTHON_BIN_PATH") or "python3"
    python = repository_ctx.path(wanted) if wanted.startswith("/") else repository_ctx.which(wanted)
    if not python or not python.exists:
        fail("No Python: {} was not found. To install one:\n\n    apt-get install --no-install-recommends python3-dev python3-pip\n\nor name one: --repo_env=PYTHON_BIN_PATH=/path/to/python3".format(wanted))
    result = repository_ctx.execute([python, "-c", _PROBE])
    if result.return_code != 0:
        fail("{} does not run:\n{}".format(python, result.stderr))
    facts = json.decode(result.stdout)
    major, minor, micro = [int(part) for part in facts["version"]]
    if (major, minor) < (3, 9):
        fail("{} is Python {}.{}; this tree needs 3.9 or later. Name another: --repo_env=PYTHON_BIN_PATH=/path/to/python3".format(python, major, minor))
    if not repository_ctx.path(facts["include"] + "/Python.h").exists:
        fail("{} has no headers: {}/Python.h does not exist. To install them:\n\n    apt-get install --no-install-recommends python3-dev\n".format(python, facts["include"]))
    repository_ctx.symlink(facts["include"], "include")

    # For repositories that run Python: they are made again if it changes, not whenever PATH does.
    repository_ctx.file("interpreter.txt", facts["executable"])
    repository_ctx.file("BUILD.bazel", _BUILD.format(
        executable = repr(facts["executable"]),
        major = major,
        micro = micro,
        minor = minor,
    ))

host_python_repository = repository_rule(
    implementation = _host_python_repository_impl,
    doc = "A toolchain around the python3 of PATH, or of PYTHON_BIN_PATH.",
    environ = ["PATH", "PYTHON_BIN_PATH"],
    configure = True,
    local = True,
)

def _host_python_impl(module_ctx):
    host_python_repository(name = "host_python")
    return module_ctx.extension_metadata(reproducible = True)

host_python = module_extension(
    implementation = _host_python_impl,
    doc = "Makes @host_python.",
)

"""The user's Python 3 as a toolchain: interpreter, headers, library; and the headers of other Pythons.

The interpreter that runs the build and its tests is always the host's. `--python_version` chooses
the CPython that extensions are compiled for, among those that this machine has.
"""

# What `--python_version` may name, as in config/options.bzl.
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]

_PROBE = """
import json, os, sys, sysconfig
print(json.dumps({
    "executable": os.path.realpath(sys.executable),
    "include": sysconfig.get_paths()["include"],
    "version": list(sys.version_info[:3]),
}))
"""

def _facts(repository_ctx, facts):
    repository_ctx.file("facts.json", json.encode({
        "files": [facts["executable"]],
        "library": "CPython",
        "option": "python_version",
        "version": ".".join([str(part) for part in facts["version"]]),
        "why": "headers in " + facts["include"],
    }))

_BUILD = """
load("@rules_python//python:py_exec_tools_toolchain.bzl", "py_exec_tools_toolchain")
load("@rules_python//python:py_runtime.bzl", "py_runtime")
load("@rules_python//python:py_runtime_pair.bzl", "py_runtime_pair")

package(default_visibility = ["//visibility:public"])

exports_files(["facts.json"])

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

toolchain(
    name = "cc_toolchain",
    target_settings = ["{host_setting}"],
    toolchain = ":cc_runtime",
    toolchain_type = "@rules_python//python/cc:toolchain_type",
)
"""

_OTHER_VERSION = """
toolchain(
    name = "cc_toolchain_{version}",
    target_settings = ["{setting}"],
    toolchain = "@python_{version}//:cc_runtime",
    toolchain_type = "@rules_python//python/cc:toolchain_type",
)
"""

_HEADERS = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_python//python/cc:py_cc_toolchain.bzl", "py_cc_toolchain")
{exported}
cc_library(name = "headers", hdrs = glob(["include/**/*.h"]), includes = ["include"])

cc_library(name = "libs")

py_cc_toolchain(
    name = "cc_runtime",
    headers = ":headers",
    libs = ":libs",
    python_version = "{version}",
    visibility = ["//visibility:public"],
)
"""

# The analysis stops at whatever needs one of these.
_MISSING = """
load("{unavailable}", "unavailable")

[unavailable(
    name = name,
    message = {message},
    visibility = ["//visibility:public"],
) for name in [
    "cc_runtime",
    "facts.json",
]]
"""

def find_python(repository_ctx):
    """The user's python3: that of PATH, or of PYTHON_BIN_PATH.

    Args:
      repository_ctx: of a rule that names both in `environ`.

    Returns:
      Its path, with links as they are: in a virtual environment, its own.
    """
    wanted = repository_ctx.getenv("PYTHON_BIN_PATH") or "python3"
    python = repository_ctx.path(wanted) if wanted.startswith("/") else repository_ctx.which(wanted)
    if not python or not python.exists:
        fail("No Python: {} was not found. To install one:\n\n    apt-get install --no-install-recommends python3-dev python3-pip\n\nor name one: --repo_env=PYTHON_BIN_PATH=/path/to/python3".format(wanted))
    return python

def _host_python_repository_impl(repository_ctx):
    python = find_python(repository_ctx)
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
    build = _BUILD.format(
        executable = repr(facts["executable"]),
        host_setting = repository_ctx.attr.settings["host"],
        major = major,
        micro = micro,
        minor = minor,
    )
    others = [
        _OTHER_VERSION.format(setting = repository_ctx.attr.settings[version], version = version)
        for version in VERSIONS
    ]
    _facts(repository_ctx, facts)
    headers = _HEADERS.format(exported = "", version = "{}.{}.{}".format(major, minor, micro))
    repository_ctx.file("BUILD.bazel", "".join([build, headers] + others))

def _candidates(repository_ctx, version):
    """Paths at which a machine may have a CPython of this version, the likeliest first."""
    named = repository_ctx.getenv("PYTHON_BIN_PATH_" + version.replace(".", "_"))
    if named:
        return [named]
    found = []
    for name in ["python" + version, "python3"]:
        path = repository_ctx.which(name)
        if path:
            found.append(str(path))
    found.append("/usr/bin/python" + version)
    found.append("/usr/local/bin/python" + version)
    tag = "cp" + version.replace(".", "")
    found.append("/opt/python/{}-{}/bin/python".format(tag, tag))
    pyenv = repository_ctx.getenv("PYENV_ROOT") or (repository_ctx.getenv("HOME") or "") + "/.pyenv"
    versions = repository_ctx.path(pyenv + "/versions")
    if versions.exists:
        for path in versions.readdir():
            if path.basename.startswith(version + "."):
                found.append(str(path) + "/bin/python" + version)
    return found

def _python_headers_repository_impl(repository_ctx):
    version = repository_ctx.attr.version
    tried = []
    for candidate in _candidates(repository_ctx, version):
        if not repository_ctx.path(candidate).exists:
            tried.append(candidate + ": does not exist")
            continue
        result = repository_ctx.execute([candidate, "-c", _PROBE])
        if result.return_code != 0:
            tried.append(candidate + ": does not run")
            continue
        facts = json.decode(result.stdout)
        actual = "{}.{}".format(*facts["version"][:2])
        if actual != version:
            tried.append("{}: is Python {}".format(candidate, actual))
        elif not repository_ctx.path(facts["include"] + "/Python.h").exists:
            tried.append("{}: has no headers ({}/Python.h does not exist)".format(candidate, facts["include"]))
        else:
            repository_ctx.symlink(facts["include"], "include")
            _facts(repository_ctx, facts)
            repository_ctx.file("BUILD.bazel", _HEADERS.format(
                exported = 'exports_files(["facts.json"], visibility = ["//visibility:public"])\n',
                version = "{}.{}.{}".format(*facts["version"]),
            ))
            return
    message = """--python_version={version} needs CPython {version} with its headers, and this machine has none:

    {tried}

Name one: --repo_env=PYTHON_BIN_PATH_{variable}=/path/to/python{version}
or build for the Python that runs the build: --python_version=host
""".format(
        tried = "\n    ".join(tried),
        variable = version.replace(".", "_"),
        version = version,
    )

    # Not an error here: Bazel also looks at this repository for headers that an earlier build read.
    repository_ctx.file("BUILD.bazel", _MISSING.format(
        message = repr(message),
        unavailable = Label("//third_party/system_library:unavailable.bzl"),
    ))

python_headers_repository = repository_rule(
    implementation = _python_headers_repository_impl,
    doc = "The headers of one version of CPython, if this machine has it.",
    attrs = {"version": attr.string(doc = "Major and minor version, such as 3.12.", mandatory = True)},
    configure = True,
    environ = ["HOME", "PATH", "PYENV_ROOT"] + ["PYTHON_BIN_PATH_" + v.replace(".", "_") for v in VERSIONS],
    local = True,
)

host_python_repository = repository_rule(
    implementation = _host_python_repository_impl,
    doc = "A toolchain around the python3 of PATH, or of PYTHON_BIN_PATH.",
    attrs = {
        "settings": attr.string_dict(doc = "The condition of each value of --python_version.", mandatory = True),
    },
    environ = ["PATH", "PYTHON_BIN_PATH"],
    configure = True,
    local = True,
)

def _host_python_impl(module_ctx):
    host_python_repository(
        name = "host_python",
        settings = {
            version: str(Label("//config:python_version_" + version))
            for version in ["host"] + VERSIONS
        },
    )
    for version in VERSIONS:
        python_headers_repository(name = "python_" + version, version = version)
    return module_ctx.extension_metadata(reproducible = True)

host_python = module_extension(
    implementation = _host_python_impl,
    doc = "Makes @host_python, and a repository for each other version.",
)

"""The compiler's OpenMP runtime, which wheels carry because not every system has it: @gcc_runtime."""

load("//third_party/system_library:system_library.bzl", "package_of")

_BUILD = """
exports_files(["facts.json", "libgomp.so.1"], visibility = ["//visibility:public"])
"""

_NONE = """
exports_files(["facts.json"], visibility = ["//visibility:public"])

genrule(
    name = "none",
    outs = ["libgomp.so.1"],
    cmd = "echo 'This compiler has no libgomp.so.1, which a package of an OpenMP build carries. Build with GCC, or without OpenMP: --openmp=false' >&2; exit 1",
    visibility = ["//visibility:public"],
)
"""

def _gcc_runtime_impl(repository_ctx):
    name = repository_ctx.getenv("CXX") or "c++"
    compiler = name if "/" in name else repository_ctx.which(name) or repository_ctx.which("g++")
    found = ""
    if compiler:
        found = repository_ctx.execute([compiler, "-print-file-name=libgomp.so.1"]).stdout.strip()
    file = str(repository_ctx.path(found).realpath) if found.startswith("/") else ""
    repository_ctx.file("facts.json", json.encode({
        "files": [file] if file else [],
        "library": "libgomp",
        "option": "openmp",
        "package": package_of(repository_ctx, file),
        "why": "{} -print-file-name".format(compiler) if file else "the runtime of another compiler than GCC",
    }))
    if file:
        repository_ctx.symlink(file, "libgomp.so.1")
        repository_ctx.file("BUILD.bazel", _BUILD)
    else:
        repository_ctx.file("BUILD.bazel", _NONE)

gcc_runtime_repository = repository_rule(
    implementation = _gcc_runtime_impl,
    configure = True,
    doc = "libgomp.so.1 of the compiler that builds.",
    environ = ["CXX", "PATH"],
    local = True,
)

def _gcc_runtime_extension_impl(module_ctx):
    gcc_runtime_repository(name = "gcc_runtime")
    return module_ctx.extension_metadata(reproducible = True)

gcc_runtime = module_extension(
    implementation = _gcc_runtime_extension_impl,
    doc = "Makes @gcc_runtime.",
)

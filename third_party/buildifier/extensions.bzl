"""buildifier, from the package that the npm registry carries.

npm does the download, so that its configuration is honoured; Bazel checks the digest. Where there
is no npm or it reaches nothing, the program is incompatible and its lint test is skipped.
"""

_VERSION = "8.2.1"
_INTEGRITY = "sha512-eZ/Aq+2r4PcJa6LbPCT6ffgIJfTU/gYilqIzoX2OLM4nNkbQC6tTMPZNn7aHHjhGPxbNLv41zm4Xqt1olCLgXw=="

_BUILD = """load("@bazel_skylib//rules:native_binary.bzl", "native_binary")

native_binary(
    name = "buildifier",
    src = "{src}",
    out = "buildifier_program",
    target_compatible_with = {compatible},
    visibility = ["//visibility:public"],
)
"""

def _program(repository_ctx):
    os = {"linux": "linux", "mac os x": "darwin"}.get(repository_ctx.os.name)
    cpu = {"aarch64": "arm64", "amd64": "amd64", "riscv64": "riscv64", "x86_64": "amd64"}.get(repository_ctx.os.arch)
    return "buildifier-{}_{}".format(os, cpu) if os and cpu else None

def _absent(repository_ctx, reason):
    # buildifier: disable=print
    print("no buildifier, so its lint test is skipped: " + reason)
    repository_ctx.file("none")
    repository_ctx.file("BUILD.bazel", _BUILD.format(
        compatible = ["@platforms//:incompatible"],
        src = "none",
    ))

def _buildifier_impl(repository_ctx):
    program = _program(repository_ctx)
    if not program:
        return _absent(repository_ctx, "its package has none for this machine")
    npm = repository_ctx.which("npm")
    if not npm:
        return _absent(repository_ctx, "no npm in PATH (apt-get install --no-install-recommends npm)")
    result = repository_ctx.execute(
        [npm, "pack", "--silent", "@bazel/buildifier@" + _VERSION],
        timeout = 120,
    )
    archive = repository_ctx.path("bazel-buildifier-{}.tgz".format(_VERSION))
    if result.return_code != 0 or not archive.exists:
        return _absent(repository_ctx, "npm could not fetch it: " + (result.stderr.strip() or "no answer"))
    repository_ctx.download_and_extract(
        "file://{}".format(archive),
        integrity = _INTEGRITY,
        stripPrefix = "package",
    )
    repository_ctx.delete(archive)
    repository_ctx.file("BUILD.bazel", _BUILD.format(
        compatible = [],
        src = program,
    ))
    return None

_buildifier_repository = repository_rule(
    implementation = _buildifier_impl,
    doc = "The program `@buildifier//:buildifier`.",
    environ = ["PATH"],
)

def _buildifier_extension_impl(module_ctx):
    _buildifier_repository(name = "buildifier")
    return module_ctx.extension_metadata(reproducible = True)

buildifier = module_extension(
    implementation = _buildifier_extension_impl,
    doc = "Makes @buildifier.",
)

"""PyTorch itself, for tests that compare with it: @pytorch//:python.

pip installs its CPU wheel by hash when a target first needs it. That wheel is not in Python's package
index, whose own needs gigabytes of CUDA; where no index or folder of pip's configuration has it, or
this Python or machine is another than the wheel's, the program is incompatible and its tests are
skipped. Nothing of it is linked or shipped.
"""

_PROBE = "import expecttest, numpy, torch; print(torch.__version__)"

_PROGRAM = """#!/bin/sh
# Python with the real PyTorch.
PYTHONPATH={packages} exec {python} "$@"
"""

_BUILD = """load("@rules_shell//shell:sh_binary.bzl", "sh_binary")

sh_binary(
    name = "python",
    srcs = ["python.sh"],
    target_compatible_with = {compatible},
    visibility = ["//visibility:public"],
)
"""

def _last_line(text):
    lines = [line for line in text.strip().split("\n") if line]
    return lines[-1] if lines else "no answer"

def _pytorch_impl(repository_ctx):
    python = repository_ctx.read(repository_ctx.attr._python)
    repository_ctx.file("python.sh", _PROGRAM.format(
        packages = repository_ctx.path("site-packages"),
        python = python,
    ))
    lock = repository_ctx.path(repository_ctx.attr._lock)
    repository_ctx.watch(lock)
    reason = None
    result = repository_ctx.execute([
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--root-user-action=ignore",
        "--no-deps",
        "--require-hashes",
        "--no-compile",
        "--only-binary=:all:",
        "--target=site-packages",
        "--requirement",
        lock,
    ], timeout = 900)
    if result.return_code == 0:
        result = repository_ctx.execute([repository_ctx.path("python.sh"), "-c", _PROBE])
    if result.return_code != 0:
        # buildifier: disable=print
        print("no PyTorch to compare with, so these tests are skipped: " + _last_line(result.stderr))
        reason = ["@platforms//:incompatible"]
    repository_ctx.file("BUILD.bazel", _BUILD.format(compatible = reason or []))

_pytorch_repository = repository_rule(
    implementation = _pytorch_impl,
    doc = "The program `@pytorch//:python`.",
    attrs = {
        "_lock": attr.label(default = "//third_party/pytorch:requirements_lock.txt", allow_single_file = True),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

def _pytorch_extension_impl(module_ctx):
    _pytorch_repository(name = "pytorch")
    return module_ctx.extension_metadata(reproducible = True)

pytorch = module_extension(
    implementation = _pytorch_extension_impl,
    doc = "Makes @pytorch.",
)

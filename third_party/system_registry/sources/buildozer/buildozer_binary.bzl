"""The extension that `bazel_tools` asks for, with no program: `bazel mod tidy` is not for this mode."""

def _no_buildozer_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel", "")
    repository_ctx.file("buildozer.exe", """#!/bin/sh
echo "bazel mod tidy needs buildozer, which system mode has not. Type: BAZELW_MODE=registry ./bazelw mod tidy" >&2
exit 1
""", executable = True)

_no_buildozer = repository_rule(implementation = _no_buildozer_impl)

def _buildozer_binary_impl(_):
    _no_buildozer(name = "buildozer_binary")

buildozer_binary = module_extension(implementation = _buildozer_binary_impl)

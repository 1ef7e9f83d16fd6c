"""The extension that `bazel_tools` asks for, with no Java: its repositories fail where a target needs one."""

def _no_java_impl(_repository_ctx):
    fail("""system mode has no toolchain of Java, because no target of this tree needs one. To use the registry's:

    BAZELW_MODE=registry ./bazelw ...
""")

_no_java = repository_rule(implementation = _no_java_impl)

def _toolchains_impl(_):
    for name in [
        "local_jdk",
        "remote_java_tools",
        "remote_java_tools_darwin_arm64",
        "remote_java_tools_darwin_x86_64",
        "remote_java_tools_linux",
        "remote_java_tools_windows",
    ]:
        _no_java(name = name)

toolchains = module_extension(implementation = _toolchains_impl)

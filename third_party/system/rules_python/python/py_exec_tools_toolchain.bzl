"""py_exec_tools_toolchain under its rules_python label."""

def _py_exec_tools_toolchain_impl(_ctx):
    return [platform_common.ToolchainInfo()]

py_exec_tools_toolchain = rule(
    implementation = _py_exec_tools_toolchain_impl,
    doc = "Programs that rules_python runs during a build.",
)

"""A C++ and Objective-C++ toolchain for macOS that can be analysed, and compiles nothing."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "action_config", "feature", "flag_group", "flag_set", "tool", "tool_path")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

# What Bazel asks every toolchain for.
_TOOLS = ["ar", "cpp", "dwp", "gcc", "gcov", "ld", "nm", "objcopy", "objdump", "strip"]

_REFUSE = "refuse.sh"

# What Bazel's own features leave out.
_OBJECTIVE_C = [ACTION_NAMES.objc_compile, ACTION_NAMES.objcpp_compile]

def _flags(variable, flag):
    """A feature that gives what a target says of itself to every compilation."""
    return feature(
        name = variable,
        enabled = True,
        flag_sets = [flag_set(
            actions = _OBJECTIVE_C + [ACTION_NAMES.c_compile, ACTION_NAMES.cpp_compile, ACTION_NAMES.cpp_header_parsing],
            flag_groups = [flag_group(
                expand_if_available = variable,
                flags = [flag],
                iterate_over = variable,
            )],
        )],
    )

def _analysis_toolchain_config_impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "macos",
        abi_version = "macos",
        # Bazel has those of C++ by itself.
        action_configs = [
            action_config(
                action_name = name,
                enabled = True,
                tools = [tool(path = _REFUSE)],
            )
            for name in _OBJECTIVE_C
        ],
        compiler = "clang",
        features = [
            feature(name = "supports_dynamic_linker", enabled = True),
            feature(name = "supports_pic", enabled = True),
            _flags("preprocessor_defines", "-D%{preprocessor_defines}"),
            _flags("user_compile_flags", "%{user_compile_flags}"),
        ],
        target_cpu = "darwin",
        target_libc = "macosx",
        target_system_name = "macos",
        tool_paths = [tool_path(name = name, path = _REFUSE) for name in _TOOLS],
        toolchain_identifier = "macos-analysis",
    )

analysis_toolchain_config = rule(
    implementation = _analysis_toolchain_config_impl,
    doc = "The toolchain's tools and actions.",
)

"""What the tree uses of each module, written down once.

The tests run on whatever answers to a module's name: in system mode a stand-in or the distribution's package, in
registry mode the module itself. Both must pass, so that neither is kinder than the other. contract_test.py sees
that the tree uses nothing that is not written here, and that nothing here is without a use.
"""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("@bazel_skylib//rules:build_test.bzl", "build_test")
load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo", "bool_flag", "bool_setting", "string_flag")
load("@bazel_skylib//rules:copy_file.bzl", "copy_file")
load("@bazel_skylib//rules:diff_test.bzl", "diff_test")
load("@bazel_skylib//rules:expand_template.bzl", "expand_template")
load("@bazel_skylib//rules:native_binary.bzl", "native_binary")
load("@bazel_skylib//rules:run_binary.bzl", "run_binary")
load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@metal//:defs.bzl", "apple_metal_library")
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES", "CPP_COMPILE_ACTION_NAME")
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_import.bzl", "cc_import")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_shared_library.bzl", "cc_shared_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "action_config", "feature", "flag_group", "flag_set", "tool", "tool_path")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_cc//cc/common:cc_shared_library_info.bzl", "CcSharedLibraryInfo")
load("@rules_cc//cc/toolchains:cc_toolchain.bzl", "cc_toolchain")
load("@rules_cuda//cuda:defs.bzl", "cuda_toolchain", "cuda_toolchain_config_nvcc")

# buildifier: disable=bzl-visibility
load("@rules_cuda//cuda/private:providers.bzl", "CudaToolkitInfo")
load("@rules_python//python:py_binary.bzl", "py_binary")
load("@rules_python//python:py_exec_tools_toolchain.bzl", "py_exec_tools_toolchain")
load("@rules_python//python:py_info.bzl", "PyInfo")
load("@rules_python//python:py_library.bzl", "py_library")
load("@rules_python//python:py_runtime.bzl", "py_runtime")
load("@rules_python//python:py_runtime_pair.bzl", "py_runtime_pair")
load("@rules_python//python:py_test.bzl", "py_test")
load("@rules_python//python/cc:py_cc_toolchain.bzl", "py_cc_toolchain")
load("@rules_shell//shell:sh_binary.bzl", "sh_binary")

# A name that is not there stops the load of this file.
SYMBOLS = {
    "function": [
        action_config,
        build_test,
        copy_file,
        diff_test,
        expand_template,
        feature,
        find_cc_toolchain,
        flag_group,
        flag_set,
        native_binary,
        run_binary,
        tool,
        tool_path,
        use_cc_toolchain,
        write_file,
    ],
    "provider": [
        BuildSettingInfo,
        CcInfo,
        CcSharedLibraryInfo,
        CudaToolkitInfo,
        PyInfo,
    ],
    "rule or macro": [
        apple_metal_library,
        bool_flag,
        bool_setting,
        cc_binary,
        cc_import,
        cc_library,
        cc_shared_library,
        cc_test,
        cc_toolchain,
        cuda_toolchain,
        cuda_toolchain_config_nvcc,
        py_binary,
        py_cc_toolchain,
        py_exec_tools_toolchain,
        py_library,
        py_runtime,
        py_runtime_pair,
        py_test,
        sh_binary,
        string_flag,
    ],
    "value": [
        ACTION_NAMES,
        CPP_COMPILE_ACTION_NAME,
        analysistest,
        asserts,
        cc_common,
        unittest,
    ],
}

# C++ libraries.
LIBRARIES = [
    "@eigen",
    "@googletest//:gtest",
    "@googletest//:gtest_main",
    "@highway//:hwy",
    "@rules_python//python/cc:current_py_cc_headers",
]

# Settings and conditions.
TARGETS = [
    "@rules_cuda//cuda:compiler_is_nvcc",
    "@rules_cuda//cuda:enable",
    "@rules_cuda//cuda:is_enabled",
]

# What MODULE.bazel names for @metal.
_METAL_RULES = Label("@rules_apple//apple:resources.bzl")

_CUDA_TYPE = Label("@rules_cuda//cuda:toolchain_type")
_CC_PYTHON_TYPE = Label("@rules_python//python/cc:toolchain_type")
_PYTHON_TYPE = Label("@rules_python//python:toolchain_type")
_EXEC_TOOLS_TYPE = Label("@rules_python//python:exec_tools_toolchain_type")

# The fields of what a toolchain or a provider holds, with their types.
_CUDA_FIELDS = {
    "all_files": "depset",
    "compiler_executable": "string",
    "cuda_toolkit": "Target",
    "name": "string",
}
_CUDA_TOOLKIT_FIELDS = {
    "path": "string",
    "version_major": "int",
    "version_minor": "int",
}
_CC_PYTHON_FIELDS = {"python_version": "string"}
_PY_INFO_FIELDS = {
    "imports": "depset",
    "transitive_sources": "depset",
}

_ToolchainsInfo = provider(
    doc = "The toolchains of a configuration.",
    fields = {"toolchains": "Dict from the type's label to ToolchainInfo or None."},
)

_TYPES = [_CUDA_TYPE, _CC_PYTHON_TYPE, _PYTHON_TYPE, _EXEC_TOOLS_TYPE]

def _toolchains_impl(ctx):
    return [_ToolchainsInfo(toolchains = {type: ctx.toolchains[type] for type in _TYPES})]

_toolchains = rule(
    implementation = _toolchains_impl,
    doc = "Holds the toolchains that the tree asks for.",
    toolchains = [config_common.toolchain_type(type, mandatory = False) for type in _TYPES],
)

def _expect_fields(env, value, fields):
    for field, kind in fields.items():
        if asserts.true(env, hasattr(value, field), "{} is missing".format(field)) == None and hasattr(value, field):
            asserts.equals(env, kind, type(getattr(value, field)), field)

def _library_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    asserts.true(env, CcInfo in target, "no CcInfo")
    asserts.true(env, target[CcInfo].compilation_context.headers.to_list(), "no headers")
    return analysistest.end(env)

_library_test = analysistest.make(_library_impl)

def _cuda_off_impl(ctx):
    env = analysistest.begin(ctx)
    toolchain = analysistest.target_under_test(env)[_ToolchainsInfo].toolchains[_CUDA_TYPE]

    # There is one, and it is empty.
    asserts.true(env, toolchain != None, "no toolchain")
    for field in _CUDA_FIELDS:
        asserts.false(env, hasattr(toolchain, field), field)
    return analysistest.end(env)

_cuda_off_test = analysistest.make(
    _cuda_off_impl,
    config_settings = {str(Label("@rules_cuda//cuda:enable")): False},
)

def _cuda_on_impl(ctx):
    env = analysistest.begin(ctx)
    toolchain = analysistest.target_under_test(env)[_ToolchainsInfo].toolchains[_CUDA_TYPE]
    _expect_fields(env, toolchain, _CUDA_FIELDS)
    _expect_fields(env, toolchain.cuda_toolkit[CudaToolkitInfo], _CUDA_TOOLKIT_FIELDS)
    asserts.equals(env, "/opt/cuda-99.1/bin/nvcc", toolchain.compiler_executable)
    asserts.equals(env, 99, toolchain.cuda_toolkit[CudaToolkitInfo].version_major)
    return analysistest.end(env)

_cuda_on_test = analysistest.make(
    _cuda_on_impl,
    config_settings = {
        "//command_line_option:extra_toolchains": [str(Label("//tests/cuda:other_toolchain"))],
        str(Label("@rules_cuda//cuda:enable")): True,
    },
)

def _python_impl(ctx):
    env = analysistest.begin(ctx)
    toolchains = analysistest.target_under_test(env)[_ToolchainsInfo].toolchains
    _expect_fields(env, toolchains[_CC_PYTHON_TYPE].py_cc_toolchain, _CC_PYTHON_FIELDS)
    asserts.equals(env, "string", type(toolchains[_PYTHON_TYPE].py3_runtime.interpreter_path))
    asserts.true(env, toolchains[_EXEC_TOOLS_TYPE] != None, "no tools")
    return analysistest.end(env)

_python_test = analysistest.make(_python_impl)

def _py_info_impl(ctx):
    env = analysistest.begin(ctx)
    _expect_fields(env, analysistest.target_under_test(env)[PyInfo], _PY_INFO_FIELDS)
    return analysistest.end(env)

_py_info_test = analysistest.make(_py_info_impl)

_MACOS = {
    "//command_line_option:macos_minimum_os": "12.3",
    "//command_line_option:platforms": [str(Label("//platforms:macos_aarch64"))],
}

def _metallib_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, "apple", _METAL_RULES.package)
    files = analysistest.target_under_test(env)[DefaultInfo].files.to_list()
    asserts.equals(env, ["shaders.metallib"], [file.basename for file in files])
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic == "MetallibCompile"]
    asserts.equals(env, 1, len(actions))
    action = actions[0]
    sources = [file.path for file in action.inputs.to_list() if file.extension == "metal"]
    asserts.equals(env, 2, len(sources))
    asserts.equals(
        env,
        ["/usr/bin/xcrun", "metal", "-target", "air64-apple-macosx12.3", "-o", files[0].path, "-Done"] + sources,
        action.argv,
    )
    asserts.equals(env, "MacOSX", action.env["APPLE_SDK_PLATFORM"])
    asserts.true(env, "header.h" in [file.basename for file in action.inputs.to_list()])
    return analysistest.end(env)

_metallib_test = analysistest.make(_metallib_impl, config_settings = _MACOS)

def _metallib_elsewhere_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "A valid Apple platform constraint could not be found from the resolved toolchain")
    return analysistest.end(env)

_metallib_elsewhere_test = analysistest.make(
    _metallib_elsewhere_impl,
    config_settings = {"//command_line_option:platforms": [str(Label("//platforms:linux_aarch64"))]},
    expect_failure = True,
)

def contract_tests(name):
    """Declares the tests of this file.

    Args:
      name: of the suite.
    """
    _toolchains(
        name = name + "_toolchains",
        tags = ["manual"],
    )
    py_library(
        name = name + "_py_library",
        tags = ["manual"],
    )
    for file in ["one.metal", "two.metal", "header.h"]:
        write_file(
            name = name + "_" + file,
            out = name + "/" + file,
            tags = ["manual"],
        )
    apple_metal_library(
        name = name + "_metallib",
        srcs = [name + "/one.metal", name + "/two.metal"],
        hdrs = [name + "/header.h"],
        out = "shaders.metallib",
        copts = ["-Done"],
        tags = ["manual"],
    )
    tests = {
        "cuda_off": (_cuda_off_test, name + "_toolchains"),
        "cuda_on": (_cuda_on_test, name + "_toolchains"),
        "metallib": (_metallib_test, name + "_metallib"),
        "metallib_elsewhere": (_metallib_elsewhere_test, name + "_metallib"),
        "py_info": (_py_info_test, name + "_py_library"),
        "python": (_python_test, name + "_toolchains"),
    } | {
        label.partition("//")[0].strip("@") + "_" + (label.rpartition(":")[2] if ":" in label else "library"): (_library_test, label)
        for label in LIBRARIES
    }
    for test, (rule, target) in tests.items():
        rule(
            name = "{}_{}_test".format(name, test),
            target_under_test = target,
        )
    build_test(
        name = name + "_targets_test",
        targets = TARGETS,
    )
    native.test_suite(
        name = name,
        tests = ["{}_{}_test".format(name, test) for test in tests] + [name + "_targets_test"],
    )

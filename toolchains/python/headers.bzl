"""Python.h of the Python that the build is for."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":toolchain.bzl", "PYTHON_CC_TYPE", "python_version")

def _python_headers_impl(ctx):
    wanted = ctx.attr._python_version[BuildSettingInfo].value
    version = python_version(ctx)
    if wanted not in ["host", version]:
        fail(("--python_version={wanted} cannot choose: the toolchain that serves it is of CPython {version}, and another module " +
              "registered it before torch did. In MODULE.bazel put torch before that module, or choose with that module's " +
              "own flag. rules_python's is --@rules_python//python/config_settings:python_version={wanted}").format(
            version = version,
            wanted = wanted,
        ))
    return [ctx.attr._headers[CcInfo]]

python_headers = rule(
    implementation = _python_headers_impl,
    doc = """Python.h of the CPython that `--python_version` names.

    The toolchains of @host_python obey the option. In another workspace those of rules_python may come first, and they
    do not: what they give is then compared with the option, so that no extension is built for another Python than
    the one that was asked for.""",
    attrs = {
        "_headers": attr.label(default = "@rules_python//python/cc:current_py_cc_headers", providers = [CcInfo]),
        "_python_version": attr.label(default = "//config:python_version"),
    },
    provides = [CcInfo],
    toolchains = [PYTHON_CC_TYPE],
)

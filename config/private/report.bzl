"""The configured options as a file, for programs that report on them."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("//config:conditions.bzl", "lapack_choice")
load("//config:cuda_archs.bzl", "cuda_arch_errors")
load("//tools/rules:target.bzl", "PLATFORM_ATTRS", "target_cpu", "target_os")
load(":checks.bzl", "combination_errors", "missing_errors")

def _text(value):
    if type(value) == "bool":
        return "on" if value else "off"
    return str(value)

def _option_values_impl(ctx):
    values = {
        ctx.attr.settings[target]: target[BuildSettingInfo].value
        for target in ctx.attr.settings
    }
    on = [name for name, value in values.items() if value == True]
    report = struct(
        compilation_mode = ctx.var["COMPILATION_MODE"],
        compiler = find_cc_toolchain(ctx).compiler,
        copts = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        cpu = target_cpu(ctx),
        errors = combination_errors(on) + missing_errors(on) + cuda_arch_errors(values["cuda_archs"]),
        lapack = ctx.attr.lapack,
        options = [
            struct(
                default = _text(json.decode(default)),
                doc = ctx.attr.docs[name],
                name = name,
                value = _text(values[name]),
            )
            for name, default in ctx.attr.defaults.items()
        ],
        os = target_os(ctx),
    )
    out = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(out, json.encode_indent(report) + "\n")
    return [DefaultInfo(files = depset([out]))]

_option_values = rule(
    implementation = _option_values_impl,
    attrs = PLATFORM_ATTRS | {
        "defaults": attr.string_dict(doc = "Default of each option by name, as JSON."),
        "docs": attr.string_dict(doc = "Meaning of each option by name."),
        "lapack": attr.string(doc = "Whose decompositions the CPU has."),
        "settings": attr.label_keyed_string_dict(
            doc = "The build settings, each with its option's name.",
            providers = [BuildSettingInfo],
        ),
    },
    doc = "Writes the value of every option in this configuration as JSON.",
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)

def option_values(name, options, visibility):
    """Declares the report of the configured options.

    Args:
      name: of the target.
      options: the list of `//config:options.bzl`.
      visibility: of the target.
    """
    _option_values(
        name = name,
        defaults = {option.name: json.encode(option.default) for option in options},
        docs = {option.name: option.doc for option in options},
        lapack = lapack_choice({
            "blas": "the BLAS library's",
            "eigen": "Eigen",
            "openblas": "OpenBLAS's, from its wheel",
        }),
        settings = {option.label: option.name for option in options},
        visibility = visibility,
    )

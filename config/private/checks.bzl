"""Refuses combinations of options that cannot work, before anything compiles."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//config:cuda_archs.bzl", "cuda_arch_errors")
load("//config:options.bzl", "EXCLUSIVE", "OPTIONS", "WORKING_BACKENDS")
load("//platforms:platforms.bzl", "CPUS")
load("//tools/rules:target.bzl", "PLATFORM_ATTRS", "target_os")

def _flags(names):
    return " ".join(["--" + name for name in names])

def _and(flags):
    return " and ".join(["--" + flag for flag in flags])

def combination_errors(on, options = OPTIONS, exclusive = EXCLUSIVE):
    """Finds switches that cannot be on together, or alone.

    Args:
      on: names of the switches that are on.
      options: the known options, as in `//config:options.bzl`.
      exclusive: lists of switches; at most one of each list may be on.

    Returns:
      A list of messages, each ending in the line to type; empty when all is well.
    """
    errors = []
    for option in options:
        if option.name not in on:
            continue
        off = [name for name in option.requires if name not in on]
        if off:
            errors.append("--{name} needs {needs}, but {off} {verb} off. Type: {line} (or --{name}=false)".format(
                line = _flags([option.name] + option.requires),
                name = option.name,
                needs = _and(option.requires),
                off = _and(off),
                verb = "is" if len(off) == 1 else "are",
            ))
    for group in exclusive:
        both = [name for name in group if name in on]
        if len(both) > 1:
            errors.append("{both} exclude each other. Type: {line}".format(
                both = _and(both),
                line = " ".join(["--" + both[0]] + ["--" + name + "=false" for name in both[1:]]),
            ))
    return errors

def missing_errors(on, options = OPTIONS, backends = WORKING_BACKENDS):
    """Finds switches that this version has nothing for.

    Args:
      on: names of the switches that are on.
      options: the known options, as in `//config:options.bzl`.
      backends: names of the backends that work in this version.

    Returns:
      A list of messages, as from `combination_errors`.
    """
    return [
        "--{name} is on, but this version has no {missing}. Backends that work: {backends}. Type: --{name}=false".format(
            backends = ", ".join(backends),
            missing = option.missing,
            name = option.name,
        )
        for option in options
        if option.name in on and option.missing
    ]

def platform_errors(on, os, options = OPTIONS):
    """Finds switches that the target platform cannot have.

    Args:
      on: names of the switches that are on.
      os: the operating system that is built for.
      options: the known options, as in `//config:options.bzl`.

    Returns:
      A list of messages, as from `combination_errors`.
    """
    return [
        "--{name} is for {wanted}, and this builds for {os}. Type: --{name} --platforms=//platforms:{wanted}_{cpu} (or --{name}=false)".format(
            cpu = CPUS[0],
            name = option.name,
            os = os,
            wanted = option.os,
        )
        for option in options
        if option.name in on and option.os and option.os != os
    ]

def _checked_options_impl(ctx):
    on = [
        ctx.attr.switches[target]
        for target in ctx.attr.switches
        if target[BuildSettingInfo].value
    ]
    errors = combination_errors(on) + platform_errors(on, target_os(ctx)) + cuda_arch_errors(ctx.attr.cuda_archs[BuildSettingInfo].value)
    if ctx.attr.complete:
        errors += missing_errors(on)
    if errors:
        fail("\n  ".join(["these options cannot work:"] + errors))
    return [CcInfo()]

checked_options = rule(
    implementation = _checked_options_impl,
    attrs = PLATFORM_ATTRS | {
        "choices": attr.label_list(
            doc = "Settings with named values; they check themselves.",
            providers = [BuildSettingInfo],
        ),
        "complete": attr.bool(
            doc = "Whether what an option asks for must be there, too.",
        ),
        "cuda_archs": attr.label(
            doc = "The list of GPU architectures, which is checked where CUDA is off too.",
            mandatory = True,
            providers = [BuildSettingInfo],
        ),
        "switches": attr.label_keyed_string_dict(
            doc = "Settings that are on or off, each with its short name.",
            providers = [BuildSettingInfo],
        ),
    },
    doc = "An empty C++ library that fails analysis when the options cannot work together.",
)

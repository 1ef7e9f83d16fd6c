"""Refuses a macOS that lacks what the MPS backend calls."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//config:backends.bzl", "BACKENDS")

MINIMUM = BACKENDS["mps"].os_version

# What Bazel supposes where it knows no Xcode.
_NO_XCODE = "10.11"

def _older(version):
    parts = [int(part) for part in version.split(".")[:2] if part.isdigit()]
    return parts < [int(part) for part in MINIMUM.split(".")]

def version_errors(minimum_os, sdk):
    """Finds versions of macOS that are too old.

    Args:
      minimum_os: the oldest macOS that is built for.
      sdk: the version of the SDK; Bazel's own where no Xcode is known.

    Returns:
      A list of messages, each ending in the line to type; empty when all is well.
    """
    errors = []
    if sdk != _NO_XCODE and _older(sdk):
        errors.append("--mps needs the SDK of macOS {wanted} or later, and Xcode's is {sdk}. Install a newer Xcode and type: --xcode_version=<its version>".format(
            sdk = sdk,
            wanted = MINIMUM,
        ))
    if _older(minimum_os):
        errors.append("--mps needs macOS {wanted} or later, and this builds for {given} and later. Type: --macos_minimum_os={wanted} (or --config=mps, which says so)".format(
            given = minimum_os,
            wanted = MINIMUM,
        ))
    return errors

_MetalTargetInfo = provider(
    doc = "What Metal's compiler is asked for.",
    fields = {
        "minimum_os": "The oldest macOS that is built for.",
        "sdk": "The version of the SDK.",
    },
)

# How the compiler's target begins: a version follows.
_TRIPLE = "air64-apple-macosx"

def _metal_target_impl(target, _ctx):
    for action in target.actions:
        if action.mnemonic != "MetallibCompile":
            continue
        triples = [word for word in action.argv if word.startswith(_TRIPLE)]
        return [_MetalTargetInfo(
            minimum_os = triples[0].removeprefix(_TRIPLE),
            sdk = action.env.get("APPLE_SDK_VERSION_OVERRIDE", _NO_XCODE),
        )]
    return []

# Bazel's own names for Apple's versions changed with 8 and 9; the compiler's command did not.
_metal_target = aspect(
    implementation = _metal_target_impl,
    doc = "Reads the versions out of the command line of Metal's compiler.",
)

def _macos_version_impl(ctx):
    found = ctx.attr.metallib[_MetalTargetInfo]
    errors = version_errors(minimum_os = found.minimum_os, sdk = found.sdk)
    if errors:
        fail("\n  ".join(errors))
    return [CcInfo()]

macos_version = rule(
    implementation = _macos_version_impl,
    attrs = {
        "metallib": attr.label(
            aspects = [_metal_target],
            doc = "An apple_metal_library.",
            mandatory = True,
        ),
    },
    doc = "An empty C++ library that fails analysis where macOS is older than Metal's part needs.",
)

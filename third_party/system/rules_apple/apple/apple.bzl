"""apple_metal_library, for machines that cannot build it."""

def _apple_metal_library_impl(ctx):
    fail("{}: Metal libraries are built with Xcode's compiler; leave out --config=system on macOS.".format(ctx.label))

_apple_metal_library = rule(
    implementation = _apple_metal_library_impl,
    doc = "A library of Metal shaders.",
    attrs = {
        "copts": attr.string_list(doc = "Options for the Metal compiler."),
        "hdrs": attr.label_list(doc = "Headers of the shaders.", allow_files = [".h"]),
        "includes": attr.string_list(doc = "Header search paths."),
        "out": attr.string(doc = "Name of the library file.", default = "default.metallib"),
        "srcs": attr.label_list(doc = "Shaders.", allow_files = [".metal"]),
    },
)

def apple_metal_library(name, target_compatible_with = [], **kwargs):
    """A library of Metal shaders; incompatible, so skipped, on every platform but macOS.

    Args:
      name: name of the target.
      target_compatible_with: further constraints.
      **kwargs: the rule's attributes.
    """
    _apple_metal_library(
        name = name,
        target_compatible_with = target_compatible_with + ["@platforms//os:macos"],
        **kwargs
    )

"""The targets that sources depend on, for every optional library."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("//third_party/system_library:unavailable.bzl", "unavailable")
load("//tools/rules:nvidia.bzl", "nvidia_headers")
load(":libraries.bzl", "OPTIONAL_LIBRARIES")

def optional_library_targets(name, visibility):
    """Declares a target for each library: its headers, and for those of the CPU what tests link.

    Args:
      name: of a group of all of them.
      visibility: of the targets.
    """
    limited = {platform: True for library in OPTIONAL_LIBRARIES.values() for platform in library.platforms}
    for platform in limited:
        os, _, cpu = platform.partition("_")
        native.config_setting(
            name = "is_" + platform,
            constraint_values = [
                "@platforms//cpu:" + cpu,
                "@platforms//os:" + os,
            ],
        )
    native.filegroup(
        name = name,
        srcs = OPTIONAL_LIBRARIES.keys(),
        tags = ["manual"],
    )
    for name, library in OPTIONAL_LIBRARIES.items():
        headers = "@optional_libraries//{}:headers".format(name)
        if library.cuda and not library.linked:
            # Headers alone go with every toolkit.
            native.alias(
                name = name,
                actual = headers,
                tags = ["manual"],
                visibility = visibility,
            )
            continue
        if library.cuda:
            nvidia_headers(
                name = name,
                headers = headers,
                library = "{} {}".format(library.title, library.version),
                major = library.cuda,
                option = name,
                tags = ["manual"],
                visibility = visibility,
            )
            continue
        cc_library(
            name = name + "_library",
            srcs = ["@optional_libraries//{}:{}".format(name, file) for file in library.linked],
            tags = ["manual"],
            deps = [headers],
        )
        unavailable(
            name = name + "_unavailable",
            message = "--{name} is on, but {title} has no wheel for this platform, only for {platforms}. Type: --{name}=false".format(
                name = name,
                platforms = ", ".join(library.platforms),
                title = library.title,
            ),
            tags = ["manual"],
            visibility = visibility,
        )
        native.alias(
            name = name,
            actual = select({"is_" + platform: name + "_library" for platform in library.platforms} | {
                "//conditions:default": name + ("_unavailable" if library.platforms else "_library"),
            }),
            tags = ["manual"],
            visibility = visibility,
        )

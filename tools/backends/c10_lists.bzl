"""The lists of backends and devices in c10: one command refreshes them, a test each finds a stale one."""

load("@bazel_skylib//rules:run_binary.bzl", "run_binary")
load("//tools/rules:checked_in.bzl", "checked_in_files")

def c10_lists(name, headers, visibility):
    """Declares the updater of the lists of this package, and their freshness tests.

    Args:
      name: of the updater.
      headers: those with lists in them.
      visibility: of the updater.
    """
    fresh = {file: file + ".fresh" for file in headers}
    run_binary(
        name = name + "_fresh",
        srcs = headers,
        outs = fresh.values(),
        args = ["$(execpath {})=$(execpath {})".format(file, out) for file, out in fresh.items()],
        tool = "//tools/backends:c10_lists",
    )
    checked_in_files(
        name = name,
        files = fresh,
        visibility = visibility,
    )

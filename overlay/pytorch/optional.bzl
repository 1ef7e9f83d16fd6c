"""Optional libraries: an option is on where its library is there, and reaches only the sources that can read it.

A configuration header that says other things compiles again whatever includes it, hundreds of sources. So the
headers say that every option is off, and a source which can read the option's macro gets it from a header of its
own, that the compiler includes first.
"""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("@pytorch_dnnl//:found.bzl", DNNL_FLAGS = "LINK_FLAGS", DNNL_FOUND = "FOUND")
load("@pytorch_ideep//:found.bzl", IDEEP_FOUND = "FOUND")
load("@pytorch_numa//:found.bzl", NUMA_FLAGS = "LINK_FLAGS", NUMA_FOUND = "FOUND")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load(":libraries.bzl", "OPTIONAL")
load(":not_covered.bzl", "NOT_COVERED", "not_covered_target")

# Whether this machine has what `auto` asks for.
_FOUND = {
    "numa": NUMA_FOUND,
    "onednn": DNNL_FOUND and IDEEP_FOUND,
}

# How its layer is linked with it.
_LINK_FLAGS = {
    "numa": NUMA_FLAGS,
    "onednn": DNNL_FLAGS,
}

def if_optional(name, then, otherwise = []):
    """Chooses by the option of a library.

    Args:
      name: of OPTIONAL.
      then: the value when it is on, or the library is there and nobody turned it off.
      otherwise: the value when it is off.

    Returns:
      A `select()`.
    """
    return select({
        Label("//overlay/pytorch:{}_on".format(name)): then,
        Label("//overlay/pytorch:{}_off".format(name)): otherwise,
        "//conditions:default": then if _FOUND[name] else otherwise,
    })

def _header(name):
    return "overlay_options/{}.h".format(name)

def optional_headers(name):
    """The header of each option, and a library `NAME_option` with what its readers need.

    Args:
      name: unused.
    """
    for option, library in OPTIONAL.items():
        write_file(
            name = option + "_header",
            out = _header(option),
            content = [
                "#pragma once",
                "#include <{}>".format(library.header.removeprefix("aten/src/")),
                "#undef " + library.variable,
                "#define {}{}".format(library.variable, "() 1" if library.function else ""),
                "",
            ],
        )
        cc_library(
            name = option + "_option",
            # A reader may have forgotten to include the second.
            hdrs = [
                _header(option),
                library.header,
            ],
            deps = library.deps,
        )

def optional_copts(path, readers):
    """Compiler options of a source.

    Args:
      path: of the source.
      readers: READERS of tables.bzl.

    Returns:
      A sum of `select()`, empty where no option reaches it.
    """
    copts = []
    for option, library in OPTIONAL.items():
        if path in readers.get(library.variable, []):
            copts = copts + if_optional(option, ["-include", _header(option)])
    return copts

def optional_deps(path, readers):
    """What a source can include for its options.

    Args:
      path: of the source.
      readers: READERS of tables.bzl.

    Returns:
      A sum of `select()`, empty where no option reaches it.
    """
    deps = []
    for option, library in OPTIONAL.items():
        if path in readers.get(library.variable, []):
            deps = deps + if_optional(option, [":" + option + "_option"])
    return deps

def optional_link_flags(layer):
    """Options of a shared library.

    Args:
      layer: its target's name.

    Returns:
      A sum of `select()`.
    """
    flags = []
    for option, library in OPTIONAL.items():
        if library.layer == layer:
            flags = flags + if_optional(option, _LINK_FLAGS[option])
    return flags

def refusals():
    """What every compilation depends on, so that an option that is not covered fails the analysis.

    Returns:
      A sum of `select()`, of nothing where no such option is on.
    """
    deps = []
    for name in NOT_COVERED:
        deps = deps + select({
            Label("//overlay/pytorch:{}_on".format(name)): [Label("//overlay/pytorch:" + not_covered_target(name))],
            "//conditions:default": [],
        })
    return deps

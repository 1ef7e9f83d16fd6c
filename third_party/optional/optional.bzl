"""What the optional libraries that are on mean for whoever compiles, links and packages.

Each function returns a `select()` over the options of third_party/optional/libraries.bzl. A layer is
`cpu` or `cuda`: the shared library that calls the library.
"""

load("//config:conditions.bzl", "if_option")
load(":libraries.bzl", "OPTIONAL_LIBRARIES")

def _libraries(layer):
    return {
        name: library
        for name, library in OPTIONAL_LIBRARIES.items()
        if (library.cuda > 0) == (layer == "cuda")
    }

def _file(name, file):
    return "@optional_libraries//{}:{}".format(name, file)

def optional_define(name):
    """Definitions for a source that calls a library.

    Args:
      name: the library.

    Returns:
      A `select()`.
    """
    return if_option(name, [OPTIONAL_LIBRARIES[name].define])

def optional_headers(name):
    """Dependencies of a source that calls a library.

    Args:
      name: the library.

    Returns:
      A `select()`.
    """
    return if_option(name, ["//third_party/optional:" + name])

def optional_link_inputs(layer):
    """Files that `optional_link_flags` names.

    Args:
      layer: `cpu` or `cuda`.

    Returns:
      A `select()`.
    """
    result = []
    for name, library in _libraries(layer).items():
        result = result + if_option(name, [_file(name, file) for file in library.linked])
    return result

def optional_link_flags(layer):
    """Options for the link of a shared library of a layer.

    At run time a library lies where pip installs it, or beside torch's own libraries in a build of the
    tree.

    Args:
      layer: `cpu` or `cuda`.

    Returns:
      A `select()`.
    """
    result = []
    for name, library in _libraries(layer).items():
        if library.linked:
            result = result + if_option(name, [
                "$(location {})".format(_file(name, file))
                for file in library.linked
            ] + [
                "-Wl,-rpath,$ORIGIN/" + library.run_path,
                "-Wl,-rpath,$ORIGIN/../../torch/lib",
            ])
    return result

def optional_files(layer):
    """What must be found at run time.

    Args:
      layer: `cpu` or `cuda`.

    Returns:
      A dict from the name of each file to its label.
    """
    return {
        file: _file(name, file)
        for name, library in _libraries(layer).items()
        for file in library.linked + library.loaded
    }

def optional_data(prefix):
    """The copies that a build of the tree puts beside torch's own libraries.

    Args:
      prefix: of the copies' labels, before the name of the file.

    Returns:
      A `select()`.
    """
    result = []
    for name, library in OPTIONAL_LIBRARIES.items():
        files = library.linked + library.loaded
        if files:
            result = result + if_option(name, [prefix + file for file in files])
    return result

def optional_requirements():
    """What pip installs beside a wheel.

    Returns:
      A `select()` of dicts from a requirement to the file that it brings.
    """
    result = {}
    for name, library in OPTIONAL_LIBRARIES.items():
        if library.linked:
            requirement = "{}=={}".format(library.distribution, library.version)
            result = result | if_option(name, {requirement: library.linked[0]}, {})
    return result

def optional_facts():
    """Files that say what was found for each library that is on.

    Returns:
      A `select()`.
    """
    result = []
    for name in OPTIONAL_LIBRARIES:
        result = result + if_option(name, ["@optional_libraries//{}:facts.json".format(name)])
    return result

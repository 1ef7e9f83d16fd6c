"""The version, as each language says it; MODULE.bazel holds it, `2.13.0.bazel.0.1`.

The part before `.bazel.` is the PyTorch whose interface this is, the part after it is our own release.
Bazel compares both; a version of Python names our release behind a plus sign, where pip and programs that
ask for a PyTorch pass over it.
"""

load("@bazel_skylib//rules:expand_template.bzl", "expand_template")

def python_version_of(module):
    """The version as Python's packages have it.

    Args:
      module: a version of the module, `2.13.0.bazel.0.1`.

    Returns:
      The same as `2.13.0+bazel.0.1`.
    """
    return module.replace(".bazel.", "+bazel.")

def version_files(name, files, visibility = None):
    """Files that say the version.

    Args:
      name: prefix of the targets' names.
      files: dict of each file and its template, with @VERSION@ for `2.13.0+bazel.0.1`, @INTERFACE@ for
        `2.13.0`, @MAJOR@, @MINOR@ and @PATCH@ of that, @RELEASE@ for `0.1` and @SYMBOL@ for all of it as a
        name of C.
      visibility: of the files.
    """
    version = python_version_of(native.module_version())
    interface, _, release = version.partition("+bazel.")
    major, minor, patch = interface.split(".")
    for out, template in files.items():
        expand_template(
            name = "{}_{}".format(name, out),
            out = out,
            substitutions = {
                "@INTERFACE@": interface,
                "@MAJOR@": major,
                "@MINOR@": minor,
                "@PATCH@": patch,
                "@RELEASE@": release,
                "@SYMBOL@": native.module_version().replace(".", "_"),
                "@VERSION@": version,
            },
            template = template,
            visibility = visibility,
        )

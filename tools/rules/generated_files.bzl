"""Reads a checked-in list of the generator's outputs.

`tools/codegen/output_list.py` writes the lists, a `generated_files.bzl` in each package that has outputs.
"""

_OPS = "aten/src/ATen/ops/"

# The group whose headers every operator has.
_OPERATOR_HEADERS = "operator_headers"

def headers_by_operator(generated):
    """The headers of each operator.

    Args:
      generated: GENERATED_FILES of the list.

    Returns:
      A dict from base names to dicts from backends, "" for the host, to file names.
    """
    result = {
        name: {"": [name + ".h", name + "_ops.h", name + "_native.h"]}
        for name in generated.operators
    }
    for group, headers in generated.headers.items():
        backend = "" if group == _OPERATOR_HEADERS else group.removesuffix("_headers")
        for suffix, names in headers.items():
            for name in names:
                result[name].setdefault(backend, []).append(name + suffix + ".h")
    return result

def slice_of(operator, count):
    """The slice of an operator's base name, as tools/codegen/canonical.py says.

    Args:
      operator: its base name.
      count: how many slices there are.

    Returns:
      A number from zero.
    """
    view = operator.removesuffix("_copy")
    return hash("view" if view == "reshape" else view) % count

def paths_by_operator(generated, group):
    """The outputs of a group of operators' headers.

    Args:
      generated: GENERATED_FILES of the list.
      group: a group of tools/codegen/groups.py.

    Returns:
      Pairs of a base name and a path from the repository root; empty for another group.
    """
    if group not in generated.headers:
        return []
    backend = "" if group == _OPERATOR_HEADERS else group.removesuffix("_headers")
    return [
        (operator, _OPS + header)
        for operator, headers in headers_by_operator(generated).items()
        for header in headers.get(backend, [])
    ]

def generated_paths(generated, group):
    """The outputs of a group.

    Args:
      generated: GENERATED_FILES of the list.
      group: a group of tools/codegen/groups.py.

    Returns:
      Paths from the repository root; None if the list does not have the group.
    """
    if group not in generated.files:
        return None
    return generated.files[group] + [path for _, path in paths_by_operator(generated, group)]

def header_paths(includes, folder = ""):
    """The headers that a table of what sources read names.

    Args:
      includes: names by path with {} for the name, `{"ops/{}.h": ["add"]}`.
      folder: what the paths begin with.

    Returns:
      A sorted list of paths below aten/src/ATen.
    """
    return sorted([
        (folder + pattern).format(name)
        for pattern, names in includes.items()
        for name in names
    ])

"""Turns the source lists of build_variables.bzl into labels of the package that uses them."""

def package_srcs(paths):
    """Source labels of this package.

    Args:
      paths: paths from the repository root, a list of build_variables.bzl.

    Returns:
      The same files, relative to the calling package.
    """
    prefix = native.package_name() + "/" if native.package_name() else ""
    srcs = []
    for path in paths:
        if not path.startswith(prefix):
            fail("{} is not in package //{}: take it from the list of its own directory in build_variables.bzl".format(
                path,
                native.package_name(),
            ))
        srcs.append(path[len(prefix):])
    return srcs

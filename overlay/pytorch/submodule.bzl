"""Headers of PyTorch's submodules, which Debian's source package keeps elsewhere."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# Where a submodule is, in a checkout and in Debian's source package.
_PLACES = ["debian", "third_party"]

def missing_submodule(folder):
    """What is said of a checkout without a submodule.

    Args:
      folder: of the submodule, below third_party.

    Returns:
      The message.
    """
    return "this checkout has no files in third_party/{}, whose headers its sources include. In it run\n\n    git submodule update --init third_party/{}\n".format(folder, folder)

def _missing_submodule_impl(ctx):
    fail(missing_submodule(ctx.attr.folder))

_missing_submodule = rule(
    implementation = _missing_submodule_impl,
    attrs = {"folder": attr.string(doc = "Of the submodule, below third_party.", mandatory = True)},
    doc = "Stands for a submodule that is not there: an error when something needs it.",
    provides = [CcInfo],
)

def submodule_headers(name, folder, headers, include = ""):
    """Headers of a submodule.

    Args:
      name: a library of them.
      folder: of the submodule, below third_party.
      headers: those that PyTorch includes, by the names that it includes them by.
      include: the folder of the submodule that has them.
    """
    roots = ["/".join([part for part in [place, folder, include] if part]) for place in _PLACES]
    found = native.glob(
        ["{}/{}".format(root, header) for root in roots for header in headers],
        allow_empty = True,
    )
    if found:
        cc_library(
            name = name,
            hdrs = found,
            includes = roots,
        )
    else:
        _missing_submodule(
            name = name,
            folder = folder,
        )

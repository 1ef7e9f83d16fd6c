"""PyTorch's own sources as a repository, and the libraries that they need.

    pytorch_source = use_extension("@torch//overlay/pytorch:extensions.bzl", "pytorch_source")
    pytorch_source.debian(version = "2.6.0+dfsg-7")
    use_repo(pytorch_source, "pytorch_source")

One tag says where the sources come from; `--repo_env=PYTORCH_SOURCE=/path/to/checkout` goes before it.
Nothing is fetched before a target of @pytorch_source is asked for.
"""

load("//third_party/python:extensions.bzl", "parse_lock", "wheel_repository")
load("//third_party/system_library:system_library.bzl", "system_library")
load(":libraries.bzl", "LIBRARIES")
load(":nvidia.bzl", "nvidia_repositories")
load(":source.bzl", "pytorch_includes_repository", "pytorch_source_repository", "pytorch_tables_repository")
load(":versions.bzl", "DEBIAN")

_path_tag = tag_class(
    doc = "A checkout on this machine.",
    attrs = {"path": attr.string(doc = "Its absolute path.", mandatory = True)},
)

_archive_tag = tag_class(
    doc = "An archive of PyTorch's repository with its submodules.",
    attrs = {
        "integrity": attr.string(doc = "Checksum, as `sha256-...`.", mandatory = True),
        "strip_prefix": attr.string(doc = "Folder of the archive that holds version.txt."),
        "urls": attr.string_list(doc = "Where it is.", mandatory = True),
    },
)

_debian_tag = tag_class(
    doc = "Debian's source package.",
    attrs = {"version": attr.string(
        doc = "One of overlay/pytorch/versions.bzl.",
        mandatory = True,
        values = DEBIAN.keys(),
    )},
)

def _chosen(modules):
    """The attributes of the source that the root module chose, else those of the first module."""
    for module in sorted(modules, key = lambda module: not module.is_root):
        tags = module.tags.path + module.tags.archive + module.tags.debian
        if len(tags) > 1:
            fail("pytorch_source has {} tags in module {}: choose one of path, archive and debian.".format(len(tags), module.name))
        for tag in module.tags.path:
            return {"named": "path of pytorch_source", "path": tag.path}
        for tag in module.tags.archive:
            return {"integrity": tag.integrity, "strip_prefix": tag.strip_prefix, "urls": tag.urls}
        for tag in module.tags.debian:
            return {"debian": tag.version}
    return {"debian": DEBIAN.keys()[0]}

def _source(module_ctx):
    """The attributes of the source: a path is one, so that another checkout is another repository.

    A repository that reads the variable itself would look at the folders of the old one first; where the checkout
    has moved, that is an error of Bazel's own which only a clean output folder ends.
    """
    path = module_ctx.getenv("PYTORCH_SOURCE")
    if path:
        return {"named": "PYTORCH_SOURCE", "path": path}
    return _chosen(module_ctx.modules)

def _pytorch_source_impl(module_ctx):
    source = _source(module_ctx)
    pytorch_source_repository(name = "pytorch_source", **source)
    pytorch_includes_repository(name = "pytorch_includes", path = source.get("path"))
    pytorch_tables_repository(name = "pytorch_tables")
    for name, library in LIBRARIES.items():
        system_library(name = "pytorch_" + name, **library)
    nvidia_repositories()
    packages = parse_lock(module_ctx.read(Label(":requirements_lock.txt")))
    for name, lines in packages.items():
        wheel_repository(
            name = "pypi_" + name,
            known = sorted(packages),
            lines = lines,
            package = name,
        )
    return module_ctx.extension_metadata(reproducible = True)

pytorch_source = module_extension(
    implementation = _pytorch_source_impl,
    doc = "Makes @pytorch_source.",
    tag_classes = {
        "archive": _archive_tag,
        "debian": _debian_tag,
        "path": _path_tag,
    },
)

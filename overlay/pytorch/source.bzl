"""The repository of PyTorch's own sources, with the BUILD files of this tree laid over them."""

load(":libraries.bzl", "OPTIONAL")
load(":targets.bzl", "OTHERS", "PUBLIC", "TESTS")
load(":versions.bzl", "DEBIAN", "DEBIAN_POOLS", "KNOWN", "LISTS", "facts_of", "known_version")

# What makes a folder a checkout of PyTorch.
_MARKS = ["version.txt", "build_variables.bzl", "aten/src/ATen/native/native_functions.yaml", "torchgen/gen.py"]

_ABSENT_BUILD = """load("@torch//overlay/pytorch:test_group.bzl", "test_group_test")

package(default_visibility = ["//visibility:public"])

# No source: {reason}
[filegroup(
    name = name,
    target_compatible_with = ["@platforms//:incompatible"],
) for name in {names}]

[test_group_test(
    name = name,
    target_compatible_with = ["@platforms//:incompatible"],
    tests = [],
) for name in {tests}]
"""

def checkout_problem(path, existing, named):
    """What is wrong with a folder that should be a checkout of PyTorch.

    Args:
      path: what the user wrote.
      existing: those of the files that mark a checkout which it has; None if it is no folder.
      named: where the user wrote it.

    Returns:
      The message, or None.
    """
    if not path.startswith("/"):
        return "{} is '{}': it must be an absolute path, as in\n\n    --repo_env=PYTORCH_SOURCE=$PWD/{}\n".format(named, path, path)
    if existing == None:
        return "{} is {}, and there is no such folder. Name a checkout of PyTorch, or leave it out for Debian's source package.".format(named, path)
    missing = [mark for mark in _MARKS if mark not in existing]
    if missing:
        return "{} is {}, which lacks {}: it is no checkout of PyTorch. Name the folder that holds version.txt, or leave it out for Debian's source package.".format(named, path, ", ".join(missing))
    return None

def missing_lists(build_variables):
    """The lists that the BUILD files use and a build_variables.bzl lacks.

    Args:
      build_variables: its text.

    Returns:
      Names.
    """
    lines = build_variables.split("\n")
    return [name for name in LISTS if not [line for line in lines if line.startswith(name + " = ")]]

def missing_templates(version, source, missing):
    """What is said of a checkout whose configuration headers are elsewhere.

    Args:
      version: what version.txt says.
      source: the checkout.
      missing: the files that it lacks.

    Returns:
      The message, or None.
    """
    if not missing:
        return None
    return "this checkout of PyTorch {} has no {}, which the BUILD files of overlay/pytorch fill in. They know PyTorch {}. This says what differs:\n\n    ./bazelw run //overlay/pytorch:report -- {}\n".format(version, ", ".join(missing), ", ".join(KNOWN), source)

def unknown_version(version, source):
    """What is said of a version that versions.bzl does not know.

    Args:
      version: what version.txt says.
      source: the checkout.

    Returns:
      The message.
    """
    return "PyTorch {} is none of those that overlay/pytorch/versions.bzl knows ({}). It is built as {} would be. This says what differs:\n\n    ./bazelw run //overlay/pytorch:report -- {}\n".format(version, ", ".join(KNOWN), known_version(version), source)

def absent_build(reason):
    """A BUILD file whose public targets are incompatible.

    Args:
      reason: why there are no sources, in any number of lines.

    Returns:
      Its text.
    """
    return _ABSENT_BUILD.format(
        names = PUBLIC + OTHERS,
        reason = reason.replace("\n", " "),
        tests = TESTS,
    )

def _absent(repository_ctx, reason):
    """A repository whose targets are incompatible."""

    # buildifier: disable=print
    print("no sources of PyTorch, so //pytorch is skipped: " + reason)
    repository_ctx.file("BUILD.bazel", absent_build(reason))
    repository_ctx.file("present.bzl", "PRESENT = False\n")

def _unpack_debian(repository_ctx):
    """Downloads Debian's source package; returns the reason if it cannot be had."""
    package = DEBIAN[repository_ctx.attr.debian]
    for name, sha256 in package.archives.items():
        downloaded = repository_ctx.download(
            [pool + name.replace("+", "%2B") for pool in DEBIAN_POOLS],
            output = "download/" + name,
            sha256 = sha256,
            allow_fail = True,
        )
        if not downloaded.success:
            return "Debian's source package pytorch {} could not be downloaded ({}). Name a checkout instead: --repo_env=PYTORCH_SOURCE=/path/to/pytorch".format(repository_ctx.attr.debian, name)

        # The archive with PyTorch has one folder at its top, Debian's own has debian/.
        repository_ctx.extract(
            "download/" + name,
            output = "source",
            stripPrefix = "" if ".debian." in name else package.strip_prefix,
        )
    repository_ctx.delete("download")
    return None

def _find_source(repository_ctx):
    """The folder with the sources, and None; or None and the reason why there is none."""
    path = repository_ctx.attr.path
    if path:
        folder = repository_ctx.path(path) if path.startswith("/") else None
        existing = None
        if folder and folder.exists:
            existing = [mark for mark in _MARKS if folder.get_child(*mark.split("/")).exists]
        problem = checkout_problem(path, existing, repository_ctx.attr.named)
        if problem:
            fail(problem)
        if path.startswith("/tmp/"):
            # buildifier: disable=print
            print("{} is below /tmp, which Bazel's sandbox hides from actions: move the checkout, or add --sandbox_add_mount_pair={}".format(path, path))
        return folder, None
    if repository_ctx.attr.urls:
        repository_ctx.download_and_extract(
            repository_ctx.attr.urls,
            integrity = repository_ctx.attr.integrity,
            output = "source",
            stripPrefix = repository_ctx.attr.strip_prefix,
        )
    else:
        reason = _unpack_debian(repository_ctx)
        if reason:
            return None, reason
    return repository_ctx.path("source"), None

def _check_version(repository_ctx, source):
    text = repository_ctx.read(source.get_child("build_variables.bzl"))
    missing = missing_lists(text)
    version = repository_ctx.read(source.get_child("version.txt")).strip()
    if missing:
        fail("this checkout of PyTorch {} has no {} in its build_variables.bzl, which the BUILD files of overlay/pytorch use. They know PyTorch {}; docs/pytorch.md tells what a new version needs.".format(
            version,
            ", ".join(missing),
            ", ".join(KNOWN),
        ))
    facts = facts_of(version)
    templates = [header + ".in" for header in facts.configured]
    problem = missing_templates(version, source, [name for name in templates if not source.get_child(*name.split("/")).exists])
    if problem:
        fail(problem)
    if ".".join(version.split(".")[:2]) not in KNOWN:
        # buildifier: disable=print
        print(unknown_version(version, source))
    return version

def _pytorch_source_impl(repository_ctx):
    source, reason = _find_source(repository_ctx)
    if not source:
        _absent(repository_ctx, reason)
        return
    version = _check_version(repository_ctx, source)
    overlay = repository_ctx.path(Label("//overlay/pytorch:BUILD.bazel")).dirname.get_child("files")
    lay_over = repository_ctx.path(repository_ctx.attr._lay_over)
    repository_ctx.watch(lay_over)
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        lay_over,
        source.realpath,
        overlay,
        repository_ctx.path("."),
    ])
    if result.return_code != 0:
        fail("overlay/pytorch could not be laid over {}: {}".format(source, result.stderr))
    for folder in result.stdout.strip().split("\n"):
        # A new file in one of these needs a link; elsewhere the folder itself is the link.
        if str(source) != str(repository_ctx.path("source")):
            source.get_child(folder).readdir(watch = "yes")
    repository_ctx.file("present.bzl", '"""Written by overlay/pytorch/source.bzl."""\n\nPRESENT = True\n\nVERSION = {}\n\nSOURCE = {}\n'.format(
        repr(version),
        repr(str(source.realpath)),
    ))

pytorch_source_repository = repository_rule(
    implementation = _pytorch_source_impl,
    doc = "PyTorch's sources with this tree's BUILD files.",
    attrs = {
        "debian": attr.string(doc = "Version of Debian's source package."),
        "integrity": attr.string(doc = "Checksum of the archive."),
        "named": attr.string(doc = "Where the user wrote the path."),
        "path": attr.string(doc = "A checkout."),
        "strip_prefix": attr.string(doc = "Folder of the archive that holds version.txt."),
        "urls": attr.string_list(doc = "Where the archive is."),
        "_lay_over": attr.label(default = "//overlay/pytorch:lay_over.py", allow_single_file = True),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

def _copies(source):
    """The folders of third_party whose files others include: of miniz, with the version in its name."""
    third_party = source.get_child("third_party")
    found = third_party.readdir() if third_party.exists else []
    return sorted(["third_party/" + entry.basename for entry in found if entry.basename.startswith("miniz-")])

def _watch_checkout(repository_ctx, source, facts):
    """Watches the files of a checkout whose includes the tables are made of."""
    for folder in _copies(source):
        # A tree that is watched must not go away, and this one goes with another version.
        for name in ["miniz.c", "miniz.h"]:
            repository_ctx.watch(source.get_child(*(folder.split("/") + [name])))
    for name in facts.read_folders + facts.template_folders:
        folder = source.get_child(*name.split("/"))
        if folder.exists:
            repository_ctx.watch_tree(folder)
        else:
            repository_ctx.watch(folder)

    # The public headers beside the Python package: of this folder the files alone.
    for entry in source.get_child("torch").readdir(watch = "yes"):
        if entry.basename.endswith(".h"):
            repository_ctx.watch(entry)

def _pytorch_includes_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel", 'exports_files(["tables.bzl"])\n')
    tree = repository_ctx.path(repository_ctx.attr._source).dirname
    if "PRESENT = True" not in repository_ctx.read(tree.get_child("present.bzl")):
        repository_ctx.file("tables.bzl", "OPERATOR_HEADERS = []\nINCLUDES = []\nREADERS = {}\nVIEWS = {}\n")
        return
    source = tree.get_child("c10", "CMakeLists.txt").realpath.dirname.dirname
    facts = facts_of(repository_ctx.read(source.get_child("version.txt")).strip())
    if not tree.get_child("source").exists:
        # A checkout, and not an archive that never changes.
        _watch_checkout(repository_ctx, source, facts)
    generator = repository_ctx.path(Label("//tools/codegen:cli.py")).dirname
    overlay = repository_ctx.path(Label("//overlay/pytorch:write_tables.py")).dirname
    for folder in [generator, generator.get_child("api"), overlay]:
        for entry in folder.readdir():
            if entry.basename.endswith(".py"):
                repository_ctx.watch(entry)
    repository_ctx.file("arguments.txt", "\n".join(["--folders"] + facts.read_folders + _copies(source) + ["--generated"] + facts.generated + ["--words"] + [library.variable for library in OPTIONAL.values()] + ["--reviewed"] + facts.pasting_macros) + "\n")
    root = generator.dirname.dirname
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        "-m",
        "overlay.pytorch.write_tables",
        "--source",
        source,
        "--output",
        repository_ctx.path("tables.bzl"),
        "--index",
        # Beside the repository, which is emptied before it is made again.
        "{}.index".format(repository_ctx.path(".")),
        "@{}".format(repository_ctx.path("arguments.txt")),
    ], environment = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": "{}:{}".format(root, repository_ctx.path(repository_ctx.attr._pyyaml).dirname.get_child("site-packages")),
    }, timeout = 3600, working_directory = str(root))
    if result.return_code != 0:
        fail(result.stderr)

pytorch_includes_repository = repository_rule(
    implementation = _pytorch_includes_impl,
    doc = "Which headers each source can read, and which the operators have: looked at after every edit, of the files that changed.",
    attrs = {
        "path": attr.string(doc = "The checkout, if it is one: what was seen of another one does not matter."),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
        "_pyyaml": attr.label(default = "@pypi_pyyaml//:BUILD.bazel", allow_single_file = True),
        "_source": attr.label(default = "@pytorch_source//:present.bzl", allow_single_file = True),
    },
)

def _pytorch_tables_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel")
    repository_ctx.file("tables.bzl", repository_ctx.read(repository_ctx.attr._tables, watch = "yes"))

pytorch_tables_repository = repository_rule(
    implementation = _pytorch_tables_impl,
    # Bazel compares what was read: an edit that changes no include analyses nothing again.
    doc = "The same tables, made again when they differ.",
    attrs = {
        "_tables": attr.label(default = "@pytorch_includes//:tables.bzl", allow_single_file = True),
    },
)

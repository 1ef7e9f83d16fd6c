"""Licences: of each library of others, and an aspect that finds which ones a target links."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

LicenseInfo = provider(
    doc = "The licence of one library of others.",
    fields = {
        "homepage": "where the library comes from",
        "library": "name of the library: of its module, or of its repository in this module",
        "note": "what packages change of it, a sentence; empty: nothing",
        "owner": "who holds the rights, one line",
        "spdx": "SPDX expression; empty for what is used and never distributed",
        "text": "File with the licence's words, or None",
    },
)

LinkedLibrariesInfo = provider(
    doc = "Libraries of others that a target compiles in or links.",
    fields = {"libraries": "depset of structs with `library` and `by`, the label that needs it"},
)

def _license_impl(ctx):
    return [LicenseInfo(
        homepage = ctx.attr.homepage,
        library = ctx.label.name,
        note = ctx.attr.note,
        owner = ctx.attr.owner,
        spdx = ctx.attr.spdx,
        text = ctx.file.text,
    )]

library_license = rule(
    implementation = _license_impl,
    attrs = {
        "homepage": attr.string(doc = "Where the library comes from."),
        "note": attr.string(doc = "What packages change of it, a sentence."),
        "owner": attr.string(doc = "Who holds the rights, one line."),
        "spdx": attr.string(doc = "SPDX expression. Empty: used, and nothing of it is distributed."),
        "text": attr.label(doc = "The licence's words.", allow_single_file = True),
    },
    doc = "The licence of the library of others that the target is named after.",
    provides = [LicenseInfo],
)

def library_of(label):
    """The name under which //third_party/licenses knows a target's repository.

    Args:
      label: label of any target.

    Returns:
      The module's name; for a repository that this module's extensions made, the repository's;
      empty for this module's own targets.
    """
    own = Label("//:all").repo_name
    repository = label.repo_name
    if repository == own:
        return ""

    # Canonical names are `module+version` or `module++extension+repository`, with ~ until Bazel 7.
    # The root module has no name there, or `_main`.
    parts = repository.replace("~", "+").split("+")
    first = own.replace("~", "+").split("+")[0] or "_main"
    if parts[0] in ("", "_main", first):
        return parts[-1]
    return parts[0]

def _linked_libraries_impl(target, ctx):
    found = []
    name = library_of(target.label)
    if name and CcInfo in target:
        found = [struct(by = str(target.label), library = name)]
    transitive = []
    for attribute in ["actual", "deps", "dynamic_deps", "implementation_deps"]:
        deps = getattr(ctx.rule.attr, attribute, None)
        for dep in deps if type(deps) == "list" else [deps]:
            if type(dep) == "Target" and LinkedLibrariesInfo in dep:
                transitive.append(dep[LinkedLibrariesInfo].libraries)
    return [LinkedLibrariesInfo(libraries = depset(found, transitive = transitive))]

linked_libraries = aspect(
    implementation = _linked_libraries_impl,
    attr_aspects = ["actual", "deps", "dynamic_deps", "implementation_deps"],
    doc = "Collects the libraries of others below a target.",
)

def licenses_of(targets, files, licenses):
    """The licences of what targets link, and of files of others.

    Args:
      targets: targets that the aspect `linked_libraries` visited.
      files: files of other repositories.
      licenses: targets with LicenseInfo.

    Returns:
      A list of LicenseInfo, by name; without those that are never distributed.
    """
    known = {license[LicenseInfo].library: license[LicenseInfo] for license in licenses}
    used = {}
    for target in targets:
        if LinkedLibrariesInfo not in target:
            continue
        for linked in target[LinkedLibrariesInfo].libraries.to_list():
            used[linked.library] = linked.by
    for file in files:
        used[library_of(file.owner)] = str(file.owner)
    for library, by in used.items():
        if library not in known:
            fail("{by} is linked, and the licence of '{library}' is not known. Add it to third_party/licenses/licenses.bzl".format(
                by = by,
                library = library,
            ))
    return [known[library] for library in sorted(used) if known[library].spdx]

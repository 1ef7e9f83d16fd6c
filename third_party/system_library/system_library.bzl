"""A repository that holds one library of the distribution.

pkg-config says where it is, a probe program proves that it compiles and links, and the headers and
static archives appear in the repository through links, so that actions declare what they read.

What was found is watched: the repository is made again when its package changes, and not whenever
Bazel starts or cleans, for the probe takes longer than the rest of an analysis.
"""

load(":packages.bzl", "OPTIONAL", "REQUIRED")

def _pkg_config(repository_ctx, *arguments):
    pkg_config = repository_ctx.which("pkg-config")
    if not pkg_config:
        return None
    result = repository_ctx.execute([pkg_config] + list(arguments))
    return result.stdout.strip() if result.return_code == 0 else None

def _missing_packages(repository_ctx, needed):
    missing = [] if repository_ctx.which("pkg-config") else ["pkg-config"]
    for entry in [needed] + [other for other in REQUIRED.values() if other != needed]:
        for i, module in enumerate(entry.pkg_config):
            if _pkg_config(repository_ctx, "--modversion", module) == None:
                missing.append(entry.packages[min(i, len(entry.packages) - 1)])
    return missing

def _fail_missing(library, missing):
    fail("{} was not found by pkg-config. To install everything that is missing:\n\n    apt-get install --no-install-recommends {}\n".format(
        library,
        " ".join(missing),
    ))

def _header_roots(repository_ctx, compiler, entry):
    roots = []
    for module in entry.pkg_config:
        for variable in ("includedir", "prefix"):
            value = _pkg_config(repository_ctx, "--variable=" + variable, module)
            if value:
                roots.append(value + ("/include" if variable == "prefix" else ""))
        for flag in (_pkg_config(repository_ctx, "--cflags-only-I", module) or "").split(" "):
            if flag.startswith("-I"):
                roots.insert(0, flag[2:])
    roots.append("/usr/include")

    # Debian has headers that differ between processors in a folder of theirs.
    multiarch = repository_ctx.execute([compiler, "-print-multiarch"])
    if multiarch.return_code == 0 and multiarch.stdout.strip():
        roots.append("/usr/include/" + multiarch.stdout.strip())
    return roots

def _link_headers(repository_ctx, library, entry, roots):
    for header in repository_ctx.attr.headers:
        found = [root for root in roots if repository_ctx.path(root + "/" + header).exists]
        if not found and not entry.pkg_config:
            fail("{}: {} is in none of {}. To install it:\n\n    apt-get install --no-install-recommends {}\n".format(
                library,
                header,
                ", ".join(roots),
                " ".join(entry.packages),
            ))
        if not found:
            fail("{}: pkg-config knows it, but {} is in none of {}. Reinstall its package.".format(
                library,
                header,
                ", ".join(roots),
            ))
        repository_ctx.symlink(found[0] + "/" + header, "include/" + header)
        repository_ctx.watch(found[0] + "/" + header)

def _compiler(repository_ctx):
    compiler = repository_ctx.getenv("CXX") or "c++"
    if "/" in compiler:
        return compiler
    path = repository_ctx.which(compiler) or repository_ctx.which("g++")
    if not path:
        fail("No C++ compiler. To install one:\n\n    apt-get install --no-install-recommends g++\n")
    return path

def _link_archives(repository_ctx, compiler):
    """Links each library's archive into the repository; returns those that have no archive."""
    shared = []
    for lib in repository_ctx.attr.libs:
        archive = "lib{}.a".format(lib)
        found = repository_ctx.execute([compiler, "-print-file-name=" + archive]).stdout.strip()
        if found.startswith("/") and not repository_ctx.attr.prefer_shared:
            repository_ctx.symlink(found, "lib/" + archive)
            repository_ctx.watch(found)
        else:
            shared.append(lib)
    return shared

def _probe(repository_ctx, library, compiler, entry):
    if not repository_ctx.attr.probe:
        return
    repository_ctx.file("probe/probe.cpp", repository_ctx.attr.probe)
    command = [compiler, "-std=c++20", "-Iinclude", "probe/probe.cpp", "-o", "probe/probe"]
    command += ["-l" + lib for lib in repository_ctx.attr.libs if not lib.endswith("_main")]
    result = repository_ctx.execute(command + ["-lpthread"])
    if result.return_code != 0:
        fail("{}: this does not compile and link:\n\n{}\n\n{}\nInstall it, or install it again:\n\n    apt-get install --reinstall {}\n".format(
            library,
            " ".join([str(word) for word in command]),
            result.stderr,
            " ".join(entry.packages),
        ))

def _system_library_impl(repository_ctx):
    library = repository_ctx.attr.library
    entry = REQUIRED.get(library) or OPTIONAL[library]
    for module in entry.pkg_config:
        if _pkg_config(repository_ctx, "--modversion", module) == None:
            _fail_missing(library, _missing_packages(repository_ctx, entry))
        folder = _pkg_config(repository_ctx, "--variable=pcfiledir", module)
        if folder:
            repository_ctx.watch("{}/{}.pc".format(folder, module))
    compiler = _compiler(repository_ctx)
    _link_headers(repository_ctx, library, entry, _header_roots(repository_ctx, compiler, entry))
    shared = _link_archives(repository_ctx, compiler)
    _probe(repository_ctx, library, compiler, entry)

    lines = [
        'load("@rules_cc//cc:cc_import.bzl", "cc_import")',
        'load("@rules_cc//cc:cc_library.bzl", "cc_library")',
        "",
        'package(default_visibility = ["//visibility:public"])',
        "",
        'cc_library(name = "headers", hdrs = glob(["include/**"], allow_empty = True), includes = ["include"])',
        "",
    ]
    for lib in repository_ctx.attr.libs:
        deps = [":" + dep for dep in ["headers"] + repository_ctx.attr.lib_deps.get(lib, [])]
        if lib in shared:
            # Only programs that need the library name it.
            flags = ["-Wl,--push-state,--as-needed", "-l" + lib, "-Wl,--pop-state"]
            lines.append("cc_library(name = {}, linkopts = {}, deps = {})".format(repr(lib), flags, deps))
        else:
            archive = "lib/lib{}.a".format(lib)
            lines.append("cc_import(name = {}, static_library = {}, deps = {})".format(
                repr(lib),
                repr(archive),
                deps,
            ))
    repository_ctx.file("BUILD.bazel", "\n".join(lines) + "\n")

system_library = repository_rule(
    implementation = _system_library_impl,
    doc = "One library of the distribution: target `headers`, and one target for each entry of `libs`.",
    attrs = {
        "headers": attr.string_list(
            doc = "Header files and directories, relative to an include directory.",
        ),
        "lib_deps": attr.string_list_dict(
            doc = "For an entry of `libs`, those that it uses: they follow it on the link line.",
        ),
        "library": attr.string(
            doc = "Key of packages.bzl.",
            mandatory = True,
        ),
        "libs": attr.string_list(doc = "Library names, as after -l."),
        "prefer_shared": attr.bool(doc = "Link the shared libraries even where there are archives."),
        "probe": attr.string(doc = "A C++ program that uses the library."),
    },
    environ = ["CXX", "PATH", "PKG_CONFIG_PATH"],
    configure = True,
)

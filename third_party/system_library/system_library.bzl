"""A repository that holds one library of the distribution.

pkg-config says where it is, a probe program proves that it compiles and links, and the headers and
static archives appear in the repository through links, so that actions declare what they read.

What was found is watched: the repository is made again when its package changes, and not whenever
Bazel starts or cleans, for the probe takes longer than the rest of an analysis.

A library that only an option needs may be absent: its targets then fail the analysis of whoever needs them
and say what to install, so that a query over every branch of the build works without it. The places where
it would be are watched too.

`--repo_env=DNNL_ROOT=/path` names the folder that holds `include` and `lib` of the library `dnnl`, and so on. Programs
look for its shared libraries there when they run.
"""

load(":packages.bzl", "OPTIONAL", "REQUIRED")

# A cc_shared_library links no options of the libraries below it: it names these itself.
_FOUND_BZL = """\"\"\"Whether the library is there, and how the linker finds its shared libraries.\"\"\"

FOUND = {}

LINK_FLAGS = {}
"""

_UNAVAILABLE_BZL = str(Label(":unavailable.bzl"))

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

def _missing_message(library, missing):
    return "{} was not found by pkg-config. To install everything that is missing:\n\n    apt-get install --no-install-recommends {}\n".format(
        library,
        " ".join(missing),
    )

def package_of(repository_ctx, file):
    """The distribution's package that a file is from.

    Args:
      repository_ctx: of the repository.
      file: an absolute path, links resolved.

    Returns:
      Its name and version, such as `libgomp1 12.2.0-14`; empty where nobody knows.
    """
    dpkg_query = repository_ctx.which("dpkg-query")
    if not dpkg_query or not file:
        return ""

    # A file may be known by its path from before /lib was merged into /usr/lib.
    for path in [file, file.removeprefix("/usr")]:
        found = repository_ctx.execute([dpkg_query, "--search", path])
        if found.return_code == 0:
            package = found.stdout.split(": ")[0].split(",")[0].strip()
            version = repository_ctx.execute([dpkg_query, "--show", "--showformat=${Package} ${Version}", package])
            return version.stdout if version.return_code == 0 else package
    return ""

def _root(repository_ctx):
    """The variable that names a folder for the library, and the folder; empty if nobody named one."""
    name = repository_ctx.attr.library.upper().replace("-", "_") + "_ROOT"
    folder = repository_ctx.getenv(name) or ""
    if folder and not (folder.startswith("/") and repository_ctx.path(folder).exists):
        fail("{} is {}: it must be the absolute path of a folder with include and lib.".format(name, repr(folder)))
    return name, folder

def _root_lacks(repository_ctx, what):
    """Fails because the folder that the user named is not that of the library."""
    name, folder = _root(repository_ctx)
    fail("{} is {}, which has no {}. Name the folder that holds include and lib, or leave it out for the distribution's package.".format(
        name,
        folder,
        what,
    ))

def _library_file(repository_ctx, compiler, file):
    """The path of a library's file; empty if there is none."""
    _, folder = _root(repository_ctx)
    if not folder:
        path = repository_ctx.execute([compiler, "-print-file-name=" + file]).stdout.strip()
        return path if path.startswith("/") else ""
    multiarch = repository_ctx.execute([compiler, "-print-multiarch"]).stdout.strip()
    for below in ["lib/" + multiarch, "lib", "lib64"]:
        path = repository_ctx.path("{}/{}/{}".format(folder, below, file))
        if path.exists:
            return str(path)
    return ""

def _link_flags(repository_ctx, compiler, lib):
    """Options with which the linker finds a shared library."""
    if not _root(repository_ctx)[1]:
        return ["-l" + lib]
    folder = _library_file(repository_ctx, compiler, "lib{}.so".format(lib)).rpartition("/")[0]
    if not folder:
        _root_lacks(repository_ctx, "lib{}.so in lib".format(lib))
    return ["-L" + folder, "-Wl,-rpath," + folder, "-l" + lib]

def _header_roots(repository_ctx, compiler, entry):
    _, folder = _root(repository_ctx)
    if folder:
        return [folder + "/include"]
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
    """Links the headers into the repository; returns what is wrong, or None."""
    for header in repository_ctx.attr.headers:
        found = [root for root in roots if repository_ctx.path(root + "/" + header).exists]
        if not found and _root(repository_ctx)[1]:
            _root_lacks(repository_ctx, "include/" + header)
        if not found and not entry.pkg_config:
            return "{}: {} is in none of {}. To install it:\n\n    apt-get install --no-install-recommends {}\n".format(
                library,
                header,
                ", ".join(roots),
                " ".join(entry.packages),
            )
        if not found:
            return "{}: pkg-config knows it, but {} is in none of {}. Reinstall its package.".format(
                library,
                header,
                ", ".join(roots),
            )
        repository_ctx.symlink(found[0] + "/" + header, "include/" + header)
        repository_ctx.watch(found[0] + "/" + header)
    return None

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
        found = _library_file(repository_ctx, compiler, archive)
        if found and not repository_ctx.attr.prefer_shared:
            repository_ctx.symlink(found, "lib/" + archive)
            repository_ctx.watch(found)
        else:
            shared.append(lib)
    return shared

def _probe(repository_ctx, library, compiler, entry, shared):
    """Compiles and links the probe; returns what is wrong, or None."""
    if not repository_ctx.attr.probe:
        return None
    repository_ctx.file("probe/probe.cpp", repository_ctx.attr.probe)
    command = [compiler, "-std=c++20", "-Iinclude", "probe/probe.cpp", "-o", "probe/probe"]
    for lib in [lib for lib in repository_ctx.attr.libs if not lib.endswith("_main")]:
        if lib in shared:
            command += _link_flags(repository_ctx, compiler, lib)
        else:
            command.append("lib/lib{}.a".format(lib) if _root(repository_ctx)[1] else "-l" + lib)
    result = repository_ctx.execute(command + ["-lpthread"])
    if result.return_code == 0:
        return None
    what = "this does not compile and link:\n\n{}\n\n{}\n".format(" ".join([str(word) for word in command]), result.stderr)
    name, folder = _root(repository_ctx)
    if folder:
        fail("{} is {}: {}".format(name, folder, what))
    return "{}: {}Install it, or install it again:\n\n    apt-get install --reinstall {}\n".format(
        library,
        what,
        " ".join(entry.packages),
    )

def _watch_places(repository_ctx, compiler, entry):
    """Watches where the distribution would put what is missing."""
    directories = _pkg_config(repository_ctx, "--variable=pc_path", "pkg-config") or ""
    for directory in directories.split(":"):
        for module in entry.pkg_config if directory.startswith("/") else []:
            repository_ctx.watch("{}/{}.pc".format(directory, module))
    folders = ["/usr/lib"]
    multiarch = repository_ctx.execute([compiler, "-print-multiarch"])
    if multiarch.return_code == 0 and multiarch.stdout.strip():
        folders.append("/usr/lib/" + multiarch.stdout.strip())
    for folder in folders:
        for lib in repository_ctx.attr.libs:
            repository_ctx.watch("{}/lib{}.so".format(folder, lib))
            repository_ctx.watch("{}/lib{}.a".format(folder, lib))
    for root in _header_roots(repository_ctx, compiler, entry):
        for header in repository_ctx.attr.headers:
            repository_ctx.watch("{}/{}".format(root, header))

def _facts(repository_ctx, compiler, entry, missing):
    """Writes what was found, for the summary."""
    files = []
    for lib in repository_ctx.attr.libs:
        endings = ["so", "a"] if repository_ctx.attr.prefer_shared else ["a", "so"]
        found = [
            path
            for path in [
                _library_file(repository_ctx, compiler, "lib{}.{}".format(lib, ending))
                for ending in endings
            ]
            if path
        ]
        if found:
            files.append(str(repository_ctx.path(found[0]).realpath))
    asked = entry.pkg_config and not _root(repository_ctx)[1]
    version = _pkg_config(repository_ctx, "--modversion", entry.pkg_config[0]) if asked else None
    repository_ctx.file("facts.json", json.encode({
        "files": files,
        "library": repository_ctx.attr.library,
        "missing": missing or "",
        "option": repository_ctx.attr.option,
        "package": package_of(repository_ctx, files[0]) if files else "",
        "version": version or "",
        "why": _root(repository_ctx)[0] if _root(repository_ctx)[1] else "{} -print-file-name".format(compiler),
    }))

def _find(repository_ctx, compiler, library, entry):
    """Finds the library and proves it; returns the entries of `libs` without an archive, and what is wrong."""
    for module in [] if _root(repository_ctx)[1] else entry.pkg_config:
        if _pkg_config(repository_ctx, "--modversion", module) == None:
            return [], _missing_message(library, _missing_packages(repository_ctx, entry))
        folder = _pkg_config(repository_ctx, "--variable=pcfiledir", module)
        if folder:
            repository_ctx.watch("{}/{}.pc".format(folder, module))
    missing = _link_headers(repository_ctx, library, entry, _header_roots(repository_ctx, compiler, entry))
    if missing:
        return [], missing
    shared = _link_archives(repository_ctx, compiler)
    return shared, _probe(repository_ctx, library, compiler, entry, shared)

def _system_library_impl(repository_ctx):
    library = repository_ctx.attr.library
    entry = REQUIRED.get(library) or OPTIONAL[library]
    compiler = _compiler(repository_ctx)
    shared, missing = _find(repository_ctx, compiler, library, entry)
    if missing and library in REQUIRED:
        fail(missing)
    link_flags = [] if missing else [flag for lib in shared for flag in _link_flags(repository_ctx, compiler, lib)]
    repository_ctx.file("found.bzl", _FOUND_BZL.format(repr(not missing), repr(link_flags)))
    if repository_ctx.attr.option:
        _facts(repository_ctx, compiler, entry, missing)
    if missing:
        _watch_places(repository_ctx, compiler, entry)
        repository_ctx.file("BUILD.bazel", "\n".join([
            "load({}, \"unavailable\")".format(repr(_UNAVAILABLE_BZL)),
            "",
            'package(default_visibility = ["//visibility:public"])',
            "",
            'exports_files(["facts.json"])',
            "",
        ] + [
            "unavailable(name = {}, message = {})".format(repr(name), repr(missing))
            for name in ["headers"] + repository_ctx.attr.libs
        ]) + "\n")
        return

    lines = [
        'load("@rules_cc//cc:cc_import.bzl", "cc_import")',
        'load("@rules_cc//cc:cc_library.bzl", "cc_library")',
        "",
        'package(default_visibility = ["//visibility:public"])',
        "",
    ] + (['exports_files(["facts.json"])', ""] if repository_ctx.attr.option else []) + [
        'cc_library(name = "headers", hdrs = glob(["include/**"], allow_empty = True), includes = ["include"])',
        "",
    ]
    for lib in repository_ctx.attr.libs:
        deps = [":" + dep for dep in ["headers"] + repository_ctx.attr.lib_deps.get(lib, [])]
        if lib in shared:
            # Only programs that need the library name it.
            flags = ["-Wl,--push-state,--as-needed"] + _link_flags(repository_ctx, compiler, lib) + ["-Wl,--pop-state"]
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
    doc = "One library of the distribution: target `headers`, one target for each entry of `libs`, and FOUND and LINK_FLAGS of found.bzl.",
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
        "option": attr.string(doc = "The option that asks for the library: `facts.json` says what was found for it."),
        "prefer_shared": attr.bool(doc = "Link the shared libraries even where there are archives."),
        "probe": attr.string(doc = "A C++ program that uses the library."),
    },
    environ = ["CXX", "PATH", "PKG_CONFIG_PATH"],
    configure = True,
)

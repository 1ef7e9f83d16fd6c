"""Files of one wheel that is no Python package; `pip install --target` would drop some of them."""

def missing_files(wheel, directory, missing, otherwise):
    """The message for a wheel that lacks files.

    Args:
      wheel: its name and version.
      directory: where it was unpacked.
      missing: the files.
      otherwise: the option that does without it.

    Returns:
      The message, or None if nothing is missing.
    """
    if not missing:
        return None
    return "{} was unpacked into {}, where {} {} missing. Do without it:\n\n    ./bazelw build //torch:_C {}".format(
        wheel,
        directory,
        ", ".join(missing),
        "is" if len(missing) == 1 else "are",
        otherwise,
    )

def _wheel_files_impl(repository_ctx):
    package, version = repository_ctx.attr.package, repository_ctx.attr.version
    repository_ctx.file("requirements.txt", "{}=={} {}\n".format(
        package.replace("_", "-"),
        version,
        " ".join(["--hash=sha256:" + sha256 for sha256 in repository_ctx.attr.sha256]),
    ))
    cpu = {"amd64": "x86_64", "arm64": "aarch64"}.get(repository_ctx.os.arch, repository_ctx.os.arch)
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "--platform=manylinux_2_28_" + cpu,
        "--platform=manylinux_2_27_" + cpu,
        "--platform=manylinux_2_25_" + cpu,
        "--platform=manylinux_2_18_" + cpu,
        "--platform=manylinux1_" + cpu,
        "--platform=manylinux2014_" + cpu,
        "--dest=wheel",
        "--requirement",
        "requirements.txt",
    ], timeout = 1800)
    if result.return_code != 0:
        fail("""pip could not download {} {}:
{}
Check that pip reaches an index, or do without it:

    python3 -m pip download --no-deps pyyaml
    ./bazelw build //torch:_C {}
""".format(package, version, result.stderr, repository_ctx.attr.otherwise))
    repository_ctx.symlink(repository_ctx.path("wheel").readdir()[0], "wheel.zip")
    repository_ctx.extract("wheel.zip", stripPrefix = repository_ctx.attr.root)
    message = missing_files(
        package + " " + version,
        repository_ctx.path(""),
        [file for file in repository_ctx.attr.needs if not repository_ctx.path(file).exists],
        repository_ctx.attr.otherwise,
    )
    if message:
        fail(message)
    repository_ctx.delete("wheel.zip")
    repository_ctx.delete("wheel")
    repository_ctx.file("facts.json", json.encode({
        "files": [str(repository_ctx.path(file)) for file in repository_ctx.attr.needs],
        "library": package,
        "option": repository_ctx.attr.option,
        "package": "wheel {} {}".format(package.replace("_", "-"), version),
        "version": version,
        "why": "pinned by hash",
    }))
    repository_ctx.file("BUILD.bazel", repository_ctx.attr.build_file)

wheel_files = repository_rule(
    implementation = _wheel_files_impl,
    doc = "The files below one directory of a wheel.",
    attrs = {
        "build_file": attr.string(doc = "Text of the repository's BUILD file.", mandatory = True),
        "needs": attr.string_list(doc = "Files that it must have: a header without its library is no package."),
        "option": attr.string(doc = "The option that asks for it, as the summary names it.", mandatory = True),
        "otherwise": attr.string(doc = "The option that does without it.", mandatory = True),
        "package": attr.string(doc = "Name of the package, as in the wheel's name.", mandatory = True),
        "root": attr.string(doc = "The directory inside the wheel.", mandatory = True),
        "sha256": attr.string_list(doc = "Hashes of the wheels, one for each platform.", mandatory = True),
        "version": attr.string(doc = "Version of the package.", mandatory = True),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

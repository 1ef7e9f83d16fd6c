"""Python packages, pinned by hash, installed by pip when a target first needs them.

The labels are those of rules_python's pip.parse: `@pypi//pyyaml`. pip does the download, so that
its configuration (proxies, mirrors, local wheels) is honoured, with the interpreter that will run
the package, so that no interpreter version is fixed here.
"""

_lock_tag = tag_class(attrs = {
    "requirements": attr.label(
        doc = "A pip requirements file with every package's version and hashes.",
        mandatory = True,
    ),
})

def normalize(name):
    """The name of a package as labels write it: lower case, one underscore for each separator."""
    return name.lower().replace("-", "_").replace(".", "_")

def parse_lock(text):
    """Splits a requirements file by package.

    Args:
      text: contents of the lock file.

    Returns:
      A dict from normalized name to the lines of the file that pin the package.
    """
    packages = {}
    for line in text.replace("\\\n", " ").split("\n"):
        line = line.split(" #")[0].strip()
        if not line or line.startswith("#"):
            continue
        if "==" not in line or "--hash=" not in line:
            fail("not pinned by version and hash: " + line)
        name = normalize(line.split("==")[0].split("[")[0].strip())
        packages.setdefault(name, []).append(" ".join([word for word in line.split(" ") if word]))
    return packages

def _wheel_repository_impl(repository_ctx):
    installer = repository_ctx.path(repository_ctx.attr._installer)
    repository_ctx.watch(installer)
    repository_ctx.file("requirements.txt", "\n".join(repository_ctx.attr.lines) + "\n")
    result = repository_ctx.execute([
        repository_ctx.read(repository_ctx.attr._python),
        installer,
        "requirements.txt",
        "site-packages",
    ] + repository_ctx.attr.known, timeout = 900)
    if result.return_code != 0:
        fail("{}: {}".format(repository_ctx.attr.package, result.stderr))

wheel_repository = repository_rule(
    implementation = _wheel_repository_impl,
    doc = "One installed package: target `pkg`.",
    attrs = {
        "known": attr.string_list(doc = "Normalized names of all packages in the lock file."),
        "lines": attr.string_list(doc = "Lines of the lock file.", mandatory = True),
        "package": attr.string(doc = "Normalized name of the package.", mandatory = True),
        "_installer": attr.label(default = "//third_party/python:install_wheel.py", allow_single_file = True),
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

def _hub_repository_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel")
    for name in repository_ctx.attr.packages:
        repository_ctx.file(name + "/BUILD.bazel", """package(default_visibility = ["//visibility:public"])

alias(name = "{name}", actual = "@pypi_{name}//:pkg")

alias(name = "pkg", actual = "@pypi_{name}//:pkg")

alias(name = "files", actual = "@pypi_{name}//:files")

alias(name = "bin", actual = "@pypi_{name}//:bin")
""".format(name = name))

_hub_repository = repository_rule(
    implementation = _hub_repository_impl,
    doc = "Short labels for the packages of one lock file.",
    attrs = {"packages": attr.string_list(doc = "Normalized names.")},
)

def _pypi_impl(module_ctx):
    packages = {}
    for module in module_ctx.modules:
        for tag in module.tags.lock:
            packages.update(parse_lock(module_ctx.read(tag.requirements)))
    for name, lines in packages.items():
        wheel_repository(
            name = "pypi_" + name,
            known = sorted(packages),
            lines = lines,
            package = name,
        )
    _hub_repository(name = "pypi", packages = sorted(packages))
    return module_ctx.extension_metadata(reproducible = True)

pypi = module_extension(
    implementation = _pypi_impl,
    doc = "Makes @pypi from lock files.",
    tag_classes = {"lock": _lock_tag},
)

"""The UCI handwritten digits, as scikit-learn distributes them: @digits_data//:digits.csv.gz."""

def _digits_repository_impl(repository_ctx):
    python = repository_ctx.read(repository_ctx.attr._python)
    lock = repository_ctx.path(Label("//third_party/digits:requirements_lock.txt"))
    repository_ctx.watch(lock)
    result = repository_ctx.execute([
        python,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "--python-version=3.11",
        "--platform=manylinux_2_27_x86_64",
        "--platform=manylinux_2_28_x86_64",
        "--dest=wheel",
        "--requirement",
        lock,
    ], timeout = 900)
    if result.return_code != 0:
        fail("""pip could not download scikit-learn's wheel, which holds the digits:
{}
Check that pip reaches an index:

    python3 -m pip download --no-deps pyyaml
""".format(result.stderr))
    wheel = repository_ctx.path("wheel").readdir()[0]
    repository_ctx.symlink(wheel, "wheel.zip")
    repository_ctx.extract("wheel.zip", stripPrefix = "sklearn/datasets/data")
    repository_ctx.delete("wheel.zip")
    repository_ctx.delete("wheel")
    repository_ctx.file("BUILD.bazel", 'exports_files(["digits.csv.gz"])\n')

digits_repository = repository_rule(
    implementation = _digits_repository_impl,
    doc = "The digits: 1797 lines of 64 pixels and a label.",
    attrs = {
        "_python": attr.label(default = "@host_python//:interpreter.txt", allow_single_file = True),
    },
)

def _digits_data_impl(module_ctx):
    digits_repository(name = "digits_data")
    return module_ctx.extension_metadata(reproducible = True)

digits_data = module_extension(
    implementation = _digits_data_impl,
    doc = "Makes @digits_data.",
)

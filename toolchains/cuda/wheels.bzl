"""A CUDA toolkit of NVIDIA's PyPI packages, pinned by hash: the same files on every machine."""

LOCK = Label("//toolchains/cuda:toolkit_lock.txt")

_DIRECTORY = "wheels"

def install_wheels(repository_ctx):
    """Installs the packages of toolkit_lock.txt into this repository.

    Args:
      repository_ctx: of the repository.

    Returns:
      The toolkit's directory, relative to the repository, and None; or None and why not.
    """
    python = repository_ctx.which("python3")
    if not python:
        return None, "There is no python3 in PATH to install NVIDIA's packages with."
    lock = repository_ctx.path(LOCK)
    repository_ctx.watch(lock)
    result = repository_ctx.execute([
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--disable-pip-version-check",
        "--root-user-action=ignore",
        "--only-binary=:all:",
        "--require-hashes",
        "--target",
        _DIRECTORY,
        "-r",
        lock,
    ], timeout = 1800)
    if result.return_code != 0:
        return None, "pip could not install the packages of {}: {}".format(LOCK, result.stderr)
    roots = [
        child
        for child in repository_ctx.path(_DIRECTORY + "/nvidia").readdir()
        if child.get_child("bin", "nvcc").exists
    ]
    if len(roots) != 1:
        return None, "The packages of {} have {} directories with bin/nvcc, wanted one.".format(LOCK, len(roots))
    return "{}/nvidia/{}".format(_DIRECTORY, roots[0].basename), None

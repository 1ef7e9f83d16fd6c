__version__: str
bazel: str
debug: bool
cuda: str | None
git_version: str | None
hip: str | None
rocm: str | None
xpu: str | None

"""Tests about the form of the whole tree."""

load("@rules_python//python:py_test.bzl", "py_test")

# Tags of a test that reads the source tree itself: no package can forget to list its files.
WHOLE_TREE = [
    "external",
    "local",
    "no-sandbox",
]

def lint_test(name, size = "small", deps = [], **kwargs):
    """Checks the tree with the linter of `lint.py` that the test is named after.

    Args:
      name: `<linter>_test`.
      size: Bazel's test size.
      deps: the linter's Python package.
      **kwargs: further attributes of py_test.
    """
    py_test(
        name = name,
        size = size,
        srcs = ["lint.py"],
        args = [
            "check",
            name.removesuffix("_test"),
        ],
        main = "lint.py",
        tags = WHOLE_TREE,
        deps = deps + [":tree"],
        **kwargs
    )

"""Python rules of this tree: pytest tests."""

load("@rules_python//python:py_test.bzl", "py_test")

def torch_py_test(name, srcs, size = "small", deps = [], data = [], args = [], hypothesis = False, **kwargs):
    """Runs test files with pytest.

    Args:
      name: name of the test.
      srcs: test files.
      size: Bazel's test size.
      deps: Python libraries; pytest is added.
      data: files that the tests read.
      args: further arguments for pytest.
      hypothesis: whether the tests use hypothesis.
      **kwargs: further attributes of py_test.
    """
    py_test(
        name = name,
        size = size,
        srcs = srcs + [Label("//tools/rules:pytest_main.py")],
        main = Label("//tools/rules:pytest_main.py"),
        args = ["$(rootpath {})".format(src) for src in srcs] + args,
        data = data + srcs,
        deps = deps + ["@pypi//pytest"] + (["@pypi//hypothesis"] if hypothesis else []),
        **kwargs
    )

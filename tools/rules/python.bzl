"""Python rules of this tree: pytest tests."""

load("@rules_python//python:py_test.bzl", "py_test")

# Python's own blocks outlive it, which is no leak of the tree's. Sizes that no memory holds are asked
# for on purpose. A runtime looks at its start for what throws C++ exceptions, and Python itself does
# not load that.
_SANITIZER_ENV = {
    Label(":sanitizer_is_address"): {
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024",
        "SANITIZER_RUNTIME": "libasan.so.8 libstdc++.so.6",
    },
    Label(":sanitizer_is_thread"): {"SANITIZER_RUNTIME": "libtsan.so.2 libstdc++.so.6"},
    "//conditions:default": {},
}

def torch_py_test(
        name,
        srcs,
        size = "small",
        deps = [],
        data = [],
        args = [],
        env = {},
        hypothesis = False,
        **kwargs):
    """Runs test files with pytest.

    Args:
      name: name of the test.
      srcs: test files.
      size: Bazel's test size.
      deps: Python libraries; pytest is added.
      data: files that the tests read.
      args: further arguments for pytest.
      env: environment of the tests.
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
        env = select({
            condition: env | settings
            for condition, settings in _SANITIZER_ENV.items()
        }),
        deps = deps + ["@pypi//pytest"] + (["@pypi//hypothesis"] if hypothesis else []),
        **kwargs
    )

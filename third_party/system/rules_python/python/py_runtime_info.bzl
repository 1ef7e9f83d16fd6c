"""PyRuntimeInfo under its rules_python label."""

load(":private.bzl", "builtin_py_runtime_info")

PyRuntimeInfo = builtin_py_runtime_info

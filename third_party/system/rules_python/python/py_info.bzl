"""PyInfo under its rules_python label."""

load(":private.bzl", "builtin_py_info")

PyInfo = builtin_py_info

"""The global Python providers of Bazel 7, under names that a file may re-export."""

builtin_py_info = PyInfo
builtin_py_runtime_info = PyRuntimeInfo

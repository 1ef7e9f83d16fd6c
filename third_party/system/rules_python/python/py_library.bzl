"""py_library under its rules_python label."""

# buildifier: disable=native-py
py_library = native.py_library

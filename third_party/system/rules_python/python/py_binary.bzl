"""py_binary under its rules_python label."""

# buildifier: disable=native-py
py_binary = native.py_binary

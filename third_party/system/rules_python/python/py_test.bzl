"""py_test under its rules_python label."""

# buildifier: disable=native-py
py_test = native.py_test

"""py_runtime under its rules_python label."""

_LATER = ["abi_flags", "implementation_name", "interpreter_version_info", "pyc_tag"]

# buildifier: disable=native-py
def py_runtime(name, **kwargs):
    """The built-in py_runtime, less the attributes that Bazel 7 does not have.

    Args:
      name: name of the target.
      **kwargs: the rule's attributes.
    """
    native.py_runtime(
        name = name,
        **{key: value for key, value in kwargs.items() if key not in _LATER}
    )

"""The Python toolchain, and its version."""

# The toolchain type of what extensions compile against; rules_python's own.
PYTHON_CC_TYPE = Label("@rules_python//python/cc:toolchain_type")

def python_version(ctx):
    """The CPython that extension modules are built for.

    Args:
      ctx: of a rule with PYTHON_CC_TYPE among its toolchains.

    Returns:
      Its major and minor version, such as `3.11`; a toolchain may say more, such as `3.11.7`.
    """
    version = ctx.toolchains[PYTHON_CC_TYPE].py_cc_toolchain.python_version
    return ".".join(version.split(".")[:2])

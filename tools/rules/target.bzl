"""What is built for: the operating system, the processor, the Python and the CUDA of the configuration."""

load("//platforms:platforms.bzl", "CPUS", "OSES")
load("//toolchains/cuda:toolchain.bzl", "use_cuda_toolchain", _cuda_version = "cuda_version")

_PYTHON = "@rules_python//python/cc:toolchain_type"

# Attributes of a rule that calls target_os or target_cpu.
PLATFORM_ATTRS = {
    "_cpus": attr.label_keyed_string_dict(default = {"@platforms//cpu:" + cpu: cpu for cpu in CPUS}),
    "_oses": attr.label_keyed_string_dict(default = {"@platforms//os:" + os: os for os in OSES}),
}

# Toolchains of a rule that calls python_version or cuda_version.
VERSION_TOOLCHAINS = [_PYTHON] + use_cuda_toolchain(mandatory = False)

# Beside python_version, for whoever asks for both.
cuda_version = _cuda_version

def _constraint(ctx, constraints):
    for constraint, name in constraints.items():
        if ctx.target_platform_has_constraint(constraint[platform_common.ConstraintValueInfo]):
            return name
    return "unknown"

def target_os(ctx):
    """The operating system that is built for.

    Args:
      ctx: of a rule with PLATFORM_ATTRS.

    Returns:
      One of OSES, or `unknown`.
    """
    return _constraint(ctx, ctx.attr._oses)

def target_cpu(ctx):
    """The processor that is built for.

    Args:
      ctx: of a rule with PLATFORM_ATTRS.

    Returns:
      One of CPUS, or `unknown`.
    """
    return _constraint(ctx, ctx.attr._cpus)

def python_version(ctx):
    """The CPython that extension modules are built for.

    Args:
      ctx: of a rule with VERSION_TOOLCHAINS.

    Returns:
      Its major and minor version, such as `3.11`.
    """
    return ctx.toolchains[_PYTHON].py_cc_toolchain.python_version

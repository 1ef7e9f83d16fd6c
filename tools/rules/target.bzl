"""What is built for: the operating system, the processor, the Python and the CUDA of the configuration."""

load("//platforms:platforms.bzl", "CPUS", "OSES")
load("//toolchains/cuda:toolchain.bzl", "use_cuda_toolchain", _cuda_version = "cuda_version")
load("//toolchains/python:toolchain.bzl", "PYTHON_CC_TYPE", _python_version = "python_version")

# Attributes of a rule that calls target_os or target_cpu.
PLATFORM_ATTRS = {
    "_cpus": attr.label_keyed_string_dict(default = {"@platforms//cpu:" + cpu: cpu for cpu in CPUS}),
    "_oses": attr.label_keyed_string_dict(default = {"@platforms//os:" + os: os for os in OSES}),
}

# Toolchains of a rule that calls python_version or cuda_version.
VERSION_TOOLCHAINS = [PYTHON_CC_TYPE] + use_cuda_toolchain(mandatory = False)

cuda_version = _cuda_version
python_version = _python_version

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

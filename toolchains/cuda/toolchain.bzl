"""The CUDA toolchain that rules of this tree ask for: rules_cuda's type, and what it tells.

rules_cuda's own `use_cuda_toolchain()` and `find_cuda_toolchain()` name the type by a string, which is a label
of the repository that calls them.
"""

load(":toolkit.bzl", "CudaToolkitInfo", "NvccFlagsInfo")

_TYPE = Label("@rules_cuda//cuda:toolchain_type")

# Attributes of a rule that calls nvcc_flags.
CUDA_TOOLKIT_ATTRS = {"_cuda_toolkit": attr.label(default = "@cuda//:toolkit")}

def use_cuda_toolchain(mandatory = True):
    """Value for a rule's `toolchains`.

    Args:
      mandatory: whether the rule is for CUDA alone.

    Returns:
      A list.
    """
    return [config_common.toolchain_type(_TYPE, mandatory = mandatory)]

def _toolkit(ctx):
    """CudaToolkitInfo; None where CUDA is off, for rules_cuda's toolchain is empty there."""
    toolchain = ctx.toolchains[_TYPE]
    target = getattr(toolchain, "cuda_toolkit", None) if toolchain else None
    return target[CudaToolkitInfo] if target else None

def _version(toolkit):
    return "{}.{}".format(toolkit.version_major, toolkit.version_minor)

def find_cuda_toolchain(ctx):
    """The CUDA compiler of a rule's context.

    Args:
      ctx: of a rule with `use_cuda_toolchain()`.

    Returns:
      A struct: `nvcc`, its path; `files`, the depset that it reads; `version_major` of its toolkit.
    """
    toolkit = _toolkit(ctx)
    if not toolkit:
        fail("{} needs CUDA, which is off. Type: --config=cuda".format(ctx.label))
    return struct(
        nvcc = ctx.toolchains[_TYPE].compiler_executable,
        files = ctx.toolchains[_TYPE].all_files,
        version_major = toolkit.version_major,
    )

def nvcc_flags(ctx):
    """What nvcc needs on this machine, to be compiled with the headers of @cuda.

    Args:
      ctx: of a rule with `use_cuda_toolchain()` and CUDA_TOOLKIT_ATTRS.

    Returns:
      A list of options.
    """
    compiler = _toolkit(ctx)
    headers = ctx.attr._cuda_toolkit[CudaToolkitInfo]

    # A workspace may have registered another toolchain of rules_cuda.
    if _version(compiler) != _version(headers):
        fail(("two CUDA toolkits: the compiler of the toolchain {name} is of CUDA {compiler}, the headers of {path} are of CUDA " +
              "{headers}. Name the compiler's toolkit: --repo_env=CUDA_PATH={compiler_path}, or register no toolchain").format(
            compiler = _version(compiler),
            compiler_path = compiler.path or "/path/of/toolkit",
            headers = _version(headers),
            name = ctx.toolchains[_TYPE].name,
            path = headers.path,
        ))
    return ctx.attr._cuda_toolkit[NvccFlagsInfo].flags

def cuda_version(ctx):
    """The CUDA toolkit that is compiled with.

    Args:
      ctx: of a rule with `use_cuda_toolchain()`, mandatory or not.

    Returns:
      Its major and minor version, such as `13.0`; empty where CUDA is off.
    """
    toolkit = _toolkit(ctx)
    return _version(toolkit) if toolkit else ""

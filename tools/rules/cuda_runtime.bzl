"""NVIDIA's runtime in shared libraries of the tree: linked in, so that nothing of it is needed to run."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _cuda_static_runtime_impl(ctx):
    archives = []
    for linker_input in ctx.attr.runtime[CcInfo].linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = library.pic_static_library or library.static_library
            if archive:
                archives.append(archive)
    if len(archives) != 1:
        fail("{} has {} archives, wanted one".format(ctx.attr.runtime.label, len(archives)))
    return [DefaultInfo(files = depset(archives))]

cuda_static_runtime = rule(
    implementation = _cuda_static_runtime_impl,
    attrs = {
        "runtime": attr.label(
            doc = "The toolkit's static runtime.",
            mandatory = True,
            providers = [CcInfo],
        ),
    },
    doc = "The archive of the CUDA runtime, for the link of a shared library.",
)

def cuda_runtime_link_flags(runtime):
    """Options that link the runtime into a shared library, which has it among its linker inputs.

    Args:
      runtime: a cuda_static_runtime.

    Returns:
      A list.
    """
    return ["$(location {})".format(runtime), "-ldl", "-lpthread", "-lrt"]

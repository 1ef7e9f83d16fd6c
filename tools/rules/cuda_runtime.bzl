"""The CUDA runtime in shared libraries of the tree: linked in, so that nothing of it is needed to run.

NVIDIA's hides its names, and each library has its own. An emulated one is in libc10_cuda alone, which
hands it on to the others: its memory and its streams are in one place.
"""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

EmulatedCudaRuntimeInfo = provider(
    doc = "Marks a runtime that runs kernels on the host. Nothing that is shipped may hold it.",
    fields = {},
)

def _emulated_cuda_runtime_impl(ctx):
    return [ctx.attr.library[CcInfo], EmulatedCudaRuntimeInfo()]

emulated_cuda_runtime = rule(
    implementation = _emulated_cuda_runtime_impl,
    attrs = {
        "library": attr.label(
            doc = "The functions of the runtime.",
            mandatory = True,
            providers = [CcInfo],
        ),
    },
    doc = "A runtime for --//c10/cuda:runtime that needs no GPU.",
    provides = [CcInfo],
)

def compression(runtime):
    """fatbinary's option: a tenth of the size; the driver unpacks what its GPU needs, an emulator does not."""
    return "-compress=false" if EmulatedCudaRuntimeInfo in runtime else "-compress-all"

def keeps_all_ptx(runtime):
    """Whether programs need the intermediate code of every architecture: an emulator runs nothing else.

    Args:
      runtime: a target that provides the functions of CUDA's runtime.

    Returns:
      A bool.
    """
    return EmulatedCudaRuntimeInfo in runtime

def refuse_emulated(targets, what):
    """Stops the build of something for users with a runtime that is for tests.

    Args:
      targets: the runtimes, of cuda_static_runtime.
      what: the label of what would hold it.
    """
    if [target for target in targets if EmulatedCudaRuntimeInfo in target]:
        fail("{} would hold an emulator instead of NVIDIA's runtime. Build it with --config=cuda, without --config=cuda-emulator".format(what))

def _cuda_static_runtime_impl(ctx):
    if EmulatedCudaRuntimeInfo in ctx.attr.runtime:
        empty = ctx.actions.declare_file(ctx.label.name + ".empty.a")
        ctx.actions.write(empty, "!<arch>\n")
        return [DefaultInfo(files = depset([empty])), EmulatedCudaRuntimeInfo()]
    archives = []
    for linker_input in ctx.attr.runtime[CcInfo].linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = library.pic_static_library or library.static_library

            # rules_cuda's runtime has that of relocatable device code beside it, which this tree has not.
            if archive and archive.basename != "libcudadevrt.a":
                archives.append(archive)
    if len(archives) != 1:
        fail("{} has {} archives, wanted one: {}. Name a runtime: --//c10/cuda:runtime=@cuda//:cuda_runtime_static".format(
            ctx.attr.runtime.label,
            len(archives),
            ", ".join([archive.basename for archive in archives]) or "none",
        ))
    return [DefaultInfo(files = depset(archives))]

cuda_static_runtime = rule(
    implementation = _cuda_static_runtime_impl,
    attrs = {
        "runtime": attr.label(
            doc = "The toolkit's static runtime, or an emulated one.",
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

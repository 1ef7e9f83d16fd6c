"""What Vulkan shaders and their runtime are compiled with, from this machine: @vulkan.

Vulkan's headers, glslang, which makes SPIR-V of GLSL, and SPIRV-Cross, which makes Metal's language of that. The
loader and the drivers are looked for when a program runs.
"""

_PACKAGES = {
    "glslangValidator": "glslang-tools",
    "spirv-cross": "spirv-cross",
    "vulkan/vulkan.h": "libvulkan-dev",
}

_FOUND = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

cc_library(
    name = "headers",
    hdrs = glob(["include/**"]),
    includes = ["include"],
)

exports_files([
    "glslangValidator",
    "spirv-cross",
])
"""

# The analysis stops at whatever needs one of these.
_MISSING = """
load("{unavailable}", "unavailable")

package(default_visibility = ["//visibility:public"])

[unavailable(
    name = name,
    message = {message},
) for name in [
    "glslangValidator",
    "headers",
    "spirv-cross",
]]
"""

def _message(missing):
    return "Vulkan's shaders and runtime need {}. To install what is missing:\n\n    apt-get install --no-install-recommends {}\n".format(
        " and ".join(missing),
        " ".join([_PACKAGES[name] for name in missing]),
    )

def _vulkan_impl(repository_ctx):
    missing = []
    for program in ["glslangValidator", "spirv-cross"]:
        path = repository_ctx.which(program)
        if path:
            repository_ctx.symlink(path, program)
        else:
            missing.append(program)
    roots = [root for root in ["/usr/include", "/usr/local/include", "/opt/homebrew/include"] if repository_ctx.path(root + "/vulkan/vulkan.h").exists]
    if roots:
        # vk_video is read by vulkan.h of newer versions.
        for folder in ["vulkan", "vk_video"]:
            if repository_ctx.path(roots[0] + "/" + folder).exists:
                repository_ctx.symlink(roots[0] + "/" + folder, "include/" + folder)
    else:
        missing.append("vulkan/vulkan.h")
    repository_ctx.file("BUILD.bazel", _FOUND if not missing else _MISSING.format(
        message = repr(_message(missing)),
        unavailable = Label("//third_party/system_library:unavailable.bzl"),
    ))
    repository_ctx.file("found.bzl", "\"\"\"Whether there is everything here.\"\"\"\n\nFOUND = {}\n".format(not missing))

vulkan_repository = repository_rule(
    implementation = _vulkan_impl,
    configure = True,
    doc = "Vulkan's headers and the compilers of shaders.",
    environ = ["PATH"],
    local = True,
)

def _vulkan_extension_impl(module_ctx):
    vulkan_repository(name = "vulkan")
    return module_ctx.extension_metadata(reproducible = True)

vulkan = module_extension(
    implementation = _vulkan_extension_impl,
    doc = "Makes @vulkan.",
)

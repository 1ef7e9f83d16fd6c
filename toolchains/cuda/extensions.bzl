"""Finds a CUDA toolkit, or installs one, and proves that its compiler works: the same in both modes.

`--repo_env=CUDA_TOOLKIT=` says which: `local`, that of this machine, is the default; `wheels` is of
NVIDIA's packages.
"""

load(":wheels.bzl", "install_wheels")

_TOOLKIT_BZL = str(Label(":toolkit.bzl"))

_INCLUDES = ["include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"]
_LIBRARIES = ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]

# glibc 2.42 and later declare rsqrt and its kin with an exception specification that the headers
# of CUDA 13.0 and earlier contradict. This header, found before glibc's, gives glibc's another name.
_SHADOW = "\n".join(
    ["#pragma GCC system_header", "#define rsqrt glibc_rsqrt", "#define rsqrtf glibc_rsqrtf"] +
    [
        "#define __DECL_SIMD_glibc_rsqrt" + suffix
        for suffix in ["", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x", "f128x"]
    ] +
    ["#include_next <bits/mathcalls.h>", "#undef rsqrt", "#undef rsqrtf", ""],
)

_PROBE = """#include <cmath>
__global__ void probe(float* x) { x[threadIdx.x] = rsqrtf(x[threadIdx.x]); }
int main() { probe<<<1, 1>>>(nullptr); return 0; }
"""

def _toolkit_root(repository_ctx):
    """Directory of the toolkit, or None."""
    root = repository_ctx.getenv("CUDA_PATH")
    if root:
        return root
    nvcc = repository_ctx.which("nvcc")
    if nvcc:
        # nvcc may be a link or a script; it says itself where it belongs.
        result = repository_ctx.execute([nvcc, "--dryrun", "-x", "cu", "-c", "/dev/null"])
        for line in result.stderr.split("\n"):
            if line.startswith("#$ TOP="):
                return str(repository_ctx.path(line.removeprefix("#$ TOP=").strip()).realpath)
    return "/usr/local/cuda" if repository_ctx.path("/usr/local/cuda/bin/nvcc").exists else None

def _version(said):
    """Version in what nvcc says of itself."""
    for word in said.replace(",", " ").split(" "):
        if word.startswith("V") and word[1:2].isdigit():
            return ".".join(word[1:].split(".")[:2])
    return ""

def _working_flags(repository_ctx, nvcc):
    """Options with which nvcc compiles the probe, or None with its last words."""
    repository_ctx.file("probe/probe.cu", _PROBE)
    last = ""
    shadow = str(repository_ctx.path("shadow"))
    for flags in ([], ["-isystem", shadow]):
        if flags:
            repository_ctx.file("shadow/bits/mathcalls.h", _SHADOW)
        result = repository_ctx.execute(
            [nvcc, "-c", "probe/probe.cu", "-o", "probe/probe.o"] + flags,
        )
        if result.return_code == 0:
            # Actions name the directory from where they run.
            return (["-isystem", "external/{}/shadow".format(repository_ctx.name)] if flags else []), ""
        last = result.stderr or result.stdout
    return None, last

_NONE = """load("@bazel_skylib//rules:common_settings.bzl", "bool_setting")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("{toolkit_bzl}", "cuda_toolkit_missing")

package(default_visibility = ["//visibility:public"])

exports_files(["facts.json"])

bool_setting(name = "toolkit_found", build_setting_default = False)

cc_library(name = "cuda_headers", target_compatible_with = ["@platforms//:incompatible"])

alias(name = "cuda_runtime_static", actual = ":cuda_headers")

cuda_toolkit_missing(name = "toolkit", why = {why})

alias(name = "nvcc", actual = ":toolkit")
"""

_FOUND = """load("@bazel_skylib//rules:common_settings.bzl", "bool_setting")
load("@rules_cc//cc:cc_import.bzl", "cc_import")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cuda//cuda:defs.bzl", "cuda_toolchain", "cuda_toolchain_config_nvcc")
load("{toolkit_bzl}", "cuda_toolkit")

package(default_visibility = ["//visibility:public"])

exports_files(["facts.json"])

bool_setting(name = "toolkit_found", build_setting_default = True)

# nvcc finds CCCL, the C++ library that comes with it and most of its headers, by itself.
cc_library(
    name = "cuda_headers",
    hdrs = glob(
        ["include/**"],
        allow_empty = True,
        exclude = ["include/cccl/**"],
    ),
    includes = ["include"],
)

cc_library(
    name = "cuda_runtime_static",
    linkopts = ["-ldl", "-lpthread", "-lrt"],
    deps = [":cuda_headers", ":cudart_static"],
)

cc_import(name = "cudart_static", static_library = "lib/libcudart_static.a")

cuda_toolkit(
    name = "toolkit",
    nvcc_flags = {flags},
    path = "{root}",
    version = "{version}",
)

cuda_toolchain_config_nvcc(
    name = "nvcc_config",
    cuda_toolkit = ":toolkit",
    nvcc_version_major = {major},
    nvcc_version_minor = {minor},
    toolchain_identifier = "nvcc",
)

cuda_toolchain(
    name = "nvcc",
    compiler_executable = "{root}/bin/nvcc",
    compiler_files = [":nvcc_version.txt"] + glob(
        ["shadow/**", "wheels/nvidia/**"],
        allow_empty = True,
    ),
    toolchain_config = ":nvcc_config",
)
"""

_HOW = " Install a CUDA toolkit of 12.0 or later, name one with --repo_env=CUDA_PATH=/path/of/toolkit, or let the build install NVIDIA's packages with --repo_env=CUDA_TOOLKIT=wheels."

def _facts(repository_ctx, **facts):
    repository_ctx.file("facts.json", json.encode({"library": "CUDA toolkit", "option": "cuda"} | facts))

def _none(repository_ctx, why):
    _facts(repository_ctx, missing = "no CUDA toolkit that works was found. " + why + _HOW)
    repository_ctx.file("BUILD.bazel", _NONE.format(
        toolkit_bzl = _TOOLKIT_BZL,
        why = repr(why + _HOW),
    ))

def _first_directory(repository_ctx, root, directories, file):
    for directory in directories:
        path = root + "/" + directory
        if repository_ctx.path(path + "/" + file).exists:
            return path
    return None

def _header_version(repository_ctx, header):
    """Version that cuda.h names, such as 13.0, or an empty string."""
    for line in repository_ctx.read(header).split("\n"):
        if line.startswith("#define CUDA_VERSION "):
            number = int(line.split(" ")[2])
            return "{}.{}".format(number // 1000, number % 1000 // 10)
    return ""

def _found(repository_ctx, root, named):
    """Writes the toolkit's targets.

    Args:
      repository_ctx: of the repository.
      root: the toolkit's directory, absolute.
      named: the directory as actions name it.

    Returns:
      Why the toolkit cannot be used, or None.
    """
    nvcc = root + "/bin/nvcc"
    if not repository_ctx.path(nvcc).exists:
        return "{} does not exist.".format(nvcc)

    # A header without its library, or of another version, is no toolkit.
    include = _first_directory(repository_ctx, root, _INCLUDES, "cuda_runtime.h")
    libraries = _first_directory(repository_ctx, root, _LIBRARIES, "libcudart_static.a")
    if not include:
        return "{} has no cuda_runtime.h in {}.".format(root, " or ".join(_INCLUDES))
    if not libraries:
        return "{}/cuda_runtime.h is there, but {} has no libcudart_static.a in {}.".format(include, root, " or ".join(_LIBRARIES))
    said = repository_ctx.execute([nvcc, "--version"]).stdout
    version = _version(said)
    header_version = _header_version(repository_ctx, include + "/cuda.h")
    if version != header_version:
        return "{} is of CUDA {}, but {}/cuda.h is of CUDA {}.".format(nvcc, version, include, header_version)

    flags, last = _working_flags(repository_ctx, nvcc)
    if flags == None:
        return "{} does not compile a probe. Its last words: {}".format(nvcc, last)

    # Another compiler at the same path is another input.
    repository_ctx.file("nvcc_version.txt", said)
    repository_ctx.symlink(include, "include")
    repository_ctx.symlink(libraries + "/libcudart_static.a", "lib/libcudart_static.a")
    _facts(
        repository_ctx,
        files = [nvcc, libraries + "/libcudart_static.a"],
        version = version,
        why = "its compiler compiles a probe" + (", with glibc's header mended" if flags else ""),
    )
    major, minor = version.split(".")
    repository_ctx.file("BUILD.bazel", _FOUND.format(
        flags = repr(flags),
        major = major,
        minor = minor,
        root = named,
        toolkit_bzl = _TOOLKIT_BZL,
        version = version,
    ))
    return None

def _local_impl(repository_ctx):
    root = _toolkit_root(repository_ctx)
    why = _found(repository_ctx, root, root) if root else "There is no nvcc in PATH, no CUDA_PATH, no /usr/local/cuda/bin/nvcc."
    if why:
        _none(repository_ctx, why)

_cuda_local = repository_rule(
    implementation = _local_impl,
    doc = "The CUDA toolkit of this machine.",
    configure = True,
    environ = ["CUDA_PATH", "PATH"],
    local = True,
)

def _wheels_impl(repository_ctx):
    directory, why = install_wheels(repository_ctx)
    if not why:
        # Actions name the compiler from where they run, so that a cache serves other machines.
        named = "external/{}/{}".format(repository_ctx.name, directory)
        why = _found(repository_ctx, str(repository_ctx.path(directory)), named)
    if why:
        # Asked for by name: nobody shall take skipped tests for passed ones.
        fail("CUDA_TOOLKIT=wheels: " + why)

_cuda_wheels = repository_rule(
    implementation = _wheels_impl,
    doc = "A CUDA toolkit of NVIDIA's packages.",
)

def _cuda_impl(module_ctx):
    kind = module_ctx.os.environ.get("CUDA_TOOLKIT", "local")
    if kind == "wheels":
        _cuda_wheels(name = "cuda")
    elif kind == "local":
        _cuda_local(name = "cuda")
    else:
        fail("CUDA_TOOLKIT={}: want local, the toolkit of this machine, or wheels, NVIDIA's packages. Type: --repo_env=CUDA_TOOLKIT=wheels".format(kind))

cuda = module_extension(
    implementation = _cuda_impl,
    doc = "Makes @cuda.",
    environ = ["CUDA_TOOLKIT"],
)
